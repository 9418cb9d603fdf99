"""Step 4: the message on the left; on the right, what a person gets and what it costs."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.gathered import contacts_of
from dashboard.app.prepare import VARIANT_NAMES, Written, written_of
from dashboard.app.widgets.kept import draw_anew
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.app.wizard.text.advice import advice
from dashboard.app.wizard.text.cost import cost
from dashboard.app.wizard.text.editor import editor
from dashboard.app.wizard.text.options import opt_out_line, options
from dashboard.app.wizard.text.preview import one_message
from dashboard.app.wizard.text.variants import as_typed, compare
from dashboard.campaigns import preview
from dashboard.errors import CampaignError, TemplateError
from dashboard.words import _


def show(draft: Draft) -> None:
    """Draw the step."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _name(draft)
        place = compare(draft)
        written, mistake = _written(draft, place)
        messages = None if written is None else _with_text(written.messages, place)
        editor(draft, place, written, messages)
        opt_out_line(draft)
        options(draft)
    with right, st.container(key="preview"):
        _preview(draft, place, written, messages, mistake)
    missing = _missing(draft, written)
    steps.foot(
        draft,
        back=3,
        onward=5,
        ready=not missing,
        why_not=missing,
        confirm=partial(_onward, draft),
        looks_again=True,
    )
    if missing and st.session_state.get(_refused(draft)):
        st.error(missing, icon=":material/error:")


def _name(draft: Draft) -> None:
    st.text_input(
        _("Campaign name"),
        value=draft.name,
        max_chars=120,
        **steps.kept_in(draft, "name", str.strip),
        placeholder=_("Spring sale"),
        help=_("You and the service use it to group messages; recipients do not see it."),
    )


def _written(draft: Draft, place: int | None = None) -> tuple[Written | None, str]:
    """The draft's messages, or the sentence that says what is wrong; neither while there is no text."""
    if not draft.texts[place or 0].strip():
        return None, ""
    try:
        return written_of(draft), ""
    except CampaignError as error:
        text = _mistaken(draft) if draft.variants and isinstance(error, TemplateError) else None
        return None, _("Text {name}: {error}").format(name=text, error=error) if text else str(error)


def _with_text(messages: pd.DataFrame, place: int | None) -> pd.DataFrame:
    """The messages with the text at this place; all of them if there is only one text."""
    return messages if place is None else messages[messages["variant"] == VARIANT_NAMES[place]]


def _preview(
    draft: Draft, place: int | None, written: Written | None, messages: pd.DataFrame | None, mistake: str
) -> None:
    if written is not None and messages is not None:
        one_message(draft, place, written, messages)
        cost(draft, written)
        advice(draft, place, messages, written.names)
        return
    section(_("Preview"))
    if mistake:
        st.error(plain(mistake), icon=":material/error:")
    else:
        st.caption(_("The message appears here as each person gets it, with its length and cost."))


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
    """What keeps the draft from the next step; empty if nothing does."""
    if not draft.name.strip():
        return _("Give the campaign a name.")
    if not all(text.strip() for text in draft.texts):
        return _("Write the message.")
    if written is None:
        return _("Correct the message.")
    return "" if written.estimate.messages else _("No message can be sent as written.")


def _onward(draft: Draft) -> None:
    """Open the next step, unless something is missing in what was typed until now.

    The button is never disabled: it would be so for a moment after the last missing letter was typed.
    """
    draw_anew((f"name-{draft.id}",))  # it may come with this click, and after it
    typed = as_typed(draft)
    is_refused = bool(_missing(typed, _written(typed)[0]))
    st.session_state[_refused(draft)] = is_refused
    if not is_refused:
        steps.go(draft, 5)


def _refused(draft: Draft) -> str:
    return f"onward-refused-{draft.id}"
