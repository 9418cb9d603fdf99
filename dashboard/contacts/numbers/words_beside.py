"""Words next to the numbers in a phone cell: "mobile:", "or", "Fax", "ask for Ann".

Labels and words that join numbers are known in the languages of the header vocabulary. What follows "fax" is
not a phone; if "fax" follows a number, a person is asked. Any other word is left out, but a person is asked.
Letters that touch a digit, or are inside a number, are not words: they stand for mistyped digits, or begin an
extension.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dashboard.contacts.numbers.split import FEWEST_DIGITS, count_digits
from dashboard.contacts.words.lexicon import fields_of, words
from dashboard.contacts.words.spelling import normalise

__all__ = ["MARKS", "NO_PHONE_BEFORE", "Worded", "without_words"]

NO_PHONE_BEFORE = "\ue000"
"""Put in a text after a number that the word after it calls a fax."""
MARKS = (  # of letters: Latin, Hebrew, Arabic, Hindi, Bengali, Thai, Japanese
    r"\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    r"\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a"
)
_WORD = rf"[^\W\d_](?:[^\W\d_]|[{MARKS}])*"
_PHRASE = re.compile(rf"{_WORD}(?:[\s./'’-]+{_WORD})*")
_AROUND = " \t.:#-"
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")
_LABEL_FIELDS = frozenset({"mobile", "phone", "phone_home_or_work"})
_FEWEST_LETTERS = 3
"""A label that touches the number, as in tel07911…: shorter ones may be digits that were misread."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A cell's text without its words.

    Attributes:
        text: What is left, with a semicolon where a word separated numbers.
        labelled: Whether there were labels, such as "mobile".
        remarked: Whether there were words that say nothing about a phone.
    """

    text: str
    labelled: bool = False
    remarked: bool = False


def without_words(text: str) -> Worded:
    """Take the words out of a cell that contains at least one number.

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
        if skip and not count_digits(before):
            kinds.add("remark")  # "fax (work) A", or "Fax: none, mob: A": a person sees which
        kept += "" if skip else before
        is_behind = kind == "no_phone" and _follows_number(text, phrase)
        if is_behind:
            kept += NO_PHONE_BEFORE
        elif kind == "no_phone" and count_digits(text[phrase.end() :]) < FEWEST_DIGITS:
            kind = "remark"  # "A; fax": about a number before it, and nobody can tell which
        kept += " " if kind == "remark" else ";"
        kinds.add(kind)
        skip = kind == "no_phone" and not (is_behind and _closes(text, phrase))
        end = phrase.end() + len(text[phrase.end() :]) - len(text[phrase.end() :].lstrip(_AROUND))
    kept += "" if skip else text[end:]
    return Worded(kept, labelled=bool(kinds & {"label", "no_phone"}), remarked="remark" in kinds)


def _follows_number(text: str, phrase: re.Match[str]) -> bool:
    """Whether a word is about the number before it: "A fax", "A (fax) / B", not "tel A fax B".

    In "A fax B" it may be about either, so it counts for both.
    """
    before = text[: phrase.start()].rstrip(_AROUND)
    if before[-1:] in _OPEN and text[phrase.end() :].lstrip(_AROUND)[:1] in _CLOSED:
        before = before[:-1].rstrip(_AROUND)
    if not before[-1:].isdecimal() and before[-1:] not in _CLOSED:
        return False
    first = _PHRASE.search(text)
    is_labelled = first is not None and not any(map(str.isdecimal, text[: first.start()]))
    return _closes(text, phrase) or not is_labelled


def _closes(text: str, phrase: re.Match[str]) -> bool:
    """Whether no number directly follows a word."""
    after = text[phrase.end() :].lstrip(_AROUND)[:1]
    return not (after.isdecimal() or after in {"+", "("})


def _touches(text: str, phrase: re.Match[str]) -> bool:
    beside = text[phrase.start() - 1 : phrase.start()] + text[phrase.end() : phrase.end() + 1]
    return any(map(str.isdecimal, beside))


def _is_inside_number(text: str, phrase: re.Match[str]) -> bool:
    """Whether there are some digits next to the phrase, but not enough for a number: 079 O 1123456."""
    beside = (count_digits(text[: phrase.start()]), count_digits(text[phrase.end() :]))
    return any(0 < digits < FEWEST_DIGITS for digits in beside)


def _kind(phrase: str, *, touches: bool) -> str | None:
    """What a phrase is: label, joiner, no_phone, remark, or None if it stays in place."""
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
