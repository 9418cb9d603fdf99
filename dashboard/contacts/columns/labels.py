"""Columns that say what each row's phone is, or whose: "Phone 1 - Type", "Number belongs to"."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.contacts.words.lexicon import heard, words
from dashboard.contacts.words.own_line import is_own_label, names_stranger
from dashboard.contacts.words.spelling import normalise, split_words
from dashboard.contacts.words.title import read_title

__all__ = ["all_labels", "labels_of", "leaves_own"]

_ALWAYS_BESIDE = frozenset({"value", "number", "no", "nr", "num", "of", "the"})


def labels_of(names: Sequence[str], phones: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns that label each phone column.

    A type belongs to the phone of the same name, otherwise to the one it follows; a relation applies to every
    phone, unless a column before it names the related person.

    Args:
        names: All columns, from left to right.
        phones: The columns tried for phones.

    Example:
        >>> labels_of(("Phone 1 - Type", "Phone 1 - Value", "Mobile"), ("Mobile", "Phone 1 - Value"))
        {'Mobile': (), 'Phone 1 - Value': ('Phone 1 - Type',)}
    """
    found: dict[str, list[str]] = {phone: [] for phone in phones}
    for place, name in enumerate(names):
        for phone in () if name in found else _labelled(names, place, phones):
            found[phone].append(name)
    return {phone: tuple(labels) for phone, labels in found.items()}


def all_labels(names: Sequence[str], phones: Sequence[str]) -> list[str]:
    """The columns that label any of the phone columns, each once; see `labels_of`."""
    return list(dict.fromkeys(label for labels in labels_of(names, phones).values() for label in labels))


def leaves_own(label: str, column: str) -> bool:
    """Whether a cell leaves the phone next to it the person's own: nothing, "Mobile", "Work", "Self".

    Under a bare "Type", which may be about anything, only a fax or somebody else counts against it.
    """
    if normalise(label) in words("no_phone"):
        return True
    if _says_of_what(column):
        return is_own_label(label)
    title = read_title(label)
    return not names_stranger(title) and not any(word in words("fax") for word in title.words)


def _labelled(names: Sequence[str], place: int, phones: Sequence[str]) -> Sequence[str]:
    name = names[place]
    title = read_title(name)
    if title.says("header_status"):
        return ()
    if title.says("phone_relation"):
        return () if _is_of_stranger(names, place, phones) else phones
    if not title.says("phone_label"):
        return ()
    same = [phone for phone in phones if _stem(phone) == _stem(name)]
    before = [phone for phone in names[:place] if phone in phones][-1:]
    if same or not _says_of_what(name):
        return same or [phone for phone in before if names[place - 1] == phone]
    return before or [phone for phone in names[place:] if phone in phones][:1]


def _is_of_stranger(names: Sequence[str], place: int, phones: Sequence[str]) -> bool:
    """Whether a relation is that of somebody the columns name: "Next of kin relationship"."""
    for name in reversed(names[: place + 1]):
        if name in phones:
            return False
        if names_stranger(read_title(name)):
            return True
    return False


def _says_of_what(column: str) -> bool:
    """Whether a label's header says that it is about a phone, or whose phone it is."""
    return bool(
        read_title(column).says("header_phone", "header_mobile", "header_number_noun", "phone_relation")
    )


def _stem(name: str) -> str:
    beside = heard("phone_label").phrases | _ALWAYS_BESIDE
    return "".join(piece for pieces in split_words(name) for piece in pieces if piece not in beside)
