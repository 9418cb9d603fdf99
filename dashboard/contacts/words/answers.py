"""What a cell says by itself, whatever its column: yes, no, a date, a list of channels, as people write them.

What is said against texting counts in any wording that contains it; a yes, or a statement that nobody opted
out, counts only if the cell says nothing else, apart from a date, a time or where it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import cache, lru_cache

from dashboard.contacts.words.channels import agrees_to_texts, may_be_texts, mentions_texts, prefers_texts
from dashboard.contacts.words.dates import agreed_on, is_date
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.phrases import in_full, phrases
from dashboard.contacts.words.refusal import Refusal, refusal_in
from dashboard.contacts.words.spelling import normalise
from dashboard.contacts.words.title import read_title

__all__ = ["REFUSING", "Answer", "answer", "reads_as_answer", "says_yes", "speaks_of_consent"]


class Answer(Enum):
    """What a cell says."""

    YES = "“Ja”, “Yes (web)”, “I agree”"
    YES_BUT = "a yes and more: “Yes, by post”"
    NO = "“Nein”, “No (web)”"
    NO_BUT = "a no and more: “No, see notes”"
    UNCLEAR = "what speaks of it: “pending”, “no idea”, “may want to opt out”, “not in service”"
    OUT = "a refusal, in whichever column: “unsubscribed”, “I do not agree”, “VIP; STOP”"
    NOT_OUT = "that nobody refused: “not opted out”, “none”"
    IN = "“active”, “subscribed”: a yes, or what keeps texts away is on"
    OFF = "“inactive”, “disabled”: a no, or what keeps texts away is off"
    ENDED = "an end, of whatever it may be: “cancelled”, “expired”"
    BLANK = "nothing, or what stands for it: “n/a”"
    DATE = "a day that is not in the future: “2024-05-01”"
    DAY = "a day in the future, or in another spelling: “5 May 2024”, “1714550400”"
    FIGURES = "a count, a phone: “2”, “07400 123456”"
    TEXTS = "channels with texts among them: “email, sms”"
    TEXTS_BUT = "texts and more: “SMS or e-mail”"
    TEXTS_AMID = "texts among other words: “SMS not delivered”, “anything but SMS”"
    OTHERS = "channels without texts: “email, push”"
    ANY = "what leaves texts open: “any”, “mobile”, “unknown”"
    OTHER = "anything else"


REFUSING = {Answer.NO, Answer.NO_BUT, Answer.OUT, Answer.NOT_OUT, Answer.OFF, Answer.ENDED}
"""What speaks against texting, below most headers."""
_AGREES = dict.fromkeys((Answer.YES, Answer.IN), True) | dict.fromkeys(REFUSING, False)
_LISTS = {
    "said_in": Answer.IN,
    "said_out": Answer.OUT,
    "yes": Answer.YES,
    "in": Answer.IN,
    "no": Answer.NO,
    "not_opted_out": Answer.NOT_OUT,
    "blank": Answer.BLANK,
    "refused": Answer.OUT,
    "ended": Answer.OUT,
    "lapsed": Answer.ENDED,
    "switched_off": Answer.OFF,
}
"""What the words of these lists of words.json say; a word that is in several says the last."""
_ALIKE = ({Answer.YES, Answer.IN}, {Answer.OUT, Answer.ENDED, Answer.OFF})
"""What says the same twice; a second no may undo the first, and "none" is whole or nothing."""
_BESIDE = {
    Answer.YES: "beside_yes",
    Answer.IN: "beside_yes",
    Answer.ENDED: "harmless_people",
    Answer.OFF: "harmless_people",
}
"""What changes nothing beside an answer, besides what is harmless beside all of them."""
_NUMBER = re.compile(r"([01])[.,]0+")
_REMARK = re.compile(r"\s*[,;:(\[–—]|\s+-\s")
"""What separates an answer from a remark next to it: "Yes (web)", "ja, per SMS"."""
_FIGURES = re.compile(r"[\s()+./-]*\d[\d\s()+./-]*")
_DATES = re.compile(r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?=\D|$)")
_CLOCK = re.compile(r"(?:\bT|\b)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:[AaPp][Mm]\b|Z\b|[+-]\d\d:?\d\d\b)?")
_SIGNS = re.compile(r"[,;|\[\]{}<>!&+@–—]+")
_LONGEST_ANSWER = 4
_DAYS = 31


@lru_cache(maxsize=65_536)
def answer(cell: str) -> Answer:
    """What a cell says.

    Example:
        >>> [answer(cell).name for cell in ("Ja", "Yes (web)", "yes, by post", "unsubscribed by phone")]
        ['YES', 'YES', 'YES_BUT', 'OUT']
    """
    return next(filter(None, _readings(cell)))


def _readings(cell: str) -> Iterator[Answer | None]:
    """What a cell may say; the first that it does say counts."""
    number = _NUMBER.fullmatch(cell.strip())
    text = number.group(1) if number else normalise(cell)
    yield _table().get(text)
    yield Answer.DATE if agreed_on(cell) else None
    yield _plain(cell)
    begun, first = _begun(cell)
    yield begun if begun in {Answer.OUT, Answer.ENDED, Answer.OFF} else None
    yield Answer.OUT if _is_turned(text) or refusal_in(cell) is Refusal.SAID else None
    yield Answer.NO_BUT if begun is Answer.NO else None
    refuses = _holds(text, "refused", "ended") and not _holds(text, "not")
    yield Answer.OUT if refuses and begun not in {Answer.YES, Answer.IN} else None
    yield {True: Answer.TEXTS, False: Answer.OTHERS, None: None}[agrees_to_texts(cell)]
    yield Answer.YES_BUT if Answer.YES in {begun, first} else None
    is_open = begun in {Answer.IN, Answer.NOT_OUT} or first or text in words("unclear")
    yield Answer.UNCLEAR if is_open or refusal_in(cell) or speaks_of_consent(cell) else None
    yield Answer.DAY if is_date(cell) else None
    yield Answer.FIGURES if _FIGURES.fullmatch(cell) else None
    yield Answer.ANY if may_be_texts(cell) else None
    if mentions_texts(cell):
        yield Answer.TEXTS_BUT if prefers_texts(cell) else Answer.TEXTS_AMID
    fails = read_title(cell).says("title_wrong_number", "title_number_wrong", "channel_texts")
    yield Answer.UNCLEAR if fails else Answer.OTHER


@cache
def _table() -> Mapping[str, Answer]:
    return {word: said for name, said in _LISTS.items() for word in words(name)}


def _plain(cell: str) -> Answer | None:
    """What a cell says if it says nothing else, except for when or where: "Yes (web, 2024-05-01)"."""
    if not all(map(agreed_on, _DATES.findall(cell))):
        return None
    tokens = normalise(_SIGNS.sub(" ", _CLOCK.sub(" ", _DATES.sub(" ", cell)))).split()
    said: list[Answer] = []
    rest = tokens
    while rest:
        if said and _is_beside(rest[0], tokens, said[0]):
            rest = rest[1:]
            continue
        starts = (" ".join(rest[:end]) for end in range(min(len(rest), _LONGEST_ANSWER), 0, -1))
        longest = next((start for start in starts if start in _table()), None)
        if longest is None:
            return None
        said.append(_table()[longest])
        rest = rest[len(longest.split()) :]
    is_plain = said == [Answer.NO] or any(map(frozenset(said).issubset, _ALIKE))
    return said[0] if said and is_plain else None


def _is_beside(word: str, words_around: Sequence[str], said: Answer) -> bool:
    """Whether a word next to an answer changes nothing; in a spelled-out date, the numbers too."""
    if word in words("harmless") or (said in _BESIDE and word in words(_BESIDE[said])):
        return True
    years = [year for year in words_around if len(year) == len("2024") and year.isdecimal()]
    is_past = bool(years) and all(int(year) <= datetime.now(UTC).year for year in years)
    return word.isdecimal() and is_past and (word in years or 1 <= int(word) <= _DAYS)


def _begun(cell: str) -> tuple[Answer | None, Answer | None]:
    """What the words say that a sign separates from a remark, and the first word, if it is yes or no."""
    text = cell.strip()
    sign = _REMARK.search(text)
    begun = _table().get(normalise(text[: sign.start()])) if sign and sign.start() else None
    first = re.match(r"\w*", normalise(text))
    word = first.group() if first else ""
    return begun, _table()[word] if word in words("bare_answer") else None


def _is_turned(text: str) -> bool:
    """Whether a cell says "not" to agreeing: "I do not agree", "Non accetto", "Jag samtycker inte".

    Beside a bare yes it may mean anything: "no yes", "not sure".
    """
    agreed = " ".join(_turning().sub(" ", text).split())
    return agreed != text and agreed in words("yes") - words("bare_answer") - {"sure"} and len(agreed) > 1


@cache
def _turning() -> re.Pattern[str]:
    listed = sorted(words("not_agreed"), key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, listed))})(?!\S)")


def _holds(text: str, *names: str) -> bool:
    """Whether a text contains a phrase of some lists; in scripts without blanks, also inside a longer one."""
    tokens = in_full(text.split())
    listed = map(phrases, names)
    return any(any(one.covered(tokens)) or one.are_inside(tokens) for one in listed)


def speaks_of_consent(cell: str) -> bool:
    """Whether a cell is about agreeing or refusing, whichever it is."""
    title = read_title(cell)
    spelled = {"consent_in", "consent_out"} & dict(title.fields).keys()
    return bool(spelled or title.says("header_opt_in", "header_opt_out"))


def says_yes(cell: str) -> bool | None:
    """Whether a cell agrees, "none" does not; None when it neither agrees nor refuses."""
    return _AGREES.get(answer(cell))


def reads_as_answer(cell: str) -> bool:
    """Whether a cell is a yes or a no and nothing else: such cells show what a column is."""
    text = normalise(cell)
    is_listed = text in words("yes", "no", "refused", "ended") or _NUMBER.fullmatch(cell.strip())
    return bool(is_listed) or _is_turned(text)
