"""Frames have the columns and dtypes that the schema declares, and docs/columns.md says the same."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from each import each

from dashboard.contacts import (
    Sheet,
    checked,
    clean_contacts,
    clean_phones,
    guess_columns,
    read_sheet,
    rejects,
)
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.numbers.cells import judge_cells
from dashboard.contacts.read.sheet import sheet_of_frame
from dashboard.contacts.rows import declared
from dashboard.contacts.rows.evidence import evidence_in, numbers_told
from dashboard.contacts.rows.judgement import judge_rows
from dashboard.contacts.schema import SCHEMAS, Column

ROOT = Path(__file__).parents[2]
SHEET = b"mobile,name\n07400 123456,Ann\n07400 123456,Bob\n020 7946 0991,Eve\n,\n-,Zoe\n"


def sheets() -> Iterator[Sheet]:
    """One with rows of every kind, and one without any."""
    yield read_sheet(SHEET)
    yield sheet_of_frame(pd.DataFrame({"mobile": [], "name": []}, dtype="str"))


@each("sheet", sheets())
def test_frames_are_as_declared(sheet: Sheet) -> None:
    contacts = clean_contacts(sheet, country="GB")
    frames = {
        "clean_phones(...)": clean_phones(sheet.frame["mobile"], "GB"),
        "ContactList.rows": contacts.rows,
        "ContactList.evidence": contacts.evidence,
        "ContactList.questions": contacts.questions,
        "ContactList.sendable": contacts.sendable,
        "ContactList.summary()": contacts.summary(),
        "checked(...)": checked(contacts, sheet),
        "rejects(...)": rejects(contacts, sheet),
    }
    assert frames.keys() == SCHEMAS.keys()
    for name, columns in SCHEMAS.items():
        fixed = said(tuple(column for column in columns if column.name != "…"))
        assert {column: described(frames[name]).get(column) for column in fixed} == fixed, name
    assert list(contacts.rows) == [column.name for column in SCHEMAS["ContactList.rows"]]


@pytest.mark.parametrize("page", ["columns", "recognised_columns"])
def test_the_pages_about_columns_are_up_to_date(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = ROOT / "docs" / f"generate_{page}.py"
    monkeypatch.syspath_prepend(script.parent)
    monkeypatch.setattr(sys, "argv", [str(script), "--check"])
    with pytest.raises(SystemExit) as done:
        runpy.run_path(str(script), run_name="__main__")
    assert done.value.code == 0


@each("sheet", sheets())
def test_frames_between_the_steps_are_as_declared(sheet: Sheet) -> None:
    home = pd.Series(pd.Categorical(["GB"] * len(sheet.frame)))
    assert described(judge_cells(sheet.frame["mobile"], home, TEXTABLE, ())) == said(declared.CELLS)
    rows = judge_rows(sheet.frame, sheet.rows, guess_columns(sheet), "GB", TEXTABLE, ())
    assert described(rows) == said(declared.ROWS)
    how = (guess_columns(sheet), "GB")
    evidence = evidence_in(sheet.frame, sheet.rows, *how)
    by_number = numbers_told(evidence, rows, sheet.frame, *how)
    assert described(evidence) == described(by_number) == said(declared.EVIDENCE)


def described(frame: pd.DataFrame) -> dict[str, str]:
    return {str(column): str(dtype) for column, dtype in frame.dtypes.items()}


def said(columns: tuple[Column, ...]) -> dict[str, str]:
    return {column.name: column.dtype for column in columns}
