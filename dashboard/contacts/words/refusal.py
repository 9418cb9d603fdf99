"""A refusal in the words of any cell: "do not text", "VIP; DNC", "Ann asked to be unsubscribed".

People who can write a note do not fill in an opt-out column. So the cells of every column, whatever it is
called, are searched for phrases that hardly mean anything else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from functools import cache, lru_cache

from dashboard.contacts.words.lexicon import phrases_of, words
from dashboard.contacts.words.phrases import in_full, phrases, spelled_in_short
from dashboard.contacts.words.spelling import bare

__all__ = [
    "SHOUTED",
    "Refusal",
    "alarm_in",
    "may_refuse",
    "negating_phrases",
    "object_phrases",
    "refusal_in",
    "refusal_phrases",
    "refuses_alone",
]

_DOUBTED = ("refusal_doubted", "title_number_wrong")
_SAID_ALONE = ("refused", "refusal_alone")
_DOUBTED_ALONE = "refusal_doubted_alone"
_LISTS = ("refusal", *_SAID_ALONE, "refusal_begun", *_DOUBTED, _DOUBTED_ALONE, "refusal_sign")
_PIECE = re.compile(r"[,;|\n\r\t/•·()\[\]{}<>、。!?؟،…]+|:{3}|\s[-–—]\s+|\.\s")
"""What separates a cell's tags or sentences."""
_CASE_CHANGE = re.compile(r"(?<=[a-zß-öø-ÿ])(?=[A-Z])")
_SIGNS = re.compile(r"[~\"“”„«»&+=@%^$—–\\\ufe0f]+")
_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|(?<![\w.-])[\w.-]+\.[a-z]{2,}/\S*"
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\S)/\w\S*",
    re.IGNORECASE,
)
"""Addresses of pages and mailboxes: no speech, though they hold words. Each run of letters is begun once."""
_INVITATION = frozenset({"stop", "to", "2", "opt", "out", "end", "cancel", "quit", "unsubscribe"})
"""How "reply STOP to opt out" and the like continue, and "to opt out, reply STOP" begins."""
_SHORT_CODE = range(5, 7)
"""How many digits the numbers have to which "STOP" is sent: "STOP SMS 36111"."""
_BEFORE_INVITATION = _INVITATION | {"texts", "messages", "sms", "optout", "please"}
_IN_ANY_ORDER = (["sms", "stop"], ["txt", "stop"])
_MOST_BETWEEN = 6
SHOUTED = re.compile(r"\b[A-Z]{3,}(?=\W*$)|^[A-Z]{3,}\b")
"""A word in capitals that begins or ends a text."""
_FIGURES = re.compile(r"[\d./:-]*\d[\d./:-]*")
_SHORT_REMARK = 6
"""Words; a longer text may be a message, which says how to refuse."""


class Refusal(IntEnum):
    """What a text says about texting the person."""

    NONE = 0
    HELD = 1
    """It contains a refusal among other words that may change its meaning: a person has to look."""
    SAID = 2
    """It is a refusal, perhaps with a date or a "please", or one of its tags is."""


@lru_cache(maxsize=65_536)
def refusal_in(text: str) -> Refusal:
    """Whether a text refuses.

    Example:
        >>> refusal_in("VIP; do not text"), refusal_in("Ann may want to opt out"), refusal_in("Bus stop")
        (<Refusal.SAID: 2>, <Refusal.HELD: 1>, <Refusal.NONE: 0>)
    """
    text = _ADDRESS.sub(" ", unicodedata.normalize("NFKC", text))
    if bare(text) in words("not_opted_out"):
        return Refusal.NONE
    pieces = [_spoken(piece) for piece in _PIECE.split(text)]
    heard = [_of_piece(piece) for piece in pieces]
    is_doubted = any(" ".join(piece) in words("no") for piece in pieces)  # "Opt-out (no)"
    wants_texts = any(  # "don't call, text only"
        found is not Refusal.SAID and any(phrases("texts_wanted").covered(piece))
        for piece, found in zip(pieces, heard, strict=True)
    )
    most = Refusal.HELD if is_doubted or wants_texts else Refusal.SAID
    return min(max(_of_piece(_spoken(text)), *heard), most)


