"""A line such as "STOP" among the first rows is no header, and nobody above it is lost."""

from __future__ import annotations

from each import each
from one_sheet import phones

from dashboard.contacts import read_sheet

LINES = ["STOP", "Do not text", "Unsubscribed:", "Removed", "Opt-outs", "Stop list", "Bajas"]
ABOVE = [0, 1, 2, 5, 12, 1, 2]


def people_around(above: int, line: str, below: int) -> bytes:
    people = [f"Ann{place},{phone}" for place, phone in enumerate(phones(above + below))]
    return "\n".join([*people[:above], line, *people[above:]]).encode()


@each("line, above", zip(LINES, ABOVE, strict=True))
def test_a_line_that_refuses_is_never_a_header(line: str, above: int) -> None:
    sheet = read_sheet(people_around(above, f"{line},", 3))
    assert (sheet.header_row, len(sheet.frame)) == (None, above + 4)


@each("header", ["Name,Mobile", "Opt out,Phone"])
def test_no_header_has_phones_above_it(header: str) -> None:
    assert len(read_sheet(people_around(4, header, 3)).frame) == 8
