"""What stands in a phone cell, before any number is parsed.

A phone library is lenient: it drops letters, takes a second number for an extension and a lost digit for
none. So whatever it would swallow is caught here first, and every repair is written down.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.problems import Problem
from dashboard.contacts.spelling import normalise
from dashboard.contacts.vocabulary import words

__all__ = ["Candidate", "needs_no_repair", "repair"]


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


_SIMPLE = r"^\+?\(?[0-9](?:[0-9 .()-]*[0-9])?$"
_NOT_SIMPLE = (  # simple signs, but perhaps two numbers, a decimal or a date
    r"[0-9]  +0|^\+?[0-9]{6,15}\.0+$"
    r"|^[0-9]{4}[-.][0-9]{1,2}[-.][0-9]{1,2}$|^[0-9]{1,2}[-.][0-9]{1,2}[-.](?:19|20)[0-9]{2}$"
)
_TAILS = [*(6 * digit for digit in "0123456789"), "345678", "456789", "567890", "456780", "654321", "543210"]
"""Last digits of fillers and of rounded numbers."""
_ROUNDED = re.compile(r"[1-9]\d{3,}0{6,}$")
_SPREADSHEET_ERROR = re.compile(
    r"#(?:N/A|NAME\?|REF!|VALUE!|DIV/0!|NUM!|NULL!|ERROR!|SPILL!|CALC!|GETTING_DATA|#+)", re.IGNORECASE
)
_DATE = re.compile(
    r"(?:\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d"
    r"|\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{2,4})(?:[T ]\d{1,2}:\d\d.*)?"
)
_FORMULA = re.compile(r"=\s*(?:\"([^\"]*)\"|([+\d][\d\s().-]*))")
_SCIENTIFIC = re.compile(r"(\+?)(\d)(?:[.,](\d+))?E\+?(\d{1,2})", re.IGNORECASE)
_DECIMAL = re.compile(r"(\+?\d{6,15})[.,]0+")
_LABEL = re.compile(
    r"(?:(?:tel|phone|telephone|telefon|téléphone|telefono|teléfono|telefone|mobile|mobil|mob|cell|cellphone|handy"
    r"|portable|movil|móvil|celular|sms|whatsapp|text|ph|number|no|nr|m|t|p|c|h|w)(?:\s?(?:no|nr|number))?[.:]+\s*"
    r"|(?:tel|phone|mobile|mob|cell|handy)\s+(?=[+(\d]))",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\s*[(\[](?:m|mob|mobile|cell|handy|h|home|w|work|office|privat|private|sms|whatsapp)[)\]]\s*$",
    re.IGNORECASE,
)
_HARD_SEPARATOR = re.compile(
    r"\s*(?:;(?!\s*ext)|:::|\||[\r\n]+|\s(?:or|oder|ou|oppure|and|und|et)\s)\s*",
    re.IGNORECASE,
)
_SOFT_SEPARATOR = re.compile(r"\s*[/\\,&]\s*|(?<=\d)\s*(?=\+)|(?<=\d)\s{2,}(?=0)")
_EXTENSION = re.compile(
    r"(?:\s*;ext=|[\s,]*\(?(?:extension|extn?|ext|anexo|poste|durchwahl|доб|x|#|~)[\s.:]*)\d{1,7}\)?\s*$|[-\s]\d{1,5}#$",
    re.IGNORECASE,
)
_FILLER = re.compile(r"\+?(\d)\1{5,}|0?123456789?0?|9?876543210?")
_FEWEST_DIGITS = 7
_MOST_CHARACTERS = 250
"""What the phone library reads at most; patterns here never see more."""
_FULL_WIDTH_SHIFT = 0xFEE0


def repair(cell: str) -> tuple[Candidate, ...]:
    """The numbers that a phone cell may hold, in the order written; never none.

    Example:
        >>> [candidate.text for candidate in repair("07911 123456 / 07911 123457")]
        ['07911 123456', '07911 123457']
        >>> repair("4.47911E+11")[0].problem.value
        'digits_lost'
    """
    if len(cell.strip()) > _MOST_CHARACTERS:
        return (Candidate("", problem=Problem.TOO_LONG),)
    text, repairs = _readable(cell.strip())
    problem = _not_a_number(text)
    if problem is not None:
        return (Candidate("", problem=problem),)
    scientific = _SCIENTIFIC.fullmatch(text)
    if scientific:
        return (_expand(scientific, repairs),)
    parts = _split(text)
    if len(parts) > 1:
        repairs = (*repairs, "several_numbers")
    return tuple(_number(part, repairs) for part in parts)


def needs_no_repair(cells: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Which cells `repair` gives back as they are: plain digits, blanks and - . ( ), perhaps after a plus.

    It may miss some; each that it names is one.
    """
    simple = pc.and_not(
        pc.match_substring_regex(cells, _SIMPLE), pc.match_substring_regex(cells, _NOT_SIMPLE)
    )
    tails = pc.utf8_slice_codeunits(pc.replace_substring_regex(cells, "[^0-9]", ""), -len(_TAILS[0]))
    telling = pc.or_(pc.is_in(tails, pa.array(_TAILS)), pc.less(pc.utf8_length(tails), len(_TAILS[0])))
    bounded = pc.less(pc.binary_length(cells), _MOST_CHARACTERS)
    sure: npt.NDArray[np.bool_] = pc.and_(pc.and_not(simple, telling), bounded).to_numpy()
    return sure


