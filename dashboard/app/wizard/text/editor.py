"""The text of a message: typed, with the sheet's fields inserted by a click."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.app import actions
from dashboard.app.drafts import Draft
from dashboard.app.prepare import VARIANT_NAMES
from dashboard.app.widgets.kept import kept
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard.text.earlier import earlier_text
from dashboard.app.wizard.text.variants import as_typed, compare, of_its_own
from dashboard.words import N_, _

HOW_TO_WRITE = N_("""\
- `{{ First name }}` becomes each person's cell in that column, `{{ First name | there }}` becomes “there”
  where the cell is empty.
- `{{#Member}}Thank you for being a member.{{/Member}}` is only for people whose column “Member” says yes;
  `{{^Member}}…{{/Member}}` is for everyone else.
- A row is left out when a field without a fallback after the bar is empty, unless you say otherwise
  below.""")


def editor(draft: Draft, fields: list[str]) -> int | None:
    """Draw the text with its buttons.

    Args:
        draft: The draft.
        fields: The columns of the sheet.

    Returns:
        The place of the variant being edited; None while there is one text.
    """
    place = compare(draft)
    name = "" if place is None else VARIANT_NAMES[place]
    key = f"text-{draft.id}-{name}" if name else f"text-{draft.id}"
    text = draft.texts[place or 0]
    if not text.strip():
        earlier_text(draft, lambda earlier: replace_text(draft, place, lambda _typed: earlier))
    st.session_state.setdefault(key, text)
    st.text_area(
        _("Message {name}").format(name=name) if name else _("Message"),
        **kept(key, partial(_store, draft.id, place)),
        height=190,
        placeholder=_("Hi {{ First name | there }}, our spring sale starts today."),
        help=_(HOW_TO_WRITE),
    )
    inserts = f"inserts-{draft.id}"
    picked = st.pills(
        _("Insert from the sheet"),
        fields,
        format_func=plain,
        key=f"insert-{draft.id}-{st.session_state.get(inserts, 0)}",
        help=_("The field is added at the end of the message."),
        wrap=True,
    )
    if picked:
        st.session_state[inserts] = st.session_state.get(inserts, 0) + 1
        replace_text(draft, place, partial(with_field, field=picked))
        st.rerun()
    if place is not None:
        of_its_own(draft, place)
    return place


def with_field(text: str, field: str) -> str:
    """The text with a field added at its end."""
    gap = "" if not text or text.endswith((" ", "\n")) else " "
    return f"{text}{gap}{{{{ {field} }}}}"


def replace_text(draft: Draft, place: int | None, convert: Callable[[str], str]) -> None:
    """Replace the typed text with what is made of it."""
    typed = as_typed(draft).texts
    if (place or 0) < len(typed):  # else the text was removed meanwhile
        _store(draft.id, place, convert(typed[place or 0]))


def _store(draft_id: str, place: int | None, text: str) -> None:
    if place is None:
        actions.change_draft(draft_id, template=text)
    else:
        actions.change_variant(draft_id, place, template=text)
