"""The installed package is the one of the checkout: no file is missing, and the server keeps to the same."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fixtures_wheel import ROOT, run
from odd_server import closed_port

pytestmark = pytest.mark.deep
OPTIONS = """
import json, sys
from pathlib import Path
import dashboard
from dashboard.app.server import options
from dashboard.settings import load_settings
from streamlit import config
options.configure(load_settings())
own = {"server.cookieSecret", "secrets.files"}  # made anew at every start; places, not values
known = {name: config.get_option(name) for name in config.get_config_options() if name not in own}
print(json.dumps({"from": str(Path(dashboard.__file__).parent), "options": known}, default=str))
"""


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_every_file_is_in_it(installed: Path) -> None:
    ours, theirs = files_of(ROOT / "dashboard"), files_of(installed / "dashboard")
    assert sorted(theirs) == sorted(ours)
    assert theirs == ours


def options_of(package: Path, folder: Path) -> dict[str, object]:
    """Streamlit's options as `python -m dashboard` sets them when it is started in a folder."""
    settings = {"DASHBOARD_PORT": "8501", "DASHBOARD_UPLOAD_MB": "250"}
    done = run(sys.executable, folder, "-c", OPTIONS, PYTHONPATH=str(package), **settings)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert Path(answer["from"]).resolve() == (package / "dashboard").resolve()
    return dict(answer["options"])


def test_the_options_are_the_same_wherever_it_starts(installed: Path, tmp_path: Path) -> None:
    here = options_of(ROOT, ROOT)
    assert options_of(ROOT, tmp_path) == here
    assert options_of(installed, tmp_path) == here
    kept = {
        "server.address": "127.0.0.1",
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        "server.maxUploadSize": 250,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal",
        "runner.magicEnabled": False,
        "theme.font": "Inter, system-ui, sans-serif",
    }
    assert {name: here[name] for name in kept} == kept


def test_another_programs_file_cannot_open_ours(installed: Path, tmp_path: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text(
        '[server]\nenableXsrfProtection = false\nenableCORS = false\naddress = "0.0.0.0"\n'
        '[client]\nshowErrorDetails = "full"\n[browser]\ngatherUsageStats = true\n'
        '[theme]\nbaseRadius = "none"\n',
        encoding="utf-8",
    )
    options = options_of(installed, tmp_path)
    plain = options_of(installed, Path(installed.anchor))
    assert {name for name in options if options[name] != plain[name]} == {"theme.baseRadius"}


def test_an_installation_that_lost_its_options_is_refused(installed: Path, tmp_path: Path) -> None:
    """As a packager does who leaves out folders that begin with a dot."""

    def started(package: Path, *words: str) -> subprocess.CompletedProcess[str]:
        given = {"PYTHONPATH": str(package), "DASHBOARD_PORT": str(closed_port())}
        return run(sys.executable, tmp_path, "-m", "dashboard", *words, **given)

    def checked(package: Path) -> tuple[int, str]:
        done = started(package, "check", "--json")
        found = {one["name"]: one["sentence"] for one in json.loads(done.stdout)["checks"]}
        return done.returncode, found["page-options"]

    assert checked(installed) == (0, "The pages' safe options are in force.")
    partial = tmp_path / "partial"
    shutil.copytree(installed, partial)
    shutil.rmtree(partial / "dashboard" / "app" / ".streamlit")
    code, said = checked(partial)
    assert (code, "Install it again" in said) == (1, True)
    start = started(partial)
    assert start.returncode == 2
    assert start.stderr.splitlines()[-1] == f"Error: {said}"
