"""The look at all tags of a worksheet at once says the same as a look at each, or says that it cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts.read.workbook.scan import FAR, last_used

COLUMNS = st.integers(1, 16_384)
ROWS = st.integers(1, 1_048_576)
TEXTS = st.sampled_from(["", "<v>1</v>", "<is><t>row r=9 &lt;c r=</t></is>", "<f>SUM(A1:C9)</f>"])
BETWEEN = st.sampled_from(["", "<cols><col min='1'/></cols>", "<conditionalFormatting/>", "<rPh sb='0'/>"])


def letters(column: int) -> str:
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


@given(
    st.lists(st.tuples(ROWS, st.lists(st.tuples(COLUMNS, TEXTS), max_size=4), BETWEEN), max_size=6), BETWEEN
)
def test_the_last_row_and_column_in_use_are_found(
    rows: list[tuple[int, list[tuple[int, str]], str]], head: str
) -> None:
    xml = head
    for row, cells, between in rows:
        tags = "".join(f'<c r="{letters(column)}{row}" s="1">{text}</c>' for column, text in cells)
        xml += f'<row r="{row}" spans="1:3">{tags}</row>{between}'
    expected_column = max((column for _, cells, _ in rows for column, _ in cells), default=0)
    assert last_used(xml.encode()) == (max((row for row, _, _ in rows), default=0), expected_column)


@pytest.mark.parametrize(
    "tag",
    [
        *('<c s="1" r="XFD9"/>', "<c r='XFD9'/>", '<c  r="XFD9"/>', '<c\nr="XFD9"/>', '<c r ="XFD9"/>'),
        *('<x:c r="XFD9"/>', "<c/>", '<row spans="1:2" r="9">', '<x:row r="9">', "<row>"),
    ],
)
def test_a_tag_that_is_written_otherwise_is_not_guessed_at(tag: str) -> None:
    assert last_used(f'<row r="1"><c r="A1"/></row>{tag}'.encode()) is None


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("ABCDE1", (0, FAR)),
        ("A1", (0, 1)),
        ("xfd1", None),
        ("Xfd1", None),
        ("$A1", None),
        ("", None),
        ("A", None),
    ],
)
def test_other_references_are_far_or_not_guessed_at(reference: str, expected: tuple[int, int] | None) -> None:
    assert last_used(f'<c r="{reference}"/>'.encode()) == expected


def test_more_digits_than_a_worksheet_has_are_far() -> None:
    assert last_used(b'<row r="123456789"/>') == (FAR, 0)
    assert last_used(b'<row r="1048577"/>') == (1_048_577, 0)
    assert last_used(b"") == (0, 0)
