"""The names of a workbook's parts, as readers know them.

The format lets a workbook be anywhere in its archive: some programs put it at the root or in app/, write XL/,
or part folders by backslashes, and spreadsheet programs open all that. Readers know xl/workbook.xml alone.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterable

from dashboard.contacts.read.workbook.parts import opened

__all__ = ["is_workbook", "with_usual_names"]

_FOLDER, _WORKBOOK, _RELATIONS = "xl/", "workbook.xml", "_rels/workbook.xml.rels"
_ROOT, _TARGET = "_rels/.rels", b'Target="/'
_TO_WORKBOOK = re.compile(rb'Target="[^"<>]*workbook\.xml"', re.IGNORECASE)
_CONTENT_TYPES = "[content_types].xml"


def is_workbook(names: Iterable[str]) -> bool:
    r"""Whether an archive of these parts is a workbook, wherever in it that is.

    Example:
        >>> is_workbook(["[Content_Types].xml", "app\\\\workbook.xml"])
        True
    """
    usual = {_slashed(name).lower() for name in names}
    return _CONTENT_TYPES in usual and any(posixpath.basename(name) == _WORKBOOK for name in usual)


def with_usual_names(data: bytes) -> bytes:
    """The workbook, whose size is checked, with its parts below xl/; the same bytes if they are there."""
    with opened(data) as archive:
        names = archive.namelist()
        if _FOLDER + _WORKBOOK in names or not is_workbook(names):
            return data
        books = [name for name in map(_slashed, names) if posixpath.basename(name).lower() == _WORKBOOK]
        folder = min(books, key=len)[: -len(_WORKBOOK)]
        moved = io.BytesIO()
        with zipfile.ZipFile(moved, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
            for info in archive.infolist():
                name = _moved(_slashed(info.filename), folder)
                copy.writestr(name, _redirected(name, archive.read(info), folder))
    return moved.getvalue()


def _slashed(name: str) -> str:
    return name.replace("\\", "/")


def _moved(name: str, folder: str) -> str:
    """The name of a part, below xl/ if it was in this folder, with the case that readers expect."""
    if not name.startswith(folder) or (not folder and name.startswith(("_rels/.rels", "[", "docProps/"))):
        return name
    name = name.removeprefix(folder)
    return _FOLDER + (name.lower() if name.lower() in {_WORKBOOK, _RELATIONS} else name)


def _redirected(name: str, content: bytes, folder: str) -> bytes:
    """A part, whose relations name others where they are now."""
    if name not in {_ROOT, _FOLDER + _RELATIONS}:
        return content
    content = content.replace(b"\\", b"/").replace(f'Target="/{folder}'.encode(), _TARGET + _FOLDER.encode())
    if name == _ROOT:
        content = _TO_WORKBOOK.sub(_TARGET + _FOLDER.encode() + _WORKBOOK.encode() + b'"', content)
    return content
