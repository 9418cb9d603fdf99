"""README and docs tell the truth: every setting, command and public name is there, and links lead on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dashboard
from dashboard.commands.cli import cli
from dashboard.settings import Settings, variable

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DOCS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("field", sorted(Settings.model_fields))
def test_every_setting_is_in_the_readme(field: str) -> None:
    assert f"| `{variable(field)}` |" in README


def test_no_setting_is_in_the_readme_that_does_not_exist() -> None:
    listed = set(re.findall(r"^\| `((?:DASHBOARD|SMS)_\w+)` \|", README, re.MULTILINE))
    assert listed == {variable(field) for field in Settings.model_fields}


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"`python -m dashboard {command}" in README


@pytest.mark.parametrize("name", sorted(dashboard.__all__))
def test_every_public_name_is_in_the_docs(name: str) -> None:
    assert re.search(rf"\b{name}\b", DOCS), f"describe {name} in docs/notebook.md"


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.name)
def test_links_between_pages_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert not missing


def test_the_two_commands_stand_first() -> None:
    commands = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert [command.rsplit(" ", 1)[-1] for command in commands] == ["dashboard", "pytest"]
