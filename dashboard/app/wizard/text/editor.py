"""The text of a message: typed, with the sheet's fields inserted at the cursor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.app import drafting
from dashboard.app.drafts import Draft
from dashboard.app.gathered import contacts_of
from dashboard.app.message_editor.mounting import Typed, message_editor
from dashboard.app.prepare import VARIANT_NAMES, Written
from dashboard.app.wizard.steps import as_stored
from dashboard.app.wizard.text.earlier import earlier_text
from dashboard.app.wizard.text.library import save_to_library, saved_text
from dashboard.app.wizard.text.live import RULE, aliases, editor_key, person, row_shown, short_links, tail
from dashboard.app.wizard.text.variants import as_typed, of_its_own
from dashboard.campaigns.length.credits import LIMIT
from dashboard.words import N_, _, count, locale, plural

HOW_TO_WRITE = N_("""\
- `{{ First name }}` becomes each person's cell in that column, `{{ First name | there }}` becomes “there”
  where the cell is empty.
- `{{#Member}}Thank you for being a member.{{/Member}}` is only for people whose column “Member” says yes;
  `{{^Member}}…{{/Member}}` is for everyone else.
- A row is left out when a field without a fallback after the bar is empty, unless you say otherwise
  below.""")


def editor(draft: Draft, place: int | None, written: Written | None, messages: pd.DataFrame | None) -> None:
    """Draw the text with what belongs to it.

    Args:
        draft: The draft.
        place: The place of the variant being edited; None while there is one text.
        written: All messages; None if they cannot be written.
        messages: The MESSAGES with this text, if they can be written.
    """
    text = draft.texts[place or 0]
    name = "" if place is None else VARIANT_NAMES[place]
    contacts = contacts_of(draft)
    row = row_shown(contacts, messages, int(st.session_state.get(f"person-{draft.id}", 1)))
    with st.container(key=f"editor-{name}", gap=None):
        is_late = message_editor(
            editor_key(draft, place),
            text,
            partial(_hear, draft, place),
            {
                "fields": [str(column) for column in contacts.fields.columns],
                **person(contacts, row),
                "aliases": aliases(contacts),
                "rule": RULE,
                "link": short_links(draft, written),
                "tail": tail(draft, text),
                "language": str(locale()).replace("_", "-"),
                "words": _sentences(name, len(contacts.fields.columns)),
            },
        )
    if is_late:
        st.rerun()
    if st.session_state.pop(_changed_elsewhere(draft), False):
        st.toast(
            _("The text has been changed elsewhere in the meantime. Undo brings back what you typed."),
            icon=":material/sync_problem:",
        )
    st.caption(_("{{ First name | there }} writes “there” where the cell is empty."), help=_(HOW_TO_WRITE))
    with (
        st.container()
    ):  # below the box, and always there: the box must stay where it is while somebody types
        if text.strip():
            save_to_library(draft, place, lambda: _typed_now(draft, place))
        else:
            start_from = partial(_start_from, draft, place)
            saved_text(draft, place, start_from)
            earlier_text(draft, start_from)
    if place is not None:
        of_its_own(draft, place)


def _sentences(name: str, columns: int) -> dict[str, str]:
    """What the editor says; in braces what it fills in itself."""
    return {
        "label": _("Message {name}").format(name=name) if name else _("Message"),
        "placeholder": _("Hi {{ First name | there }}, our spring sale starts today."),
        "insert": plural(
            columns,
            "Insert from the sheet: search {count} column",
            "Insert from the sheet: search {count} columns",
        ),
        "columns": _("Columns of the sheet"),
        "none": _("No column has this name."),
        "count": _("Characters: {characters} of {limit} · Credits: {credits}").format(
            characters="{characters}", limit=count(LIMIT), credits="{credits}"
        ),
        "unknown": _("Not in the sheet: {names}"),
    }


def _hear(draft: Draft, place: int | None, typed: Typed) -> bool:
    """Store what was typed, unless the text was changed elsewhere meanwhile."""
    stored = _text_at(as_stored(draft), place)
    if stored == typed.text:
        return False
    if stored not in typed.known:
        st.session_state[_changed_elsewhere(draft)] = True
        return False
    _store(draft.id, place, typed.text)
    return True


def _changed_elsewhere(draft: Draft) -> str:
    return f"changed-elsewhere-{draft.id}"


def replace_text(draft: Draft, place: int | None, convert: Callable[[str], str]) -> None:
    """Replace the typed text with what is made of it."""
    typed = _text_at(as_typed(draft), place)
    if typed is not None:
        _store(draft.id, place, convert(typed))


def _start_from(draft: Draft, place: int | None, text: str) -> None:
    replace_text(draft, place, lambda _typed: text)


def _typed_now(draft: Draft, place: int | None) -> str:
    return _text_at(as_typed(draft), place) or ""


def _text_at(draft: Draft, place: int | None) -> str | None:
    """One of the draft's texts, or its only one; None if it was removed meanwhile."""
    return draft.texts[place or 0] if (place or 0) < len(draft.texts) else None


def _store(draft_id: str, place: int | None, text: str) -> None:
    if place is None:
        drafting.change_draft(draft_id, template=text)
    else:
        drafting.change_variant(draft_id, place, template=text)
