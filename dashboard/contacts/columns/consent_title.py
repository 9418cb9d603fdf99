"""What a header says about consent: who agreed to texts, who refused them, or nothing about texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from dashboard.contacts.columns.doubt_title import Doubt, doubt_by_title, is_hotel_measure, names_something
from dashboard.contacts.vocabulary.consent.answers import agreed_on, reads_as_answer, says_yes
from dashboard.contacts.vocabulary.consent.refusal import refusal_in
from dashboard.contacts.vocabulary.consent.standing import agrees_to_texts, speaks_of_consent, status_says
from dashboard.contacts.vocabulary.known_words.lexicon import lexicon, words
from dashboard.contacts.vocabulary.known_words.spelling import normalise
from dashboard.contacts.vocabulary.known_words.title import Title, read_title

__all__ = ["Says", "are_counts", "asks_all_cells", "consent_by_title", "is_of_other_channel"]

_CELL_CHARACTERS = 60
_MOST_CELLS = 0.5
_FEWEST_DIGITS = 7
_SHORTEST_VERB = 4
"""Letters; a shorter word is a preposition."""

_SMALL = ("header_glue", "header_yes_or_no")
_BESIDE_CHANNELS = ("header_messages", "header_texts", "header_opt_in_weak", "header_owner", *_SMALL)
_UNSPACED_NOT = "未不没無无非미안"


class Says(Enum):
    """What a column is about, by its header."""

    CONSENT = "a yes means consent"
    CONSENT_DATE = "when somebody agreed, beside the answer itself or instead of it"
    REFUSAL = "a yes means refusal"
    EITHER = "a yes may mean one or the other: only words say which"
    STATUS = "a status of anything: some of its words refuse, others are no answer at all"
    PREFERENCE = "how somebody likes to be reached, by text perhaps"
    DOUBT = "a yes or a date may mean refusal, or be about something else: a person has to look"
    WRONG_NUMBER = "a yes means that the number is wrong, or reaches nobody"
    OTHER_CHANNEL = "consent or refusal of e-mail, post ...: nothing about texts"
    NOTHING = "neither"


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The phrases of a header that refuse and those that agree, and whether these do so by themselves."""

    refusing: frozenset[str]
    agreeing: frozenset[str]
    is_plain: bool


def consent_by_title(title: Title, cells: Callable[[], Iterable[str]], *, are_answers: bool) -> Says:
    """What a column says by its header; its cells are read only if the header leaves it open.

    Args:
        title: The header.
        cells: Gives the column's distinct cells.
        are_answers: Whether the cells are yes and no.

    Example:
        >>> consent_by_title(read_title("HasOptedOutOfSms"), list, are_answers=False)
        <Says.REFUSAL: 'a yes means refusal'>
    """
    if title.says("header_no_refusal"):
        return Says.NOTHING
    if _tells_of_delivery(title):
        return _doubted(title)
    is_preference = _is_preference(title)
    if is_preference and not are_answers:
        return Says.PREFERENCE
    said = _said(title, cells, are_answers=are_answers)
    if is_preference and said is not Says.CONSENT:
        return Says.PREFERENCE  # "No thanks" and "Never" beside "SMS"
    return _about_others(title, cells) if said is Says.NOTHING else _about_texts(title, said)


def _about_texts(title: Title, said: Says) -> Says:
    """What a header says if that may be about something other than texts."""
    if is_of_other_channel(title):
        return Says.OTHER_CHANNEL
    is_doubtful = is_hotel_measure(title) or _is_of_something(title)
    return Says.DOUBT if said is Says.REFUSAL and is_doubtful else said


def _about_others(title: Title, cells: Callable[[], Iterable[str]]) -> Says:
    """What a header says that is not clearly about texts."""
    if title.says("header_newsletter", "other_channels"):
        return Says.OTHER_CHANNEL
    return _by_cells(title, cells) if _is_open_to_cells(title) else _doubted(title)


def _tells_of_delivery(title: Title) -> bool:
    """Whether a header says that texts do not arrive, and nothing of what people want: "SMS bounced"."""
    wants = title.says("header_opt_out", "header_opt_in", "title_refused", "header_status_of", "header_not")
    undelivered = title.says("title_wrong_number", "title_number_wrong")
    return bool(undelivered) and not wants - title.says("header_texts")


def _is_of_something(title: Title) -> bool:
    """Whether something else than texts may have been refused or removed: "Removed stitches"."""
    plain = ("header_opt_out", "header_opt_in", "header_texts", "header_messages", "header_status")
    return not (_spells(title, "consent_out") or title.says(*plain)) and names_something(title)


_OF_DOUBT = {
    Doubt.PERSON: Says.DOUBT,
    Doubt.NUMBER: Says.WRONG_NUMBER,
    Doubt.OTHER_CHANNEL: Says.OTHER_CHANNEL,
    Doubt.NOTHING: Says.NOTHING,
}


def _doubted(title: Title) -> Says:
    return _OF_DOUBT[doubt_by_title(title)]


