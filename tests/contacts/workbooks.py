"""Workbooks for tests: made by a writer, bent by hand where no writer would go, and ODS by hand."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from xml.sax.saxutils import escape

import xlsxwriter

ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"


def xlsx(fill: Callable[[xlsxwriter.Workbook], None]) -> bytes:
    """A workbook that `fill` has written."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as workbook:
        fill(workbook)
    return content.getvalue()


def xlsx_of(rows: list[list[object]]) -> bytes:
    """A workbook with one worksheet of these rows."""

    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        for place, cells in enumerate(rows):
            sheet.write_row(place, 0, cells)

    return xlsx(fill)


def bend(workbook: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one of its parts changed."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook)) as old,
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return content.getvalue()


def ods(rows: list[list[str | int]]) -> bytes:
    """An OpenDocument spreadsheet of these rows."""
    lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, cells))}</table:table-row>" for cells in rows)
    xml = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content'
        ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
        ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
        ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
        f'<table:table table:name="Customers">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        '<?xml version="1.0"?><manifest:manifest'
        ' xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{ODS_TYPE}"/></manifest:manifest>'
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("mimetype", ODS_TYPE)
        archive.writestr("content.xml", xml)
        archive.writestr("META-INF/manifest.xml", manifest)
    return content.getvalue()


def _ods_cell(cell: str | int) -> str:
    kind = f'float" office:value="{cell}' if isinstance(cell, int) else "string"
    text = f"<text:p>{escape(str(cell))}</text:p>"
    return f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'
