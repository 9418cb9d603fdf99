"""Texting hours: at what times and on which days people may be texted, with exceptions by country."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dashboard.app import drafting
from dashboard.app.drafts import Draft, DraftHours
from dashboard.app.widgets.kept import Kept, kept
from dashboard.app.wizard import steps
from dashboard.contacts.words.country_names import country_name, in_order
from dashboard.words import _, weekdays

USUAL = ""
"""Stands for every country that has no hours of its own."""


def texting_hours(draft: Draft, countries: list[str]) -> None:
    """Draw the switch and, when it is on, the hours; `countries` may be given hours of their own."""
    switch = steps.kept_in(draft, "keep_hours")
    st.toggle(
        _("Quiet hours"),
        value=draft.keep_hours and switch["key"] not in st.session_state,  # where it would be said twice
        **switch,
        help=_(
            "A message that would arrive outside these hours, on the recipient's clock, waits until they "
            "begin. So does any message left in the evening when a campaign is slow or was paused."
        ),
    )
    if not draft.keep_hours:
        return
    _window(draft, USUAL)
    with st.expander(_("Other hours in some countries"), icon=":material/public:"):
        st.multiselect(
            _("Countries"),
            sorted({*countries, *draft.country_hours}, key=lambda code: in_order(country_name(code))),
            default=list(draft.country_hours),
            format_func=country_name,
            placeholder=_("Choose a country"),
            **kept(f"hour-countries-{draft.id}", partial(_store_countries, draft)),
        )
        for country in draft.country_hours:
            _window(draft, country, country_name(country))


def keep_hours(draft_id: str) -> None:
    """Turn the hours on; for callbacks."""
    drafting.change_draft(draft_id, keep_hours=True)
    st.session_state[f"keep_hours-{draft_id}"] = True


def _window(draft: Draft, country: str, label: str = "") -> None:
    """Draw one country's hours, or the usual ones."""
    hours = draft.country_hours.get(country, draft.hours)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own = (_("{who} from").format(who=label), _("{who} to").format(who=label))
        words = own if country else (_("Text from"), _("Text to"))
        for field, said in zip(("start", "end"), words, strict=True):
            st.time_input(
                said,
                value=getattr(hours, field),
                step=900,
                **_kept_hours(draft, country, field),
                width=130,
                required=True,
            )
        st.pills(
            _("Days ({label})").format(label=label) if country else _("Days"),
            range(7),
            selection_mode="multi",
            default=sorted(hours.days),
            format_func=lambda day: weekdays()[day],
            **_kept_hours(draft, country, "days"),
        )


def _kept_hours(draft: Draft, country: str, field: str) -> Kept:
    return kept(f"hours-{field}-{draft.id}-{country}", partial(_store, draft, country, field))


def _store(draft: Draft, country: str, field: str, value: Any) -> None:
    changes = {field: frozenset(value) if field == "days" else value}

    def decide(now: Draft) -> dict[str, Any]:
        changed = now.country_hours.get(country, now.hours).model_copy(update=changes)
        if country == USUAL:
            return {"hours": changed}
        return {"country_hours": now.country_hours | {country: changed}}

    drafting.change_draft(draft.id, decide)


def _store_countries(draft: Draft, countries: list[str]) -> None:
    drafting.change_draft(
        draft.id,
        lambda now: {
            "country_hours": {country: now.country_hours.get(country, DraftHours()) for country in countries}
        },
    )
