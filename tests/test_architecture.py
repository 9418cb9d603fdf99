"""What loading a room may cost, and the names that come in by the one door.

The walls between the rooms are import-linter's, in pyproject.toml.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from each import each

import dashboard

ROOT = Path(__file__).parents[1]
WEB_AND_SQL = {"streamlit", "sqlalchemy", "httpx", "starlette", "psycopg", "plotly"}
FOR_SOME_FILES = {"xlsxwriter", "vobject", "clevercsv", "fastexcel"}
TABLES = {"pandas", "pyarrow", "numpy"}
STEPS = """
import contextlib, io, json, sys
loaded = {}
import dashboard
dir(dashboard)
loaded["the package"] = [*sys.modules]
from dashboard.commands.cli import cli
with contextlib.redirect_stdout(io.StringIO()):
    cli(["--help"], standalone_mode=False)
    loaded["help"] = [*sys.modules]
    cli(["clean", sys.argv[1], "--country", "GB"], standalone_mode=False)
    loaded["cleaning a CSV"] = [*sys.modules]
from dashboard import campaigns, contacts, reports
for room in (contacts, campaigns, reports):
    [getattr(room, name) for name in room.__all__]
loaded["every name of the pure rooms"] = [*sys.modules]
print(json.dumps(loaded))
"""
"""One process for all of them: each step loads what those before it did, and more."""

NOT_FOR = {
    "the package": WEB_AND_SQL | FOR_SOME_FILES | TABLES,
    "help": WEB_AND_SQL | FOR_SOME_FILES | {"pandas", "pydantic"},
    "cleaning a CSV": WEB_AND_SQL | FOR_SOME_FILES,
    "every name of the pure rooms": WEB_AND_SQL,
}
SIGNATURES = {
    "read_sheet": ["source", "worksheet", "encoding", "delimiter", "header_row"],
    "guess_columns": ["sheet"],
    "clean_phones": ["texts", "country"],
    "clean_contacts": ["sheet_or_frame", "country", "columns", "opt_outs", "line_types", "keep"],
    "write_messages": [
        *("contacts", "template", "campaign", "sender", "shorten_links", "tracking", "schedule"),
    ],
    "count_credits": ["text"],
    "estimate_credits": ["messages", "price_per_credit"],
    "SmsService": ["base_url", "api_key", "timeout", "transport"],
    "campaign_summary": ["messages"],
    "failure_reasons": ["messages"],
    "reconcile": ["messages"],
}


def test_nothing_loads_what_it_does_not_need_and_cleaning_makes_no_ledger(tmp_path: Path) -> None:
    data = tmp_path / "data"
    done = subprocess.run(
        [sys.executable, "-c", STEPS, ROOT / "data" / "contacts.csv"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "DASHBOARD_DATA": str(data)},
    )
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert {step: {*loaded[step]} & NOT_FOR[step] for step in NOT_FOR} == {step: set() for step in NOT_FOR}
    assert not data.exists()


@each("package", ["dashboard", *(f"dashboard.{room}" for room in ("contacts", "ledger", "service"))])
def test_every_name_that_loads_on_first_use_is_there(package: str) -> None:
    room = importlib.import_module(package)
    assert all(getattr(room, name) is not None for name in room.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = room.nothing
    submodules = {path.stem for path in Path(str(room.__file__)).parent.iterdir()}
    assert not set(room.__all__) & submodules, "a module that is loaded stands in its name's place"


def test_only_public_names_are_offered() -> None:
    """Whatever rooms were imported since: tab completion asks `dir`."""
    assert dashboard.errors.DashboardError is dashboard.DashboardError
    assert dir(dashboard) == sorted([*dashboard.__all__, "__version__"])


@each("name, expected", SIGNATURES.items())
def test_signatures_keep_their_parameters_in_order(name: str, expected: list[str]) -> None:
    assert [*inspect.signature(getattr(dashboard, name)).parameters][: len(expected)] == expected
