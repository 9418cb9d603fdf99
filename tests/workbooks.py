"""Workbooks for tests: made by a writer, bent by hand where no writer would go, and ODS by hand."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Collection, Mapping
from xml.sax.saxutils import escape

import xlsxwriter
import xlwt

ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"


def xlsx(fill: Callable[[xlsxwriter.Workbook], None], options: Mapping[str, object] | None = None) -> bytes:
    """A workbook that `fill` has written."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, options) as workbook:
        fill(workbook)
    return content.getvalue()


def xlsx_of(rows: list[list[object]]) -> bytes:
    """A workbook with one worksheet of these rows."""

    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        for place, cells in enumerate(rows):
            sheet.write_row(place, 0, cells)

    return xlsx(fill)


def bend(workbook: bytes, part: str, change: Callable[[bytes], bytes | None]) -> bytes:
    """The workbook with one of its parts changed, or without it where the change leaves nothing."""

    def changed(name: str, text: bytes) -> tuple[str, bytes] | None:
        new = change(text) if name == part else text
        return None if new is None else (name, new)

    return rewritten(workbook, changed)


def rewritten(workbook: bytes, change: Callable[[str, bytes], tuple[str, bytes] | None]) -> bytes:
    """The workbook with other names and texts for its parts, or without some."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook)) as old,
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            if part := change(name, old.read(name)):
                new.writestr(*part)
    return content.getvalue()


def xls(sheets: dict[str, tuple[list[list[object]], int]]) -> bytes:
    """A workbook of before 2007: rows of each worksheet, and its visibility (0 visible, 1 hidden)."""
    workbook = xlwt.Workbook()
    for name, (rows, visibility) in sheets.items():
        sheet = workbook.add_sheet(name)
        sheet.visibility = visibility
        for place, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                sheet.write(place, column, cell)
    workbook.active_sheet = [visibility for _, visibility in sheets.values()].index(0)
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def xlsb(rows: list[list[str | float]], hidden: Collection[int] = (), formats: Collection[int] = ()) -> bytes:
    """A binary workbook with one worksheet of these rows, written record by record ([MS-XLSB] 2.4).

    The hidden ones are numbered from 1. The formats are those of its styles (2.4.812).
    """
    content = io.BytesIO()
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(
            "xl/_rels/workbook.bin.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="rId1" Type="{relation}/worksheet" Target="worksheets/sheet1.bin"/>'
            "</Relationships>",
        )
        bundle = struct.pack("<II", 0, 1) + _wide("rId1") + _wide("Customers")
        archive.writestr(
            "xl/workbook.bin",
            _record(131) + _record(143) + _record(156, bundle) + _record(144) + _record(132),
        )
        if formats:
            styles = [_record(47, struct.pack("<HH", 0, number) + bytes(12)) for number in formats]
            content_of = (
                _record(278) + _record(617, bytes(4)) + b"".join(styles) + _record(618) + _record(279)
            )
            archive.writestr("xl/styles.bin", content_of)
        cells = [
            _row_header(row, len(row_cells), is_hidden=row + 1 in hidden) + _binary_row(row_cells)
            for row, row_cells in enumerate(rows)
        ]
        size = struct.pack("<IIII", 0, len(rows) - 1, 0, max(map(len, rows)) - 1)
        archive.writestr(
            "xl/worksheets/sheet1.bin",
            _record(129) + _record(148, size) + _record(145) + b"".join(cells) + _record(146) + _record(130),
        )
    return content.getvalue()


def _row_header(row: int, cells: int, *, is_hidden: bool) -> bytes:
    """Row, format, height, three bytes of flags, and the span of its cells (2.4.741)."""
    flags = bytes([0, 0x10 if is_hidden else 0, 0])
    return _record(0, struct.pack("<IIH", row, 0, 300) + flags + struct.pack("<3I", 1, 0, max(0, cells - 1)))


def _binary_row(cells: list[str | float]) -> bytes:
    place = [struct.pack("<II", column, 0) for column in range(len(cells))]
    return b"".join(
        _record(6, at + _wide(cell)) if isinstance(cell, str) else _record(5, at + struct.pack("<d", cell))
        for at, cell in zip(place, cells, strict=True)
    )


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _record(kind: int, data: bytes = b"") -> bytes:
    """Kind and size come in 7 bits a byte, the highest saying that more follow."""
    number = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size = bytes([len(data)]) if len(data) < 128 else bytes([len(data) & 0x7F | 0x80, len(data) >> 7])
    return number + size + data


def ods(
    rows: list[list[str | int]],
    *,
    row_attributes: Mapping[int, str] | None = None,
    hidden_before: list[list[str | int]] | None = None,
) -> bytes:
    """An OpenDocument spreadsheet of these rows, perhaps with a hidden worksheet before it."""
    tables = _ods_table("Lists", hidden_before, "hidden", {}) if hidden_before else ""
    tables += _ods_table("Customers", rows, "shown", row_attributes or {})
    style = (
        '<style:style style:name="{0}" style:family="table"><style:table-properties table:display="{1}"/>'
        "</style:style>"
    )
    xml = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content'
        ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
        ' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
        ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
        ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:automatic-styles>'
        f"{style.format('hidden', 'false')}{style.format('shown', 'true')}"
        f"</office:automatic-styles><office:body><office:spreadsheet>{tables}"
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


def _ods_table(name: str, rows: list[list[str | int]], style: str, attributes: Mapping[int, str]) -> str:
    lines = "".join(
        f"<table:table-row {attributes.get(place, '')}>{''.join(map(_ods_cell, cells))}</table:table-row>"
        for place, cells in enumerate(rows)
    )
    return f'<table:table table:name="{name}" table:style-name="{style}">{lines}</table:table>'


def _ods_cell(cell: str | int) -> str:
    if cell == "":
        return "<table:table-cell/>"
    kind = f'float" office:value="{cell}' if isinstance(cell, int) else "string"
    text = f"<text:p>{escape(str(cell))}</text:p>"
    return f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'
