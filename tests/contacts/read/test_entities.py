"""HTML codes in cells are read as their characters, by every door, and the rows are named."""

from __future__ import annotations

import json
from html import escape
from io import BytesIO
from pathlib import Path

import pandas as pd
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.campaigns import Hint, marketing_hints, parse_template
from dashboard.contacts import (
    OptOuts,
    clean_contacts,
    clean_csv_stream,
    correct_phones,
    join_contacts,
    read_sheet,
)
from dashboard.contacts.read.entities import decoded

CELLS = {
    "D&#039;Angelo": "D'Angelo",
    "D&#39;Angelo": "D'Angelo",
    "O&apos;Neill": "O'Neill",
    "O&rsquo;Neill": "O\u2019Neill",
    "M&amp;S": "M&S",
    "M&amp;amp;S": "M&S",
    "M&amp;amp;amp;amp;S": "M&S",
    "Jos&eacute;": "José",
    "Jos&#233;": "José",
    "Jos&#xE9;": "José",
    "Jos&#XE9;": "José",
    "D&amp;#039;Angelo": "D'Angelo",
    "Anna&nbsp;Maria": "Anna Maria",
    "&quot;Bob&quot;": '"Bob"',
    "R&amp;D": "R&D",
    "Fr&oslash;ya &Aring;s": "Frøya Ås",
    "&#128;5": "€5",
    "R&D": "R&D",
    "AT&T;": "AT&T;",
    "R&D;": "R&D;",
    "Q&A": "Q&A",
    "&c.": "&c.",
    "Marks & Spencer; York": "Marks & Spencer; York",
    "a&ampb": "a&ampb",
    "&amp": "&amp",
    "&nosuchname;": "&nosuchname;",
    "&#0;": "&#0;",
    "&#xD800;": "&#xD800;",
    "&#99999999;": "&#99999999;",
    "&#;": "&#;",
    "?a=1&b=2;c": "?a=1&b=2;c",
}


@each("cell, read", CELLS.items())
def test_a_code_is_read_as_its_character_and_anything_else_stays(cell: str, read: str) -> None:
    assert decoded(cell) == read


@settings(max_examples=draws(500, 40))
@given(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Cn")), max_size=30),
    st.integers(0, 4),
)
def test_what_was_escaped_comes_back_however_often(text: str, times: int) -> None:
    escaped = text
    for _time in range(times):
        escaped = escape(escaped)
    assert decoded(escaped) == decoded(text)
    assert decoded(decoded(text)) == decoded(text)


ROWS = [
    {"mobile": "&#43;44 7400 123456", "First name": "D&#039;Angelo", "Texts OK?": "yes"},
    {"mobile": "07400 183645", "First name": "R&D;", "Texts OK?": "yes"},
    {"mobile": "07400 183646", "First name": "&nbsp;", "Texts OK?": "N&atilde;o"},
    {"mobile": "07400 183647", "First name": "&nbsp;", "Texts OK?": "s&#237;"},
]


def as_xlsx(frame: pd.DataFrame) -> bytes:
    file = BytesIO()
    frame.to_excel(file, index=False)
    return file.getvalue()


@each(
    "source",
    [
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS).to_csv(index=False).encode(),
        pd.DataFrame(ROWS).to_csv(index=False, sep="\t").encode("utf-16"),
        as_xlsx(pd.DataFrame(ROWS)),
        json.dumps(ROWS).encode(),
        pd.DataFrame(ROWS).to_parquet(index=False),
    ],
)
def test_every_kind_of_sheet_is_read_alike(source: pd.DataFrame | bytes) -> None:
    sheet = read_sheet(source)
    first = int(sheet.rows.iloc[0])
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.fields["First name"].tolist() == ["D'Angelo", "R&D;", "", ""]
    assert contacts.rows["status"].tolist() == ["ok", "ok", "opted_out", "ok"]
    coded = contacts.rows["repairs"].str.contains("entities_decoded")
    assert coded.tolist() == [True, False, True, True]
    said = f"in 3 rows (row {first}, {first + 2}, {first + 3})"
    assert any(said in note for note in contacts.notes)


def test_a_big_file_is_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    path.write_text(pd.DataFrame(ROWS).to_csv(index=False))
    streamed = clean_csv_stream(path, tmp_path / "big.parquet", country="GB")
    contacts = clean_contacts(read_sheet(path), country="GB")
    rows = pd.read_parquet(tmp_path / "big.parquet")
    for column in ("status", "repairs"):
        assert rows[column].astype("str").tolist() == contacts.rows[column].astype("str").tolist()
    assert rows["First name"].tolist() == contacts.fields["First name"].tolist()
    assert streamed.notes == contacts.notes


def test_headers_are_read_too() -> None:
    sheet = read_sheet(b"T&eacute;l&eacute;phone,Pr&eacute;nom\n07400 123456,Ann\n07400 183645,Bea\n")
    assert list(sheet.frame.columns) == ["Téléphone", "Prénom"]
    assert clean_contacts(sheet, country="GB").rows["repairs"].str.contains("entities").sum() == 0


def test_a_card_is_read_too() -> None:
    card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ann D&#039;Angelo\nTEL:07400 123456\nEND:VCARD\n"
    assert (read_sheet(card.encode()).frame == "Ann D'Angelo").any(axis=None)


def test_the_repair_stays_with_a_row_that_is_corrected_or_joined() -> None:
    contacts = clean_contacts(pd.DataFrame(ROWS), country="GB")
    for later in (correct_phones(contacts, {2: "07400 183649"}), join_contacts({"Fair": contacts})):
        assert later.rows["repairs"].str.contains("entities_decoded").tolist() == [True, False, True, True]
        assert any("in 3 rows (row 2, 4, 5)" in note for note in later.notes)


@each("opt_outs", [["&#43;44 7400 123456"], "&#43;44 7400 123456", pd.Series(["&plus;44 7400 123456"])])
def test_an_opt_out_written_with_a_code_keeps_the_person_out(opt_outs: OptOuts) -> None:
    contacts = clean_contacts(pd.DataFrame(ROWS), country="GB", opt_outs=opt_outs)
    assert contacts.rows["status"].iloc[0] == "opted_out"


@each(
    "text, has",
    [
        ("Sale&nbsp;today", True),
        ("M&amp;S", True),
        ("M&amp;amp;S", True),
        ("It&#39;s on", True),
        ("Caf&eacute;", True),
        ("5 &lt; 6", True),
        ("&pound;5 off", True),
        ("{{name | D&#039;Angelo}}", True),
        ("Q&A; R&D; AT&T", False),
        ("M&S & co.", False),
        ("https://example.com/?a=1&b=2", False),
        ("this &that;", False),
    ],
)
def test_a_text_with_a_code_is_warned_of(text: str, has: bool) -> None:
    assert (Hint.HTML_CODE in marketing_hints(parse_template(text))) == has
