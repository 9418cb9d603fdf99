"""The wheel, and environments into which it is installed; registered in conftest.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
NOT_OURS = ("DASHBOARD_", "SMS_", "STREAMLIT_", "PYTHONPATH")
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    shutil.copytree(ROOT / "dashboard", source / "dashboard", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BUILD, str(folder)],
        cwd=source,
        capture_output=True,
        check=True,
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel: Path) -> Path:
    """A folder that holds the wheel's content, as an installer would leave it."""
    return unpacked(wheel, wheel.parent / "site")


@pytest.fixture(scope="session")
def python_without_pages(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel and what it requires, and no extra.

    What it requires is linked from the environment of the tests, because a test downloads nothing.
    """
    folder = tmp_path_factory.mktemp("without") / "venv"
    venv.create(folder, symlinks=True)
    windows = sys.platform == "win32"
    site = folder / "Lib" / "site-packages" if windows else next(folder.glob("lib/python*/site-packages"))
    unpacked(wheel, site)
    for one in closure(next(distributions(path=[str(site)]))):
        link(one, site)
    return folder / ("Scripts/python.exe" if windows else "bin/python")


def run(python: Path | str, folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program in a folder, with no setting but these; compiling it for another folder takes a minute."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
    ours = {"DASHBOARD_DATA": str(folder / "data"), "HOME": str(folder), "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(
        [python, *words],
        cwd=folder,
        env=outside | ours | variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def unpacked(wheel: Path, folder: Path) -> Path:
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def closure(root: Distribution) -> list[Distribution]:
    """All that a distribution requires without its extras, directly or not, itself left out."""
    found: dict[str, Distribution] = {}
    waiting = [*required(root)]
    while waiting:
        requirement = waiting.pop()
        key = f"{requirement.name.lower()}[{','.join(sorted(requirement.extras))}]"
        if key not in found:
            found[key] = distribution(requirement.name)
            waiting += required(found[key], *requirement.extras)
    return list({one.name: one for one in found.values()}.values())


def required(one: Distribution, *extras: str) -> Iterator[Requirement]:
    for text in one.requires or []:
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


def link(one: Distribution, site: Path) -> None:
    """Make a distribution's packages importable from another folder."""
    tops = {path.parts[0] for path in one.files or []} - {"..", "__pycache__"}
    for top in tops:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(one.locate_file(top))).resolve())
