"""Yes and no in consent, status and opt-out columns, as exports and people write them.

A refusal counts in any wording that contains one; a yes, or a statement that nobody opted out, counts only if
the cell says nothing else, apart from a date, a time or where it was said. Anything else keeps the person out
until somebody has looked.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import cache

from dashboard.contacts.vocabulary.consent.refusal import refusal_in
from dashboard.contacts.vocabulary.known_words.lexicon import words
from dashboard.contacts.vocabulary.known_words.spelling import normalise
from dashboard.contacts.vocabulary.known_words.title import read_title

__all__ = [
    "agreed_on",
    "is_nothing_but",
    "names_a_date",
    "reads_as_answer",
    "says_in",
    "says_out",
    "says_yes",
]

_NUMBER = re.compile(r"([01])[.,]0+")
_REMARK = re.compile(r"\s*[,;:(\[–—]|\s+-\s")
"""What separates an answer from a remark next to it: "Yes (web)", "ja, per SMS"."""
_UNSPACED = "\u0e00"
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_TIME = re.compile(r"[T ]\d{1,2}:\d{2}.*")
_DATES = re.compile(r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?=\D|$)")
_CLOCK = re.compile(r"(?:\bT|\b)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:[AaPp][Mm]\b|Z\b|[+-]\d\d:?\d\d\b)?")
_SIGNS = re.compile(r"[,;|\[\]{}<>!&+@–—]+")
_LONGEST_ANSWER = 4
_DAYS = 31


def says_yes(cell: str) -> bool | None:
    """Whether a consent cell says yes; None when it says neither yes nor no.

    Example:
        >>> says_yes("Ja"), says_yes("Yes (web)"), says_yes("unsubscribed by phone"), says_yes("yes, by post")
        (True, True, False, None)
    """
    answer, _remark = _answer(cell)
    if answer in words("no", "refused", "ended") or _is_turned(cell):
        return False
    if is_nothing_but(cell, "yes", beside="beside_yes"):
        return True
    text = normalise(cell)
    if answer not in words("yes") and _holds(text, "refused", "ended") and not _holds(text, "not"):
        return False
    return None


def reads_as_answer(cell: str) -> bool:
    """Whether a cell is a yes or a no and nothing else: such cells show what a column is."""
    number = _NUMBER.fullmatch(cell.strip())
    return number is not None or normalise(cell) in words("yes", "no", "refused", "ended") or _is_turned(cell)


def says_out(cell: str) -> bool | None:
    """Whether an opt-out cell means that the person opted out; None for a no with something else next to it.

    Anything but a no does, including a date.

    Example:
        >>> says_out("2026-01-05"), says_out("No (web)"), says_out("No, see notes"), says_out("no, STOP")
        (True, False, None, True)
    """
    if normalise(cell) in words("not_opted_out"):
        return False
    answer, remark = _answer(cell)
    if answer in words("refused", "ended") or (remark and _mentions_no(remark)) or refusal_in(cell):
        return True
    if is_nothing_but(cell, "no", "not_opted_out"):
        return False
    known = words("no", "not_opted_out")
    return None if answer in known or answer.partition(" ")[0] in known else True


def says_in(cell: str) -> bool | None:
    """Whether a cell says "in" rather than "out", as below "Opt in / opt out"; None when it says neither.

    Example:
        >>> says_in("In"), says_in("O"), says_in("yes")
        (True, False, None)
    """
    text = normalise(cell)
    return True if text in words("said_in") else False if text in words("said_out") else None


def names_a_date(column: str) -> bool:
    """Whether a consent column's name says that it holds the date of agreement: "Opt-in date"."""
    title = read_title(column)
    refuses = title.says("header_opt_out") or _holds(" ".join(title.words), "refused")
    return bool(title.says("header_when")) and not refuses


