"""Layouts of real exports (tests/vectors/layouts): header, rows and phone columns, in order."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from dashboard.contacts import clean_contacts, read_sheet

VECTORS = Path(__file__).parents[2] / "vectors"
with (VECTORS / "layouts.csv").open(encoding="utf-8", newline="") as file:
    LAYOUTS = list(csv.DictReader(file))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout["file"])
def test_a_real_layout_is_read_right(layout: dict[str, str]) -> None:
    sheet = read_sheet(VECTORS / "layouts" / layout["file"])
    assert sheet.header_row == (int(layout["header_row"]) if layout["header_row"] else None)
    assert sheet.rows.tolist() == [int(row) for row in layout["rows"].split()]
    contacts = clean_contacts(sheet, country="GB")
    assert list(contacts.how.columns.phones) == layout["phones"].split(" | ")
    assert contacts.rows["phone"].dropna().tolist() == layout["numbers"].split()


def test_every_layout_is_tried() -> None:
    assert {path.name for path in (VECTORS / "layouts").iterdir()} == {layout["file"] for layout in LAYOUTS}
