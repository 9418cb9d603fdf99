"""What loading a room may cost. The walls between the rooms are import-linter's, in pyproject.toml."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WEB_AND_SQL = {"streamlit", "sqlalchemy", "httpx", "starlette", "dbos", "psycopg", "plotly"}
FOR_SOME_FILES = {"xlsxwriter", "vobject", "clevercsv", "fastexcel"}
READ = """
import io, sys
from dashboard.contacts import clean_contacts, guess_columns, read_sheet
sheet = read_sheet(io.BytesIO(b"Name,Mobile\\nAnn,07400 123456\\n"))
assert guess_columns(sheet).phones == ("Mobile",)
assert clean_contacts(sheet, country="GB").rows["status"].tolist() == ["ok"]
"""
EVERY_NAME = """
import sys
from dashboard import campaigns, contacts, reports
for room in (contacts, campaigns, reports):
    [getattr(room, name) for name in room.__all__]
"""
CLEAN = """
import sys
from dashboard.commands.cli import cli
cli(["clean", sys.argv[1], "--country", "GB"], standalone_mode=False)
"""


def loaded_by(code: str, *arguments: str, **variables: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nprint('loaded', *sys.modules)", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **variables},
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_pure_rooms_load_neither_the_web_nor_sql_nor_http() -> None:
    assert not loaded_by(EVERY_NAME) & WEB_AND_SQL


def test_reading_and_cleaning_a_csv_loads_nothing_that_other_files_need() -> None:
    assert not loaded_by(READ) & (WEB_AND_SQL | FOR_SOME_FILES)


def test_without_a_ledger_a_sheet_is_checked_without_sql_and_none_is_made(tmp_path: Path) -> None:
    data = tmp_path / "data"
    sheet = str(ROOT / "data" / "contacts.csv")
    assert not loaded_by(CLEAN, sheet, DASHBOARD_DATA=str(data)) & (WEB_AND_SQL | FOR_SOME_FILES)
    assert not data.exists()


def test_the_package_itself_loads_nothing_heavy() -> None:
    assert not loaded_by("import sys, dashboard") & (WEB_AND_SQL | {"pandas"})


def test_help_loads_none_of_the_rooms_that_commands_use() -> None:
    help_ = 'import sys; from dashboard.commands.cli import cli; cli(["--help"], standalone_mode=False)'
    assert not loaded_by(help_) & (WEB_AND_SQL | {"pandas", "pydantic"})


@pytest.mark.parametrize(
    "package", ["dashboard", *(f"dashboard.{room}" for room in ("contacts", "ledger", "service"))]
)
def test_every_name_that_loads_on_first_use_is_there(package: str) -> None:
    room = importlib.import_module(package)
    assert all(hasattr(room, name) for name in room.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = room.nothing
    submodules = {path.stem for path in Path(str(room.__file__)).parent.iterdir()}
    assert not set(room.__all__) & submodules, "a module that is loaded stands in its name's place"
