"""What a drawn page leaves behind in the process that drew it: nothing that a later test could meet."""

from __future__ import annotations

import multiprocessing

import pytest
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st  # noqa: PLC0415 - this is a page's whole script

    st.write("Hello")


@pytest.mark.parametrize("turn", ["before a page was drawn", "after"])
def test_a_process_can_be_spawned(turn: str) -> None:
    """It runs `__main__` again, which Streamlit takes for its pages: what was spawned died at once."""
    del turn
    spawned = multiprocessing.get_context("spawn").Process(target=int)
    spawned.start()
    spawned.join()
    assert spawned.exitcode == 0
    assert AppTest.from_function(page, default_timeout=PATIENCE_S).run().markdown[0].value == "Hello"
