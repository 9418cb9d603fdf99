"""A line such as "STOP" among the first rows is no header, and nobody above it is lost."""

from __future__ import annotations

from each import each
from one_sheet import phones

from dashboard.contacts import clean_contacts, read_sheet

LINES = ["STOP", "Do not text", "Unsubscribed:", "Removed", "Opt-outs", "Stop list", "Bajas"]
ABOVE = [0, 1, 2, 5, 12, 1, 2]


def people_around(above: int, line: str, below: int) -> bytes:
    people = [f"Ann{place},{phone}" for place, phone in enumerate(phones(above + below))]
    return "\n".join([*people[:above], line, *people[above:]]).encode()


@each("line, above", zip(LINES, ABOVE, strict=True))
def test_a_line_that_refuses_is_never_a_header(line: str, above: int) -> None:
    sheet = read_sheet(people_around(above, f"{line},", 3))
    assert (sheet.header_row, len(sheet.frame)) == (None, above + 4)


def test_whoever_stands_below_a_line_that_refuses_is_not_texted() -> None:
    people = iter(phones(2 * len(LINES) + 5))
    lines = [f"Ann,{next(people)}" for _ in range(5)]
    for line in LINES:
        lines += [f"{line},", f"Ann,{next(people)}", "Please text:,", f"Ann,{next(people)}"]
    status = clean_contacts(read_sheet("\n".join(lines).encode()), country="GB").rows["status"].tolist()
    assert status[:5] == ["ok"] * 5
    assert status[6::4] == ["opted_out"] * len(LINES)
    assert status[8::4] == ["ok"] * len(LINES)


@each("header", ["Name,Mobile", "Opt out,Phone"])
def test_no_header_has_phones_above_it(header: str) -> None:
    assert len(read_sheet(people_around(4, header, 3)).frame) == 8
