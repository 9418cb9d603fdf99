"""What a phone cell contains, before any number is parsed.

A phone library is lenient: it drops letters, takes a second number for an extension and does not notice a
lost digit. So whatever it would swallow is caught here first, and every repair is recorded.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from dashboard.contacts.formulas import unwrapped
from dashboard.contacts.numbers.json_cell import out_of_json
from dashboard.contacts.numbers.made_up import FILLER
from dashboard.contacts.numbers.split import FEWEST_DIGITS, count_digits, part
from dashboard.contacts.numbers.words_beside import MARKS, NO_PHONE_BEFORE, Worded, without_words
from dashboard.contacts.problems import Problem
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.spelling import normalise

__all__ = ["MOST_CHARACTERS", "Candidate", "means_no_number", "repair"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One number that a cell may hold.

    Attributes:
        text: What goes to the phone library; "" when `problem` is set.
        repairs: Codes of what was changed, in the order it was done.
        problem: Why it cannot be a number, whatever the library says.
        doubt: Why a person should look at it, even if the library calls it valid.
    """

    text: str
    repairs: tuple[str, ...] = ()
    problem: Problem | None = None
    doubt: Problem | None = None


_BETWEEN = re.compile(r"<br\s*/?>|;[a-z-]+=", re.IGNORECASE)
"""Separators with a notation of their own: HTML's line break, RFC 3966's parameters."""
_ROUNDED = re.compile(r"[1-9]\d{3,}0{6,}$")
_SPREADSHEET_ERROR = re.compile(
    r"#(?:N/A|NAME\?|REF!|VALUE!|DIV/0!|NUM!|NULL!|ERROR!|SPILL!|CALC!|GETTING_DATA|#+)", re.IGNORECASE
)
_DATE = re.compile(
    r"(?:\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d"
    r"|\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{2,4})(?:[T ]\d{1,2}:\d\d.*)?"
)
_FORMULA = re.compile(r"=\s*(\+[\d\s().-]*)")
"""A phone that a spreadsheet program took for a sum; "=7400123456" may be an amount."""
_UNKNOWN_SIGN = re.compile(
    rf"[^\w\s+().\-/,;:|\\\[\]{{}}&•·、\u2212№☎☏✆📞📱'\"`\u2018\u2019“”\u00b4{MARKS}{NO_PHONE_BEFORE}]"
    r"|^\s*-\d|\d['’]\d|^\s*[1-9]\d{0,2}(?:\.\d{3}){3,}\s*$"
)
"""Not the signs people write around phones: £, %, -7400123456 and 7.400.123.456 are amounts."""
_SCIENTIFIC = re.compile(r"(\+?)(\d)(?:[.,](\d+))?\s*E\s*\+?(\d{1,2})", re.IGNORECASE)
_DECIMAL = re.compile(r"(\+?\d{6,15})[.,]0+")
_FRACTION = re.compile(r"[^\d+.,]*(0?|[1-9]\d*|\+0)([.,])(\d+)\D*")
"""One dot or comma, and no other sign between the digits: 0.7911123456. With a plus it may be a phone, as in
+44.7911123456: registrars write them so (RFC 5733). So may 07911.123456: no decimal begins with 07."""
_LINK = re.compile(
    r"(?:https?://)?(?:wa\.me/|api\.whatsapp\.com/send/?\?phone=)\+?(\d{8,15})\b.*|\+?(\d{8,15})@[cs]\.\S+"
)
"""A chat's address: the number in it has its country code, but no plus."""
_URI = re.compile(r"(?:tel|sms|smsto|callto):(?://)?(\+?[\d().-]+)(?:;phone-context=.*)?", re.IGNORECASE)
_EXTENSION = re.compile(
    r"(?:\s*;ext=|[\s,]*\(?(?:[^\W\d_]{1,12}|#|~)[\s.:]*)\d{1,7}\)?\s*$|[-\s]\d{1,5}#$",
    re.IGNORECASE,
)
_MOST_OF_WORDS = 64
MOST_CHARACTERS = 250
"""The most the phone library reads; patterns here never see more."""
_FULL_WIDTH_SHIFT = 0xFEE0


