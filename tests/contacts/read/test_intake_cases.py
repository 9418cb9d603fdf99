"""The acceptance cases of intake (tests/vectors/intake_cases.csv, word for word) through the public door.

A phone case says what becomes of a cell. `expected` is read as it stands: the number, the word for the
verdict, and what must be reported; test_phone_cells.py pins the codes and repairs of each cell besides. A
sheet or workbook case describes a file, an export case a cell that is written: the test that makes it says
which case it is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from each import each

from dashboard.contacts import ColumnMap, clean_contacts

with (Path(__file__).parents[2] / "vectors" / "intake_cases.csv").open(encoding="utf-8", newline="") as file:
    CASES = list(csv.DictReader(file))


def of(*groups: str) -> list[dict[str, str]]:
    return [case for case in CASES if case["group"] in groups]


# What the words after "reject:" and "warn" mean in our codes; every alternative a case allows is one of them.
CODES = {
    "digits lost": {"digits_lost"},
    "toll free/vanity, not a mobile": {"toll_free", "letters"},
    "premium rate": {"premium_rate"},
    "too short/emergency": {"too_short", "emergency"},
    "letters in number": {"letters"},
    "invalid in GB; hint valid in FR": {"other_country"},
    "hint valid in GB": {"other_country"},
    "date": {"date"},
    "spreadsheet error": {"spreadsheet_error"},
    "filler": {"filler"},
    "invalid/fictional": {"no_such_number", "for_fiction"},
}


def judged_phones() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Each phone case and its verdict, with all cases of a country in one sheet."""
    sheets: dict[str, list[dict[str, str]]] = {}
    for case in of("phone"):
        country = "GB" if case["context"].startswith("row country ") else case["context"]
        sheets.setdefault(country, []).append(case)
    for country, cases in sheets.items():
        own = [case["context"].partition("row country ")[2] for case in cases]
        frame = pd.DataFrame({"phone": [case["input"] for case in cases], "country": own})
        columns = ColumnMap(phones=("phone",), country="country")
        rows = clean_contacts(frame, country=country, columns=columns, keep="warn").rows
        rows = rows.astype("object").fillna("")
        rows.loc[rows["problem"] == "duplicate", ["status", "problem"]] = (
            "ok",
            "",
        )  # only rows that are ok else
        yield from zip(cases, rows.to_dict("records"), strict=True)


@each("case, judged", judged_phones())
def test_phone(case: dict[str, str], judged: dict[str, str]) -> None:
    verdict = re.split(r"[ :;\[]", case["expected"], maxsplit=1)[0]
    if verdict == "reject" and "landline" not in case["expected"]:
        assert (judged["status"], judged["problem"] in CODES[case["expected"][8:]]) == ("invalid", True)
    else:
        assert judged["status"] in STATUSES[verdict, "review" in case["expected"]]
    for number in re.findall(r"(?<!extra number )\+\d+", case["expected"]):
        assert judged["phone"] == number
    hint = re.search(r"valid in (..)$", case["expected"])
    assert hint is None or f"valid_in_{hint.group(1)}" in judged["repairs"]
    if "extra number" in case["expected"]:
        assert judged["other_phones"] == "+447911123457"
    if "fixed" in case["expected"]:
        assert judged["repairs"]
    if "warn country" in case["expected"]:
        assert judged["repairs"] == "country_differs"


STATUSES = {
    ("ok", False): {"ok"},
    ("ok", True): {"review"},
    ("review", True): {"review"},
    ("empty", False): {"empty"},
    ("reject", False): {"invalid"},
}


def test_every_case_of_a_file_has_a_test() -> None:
    room = Path(__file__).parent
    paths = [*room.glob("test_*.py"), room.parent / "test_contacts_export.py"]
    tests = [path.read_text("utf-8") for path in paths]
    named = re.findall(r"# cases? (\d+)(?: and (\d+))?$", "\n".join(tests), re.MULTILINE)
    cases = of("sheet", "workbook", "export")
    assert {case["id"] for case in cases} <= {number for numbers in named for number in numbers}
