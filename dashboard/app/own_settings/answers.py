"""What sheets' columns were said to mean, remembered for everybody, and how each answer is forgotten."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import Person
from dashboard.app.phrasing.answers import MEANINGS, value_in_words
from dashboard.app.viewer import zone
from dashboard.app.widgets.paging import page_of
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import answers as answer_buttons
from dashboard.app.widgets.pressed import asking, close, close_if_asked, doing
from dashboard.ledger import RememberedAnswer
from dashboard.words import _, day_of_year, plural

PAGE = 10


def answers(person: Person) -> None:
    """Draw every answer that is remembered."""
    found = runtime.current().ledger.column_answers.all()
    if not found:
        st.caption(
            _(
                "Nothing is remembered yet. What you answer under “Who may be texted?” when you match the "
                "columns of a sheet appears here, and answers the next sheets."
            )
        )
        return
    st.caption(
        _("The next sheets with these columns are answered as it says here. What you forget is asked again.")
    )
    found.sort(key=lambda one: one.meaning == "nothing")  # those that decide about texts come first
    page = page_of(len(found), PAGE, "answers-page")
    with st.container(border=True, key="remembered", gap=None):
        for one in found[page.rows]:
            _row(person, one)
    page.foot(plural(len(found), "{count} answer", "{count} answers"))


def _row(person: Person, one: RememberedAnswer) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"remembered-{one.key.lstrip('=')}"):
        with st.container(gap=None):
            st.markdown(_said(one))
            st.caption(_since(one))
        if person.may("sender"):
            place = f"forget-{one.key}"
            label, title, icon = _("Forget…"), _("Forget this answer?"), ":material/delete:"
            asking(place, label, title, _confirm, place, one, icon=icon, key=place, type="tertiary")


def _confirm(place: str, one: RememberedAnswer) -> None:
    close_if_asked(place)
    st.write(_said(one))
    then = doing(place, partial(_forget, place, one))
    answer_buttons(place, no=_("Keep it"), yes=_("Forget it"), key="confirm-forget", then=then)


def _forget(place: str, one: RememberedAnswer) -> None:
    actions.forget_answer(one.key)
    close(place)


def _said(one: RememberedAnswer) -> str:
    return f"**{plain(one.column)}** · {plain(value_in_words(one.value))} · {_(MEANINGS[one.meaning])}"


def _since(one: RememberedAnswer) -> str:
    since = f"{plain(one.who)}, {day_of_year(one.at.astimezone(zone()))}"
    return (
        _("{since}; for sheets with the same columns only").format(since=since) if one.same_columns else since
    )
