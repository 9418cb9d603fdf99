"""When people are texted, how often, and how many credits may be used."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.app.own_settings.form import Form, form
from dashboard.settings.hours import TextingTimes
from dashboard.words import _, weekdays

CAPS = ("credits_per_campaign", "credits_per_day", "texts_per_person", "texts_within_days", "approve_above")


def hours(own: Form) -> None:
    """Draw the form of the texting hours."""
    name = "texting_hours"

    def read() -> dict[str, Any]:
        if not own.typed(name, "on"):
            return {name: None}
        days = sorted(own.typed(name, "days") or [])
        start, end = (own.typed(name, part).isoformat() for part in ("start", "end"))
        return {name: {"start": start, "end": end, "days": days}}

    with form("hours", own, (name,), read):
        chosen = own.settings.texting_hours
        shown = chosen or TextingTimes()
        st.toggle(
            value=chosen is not None,
            help=_(
                "A message that would arrive outside these hours, on the recipient's own clock, waits until "
                "they begin. A campaign can have other hours."
            ),
            **own.field(name, "on", _("New campaigns keep quiet hours")),
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            labels = {"start": _("Text from"), "end": _("Text to")}
            for part, label in labels.items():
                value = getattr(shown, part)
                st.time_input(value=value, step=900, width=130, **own.field(name, part, label))
        st.pills(
            options=range(7),
            selection_mode="multi",
            default=sorted(shown.days),
            format_func=lambda day: weekdays()[day],
            **own.field(name, "days", _("Days")),
        )


def caps(own: Form) -> None:
    """Draw the form of the caps."""

    def read() -> dict[str, Any]:
        return {name: own.typed(name).strip() or None for name in CAPS}

    helps = {
        "credits_per_campaign": _("A campaign pauses before it uses more."),
        "credits_per_day": _("Campaigns pause before all of them together use more in a day (UTC)."),
        "texts_per_person": _("Whoever would get more, across all campaigns, is left out."),
        "approve_above": _(
            "Whoever starts more within a day needs somebody else's approval for each further campaign, "
            "where people sign in."
        ),
        "texts_within_days": _("Over how many days texts to a person are counted."),
    }
    with form("caps", own, CAPS, read), st.grid(2, min_column_width=180, gap="small"):
        for name in CAPS:
            cap = getattr(own.settings, name)
            st.text_input(  # a number field that has a value cannot be emptied
                value="" if cap is None else f"{cap:g}" if isinstance(cap, float) else str(cap),
                placeholder=_("No cap"),
                help=helps[name],
                **own.field(name),
            )
