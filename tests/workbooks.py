"""Files for tests: one description of a worksheet for all writers, and by hand what no writer does."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from csv import QUOTE_ALL
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

import pandas as pd
import xlsxwriter
import xlwt

ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
Runs = list[tuple[str, bool]]
"""A text in pieces, each with whether it is struck out."""
Cell = str | float | Runs
Rows = Sequence[Sequence[Cell]]
Place = tuple[int, int]
"""Row and column, counted from 0."""


@dataclass(frozen=True)
class Marks:
    """What is to be seen on cells and rows, by the names of cells such as B2 and of ranges such as B2:B3."""

    struck: Collection[str] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    merged: Collection[str] = ()
    hidden: Collection[int] = ()
    formats: Mapping[str, str | int] = field(default_factory=dict)

    def spans(self) -> Iterator[tuple[Place, Place]]:
        """The first and the last cell of each merged range."""
        for ends in self.merged:
            first, last = map(place_of, ends.split(":"))
            yield first, last


NO_MARKS = Marks()


class Xml(str):
    """A cell as OpenDocument writes it."""

    __slots__ = ()


def name_of(row: int, column: int) -> str:
    return f"{chr(65 + column)}{row + 1}"


def place_of(name: str) -> Place:
    return int(name[1:]) - 1, ord(name[0]) - 65


def _cells(rows: Rows) -> Iterator[tuple[int, int, Cell, str]]:
    """Whatever is in a cell, with its row, its column and its name."""
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            yield row, column, cell, name_of(row, column)


def xlsx(fill: Callable[[xlsxwriter.Workbook], None], options: Mapping[str, object] | None = None) -> bytes:
    """A workbook that `fill` has written."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, options) as workbook:
        fill(workbook)
    return content.getvalue()


def xlsx_of(rows: Rows, marks: Marks = NO_MARKS, **options: object) -> bytes:
    """A workbook with one worksheet of these rows."""
    return xlsx_sheets({"Sheet1": rows}, marks, **options)


def xlsx_sheets(
    sheets: Mapping[str, Rows], marks: Marks = NO_MARKS, hidden: Collection[str] = (), **options: object
) -> bytes:
    """A workbook with these worksheets, some of them hidden; the marks are of the last."""

    def fill(workbook: xlsxwriter.Workbook) -> None:
        for name, rows in sheets.items():
            sheet = workbook.add_worksheet(name)
            if name in hidden:
                sheet.hide()
            elif hidden:
                sheet.activate()
                sheet.set_first_sheet()
            _write_xlsx(workbook, sheet, rows, marks if name == [*sheets][-1] else NO_MARKS)

    return xlsx(fill, options)


def _write_xlsx(workbook: xlsxwriter.Workbook, sheet: Any, rows: Rows, marks: Marks) -> None:
    runs = [workbook.add_format(look) for look in ({"bold": 1}, GONE)]
    looks = {name: workbook.add_format({"num_format": code}) for name, code in marks.formats.items()}
    looks |= dict.fromkeys(marks.struck, runs[True])
    for row, column, cell, name in _cells(rows):
        if isinstance(cell, list):
            parts = [part for text, gone in cell for part in (runs[gone], text)]
            sheet.write_rich_string(row, column, *parts)
        else:
            write = sheet.write_string if isinstance(cell, str) and cell else sheet.write
            write(row, column, cell, looks.get(name))
    for first, last in marks.spans():
        sheet.merge_range(*first, *last, rows[first[0]][first[1]], looks.get(name_of(*first)))
    for name, text in marks.notes.items():
        sheet.write_comment(name, text, {"author": "Eve"})
    for row in marks.hidden:
        sheet.set_row(row - 1, options={"hidden": True})


GONE = {"font_strikeout": 1}


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


def xls_of(rows: Rows, marks: Marks = NO_MARKS) -> bytes:
    """A workbook of before 2007 with one worksheet of these rows."""
    return xls({"Kunden – ж": rows}, marks)


