"""Who changed which setting, when, and to what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import time
from typing import Any

import streamlit as st

from dashboard.app import runtime
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import table
from dashboard.contacts.words.country_names import country_name
from dashboard.errors import SettingsError
from dashboard.settings.owned import LABELS, stored
from dashboard.words import _, count, day_and_time, language_name, listed, weekdays

SHOWN = 20


def changes() -> None:
    """Draw the newest changes."""
    found = runtime.current().ledger.settings.changes()
    if not found:
        st.caption(_("Nobody has changed a setting yet. Who changes what, and when, appears here."))
        return
    here = zone()
    rows = [
        (
            _(LABELS.get(one.name, one.name)),
            in_words(one.name, one.value),
            f"{one.who}, {day_and_time(one.at.astimezone(here))}",
        )
        for one in found[:SHOWN]
    ]
    head = (_("Setting"), _("Changed to"), _("Who and when ({zone})").format(zone=here.key))
    table(head, rows, name=_("Who changed which setting"))
    if len(found) > SHOWN:
        st.caption(
            _("The newest {shown} of {all} are shown.").format(shown=count(SHOWN), all=count(len(found)))
        )


def in_words(name: str, value: Any) -> str:
    """A value as it is kept, as people read it; one that this program would not take, as it is."""
    try:
        value = stored(name, value)
    except SettingsError:  # of another version, or of a language whose file is gone
        return str(value)
    if value is None:
        return _("Not set")
    if name in _WORDS:
        return _WORDS[name](value)
    if isinstance(value, list):
        return ", ".join(value)
    return count(value) if isinstance(value, int) else str(value)


def _prices(prices: Mapping[str, str]) -> str:
    said = [f"{country_name(code)} {price}" for code, price in list(prices.items())[:SHOWN]]
    return ", ".join([*said, *(["…"] if len(prices) > SHOWN else [])])


def _hours(hours: Mapping[str, Any]) -> str:
    start, end = (time.fromisoformat(hours[part]).strftime("%H:%M") for part in ("start", "end"))
    names = weekdays()
    days = "" if len(hours["days"]) == len(names) else listed([names[day] for day in hours["days"]])
    return f"{start}–{end} {days}".strip()


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "country": country_name,
    "language": language_name,
    "price_list": _prices,
    "texting_hours": _hours,
}
