"""The library of texts in the editor: a text to start from, and the one that was written saved for others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import VARIANT_NAMES
from dashboard.app.widgets.kept import kept
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import doing, say_refusal
from dashboard.words import _

SHOWN_CHARACTERS = 60


def saved_text(draft: Draft, place: int | None, use: Callable[[str], None]) -> None:
    """Draw a choice of saved texts, unless there are none; `use` gets what the chosen one says."""
    texts = {text.id: text for text in runtime.current().ledger.library.all()}
    if not texts:
        return
    key = f"saved-text-{draft.id}-{place}"

    def use_chosen(text_id: str | None) -> None:
        if text_id is not None:
            st.session_state[_began_with(draft, place)] = texts[text_id].name
            st.session_state.pop(_name(draft, place), None)
            use(texts[text_id].text)
            st.session_state[key] = None

    st.selectbox(
        _("Start from a saved text"),
        list(texts),
        index=None,
        format_func=lambda one: f"{texts[one].name}: {' '.join(texts[one].text.split())[:SHOWN_CHARACTERS]}",
        placeholder=_("Choose a text"),
        **kept(key, use_chosen),
    )


def save_to_library(draft: Draft, place: int | None, typed: Callable[[], str]) -> None:
    """Draw the button that saves what is typed under a name: the one it began with, or the campaign's."""
    at = f"save-text-{draft.id}-{place}"
    if said := st.session_state.pop(_said(at), None):
        st.toast(plain(said), icon=":material/check:")
    saves = st.session_state.get(_saves(at), 0)  # with another key it is closed again
    with st.popover(_("Save to library"), icon=":material/bookmark_add:", key=f"library-{at}-{saves}"):
        key = _name(draft, place)
        own = draft.name if place is None else f"{draft.name} {VARIANT_NAMES[place]}"
        st.session_state.setdefault(key, st.session_state.get(_began_with(draft, place), own))
        st.text_input(
            _("Name of the text"),
            key=key,
            max_chars=120,
            help=_("A saved text with this name gets a new version; the earlier ones are kept."),
        )
        st.button(_("Save the text"), type="primary", key=at, **doing(at, partial(_save, key, at, typed)))
        say_refusal(at)


def _save(key: str, at: str, typed: Callable[[], str]) -> None:
    saved = actions.save_text(st.session_state[key], typed())
    st.session_state[_saves(at)] = st.session_state.get(_saves(at), 0) + 1
    st.session_state[_said(at)] = _("Saved as version {number} of “{name}”.").format(
        number=saved.version, name=saved.name
    )


def _said(at: str) -> str:
    return f"said-{at}"


def _saves(at: str) -> str:
    return f"saves-{at}"


def _name(draft: Draft, place: int | None) -> str:
    """The key of the field with the name."""
    return f"text-name-{draft.id}-{place}"


def _began_with(draft: Draft, place: int | None) -> str:
    """Where the name of the text that a draft began with is kept."""
    return f"began-with-text-{draft.id}-{place}"
