"""What a file is, judging by its first bytes: its name may say anything."""

from __future__ import annotations

import io
import re
import zipfile
from enum import Enum

from dashboard.contacts.read.workbook.part_names import is_workbook
from dashboard.errors import SheetError
from dashboard.words import N_, _

__all__ = ["WORKBOOKS", "Kind", "recognise"]

_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_SAVE_AS = N_("Open it in your spreadsheet program and save it as XLSX or CSV.")
_MARKS = b"\xef\xbb\xbf\xff\xfe"
_FILLED = re.compile(rb"[^\x00\t\r\n ]")
_JSON = re.compile(rb"""\{\s*("|\})|\[\s*([{\["\]]|-?\d+\s*[,\]])""")
_BEGINNING = 4_096
_OLDEST = re.compile(rb"\x09[\x00\x02\x04\x08][\x04-\x10]\x00[\x00-\x0a][\x00-\x06]")
"""How worksheets of Excel 2 to 5 begin that are a file of their own: the record BOF, its size and version."""
_NOT_SHEETS = {
    b"\x89PNG": N_("a picture (PNG)"),
    b"\xff\xd8\xff": N_("a picture (JPEG)"),
    b"GIF8": N_("a picture (GIF)"),
    b"BM": N_("a picture (BMP)"),
    b"%PDF": N_("a PDF document"),
    b"{\\rtf": N_("a text document (RTF)"),
    b"Rar!": N_("a RAR archive"),
    b"7z\xbc\xaf": N_("a 7z archive"),
    b"\x1f\x8b": N_("a gzip archive"),
    b"SQLite format 3": N_("a database"),
    b"PARE": N_("an encrypted Parquet file"),
    **dict.fromkeys(
        (b"ARROW1\0", b"FEA1", b"ORC", b"Obj\x01", b"\x89HDF"),
        N_("a data file (Arrow, Avro, HDF5 or ORC)"),
    ),
    b"\x7fELF": N_("a program"),
    b"MZ": N_("a program"),
}


_LDIF = re.compile(
    rb"(?:#.*\n|version:\s*\d+\s*\n|\s*\n)*dn::?[ \t].*\r?\n(?:[ \t].*\r?\n)*[a-z][a-z0-9;-]*:", re.IGNORECASE
)
"""How an address book in LDIF begins (RFC 2849): perhaps with its version, then the first entry's name."""
_MARKUP = re.compile(
    rb"""<(?:!doctype|!\[|\?[\w-]+\s)
    |(?><!--(?s:.*?)-->)\s*<[a-z!?/]
    |<(?:html|head|body|meta|link|base|style|script|table|thead|tbody|tr|td|th|div|center|p|br|h[1-6])
        \b[^<>]*+>?+(?!(?:[^<>\r\n]*</\w+>)?\ *[,;|\t])
    |<[\w:.-]+\s[^<>]*xmlns
    |<(\w[\w.-]*)(?:\s[^<>]*)?>(?:[^<>]*</\1>)?(?:\ *|\s*[\r\n]\s*)<[a-z!?/]
    |(?:[^<,;|\t"]*+|<(?s:.*?))
        <(?:!doctype\s|html\b[^<>]*+>\s*<(?:head|body|meta)
        |t(?:able|head|body|r)\b[^<>]*+>\s*<t(?:r|head|body|d|h))\b""",
    re.VERBOSE,
)
"""How web pages and XML begin: an element that only pages have, or one or a comment right before another.

A cell of a sheet may look like a tag, as in "<name>,<phone>"; then a delimiter follows it, and no table is in
the text. Words may stand before a page, without a delimiter.
"""
_MIME = re.compile(
    rb"(?:--\S+\s*\n)?(?:[a-z-]+:.*\n(?:[ \t].*\n)*)*?"
    rb"(?:mime-version:\s*\d|content-type:\s*(?:multipart/|text/html)).*\n(?:[ \t].*\n|[a-z-]+:.*\n)*+\r?\n"
)
"""How a web page with its pictures in one file begins (MHTML, RFC 2557): headers, and an empty line."""


class Kind(Enum):
    """The kinds of file that can be read."""

    TEXT = "text"
    XLSX = "xlsx"
    XLS = "xls"
    XLSB = "xlsb"
    ODS = "ods"
    JSON = "json"
    PARQUET = "parquet"
    VCARD = "vcard"


WORKBOOKS = frozenset({Kind.XLSX, Kind.XLS, Kind.XLSB, Kind.ODS})


def recognise(data: bytes) -> Kind:
    """What kind of sheet the bytes are.

    Raises:
        SheetError: It is empty, not a sheet, or a workbook that cannot be read; the message names what it is.
    """
    if not _FILLED.search(data):
        raise SheetError(_("The file is empty. Choose a file with a header row and at least one contact."))
    if data.startswith(b"PK\x03\x04"):
        return _recognise_zip(data)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        if _ENCRYPTED_PACKAGE in data:
            raise SheetError(_("The workbook is protected by a password. Save it without one and try again."))
        return Kind.XLS
    _refuse_other_files(data)
    return _recognise_text(data)


def _recognise_text(data: bytes) -> Kind:
    if data.startswith(b"PAR1"):
        return Kind.PARQUET
    start = _start(data)
    if start.startswith(b"begin:vcard"):
        return Kind.VCARD
    return Kind.JSON if _JSON.match(start) else Kind.TEXT


def _recognise_zip(data: bytes) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise SheetError(
            _("The workbook is damaged or cut off. {save_as}").format(save_as=_(_SAVE_AS))
        ) from None
    if "xl/workbook.bin" in names:
        return Kind.XLSB
    if any(name.lower() == "xl/workbook.xml" for name in names) or is_workbook(names):
        return Kind.XLSX
    if "content.xml" in names and names & {"mimetype", "META-INF/manifest.xml"}:
        return Kind.ODS
    raise SheetError(_("This is a ZIP archive, not a contact sheet. Unpack it and choose the sheet inside."))


def _refuse_other_files(data: bytes) -> None:
    for magic, what in _NOT_SHEETS.items():
        is_word = magic.isalnum()  # a column may be called so
        if data.startswith(magic) and (not is_word or b"\x00" in data[:_BEGINNING]):
            raise SheetError(
                _("This is {what}, not a contact sheet. Choose a CSV or XLSX file.").format(what=_(what))
            )
    if _OLDEST.match(data):
        raise SheetError(_("This is a worksheet from before Excel 97. {save_as}").format(save_as=_(_SAVE_AS)))
    if _LDIF.match(data[:_BEGINNING].removeprefix(b"\xef\xbb\xbf").lstrip()):
        raise SheetError(
            _(
                "This is an address book in LDIF, which cannot be read. Export it again as CSV (comma "
                "separated) or vCard, and choose that file."
            )
        )
    start = _start(data)
    if _MARKUP.match(start) or _MIME.match(start):
        raise SheetError(
            _("This is a web page or XML saved under the name of a sheet. {save_as}").format(
                save_as=_(_SAVE_AS)
            )
        )


def _start(data: bytes) -> bytes:
    """Its first letters in lower case; those of UTF-16 too, without the NULs between them."""
    return data[:_BEGINNING].replace(b"\x00", b"").lstrip(_MARKS + b" \t\r\n").lower()
