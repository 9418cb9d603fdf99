"""What goes with the text: sender, links, tracking, and what becomes of rows with empty fields."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions
from dashboard.app.drafts import Draft
from dashboard.app.wizard import steps


def options(draft: Draft) -> None:
    """Draw the choices, folded away."""
    with st.expander("Sender, links and empty fields", icon=":material/tune:"):
        _text(
            draft,
            "sender",
            "Sender",
            placeholder="The account's default",
            help="The name of an approved sender. Empty uses the account's default.",
        )
        links = f"links-{draft.id}"
        st.toggle(
            "Shorten links",
            value=draft.shorten_links,
            key=links,
            help="The service replaces addresses in the text by short links. Until their length is known, "
            "the cost is a range.",
            on_change=_keep_links,
            args=(draft.id, links),
        )
        _text(
            draft,
            "tracking",
            "Tracking",
            placeholder="spring-sale",
            help="Added to the address behind each short link under svc_campaign. Needs short links.",
            disabled=not draft.shorten_links,
        )
        blank = f"blank-{draft.id}"
        st.toggle(
            "Send although a field is empty",
            value=draft.send_blank,
            key=blank,
            help="Off: rows in which a field without fallback is empty are left out.",
            on_change=steps.keep,
            args=(draft.id, "send_blank", blank),
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
    key = f"{field}-{draft.id}"
    st.text_input(
        label,
        value=getattr(draft, field),
        key=key,
        placeholder=placeholder,
        help=help,
        disabled=disabled,
        on_change=steps.keep,
        args=(draft.id, field, key, str.strip),
    )


def _keep_links(draft_id: str, key: str) -> None:
    on = bool(st.session_state[key])
    changes = {"shorten_links": on} if on else {"shorten_links": False, "tracking": ""}
    actions.change_draft(draft_id, **changes)
