"""The names of settings in the environment, and names that are nearly one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

OURS = ("DASHBOARD_", "SMS_")
_TESTS = "DASHBOARD_TESTS_"
_ALIKE = 0.8
"""DASHBORD and DASHBOARDS are, BOARD and DASH are not."""


def variable(field: str) -> str:
    """The environment variable of a settings field, as README.md lists it."""
    return field.upper() if field.startswith("sms_") else f"DASHBOARD_{field.upper()}"


def unknown(given: Iterable[str], known: Collection[str]) -> list[str]:
    """A sentence about each name that begins like one of ours, or nearly so, but is not one.

    Other programs have names with SMS_ too: of those, only names that are nearly ours.

    Args:
        given: All names in the environment.
        known: The names that we know.
    """
    sentences = []
    for name in sorted({one.upper() for one in given} - {*known}):
        if not _is_like_ours(name) or name.startswith(_TESTS):
            continue
        near = get_close_matches(name, known, n=1, cutoff=0.75)
        if near:
            sentences.append(f"{name} is not a setting and does nothing. Did you mean {near[0]}?")
        elif not name.startswith("SMS_"):
            sentences.append(f"{name} is not a setting and does nothing. README.md lists the settings.")
    return sentences


def _is_like_ours(name: str) -> bool:
    first = name.partition("_")[0]
    return name.startswith(OURS) or bool(get_close_matches(first, ["DASHBOARD"], cutoff=_ALIKE))
