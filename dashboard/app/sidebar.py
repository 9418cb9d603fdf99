"""The pages, and the side bar that leads to them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard.app import runtime
from dashboard.app.people import LOCAL, Person, Refusal, Role, sign_out
from dashboard.app.phrasing.roles import role_name
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.plain import plain
from dashboard.words import N_, _

STATIC = Path(__file__).parent / "static"

# Page file, title, icon, address, and the role that sees it in the side bar.
MENU: tuple[tuple[str, str, str, str, Role], ...] = (
    ("overview", N_("Overview"), ":material/monitoring:", "", "viewer"),
    ("new", N_("New campaign"), ":material/edit_square:", "new", "sender"),
    ("campaigns", N_("Campaigns"), ":material/campaign:", "campaigns", "viewer"),
    ("contacts", N_("Contacts"), ":material/contacts:", "contacts", "viewer"),
    ("texts", N_("Texts"), ":material/chat:", "texts", "viewer"),
    ("optouts", N_("Opt-outs"), ":material/do_not_disturb_on:", "opt-outs", "viewer"),
    ("person", N_("Find a person"), ":material/person_search:", "person", "viewer"),
    ("check", N_("Check a number"), ":material/dialpad:", "check", "viewer"),
    ("reports", N_("Delivery reports"), ":material/mark_email_read:", "delivery-reports", "sender"),
    ("settings", N_("Settings"), ":material/settings:", "settings", "viewer"),
    ("people", N_("People"), ":material/group:", "people", "admin"),
    ("history", N_("History"), ":material/history:", "history", "admin"),
)

SHOWS_CAMPAIGNS = ("", "campaigns", "campaign", "compare", "person")
"""The addresses of the pages that show campaigns, which may be made up."""


def navigate(visitor: Person | Refusal) -> StreamlitPage:
    """Register every page and draw the menu; returns the page that was asked for.

    All pages are registered on every run, whoever is looking, and nothing is drawn for anyone who may not
    enter. The icons stay out of the browser's tab only because main.py sets its own picture first.
    """
    pages = [
        st.Page(
            f"views/{name}.py",
            title=_(title),
            icon=icon,
            url_path=address or None,
            default=not address,
            visibility="visible" if _leads_to(name, role, visitor) else "hidden",
        )
        for name, title, icon, address, role in MENU
    ]
    pages.append(st.Page("views/campaign.py", title=_("Campaign"), url_path="campaign", visibility="hidden"))
    pages.append(st.Page("views/compare.py", title=_("Compare"), url_path="compare", visibility="hidden"))
    return st.navigation(pages, position="sidebar" if isinstance(visitor, Person) else "hidden")


def _leads_to(name: str, role: Role, visitor: Person | Refusal) -> bool:
    """Whether the menu shows a page; where nobody signs in, there are no people to list."""
    is_for_them = isinstance(visitor, Person) and visitor.may(role)
    return is_for_them and (name != "people" or runtime.current().desk is not None)


def sign(person: Person) -> None:
    """Draw the word mark, and who is signed in."""
    dark = st.context.theme.type == "dark"
    st.logo(
        str(STATIC / ("logo-dark.png" if dark else "logo-light.png")),
        size="large",
        icon_image=str(STATIC / "icon.png"),
    )
    if person != LOCAL:
        with st.sidebar:
            st.caption(
                _("Signed in as {name} ({role})").format(name=plain(person.name), role=role_name(person.role))
            )
            st.button(_("Sign out"), on_click=whole(sign_out), icon=":material/logout:", type="tertiary")
