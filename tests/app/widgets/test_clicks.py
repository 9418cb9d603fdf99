"""A click counts once: though the next one waits already, or the page is drawn again before its button."""

from __future__ import annotations

import ast
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app_seeds import sent_campaign
from each import each
from page_reading import Open, button, words
from patience import PATIENCE_S
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.testing.v1 import AppTest
from wizard_steps import labelled

from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime

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
SHEET = b"First name,Mobile\nAnn,07911 123451\n"


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


@pytest.fixture
def hurried(wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody clicks somewhere else just as each draft is begun."""
    tell = type(wired.ledger.audit).tell

    def tell_and_click(*args: Any) -> None:
        tell(*args)
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        here = {"page_script_hash": context.page_script_hash, "query_string": context.query_string}
        if len(wired.drafts.open_ones("local")) <= 2:  # or what is begun anew by each click would never end
            context.script_requests.request_rerun(RerunData(**here))

    monkeypatch.setattr(type(wired.ledger.audit), "tell", tell_and_click)


@pytest.mark.usefixtures("hurried")
def test_a_click_while_a_draft_is_begun_leaves_no_other_draft_and_goes_on_with_it(
    wired: Runtime, open_page: Open, save_draft: Callable[..., Draft]
) -> None:
    def begun(page: AppTest) -> Draft:
        (draft,) = wired.drafts.open_ones("local")
        assert page.query_params["draft"] in (draft.id, [draft.id])
        wired.drafts.discard(draft)
        return draft

    page = open_page("overview")
    button(page, "Try it with a sample sheet").click().run()
    begun(page)
    page = open_page("new")
    begun(page.file_uploader[0].upload("contacts.csv", SHEET).run())
    saved = wired.ledger.lists.save("Shop", io.BytesIO(SHEET), source="shop.csv", who="Ann", choices={})
    page = open_page("new")
    begun(page.selectbox(key="saved-list").set_value(saved).run())
    campaign = sent_campaign(wired.ledger, "Spring")
    for label in ("Use again", "Follow up…"):
        page = open_page("campaign", id=campaign)
        button(page, label).click().run()
        if label != "Use again":
            button(page, label).click()
            page.button(key="begin-follow-up").click().run()
        begun(page)
    draft = save_draft(SHEET)
    page = open_page("new", draft=draft.id)
    labelled(page.file_uploader, "A sheet").upload("more.csv", SHEET).run()
    page.selectbox(key=f"saved-list-{draft.id}").set_value(saved).run()
    assert len(begun(page).lists) == 2
