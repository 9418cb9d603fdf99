"""The look at all tags of a worksheet at once says the same as a look at each, or says that it cannot."""

from __future__ import annotations

from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts.read.workbook.scan import FAR, last_used

TEXTS = st.sampled_from(["", "<v>1</v>", "<is><t>row r=9 &lt;c r=</t></is>", "<f>SUM(A1:C9)</f>"])
BETWEEN = st.sampled_from(["", "<cols><col min='1'/></cols>", "<conditionalFormatting/>", "<rPh sb='0'/>"])
CELLS = st.lists(st.tuples(st.integers(1, 16_384), TEXTS), max_size=4)


def letters(column: int) -> str:
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


@given(st.lists(st.tuples(st.integers(1, 1_048_576), CELLS, BETWEEN), max_size=6), BETWEEN)
def test_the_last_row_and_column_in_use_are_found(
    rows: list[tuple[int, list[tuple[int, str]], str]], head: str
) -> None:
    xml = head
    for row, cells, between in rows:
        tags = "".join(f'<c r="{letters(column)}{row}" s="1">{text}</c>' for column, text in cells)
        xml += f'<row r="{row}" spans="1:3">{tags}</row>{between}'
    expected_column = max((column for _, cells, _ in rows for column, _ in cells), default=0)
    assert last_used(xml.encode()) == (max((row for row, _, _ in rows), default=0), expected_column)


@each(
    "tag",
    [
        *('<c s="1" r="XFD9"/>', "<c r='XFD9'/>", '<c  r="XFD9"/>', '<c\nr="XFD9"/>', '<c r ="XFD9"/>'),
        *('<x:c r="XFD9"/>', "<c/>", '<row spans="1:2" r="9">', '<x:row r="9">', "<row>"),
        *(f'<c r="{reference}"/>' for reference in ("xfd1", "Xfd1", "$A1", "", "A")),
    ],
)
def test_a_tag_that_is_written_otherwise_is_not_guessed_at(tag: str) -> None:
    assert last_used(f'<row r="1"><c r="A1"/></row>{tag}'.encode()) is None


def test_more_signs_than_a_worksheet_has_are_far() -> None:
    assert last_used(b'<c r="ABCDE1"/>') == (0, FAR)
    assert last_used(b'<c r="A1"/>') == (0, 1)
    assert last_used(b'<row r="123456789"/>') == (FAR, 0)
    assert last_used(b'<row r="1048577"/>') == (1_048_577, 0)
    assert last_used(b"") == (0, 0)