def repair(cell: str) -> tuple[Candidate, ...]:
    """The numbers a phone cell may hold, in the order written; always at least one.

    Example:
        >>> [candidate.text for candidate in repair("07911 123456 / 07911 123457")]
        ['07911 123456', '07911 123457']
        >>> repair("4.47911E+11")[0].problem.value
        'digits_lost'
    """
    typed = out_of_json(cell.strip())
    if len(typed) > MOST_CHARACTERS:
        return (Candidate("", problem=Problem.TOO_LONG),)
    text, repairs = _readable(typed)
    problem = _not_a_number(text)
    if problem is not None:
        return (Candidate("", problem=problem),)
    scientific = _SCIENTIFIC.fullmatch(text)
    if scientific:
        return (_expand(scientific, repairs),)
    parts, found, doubt = _parts(text)
    return tuple(_number(number, (*repairs, *found), doubt) for number in parts)


def _readable(cell: str) -> tuple[str, tuple[str, ...]]:
    """Remove what is invisible or only packaging; digits of all scripts become 0 to 9."""
    text = cell
    repairs: list[str] = []
    if not (cell.isascii() and cell.isprintable()):
        text, repairs = _plain(cell)
    if not _PACKED.search(text):
        return text, tuple(repairs)
    for code, step in _PACKAGING:
        stripped = step(text).strip()
        if stripped != text:
            repairs.append(code)
            text = stripped
    return text, tuple(repairs)


def _plain(cell: str) -> tuple[str, list[str]]:
    """Leave out what is invisible, and write digits, blanks, dashes and full-width letters in ASCII."""
    repairs = []
    visible = "".join(filter(_is_visible, cell))
    if visible != cell:
        repairs.append("invisible_removed")
    if any(char.isdecimal() and not char.isascii() for char in visible):
        repairs.append("digits_converted")
    return "".join(map(_ascii, visible)).strip(), repairs


@lru_cache(maxsize=4_096)
def _is_visible(char: str) -> bool:
    return unicodedata.category(char) not in {"Cf", "Cc"} or char in "\t\r\n"


@lru_cache(maxsize=4_096)
def _ascii(char: str) -> str:
    if char.isascii():
        return char
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    category = unicodedata.category(char)
    if category == "Zs":
        return " "
    if category == "Pd":
        return "-"
    return chr(ord(char) - _FULL_WIDTH_SHIFT) if "\uff01" <= char <= "\uff5e" else char


def _unwrap_formula(text: str) -> str:
    formula = _FORMULA.fullmatch(text)
    return formula.group(1) if formula else unwrapped(text)


def _out_of_link(text: str) -> str:
    link, uri = _LINK.fullmatch(text), _URI.fullmatch(text)
    if link:
        return f"+{link.group(1) or link.group(2)}"
    return uri.group(1) if uri else text


_PACKAGING = (
    ("apostrophe_removed", lambda text: text.lstrip("'`\u2018\u2019")),
    ("formula_unwrapped", _unwrap_formula),
    ("quotes_removed", lambda text: text.strip('"“”')),
    ("label_removed", _out_of_link),
    ("decimal_removed", lambda text: _DECIMAL.sub(r"\1", text) if _DECIMAL.fullmatch(text) else text),
)


_PACKED = re.compile(r"^['`\u2018\u2019=\"“”]|[\"“”]$|[@:]|wa\.me|whatsapp|[.,]0+$", re.IGNORECASE)
"""What some packaging has; most cells have none."""


def _not_a_number(text: str) -> Problem | None:
    if _SPREADSHEET_ERROR.match(text):
        return Problem.SPREADSHEET_ERROR
    if len(text) <= _MOST_OF_WORDS and means_no_number(text):
        return Problem.NO_NUMBER
    if _DATE.fullmatch(text):
        return Problem.DATE
    return None


