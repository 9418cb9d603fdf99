"""Columns that say of each row what its phone is, or whose, by both doors."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws, only_deep

from dashboard.contacts import clean_contacts, clean_csv_stream, read_sheet

ONE, TWO = "07400 123456", "07400 123457"
NOT_OWN = ["Fax", "Work Fax", "Home fax", "Pager", "Mother", "Mum", "Assistant", "Emergency", "Next of kin"]
NOT_OWN += ["Nanny", "Zorkmid", "Mutter", "maman", "бабушка", "緊急", "Partner", "Ann"]
OWN = ["", "Mobile", "Work", "home", "* Mobile", "Main", "Other", "Cell", "mobil", "privat", "Self", "n/a"]
BESIDE = [
    ("Phone 1 - Value", "Phone 1 - Type"),
    ("Phone 1 - Value", "Phone 1 - Label"),
    ("Phone", "Phone Type"),
    ("Phone Number", "PhoneType"),
    ("Mobile", "Phone label"),
    ("Contact Mobile", "Contact Relationship"),
    ("Phone", "Number belongs to"),
    ("Telefon", "Telefon-Typ"),
    ("Mobile", "Relationship"),
]


@settings(deadline=None, max_examples=draws(150, 12))
@given(
    beside=st.sampled_from(BESIDE),
    label=st.sampled_from(NOT_OWN),
    own=st.sampled_from(OWN),
    is_first=st.booleans(),
)
def test_a_number_that_a_column_calls_somebody_elses_is_never_ok(
    beside: tuple[str, str], label: str, own: str, is_first: bool
) -> None:
    phone, head = beside
    names = [head, phone] if is_first else [phone, head]
    frame = pd.DataFrame({"Name": ["Ann", "Ben"], phone: [ONE, TWO], head: [label, own]})[["Name", *names]]
    rows = clean_contacts(frame, country="GB").rows
    assert rows["status"].tolist() == ["review", "ok"]
    assert rows["problem"].tolist()[0] == "labelled_otherwise"


def test_the_next_phone_of_the_row_is_tried() -> None:
    cells = {
        "Phone 1 - Type": "Home Fax",
        "Phone 1 - Value": ONE,
        "Phone 2 - Type": "Home",
        "Phone 2 - Value": TWO,
    }
    row = clean_contacts(pd.DataFrame([cells]), country="GB").rows.iloc[0]
    assert (row["status"], row["phone"], row["other_phones"]) == ("ok", "+447400123457", "+447400123456")


def test_a_type_of_something_else_and_the_relation_of_somebody_else_say_nothing() -> None:
    cells = {"Mobile": ONE, "Type": "VIP", "Relationship status": "married", "Next of kin": "Ben"}
    row = clean_contacts(pd.DataFrame([cells | {"Relationship": "Father"}]), country="GB").rows.iloc[0]
    assert (row["status"], row["phone"]) == ("ok", "+447400123456")


def test_the_types_of_a_list_of_phones_in_json() -> None:
    people = [
        {"name": "Ann", "phones": [{"type": "fax", "number": ONE}, {"type": "mobile", "number": TWO}]},
        {"name": "Ben", "phones": [{"type": "assistant", "number": "07400 223458"}]},
        {"name": "Cem", "phones": [{"type": "mobile", "number": "07400 323470"}]},
    ]
    rows = clean_contacts(read_sheet(json.dumps(people).encode()), country="GB").rows
    assert rows["status"].tolist() == ["ok", "review", "ok"]
    assert rows["phone"].tolist() == ["+447400123457", "+447400223458", "+447400323470"]


@pytest.mark.parametrize("place", [0, 4, *only_deep(*(n for n in range(len(BESIDE)) if n not in {0, 4}))])
def test_a_big_file_gets_the_same_verdicts(place: int, tmp_path: Path) -> None:
    source, target = tmp_path / "list.csv", tmp_path / "checked.parquet"
    with source.open("w", encoding="utf-8", newline="") as file:
        labels = enumerate(NOT_OWN + OWN)
        lines = [[f"07400 {123_456 + 7_919 * n:06d}", label, f"Ann {n}"] for n, label in labels]
        csv.writer(file).writerows([[*BESIDE[place], "Name"], *lines])
    sheet = clean_contacts(read_sheet(source), country="GB").rows
    clean_csv_stream(source, target, country="GB")
    streamed = pyarrow.parquet.read_table(target).to_pandas()
    assert streamed["status"].tolist() == sheet["status"].astype("str").tolist()
    assert sheet["status"].tolist() == ["review"] * len(NOT_OWN) + ["ok"] * len(OWN)
