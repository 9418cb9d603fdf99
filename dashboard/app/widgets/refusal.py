"""What people see who may not see a page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.app.people import Person, Refusal, Role
from dashboard.app.phrasing.roles import role_name
from dashboard.words import _

ICON = Path(__file__).parents[1] / "static" / "icon.png"


def show_refusal(refusal: Refusal) -> None:
    """Say why there is no page."""
    with st.container(horizontal_alignment="center", gap="medium"), st.container(width=420, gap="medium"):
        st.space("large")
        st.image(str(ICON), width=56)
        st.title(_("Campaign dashboard"), anchor=False)
        st.write(refusal.reason)


def stop_without_role(person: Person, role: Role) -> None:
    """Stop a page that this person's role may not open."""
    if not person.may(role):
        st.write(
            _("This page needs the role {role}; yours is {own}. Ask an administrator for it.").format(
                role=role_name(role), own=role_name(person.role)
            )
        )
        st.stop()
