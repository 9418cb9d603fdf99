"""What the rows leave open, each thing asked once: whether people may be texted of whom something is said."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

import streamlit as st

from dashboard.app import drafting
from dashboard.app.draft_sheets import lists_of
from dashboard.app.drafts import Draft
from dashboard.app.gathered import checked_of
from dashboard.app.phrasing.answers import MEANINGS, value_in_words
from dashboard.app.sheets.fix_table import row_name
from dashboard.app.widgets.kept import kept, whole
from dashboard.app.widgets.page import section
from dashboard.app.widgets.paging import page_of
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.contacts import DATE, ContactList, Problem, Status
from dashboard.contacts.columns.questions import MAY, MUST_NOT, value_of
from dashboard.contacts.row_numbers import BLOCK
from dashboard.contacts.words.refusal import alarm_in
from dashboard.words import _, plural, quoted

AT_ONCE = 6
EXAMPLE_CHARACTERS = 80


def row_questions(draft: Draft, key: str, contacts: ContactList) -> bool:
    """Draw the questions about the rows, those that are answered included; returns whether there are some.

    Args:
        draft: The draft.
        key: Names the contacts and the answers.
        contacts: Its contacts, with its answers.
    """
    asked = _asked(key, contacts)
    if not asked:
        return False
    section(_("Questions"))
    st.caption(_("Each answer counts for all of its rows. Until then they wait under **To look at**."))
    page = page_of(len(asked), AT_ONCE, f"questions-page-{draft.id}")
    lists, checked = lists_of(draft), checked_of(draft)
    for one in asked[page.rows]:
        _draw(draft, lists[one.list], checked, one)
    page.choose()
    _say_what_followed(draft, checked)
    return True


class _Question(NamedTuple):
    """An entry of `ContactList.asked`."""

    question: str
    problem: str
    column: str
    line: int
    words: str
    rows: int
    list: int


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _asked(key: str, _contacts: ContactList) -> list[_Question]:
    """The questions for which rows wait, and those that are answered, list by list."""
    asked = _contacts.asked()[[*_Question._fields]]
    return [_Question._make(one) for one in asked.to_numpy().tolist()]


def _draw(draft: Draft, asked_of: Draft, contacts: ContactList, one: _Question) -> None:
    name = sha256(f"{asked_of.id} {one.question}".encode()).hexdigest()[:16]  # what it says names no element
    given = asked_of.answers.get(one.question)
    said = _in_words(contacts, one)
    if not given:  # once it is answered, none waits
        said = plural(
            one.rows,
            "{question}: {count} row waits",
            "{question}: {count} rows wait",
            question=said,
        )
    sentence = plain(said)
    counts = contacts.count(Status.OK), contacts.count(Status.OPTED_OUT)
    answer = partial(_answer, draft, asked_of, one.question, counts)
    key = f"question-{name}"
    st.session_state[key] = given  # another tab may have answered
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"asked-{name}"):
        st.markdown(sentence, width="stretch")
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.segmented_control(
                sentence,
                [MAY, MUST_NOT],
                required=True,  # of two taps, the second changes nothing
                format_func=lambda meaning: _(MEANINGS[meaning]),
                label_visibility="collapsed",
                **kept(key, answer),
            )
            st.button(
                _("Ask again"),
                key=f"again-{name}",
                type="tertiary",
                icon=":material/undo:",
                disabled=not given,  # and not seen; its place is kept, so that the choices keep theirs
                on_click=whole(answer),
                args=(None,),
            )


def _in_words(contacts: ContactList, one: _Question) -> str:
    """What a question is about."""
    words = _cut(one.words) or value_in_words("")
    if not one.column:
        return _("“{words}” (the file’s name or a title) may mean that people refused texts").format(
            words=words
        )
    if one.line:
        row = row_name(contacts, one.list * BLOCK + one.line)
        return _("Row {row} says “{words}” of the rows below it").format(row=row, words=words)
    column = quoted(one.column)
    if contacts.lists:
        column = _("{column} of {list}").format(column=column, list=list(contacts.lists)[one.list])
    alarm = _alarm(one) or words
    if alarm.casefold() != words.casefold():
        return _("“{alarm}” in {column}, as in “{words}”").format(alarm=alarm, column=column, words=words)
    return _("“{words}” in {column}").format(words=words, column=column)


def _alarm(one: _Question) -> str:
    """What the rows have in common, if it is not all that one of them says; "" otherwise."""
    if value_of(one.words) == DATE:
        return value_in_words(DATE)
    return _cut(alarm_in(one.words)) if one.problem == Problem.REFUSAL_NOTED else ""


def _cut(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= EXAMPLE_CHARACTERS else f"{words[: EXAMPLE_CHARACTERS - 1]}…"


def _answer(
    draft: Draft, asked_of: Draft, question: str, counts: tuple[int, int], meaning: str | None
) -> None:
    """Store an answer, or with None ask again. Who must not be texted is approved no longer."""

    def decide(now: Draft) -> dict[str, Any]:
        others = {each: said for each, said in now.answers.items() if each != question}
        return {"answers": others | ({question: meaning} if meaning else {})}

    drafting.change_draft(asked_of, decide)
    if steps.as_stored(asked_of).answers.get(question) != meaning:  # its rows are others by now
        return
    st.session_state[f"answered-{draft.id}"] = (meaning, *counts)
    if meaning == MUST_NOT and draft.approved:
        rows = checked_of(steps.as_stored(draft)).rows
        out = set(rows["row"][rows["status"] == Status.OPTED_OUT])
        drafting.change_draft(
            draft,
            lambda now: {"approved": {row: one for row, one in now.approved.items() if row not in out}},
        )


def _say_what_followed(draft: Draft, contacts: ContactList) -> None:
    """Say once how many rows the answer that was just given releases, or leaves out."""
    meaning, ready, out = st.session_state.pop(f"answered-{draft.id}", (None, 0, 0))
    if meaning == MAY:
        released = contacts.count(Status.OK) - ready
        said = plural(released, "{count} more row is ready.", "{count} more rows are ready.")
        st.toast(said if released > 0 else _("No more rows are ready: something else is said of these."))
    if meaning == MUST_NOT:
        left_out = max(contacts.count(Status.OPTED_OUT) - out, 0)
        st.toast(plural(left_out, "{count} more row is left out.", "{count} more rows are left out."))
