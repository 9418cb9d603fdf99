"""What is wrong with a setting, as a sentence that never holds its value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.words import N_, _

_WHOLE = N_("write a whole number")
_NUMBER = N_("write a number with a point, such as 0.07")
_SENTENCES = {
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "finite_number": _NUMBER,
    "bool_parsing": N_("write true or false"),
    "bool_type": N_("write true or false"),
    "greater_than": N_("write more than {gt}"),
    "greater_than_equal": N_("write {ge} or more"),
    "less_than_equal": N_("write {le} or less"),
    "literal_error": N_("write {expected}"),
    "value_error": "{error}",
}
"""By pydantic's name for the mistake; its own sentences are for programmers, and some quote the value."""


def sentence(kind: str, about: Mapping[str, Any]) -> str:
    """The sentence about a mistake that pydantic found.

    Args:
        kind: Its name, such as "int_parsing".
        about: What it says about the limit that was exceeded, or the error from one of our own checks.
    """
    said = _SENTENCES.get(kind)
    limits = {name: plain(value) for name, value in about.items()}
    return _(said).format(**limits) if said else _("it cannot be read; README.md says what to write")


def plain(value: object) -> object:
    """A whole number without a point, as people write it; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
