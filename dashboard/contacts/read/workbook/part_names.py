"""The names of a workbook's parts, as readers know them.

The format lets a workbook be anywhere in its archive: some programs put it at the root or in app/, write XL/,
or part folders by backslashes, and spreadsheet programs open all that. Readers know xl/workbook.xml alone.
"""

from __future__ import annotations

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["is_workbook", "with_usual_names"]

_FOLDER, _WORKBOOK, _RELATIONS = "xl/", "workbook.xml", "_rels/workbook.xml.rels"
_ROOT, _TARGET = "_rels/.rels", b'Target="/'
_TO_WORKBOOK = re.compile(rb'Target="[^"<>]*workbook\.xml"', re.IGNORECASE)
_CONTENT_TYPES = "[content_types].xml"
_UTF8_NAME = 0x800
_MOST_RELATIONS = 2**20
_LOCAL, _CENTRAL, _END = "<4s5H3L2H", "<4s6H3L5H2L", "<4s4H2LH"


class _Part(NamedTuple):
    name: str
    method: int
    crc: int
    inflated_bytes: int
    content: bytes


def is_workbook(names: Iterable[str], book: str = _WORKBOOK) -> bool:
    r"""Whether an archive of these parts is a workbook, wherever in it that is.

    Example:
        >>> is_workbook(["[Content_Types].xml", "app\\\\workbook.xml"])
        True
    """
    usual = {_slashed(name).lower() for name in names}
    return _CONTENT_TYPES in usual and any(posixpath.basename(name) == book for name in usual)


def with_usual_names(data: bytes) -> bytes:
    """The workbook with its parts below xl/; the same bytes if they are there. Nothing is unpacked for it.

    Raises:
        zipfile.BadZipFile: It is damaged.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        if _FOLDER + _WORKBOOK in names or not is_workbook(names):
            return data
        books = [name for name in map(_slashed, names) if posixpath.basename(name).lower() == _WORKBOOK]
        folder = min(books, key=len)[: -len(_WORKBOOK)]
        parts = [_part(data, info, folder) for info in archive.infolist()]
        return _archive(parts)


def _slashed(name: str) -> str:
    return name.replace("\\", "/")


def _part(data: bytes, info: zipfile.ZipInfo, folder: str) -> _Part:
    name = _slashed(info.filename)
    if name.startswith(folder) and (folder or not name.startswith(("_rels/.rels", "[", "docProps/"))):
        name = _FOLDER + _known(name.removeprefix(folder))
    lengths = struct.unpack_from("<2H", data, info.header_offset + 26)
    begin = info.header_offset + 30 + sum(lengths)
    content = data[begin : begin + info.compress_size]
    if name not in {_ROOT, _FOLDER + _RELATIONS}:
        return _Part(name, info.compress_type, info.CRC, info.file_size, content)
    if info.compress_type == zipfile.ZIP_DEFLATED:
        content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, _MOST_RELATIONS)
    content = content.replace(b"\\", b"/").replace(f'Target="/{folder}'.encode(), _TARGET + _FOLDER.encode())
    if name == _ROOT:
        content = _TO_WORKBOOK.sub(_TARGET + _FOLDER.encode() + _WORKBOOK.encode() + b'"', content)
    return _Part(name, zipfile.ZIP_STORED, zlib.crc32(content), len(content), content)


def _known(name: str) -> str:
    """The name with the case that readers expect."""
    return name.lower() if name.lower() in {_WORKBOOK, _RELATIONS} else name


def _archive(parts: list[_Part]) -> bytes:
    """An archive of parts as they are packed (APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16)."""
    offset, directory = 0, []
    pieces: list[bytes] = []
    for part in parts:
        name = part.name.encode()
        about = (_UTF8_NAME, part.method, 0, 0, part.crc, len(part.content), part.inflated_bytes, len(name))
        local = struct.pack(_LOCAL, b"PK\x03\x04", 20, *about, 0) + name
        entry = struct.pack(_CENTRAL, b"PK\x01\x02", 20, 20, *about, 0, 0, 0, 0, 0, offset) + name
        directory.append(entry)
        pieces += [local, part.content]
        offset += len(local) + len(part.content)
    size = sum(map(len, directory))
    end = struct.pack(_END, b"PK\x05\x06", 0, 0, len(parts), len(parts), size, offset, 0)
    return b"".join([*pieces, *directory, end])
