"""The year of made-up campaigns: offered on the first day, marked where it is shown, removed with a click."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.widgets.pressed import answers, asking, close_if_asked, doing, say_refusal
from dashboard.app.widgets.sample import is_first_day
from dashboard.words import _

_FILLING, _REMOVING, _REMOVED = "fill-sample-history", "remove-sample-history", "sample-history-removed"
LOOKS_AGAIN_S = 0.5


def offer_sample_history() -> None:
    """Offer it as long as there is no campaign, in the sandbox only; while it is being made, say so."""
    if is_first_day():
        is_made = runtime.current().sample_history.share is not None
        st.fragment(_offer, run_every=LOOKS_AGAIN_S if is_made else None, key="sample-history")(is_made)


def _offer(was_made: bool) -> None:  # noqa: FBT001 - what was drawn
    history = runtime.current().sample_history
    if (history.share is not None) != was_made or history.ledger is not None:
        st.rerun()
    if history.share is not None:
        with st.container(horizontal_alignment="center"):
            st.progress(history.share, _("A year of made-up campaigns is being prepared …"), width=360)
        return
    with (
        st.container(horizontal_alignment="center"),
        st.container(horizontal=True, vertical_alignment="center", width="content"),
    ):
        st.button(
            _("Show a year of sample history"),
            key=_FILLING,
            icon=":material/history:",
            **doing(_FILLING, actions.fill_sample_history),
        )
        st.caption(_("Made-up campaigns to look at. One click removes them."), width="content")
    say_refusal(_FILLING)
    if history.failed:
        st.error(
            _("The sample history could not be prepared. Try again; the log names what went wrong."),
            icon=":material/error:",
        )


def mark_sample_history() -> None:
    """Say that the campaigns on this page are made up, as long as they are, with the way to remove them."""
    if st.session_state.pop(_REMOVED, False):
        st.switch_page("views/overview.py")
    if runtime.current().sample_history.ledger is None:
        return
    close_if_asked(_REMOVING)
    with st.container(key="sample-history-mark", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            _(":material/science: **Sample history.** Made-up campaigns to look at until your first one."),
            width="content",
        )
        if signed_in().may("sender"):
            title, icon = _("Remove the sample history?"), ":material/delete:"
            asking(_REMOVING, _("Remove…"), title, _confirm, icon=icon, key="remove-sample")


def _confirm() -> None:
    close_if_asked(_REMOVING)
    if runtime.current().sample_history.ledger is None:
        st.rerun()
    st.write(_("All made-up campaigns are deleted for everyone. Nothing of your own is touched."))
    answers(
        _REMOVING,
        no=_("Keep it"),
        yes=_("Remove the sample history"),
        key="confirm-remove-sample",
        then=doing(_REMOVING, _remove),
    )


def _remove() -> None:
    actions.remove_sample_history()
    st.session_state[_REMOVED] = True  # the page may have shown one of the campaigns


def give_way() -> None:
    """Delete the made-up campaigns once there is one of somebody's own, wherever it was made."""
    app = runtime.current()
    if app.sample_history.ledger is not None and not app.ledger.campaigns().empty:
        app.sample_history.remove()
