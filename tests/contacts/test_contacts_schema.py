"""Frames have the columns and dtypes that the schema declares, and docs/columns.md says the same."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pandas as pd
import pytest

from dashboard.contacts import (
    Sheet,
    checked,
    clean_contacts,
    clean_phones,
    guess_columns,
    read_sheet,
    rejects,
)
from dashboard.contacts.read.sheet import sheet_of_frame
from dashboard.contacts.schema import SCHEMAS, Column
from dashboard.contacts.verdicts import declared
from dashboard.contacts.verdicts.cell.cells import judge_cells
from dashboard.contacts.verdicts.row.judgement import judge_rows
from dashboard.contacts.vocabulary.line_types import TEXTABLE

ROOT = Path(__file__).parents[2]
SHEET = read_sheet(b"mobile,name\n07400 123456,Ann\n07400 123456,Bob\n020 7946 0991,Eve\n,\n-,Zoe\n")
CONTACTS = clean_contacts(SHEET, country="GB")
NO_ROWS = sheet_of_frame(pd.DataFrame({"mobile": [], "name": []}, dtype="str"))
NOTHING = clean_contacts(NO_ROWS, country="GB")
FRAMES = {
    "clean_phones(...)": clean_phones(SHEET.frame["mobile"], "GB"),
    "ContactList.rows": CONTACTS.rows,
    "ContactList.sendable": CONTACTS.sendable,
    "ContactList.summary()": CONTACTS.summary(),
    "checked(...)": checked(CONTACTS, SHEET),
    "rejects(...)": rejects(CONTACTS, SHEET),
}
EMPTY_FRAMES = {
    "clean_phones(...)": clean_phones(pd.Series([], dtype="str"), "GB"),
    "ContactList.rows": NOTHING.rows,
    "ContactList.sendable": NOTHING.sendable,
    "ContactList.summary()": NOTHING.summary(),
    "checked(...)": checked(NOTHING, NO_ROWS),
    "rejects(...)": rejects(NOTHING, NO_ROWS),
}


def test_every_frame_is_checked() -> None:
    assert FRAMES.keys() == EMPTY_FRAMES.keys() == SCHEMAS.keys()


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("frames", [FRAMES, EMPTY_FRAMES], ids=["rows", "no rows"])
def test_frames_are_as_declared(frames: dict[str, pd.DataFrame], name: str) -> None:
    fixed = [column for column in SCHEMAS[name] if column.name != "…"]
    dtypes = {column: str(dtype) for column, dtype in frames[name].dtypes.items()}
    assert {column.name: dtypes.get(column.name) for column in fixed} == {c.name: c.dtype for c in fixed}


def test_the_order_is_as_declared() -> None:
    assert list(CONTACTS.rows) == [column.name for column in SCHEMAS["ContactList.rows"]]


@pytest.mark.parametrize("page", ["columns", "recognised_columns"])
def test_the_pages_about_columns_are_up_to_date(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = ROOT / "docs" / f"generate_{page}.py"
    monkeypatch.syspath_prepend(script.parent)
    monkeypatch.setattr(sys, "argv", [str(script), "--check"])
    with pytest.raises(SystemExit) as done:
        runpy.run_path(str(script), run_name="__main__")
    assert done.value.code == 0


@pytest.mark.parametrize("sheet", [SHEET, NO_ROWS], ids=["rows", "no rows"])
def test_frames_between_the_steps_are_as_declared(sheet: Sheet) -> None:
    home = pd.Series(pd.Categorical(["GB"] * len(sheet.frame)))
    assert described(judge_cells(sheet.frame["mobile"], home, TEXTABLE, ())) == said(declared.CELLS)
    rows = judge_rows(sheet.frame, sheet.rows, guess_columns(SHEET), "GB", TEXTABLE, ())
    assert described(rows) == said(declared.ROWS)


def described(frame: pd.DataFrame) -> dict[str, str]:
    return {str(column): str(dtype) for column, dtype in frame.dtypes.items()}


def said(columns: tuple[Column, ...]) -> dict[str, str]:
    return {column.name: column.dtype for column in columns}
