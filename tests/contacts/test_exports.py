"""What real programs export: columns as documented, people who agreed, who refused, and without a phone."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from doors import both_doors, comparable
from each import each
from vector_files import VECTORS, exported_headers

from dashboard.contacts import ContactList, Sheet, clean_contacts, guess_columns, read_sheet
from dashboard.contacts.columns.rules import Role
from dashboard.contacts.words.spelling import joined

EXPORTS: list[dict[str, Any]] = json.loads((VECTORS / "exports.json").read_text("utf-8"))
"""By program. `own` are columns that people add, such as questions of forms, or that no documentation at hand
names; `asks` are those of which somebody has to say what they mean, and the answer. `is` is each person's
verdict once that is said: ok, opted_out, empty (no phone), or held for a person to look at."""
HELD = {"review", "opted_out"}


def content(export: dict[str, Any]) -> str:
    """The file as the program writes it; every column is there, also those nobody filled in."""
    people = export["people"]
    if export.get("as") == "vcf":
        return "\r\n".join(line for person in people for line in person["lines"])
    if export.get("as") == "json":
        return json.dumps([person["cells"] for person in people])
    text = io.StringIO()
    writer = csv.DictWriter(text, export["columns"].split(" | "), delimiter=export.get("delimiter", ","))
    writer.writeheader()
    writer.writerows(person["cells"] for person in people)
    return text.getvalue()


def written(export: dict[str, Any], folder: Path) -> Sheet:
    path = folder / f"contacts.{export.get('as', 'csv')}"
    path.write_text(content(export), encoding="utf-8", newline="")
    return read_sheet(path)


WIDEST_FIRST = sorted(EXPORTS, key=lambda export: len(export.get("columns", "")), reverse=True)
ONE_OF_EACH_KIND = list({export["kind"]: export for export in WIDEST_FIRST}.values())
"""The narrowest of each, for columns take the time."""


def assert_right(export: dict[str, Any], contacts: ContactList) -> None:
    """Everybody has the verdict and the phone that they should have."""
    people = comparable(contacts.rows)
    held = [person["is"] == "held" for person in export["people"]]
    told = ["held" if hold and got in HELD else got for hold, got in zip(held, people["status"], strict=True)]
    assert told == [person["is"] for person in export["people"]]
    assert people["phone"].tolist() == [person.get("phone") or "" for person in export["people"]]


@each("export", EXPORTS)
def test_an_export_is_read_right(export: dict[str, Any], tmp_path: Path) -> None:
    """Its columns; and the people of one program of each kind: hundreds of headers, which take the time."""
    sheet = written(export, tmp_path)
    found = guess_columns(sheet)
    assert list(found.phones) == export["phones"]
    assert {name: found.fields.get(name) for name in export["names"]} == export["names"]
    assert [question.column for question in found.questions] == [*export.get("asks", {})]
    if export in ONE_OF_EACH_KIND:
        nobody_waits = found.answered(export.get("asks", {}))
        assert_right(export, clean_contacts(sheet, country="GB", columns=nobody_waits))
        if found.questions:
            assert clean_contacts(sheet, country="GB", columns=found).count("ok") == 0


@pytest.mark.deep
@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export["program"])
def test_an_export_is_read_alike_by_both_doors(export: dict[str, Any], tmp_path: Path) -> None:
    sheet = written(export, tmp_path)
    contacts = clean_contacts(sheet, country="GB")
    columns = guess_columns(sheet)
    answered = clean_contacts(sheet, country="GB", columns=columns.answered(export.get("asks", {})))
    assert_right(export, answered)
    sheet.frame.to_csv(tmp_path / "list.csv", index=False)
    kept, streamed = both_doors(tmp_path / "list.csv", country="GB")
    told = ["phone", "status", "problem", "other_phones"]
    assert comparable(kept.rows)[told].equals(comparable(contacts.rows)[told])
    assert comparable(kept.rows).equals(streamed)


def test_a_header_is_known_only_from_exports_that_the_tests_build() -> None:
    programs = {"Campaign Dashboard", *(export["program"] for export in EXPORTS)}
    for line in exported_headers():
        assert Role(line["role"])
        assert {*line["programs"].split("; ")} <= programs, line["title"]


@pytest.mark.deep
def test_a_program_that_nobody_has_documented_asks_a_few_questions(tmp_path: Path) -> None:
    """Each export as if the headers that only it has were unknown: one question is usual, six the most."""
    counts = []
    for export in EXPORTS:
        own = {joined(line["title"]) for line in exported_headers() if line["programs"] == export["program"]}
        frame = written(export, tmp_path).frame
        unknown = frame.rename(columns=lambda name, own=own: f"{name} zork" if joined(name) in own else name)
        counts.append(len(guess_columns(unknown).questions))
    assert median(counts) <= 1, counts
    assert max(counts) <= 6, counts
    assert sum(counts) > sum(len(export.get("asks", {})) for export in EXPORTS)
