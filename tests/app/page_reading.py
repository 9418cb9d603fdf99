"""The pages: how they are opened, what they say, their buttons by labels, and what runs where pages do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

MAIN = Path(__file__).parents[2] / "dashboard" / "app" / "main.py"

Open = Callable[..., AppTest]
"""Opens a page, or the wizard at a step of a draft."""

PAGES: dict[str, Any] = {}
"""The pages by their addresses: without them Streamlit opens the overview in place of some of them."""


def go(page: AppTest, view: str, **query: str) -> AppTest:
    """Open a page of the dashboard, with what its address asks for."""
    if not PAGES:
        PAGES.update(page.run()._registered_pages)
    page._registered_pages = PAGES
    for name, value in query.items():
        page.query_params[name] = value
    page.switch_page(f"views/{view}.py").run()
    return page


def button(page: AppTest, label: str) -> Any:
    """The button with this label."""
    return next(one for one in page.button if one.label == label)


def words(page: AppTest) -> str:
    """Everything that the page says, in one text."""
    kinds = (
        page.title,
        page.header,
        page.markdown,
        page.caption,
        page.error,
        page.warning,
        page.success,
        page.info,
        page.html,
        page.text,
    )
    return "\n".join(str(one.value) for kind in kinds for one in kind)


def elements(block: Block) -> Iterator[Any]:
    """All that stands on a page, as it is sent to the browser, each block before what is in it."""
    for node in block.children.values():
        if getattr(node, "proto", None) is not None:
            yield node
        if isinstance(node, Block):
            yield from elements(node)


def texts_of(message: Any, names: Collection[str]) -> Iterator[str]:
    """What stands in the fields of these names, of an element and of whatever it holds."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for one in values:
                yield from texts_of(one, names)
        elif field.name in names and isinstance(values[0], str):
            yield from values


def failed_page(error: Exception) -> AppTest:
    """What is shown in place of a page that failed with this error."""

    def explained(error: Exception) -> None:
        from dashboard.app.server import asgi  # noqa: PLC0415 - a page is its source, run by itself

        asgi.explain(error)

    return AppTest.from_function(explained, args=(error,), default_timeout=PATIENCE_S).run()


def on_page(work: Callable[[], object]) -> Any:
    """What something gives where pages are drawn."""
    page = AppTest.from_function(_page, kwargs={"work": work}, default_timeout=PATIENCE_S).run()
    return page.session_state["made"]


def _page(work: object) -> None:
    import streamlit as st  # noqa: PLC0415 - runs as a page of its own

    assert callable(work)
    st.session_state["made"] = work()
