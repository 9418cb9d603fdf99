"""Columns that say of each row what its phone is, or whose, by both doors."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from doors import both_doors, comparable
from each import each
from one_sheet import phones
from tiers import only_deep

from dashboard.contacts import clean_contacts, read_sheet

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


def people(phone: str, label: str, *, is_first: bool) -> pd.DataFrame:
    """Somebody with each label beside their phone, which comes first or second."""
    labels = NOT_OWN + OWN
    columns = {phone: phones(len(labels)), label: labels}
    names = [label, phone] if is_first else [phone, label]
    return pd.DataFrame({"Name": [f"Ann {place}" for place in range(len(labels))], **columns})[
        ["Name", *names]
    ]


@pytest.mark.parametrize("is_first", [False, *only_deep(True)])
@each("phone, label", BESIDE)
def test_a_number_that_a_column_calls_somebody_elses_is_never_ok(
    phone: str, label: str, *, is_first: bool
) -> None:
    rows = clean_contacts(people(phone, label, is_first=is_first), country="GB").rows
    assert rows["status"].tolist() == ["review"] * len(NOT_OWN) + ["ok"] * len(OWN)
    assert set(rows["problem"].dropna()) == {"labelled_otherwise"}


def test_a_big_file_gets_the_same_verdicts(tmp_path: Path) -> None:
    people(*BESIDE[0], is_first=True).to_csv(tmp_path / "list.csv", index=False)
    contacts, streamed = both_doors(tmp_path / "list.csv", country="GB")
    assert comparable(contacts.rows).equals(streamed)
    assert contacts.rows["status"].tolist() == ["review"] * len(NOT_OWN) + ["ok"] * len(OWN)


def test_the_next_phone_of_the_row_is_tried() -> None:
    cells = {"Phone 1 - Type": "Home Fax", "Phone 1 - Value": ONE, "Phone 2 - Type": "Home"}
    row = clean_contacts(pd.DataFrame([cells | {"Phone 2 - Value": TWO}]), country="GB").rows.iloc[0]
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