@lru_cache(maxsize=65_536)
def may_refuse(text: str) -> bool:
    """Whether a text may refuse by its shape: "not" beside a word for texts, or STOP at the end of a remark.

    Example:
        >>> [may_refuse(text) for text in ("she'd rather not get texts", "sent us SMS STOP", "Reply STOP")]
        [True, True, False]
    """
    return bool(_by_shape(text, _spoken(text)))


def _by_shape(text: str, tokens: list[str]) -> list[str]:
    """The words of a text by whose shape it may refuse."""
    named = [token for place, token in enumerate(tokens) if _names_texts(tokens, place)]
    negated = [token for token in tokens if token in words("header_not")]
    if named and negated:
        return [*negated, *named]
    said = _FIGURES.sub(" ", text).split()
    begins, before_last = bare(" ".join(said[:1])), bare(" ".join(said[-2:-1]))
    is_invitation = begins in words("refusal_invited") | {"to"}
    is_invitation |= before_last in words("refusal_invited") and not _names_texts([before_last], 0)
    is_invitation |= not tokens and any(map(str.isdigit, text))  # "STOP SMS 36111"
    is_remark = len(said) <= _SHORT_REMARK and not is_invitation
    return [word.lower() for word in SHOUTED.findall(" ".join(said)) if is_remark and refuses_alone(word)]


def refuses_alone(text: str) -> bool:
    """Whether a text is no more than words that refuse only alone, and may be a name as well: "Stop"."""
    said = " ".join(word for word in _spoken(text) if not word.isdecimal())
    return said in _alone() and not all(phrases("refusal").covered(said.split()))


@cache
def _alone() -> frozenset[str]:
    listed = words(*_SAID_ALONE)
    return frozenset(" ".join(in_full(bare(phrase).split())) for phrase in listed)


@lru_cache(maxsize=262_144)
def alarm_in(text: str) -> str:
    """The words of a text by which it may refuse, folded; all of them if none by itself does.

    Example:
        >>> alarm_in("Ann may want to opt out soon"), alarm_in("perhaps opt-out?")
        ('opt out', 'opt out')
    """
    tokens = [token for token in _spoken(text) if not token.isdecimal()]
    covers = [phrases(one).covered(tokens) for one in ("refusal", *_DOUBTED)]
    heard = map(any, zip(*covers, _begun(tokens), _signed(tokens), strict=True))
    alarms = [token for token, is_heard in zip(tokens, heard, strict=True) if is_heard]
    return " ".join(alarms or _by_shape(text, tokens) or tokens)


def refusal_phrases() -> Iterator[str]:
    """What is in every text that `refusal_in` hears, as `bare` spells it, without marks for any ending."""
    for name in _LISTS:
        for phrase in phrases_of(name):
            yield from spelled_in_short(bare(phrase))


def object_phrases() -> Iterator[str]:
    """What is in every other text that `may_refuse`, as `bare` spells it: words for texts ..."""
    return map(bare, phrases_of("refusal_object"))


def negating_phrases() -> Iterator[str]:
    """... and what negates them, in full and in short."""
    yield from map(bare, phrases_of("header_not"))
    for contraction in phrases_of("contractions"):
        yield from spelled_in_short(contraction.partition(" ")[2])


def _spoken(text: str) -> list[str]:
    """The words of a text, folded, without an invitation to answer STOP like those that messages end with."""
    plain = _SIGNS.sub(" ", _PIECE.sub(" ", _CASE_CHANGE.sub(" ", text)))
    return list(_without_invitations(in_full(bare(_sign().sub(r" \g<0> ", plain)).split())))


def _without_invitations(tokens: list[str]) -> Iterator[str]:
    """Leave out "reply STOP to opt out" and the like: they say how to refuse, not that somebody did."""
    place = 0
    while place < len(tokens):
        end, last = place, min(place + _MOST_BETWEEN, len(tokens))
        while end < last and tokens[end] in _BEFORE_INVITATION:  # "To stop texts, reply STOP"
            end += 1
        invited = max(_invited_until(tokens, at) for at in {place, end})
        if not invited:
            yield tokens[place]
        place = invited or place + 1


