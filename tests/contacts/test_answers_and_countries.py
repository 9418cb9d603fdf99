"""What people write in consent, opt-out and country columns (answers.csv and country_names.csv)."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from dashboard.contacts import ColumnMap, clean_contacts

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> list[dict[str, str]]:
    with (VECTORS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ANSWERS = vectors("answers.csv")
NAMES = [
    (line["country"], name) for line in vectors("country_names.csv") for name in line["names"].split("|")
]
NATIONAL = {"DE": "0151 23456789", "FR": "06 12 34 56 78", "US": "(201) 555-0223", "GB": "07400 123456"}


def status(purpose: str, answer: str) -> str:
    frame = pd.DataFrame({"phone": ["07400 123456"], "said": [answer]})
    columns = ColumnMap(phones=("phone",), **{purpose: ("said",)})
    return str(clean_contacts(frame, country="GB", columns=columns).rows["status"].iloc[0])


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case["answer"])
def test_an_answer_in_a_consent_column_and_in_an_opt_out_column(case: dict[str, str]) -> None:
    assert status("consents", case["answer"]) == case["consent"]
    assert status("opt_outs", case["answer"]) == case["opt_out"]


@pytest.mark.parametrize(("country", "name"), NAMES)
def test_the_country_of_a_row_however_it_is_written(country: str, name: str) -> None:
    frame = pd.DataFrame({"phone": [NATIONAL[country]], "country": [name]})
    columns = ColumnMap(phones=("phone",), country="country")
    rows = clean_contacts(frame, country="IT", columns=columns).rows
    assert rows[["status", "country"]].to_numpy().tolist() == [["ok", country]]


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("SMS opt-in date", "2024-05-01", "ok"),
        ("Consent given at", "01/05/2024 10:30", "ok"),
        ("Einwilligung Datum", "31.12.2023", "ok"),
        ("SMS opt-in date", "2999-05-01", "review"),
        ("SMS opt-in date", "", "review"),
        ("SMS opt-in date", "2024-13-45", "review"),
        ("SMS opt-in date", "unsubscribed", "opted_out"),
        ("SMS consent", "2024-05-01", "review"),
        ("Consent withdrawn date", "2024-05-01", "review"),
    ],
)
def test_a_day_is_a_yes_only_where_the_column_says_when(column: str, cell: str, expected: str) -> None:
    frame = pd.DataFrame({"phone": ["07400 123456"], column: [cell]})
    contacts = clean_contacts(frame, country="GB", columns=ColumnMap(phones=("phone",), consents=(column,)))
    assert contacts.rows["status"].tolist() == [expected]
    assert len(contacts.sendable) == (expected == "ok")
