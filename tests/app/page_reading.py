"""Where the pages start, what a page says, and its buttons by their labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

MAIN = Path(__file__).parents[2] / "dashboard" / "app" / "main.py"


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
