"""The entry page: sign-in, then the side bar, then the page that was asked for."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import words
from dashboard.app import runtime, sidebar
from dashboard.app.people import Refusal, speak_to_visitor, visitor
from dashboard.app.widgets.marks import strip
from dashboard.app.widgets.missing import warn_of_missing_opt_outs
from dashboard.app.widgets.pressed import arrive_at
from dashboard.app.widgets.refusal import show_refusal
from dashboard.app.widgets.sample_history import give_way, mark_sample_history
from dashboard.words import _

STATIC = Path(__file__).parent / "static"

words.ask(speak_to_visitor)  # in callbacks and fragments, which run before or without this script
speak_to_visitor()

# Our own picture: Streamlit would fetch a ":material/…:" icon for the tab from the internet.
st.set_page_config(page_title=_("Campaign dashboard"), page_icon=str(STATIC / "icon.png"), layout="wide")
st.html(STATIC / "app.css")
st.html(f'<style lang="{words.locale().language}">/**/</style>')  # taken over by translated.js
if st.context.theme.type == "dark":
    st.html(STATIC / "dark_on_paper.css")

person = visitor()
page = sidebar.navigate(person)
if isinstance(person, Refusal):
    show_refusal(person)
else:
    sidebar.sign(person)
    settings = runtime.current().given
    if settings.is_open_to_everyone:
        st.warning(
            _(
                "**Nobody has to sign in here.** Anyone who can reach this address sees all numbers and can "
                "send. Whoever runs this dashboard can require people to sign in."
            ),
            icon=":material/lock_open:",
        )
    if settings.uses_sandbox:
        strip(_("Sandbox:"), _("no message leaves this machine."))
    warn_of_missing_opt_outs()
    give_way()
    if page.url_path in sidebar.SHOWS_CAMPAIGNS:
        mark_sample_history()
    arrive_at((page.url_path, *map(st.query_params.get, ("id", "draft", "step"))))
    page.run()
