"""What real programs export: columns as documented, people who agreed, who refused, and without a phone."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from doors import both_doors, comparable
from each import each
from tiers import only_deep

from dashboard.contacts import Sheet, clean_contacts, guess_columns, read_sheet

EXPORTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "exports.json").read_text("utf-8")
)
"""By program. `own` are columns that people add, such as questions of forms, or that no documentation at hand
names; `is` is each person's verdict: ok, opted_out, empty (no phone), or held for a person to look at."""
KINDS = {
    "crm",
    "shop",
    "newsletter",
    "phone book",
    "event",
    "payments",
    "form",
    "charity",
    "booking",
    "school",
}
FEWEST_PROGRAMS = 25
HELD = {"review", "opted_out"}


def columns_of(export: dict[str, Any]) -> list[str]:
    named: list[str] = export["columns"].split(" | ")
    return named


def content(export: dict[str, Any]) -> str:
    """The file as the program writes it; every column is there, also those nobody filled in."""
    people = export["people"]
    if export.get("as") == "vcf":
        return "\r\n".join(line for person in people for line in person["lines"])
    if export.get("as") == "json":
        return json.dumps([person["cells"] for person in people])
    text = io.StringIO()
    writer = csv.DictWriter(text, columns_of(export), restval="", delimiter=export.get("delimiter", ","))
    writer.writeheader()
    writer.writerows(person["cells"] for person in people)
    return text.getvalue()


def as_csv(sheet: Sheet, path: Path) -> Path:
    sheet.frame.to_csv(path, index=False)
    return path


def written(export: dict[str, Any], folder: Path) -> Sheet:
    path = folder / f"contacts.{export.get('as', 'csv')}"
    path.write_text(content(export), encoding="utf-8", newline="")
    return read_sheet(path)


@each("export", EXPORTS)
def test_columns_of_an_export_are_known(export: dict[str, Any], tmp_path: Path) -> None:
    found = guess_columns(written(export, tmp_path))
    assert list(found.phones) == export["phones"]
    assert {name: found.fields.get(name) for name in export["names"]} == export["names"]


WIDEST_FIRST = sorted(EXPORTS, key=lambda export: len(export.get("columns", "")), reverse=True)
ONE_OF_EACH_KIND = list({export["kind"]: export for export in WIDEST_FIRST}.values())
"""The narrowest of each, for columns take the time."""


@pytest.mark.parametrize(
    "export",
    [*ONE_OF_EACH_KIND, *only_deep(*(export for export in EXPORTS if export not in ONE_OF_EACH_KIND))],
    ids=lambda export: export["program"],
)
def test_an_export_is_read_right(export: dict[str, Any], tmp_path: Path) -> None:
    contacts = clean_contacts(written(export, tmp_path), country="GB")
    wanted = [person["is"] for person in export["people"]]
    statuses = contacts.rows["status"].astype("str").tolist()
    assert [
        "held" if want == "held" and got in HELD else got for want, got in zip(wanted, statuses, strict=True)
    ] == wanted
    numbers = contacts.rows["phone"].astype("object").where(contacts.rows["phone"].notna(), None)
    assert numbers.tolist() == [person.get("phone") for person in export["people"]]


@pytest.mark.deep
@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export["program"])
def test_an_export_is_read_alike_by_both_doors(export: dict[str, Any], tmp_path: Path) -> None:
    sheet = written(export, tmp_path)
    contacts = clean_contacts(sheet, country="GB")
    kept, streamed = both_doors(as_csv(sheet, tmp_path / "list.csv"), country="GB")
    told = ["phone", "status", "problem", "other_phones"]
    assert comparable(kept.rows)[told].equals(comparable(contacts.rows)[told])
    assert comparable(kept.rows).equals(streamed)


def test_every_kind_of_program_is_tried_with_everybody() -> None:
    assert {export["kind"] for export in EXPORTS} == KINDS
    programs = [export["program"] for export in EXPORTS]
    assert len(programs) == len(set(programs)) >= FEWEST_PROGRAMS
    for export in EXPORTS:
        assert {"opted_out", "empty"} < {person["is"] for person in export["people"]}, export["program"]
        assert export["source"], export["program"]
        if "own" in export:
            assert set(export["own"].split(" | ")) <= set(columns_of(export)), export["program"]


@pytest.mark.parametrize(
    ("name", "status"),
    [("subscribed_members_export_4f2a.csv", "ok"), ("unsubscribed_members_export_4f2a.csv", "review")],
)
def test_a_newsletter_programs_file_names_who_left_it_and_a_person_decides(
    name: str, status: str, tmp_path: Path
) -> None:
    mailchimp = next(export for export in EXPORTS if export["program"] == "Mailchimp")
    path = tmp_path / name
    path.write_text(content(mailchimp), encoding="utf-8", newline="")
    assert clean_contacts(read_sheet(path), country="GB").rows["status"].iloc[0] == status
