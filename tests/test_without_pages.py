"""A worker's installation: the wheel with what it requires, without the extra that the pages need."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from fixtures_ledger import running
from fixtures_sandbox import SandboxPeer
from fixtures_wheel import ROOT, run
from packaging.requirements import Requirement

from dashboard.installed import APP
from dashboard.ledger import Ledger

pytestmark = pytest.mark.deep

MODULES = """
import importlib, json, pkgutil, dashboard
failed = []
for one in pkgutil.walk_packages(dashboard.__path__, "dashboard.", onerror=lambda name: None):
    if one.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(one.name)
    except ModuleNotFoundError:
        failed.append(one.name)
print(json.dumps(failed))
"""
FIGURES = """
import dashboard
try:
    dashboard.figures
except dashboard.DashboardError as error:
    print(error)
"""


def test_the_extra_is_what_the_product_says_it_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = {Requirement(one).name.replace("-", "_") for one in project["optional-dependencies"]["app"]}
    assert extra == set(APP)
    assert not extra & {Requirement(one).name.replace("-", "_") for one in project["dependencies"]}


def test_a_worker_sends_all_of_a_campaign(
    python_without_pages: Path, tmp_path: Path, sqlite_url: str, fresh_sandbox: SandboxPeer
) -> None:
    with Ledger.open(sqlite_url) as ledger:
        campaign = running(ledger, 25)
        done = run(
            *(python_without_pages, tmp_path, "-m", "dashboard", "worker", "--until-done", "--json"),
            DASHBOARD_DATABASE_URL=sqlite_url,
            SMS_BASE_URL=fresh_sandbox.base_url,
            SMS_API_KEY=fresh_sandbox.api_key,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == {"campaigns": [campaign], "accepted": 25}
        assert set(ledger.messages(campaign)["state"]) == {"accepted"}


def test_only_pages_and_figures_are_missing(python_without_pages: Path, tmp_path: Path) -> None:
    done = run(python_without_pages, tmp_path, "-c", MODULES)
    assert done.returncode == 0, done.stderr
    failed: list[str] = json.loads(done.stdout)
    rooms = ("dashboard.app", "dashboard.reports.figures", "dashboard.reports.files.campaign_page")
    assert [name for name in failed if not name.startswith(rooms)] == []
    assert {"dashboard.app.main", "dashboard.app.server.asgi", "dashboard.reports.figures"} <= set(failed)


@pytest.mark.parametrize("words", [("-m", "dashboard"), ("-c", FIGURES)], ids=["pages", "figures"])
def test_what_is_missing_is_said(python_without_pages: Path, tmp_path: Path, words: tuple[str, str]) -> None:
    done = run(python_without_pages, tmp_path, *words)
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert 'python -m pip install "campaign-dashboard[app]"' in said
    assert done.returncode == (2 if words[0] == "-m" else 0)
    assert not (tmp_path / "data").exists()


def test_the_check_says_that_pages_cannot_be_served(python_without_pages: Path, tmp_path: Path) -> None:
    done = run(python_without_pages, tmp_path, "-m", "dashboard", "check", "--json")
    found = {one["name"]: one for one in json.loads(done.stdout)["checks"]}
    assert done.returncode == 0
    assert found["page-options"]["state"] == "warning"
    assert "campaign-dashboard[app]" in found["page-options"]["sentence"]
    assert {one["state"] for name, one in found.items() if name != "page-options"} <= {"ok", "warning"}


def test_the_other_commands_run(python_without_pages: Path, tmp_path: Path) -> None:
    """From a sheet to a statement; the sandbox starts by itself."""
    sheet, text = (
        str(ROOT / "data" / "contacts.csv"),
        "Hi {{first_name|there}}, our spring sale starts on Friday.",
    )
    for command in (
        ("send", sheet, "--country", "GB", "--campaign", "Spring", "--template", text, "--yes"),
        ("statement", "2026-11", "--out", "statement.xlsx"),
        ("export", "frames"),
        ("backup", "copy.sqlite"),
    ):
        done = run(python_without_pages, tmp_path, "-m", "dashboard", *command)
        assert done.returncode == 0, (command, done.stderr)
