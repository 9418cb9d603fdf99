"""What a phone cell gives, case by case (tests/vectors/phone_cells.csv), through `clean_contacts`.

Ids below 200 are the acceptance cases that the room was built for.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pandas as pd
import pytest

from dashboard.contacts import ColumnMap, clean_contacts

VECTORS = Path(__file__).parents[1] / "vectors" / "phone_cells.csv"
JUDGED = ["status", "phone", "problem", "repairs", "other_phones"]
COLUMNS = ColumnMap(phones=("phone",), country="country")


def unescape(text: str) -> str:
    """Invisible characters are written out in the vectors, so that people can see them."""
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match.group(1), 16)), text)


with VECTORS.open(encoding="utf-8", newline="") as file:
    CASES = list(csv.DictReader(file))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['input']}"[:40])
def test_phone_cell(case: dict[str, str]) -> None:
    frame = pd.DataFrame({"phone": [unescape(case["input"])], "country": [case["row_country"]]})
    contacts = clean_contacts(frame, country=case["country"] or None, columns=COLUMNS)
    judged = contacts.rows[JUDGED].astype("object").fillna("").iloc[0].to_dict()
    assert judged == {name: case[name] for name in JUDGED}


def test_cells_do_not_change_each_other() -> None:
    own_country = [case for case in CASES if case["country"] == "GB" and not case["row_country"]]
    cells = [unescape(case["input"]) for case in own_country]
    together = clean_contacts(
        pd.DataFrame({"phone": cells}), country="GB", columns=ColumnMap(phones=("phone",))
    )
    phones = together.rows["phone"].astype("object").fillna("").tolist()
    assert phones == [case["phone"] for case in own_country]