def xls(sheets: Mapping[str, Rows], marks: Marks = NO_MARKS, hidden: Collection[str] = ()) -> bytes:
    """A workbook of before 2007 with these worksheets, some of them hidden; the marks are of the last."""
    book, content = xlwt.Workbook(), io.BytesIO()
    for name, rows in sheets.items():
        sheet = book.add_sheet(name, cell_overwrite_ok=True)
        sheet.visibility = int(name in hidden)
        _write_xls(sheet, rows, marks if name == [*sheets][-1] else NO_MARKS)
    book.active_sheet = [name in hidden for name in sheets].index(False)
    book.save(content)
    return content.getvalue()


def _write_xls(sheet: Any, rows: Rows, marks: Marks) -> None:
    fonts = xlwt.easyfont("bold on"), xlwt.easyfont("struck_out on")
    looks = {name: xlwt.easyxf(num_format_str=code) for name, code in marks.formats.items()}
    looks |= dict.fromkeys(marks.struck, xlwt.easyxf("font: struck_out on"))
    for row, column, cell, name in _cells(rows):
        if isinstance(cell, list):
            sheet.write_rich_text(row, column, [(text, fonts[gone]) for text, gone in cell])
        elif cell != "" or name in looks:
            sheet.write(row, column, cell, looks.get(name, xlwt.Style.default_style))
    for (top, left), (bottom, right) in marks.spans():
        look = looks.get(name_of(top, left), xlwt.Style.default_style)
        sheet.write_merge(top, bottom, left, right, rows[top][left], look)
    for row in marks.hidden:
        sheet.row(row - 1).hidden = True
    written, notes = sheet.get_biff_data, b"".join(_xls_notes(marks.notes))
    sheet.get_biff_data = lambda: written()[:-4] + notes + _biff(0x0A, b"")


def _xls_notes(notes: Mapping[str, str]) -> Iterator[bytes]:
    """[MS-XLS] 2.4.181 Obj, 2.4.329 TxO with the text in Continue records, 2.4.179 NoteSh."""
    for shape, (cell, text) in enumerate(notes.items(), start=1):
        said = f"Eve:\n{text}"
        yield _biff(0x5D, struct.pack("<HHHHH12xHH", 0x15, 0x12, 0x19, shape, 0, 0, 0))
        yield _biff(0x1B6, struct.pack("<HH6xHHI", 0x212, 0, len(said), 16, 0))
        yield from (_biff(0x3C, b"\x01" + piece.encode("utf-16-le")) for piece in (said[:5], said[5:]))
        yield _biff(0x3C, struct.pack("<HHI", 0, 0, 0) * 2)
        yield _biff(0x1C, struct.pack("<5H", *place_of(cell), 0, shape, 3) + b"\0Eve\0")


