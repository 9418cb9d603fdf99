"""Line types, in the contract's words (section 4.2) and in ours."""

from __future__ import annotations

from dashboard.words import N_, _

__all__ = ["TEXTABLE", "line_type_words"]

TEXTABLE = frozenset({"MOBILE", "FIXED_LINE_OR_MOBILE"})
"""The line types that take text messages."""

_WORDS = {
    "FIXED_LINE": N_("Landline"),
    "MOBILE": N_("Mobile"),
    "FIXED_LINE_OR_MOBILE": N_("Fixed line or mobile"),
    "TOLL_FREE": N_("Toll free"),
    "PREMIUM_RATE": N_("Premium rate"),
    "SHARED_COST": N_("Shared cost"),
    "VOIP": N_("Internet phone (VoIP)"),
    "PERSONAL_NUMBER": N_("Personal number"),
    "PAGER": N_("Pager"),
    "UAN": N_("Company number (UAN)"),
    "UNKNOWN": N_("Unknown"),
    "EMERGENCY": N_("Emergency"),
    "VOICEMAIL": N_("Voicemail"),
    "SHORT_CODE": N_("Short code"),
    "STANDARD_RATE": N_("Standard rate"),
}


def line_type_words(line_type: str | None) -> str:
    """The contract's word as people say it: `Fixed line or mobile`; any other word stays unchanged."""
    if not line_type:
        return "–"
    return _(_WORDS[line_type]) if line_type in _WORDS else line_type.replace("_", " ").capitalize()
