"""Notes that people attach to cells (comments, in newer programs a conversation): readers pass them over."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from dashboard.contacts.read.workbook.parts import inside, names_in, opened, place_of, small_xml

__all__ = ["CellNote", "notes_in_xlsx"]


class CellNote(NamedTuple):
    """A note on a cell: its row and column, counted from 1, and its text."""

    row: int
    column: int
    text: str


_RELATIONS = "_rels/{name}.rels"
_KIND = re.compile(r"/(comments|threadedComment)$")
_MOST_BYTES = 2**26
"""A worksheet may have 65,530 links, each a relation."""
_STANDS_FOR_A_THREAD = "[Threaded comment]"
"""How programs begin the note that stands in for a conversation where only notes are known."""


def notes_in_xlsx(data: bytes, part: str) -> list[CellNote]:
    """The notes on a worksheet's cells, and what was said in conversations about them."""
    with opened(data) as archive:
        notes = list(_notes(archive, part))
    read = {note[:2] for note in notes if not note.text.startswith(_STANDS_FOR_A_THREAD)}
    return [note for note in notes if note[:2] not in read or not note.text.startswith(_STANDS_FOR_A_THREAD)]


def _notes(archive: zipfile.ZipFile, part: str) -> Iterator[CellNote]:
    folder, name = posixpath.split(part)
    here = names_in(archive)
    relations = here.get(posixpath.join(folder, _RELATIONS.format(name=name)).lower())
    for relation in (
        small_xml(archive, relations, _MOST_BYTES).iterfind("{*}Relationship") if relations else ()
    ):
        kind = _KIND.search(relation.get("Type", ""))
        target = here.get(inside(relation.get("Target", ""), folder).lower())
        if kind and target:
            root = small_xml(archive, target, _MOST_BYTES)
            yield from _comments(root) if kind[1] == "comments" else _conversations(root)


def _comments(root: ElementTree.Element) -> Iterator[CellNote]:
    authors = [author.text or "" for author in root.iterfind("{*}authors/{*}author")]
    for comment in root.iterfind("{*}commentList/{*}comment"):
        text = _text_of(comment.iterfind("{*}text//{*}t"))
        author = comment.get("authorId", "")
        if author.isdecimal() and int(author) < len(authors):
            text = text.removeprefix(f"{authors[int(author)]}:").strip()
        yield from _at(comment.get("ref", ""), text)


def _conversations(root: ElementTree.Element) -> Iterator[CellNote]:
    for said in root.iterfind("{*}threadedComment"):
        yield from _at(said.get("ref", ""), _text_of(said.iterfind("{*}text")))


def _text_of(elements: Iterable[ElementTree.Element]) -> str:
    return "".join(element.text or "" for element in elements).strip()


def _at(cell: str, text: str) -> Iterator[CellNote]:
    place = place_of(cell)
    if place and text:
        yield CellNote(*place, text)
