"""What people choose and type is stored at once, however soon their next click comes.

Streamlit stops a script that looks into the session's state while another request waits, and callbacks too: a
choice followed at once by a click was lost.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypedDict, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

P = ParamSpec("P")
R = TypeVar("R")


class Kept(TypedDict):
    """The arguments with which a widget's value is stored."""

    key: str
    on_change: Callable[..., None]
    args: tuple[Any, ...]


def kept(key: str, store: Callable[[Any], object]) -> Kept:
    """A widget's key, and a callback that stores its value whenever somebody changes it.

    What the widget showed, and how its value is stored, is kept beside it for `draw_anew`.
    """
    st.session_state[f"drawn-{key}"] = (st.session_state.get(key), store)
    return {"key": key, "on_change": whole(_pass_on), "args": (key, store)}


def whole(callback: Callable[P, None]) -> Callable[P, None]:
    """A callback that no other click can cut short: it is started again, and each click has to wait its turn.

    So before it last looks into the session, it must not change anything that it cannot change twice; what
    begins something and then says in the session what it was, is `once`.
    """

    def done(*args: P.args, **kwargs: P.kwargs) -> None:
        waiting = []
        while True:
            try:
                callback(*args, **kwargs)
                break
            except RerunException as request:
                waiting.append(request)
        if waiting:
            raise _as_one(waiting)

    return done


def once(action: Callable[..., R]) -> Callable[..., R]:
    """An action that is done once, though the callback that does it is started again: see `whole`.

    It gives the same result each time it is called with the same arguments, until the page is drawn again.
    """
    return cache(action)


def _as_one(waiting: list[RerunException]) -> RerunException:
    """One request for all that came meanwhile; a browser says only once that a button was clicked."""
    requests = ScriptRequests()
    for request in waiting:
        requests.request_rerun(request.rerun_data)
    return RerunException(requests.on_scriptrunner_ready().rerun_data)


def draw_anew(prefixes: tuple[str, ...]) -> None:
    """Have widgets show what is stored, by the beginnings of their keys; for callbacks that change it.

    What was typed just before comes in the same request, and its own callback may be yet to come: it is
    stored first.
    """
    for key in [str(key) for key in st.session_state if str(key).startswith(prefixes)]:
        shown, store = st.session_state.get(f"drawn-{key}", (None, None))
        if store is not None and st.session_state[key] != shown:
            store(st.session_state[key])
        del st.session_state[key]


def _pass_on(key: str, store: Callable[[Any], object]) -> None:
    if key in st.session_state:  # else `draw_anew` was first
        store(st.session_state[key])