def _readable(cell: str) -> tuple[str, tuple[str, ...]]:
    """Take off what cannot be seen or is only packaging; digits of all scripts become 0 to 9."""
    text = cell
    repairs: list[str] = []
    if not (cell.isascii() and cell.isprintable()):
        text, repairs = _plain(cell)
    for code, step in _PACKAGING:
        stripped = step(text).strip()
        if stripped != text:
            repairs.append(code)
            text = stripped
    return text, tuple(repairs)


def _plain(cell: str) -> tuple[str, list[str]]:
    """Leave out what is invisible, and write digits, blanks, dashes and full-width letters in ASCII."""
    repairs = []
    visible = "".join(
        char for char in cell if unicodedata.category(char) not in {"Cf", "Cc"} or char in "\t\r\n"
    )
    if visible != cell:
        repairs.append("invisible_removed")
    if any(char.isdecimal() and not char.isascii() for char in visible):
        repairs.append("digits_converted")
    return "".join(map(_ascii, visible)).strip(), repairs


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
    return (formula.group(1) or formula.group(2) or "") if formula else text


_PACKAGING = (
    ("apostrophe_removed", lambda text: text.lstrip("'`\u2018\u2019")),
    ("formula_unwrapped", _unwrap_formula),
    ("quotes_removed", lambda text: text.strip('"“”')),
    (
        "label_removed",
        lambda text: _REMARK.sub("", _LABEL.sub("", text, count=1) if _LABEL.match(text) else text),
    ),
    ("decimal_removed", lambda text: _DECIMAL.sub(r"\1", text) if _DECIMAL.fullmatch(text) else text),
)


def _not_a_number(text: str) -> Problem | None:
    if _SPREADSHEET_ERROR.match(text):
        return Problem.SPREADSHEET_ERROR
    if normalise(text) in words("no_phone"):
        return Problem.NO_NUMBER
    if _DATE.fullmatch(text):
        return Problem.DATE
    return None


def _expand(scientific: re.Match[str], repairs: tuple[str, ...]) -> Candidate:
    """Scientific notation keeps the number only if it shows all digits: exponent + 1 of them."""
    plus, first, rest, exponent = scientific.groups()
    digits = first + (rest or "")
    wanted = int(exponent) + 1
    if len(digits) < wanted or set(digits[wanted:]) - {"0"}:
        return Candidate("", problem=Problem.DIGITS_LOST)
    return Candidate(
        plus + digits[:wanted], (*repairs, "scientific_expanded"), doubt=Problem.SCIENTIFIC_NOTATION
    )


def _split(text: str) -> list[str]:
    """Part numbers at signs that always separate, and at others where each side is long enough to be one."""
    parts = []
    for piece in filter(None, _HARD_SEPARATOR.split(text)):
        pieces = [part for part in _SOFT_SEPARATOR.split(piece) if part]
        all_long = all(_count_digits(part) >= _FEWEST_DIGITS for part in pieces)
        parts += pieces if all_long else [piece]
    return parts or [text]


def _count_digits(text: str) -> int:
    return sum(map(str.isdecimal, text))


def _number(text: str, repairs: tuple[str, ...]) -> Candidate:
    number = Candidate(text.strip(), repairs)
    bare = _EXTENSION.sub("", number.text)
    if bare != number.text and _count_digits(bare) >= _FEWEST_DIGITS:
        number = Candidate(bare, (*repairs, "extension_dropped"), doubt=Problem.EXTENSION_DROPPED)
    if any(map(str.isalpha, number.text)):
        return Candidate("", problem=Problem.LETTERS if _count_digits(number.text) else Problem.NOT_A_NUMBER)
    digits = re.sub(r"\D", "", number.text)
    if _FILLER.fullmatch(digits):
        return Candidate("", problem=Problem.FILLER)
    if _ROUNDED.search(digits) and number.doubt is None:
        number = replace(number, doubt=Problem.ROUNDED)
    return number
