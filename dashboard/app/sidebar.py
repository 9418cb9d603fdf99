"""The pages, and the side bar that leads to them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard.app.people import LOCAL, Person, Role

STATIC = Path(__file__).parent / "static"

# Page file, title, icon, address, and the role that may open it. The icon is the side bar's: on st.Page it
# would become the browser tab's icon, which Streamlit fetches from the internet.
MENU: tuple[tuple[str, str, str, str, Role], ...] = (
    ("overview", "Overview", ":material/monitoring:", "", "viewer"),
    ("new", "New campaign", ":material/edit_square:", "new", "sender"),
    ("campaigns", "Campaigns", ":material/campaign:", "campaigns", "viewer"),
    ("optouts", "Opt-outs", ":material/do_not_disturb_on:", "opt-outs", "viewer"),
    ("check", "Check a number", ":material/dialpad:", "check", "viewer"),
    ("reports", "Delivery reports", ":material/mark_email_read:", "delivery-reports", "sender"),
    ("settings", "Settings", ":material/settings:", "settings", "viewer"),
)


def pages() -> list[StreamlitPage]:
    """Every page, the hidden ones too.

    All of them are registered on every run, whoever is looking: the folder is named `views` and not `pages`,
    which Streamlit would serve without running main.py and its sign-in.
    """
    listed = [
        st.Page(f"views/{name}.py", title=title, url_path=address or None, default=not address)
        for name, title, _, address, _ in MENU
    ]
    return [*listed, st.Page("views/campaign.py", title="Campaign", url_path="campaign", visibility="hidden")]


def show(person: Person) -> None:
    """Draw the side bar for this person."""
    dark = st.context.theme.type == "dark"
    st.logo(
        str(STATIC / ("logo-dark.png" if dark else "logo-light.png")),
        size="large",
        icon_image=str(STATIC / "icon.png"),
    )
    with st.sidebar:
        with st.container(key="menu", gap=None):
            for name, title, icon, _, role in MENU:
                if person.may(role):
                    st.page_link(f"views/{name}.py", label=title, icon=icon, width="stretch")
        if person != LOCAL:
            st.caption(f"Signed in as {person.name} ({person.role})")
            st.button("Sign out", on_click=st.logout, icon=":material/logout:", type="tertiary")