def _biff(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def xlsb(rows: Rows, marks: Marks = NO_MARKS, formats: Collection[int] = ()) -> bytes:
    """A binary workbook with one worksheet of these rows, written record by record ([MS-XLSB] 2.4).

    Of the marks it has merged cells and hidden rows. The formats are those of its styles (2.4.812).
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
            _row_header(row, len(row_cells), is_hidden=row + 1 in marks.hidden) + _binary_row(row_cells)
            for row, row_cells in enumerate(rows)
        ]
        spans = [_record(176, struct.pack("<4I", a, c, b, d)) for (a, b), (c, d) in marks.spans()]
        merged = _record(177, struct.pack("<I", len(spans))) + b"".join(spans) + _record(178)
        size = struct.pack("<IIII", 0, len(rows) - 1, 0, max(map(len, rows)) - 1)
        archive.writestr(
            "xl/worksheets/sheet1.bin",
            _record(129)
            + _record(148, size)
            + _record(145)
            + b"".join(cells)
            + _record(146)
            + merged
            + _record(130),
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


STRUCK = (
    '<style:style style:name="gone" style:family="table-cell"><style:text-properties'
    ' style:text-line-through-style="solid"/></style:style>'
    '<style:style style:name="ce1" style:family="table-cell" style:parent-style-name="gone"/>'
    '<style:style style:name="ce2" style:family="table-cell" style:parent-style-name="gone">'
    '<style:text-properties style:text-line-through-type="none"/></style:style>'
    '<style:style style:name="ce1" style:family="table-row"/>'
    '<style:style style:name="gone" style:family="text"><style:text-properties'
    ' style:text-line-through-style="solid"/></style:style>'
)
"""The style ce1 of cells that are struck out, for that which it goes back to is, and ce2 that is not."""


def ods(
    rows: Rows,
    marks: Marks = NO_MARKS,
    *,
    row_attributes: Mapping[int, str] | None = None,
    hidden_before: Rows = (),
    styles: str = "",
    after: str = "",
) -> bytes:
    """An OpenDocument spreadsheet of these rows, perhaps with a hidden worksheet before it.

    What is struck out needs styles, STRUCK or others; and something may stand after the rows.
    """
    attributes = dict.fromkeys((row - 1 for row in marks.hidden), 'table:visibility="collapse"')
    tables = _ods_table("Lists", hidden_before, "hidden", NO_MARKS, {}) if hidden_before else ""
    tables += _ods_table("Customers", rows, "shown", marks, attributes | (row_attributes or {}), after)
    displays = "".join(
        f'<style:style style:name="{name}" style:family="table">'
        f'<style:table-properties table:display="{display}"/></style:style>'
        for name, display in (("hidden", "false"), ("shown", "true"))
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "style", "table", "text")
    )
    xml = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}>'
        f"<office:automatic-styles>{displays}{styles}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
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


def _ods_table(
    name: str, rows: Rows, style: str, marks: Marks, attributes: Mapping[int, str], after: str = ""
) -> str:
    lines = [""] * len(rows)
    for row, column, cell, _name in _cells(rows):
        lines[row] += _ods_cell(cell, (row, column), marks)
    written = "".join(
        f"<table:table-row {attributes.get(row, '')}>{cells}</table:table-row>"
        for row, cells in enumerate(lines)
    )
    return f'<table:table table:name="{name}" table:style-name="{style}">{written}{after}</table:table>'


def _ods_cell(cell: Cell, place: Place, marks: Marks) -> str:
    if isinstance(cell, Xml):
        return cell
    about = "".join(
        f' table:number-rows-spanned="{last[0] - first[0] + 1}"'
        f' table:number-columns-spanned="{last[1] - first[1] + 1}"'
        for first, last in marks.spans()
        if first == place
    )
    about += ' table:style-name="ce1"' * (name_of(*place) in marks.struck)
    if cell == "":
        return f"<table:table-cell{about}/>"
    kind = "string" if isinstance(cell, str | list) else f'float" office:value="{cell}'
    note = _ods_note(marks.notes.get(name_of(*place)))
    text = f"<text:p>{_ods_text(cell)}</text:p>"
    return f'<table:table-cell{about} office:value-type="{kind}">{note}{text}</table:table-cell>'


def _ods_text(cell: Cell) -> str:
    if isinstance(cell, list):
        gone = '<text:span text:style-name="gone">{}</text:span>'
        return "".join(gone.format(text) if is_gone else text for text, is_gone in cell)
    return escape(str(cell))


def _ods_note(text: str | None) -> str:
    if text is None:
        return ""
    first, *others = escape(text).replace("\t", "<text:tab/>").split("\n")
    creator = '<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">STOP Eve</dc:creator>'
    said = (
        f"<text:p><text:span>{first}</text:span></text:p><text:p>{'<text:line-break/>'.join(others)}</text:p>"
    )
    return f"<office:annotation>{creator}{said}</office:annotation>"


def in_every_kind(rows: list[list[str]]) -> dict[str, bytes]:
    """The same sheet, its header first, in files of all kinds that have cells."""
    frame = pd.DataFrame(rows[1:], columns=rows[0])
    people = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    csv = {sign: frame.to_csv(index=False, sep=sign) for sign in ",;\t|"}
    return {
        **{f"csv with {sign}": text.encode() for sign, text in csv.items()},
        "csv": frame.to_csv(index=False, quoting=QUOTE_ALL).encode(),
        "tabs in utf-16": csv["\t"].encode("utf-16"),
        "json": json.dumps(people).encode(),
        "json lines": b"\n".join(json.dumps(person).encode() for person in people),
        "parquet": frame.to_parquet(index=False),
        "xlsx": xlsx_of(rows),
        "xls": xls_of(rows),
        "ods": ods(rows),
    }


def card(*lines: str, version: str = "3.0") -> str:
    """A business card that says this."""
    return "\n".join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])