def _parts(text: str) -> tuple[list[str], list[str], Problem | None]:
    """The numbers of a cell, what was done to separate them, and why a person should look."""
    worded = Worded(text)
    if count_digits(text) >= FEWEST_DIGITS and "@" not in text and any(map(str.isalpha, text)):
        worded = without_words(text)
    parts = part(worded.text)
    done = {
        "label_removed": worded.labelled,
        "words_removed": worded.remarked,
        "several_numbers": len(parts) > 1,
    }
    is_odd = worded.remarked or _has_unknown_sign(text)
    doubt = Problem.UNUSUAL_SPELLING if is_odd else None
    return parts, [code for code, is_so in done.items() if is_so], doubt


def _has_unknown_sign(text: str) -> bool:
    if _UNKNOWN_SIGN.search(_BETWEEN.sub(" ", text)):
        return True
    return not text.isascii() and any(map(_is_figure, text))


def _is_figure(char: str) -> bool:
    """Whether it is a fraction, or a small digit of a footnote."""
    return char.isnumeric() and not char.isdecimal() and not char.isalpha()


def means_no_number(text: str) -> bool:
    """Whether a text is what people write where there is no number: nothing, "n/a", "keine Angabe"."""
    return normalise(text) in words("no_phone")


def _expand(scientific: re.Match[str], repairs: tuple[str, ...]) -> Candidate:
    """Scientific notation preserves the number only if it shows all digits: exponent + 1 of them."""
    plus, first, rest, exponent = scientific.groups()
    if first == "0":  # no spreadsheet writes it so
        return Candidate("", problem=Problem.DECIMAL)
    digits = first + (rest or "")
    wanted = int(exponent) + 1
    if len(digits) < wanted or set(digits[wanted:]) - {"0"}:
        return Candidate("", problem=Problem.DIGITS_LOST)
    return Candidate(
        plus + digits[:wanted], (*repairs, "scientific_expanded"), doubt=Problem.SCIENTIFIC_NOTATION
    )


def _number(text: str, repairs: tuple[str, ...], doubt: Problem | None) -> Candidate:
    if NO_PHONE_BEFORE in text:
        text, doubt = text.replace(NO_PHONE_BEFORE, " "), Problem.UNUSUAL_SPELLING
    number = Candidate(
        text.replace("_", " ").replace("\u00b7", " ").replace("\t", " ").strip(), repairs, doubt=doubt
    )
    extension = _extension(number.text)
    if extension is not None:
        bare = number.text[: extension.start()]
        number = Candidate(bare, (*repairs, "extension_dropped"), doubt=Problem.EXTENSION_DROPPED)
    if any(map(str.isalpha, number.text)):
        return Candidate("", problem=Problem.LETTERS if count_digits(number.text) else Problem.NOT_A_NUMBER)
    if _is_fraction(number.text):
        return Candidate("", problem=Problem.DECIMAL)
    digits = re.sub(r"\D", "", number.text)
    if number.doubt is None and FILLER.fullmatch(digits):
        return replace(number, doubt=Problem.TEST_NUMBER)
    if number.doubt is None and _ROUNDED.search(digits):
        return replace(number, doubt=Problem.ROUNDED)
    return number


def _is_fraction(text: str) -> bool:
    found = _FRACTION.fullmatch(text)
    if found is None or not (found.group(1) or found.group(2) == "."):
        return False
    whole, sign, rest = found.groups()
    return sign == "." or min(len(whole), len(rest)) < FEWEST_DIGITS


def _extension(text: str) -> re.Match[str] | None:
    """Where an extension begins that follows a whole number."""
    found = _EXTENSION.search(text)
    if found is None or count_digits(text[: found.start()]) < FEWEST_DIGITS:
        return None
    letters = "".join(filter(str.isalpha, found.group()))
    is_one = normalise(letters) in words("extension") if letters else {"#", "~"} & set(found.group())
    return found if is_one else None
