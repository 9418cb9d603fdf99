"""What goes with the text: sender, links, tracking, and what happens to rows with empty fields."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.widgets.plain import plain
from dashboard.app.wizard import steps
from dashboard.campaigns import with_opt_out_line
from dashboard.words import _


def options(draft: Draft) -> None:
    """Draw the choices, folded away."""
    opened = bool(st.session_state.get(_opened(draft.id)))
    with st.expander(_("Sender, links and empty fields"), icon=":material/tune:", expanded=opened):
        _sender(draft)
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


def open_options(draft_id: str) -> None:
    """Have them unfolded when they are next drawn; for callbacks."""
    st.session_state[_opened(draft_id)] = True


def _opened(draft_id: str) -> str:
    return f"opened-options-{draft_id}"


def _sender(draft: Draft) -> None:
    """Draw the sender: typed, or one of those that were saved."""
    saved, usual = runtime.current().settings.senders, _("The account's default")
    about = _("The name of an approved sender. Leave it empty to use the account's default.")
    if not saved:
        _text(draft, "sender", _("Sender"), placeholder=usual, help=about)
        return
    senders = list(dict.fromkeys(["", *saved, draft.sender]))
    st.selectbox(
        _("Sender"),
        senders,
        index=senders.index(draft.sender),
        format_func=lambda sender: sender or usual,
        accept_new_options=True,
        help=about,
        **steps.kept_in(draft, "sender", lambda sender: (sender or "").strip()),
    )


def opt_out_line(draft: Draft) -> None:
    """Draw the switch for the line that says how to opt out, if there is one and a text needs it."""
    line = runtime.current().settings.opt_out_line
    if line and any(with_opt_out_line(text, line) != text for text in draft.texts):
        st.toggle(
            _("Add below the text: “{line}”").format(line=plain(line)),
            value=draft.says_opt_out,
            **steps.kept_in(draft, "says_opt_out"),
            help=_("The text does not say how to opt out. The line's characters and credits are counted."),
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
