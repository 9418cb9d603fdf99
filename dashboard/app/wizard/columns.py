"""Step 2: what each column is. It is guessed from names and cells; the person confirms or corrects it."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import drafting, runtime
from dashboard.app.draft_sheets import as_columns, columns_of, confirmed, guessed_of, names_of, sheet_of
from dashboard.app.drafts import Draft
from dashboard.app.phrasing.zones import country_of_zone
from dashboard.app.sheets.column_overview import column_overview
from dashboard.app.sheets.guessed_country import guessed_country
from dashboard.app.viewer import zone
from dashboard.app.widgets.countries import country_field
from dashboard.app.widgets.kept import kept, whole
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.app.wizard.questions import questions
from dashboard.app.wizard.roles import roles
from dashboard.contacts import ColumnMap
from dashboard.contacts.columns.chosen import CHOSEN
from dashboard.contacts.columns.no_phones import why_no_phones
from dashboard.formatting import moment
from dashboard.words import _, plural, quoted

NONE = "–"


def show(draft: Draft) -> None:
    """Draw the step, one list at a time."""
    draft, *further = map(drafting.recall_columns, [draft, *runtime.current().drafts.lists(draft)])
    lists = [draft, *further]
    chosen = _which(draft, lists) if further else draft
    _of_list(chosen, draft)
    missing = [_missing(one, draft) for one in lists]
    steps.foot(
        draft,
        back=1,
        onward=3,
        ready=not any(missing),
        why_not=next(filter(None, missing), ""),
        confirm=partial(_onward, draft),
    )


def _which(draft: Draft, lists: list[Draft]) -> Draft:
    """Ask which list's columns to show."""
    ids = [one.id for one in lists]
    names = dict(zip(ids, map(_with_open, lists, names_of(lists)), strict=True))
    chosen = st.segmented_control(
        _("List"),
        list(names),
        default=draft.id,
        required=True,
        format_func=lambda one: plain(names[one]),
        key=f"columns-list-{draft.id}",
    )
    return next((one for one in lists if one.id == chosen), draft)


def _with_open(one: Draft, name: str) -> str:
    """A list's name, with how many of its columns are a question."""
    asked = 0 if one.leaves_out else len(columns_of(one).questions)
    return (
        plural(asked, "{name} · {count} question", "{name} · {count} questions", name=name) if asked else name
    )


def _missing(one: Draft, draft: Draft) -> str:
    """What has yet to be chosen about a list, as a sentence; "" if nothing."""
    one = steps.as_stored(one)
    if not columns_of(one).phones:
        sentence = _("Choose the phone column.")
    elif not (one.country or steps.as_stored(draft).country):
        sentence = _("Choose the country.")
    else:
        return ""
    return f"{plain(names_of([one])[0])}: {sentence}" if draft.lists else sentence


def _of_list(draft: Draft, whole_draft: Draft) -> None:
    """Draw the columns of one list."""
    sheet = sheet_of(draft)
    names = [str(name) for name in sheet.frame.columns]
    if gone := _gone(draft, names):
        st.warning(
            _("The sheet no longer has {names}, so the columns were guessed again.").format(
                names=", ".join(map(quoted, gone))
            ),
            icon=":material/view_column:",
        )
        _guess_anew(draft)
        draft = steps.as_stored(draft)
    guessed = columns_of(draft)
    _recalled(draft)
    if not draft.leaves_out:  # of such a list every number counts, whatever its columns say
        questions(draft, guessed)
    left, right = st.columns([2, 3], gap="large")
    with left:
        _phones(draft, names, guessed)
        _offered(guessed)
        _country(draft, whole_draft.country)
        _optional(draft, names, "country", _("Column with each person's country"), guessed.country)
        if not draft.leaves_out:
            roles(draft, guessed)
        with st.expander(_("Columns with names"), icon=":material/badge:"):
            _optional(draft, names, "first_name", _("First name"), guessed.first_name)
            _optional(draft, names, "last_name", _("Last name"), guessed.last_name)
            st.caption(_("{{ first name }} and {{ last name }} in the message stand for these columns."))
    with right:
        section(_("What is in the columns"))
        with st.container(key="preview-table"):
            st.dataframe(
                column_overview(sheet, guessed),
                hide_index=True,
                column_config={
                    _("Read as"): st.column_config.TextColumn(width="medium"),
                    _("Certainty"): st.column_config.ProgressColumn(
                        min_value=0, max_value=1, format="percent", width="small", color="#56b4e9"
                    ),
                    _("Examples"): st.column_config.TextColumn(width="large"),
                },
                alt=_("Columns of the sheet, with examples and how certain each guess is"),
            )
        st.caption(_("Every column can be used in the message."))


