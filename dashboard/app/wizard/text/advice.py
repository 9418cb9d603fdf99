"""What would make the message cheaper, plainer to carriers and fairer to readers. None of it is mandatory."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.standing.stages import HEAPS
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.marks import bars
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard.text.editor import replace_text
from dashboard.campaigns import (
    cheapest_edit,
    credits_histogram,
    explain_hint,
    marketing_hints,
    outside_gsm,
    parse_template,
    to_gsm,
)
from dashboard.formatting import credit_count
from dashboard.words import _, count, plural

SHOWN_CHARACTERS = 6


def advice(draft: Draft, place: int | None, messages: pd.DataFrame) -> None:
    """Draw the spread of the credits and what could be better.

    Args:
        draft: The draft.
        place: The place of the variant being edited; None while there is one text.
        messages: Its MESSAGES.
    """
    text = draft.texts[place or 0]
    _spread(messages)
    edit = cheapest_edit(messages)
    if edit is not None:
        st.caption(
            _(":material/lightbulb: Cutting {characters} would save {credits}.").format(
                characters=plural(edit.characters, "{count} character", "{count} characters"),
                credits=credit_count(edit.credits),
            )
        )
    for hint in marketing_hints(parse_template(text), sender=draft.sender or None):
        st.caption(f":material/info: {plain(explain_hint(hint))}")
    _carriers(text)
    simple = to_gsm(text)
    if simple.replaced:
        st.button(
            plural(
                simple.replaced,
                "Replace {count} character with a plain one",
                "Replace {count} characters with plain ones",
            ),
            on_click=whole(replace_text),
            args=(draft, place, lambda typed: to_gsm(typed).text),
            icon=":material/find_replace:",
            type="tertiary",
        )


def _spread(messages: pd.DataFrame) -> None:
    """Draw the number of messages by cost, unless all cost the same."""
    spread = credits_histogram(messages)
    is_exact = spread["messages_low"].equals(spread["messages_high"])
    spread = spread[spread["messages_high"] > 0]
    if len(spread) < 2:  # noqa: PLR2004 - one bar compares nothing
        return
    bars(
        [
            (credit_count(each), number, count(number))
            for each, number in zip(spread["credits"], spread["messages_high"], strict=True)
        ],
        color=HEAPS["on_the_way"].color,
    )
    st.caption(
        _("Number of messages by cost.")
        if is_exact
        else _("Number of messages by cost, with the longest short links.")
    )


def _carriers(text: str) -> None:
    unusual = outside_gsm(text)
    if unusual.empty:
        return
    shown = unusual.head(SHOWN_CHARACTERS)
    named = ", ".join(
        f"`` {character} `` ({name})" if character.isprintable() and not character.isspace() else name
        for character, name in zip(shown["character"], shown["name"], strict=True)
    )
    st.caption(
        _(
            ":material/signal_cellular_alt: Because of {named}, carriers split the text into shorter "
            "parts. The service's credits are not affected."
        ).format(named=named)
    )
