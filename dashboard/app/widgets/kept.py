"""What people choose and type is stored at once, however soon their next click comes.

Streamlit stops a script that looks into the session's state while another request waits, and callbacks too: a
choice followed at once by a click was lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypedDict

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException

P = ParamSpec("P")


class Kept(TypedDict):
    """The arguments with which a widget's value is stored."""

    key: str
    on_change: Callable[..., None]
    args: tuple[Any, ...]


def kept(key: str, store: Callable[[Any], None]) -> Kept:
    """A widget's key, and a callback that stores its value whenever somebody changes it."""
    return {"key": key, "on_change": whole(_pass_on), "args": (key, store)}


def whole(callback: Callable[P, None]) -> Callable[P, None]:
    """A callback that no other click can cut short: it is started again, and the click has to wait its turn.

    So before it last looks into the session, it must not change anything that it cannot change twice.
    """

    def done(*args: P.args, **kwargs: P.kwargs) -> None:
        waiting = None
        while True:
            try:
                callback(*args, **kwargs)
                break
            except RerunException as request:
                waiting = request
        if waiting is not None:
            raise waiting

    return done


def _pass_on(key: str, store: Callable[[Any], None]) -> None:
    store(st.session_state[key])
