"""Header rows of twenty-odd languages, with cells as sheets have them (tests/vectors/header_rows.csv)."""

from __future__ import annotations

import pandas as pd
from each import each
from vector_files import vectors

from dashboard.contacts import guess_columns

CELLS = {
    "mobile": ["07911 123456", "07911 223457", "07700 123457"],
    "landline": ["020 7946 0991", "020 7946 0992", "020 7946 0993"],
    "name": ["Ann", "Bob", "Eve"],
    "country": ["GB", "FR", "GB"],
    "answer": ["yes", "no", "yes"],
    "id": ["100231", "100232", "100233"],
    "date": ["2026-01-05", "2026-01-06", "2026-01-07"],
    "barcode": ["5012345678900", "5012345678917", "5012345678924"],
    "postcode": ["01310-100", "01310-200", "01310-300"],
    "amount": ["12.50", "13.00", "2.00"],
    "blank": ["", "", ""],
}


@each("case", vectors("header_rows.csv"))
def test_header_row(case: dict[str, str]) -> None:
    named = zip(case["columns"].split("|"), case["cells"].split("|"), strict=True)
    guessed = guess_columns(pd.DataFrame({name: CELLS[kind] for name, kind in named}))
    assert "|".join(guessed.phones) == case["phones"]
    several = [("consent", guessed.consents), ("opt_out", guessed.opt_outs)]
    found = {*guessed.fields.items(), *((field, column) for field, of in several for column in of)}
    assert {f"{field}={column}" for field, column in found} == set(filter(None, case["fields"].split("|")))
