"""Files whose columns are named in the file itself: JSON, JSON Lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, takewhile
from typing import Any

import pandas as pd

from dashboard.contacts.read.file_type import Kind
from dashboard.contacts.read.isolated.bounded import Read, read_in_child
from dashboard.contacts.read.isolated.json_lists import holds_phone
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.read.table import Table
from dashboard.contacts.words.answers import says_yes
from dashboard.contacts.words.headings import name_mentions_refusal
from dashboard.contacts.words.lexicon import fields_of
from dashboard.contacts.words.spelling import joined
from dashboard.words import N_, _

__all__ = ["not_read", "read_records"]

_WORDS = {Kind.JSON: N_("JSON file"), Kind.PARQUET: N_("Parquet file")}
_LATER = re.compile(r"(?:^|\.)(?!0*1\.)\d+\.")
"""In the name of a column of a list's second entry, or a later one."""
_PHONES = frozenset({"mobile", "phone", "phone_home_or_work"})


def read_records(data: bytes, kind: Kind, limits: Limits, *, worksheet: str | None = None) -> Table:
    """Read JSON, JSON Lines or Parquet; rows are counted from 1, in JSON Lines they are the lines.

    The worksheet is the path of a list in JSON, such as "data.contacts"; None for what looks like people.

    Raises:
        SheetError: It is damaged, too large, or contains no list of contacts, or none of this path.
    """
    read = read_in_child(data, kind.value, limits, what=_WORDS[kind], worksheet=worksheet)
    lists = read.about.get("lists", {})
    people = _people_among(lists)
    if lists and worksheet is None:
        worksheet = people[0]
        if len(lists) > 1:
            read = read_in_child(data, kind.value, limits, what=_WORDS[kind], worksheet=worksheet)
    titles = read.about["titles"]
    return Table(
        cells=read.cells,
        rows=pd.Series(range(1, len(read.cells) + 1), dtype="int64"),
        titles=None if titles is None else tuple(" ".join(title.split()) for title in titles),
        worksheet=worksheet or None,
        worksheets=tuple(filter(None, people)),
        notes=(*_notes(lists, people, worksheet or ""), *_notes_on_columns(read)),
    )


def not_read(names: Iterator[str] | list[str]) -> Iterator[str]:
    """A note on each worksheet or list that was left alone and, by a front part of its name, refuses."""
    for name in dict.fromkeys(filter(None, map(_refusing_front, names))):
        yield _(
            'Judging by its name, the worksheet "{name}" lists people who must not be texted. '
            "It was not read: add its numbers under Opt-outs first."
        ).format(name=name)


def _refusing_front(name: str) -> str | None:
    """The shortest front part of a name, such as "data.blocked" of "data.blocked.phone", that refuses."""
    return next(filter(name_mentions_refusal, accumulate(name.split("."), "{}.{}".format)), None)


def _notes(lists: Mapping[str, Mapping[str, Any]], people: list[str], read: str) -> Iterator[str]:
    if len(people) > 1:
        yield _('The file has {number} lists that look like people; "{name}" was read.').format(
            number=len(people), name=read
        )
    yield from not_read([path for path in lists if path != read and not _is_inside(path, read)])


def _notes_on_columns(read: Read) -> Iterator[str]:
    """On phones read as nobody's contact: of those who refuse, or of later entries of a list within a row."""
    columns = dict(zip(read.about["names"], read.cells.columns, strict=True))
    refusing = [name for name in columns if _refusing_front(name)]
    later = [name for name in columns if _LATER.search(name)]
    phones = {name for name in {*refusing, *later} if holds_phone(filter(None, read.cells[columns[name]]))}
    yield from not_read([name for name in refusing if name in phones])
    more = [name for name in later if name in phones]
    if more:
        yield _(
            "Rows hold lists of which only the first entry is read as a contact; there are phones in "
            "{columns} too. If they are other people’s, save the file as one list of contacts."
        ).format(columns=some_of(more))


def _people_among(lists: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Paths of the lists that look most like people, of none inside another of them.

    The longest come first, and those last whose names say that they refuse.
    """
    looks = {path: _looks_like_people(path, about) for path, about in lists.items()}
    found = [path for path in lists if looks[path] == max(looks.values())]
    outer = [path for path in found if not any(_is_inside(path, other) for other in found)]
    outer.sort(key=lambda path: bool(_refusing_front(path)) or says_yes(path.rpartition(".")[2]) is False)
    return outer if any(about["phones"] for about in lists.values()) else outer[:1]


def _looks_like_people(path: str, about: Mapping[str, Any]) -> tuple[bool, bool, bool, bool]:
    """Whether there is something like a phone in it, a column of phones, and any column that people have.

    And whether it is a list without columns that is itself called "phones".
    """
    fields = {field for name in about["names"] for field in _fields(name)}
    is_called = not about["names"] and not _PHONES.isdisjoint(_fields(path.rpartition(".")[2]))
    return about["phones"], bool(fields & _PHONES), bool(fields), is_called


def _fields(path: str) -> Iterator[str]:
    """What the parts of a name spell, up to the first number: that of a list within the record."""
    for part in takewhile(lambda part: not part.isdecimal(), path.split(".")):
        yield from (field for field, _place in fields_of(joined(part)))


def _is_inside(path: str, other: str) -> bool:
    return path != other and (not other or path.startswith(f"{other}."))
