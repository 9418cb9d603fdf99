"""What goes with the text: sender, links, tracking, and what happens to rows with empty fields."""

from __future__ import annotations

import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.wizard import steps
from dashboard.words import _


def options(draft: Draft) -> None:
    """Draw the choices, folded away."""
    with st.expander(_("Sender, links and empty fields"), icon=":material/tune:"):
        _text(
            draft,
            "sender",
            _("Sender"),
            placeholder=_("The account's default"),
            help=_("The name of an approved sender. Leave it empty to use the account's default."),
        )
        st.toggle(
            _("Shorten links"),
            value=draft.shorten_links,
            **steps.kept_in(draft, "shorten_links"),
            help=_(
                "The service replaces addresses in the text with short links. Until their length is "
                "known, the cost is a range."
            ),
        )
        _text(
            draft,
            "tracking",
            _("Tracking"),
            placeholder="spring-sale",
            help=_("Added to the address behind each short link as svc_campaign. Needs short links."),
            disabled=not draft.shorten_links,
        )
        st.toggle(
            _("Send even if a field is empty"),
            value=draft.send_blank,
            **steps.kept_in(draft, "send_blank"),
            help=_("When off, rows are left out if a field without a fallback is empty."),
        )


def _text(
    draft: Draft,
    field: str,
    label: str,
    *,
    placeholder: str,
    help: str,  # noqa: A002 - Streamlit's own word
    disabled: bool = False,
) -> None:
    st.text_input(
        label,
        value=getattr(draft, field),
        **steps.kept_in(draft, field, str.strip),
        placeholder=placeholder,
        help=help,
        disabled=disabled,
    )
