"""What characters are called that cannot be told from others by looking at them. Pure."""

from __future__ import annotations

from dashboard.words import N_, _

NAMES = {
    "\N{EN DASH}": N_("en dash"),
    "\N{EM DASH}": N_("em dash"),
    "\N{LEFT SINGLE QUOTATION MARK}": N_("left single quotation mark"),
    "\N{RIGHT SINGLE QUOTATION MARK}": N_("right single quotation mark"),
    "\N{LEFT DOUBLE QUOTATION MARK}": N_("left double quotation mark"),
    "\N{RIGHT DOUBLE QUOTATION MARK}": N_("right double quotation mark"),
    "\N{DOUBLE LOW-9 QUOTATION MARK}": N_("low double quotation mark"),
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": N_("left angle quotation mark"),
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": N_("right angle quotation mark"),
    "\N{HORIZONTAL ELLIPSIS}": N_("ellipsis"),
    "\N{BULLET}": N_("bullet"),
    "\N{NO-BREAK SPACE}": N_("no-break space"),
    "\N{NARROW NO-BREAK SPACE}": N_("narrow no-break space"),
    "\N{ZERO WIDTH SPACE}": N_("zero-width space"),
    "\t": N_("tab"),
}


def named(character: str, name: str) -> str:
    """A character as Markdown: letters and emoji alone, marks with their name, and what is unseen by it.

    Args:
        character: The character.
        name: Its name in Unicode, for what is not seen and has no name of ours.
    """
    ours = _(NAMES[character]) if character in NAMES else ""
    if not character.isprintable() or character.isspace():
        return ours or name
    shown = f"`` {character} ``"
    return f"{shown} ({ours})" if ours else shown
