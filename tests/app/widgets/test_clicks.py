"""A click counts once: though the next one waits already, or the page is drawn again before its button."""

from __future__ import annotations

import ast
from pathlib import Path

from each import each
from page_reading import button, words
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[3] / "dashboard" / "app"

CHOICES = """
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from dashboard.app.widgets.kept import kept, whole

def next_click():
    get_script_run_ctx().script_requests.request_rerun(RerunData())

def turn():
    st.session_state["turned"] = st.session_state.get("turned", 0) + 1

stored = st.session_state.setdefault("stored", [])
st.checkbox("The next click comes", on_change=next_click)
st.multiselect("Columns", ["Mobile", "Landline"], **kept("columns", stored.append))
st.text_input("Name", **kept("name", stored.append))
st.button("Turn", on_click=whole(turn))
"""
OTHERS = {"'ignore'", "anew"}


@each("hurried", [False, True])
def test_what_is_chosen_is_stored_once_and_a_click_done_once(hurried: bool) -> None:
    page = AppTest.from_string(CHOICES, default_timeout=PATIENCE_S).run()
    page.checkbox[0].set_value(hurried)
    page.multiselect[0].set_value(["Mobile"])
    page.text_input[0].set_value("Spring")
    page.button[0].click()
    page.run()
    assert page.session_state["stored"] == [["Mobile"], "Spring"]
    assert page.session_state["turned"] == 1


HURRIED_TWICE = """
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from dashboard.app.widgets.kept import whole

def arrive(*clicked):
    states = WidgetStates(widgets=[WidgetState(id=name, trigger_value=True) for name in clicked])
    get_script_run_ctx().script_requests.request_rerun(RerunData(widget_states=states))

def busy(waiting):
    while waiting:
        arrive(*waiting.pop(0))
        st.session_state["looked"] = True

def turn(name):
    st.session_state[name] = st.session_state.get(name, 0) + 1

st.button("Busy", on_click=whole(busy), args=(st.session_state.get("waiting"),))
for name in ("First", "Second"):
    st.button(name, on_click=whole(turn), args=(name,))
"""


@each(
    "order",
    [("First", None), (None, "First"), ("First", "Second"), ("First", None, "Second"), ("First", None, None)],
)
def test_no_click_is_lost_of_those_made_while_one_callback_runs(order: tuple[str | None, ...]) -> None:
    page = AppTest.from_string(HURRIED_TWICE, default_timeout=PATIENCE_S).run()
    ids = {button.label: button.proto.id for button in page.button}
    page.session_state["waiting"] = [[ids[name]] if name else [] for name in order]
    page.run()
    page.button[0].click().run()
    done = {name: page.session_state[name] for name in ("First", "Second") if name in page.session_state}
    assert done == {name: 1 for name in order if name}


def test_every_callback_of_the_pages_is_ended_before_the_next_click_is_heard() -> None:
    by_hand = []
    for path in APP.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.keyword) and call.arg in {"on_click", "on_change"}:
                said = ast.unparse(call.value)
                if not said.startswith("whole(") and said not in OTHERS:
                    by_hand.append(f"{path.name}: {said}")
    assert not by_hand


BUTTONS = """
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from dashboard.app.widgets.pressed import doing, open_if_asked, opening, say_refusal
from dashboard.errors import LedgerError

def refuse():
    raise LedgerError("Too late.")

@st.dialog("Really?")
def dialog():
    st.write("It cannot be undone.")
    st.button("Do it", **doing("cancel", lambda: None))
    if drawing_stops:
        st.stop()

drawing_stops = st.checkbox("Drawing a dialog stops")
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


def clicked(label: str, box: str = "") -> AppTest:
    """The page after the click on a button, and on this box before."""
    page = AppTest.from_string(BUTTONS, default_timeout=PATIENCE_S).run()
    for one in page.checkbox:
        one.set_value(one.label == box)
    return button(page, label).click().run()


@each("box", ["", "The page is drawn again"])
def test_a_click_counts_once_a_refusal_stays_until_the_next_and_a_dialog_opens_once(box: str) -> None:
    assert clicked("Pause", box).session_state["done"] == ["paused"]
    page = clicked("Resume", box)
    for _look in range(2):
        assert [error.value for error in page.error] == ["Too late."]
        page.run()
    button(page, "Pause").click().run()
    assert not page.error
    page = clicked("Cancel", box)
    assert "It cannot be undone." in words(page)
    assert "It cannot be undone." not in words(page.run())


def test_a_dialog_that_did_its_work_does_not_come_back_if_drawing_it_was_cut_short() -> None:
    page = clicked("Cancel", "Drawing a dialog stops")
    page.checkbox[-1].uncheck()
    button(page, "Do it").click().run()
    assert "It cannot be undone." not in words(page)


def test_where_pages_draw_themselves_again_no_button_waits_for_its_line() -> None:
    lost = [
        f"{path.name}:{test.lineno}"
        for path in (APP / "followup").glob("*.py")
        for test in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(test, ast.If)
        and "st.button(" in ast.unparse(test.test)
        and [ast.unparse(step) for step in test.body] != ["st.rerun()"]
    ]
    assert not lost
