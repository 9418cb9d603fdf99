"""Buttons whose click is never lost, on pages that draw themselves again every few seconds.

`if st.button(...):` forgets a click when the script is stopped before it comes to that line. What a callback
does is done, whatever happens to the script.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, TypedDict

import streamlit as st

from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.plain import plain
from dashboard.errors import DashboardError

OPEN = "page-open"


class Pressed(TypedDict):
    """The arguments with which a button does something."""

    on_click: Callable[..., None]
    args: tuple[Any, ...]


def doing(place: str, action: Callable[[], object]) -> Pressed:
    """Arguments for a button that does something; if that is refused, `say_refusal` of the place says why."""
    return {"on_click": whole(_do), "args": (place, action)}


def arrive_at(page: Hashable) -> None:
    """Forget why clicks did nothing on the page that was open before this one."""
    if st.session_state.get(OPEN) != page:
        for key in [key for key in st.session_state if str(key).startswith(_refused(""))]:
            del st.session_state[key]
        st.session_state[OPEN] = page


def say_refusal(place: str) -> None:
    """Draw why the last click did nothing, if it was refused; until the next one, or the page is left."""
    if sentence := st.session_state.get(_refused(place)):
        st.error(plain(sentence), icon=":material/error:")


def asking(
    place: str,
    label: str,
    title: str,
    dialog: Callable[..., None],
    *shown: object,
    icon: str,
    **button: Any,
) -> None:
    """Draw a button and, once it was clicked, the dialog that it opens.

    Args:
        place: The dialog's.
        label: What the button says.
        title: The dialog's.
        dialog: Draws what is in the dialog.
        shown: What `dialog` is called with.
        icon: The button's and the dialog's.
        button: Whatever else Streamlit takes for a button.
    """
    st.button(label, icon=icon, **button, **opening(place))
    open_if_asked(place, partial(st.dialog(title, icon=icon)(dialog), *shown))


def opening(place: str) -> Pressed:
    """Arguments for a button that opens a dialog, which `open_if_asked` draws."""
    return {"on_click": whole(_ask), "args": (place,)}


def open_if_asked(place: str, dialog: Callable[[], None]) -> None:
    """Draw a dialog if its button was clicked; it stays until it is closed or the page is drawn again."""
    if st.session_state.get(_asked(place)):
        dialog()
        del st.session_state[_asked(place)]


def closing(place: str) -> Pressed:
    """Arguments for a button that closes a dialog, which `close_if_asked` does."""
    return {"on_click": whole(close), "args": (place,)}


def close_if_asked(place: str) -> None:
    """Draw the whole page again, without its dialog, if the dialog's button was clicked."""
    if st.session_state.get(_closed(place)):
        del st.session_state[_closed(place)]
        st.rerun()


def answers(place: str, *, no: str, yes: str, key: str, then: Pressed, disabled: bool = False) -> None:
    """Draw the end of a dialog: why its last answer was refused, and the two answers.

    Args:
        place: The dialog's.
        no: What the button says that closes it.
        yes: What the button says that does something.
        key: The key of that button.
        then: What it does, from `doing`.
        disabled: Whether something has to be filled in first.
    """
    say_refusal(place)
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(no, **closing(place))
        st.button(yes, type="primary", disabled=disabled, key=key, **then)


def _do(place: str, action: Callable[[], object]) -> None:
    for gone in (_refused(place), _asked(place)):  # still, if drawing was cut short
        st.session_state.pop(gone, None)
    try:
        action()
    except DashboardError as error:
        st.session_state[_refused(place)] = str(error)


def _ask(place: str) -> None:
    for gone in (_refused(place), _closed(place)):
        st.session_state.pop(gone, None)
    st.session_state[_asked(place)] = True


def close(place: str) -> None:
    """Have the next run close a dialog; for callbacks."""
    st.session_state.pop(_asked(place), None)
    st.session_state[_closed(place)] = True


def _refused(place: str) -> str:
    return f"refused-{place}"


def _asked(place: str) -> str:
    return f"asked-{place}"


def _closed(place: str) -> str:
    return f"closed-{place}"
