"""The look at all tags of a worksheet at once says the same as a look at each, or says that it cannot."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts.read.workbook.scan import last_used

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
