"""A saved list compared with the service's answers: all of it or a sample, and where the two differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.downloads.offering import offer
from dashboard.app.downloads.tables import as_csv, as_xlsx
from dashboard.app.people import Person
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.contacts.line_types import line_type_words
from dashboard.errors import DashboardError
from dashboard.reports import Agreement, compare_checks
from dashboard.service import NumberCheck
from dashboard.words import N_, _, count, plural

AGREEMENTS = {
    Agreement.AGREE: N_("Agree"),
    Agreement.VALIDITY: N_("One says valid"),
    Agreement.LINE_TYPE: N_("Different line types"),
    Agreement.NO_ANSWER: N_("No answer"),
}
SAMPLE, AT_ONCE, SHOWN = 100, 8, 200
Question = tuple[str, str]
"""A number and the country in which it should be valid."""


def whole_list(person: Person) -> None:
    """Draw the choice of a list and, once requested, the comparison."""
    section(_("A whole list, or a sample of it"))
    lists = runtime.current().ledger.lists.all()
    if lists.empty or not person.may("sender"):
        st.caption(_("Lists saved under Contacts can be checked here by anyone allowed to send."))
        return
    names = dict(zip(lists["list"].astype("str"), lists["name"].astype("str"), strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(_("List"), list(names), format_func=lambda each: names[each], width=280)
        most = int(lists.loc[lists["list"] == chosen, "rows"].iloc[0])
        number = st.number_input(
            _("Numbers to check"),
            1,
            max(most, 1),
            min(SAMPLE, max(most, 1)),
            key=f"sample-{chosen}",
            width=180,
        )
        asked = st.button(
            plural(int(number), "Check {count} number", "Check {count} numbers"),
            icon=":material/rule:",
        )
    st.caption(_("Each number is one request to the service. Numbers already checked are not checked again."))
    asking = st.empty()  # the last answer disappears with the next question
    if asked:
        try:
            with asking.container():
                compared = _compare(drafting.rows_to_check(chosen), int(number))
            st.session_state["list-check"] = (chosen, compared)
        except DashboardError as error:
            asking.error(plain(error), icon=":material/error:")
            return
    of, compared = st.session_state.get("list-check", (None, None))
    if compared is not None and of == chosen:
        with asking.container():
            _result(compared, names[chosen])


def _compare(rows: pd.DataFrame, number: int) -> pd.DataFrame:
    """Ask about a sample of rows and put the answers next to our verdicts."""
    sample = rows.sample(min(number, len(rows)), random_state=0).sort_index()
    questions = list(zip(sample["number"], sample["country"], strict=True))
    answers = pd.DataFrame(
        [
            (answer.valid_format, answer.line_type) if answer else (None, None)
            for answer in _answers(questions)
        ],
        index=sample.index,
        columns=["valid_format", "line_type"],
    )
    return compare_checks(sample, answers)


def _answers(questions: Sequence[Question]) -> Iterator[NumberCheck | None]:
    """The answers in the order of the questions; None where there is no answer. Kept for the session."""
    known: dict[Question, NumberCheck] = st.session_state.setdefault("number-checks", {})
    open_ = [question for question in dict.fromkeys(questions) if question not in known]
    bar = st.progress(0.0, _("Asking the service"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for done, (question, answer) in enumerate(zip(open_, pool.map(_ask, open_), strict=True), 1):
            if answer is not None:
                known[question] = answer
            bar.progress(
                done / len(open_),
                plural(len(open_), "{done} of {count} number", "{done} of {count} numbers", done=count(done)),
            )
    bar.empty()
    return map(known.get, questions)


def _ask(question: Question) -> NumberCheck | None:
    try:
        return runtime.current().service.validate(*question)
    except DashboardError:
        return None


def _result(compared: pd.DataFrame, of: str) -> None:
    sizes = compared["agreement"].value_counts()
    with st.grid(4, min_column_width=150, gap="small"):
        for agreement in Agreement:
            st.metric(_(AGREEMENTS[agreement]), count(int(sizes[agreement])), border=True)
    differing = compared[compared["agreement"] != Agreement.AGREE]
    if differing.empty:
        st.caption(_("The service agrees on all of them."))
        return
    shown = differing.head(SHOWN).assign(**_lines(differing))
    titles = _titles()
    st.dataframe(
        shown,
        hide_index=True,
        column_config={
            **titles,
            "row": st.column_config.NumberColumn(titles["row"], width="small"),
            "country": st.column_config.TextColumn(titles["country"], width="small"),
            "valid": st.column_config.CheckboxColumn(titles["valid"], width="small"),
            "their_valid": st.column_config.CheckboxColumn(titles["their_valid"], width="small"),
        },
        alt=_("Numbers on which this program and the service disagree"),
    )
    offer(
        of,
        _("differences"),
        lambda: as_xlsx(_in_words(differing), _("Differences")),
        lambda: as_csv(differing),
        key="list-check",
    )
    st.caption(_("The service decides which numbers it sends to. It judges the format only."))


def _titles() -> dict[str, str]:
    return {
        "row": _("Row"),
        "number": _("Number"),
        "country": _("Country"),
        "valid": _("Ours: valid"),
        "line_type": _("Ours: line"),
        "their_valid": _("Theirs: valid"),
        "their_line_type": _("Theirs: line"),
        "agreement": _("Difference"),
    }


def _lines(differing: pd.DataFrame) -> dict[str, pd.Series]:
    """Our kinds of lines and the service's, in words."""
    names = ("line_type", "their_line_type")
    return {name: differing[name].fillna("").map(line_type_words) for name in names}


def _in_words(differing: pd.DataFrame) -> pd.DataFrame:
    answers = {True: _("Yes"), False: _("No")}
    said = {name: differing[name].astype("object").map(answers) for name in ("valid", "their_valid")}
    agreement = [_(AGREEMENTS[Agreement(each)]) for each in differing["agreement"]]
    return differing.assign(**_lines(differing), **said, agreement=agreement).rename(columns=_titles())
