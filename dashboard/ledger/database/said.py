"""The service's texts in a form both databases can store: bounded, and without what PostgreSQL refuses.

The service's words may be of any length and contain anything. If something is cut, the stored text says so.
No table key contains such a text: a digest stands for it (reading.py). A status and a reason outlive the
person's number and text, and are counted by their words, so they are kept `impersonal`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any
from urllib.parse import unquote

from dashboard.contacts.renumberings import spellings
from dashboard.service.values import read_text

LONGEST = {"status": 200, "failure_reason": 1_000, "contact_uuid": 100, "body": 4_096}
"""Characters kept of each; a text message has at most 1,024 (contract 8)."""

LONGEST_JSON = 10_000
LONGEST_VALUE = 500
"""Limits for fields that the contract does not name, in characters of JSON: for all together, and for one."""

MASK = "…"
"""Stands in a text where somebody was named."""

# One pattern finds spelled digits up to what is none of a number's; `_is_number` judges what it found.
_INVISIBLE = r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_WIDE = r"\u301c\u30fb\u30fc\uff08\uff09\uff0d\uff0e\uff5e\uff70"  # as they are typed in East Asia
_GAP = rf"(?:(?:[\s().\-_/\[\]\u00b7\u2010-\u2015\u2212{_INVISIBLE}{_WIDE}]|%2[089Dd]){{0,3}}|[,'\u2019])"
_DATE = r"(?:(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](?:19|20)\d\d)(?![-/.]?\d)"
_CLOCK = r"\d{1,2}:\d{2}"
_MOMENT = (
    rf"(?:\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}[T ,]{{1,2}}{_CLOCK}(?::\d{{2}})?(?:[.,]\d+)?"
    rf"(?:Z|[+-]\d\d:?\d\d)?|{_CLOCK}:\d{{2}}(?:[.,]\d+)?|(?<![\d:.]){_CLOCK}(?![\d:]))"
)
_ID = (
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?<![0-9A-Za-z])(?=[A-Za-z]*\d+[A-Za-z]+\d)[0-9A-Za-z]{8,}"  # letters among digits, as in "SM9f8e7d6c"
)
_ADDRESS = r"(?<![\w.+%-])[\w.+%-]++@[\w-]+(?:\.[\w-]+)+"
_DIGIT = rf"(?!(?<!\d)(?:{_DATE}|{_MOMENT}|{_ID}))\d"
_CODE = rf"(?P<code>(?<!\w)0[xX][0-9a-fA-F]{{1,8}}(?!\w)|(?<!\d)(?:{_MOMENT}|{_DATE}))"
_NUMBER = (
    r"(?<![\w.…#])(?:[xX#]{3,}+[ -]?){1,5}+\d{2,6}(?!\w)"  # only the end is left: "XXXXXX3456"
    r"|\+?(?:\d[ -]?){0,15}+(?:[*•]{2,}|(?<=\d)[xX]{3,})(?:[ -]?[\d*•xX])*+"  # masked: "+44*****3456"
    rf"|(?P<digits>(?:(?:\+|%2[Bb]){_GAP}|\(?(?=0|\d\d?(?!\d))){_DIGIT}(?:{_GAP}{_DIGIT})*+"
    rf"|\(?{_DIGIT}(?:{_GAP}(?!(?<=[\s(])(?:\d{{7}}|0(?:{_GAP}\d){{6}})){_DIGIT})*+)"  # a code, then a number
)
_NUMBERS = re.compile(f"{_CODE}|{_NUMBER}")
_PERSONAL = re.compile("|".join((_ADDRESS, rf"(?<!\d){_MOMENT}", _CODE, _ID, _NUMBER)))
_MAY_NAME = re.compile(r"[\d@*•]")
"""What is in all of these and in few statuses, of which every message has one."""

_LONGEST_PHONE = 50
"""Characters that are looked at of what should be a number."""

_COUNT = re.compile(r"\d{1,3}(?:,\d{3}){1,2}")
_FEWEST_DIGITS, _FEWEST_IN_GROUPS = 7, 8
"""Of a phone number that begins with + or 0 or stands together, and of others; "550 5.1.1" has fewer."""

_OTHER_DIGIT = re.compile(r"\\u([0-9a-f]{4})|[^\D0-9]")


def text(value: str | None, longest: int) -> str | None:
    """A text without NUL and half characters, cut if it is too long; None instead of an empty one."""
    if not value:
        return None
    if len(value) <= longest and value.isascii() and "\0" not in value:
        return value
    return cut(value.replace("\0", "").encode("utf-8", "replace").decode(), longest) or None


def impersonal(value: str | None, *own: str | None) -> str | None:
    """The service's words without whom and which message they are about: those who fail alike say alike.

    Left out are phone numbers, however they are written, e-mail addresses, ids, and times of the day. Codes
    stay.

    Args:
        value: What the service said.
        own: Texts of the person's that it may quote.

    Example:
        >>> impersonal("Error 30003: +44 7400 123456 is unreachable, asked at 10:15:33")
        'Error 30003: … is unreachable, asked at …'
    """
    if not value:
        return value
    for quoted in own:
        if quoted and " " in quoted:  # a text of one word may be one of the service's
            value = value.replace(quoted, MASK)
    return _PERSONAL.sub(_left, value) if _MAY_NAME.search(value) else value


def without_numbers(value: str) -> str:
    """A person's words without phone numbers: they outlive the people they are about."""
    return _NUMBERS.sub(_left, value)


