"""Words beside the numbers of a phone cell: "mobile:", "or", "Fax", "ask for Ann".

Labels and words that join numbers are known in the languages of the header vocabulary. What follows "fax" is
no phone. Any other word is left out, but a person is asked. Letters that touch a digit, or stand inside a
number, are not words: they stand for digits that someone got wrong, or begin an extension.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dashboard.contacts.verdicts.split import FEWEST_DIGITS, count_digits
from dashboard.contacts.vocabulary.lexicon import fields_of, words
from dashboard.contacts.vocabulary.spelling import normalise

__all__ = ["Worded", "without_words"]

_PHRASE = re.compile(r"[^\W\d_]+(?:[\s./'’-]+[^\W\d_]+)*")
_AROUND = " \t.:#-"
_LABEL_FIELDS = frozenset({"mobile", "phone", "phone_home_or_work"})
_FEWEST_LETTERS = 3
"""A label that touches the number, as in tel07911…: shorter ones may be digits that were misread."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A cell's text without its words.

    Attributes:
        text: What is left, with a semicolon where a word parted numbers.
        labelled: Whether there were labels, such as "mobile".
        remarked: Whether there were words that say nothing about a phone.
    """

    text: str
    labelled: bool = False
    remarked: bool = False


def without_words(text: str) -> Worded:
    """Take the words out of a cell that holds at least one number.

    Example:
        >>> without_words("mob: 07911 123456, tel: 020 7946 0991").text
        ' 07911 123456, ; 020 7946 0991'
    """
    kept, kinds, end, skip = "", set(), 0, False
    for phrase in _PHRASE.finditer(text):
        kind = _kind(phrase.group(), touches=_touches(text, phrase))
        if kind is None or _is_inside_number(text, phrase):
            continue
        before = text[end : phrase.start()]
        kept += "" if skip else before
        kept += " " if kind == "remark" else ";"
        kinds.add(kind)
        skip = kind == "no_phone"
        end = phrase.end() + len(text[phrase.end() :]) - len(text[phrase.end() :].lstrip(_AROUND))
    kept += "" if skip else text[end:]
    return Worded(kept, labelled=bool(kinds & {"label", "no_phone"}), remarked="remark" in kinds)


def _touches(text: str, phrase: re.Match[str]) -> bool:
    beside = text[phrase.start() - 1 : phrase.start()] + text[phrase.end() : phrase.end() + 1]
    return any(map(str.isdecimal, beside))


def _is_inside_number(text: str, phrase: re.Match[str]) -> bool:
    """Whether there are some digits beside the phrase, but not enough for a number: 079 O 1123456."""
    beside = (count_digits(text[: phrase.start()]), count_digits(text[phrase.end() :]))
    return any(0 < digits < FEWEST_DIGITS for digits in beside)


def _kind(phrase: str, *, touches: bool) -> str | None:
    """What a phrase is: label, joiner, no_phone, remark, or None for what is left in its place."""
    name = normalise(phrase)
    if name in words("extension"):
        return None
    if touches:
        return "label" if len(name) >= _FEWEST_LETTERS and _is_label(name) else None
    if name in words("joiner"):
        return "joiner"
    if any(word in words("fax") for word in name.split()):
        return "no_phone"
    return "label" if _is_label(name) else "remark"


def _is_label(name: str) -> bool:
    first, *others = [part for part in name.split() if part not in words("joiner")] or [""]
    later = words("label_ending")
    return _names_phone(name) or (
        _names_phone(first) and all(other in later or _names_phone(other) for other in others)
    )


def _names_phone(name: str) -> bool:
    if name in words("label") or any(field in _LABEL_FIELDS for field, _ in fields_of(name)):
        return True
    return any(name in words(f"header_{kind}") for kind in ("mobile", "phone", "home_or_work"))
