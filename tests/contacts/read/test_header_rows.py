"""Header rows of twenty-odd languages, with cells as sheets have them (tests/vectors/header_rows.csv)."""

from __future__ import annotations

from each import each
from header_forms import under
from vector_files import vectors

from dashboard.contacts import guess_columns


@each("case", vectors("header_rows.csv"))
def test_header_row(case: dict[str, str]) -> None:
    guessed = guess_columns(under(case))
    assert "|".join(guessed.phones) == case["phones"]
    several = [("consent", guessed.consents), ("opt_out", guessed.opt_outs)]
    found = {*guessed.fields.items(), *((field, column) for field, of in several for column in of)}
    assert {f"{field}={column}" for field, column in found} == set(filter(None, case["fields"].split("|")))