def _said(title: Title, cells: Callable[[], Iterable[str]], *, are_answers: bool) -> Says:
    """What a header says of messages of any kind."""
    if _is_in_or_out(title, cells):
        return Says.EITHER
    said = _by_words(title, _phrases(title, are_answers=are_answers))
    if said is Says.REFUSAL and _is_open(title) and not _may_refuse(list(cells())):
        return Says.NOTHING
    if said is Says.NOTHING and title.says("header_status"):
        said = _by_status(title, cells)
    return _by_answers(title) if said is Says.NOTHING and are_answers else said


def _is_in_or_out(title: Title, cells: Callable[[], Iterable[str]]) -> bool:
    """Whether a header is answered by "in" and "out", if its cells are no more than that: "In/Out", "Opt"."""
    return _names_in_or_out(title) and all(
        normalise(cell) in words("said_in", "said_out", "yes", "no") for cell in cells()
    )


def _names_in_or_out(title: Title) -> bool:
    return bool(title.words) and title.only("title_in_or_out")


def _is_open(title: Title) -> bool:
    """Whether a header may name something else than a refusal: "Stop" in a list of bus stops."""
    return title.only("header_perhaps_out")


def _may_refuse(cells: list[str]) -> bool:
    """Whether cells below such a header are answers, dates or numbers, as far as there are any."""
    told = any(says_yes(cell) is not None or agreed_on(cell) or refusal_in(cell) for cell in cells)
    are_numbers = any(sum(map(str.isdecimal, cell)) >= _FEWEST_DIGITS for cell in cells)
    return not cells or are_numbers or (told and not are_counts(cells))


def are_counts(cells: Iterable[str]) -> bool:
    """Whether all cells are whole numbers, and some other than 0 and 1."""
    numbers = {cell.strip().removesuffix(".0") for cell in cells}
    return all(map(str.isdecimal, numbers)) and not numbers <= {"0", "1"}


def _is_preference(title: Title) -> bool:
    told = title.says("header_opt_out", "header_opt_in", "header_texts", "header_newsletter")
    return bool(title.says("header_preference")) and not told


def _is_open_to_cells(title: Title) -> bool:
    """Whether only the cells say what a header is about: "Subscription", "Channels", "Notify by"."""
    told = ("title_channels", "title_subscription")
    is_named = bool(title.says(*told)) and title.only(*told, *_BESIDE_CHANNELS)
    return is_named or bool(title.says("title_reach_you"))


def _by_cells(title: Title, cells: Callable[[], Iterable[str]]) -> Says:
    """What such a header says: lists of channels tell how to reach people, "cancelled" what they refuse."""
    distinct = [cell for cell in cells() if len(cell) <= _CELL_CHARACTERS]
    lists = sum(agrees_to_texts(cell) is not None for cell in distinct)
    if lists and lists + sum(map(reads_as_answer, distinct)) >= _MOST_CELLS * len(distinct):
        return Says.PREFERENCE
    refuses = title.says("title_subscription") and any(status_says(cell) is not True for cell in distinct)
    return Says.STATUS if refuses else _doubted(title)


def asks_all_cells(column: str) -> bool:
    """Whether it takes all of a column's cells to know what it says about consent, as with "Status"."""
    title = read_title(column)
    is_open = _is_open(title) or _is_open_to_cells(title) or _names_in_or_out(title)
    return is_open or bool(title.says("header_status"))


def is_of_other_channel(title: Title) -> bool:
    """Whether a header is about e-mail, post and the like, and not about texts."""
    if _spells(title, "other_channels"):
        return True
    speaks_of_texts = title.says("header_texts", "header_mobile", "header_phone", "header_marketing_too")
    spelled = _spells(title, "consent_in") or _spells(title, "consent_out")
    return bool(title.says("header_other_channel")) and not speaks_of_texts and not spelled


def _spells(title: Title, field: str) -> bool:
    return field in {name for name, _ in title.fields}


def _phrases(title: Title, *, are_answers: bool) -> _Phrases:
    """Weak phrases ("stop", "accepts") count next to a word for messages, listed headers above yes and no."""
    speaks_of_messages = bool(title.says("header_texts", "header_messages"))
    refusing, agreeing = title.says("header_opt_out"), title.says("header_opt_in")
    if _spells(title, "consent_out") or are_answers or speaks_of_messages:
        refusing |= title.says("consent_out")
    if _spells(title, "consent_in") or are_answers:
        agreeing |= title.says("consent_in")
    is_plain = bool(title.says("header_opt_in")) or _spells(title, "consent_in")
    if speaks_of_messages:
        refusing |= title.says("header_opt_out_weak")
        agreeing |= title.says("header_opt_in_weak", "consent_in")
    return _Phrases(refusing, agreeing, is_plain)


def _by_words(title: Title, phrases: _Phrases) -> Says:
    if phrases.refusing:
        return _refused(title, phrases)
    if not phrases.agreeing or (title.says("header_status") and not phrases.is_plain):
        return Says.NOTHING
    if _is_negated(title, phrases.agreeing):
        return Says.REFUSAL
    if _spells(title, "consent_in"):
        return Says.CONSENT
    if _details(title) - phrases.agreeing and not title.says("header_status"):
        return Says.NOTHING
    agreed = Says.CONSENT_DATE if title.says("header_when") else Says.CONSENT
    return Says.EITHER if _is_qualified(title, phrases.agreeing) else agreed


