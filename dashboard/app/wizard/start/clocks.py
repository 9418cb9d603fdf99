"""When the messages go out, on the sender's clock and on the recipients', and how long that takes."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
import streamlit as st
from babel.numbers import format_decimal

from dashboard.app import runtime
from dashboard.app.phrasing.zones import place_of
from dashboard.app.viewer import zone
from dashboard.app.widgets.marks import table
from dashboard.app.widgets.page import section
from dashboard.campaigns import clock_table, time_to_send
from dashboard.formatting import clocks, duration, moment, span
from dashboard.words import _, count, locale, plural

TIMES_SHOWN = 8


def both_clocks(messages: pd.DataFrame, held: datetime | None) -> None:
    """Draw the times of these MESSAGES, unless all go at once; `held` is the moment all wait for here."""
    if held is not None:
        messages = messages.assign(scheduled_at=pd.Timestamp(held))
    times = clock_table(messages, zone())
    if times.empty:
        return
    section(_("On both clocks"))
    shown = times.head(TIMES_SHOWN)
    columns = (
        [place_of(zones) for zones in shown["zones"].fillna("")],
        _without_year(shown["theirs"].fillna(_("Not known"))),
        _without_year(shown["yours"]),
        shown["messages"].map(count),
    )
    table(
        (_("Where"), _("Theirs"), _("Yours"), _("People")),
        list(zip(*columns, strict=True)),
        name=_("When messages are sent, on your clock and the recipients'"),
        figures=(_("People"),),
    )
    rest = times.iloc[TIMES_SHOWN:]
    if len(rest):
        st.caption(
            _("And {messages} at {times}.").format(
                messages=plural(int(rest["messages"].sum()), "{count} message", "{count} messages"),
                times=plural(len(rest), "{count} other time", "{count} other times"),
            )
        )


def _without_year(times: pd.Series) -> pd.Series:
    """Times of this year as `Sun 22 Nov, 10:00`."""
    return times.str.replace(f" {datetime.now(zone()).year},", ",", regex=False)


def times_in_words(messages: pd.DataFrame, held: datetime | None) -> str:
    """When these MESSAGES are sent, in one line; `held` is the moment all of them wait for here."""
    if held is not None:
        return clocks(held, zone())
    to_send = messages[messages["problem"].isna()]
    times = to_send["scheduled_at"].dropna()
    if times.empty:
        return _("As soon as you confirm")
    first, last = times.min(), times.max()
    if len(times) < len(to_send):
        return _("{number} at once, the rest by {time}").format(
            number=count(len(to_send) - len(times)), time=moment(last, zone())
        )
    return clocks(first, zone()) if first == last else span(first, last, zone())


def pace_in_words(messages: int) -> str:
    """How long handing over takes."""
    pace = runtime.current().settings.messages_per_second
    takes = time_to_send(messages, pace)
    if takes is None:
        return _("As fast as the service takes them")
    return _("{duration} at {pace} messages per second").format(
        duration=duration(takes), pace=format_decimal(pace, locale=locale())
    )