def _invited_until(tokens: list[str], place: int) -> int:
    """Where an invitation that begins with "reply STOP" or "STOP 36111" ends; 0 if none begins here."""
    if tokens[place : place + 1] in (["stop"], ["stopp"]):
        codes = [at for at in range(place + 1, min(place + 4, len(tokens))) if _is_short_code(tokens, at)]
        return codes[0] + 1 if codes else 0
    if tokens[place + 1 : place + 2] != ["stop"] or tokens[place] not in words("refusal_invited"):
        return 0
    end = place + 2
    while end < len(tokens) and (tokens[end] in _INVITATION or _is_short_code(tokens, end)):
        end += 1
    is_answer = tokens[end : end + 1] and tokens[end] in words("refusal_received")  # "text STOP received"
    return 0 if is_answer or tokens in _IN_ANY_ORDER else end


def _is_short_code(tokens: list[str], at: int) -> bool:
    """Whether a word is a service's number, and not a part of somebody's: "STOP 07400 123456"."""
    beside = (*tokens[at - 1 : at], *tokens[at + 1 : at + 2])
    is_code = tokens[at].isdecimal() and len(tokens[at]) in _SHORT_CODE and not tokens[at].startswith("0")
    return is_code and not any(map(str.isdecimal, beside))


def _of_piece(tokens: list[str]) -> Refusal:
    parts = (phrases("refusal").covered(tokens), _begun(tokens), _signed(tokens))
    said = [any(covers) for covers in zip(*parts, strict=True)]
    rest = [token for token, taken in zip(tokens, said, strict=True) if not taken]
    if any(said) and all(map(_is_harmless, rest)):
        return Refusal.SAID
    if _without_date(tokens) in _alone():
        return Refusal.SAID
    is_doubted = _is_doubted(tokens) or _without_date(tokens) in words(_DOUBTED_ALONE)
    return Refusal.HELD if any(said) or is_doubted else Refusal.NONE


def _without_date(tokens: list[str]) -> str:
    """A text without its numbers, and without words of a date beside them: "STOP le 12/03" is "stop"."""
    said = [token for token in tokens if not token.isdecimal()]
    dated = words("refusal_dated") if len(said) < len(tokens) else frozenset[str]()
    return " ".join(token for token in said if token not in dated)


def _begun(tokens: list[str]) -> list[bool]:
    """Words that begin a refusal and name texts after a few others: "does not want to get any more texts"."""
    covered = [False] * len(tokens)
    for start in range(len(tokens)):
        place = phrases("refusal_begun").end_at(tokens, start)
        if place == start:
            continue
        end = start
        while (place := _object_after(tokens, place)) > end:
            end = place
            covered[start:end] = [True] * (end - start)
    return covered


def _object_after(tokens: list[str], place: int) -> int:
    """Where the next word for texts ends, with at most a few small words before it; 0 if there is none."""
    last = min(place + _MOST_BETWEEN, len(tokens))
    while place < last and not _names_texts(tokens, place) and tokens[place] in words("refusal_between"):
        place += 1
    return phrases("refusal_object").end_at(tokens, place) if _names_texts(tokens, place) else 0


def _names_texts(tokens: list[str], place: int) -> bool:
    return phrases("refusal_object").end_at(tokens, place) > place


def _signed(tokens: list[str]) -> list[bool]:
    """Signs next to a word for texts, and that word: "🚫 sms"."""
    covered = [False] * len(tokens)
    for place, token in enumerate(tokens):
        if token in words("refusal_sign"):
            for beside in (place - 1, place + 1):
                if 0 <= beside < len(tokens) and _names_texts(tokens, beside):
                    covered[place] = covered[beside] = True
    return covered


def _is_doubted(tokens: list[str]) -> bool:
    doubted = tuple(map(phrases, _DOUBTED))
    return any(any(found.covered(tokens)) for found in doubted) or any(
        found.are_inside(tokens) for found in (*doubted, phrases("refusal"))
    )


def _is_harmless(word: str) -> bool:
    return word in words("harmless", "harmless_people", "refusal_sign") or (word.isdecimal() and word != "0")


@cache
def _sign() -> re.Pattern[str]:
    signs = {*words("refusal_sign"), *filter(_is_symbol, words("refusal_doubted"))}
    return re.compile("|".join(map(re.escape, sorted(signs))))


def _is_symbol(word: str) -> bool:
    return len(word) == 1 and not word.isalnum()