def _details(title: Title) -> frozenset[str]:
    """Words for how or when somebody answered, but for those of a question: "Keep me updated by text"."""
    rest = title.without(title.says("header_asks"))
    return frozenset(word for word in title.says("header_detail") if word in rest or word not in title.words)


def _refused(title: Title, phrases: _Phrases) -> Says:
    if title.says("header_link"):
        return Says.NOTHING
    turned = _turned_by(title, phrases.refusing)
    if turned:
        return Says.CONSENT if turned <= title.says("header_not") else Says.EITHER
    agreeing = title.says("header_opt_in")
    inside = title.places(phrases.refusing)
    apart = [
        (start, end)
        for start, end in title.places(agreeing)
        if not any(first <= start and end <= last for first, last in inside)
    ]
    return Says.EITHER if apart and not _is_negated(title, agreeing) else Says.REFUSAL


def _turned_by(title: Title, refusing: frozenset[str]) -> frozenset[str]:
    """What comes right before the refusal and reverses it: "not opted out"; "no" may also mean number."""
    first = min((start for start, _ in title.places(refusing)), default=0)
    before = frozenset(title.words[first - 1 : first] if first else ())
    unspaced = {mark for phrase in refusing for mark in _UNSPACED_NOT if mark + phrase in title.key}
    return (before & (title.says("header_not") | {"no"})) | unspaced


def _is_negated(title: Title, agreeing: frozenset[str]) -> bool:
    """Whether something turns consent into refusal; "no" does only in front, because it may mean number."""
    rest = title.without(title.says("header_yes_or_no"))
    if any(
        phrase in rest or phrase not in title.words for phrase in title.says("header_negation") - agreeing
    ):
        return True
    starts = {start for start, _ in title.places(agreeing)}
    return "no" in rest and any(
        word == "no" and {place + 1, place + 2} & starts for place, word in enumerate(title.words)
    )


def _is_qualified(title: Title, agreeing: frozenset[str]) -> bool:
    """Whether an unknown word right after the consent may end it, as in any language that is not listed."""
    ends = {end for _, end in title.places(agreeing)} - {len(title.words)}
    known = lexicon() | words("harmless") | title.says("header_messages", "header_texts")
    return any(len(title.words[end]) >= _SHORTEST_VERB and title.words[end] not in known for end in ends)


def _by_status(title: Title, cells: Callable[[], Iterable[str]]) -> Says:
    """A subscription status says in words who refused; if it says yes and no instead, a no refuses.

    Any other status counts if its cells mention agreeing or refusing, as in a sheet checked here before: then
    cells that refuse count, and anything that is not an answer, such as "Customer", says nothing.
    """
    distinct = [cell for cell in cells() if len(cell) <= _CELL_CHARACTERS]
    is_of_subscription = bool(title.says("header_status_of") - title.says("header_status"))
    if is_of_subscription and not title.says("header_texts", "header_messages", "header_opt_in"):
        is_of_subscription = not any(normalise(cell) in words("paid_status") for cell in distinct)
    if not is_of_subscription:
        is_told = not title.says("header_thing") and any(map(speaks_of_consent, distinct))
        return Says.STATUS if is_told else Says.NOTHING
    is_bare = any(normalise(cell) in words("bare_answer") for cell in distinct)
    return Says.CONSENT if is_bare else Says.REFUSAL


def _by_answers(title: Title) -> Says:
    """A column "SMS" or "Marketing" of yes and no is consent; with an unknown word next to it, perhaps not.

    How somebody agreed ("opt-in level: single opt-in") is not an answer, though its words may be.
    """
    if title.says("header_status", "header_sent") or _details(title) or title.only("header_done"):
        return Says.NOTHING
    if title.says("header_asks") or title.only("header_asks_alone", "header_yes_or_no"):
        return Says.CONSENT
    if "no" in title.words or title.says("header_not"):
        return Says.EITHER if title.says("header_texts", "header_messages") else Says.NOTHING
    is_of_messages = title.says("header_messages") and title.only("header_messages", *_SMALL)
    if is_of_messages or title.says("header_marketing_too") or _accepts_policy(title):
        return Says.CONSENT
    if not title.says("header_texts"):
        return Says.NOTHING
    known = ("header_texts", "header_texts_kind", "header_messages", "header_other_channel", *_SMALL)
    return Says.CONSENT if title.only(*known) else Says.EITHER


def _accepts_policy(title: Title) -> bool:
    """Whether a header asks for consent to what is done with people's data: "Privacy policy accepted"."""
    accepts = title.says("header_asks_alone") and title.says("header_opt_in_weak")
    known = ("header_asks_alone", "header_opt_in_weak", "phone_neutral", *_SMALL)
    return bool(accepts) and title.only(*known) and not title.says("header_negation")