def agreed_on(cell: str, today: date | None = None) -> bool:
    """Whether a cell is a date that is not in the future, in whichever order day and month come.

    Example:
        >>> agreed_on("2024-05-01"), agreed_on("05/31/2024 10:00"), agreed_on("yes")
        (True, True, False)
    """
    text = _TIME.sub("", cell.strip())
    first, last = _YEAR_FIRST.fullmatch(text), _YEAR_LAST.fullmatch(text)
    if first:
        orders = [first.groups()]
    elif last:
        one, other, year = last.groups()
        orders = [(year, one, other), (year, other, one)]
    else:
        return False
    days = [day for order in orders if (day := _day(*map(int, order))) is not None]
    return bool(days) and max(days) <= (today or datetime.now(UTC).date())


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _answer(cell: str) -> tuple[str, str]:
    """A cell's first words, up to a sign that separates them from a remark, and the remark."""
    text = cell.strip()
    number = _NUMBER.fullmatch(text)
    if number:
        return number.group(1), ""
    whole = normalise(text)
    if whole in words("yes", "no", "refused", "ended"):
        return whole, ""
    sign = _REMARK.search(text)
    if sign is None or not sign.start():
        return whole, ""
    return normalise(text[: sign.start()]), normalise(text[sign.end() :].rstrip(")]"))


def _is_turned(cell: str) -> bool:
    """Whether a cell says "not" to agreeing: "I do not agree", "Non accetto", "Jag samtycker inte".

    Beside a bare yes it may mean anything: "no yes", "not sure".
    """
    text = normalise(cell)
    agreed = " ".join(_turning().sub(" ", text).split())
    return agreed != text and agreed in words("yes") - words("bare_answer") - {"sure"} and len(agreed) > 1


@cache
def _turning() -> re.Pattern[str]:
    phrases = sorted(words("not_agreed"), key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, phrases))})(?!\S)")


def is_nothing_but(cell: str, *lists: str, beside: str | None = None) -> bool:
    """Whether a cell says something of these lists, and otherwise only when or where.

    Args:
        cell: What somebody wrote.
        lists: Lists of words.json.
        beside: A list of words that change nothing either.

    Example:
        >>> is_nothing_but("Yes (web, 2024-05-01)", "yes"), is_nothing_but("Yes, by post", "yes")
        (True, False)
    """
    if not all(map(agreed_on, _DATES.findall(cell))):
        return False
    text = normalise(_SIGNS.sub(" ", _CLOCK.sub(" ", _DATES.sub(" ", cell))))
    number = _NUMBER.fullmatch(cell.strip())
    tokens = [number.group(1)] if number else text.split()
    answers = frozenset().union(*map(words, lists))
    rest = _after_answer(tokens, answers)
    if rest is None:
        return False
    while rest:
        is_said = _is_beside(rest[0], tokens, beside)
        shorter = rest[1:] if is_said else _after_answer(rest, answers)
        if shorter is None:
            return False
        rest = shorter
    return True


def _after_answer(tokens: list[str], answers: frozenset[str]) -> list[str] | None:
    """What follows the longest answer the words begin with; None if they begin with none."""
    for end in range(min(len(tokens), _LONGEST_ANSWER), 0, -1):
        if " ".join(tokens[:end]) in answers:
            return tokens[end:]
    return None


def _is_beside(word: str, words_around: list[str], beside: str | None) -> bool:
    """Whether a word next to an answer changes nothing; in a spelled-out date, the numbers too."""
    if word in words("harmless") or (beside is not None and word in words(beside)):
        return True
    years = [year for year in words_around if len(year) == len("2024") and year.isdecimal()]
    is_past = bool(years) and all(int(year) <= datetime.now(UTC).year for year in years)
    return word.isdecimal() and is_past and (word in years or 1 <= int(word) <= _DAYS)


def _mentions_no(remark: str) -> bool:
    return _holds(remark, "no", "not", "refused", "ended")


def _holds(text: str, *names: str) -> bool:
    """Whether a text contains a phrase of some lists; in scripts without blanks, also inside a longer one."""
    single, phrases, unspaced = _phrases(*names)
    tokens = text.split()
    if not single.isdisjoint(tokens):
        return True
    padded = f" {text} "
    if len(tokens) > 1 and any(phrase in padded for phrase in phrases):
        return True
    return not text.isascii() and any(word in text for word in unspaced)


@cache
def _phrases(*names: str) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """The words of lists, their phrases with a blank around them, and words in scripts without blanks."""
    listed = words(*names) - {""}
    return (
        frozenset(word for word in listed if " " not in word),
        tuple(f" {word} " for word in listed if " " in word),
        tuple(word for word in listed if word >= _UNSPACED),
    )
