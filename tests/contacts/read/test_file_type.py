"""What a file is, whatever its name says: web pages and XML are no sheets; what looks like them may be."""

from __future__ import annotations

import codecs

import pytest
from each import each

from dashboard.contacts import read_sheet
from dashboard.errors import SheetError

TABLE = "<table><tr><td>phone</td></tr><tr><td>07400 123456</td></tr></table>"
MIME = "Content-Type: multipart/related;\r\n\tboundary=x\r\n\r\n--x\r\n" + TABLE
NO_SHEETS = [
    *(f"<!-- exported, by; a\tshop -->\n{TABLE}", f'<meta charset="utf-8">{TABLE}', f"<META a=1>\n{TABLE}"),
    *(f"<style>td, th {{mso-number-format:'@'}}</style>{TABLE}", f"<head><title>A, B</title></head>{TABLE}"),
    *(f"<div>\n\t{TABLE}</div>", f"<title>People, 2026</title>\n{TABLE}", f"<b>People; all</b><br>{TABLE}"),
    *(f"<script>var a, b</script>{TABLE}", f"<center>{TABLE}</center>", f"<font size=2>People</font>{TABLE}"),
    *(TABLE, TABLE.upper(), f"<tr><td>phone, mobile</td></tr>{TABLE}", f"<br />\n<b>Error</b>: a{TABLE}"),
    *(f"<!DOCTYPE html>{TABLE}", f"<html>{TABLE}", f"<body>\t{TABLE}", f"<h1>People, all</h1>{TABLE}"),
    '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook><Worksheet/></Workbook>',
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="People"/></Workbook>',
    '<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
    '<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"/>',
    "<contacts>\n  <contact><phone>07400 123456</phone></contact>\n</contacts>",
    "<contacts count='2'><contact phone='07400 123456'/></contacts>",
    f"MIME-Version: 1.0\r\n{MIME}",
    MIME,
    f"From: <Saved by Blink>\r\nSubject: People\r\n of ours, 2026\r\nMIME-Version: 1.0\r\n{MIME}",
    f"From: <Saved by WebKit>\nDate: Tue, 5 May 2026 10:00:00 -0000\n{MIME}",
    f"--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{TABLE}",
    f"content-type: text/html\n\n{TABLE}",
    *(
        f"People of 5 May\n{TABLE}",
        f"Export:\r\n\r\n<!DOCTYPE html>{TABLE}",
        f"Customers {TABLE}",
        "A\n<table>\n<thead>",
    ),
    *(f"<!-- a -->\nPeople, all\n{TABLE}", "<!-- a -->\n<contacts/>", f"<p>Ann</p>, and\n{TABLE}"),
    *("Done.\n<html><head><title>A, B</title></head></html>", f"<p>\t<b>People</b>\t{TABLE}"),
]
WRITTEN = {
    "utf-8": b"",
    "cp1252": b" \r\n\t",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-16_le": b"",
}


@each("page", NO_SHEETS)
def test_a_web_page_is_refused_whatever_it_begins_with(page: str) -> None:
    for encoding, before in WRITTEN.items():
        with pytest.raises(SheetError, match="This is a web page or XML saved under the name of a sheet"):
            read_sheet(before + page.encode(encoding))


SHEETS = [
    *("<phone>,<name>\n07400 123456,Ann\n", "<table>;<phone>\n5;07400 123456\n", "<title>\t<phone>\nMs\t1\n"),
    *("<b>phone</b>,<b>name</b>\n07400 123456,Ann\n", "<18,phone\nyes,07400 123456\n"),
    *("< 5 visits,phone\nno,07400 123456\n", "<First Name>|<Phone>\nAnn|1\n", "<3 name,phone\nAnn,1\n"),
    *('<a href="x">name</a>;phone\nAnn;07400 123456\n', "<phone>\n07400 123456\n", "<<name>>,<tel>\nA,1\n"),
    *("From: name,phone\nAnn,07400 123456\n", "Subject: people\nname,phone\nAnn,07400 123456\n"),
    *("<table>\tphone\n5\t07400 123456\n", "<mailto:a@example.com>,phone\nx,07400 123456\n"),
    *("<tel:0>;phone\nx;1\n", "<!-- names -->,Phone\nAnn,1\n", "<!-- a --> |Phone\nAnn|1\n"),
    *("Mime-Version: 1.0,phone\nx,07400 123456\n", "Content-Type: text/html;phone\nx;07400 123456\n"),
    *("<p>\t<br>\tphone\nx\ty\t07400 123456\n", "<phone>,<html>\n07400 123456,<b>Ann</b>\n"),
    *(f"phone,page\n07400 123456,{TABLE}\n", f'"page",phone\n"{TABLE}",07400 123456\n'),
    *(
        "<p>Ann</p>,07400123456\n<p>Bob</p>,07400235671\n",
        "<div>name</div>\t<p>phone</p>\nAnn\t07400 123456\n",
    ),
    *("<!-- exported -->\nname,phone\nAnn,07400 123456\n", "<p>Ann Lee</p> ; 07400123456\nBob;07400235671\n"),
    *("MIME-Version,phone\n1,07400 123456\n", "Content-Type: any\tphone\n1\t07400 123456\n"),
]


@each("text", SHEETS)
def test_a_sheet_whose_first_cell_looks_like_a_tag_is_read(text: str) -> None:
    sheet = read_sheet(text.encode())
    assert sheet.titles[0] in text.split("\n")[sheet.header_row - 1 if sheet.header_row else 0]
    assert len(sheet.frame) == text.count("\n") - (sheet.header_row or 0)


def test_markup_inside_records_and_cards_makes_no_page_of_them() -> None:
    from_json = read_sheet(b'[{"name": "<html>Ann", "phone": "07400 123456"}]')
    from_card = read_sheet(b"BEGIN:VCARD\nFN:<table>\nTEL:1\nNOTE:MIME-Version: 1.0\nEND:VCARD\n")
    assert (from_json.frame["name"][0], from_card.frame["full name"][0]) == ("<html>Ann", "<table>")
