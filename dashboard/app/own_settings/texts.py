"""What messages begin with: the country of numbers, saved senders and the line for opting out."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.app.own_settings.form import Form, form
from dashboard.app.widgets.countries import country_with_code
from dashboard.contacts.words.country_names import country_names
from dashboard.settings.owned import LINE_CHARACTERS
from dashboard.words import _

NAMES = ("country", "senders", "opt_out_line")


def texts(own: Form) -> None:
    """Draw the form."""

    def read() -> dict[str, Any]:
        return {
            "country": own.typed("country") or None,
            "senders": own.typed("senders") or None,
            "opt_out_line": (own.typed("opt_out_line") or "").strip() or None,
        }

    with form("texts", own, NAMES, read):
        none = _("None: ask for each sheet")
        codes, settings = ["", *country_names()], own.settings
        st.selectbox(
            options=codes,
            index=codes.index(settings.country) if settings.country in codes else 0,
            format_func=lambda code: country_with_code(code) if code else none,
            help=_("Where numbers without a country code belong, unless a campaign says otherwise."),
            width=420,
            **own.field("country"),
        )
        st.multiselect(
            options=list(settings.senders),
            default=list(settings.senders),
            accept_new_options=True,
            placeholder=_("Type a sender and press Enter"),
            help=_("Senders that the service has approved for your account; a message offers them."),
            **own.field("senders"),
        )
        st.text_input(
            value=settings.opt_out_line or "",
            max_chars=LINE_CHARACTERS,
            placeholder=_("Reply STOP to opt out"),
            help=_(
                "Added below a text that does not say how to opt out, and counted with it. A message can "
                "leave it out."
            ),
            **own.field("opt_out_line"),
        )
