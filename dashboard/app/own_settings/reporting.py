"""The time zone of reports, everybody's language, and the language of whoever is looking."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.own_settings.form import Form, form
from dashboard.app.people import Person
from dashboard.app.phrasing.languages import language_offered
from dashboard.app.phrasing.zones import zones_by_name
from dashboard.app.widgets.kept import kept
from dashboard.words import _, language_name, languages


def reporting(own: Form) -> None:
    """Draw the form of the zone and the language that everybody has."""
    names = ("time_zone", "language") if len(languages()) > 1 else ("time_zone",)

    def read() -> dict[str, Any]:
        return {name: own.typed(name) or None for name in names}

    with form("reporting", own, names, read):
        none = _("None: figures in UTC, times by your own clock")
        zones = ["", *zones_by_name(own.settings.time_zone)]
        st.selectbox(
            options=zones,
            index=zones.index(own.decided("time_zone") or ""),
            format_func=lambda zone: zone or none,
            help=_(
                "Figures, reports and statements count days, months and hours in this time zone, and every "
                "time is shown in it. Without one, figures are in UTC, and everybody sees times by their own "
                "clock."
            ),
            **own.field("time_zone"),
        )
        if "language" in names:
            known = languages()
            st.selectbox(
                options=known,
                index=known.index(own.settings.language),
                format_func=language_offered,
                help=_("For everybody who has not chosen another one."),
                **own.field("language"),
            )


def own_language(person: Person) -> None:
    """Draw the choice of the language in which this person reads the pages."""
    ledger = runtime.current().ledger
    chosen = ledger.settings.language_of(person.name)
    known = ["", *languages()]
    everyone = language_name(runtime.current().settings.language)
    st.selectbox(
        _("Your language"),
        known,
        index=known.index(chosen) if chosen and chosen in known else 0,
        format_func=lambda code: (
            language_offered(code) if code else _("As for everybody ({language})").format(language=everyone)
        ),
        help=_("Only you see the pages in this language, on every device you sign in on."),
        width=420,
        **kept(f"own-language-{chosen}", lambda code: actions.choose_language(code or None)),
    )
