"""Every acceptance case of intake (tests/vectors/intake_cases.csv) has its test.

Those of cells are in phone_cells.csv, whose test pins verdict, codes and repairs of each. Those of files are
made by the test that says which case it is: of sheets, workbooks and what we write.
"""

from __future__ import annotations

import re
from pathlib import Path

from vector_files import json_lines, vectors

ROOM = Path(__file__).parent


def shown(text: str) -> str:
    """With its invisible characters written out, as in phone_cells.csv."""
    return "".join(char if char == " " or char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def test_every_case_of_a_cell_is_among_the_cells() -> None:
    listed = vectors("phone_cells.csv")
    cells = {(cell["input"], cell["country"], cell["row_country"]): cell for cell in listed}
    for case in vectors("intake_cases.csv"):
        if case["group"] == "phone":
            country, _, row_country = case["context"].partition("row country ")
            cell = cells[shown(case["input"]), country or "GB", row_country]
            number = re.match(r"(?:ok|review)\b\D*(\+\d+)", case["expected"])
            assert number is None or cell["phone"] == number[1], case
            assert case["expected"].startswith("reject") == (cell["status"] == "invalid"), case


def test_every_case_of_a_file_has_a_test() -> None:
    paths = [*ROOM.glob("test_*.py"), ROOM.parent / "test_contacts_export.py"]
    tests = [path.read_text("utf-8") for path in paths]
    named = re.findall(r"# cases? (\d+)(?: and (\d+))?$", "\n".join(tests), re.MULTILINE)
    named += [(case,) for *_text, case in json_lines("text_sheets.jsonl")]
    files = [case for case in vectors("intake_cases.csv") if case["group"] in {"sheet", "workbook", "export"}]
    assert {case["id"] for case in files} <= {number for numbers in named for number in numbers}
