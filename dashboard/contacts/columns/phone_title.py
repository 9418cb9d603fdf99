"""What a header says about phones: whose, of which kind, and whether the column may hold them at all."""

from __future__ import annotations

from enum import IntEnum

from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.own_line import names_own_line
from dashboard.contacts.words.title import Title, read_title

__all__ = ["Phones", "phones_by_title"]

_NOUNS = ("header_mobile", "header_phone", "phone_home_or_work")
_DOUBTFUL_NOUNS = ("header_texts", "header_ambiguous_phone", "phone_home_or_work")
_NEVER = ("phone_never", "header_not_phone", "header_other_person", "header_not_in_use")


class Phones(IntEnum):
    """How a column is tried for phones: lower ones first; the last two are never tried without asking."""

    MOBILE = 0
    UNLABELLED = 1
    BY_CELLS = 2
    HOME_OR_WORK = 3
    OFFERED = 4
    """Perhaps somebody else's: an unknown word is next to the one for phone. Only a person may choose it."""
    NEVER = 5

    @property
    def is_named(self) -> bool:
        """Whether the header itself says that it is a phone of the person."""
        return self in {Phones.MOBILE, Phones.UNLABELLED, Phones.HOME_OR_WORK}


_OF_FIELD = {
    "mobile": Phones.MOBILE,
    "phone": Phones.UNLABELLED,
    "phone_home_or_work": Phones.HOME_OR_WORK,
    "phone_never": Phones.NEVER,
}


def phones_by_title(title: Title) -> tuple[Phones, bool]:
    """What a column is by its header, and whether that is so only if its cells look like phones.

    A word such as "verified" or "with country code" may say what the column holds, "Phone verified", or only
    what kind its phones are, "Verified phone": then the cells decide. BY_CELLS means no word at all.

    Example:
        >>> phones_by_title(read_title("AssistantPhone"))
        (<Phones.NEVER: 5>, False)
    """
    spelled = [_OF_FIELD[field] for field, _ in title.fields if field in _OF_FIELD]
    if spelled and Phones.NEVER not in spelled:
        return min(spelled), _is_ambiguous(title)
    if spelled or title.says(*_NEVER) or (title.fields and not _is_ambiguous(title)):
        return Phones.NEVER, False
    kind = _by_words(title)
    return _without_prefix(title) or kind if kind[0] in {Phones.OFFERED, Phones.BY_CELLS} else kind


def _without_prefix(title: Title) -> tuple[Phones, bool] | None:
    """What a program's own name, "usr_phone" or "cphone1", says without its prefix, if the cells agree.

    In front of a word, "Uhp Phone", it may be somebody's name.
    """
    first, rest = "".join(title.words[:1]), " ".join(title.words[1:])
    is_alone = not rest.strip("0123456789 ")
    for prefix in words("phone_prefix"):
        noun = first.removeprefix(prefix)
        if first == prefix or (is_alone and first.startswith(prefix) and _nouns(read_title(noun))):
            kind, _doubtful = phones_by_title(read_title(f"{noun} {rest}"))
            if kind.is_named:
                return kind, True
    return None


def _by_words(title: Title) -> tuple[Phones, bool]:
    nouns = _nouns(title)
    doubtful = bool(title.says("header_qualifier"))
    is_own = names_own_line(title)
    if nouns:
        kind = _kind(title, nouns) if is_own else Phones.OFFERED
        return kind, doubtful or nouns <= title.says(*_DOUBTFUL_NOUNS)
    if title.says("header_number") or _is_ambiguous(title):
        return Phones.UNLABELLED if is_own else Phones.OFFERED, True
    is_number = bool(title.says("header_number_noun"))
    if doubtful or title.says("header_thing") or (is_number and title.says("header_numbered_person")):
        return Phones.NEVER, False
    return Phones.BY_CELLS, True


def _nouns(title: Title) -> frozenset[str]:
    """The words for a phone: of the vocabulary's whole headers, those that mean nothing else."""
    return title.says(*_NOUNS) | (title.says("mobile", "phone") - title.says("header_ambiguous_phone"))


def _kind(title: Title, nouns: frozenset[str]) -> Phones:
    if nouns & title.says("header_mobile", "mobile"):
        return Phones.MOBILE
    return (
        Phones.HOME_OR_WORK if title.says("header_home_or_work", "phone_home_or_work") else Phones.UNLABELLED
    )


def _is_ambiguous(title: Title) -> bool:
    return title.key.strip("0123456789") in title.says("header_ambiguous_phone")
