"""The questions of step 2: what the values of columns say of people, all columns in one block.

Rows with a value that nobody has answered wait; what is confirmed is remembered for the next sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.draft_sheets import as_columns, confirmed, guessed_of, sheet_of
from dashboard.app.drafts import Draft
from dashboard.app.phrasing.answers import MEANINGS, value_in_words
from dashboard.app.viewer import zone
from dashboard.app.widgets.kept import kept, whole
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.contacts import ColumnMap, Question
from dashboard.ledger import RememberedAnswer
from dashboard.words import _, count, day_of_year, plural

SHOWN = 6
"""Values of a column in its line; the others are one click away."""
EXAMPLES = 10
"""Of those that are not listed, so many are shown to judge by."""
Answers = Mapping[str, Mapping[str, str]]


def questions(draft: Draft, columns: ColumnMap) -> None:
    """Draw what a list asks, answered or not; nothing if it asks nothing.

    Args:
        draft: The list's draft.
        columns: Its columns, as chosen so far.
    """
    guessed = guessed_of(draft)
    answered_below = {*columns.phones, *columns.roles}
    asked = [question for question in guessed.questions if question.column not in answered_below]
    if not asked:
        return
    frame = sheet_of(draft).with_left_out_rows()[0]
    remembered = runtime.current().ledger.column_answers.known(sheet_of(draft), guessed)
    section(_("Who may be texted?"))
    with st.container(border=True, key="questions"):
        st.markdown(_said(columns))
        for one in asked:
            answers, cells = columns.answers.get(one.column, {}), frame[one.column]
            question = one.listing(cells, answers)
            _question(draft, question, answers, remembered[question.column])
            for value, examples in question.examples(cells, EXAMPLES).items():
                some = ", ".join(plain(value_in_words(one)) for one in examples)
                st.caption(_("{value}, for example: {examples}").format(value=_(value), examples=some))
        _buttons(draft, columns)


def with_meaning(answers: Answers, column: str, value: str, meaning: str | None) -> Answers:
    """The answers with this one; None takes it back."""
    others = {one: given for one, given in answers.get(column, {}).items() if one != value}
    return {**answers, column: others if meaning is None else {**others, value: meaning}}


def _said(columns: ColumnMap) -> str:
    if not columns.questions:
        return _("Every value is answered. Choose another answer to change it.")
    return plural(
        len(columns.questions),
        "{count} column may say who must not be texted. What do its values mean? Rows without an answer "
        "wait under **To look at**.",
        "{count} columns may say who must not be texted. What do their values mean? Rows without an answer "
        "wait under **To look at**.",
    )


def _question(
    draft: Draft, question: Question, answers: Mapping[str, str], remembered: Mapping[str, RememberedAnswer]
) -> None:
    values = list(question.values.items())
    title, beside = st.columns([1, 5])
    with title.container(gap=None):
        st.markdown(f"**{plain(question.column)}**")
        recalled = (draft.recalled or {}).get(question.column, {})
        _remembered(
            [
                one
                for value, one in remembered.items()
                if answers.get(value) == recalled.get(value) == one.meaning and one.at < draft.created_at
            ]
        )
    with beside:
        _values(draft, question.column, values[:SHOWN], answers)
        if more := values[SHOWN:]:
            open_ = sum(value not in answers for value, _rows in more)
            label = plural(len(more), "{count} more value", "{count} more values")
            if open_:
                label = _("{values}, {open} unanswered").format(values=label, open=count(open_))
            with st.expander(label):
                _values(draft, question.column, more, answers)


def _remembered(found: list[RememberedAnswer]) -> None:
    if found:
        newest = max(found, key=lambda one: one.at)
        on = day_of_year(newest.at.astimezone(zone()))
        st.caption(_("Remembered from {day}, {who}").format(day=on, who=plain(newest.who)))


def _values(draft: Draft, column: str, values: Sequence[tuple[str, int]], answers: Mapping[str, str]) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        for value, rows in values:
            _value(draft, column, value, rows, answers.get(value))


def _value(draft: Draft, column: str, value: str, rows: int, meaning: str | None) -> None:
    key = _key("answer", draft, column, value)
    if st.session_state.get(key) != meaning:  # answered in another tab, or by a button
        st.session_state[key] = meaning
    st.segmented_control(
        f"{plain(value_in_words(value))} · {count(rows)}",
        list(MEANINGS),
        format_func=lambda one: _(MEANINGS[one]),
        width="content",
        **kept(key, partial(_answer, draft, column, value)),
    )


def _buttons(draft: Draft, columns: ColumnMap) -> None:
    open_ = [one.none_of_these(columns.answers.get(one.column, {})) for one in columns.questions]
    with st.container(horizontal=True):
        st.button(
            _("None of the others says who may be texted")
            if any(columns.answers.values())
            else _("None of these says who may be texted"),
            icon=":material/done_all:",
            key=f"none-of-these-{draft.id}",
            disabled=not any(open_),  # gone, the next button would be where this one was just clicked
            on_click=whole(_none_of_these),
            args=(draft, columns.questions),
        )
        if any(columns.answers.values()):
            st.button(
                _("Ask all again"),
                type="tertiary",
                icon=":material/undo:",
                key=f"ask-again-{draft.id}",
                on_click=whole(_ask_again),
                args=(draft,),
            )


def _answer(draft: Draft, column: str, value: str, meaning: str | None) -> None:
    _keep(draft, lambda columns: with_meaning(columns.answers, column, value, meaning))


def _none_of_these(draft: Draft, drawn: Sequence[Question]) -> None:
    """Answer what is open of what was drawn: another tab may ask more by now."""

    def answered(columns: ColumnMap) -> Answers:
        open_ = {one.column: one.values for one in columns.questions}
        nothing = {
            one.column: {
                value: meaning
                for value, meaning in one.none_of_these(columns.answers.get(one.column, {})).items()
                if value in open_.get(one.column, ())
            }
            for one in drawn
        }
        return columns.answered(nothing).answers

    _keep(draft, answered)


def _ask_again(draft: Draft) -> None:
    """Take all answers back, but for those of values that are listed only because they have one."""
    asked = {one.column: one.values for one in guessed_of(draft).questions if not one.lists_all}

    def left(columns: ColumnMap) -> Answers:
        answers = {column: columns.answers.get(column, {}) for column in asked}
        return {
            column: {value: meaning for value, meaning in of_values.items() if value not in asked[column]}
            for column, of_values in answers.items()
        }

    _keep(draft, left)


def _keep(draft: Draft, change: Callable[[ColumnMap], Answers]) -> None:
    """Store other answers, from those that are stored now: another tab may have given some."""
    guessed = guessed_of(steps.as_stored(draft))

    def decide(now: Draft) -> dict[str, Any]:
        columns = confirmed(guessed, now.columns)
        return {"columns": as_columns(replace(columns, answers=change(columns)), guessed)}

    drafting.change_draft(draft, decide)


def _key(kind: str, draft: Draft, *of: str) -> str:
    return f"{kind}-{draft.id}-{hash(of)}"
