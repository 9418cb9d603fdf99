"""What would make the message cheaper, plainer to carriers and fairer to readers. None of it is mandatory."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.phrasing.characters import named
from dashboard.app.prepare import as_sent
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
from dashboard.campaigns.schema import UCS_2
from dashboard.formatting import credit_count
from dashboard.words import _, count, plural

SHOWN_CHARACTERS = 6
READ_FOR_CHARACTERS = 1000
"""In how many messages they are looked for: it is about which kind, and people wait for it."""


def advice(draft: Draft, place: int | None, messages: pd.DataFrame, names: tuple[str, ...]) -> None:
    """Draw the spread of the credits and what could be better.

    Args:
        draft: The draft.
        place: The place of the variant being edited; None while there is one text.
        messages: Its MESSAGES.
        names: What to know about the names in all messages.
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
    for hint in marketing_hints(parse_template(as_sent(draft, text)), sender=draft.sender or None):
        st.caption(f":material/info: {plain(explain_hint(hint))}")
    for sentence in names:
        st.caption(f":material/badge: {plain(sentence)}")
    _carriers(messages)
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


def _carriers(messages: pd.DataFrame) -> None:
    """Say which characters, of the text or of people's cells, make some messages more parts than others."""
    is_wide = (messages["carrier_encoding"] == UCS_2) & messages["problem"].isna()
    wide = messages.loc[is_wide, "body"]
    if wide.empty:
        return
    unusual = outside_gsm(wide.head(READ_FOR_CHARACTERS))
    shown = unusual.head(SHOWN_CHARACTERS)
    all_named = ", ".join(map(named, shown["character"], shown["name"]))
    st.caption(
        plural(
            len(wide),
            ":material/signal_cellular_alt: Because of {named}, carriers send {count} message in shorter "
            "parts. The service's credits are not affected.",
            ":material/signal_cellular_alt: Because of {named}, carriers send {count} messages in shorter "
            "parts. The service's credits are not affected.",
            named=all_named,
        )
    )
