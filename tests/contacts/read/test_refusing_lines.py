"""A line such as "STOP" among the first rows is no header, and nobody above it is lost."""

from __future__ import annotations

import pytest

from dashboard.contacts import clean_contacts, read_sheet

LINES = ["STOP", "Do not text", "Unsubscribed:", "Removed", "Opt-outs", "Stop list", "Bajas"]


def rows(first: int, last: int) -> list[str]:
    return [f"Ann{n},+4474{(n + 500) * 77_773 % 10**8:08d}" for n in range(first, last)]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("above", [0, 1, 2, 5, 12])
def test_a_line_that_refuses_is_never_a_header(line: str, above: int) -> None:
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
