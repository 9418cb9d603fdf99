"""What a file is, whatever its name says: web pages and XML are no sheets; what looks like them may be.

tests/vectors/file_beginnings.jsonl has texts of both, each with what it is.
"""

from __future__ import annotations

import codecs

import pytest
from each import each
from vector_files import json_lines

from dashboard.contacts import read_sheet
from dashboard.errors import SheetError

BEGINNINGS = json_lines("file_beginnings.jsonl")
WRITTEN = {
    "utf-8": b"",
    "cp1252": b" \r\n\t",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-16_le": b"",
}


@each("page", [text for kind, text in BEGINNINGS if kind == "page"])
def test_a_web_page_is_refused_whatever_it_begins_with(page: str) -> None:
    for encoding, before in WRITTEN.items():
        with pytest.raises(SheetError, match="This is a web page or XML saved under the name of a sheet"):
            read_sheet(before + page.encode(encoding))


@each("text", [text for kind, text in BEGINNINGS if kind == "sheet"])
def test_a_sheet_whose_first_cell_looks_like_a_tag_is_read(text: str) -> None:
    sheet = read_sheet(text.encode())
    assert sheet.titles[0] in text.split("\n")[sheet.header_row - 1 if sheet.header_row else 0]
    assert len(sheet.frame) == text.count("\n") - (sheet.header_row or 0)


@pytest.mark.usefixtures("read_here")
def test_markup_inside_records_and_cards_makes_no_page_of_them() -> None:
    from_json = read_sheet(b'[{"name": "<html>Ann", "phone": "07400 123456"}]')
    for title in ("PARENT", "FEA1", "ORC", "GIF8", "MZ"):
        assert list(read_sheet(f"{title},phone\nx,1\n".encode()).frame) == [title, "phone"]
    from_card = read_sheet(b"BEGIN:VCARD\nFN:<table>\nTEL:1\nNOTE:MIME-Version: 1.0\nEND:VCARD\n")
    assert (from_json.frame["name"][0], from_card.frame["full name"][0]) == ("<html>Ann", "<table>")


@pytest.mark.usefixtures("read_here")
@each(
    "content, says",
    [
        (b"", "empty"),
        (b"  \n\r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a picture"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"PARE" + b"\x00\x01" * 9, "an encrypted Parquet file"),
        *((data + b"\x00\x01" * 9, "a data file") for data in (b"ARROW1\x00", b"FEA1", b"ORC", b"Obj\x01")),
        (b"PAR1\x00\x00", "Parquet file is damaged"),
        (b"PK\x03\x04 and so on", "damaged"),
        (b"dn: cn=Ann Lee,mail=ann@example.com\nobjectclass: top\nmobile: 1\n", "as CSV .* or vCard"),
        (b"# book\r\nversion: 1\r\n\r\ndn:: Y249QW5u\r\n IExlZQ==\r\ncn: Ann\r\n", "as CSV .* or vCard"),
    ],
)
def test_what_is_no_sheet_is_refused_in_a_sentence(content: bytes, says: str) -> None:
    with pytest.raises(SheetError, match=says) as refused:
        read_sheet(content)
    assert str(refused.value).endswith(".")


# BIFF2, BIFF3, BIFF4 and BIFF5
@each(
    "begin",
    [
        "0900 0400 0200 1000",
        "0902 0600 0000 1000 0000",
        "0904 0600 0000 1000 0000",
        "0908 0800 0005 1000 d310 cc07",
    ],
)
def test_a_worksheet_of_excel_2_to_5_is_refused_by_its_name(begin: str) -> None:
    with pytest.raises(SheetError, match=r"worksheet from before Excel 97\. Open it in your"):
        read_sheet(
            bytes.fromhex(begin) + b"\x04\x00\x0d\x00" + bytes(8) + b"phone\n07911123456\n" + bytes(40)
        )
