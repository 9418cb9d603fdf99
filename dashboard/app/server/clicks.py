"""No click is lost between two runs of a page's script.

A browser says only once that a button was clicked. Streamlit begins the run that was asked for and, before it
calls the button's callback, looks whether another request waits; then that one is run instead, and the click
is forgotten. On a busy machine that happened to one in twenty of the clicks that another one followed.
"""

from __future__ import annotations

from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state import SafeSessionState


def take_note_of_every_click() -> None:
    """Let callbacks of what was clicked run before the script gives way to the next request."""
    SafeSessionState.on_script_will_rerun = _before_giving_way  # type: ignore[assignment]  # takes all it takes


def _before_giving_way(
    state: SafeSessionState, fresh_widget_states: WidgetStates | None, **replayed: Any
) -> None:
    """What Streamlit's own method does, but for the look at what waits; it looks again right afterwards."""
    with state._lock:  # noqa: SLF001
        state._state.on_script_will_rerun(fresh_widget_states, **replayed)  # noqa: SLF001
