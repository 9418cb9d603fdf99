"""README and docs tell the truth: every setting, command and public name is there."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from each import each

import dashboard
from dashboard.commands.cli import cli
from dashboard.reports import Cause
from dashboard.reports.measures.words import OTHERS, STANDING
from dashboard.settings import Settings, variable
from dashboard.settings.owned import OWNED

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DOCS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def test_the_readme_has_every_setting_there_is_and_marks_those_of_the_dashboard() -> None:
    listed = re.findall(r"^\| `((?:DASHBOARD|SMS)_\w+)`( ✎)? \|", README, re.MULTILINE)
    assert {*listed} == {(variable(name), " ✎" if name in OWNED else "") for name in Settings.model_fields}


@each("command", sorted(cli.commands))
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"`python -m dashboard {command}" in README


@each("name", sorted(dashboard.__all__))
def test_every_public_name_is_in_the_docs(name: str) -> None:
    assert re.search(rf"\b{name}\b", DOCS), f"describe {name} in docs/notebook.md"


def test_every_cause_is_explained_to_analysts() -> None:
    page = (ROOT / "docs" / "analysts.md").read_text(encoding="utf-8")
    assert [cause for cause in Cause if f"| {cause} |" not in page] == []


def test_the_glossary_defines_the_figures_as_they_are_counted() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for figure in (*STANDING.values(), *OTHERS):
        row = f"| {figure.word} | {figure.meaning} | {figure.counted or '–'} |"
        assert row in page, "run python docs/generate_glossary.py"
        assert page.count(f"\n| {figure.word} |") == 1


@each("path", NOTEBOOKS)
def test_every_notebook_asks_one_question(path: Path) -> None:
    title = nbformat.read(path, as_version=4).cells[0].source.splitlines()[0]
    assert re.fullmatch(rf"# {path.name[:2]} .+\?", title)


def test_the_two_commands_stand_first() -> None:
    commands = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert [command.rsplit(" ", 1)[-1] for command in commands] == ["dashboard", "pytest"]


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = sorted(
    path.parent.relative_to(ROOT / "dashboard") for path in (ROOT / "dashboard").rglob("__init__.py")
)


@each("package", [str(package) for package in PACKAGES[1:]])
def test_every_folder_is_in_the_listing_of_rooms(package: str) -> None:
    assert f"{Path(package).name}/" in ARCHITECTURE


@pytest.mark.parametrize("walk", ["A phone cell's way to a text", "A consent cell's way to a verdict"])
def test_the_walk_of_a_cell_names_what_there_is(walk: str) -> None:
    walk = ARCHITECTURE.split(f"### {walk}")[1].split("\n##")[0]
    stops = re.findall(r"^\d\. `([\w/]+\.py)`(?:, `(\w+)`)?", walk, re.MULTILINE)
    assert 1 < len(stops) <= 8
    for file, function in stops:
        assert f"def {function}" in (ROOT / "dashboard" / file).read_text(encoding="utf-8")
