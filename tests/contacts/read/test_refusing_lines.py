"""A line such as "STOP" among the first rows is no header, and nobody above it is lost."""

from __future__ import annotations

import pytest
from each import each
from one_sheet import phones
from tiers import only_deep

from dashboard.contacts import clean_contacts, read_sheet

LINES = ["STOP", "Do not text", "Unsubscribed:", "Removed", "Opt-outs", "Stop list", "Bajas"]


def rows(first: int, last: int) -> list[str]:
    return [f"Ann{n},{phone}" for n, phone in enumerate(phones(last))][first:]


ABOVE = [0, 1, 2, 5, 12]


@pytest.mark.parametrize("first", [0, *only_deep(1, 2, 3, 4)])
@each("place, line", enumerate(LINES))
def test_a_line_that_refuses_is_never_a_header(place: int, line: str, first: int) -> None:
    above = ABOVE[(first + place) % len(ABOVE)]
    content = "\n".join([*rows(0, above), f"{line},", *rows(above, above + 3)])
    contacts = clean_contacts(read_sheet(content.encode()), country="GB")
    status = contacts.rows["status"].tolist()
    assert status[:above] == ["ok"] * above
    assert "ok" not in status[above:]
    assert len(status) == above + 4


@pytest.mark.parametrize("header", ["Name,Mobile", "Opt out,Phone"])
def test_no_header_has_phones_above_it(header: str) -> None:
    content = "\n".join([*rows(0, 4), header, *rows(4, 7)])
    assert len(clean_contacts(read_sheet(content.encode()), country="GB").rows) == 8
