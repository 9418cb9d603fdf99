"""Files that we write: no formula in them runs, no digit is lost, and reading back gives the same."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import openpyxl
import pandas as pd
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.contacts import (
    checked,
    clean_contacts,
    guess_columns,
    read_sheet,
    rejects,
    write_csv,
    write_xlsx,
)

FRAME = pd.DataFrame(
    {
        "phone": ["+447400123456", "+33612345678"],
        "name": ['=HYPERLINK("http://example.com")', "Zoë"],
        "count": [447400123456, 7],
        "note": ["@cmd", None],
    }
)
# Control characters have no place in a workbook's XML, and surrogates none in UTF-8.
LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("=+-@'\"\\,;|\n#_ ")
TEXT = st.text(LETTERS, max_size=10)
NASTY = [
    *("'", "''=1", "'=1+1", "=1+1", "-5", "+44 7400 123456", "@a", "sep=;", "1e5", "00123", "1,5", "0"),
    *('"', '""', 'a\\"b', ', "x"', "a, ", "\\", " lead", "trail ", "two\nlines", "a;b;c", "<b>&amp;"),
    *("TRUE", "_x0041_", "Total", "NA", "null", "#NAME?", "phone", "name", "2026-01-01", "x" * 300),
    *("👩\u200d👩\u200d👧", "\ufeffx", "\u202bרצה", "\u2028"),
]


def written(write: Callable[..., None], frame: pd.DataFrame) -> bytes:
    content = io.BytesIO()
    write(frame, content)
    return content.getvalue()


def as_texts(frame: pd.DataFrame) -> list[list[str]]:
    return frame.astype("object").where(frame.notna(), "").astype("str").to_numpy(dtype=object).tolist()


def csv_rows(frame: pd.DataFrame) -> list[list[str]]:
    return list(csv.reader(io.StringIO(written(write_csv, frame).decode("utf-8-sig"), newline="")))


def test_a_refusal_among_other_words_names_its_column_and_never_says_what_stands_there() -> None:
    sheet = read_sheet(
        pd.DataFrame(
            {
                "Mobile": ["07400 123456", "07400 223457", "07400 323458", "07400 123456"],
                "Notes": ["wonders whether to opt out, ask Zork", "", "VIP", ""],
                "Tags": ["zork dnc zork", "zork dnc zork", "", ""],
            }
        )
    )
    contacts = clean_contacts(sheet, country="GB")
    reasons = rejects(contacts, sheet)["explanation"].tolist()
    assert [reason.rpartition("Look in ")[2] for reason in reasons[:2]] == ["“Notes”, “Tags”.", "“Tags”."]
    assert "Look in" not in reasons[2], "it is noted in another row"
    assert "zork" not in " ".join(reasons).lower()
    assert checked(contacts, sheet)["explanation"].isna().tolist() == [False, False, True, False]


def test_every_cell_of_a_workbook_is_text() -> None:  # cases 123 and 124
    sheet = openpyxl.load_workbook(io.BytesIO(written(write_xlsx, FRAME))).active
    cells = [cell for row in sheet.iter_rows(min_row=2) for cell in row if cell.value is not None]
    assert {(cell.data_type, cell.number_format) for cell in cells} == {("s", "@")}
    assert [cell.value for cell in sheet["A"]] == ["phone", "+447400123456", "+33612345678"]
    assert sheet["B2"].value == '=HYPERLINK("http://example.com")'
    assert sheet["C2"].value == "447400123456"


def test_a_phone_stays_raw_in_csv_and_a_formula_does_not() -> None:  # cases 125 and 126
    frame = pd.DataFrame({"phone": ["+447400123456"], "=sum": ["=1+1"]})
    assert csv_rows(frame) == [["phone", "'=sum"], ["+447400123456", "'=1+1"]]


def test_files_can_be_given_by_path_and_the_same_frame_gives_the_same_workbook(tmp_path: Path) -> None:
    write_csv(FRAME, tmp_path / "out.csv")
    write_xlsx(FRAME, tmp_path / "out.xlsx")
    for name in ("out.csv", "out.xlsx"):
        assert read_sheet(tmp_path / name).frame["phone"].tolist() == FRAME["phone"].tolist()
    assert (tmp_path / "out.xlsx").read_bytes() == written(write_xlsx, FRAME)


def test_rows_are_as_typed_beside_their_verdict_and_rejects_say_why() -> None:
    sheet = read_sheet(b"List\n\nphone,name\n07400 123456,Ann\n020 7946 0991,Eve\n4.4E+11,=1+1\n")
    contacts = clean_contacts(sheet, country="GB")
    table = checked(contacts, sheet)
    assert table[["row", "phone", "phone#2", "status"]].to_numpy().tolist()[:2] == [
        [4, "07400 123456", "+447400123456", "ok"],
        [5, "020 7946 0991", "+442079460991", "invalid"],
    ]
    assert table["explanation"].isna().tolist() == [True, False, False]
    table = rejects(contacts, sheet)
    assert table[["row", "phone", "name", "problem"]].to_numpy().tolist() == [
        [5, "020 7946 0991", "Eve", "landline"],
        [6, "4.4E+11", "=1+1", "digits_lost"],
    ]
    assert table["explanation"].iloc[0] == "This is a landline, which does not take text messages."


@settings(max_examples=draws(100, 2))
@given(st.lists(TEXT | st.sampled_from(NASTY), min_size=1, max_size=8))
@example(NASTY)
@example(["0", "1"])
def test_our_own_files_give_the_same_rows_and_verdicts_when_they_are_read_again(texts: list[str]) -> None:
    for table, phone in exports(texts):
        back = read_sheet(written(write_csv, table))
        assert (list(back.frame), as_texts(back.frame)) == (list(table), as_texts(table))
        if texts == NASTY:
            assert as_texts(read_sheet(written(write_xlsx, table)).frame) == as_texts(table)
            phones = clean_contacts(back, country="GB").rows["phone"].dropna().tolist()
            assert phones == table[phone].dropna().tolist()
            assert "row" not in guess_columns(back).columns


def test_what_others_typed_stays_and_our_own_rejects_are_restored() -> None:
    sheet = read_sheet(b"phone,name\n'+447400123456,'=x\n")
    assert sheet.frame.to_numpy().tolist() == [["'+447400123456", "'=x"]]
    sheet = read_sheet(b"phone,=head\n020 7946 0991,=1+1\n+44 20 7946,'-x\n")
    table = rejects(clean_contacts(sheet, country="GB"), sheet)
    back = read_sheet(written(write_csv, table)).frame
    assert list(back) == list(table)
    assert back["=head"].tolist() == ["=1+1", "'-x"]


def exports(texts: Sequence[str]) -> list[tuple[pd.DataFrame, str]]:
    """What is written of a list that has each text in a row, with the column of the numbers found."""
    phones = [f"07400 {123456 + n * n * 7919 % 800000}" for n in range(len(texts))]
    others = {"020 7946 0991": "a landline", "07400 999999": "sendable, whatever the others say"}
    sheet = read_sheet(pd.DataFrame({"phone": [*phones, *others], "note": [*texts, *others.values()]}))
    guess = guess_columns(sheet)  # which asks about notes such as 0 and 1
    columns = guess.answered({question.column: "nothing" for question in guess.questions})
    contacts = clean_contacts(sheet, country="GB", columns=columns)
    return [(checked(contacts, sheet), "phone#2"), (contacts.sendable, "phone")]


@settings(max_examples=draws(100, 10))
@given(st.lists(TEXT.filter(bool), min_size=1, max_size=5))
def test_what_is_written_to_a_workbook_is_what_is_read(texts: list[str]) -> None:
    frame = pd.DataFrame({"phone": [f"+4474001234{n:02}" for n in range(len(texts))], "text": texts})
    workbook = openpyxl.load_workbook(io.BytesIO(written(write_xlsx, frame)))
    assert [value for (value,) in workbook.active.iter_rows(2, None, 2, 2, True)] == texts
