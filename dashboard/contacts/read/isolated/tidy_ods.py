"""An OpenDocument spreadsheet as readers want it, in the separate process (child.py loads this file).

Other programs than LibreOffice break lines between cells, or leave out the archive's first entry, which says
what it is. Spreadsheet programs open both.
"""

from __future__ import annotations

import io
import re
import zipfile

_TYPE = b"application/vnd.oasis.opendocument.spreadsheet"
_TYPE_PART, _XML, _MANIFEST_PART = "mimetype", "content.xml", "META-INF/manifest.xml"
_MANIFEST = (
    b'<?xml version="1.0"?>'
    b'<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    b'<manifest:file-entry manifest:full-path="/" manifest:media-type="%b"/></manifest:manifest>' % _TYPE
)
_BETWEEN_CELLS = re.compile(rb">\s+(?=<(?:/?table:|/?office:|text:p[\s/>]))")
"""Not within a paragraph, where a blank is part of the text."""


def tidied(content: bytes) -> bytes:
    """The spreadsheet with all parts that readers look at, and nothing between its cells."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        if _XML not in names:
            return content
        xml = archive.read(_XML)
        first = archive.read(_TYPE_PART) if _TYPE_PART in names else b""
    if first.startswith(_TYPE) and _MANIFEST_PART in names and not _BETWEEN_CELLS.search(xml):
        return content
    tidy = io.BytesIO()
    with zipfile.ZipFile(tidy, "w") as archive:
        archive.writestr(_TYPE_PART, _TYPE)
        archive.writestr(_XML, _BETWEEN_CELLS.sub(b">", xml))
        archive.writestr(_MANIFEST_PART, _MANIFEST)
    return tidy.getvalue()
