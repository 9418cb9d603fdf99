"""The entry page: sign-in, then the side bar, then the page that was asked for."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.app import runtime, sidebar
from dashboard.app.people import Refusal, visitor
from dashboard.app.widgets.marks import strip
from dashboard.app.widgets.refusal import show_refusal

HERE = Path(__file__).parent

st.set_page_config(
    page_title="Campaign dashboard", page_icon=str(HERE / "static" / "icon.png"), layout="wide"
)
st.html(HERE / "static" / "app.css")

person = visitor()
page = st.navigation(sidebar.pages(), position="hidden")
if isinstance(person, Refusal):
    show_refusal(person)
else:
    sidebar.show(person)
    if runtime.current().settings.uses_sandbox:
        strip("Sandbox:", "no message leaves this machine.")
    page.run()