def naming(phone: str) -> Callable[[str], bool]:
    """Whether a text, or JSON, names this phone (E.164), in any spelling and in digits of any script."""
    gap = "[^0-9]{0,4}"
    spelled = re.compile("|".join(gap.join(one[1:][-_FEWEST_DIGITS:]) for one in spellings(phone)))
    return lambda value: bool(spelled.search(_OTHER_DIGIT.sub(_digit, value)))


def phones_in(report: Mapping[str, Any]) -> frozenset[str]:
    """Whom a report is about, as phones in E.164: its `to` and its contact's addresses, however grouped.

    Example:
        >>> phones_in({"to": "0044 7400 123456"})
        frozenset({'+447400123456'})
    """
    contact = report.get("contact")
    methods = contact.get("contact_methods") if isinstance(contact, Mapping) else None
    found = [report.get("to")]
    if isinstance(methods, list):
        found += [method.get("address") for method in methods if isinstance(method, Mapping)]
    numbers = ("".join(str(int(one)) for one in _addressed(said) if one.isdecimal()) for said in found)
    return frozenset(f"+{number.removeprefix('00')}" for number in numbers if number)


def _addressed(said: object) -> str:
    """What should be a number, without "(0)" and what follows it, as in "tel:+44 (0)7400 123456;ext=1"."""
    return re.split("[;@]", (read_text(said) or "").strip()[:_LONGEST_PHONE])[0].replace("(0)", "")


def _digit(found: re.Match[str]) -> str:
    said = chr(int(found[1], 16)) if found[1] else found[0]
    return str(int(said)) if said.isdecimal() else " "


def _left(found: re.Match[str]) -> str:
    is_code = found["code"] or (found["digits"] and not _is_number(found["digits"]))
    return found[0] if is_code else MASK


def _is_number(spelled: str) -> bool:
    spelled = unquote(spelled)
    groups = re.findall(r"\d+", spelled)
    digits, sizes = sum(map(len, groups)), {*map(len, groups)}
    if spelled[0] == "+" or int(groups[0][0]) == 0 or max(sizes) >= _FEWEST_DIGITS:
        return digits >= _FEWEST_DIGITS
    are_codes = "/" in spelled and sizes in ({4}, {5}, {6})
    return digits >= _FEWEST_IN_GROUPS and not are_codes and not _COUNT.fullmatch(spelled)


def cut(value: str, longest: int) -> str:
    """The beginning of a text that is too long, with its original length."""
    if len(value) <= longest:
        return value
    return f"{value[:longest]} … (the first {longest:,} of {len(value):,} characters)"


def as_json(fields: Mapping[str, Any], longest: int = LONGEST_JSON) -> str:
    """Fields as JSON in ASCII. Of those too long only the beginning is kept, in a text that says so."""
    whole = _dumped(fields)
    if whole is not None and len(whole) <= longest:
        return whole
    short = {cut(str(name), LONGEST_VALUE): _short(value) for name, value in fields.items()}
    shorter = json.dumps(short, default=str)
    return shorter if len(shorter) <= longest else json.dumps({"…": cut(shorter, longest // 2)})


@lru_cache(maxsize=4096)
def digest(*words: str) -> int:
    """An eight-byte number that stands for these words in a key."""
    joined = "\0".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big", signed=True)


def _short(value: object) -> object:
    written = _dumped(value)
    if written is None:
        return f"… ({type(value).__name__} that cannot be written down)"
    return value if len(written) <= LONGEST_VALUE else cut(written, LONGEST_VALUE)


def _dumped(value: object) -> str | None:
    """As JSON; None for anything nested too deeply, or not JSON."""
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except (RecursionError, ValueError, TypeError):
        return None
