"""Phones as JSON in a cell, as programs export a contact's further phones: read like "mobile: A; work: B"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from dashboard.contacts.numbers.split import FEWEST_DIGITS, count_digits

__all__ = ["MOST_OF_JSON", "out_of_json"]

MOST_OF_JSON = 4_096
"""The longest that is read: several phones, each with its label and identifiers."""
_NUMBER = {"value", "number", "phonenumber", "phone_number", "phone"}
_LABEL = {"type", "label", "kind", "name"}
_NO_WORD = {"primary", "id"}
_PLACE = re.compile(r"(?<=[^\W\d_])[ _]?\d{1,2}$")


def out_of_json(text: str) -> str:
    """The phones of a list or an object, each with its label; any other text as it is.

    Example:
        >>> out_of_json('[{"type": "mobile", "value": "+447400123456"}, "+447400123457"]')
        'mobile: +447400123456; +447400123457'
    """
    if not text.startswith(("[", "{")) or len(text) > MOST_OF_JSON:
        return text
    try:
        found = json.loads(
            text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_each_once
        )
        return "; ".join(_phones(found))
    except (ValueError, RecursionError):
        return text


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object, by its names in lower case; a name that stands there twice would lose a phone."""
    found = {name.casefold(): value for name, value in pairs}
    if len(found) < len(pairs):
        raise ValueError
    return found


def _phones(found: object, label: str = "") -> Iterator[str]:
    """The phones in a value, each with its label.

    Raises:
        ValueError: It says more than that, perhaps who must not be texted.
    """
    if isinstance(found, dict):
        for name, value in _labelled(found, label):
            yield from _phones(value, name)
    elif isinstance(found, list):
        for one in found:
            yield from _phones(one, label)
    elif isinstance(found, str) and count_digits(found) >= FEWEST_DIGITS:
        label = _PLACE.sub("", label)
        if count_digits(label):
            raise ValueError
        yield f"{label}: {found}" if label else found
    elif found not in (None, ""):
        raise ValueError


def _labelled(found: dict[str, object], label: str) -> Iterable[tuple[str, object]]:
    """Labels and phones of an object: one phone and what kind it is, or many by their labels."""
    numbers = found.keys() & _NUMBER
    if len(numbers) != 1 or not found.keys() <= numbers | _LABEL | _NO_WORD:
        return [(f"{label} {name}".strip(), one) for name, one in found.items()]
    said = [one for name, one in found.items() if name in _LABEL and isinstance(one, str)]
    return [(" ".join([label, *said]).strip(), found[number]) for number in numbers]
