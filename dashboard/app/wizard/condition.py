"""One condition on a column, in a line: the column, what is asked of it, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import drafting
from dashboard.app.audience import NOTHING, SEVERAL, DraftCondition
from dashboard.app.drafts import Draft
from dashboard.app.phrasing.conditions import DATES, TESTS
from dashboard.app.sheets.values import values_of
from dashboard.app.widgets.kept import kept, whole
from dashboard.contacts import ContactList
from dashboard.words import _, day_format

_EARLIEST = date(1000, 1, 1)  # browsers read years of three digits otherwise


def condition(draft: Draft, contacts: ContactList, place: int, one: DraftCondition) -> None:
    """Draw the condition at this place of the draft's."""
    columns = [*map(str, contacts.fields.columns), *(["country"] if "country" not in contacts.fields else [])]
    if one.column not in columns:
        columns = [one.column, *columns]
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"condition-{place}-{draft.id}"):
        st.selectbox(
            _("Column"),
            columns,
            index=columns.index(one.column),
            label_visibility="collapsed",
            width=200,
            **_kept(draft, place, "column", one),
        )
        st.selectbox(
            _("Test"),
            list(TESTS),
            index=list(TESTS).index(one.test) if one.test in TESTS else 0,
            format_func=lambda test: _(TESTS[test]),
            label_visibility="collapsed",
            width=150,
            **_kept(draft, place, "test", one),
        )
        _value(draft, contacts, place, one)
        st.button(
            _("Remove this condition"),
            key=f"remove-condition-{place}-{draft.id}",
            icon=":material/close:",
            type="tertiary",
            on_click=whole(_remove),
            args=(draft, place, one),
        )
    if one.condition is None and one.values:
        st.caption(_(":material/info: Write a number such as 1200.50."))


def _value(draft: Draft, contacts: ContactList, place: int, one: DraftCondition) -> None:
    if one.test in NOTHING:
        return
    if one.test in DATES:
        st.date_input(
            _("Day"),
            value=_day(one),
            label_visibility="collapsed",
            width=200,
            format=day_format(),
            min_value=_EARLIEST,
            max_value=date.max,
            **_kept(draft, place, "values", one, lambda day: (day.isoformat(),) if day else ()),
        )
        return
    known = values_of(contacts, one.column) if one.test in (*SEVERAL, "is", "is_not") else None
    if known is not None:
        _among(draft, place, one, known)
        return
    st.text_input(
        _("Value"),
        value=", ".join(one.values),
        label_visibility="collapsed",
        placeholder=_("Value, or several with commas between them") if one.test in SEVERAL else _("Value"),
        width=260,
        **_kept(draft, place, "values", one, partial(_typed, several=one.test in SEVERAL)),
    )


def _among(draft: Draft, place: int, one: DraftCondition, known: dict[str, str]) -> None:
    """Ask for one or several of the words that stand in the column, which are few."""
    options = {**known, **{value: value for value in one.values if value not in known}}
    store = _kept(
        draft,
        place,
        "values",
        one,
        lambda value: tuple(value) if isinstance(value, list) else (value,) if value else (),
    )
    if one.test in SEVERAL:
        st.multiselect(
            _("Values"),
            list(options),
            default=list(one.values),
            format_func=lambda value: options[value],
            placeholder=_("Choose values"),
            label_visibility="collapsed",
            width=320,
            **store,
        )
        return
    value = one.values[0] if one.values else None
    st.selectbox(
        _("Value"),
        list(options),
        index=None if value is None else list(options).index(value),
        format_func=lambda each: options[each],
        placeholder=_("Choose a value"),
        label_visibility="collapsed",
        width=260,
        **store,
    )


def _day(one: DraftCondition) -> date | None:
    try:
        day = date.fromisoformat("".join(one.values))
    except ValueError:
        return None
    return day if day >= _EARLIEST else None


def _typed(text: str, *, several: bool) -> tuple[str, ...]:
    parts = text.split(",") if several else [text]
    return tuple(part.strip() for part in parts if part.strip())


def _kept(
    draft: Draft,
    place: int,
    field: str,
    one: DraftCondition,
    convert: Callable[[Any], Any] = lambda value: value,
) -> Any:
    """The key has the column and the test: another test asks for another value."""
    about = "" if field == "column" else f"-{one.column}" if field == "test" else f"-{one.column}-{one.test}"
    key = f"condition-{field}-{place}-{len(draft.audience.conditions)}{about}-{draft.id}"
    return kept(key, partial(_store, draft, place, one, field, convert))


def _store(
    draft: Draft, place: int, one: DraftCondition, field: str, convert: Callable[[Any], Any], value: Any
) -> None:
    def decide(conditions: list[DraftCondition]) -> list[DraftCondition]:
        if place >= len(conditions):
            return conditions
        before = conditions[place]
        if field != "column" and before.column != one.column:  # another tab has removed the one drawn
            return conditions
        changes = {field: convert(value)}
        if field == "column" or (field == "test" and _kind(str(value)) != _kind(before.test)):
            changes["values"] = ()
        conditions[place] = before.model_copy(update=changes)
        return conditions

    change_conditions(draft, decide)


def _kind(test: str) -> int:
    """Tests of one kind compare with the same: several words, a day, a number, nothing or a text."""
    kinds = (SEVERAL, DATES, ("less", "more"), NOTHING)
    return next((number for number, tests in enumerate(kinds) if test in tests), len(kinds))


def _remove(draft: Draft, place: int, one: DraftCondition) -> None:
    def decide(conditions: list[DraftCondition]) -> list[DraftCondition]:
        if place < len(conditions) and conditions[place].column == one.column:  # not removed in another tab
            del conditions[place]
        return conditions

    change_conditions(draft, decide)


def change_conditions(draft: Draft, decide: Callable[[list[DraftCondition]], list[DraftCondition]]) -> None:
    """Change the draft's conditions, by what they are on disk now."""

    def changes(now: Draft) -> dict[str, Any]:
        conditions = tuple(decide(list(now.audience.conditions)))
        return {"audience": now.audience.model_copy(update={"conditions": conditions})}

    drafting.change_draft(draft, changes)
