"""A click does what it says although the page is drawn again before the script comes to the button."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from page_reading import button, words
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest

FOLLOWUP = Path(__file__).parents[3] / "dashboard" / "app" / "followup"

SCRIPT = """
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from dashboard.app.widgets.pressed import doing, open_if_asked, opening, say_refusal
from dashboard.errors import LedgerError

def refuse():
    raise LedgerError("Too late.")

@st.dialog("Really?")
def dialog():
    st.write("It cannot be undone.")

done = st.session_state.setdefault("done", [])
if st.checkbox("The page is drawn again") and not st.session_state.get("drawn again"):
    st.session_state["drawn again"] = True
    get_script_run_ctx().script_requests.request_rerun(RerunData())
st.button("Pause", **doing("head", lambda: done.append("paused")))
st.button("Resume", **doing("head", refuse))
say_refusal("head")
st.button("Cancel", **opening("cancel"))
open_if_asked("cancel", dialog)
"""


@pytest.fixture(params=[False, True], ids=["calm", "drawn again"])
def page(request: pytest.FixtureRequest) -> AppTest:
    page = AppTest.from_string(SCRIPT, default_timeout=PATIENCE_S).run()
    page.checkbox[0].set_value(request.param)
    return page


def test_a_click_does_it_once(page: AppTest) -> None:
    button(page, "Pause").click().run()
    assert page.session_state["done"] == ["paused"]


def test_a_refusal_is_said_until_the_next_click(page: AppTest) -> None:
    button(page, "Resume").click().run()
    assert [error.value for error in page.error] == ["Too late."]
    page.run()
    assert len(page.error) == 1
    button(page, "Pause").click().run()
    assert not page.error


def test_a_dialog_opens_once(page: AppTest) -> None:
    button(page, "Cancel").click().run()
    assert "It cannot be undone." in words(page)
    page.run()
    assert "It cannot be undone." not in words(page)


CUT_SHORT = """
import streamlit as st

from dashboard.app.widgets.pressed import doing, open_if_asked, opening

@st.dialog("Really?")
def dialog():
    st.write("It cannot be undone.")
    st.button("Do it", **doing("cancel", lambda: None))
    if not st.session_state.get("drawn once"):
        st.session_state["drawn once"] = True
        st.stop()

st.button("Cancel", **opening("cancel"))
open_if_asked("cancel", dialog)
"""


def test_a_dialog_that_did_its_work_does_not_come_back_if_drawing_it_was_cut_short() -> None:
    page = AppTest.from_string(CUT_SHORT, default_timeout=PATIENCE_S).run()
    button(page, "Cancel").click().run()
    button(page, "Do it").click().run()
    assert "It cannot be undone." not in words(page)


def test_where_pages_draw_themselves_again_no_button_waits_for_its_line() -> None:
    lost = [
        f"{path.name}:{test.lineno}"
        for path in FOLLOWUP.glob("*.py")
        for test in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(test, ast.If)
        and "st.button(" in ast.unparse(test.test)
        and [ast.unparse(step) for step in test.body] != ["st.rerun()"]
    ]
    assert not lost
