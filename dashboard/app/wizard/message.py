"""Step 4: the message on the left; on the right, what a person gets and what it costs."""

from __future__ import annotations

import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.prepare import VARIANT_NAMES, Written, contacts_of, written_of
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.app.wizard.text.advice import advice
from dashboard.app.wizard.text.cost import cost
from dashboard.app.wizard.text.editor import editor
from dashboard.app.wizard.text.options import options
from dashboard.app.wizard.text.preview import one_message
from dashboard.campaigns import preview
from dashboard.errors import CampaignError, TemplateError
from dashboard.words import _


def show(draft: Draft) -> None:
    """Draw the step."""
    fields = [str(name) for name in contacts_of(draft).fields.columns]
    left, right = st.columns([3, 2], gap="large")
    with left:
        _name(draft)
        place = editor(draft, fields)
        options(draft)
    with right, st.container(key="preview"):
        written = _preview(draft, place)
    ready = bool(draft.name.strip()) and written is not None and written.estimate.messages > 0
    steps.foot(draft, back=3, onward=5, ready=ready, why_not=_missing(draft, written))


def _name(draft: Draft) -> None:
    st.text_input(
        _("Campaign name"),
        value=draft.name,
        max_chars=120,
        **steps.kept_in(draft, "name", str.strip),
        placeholder=_("Spring sale"),
        help=_("You and the service use it to group messages; recipients do not see it."),
    )


def _preview(draft: Draft, place: int | None) -> Written | None:
    if not draft.texts[place or 0].strip():
        section(_("Preview"))
        st.caption(_("The message appears here as each person gets it, with its length and cost."))
        return None
    try:
        written = written_of(draft)
    except CampaignError as error:
        text = _mistaken(draft) if draft.variants and isinstance(error, TemplateError) else None
        section(_("Preview"))
        said = _("Text {name}: {error}").format(name=text, error=error) if text else str(error)
        st.error(plain(said), icon=":material/error:")
        return None
    shown = written.messages
    if place is not None:
        shown = shown[shown["variant"] == VARIANT_NAMES[place]]
    one_message(draft, shown)
    cost(draft, written)
    advice(draft, place, shown)
    return written


def _mistaken(draft: Draft) -> str | None:
    """Say which of several texts has a mistake."""
    person = {str(name): "" for name in contacts_of(draft).sendable.columns}
    for name, text in zip(VARIANT_NAMES, draft.texts, strict=False):
        try:
            preview(text, person)
        except TemplateError:
            return name
    return None


def _missing(draft: Draft, written: Written | None) -> str:
    if not draft.name.strip():
        return _("Give the campaign a name.")
    if not all(text.strip() for text in draft.texts):
        return _("Write the message.")
    if written is None:
        return _("Correct the message.")
    return _("No message can be sent as written.")