def _onward(draft: Draft) -> None:
    drafting.confirm_columns(draft)
    steps.go(draft, 3)


def _gone(draft: Draft, names: Collection[str]) -> list[str]:
    """The chosen columns that the sheet lacks."""
    fields = [] if draft.columns is None else draft.columns.model_dump().values()
    chosen = [name for field in fields for name in ([field] if isinstance(field, str) else field or ())]
    return [name for name in dict.fromkeys(chosen) if name not in names]


def _recalled(draft: Draft) -> None:
    """Say that the columns come from an earlier sheet, and offer the guess instead."""
    if draft.columns_since is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            _(":material/history: Matched as in a sheet with the same columns on {time}.").format(
                time=moment(draft.columns_since, zone())
            )
        )
        st.button(
            _("Guess again"),
            type="tertiary",
            icon=":material/undo:",
            on_click=whole(_guess_anew),
            args=(draft,),
        )


def _guess_anew(draft: Draft) -> None:
    for field in CHOSEN:
        st.session_state.pop(_key(draft, field), None)  # redrawn from the draft
    guessed = guessed_of(draft)
    asked = {question.column for question in guessed.questions}

    def decide(now: Draft) -> dict[str, Any]:
        answers = (now.columns and now.columns.answers) or {}
        columns = guessed.answered({column: answers[column] for column in answers if column in asked})
        return {"columns": as_columns(columns, guessed), "columns_since": None}

    drafting.change_draft(draft, decide)


def _phones(draft: Draft, names: list[str], guessed: ColumnMap) -> None:
    if not guessed.phones:
        st.warning(plain(_why_none(guessed)), icon=":material/contact_phone:")
    st.multiselect(
        _("Phone columns"),
        names,
        default=[column for column in guessed.phones if column in names],
        **kept(_key(draft, "phones"), partial(_choose, draft, "phones")),
        help=_("If there are several, each person's first valid mobile number in this order is used."),
        placeholder=_("No column"),
    )


def _why_none(guessed: ColumnMap) -> str:
    if guessed.offered:
        return why_no_phones(guessed)
    return _("No column looks like phone numbers. Choose it here, or go back and use another sheet.")


def _offered(guessed: ColumnMap) -> None:
    """Name the columns that look like phones but are not used, so that a person may choose them above."""
    if guessed.phones and guessed.offered:
        said = plural(
            len(guessed.offered),
            "{columns} looks like phone numbers too, but may be somebody else’s, so it is not used. "
            "Add it above if you want it.",
            "{columns} look like phone numbers too, but may be somebody else’s, so they are not used. "
            "Add them above if you want them.",
            columns=", ".join(guessed.offered),
        )
        st.caption(f":material/info: {plain(said)}")


def _country(draft: Draft, fallback: str | None) -> None:
    usual = (fallback if draft.part_of else None) or runtime.current().settings.country
    guessed = _guessed_country(draft, usual)
    current = draft.country or guessed
    if draft.country is None and current:
        drafting.change_draft(draft, country=current)
    chosen = country_field(
        _("Country of numbers without a country code"),
        current,
        placeholder=_("Choose a country"),
        **steps.kept_in(draft, "country"),
    )
    if chosen is not None and chosen == guessed != usual:
        st.caption(_("Guessed from the numbers in the sheet. Choose another if it is wrong."))


def _guessed_country(draft: Draft, usual: str | None) -> str | None:
    """The country that the sheet's numbers speak for, as long as nobody has confirmed one."""
    phones = columns_of(draft).phones
    if not phones or (draft.columns and draft.country):
        return usual
    return guessed_country(sheet_of(draft).frame[phones[0]], usual, country_of_zone(zone().key))


def _optional(draft: Draft, names: list[str], field: str, label: str, chosen: str | None) -> None:
    options = [NONE, *names]
    st.selectbox(
        label,
        options,
        index=options.index(chosen) if chosen in names else 0,
        **kept(_key(draft, field), partial(_choose, draft, field)),
    )


def _key(draft: Draft, field: str) -> str:
    return f"column-{field}-{draft.id}"


def _choose(draft: Draft, field: str, value: Any) -> None:
    """Store one choice along with those made or guessed so far."""
    value = tuple(value) if isinstance(value, list) else None if value == NONE else value
    guessed = guessed_of(steps.as_stored(draft))

    def decide(now: Draft) -> dict[str, Any]:
        chosen = as_columns(confirmed(guessed, now.columns), guessed).model_copy(update={field: value})
        return {"columns": chosen, "columns_since": None}

    drafting.change_draft(draft, decide)
