"""Roles, as people read them."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.words import N_, _

NAMES: Mapping[str, str] = {
    "viewer": N_("Viewer"),
    "sender": N_("Campaign sender"),
    "approver": N_("Approver"),
    "admin": N_("Administrator"),
}
MEANINGS: Mapping[str, str] = {
    "viewer": N_("Sees campaigns and figures, with numbers masked; changes nothing."),
    "sender": N_("Also sees numbers, and makes, starts, pauses and cancels campaigns."),
    "approver": N_("Also approves other people's campaigns that are too large for one person to start."),
    "admin": N_("Also changes settings and people, and reads the history."),
}


def role_name(role: str) -> str:
    """What a role is called; a later version's as it is."""
    return _(NAMES[role]) if role in NAMES else role


def role_meaning(role: str) -> str:
    """What somebody with this role may do."""
    return _(MEANINGS[role])
