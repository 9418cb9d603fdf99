"""The files of docs/hosting fit the program: names, ports, paths, commands, versions and packages exist."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from each import each
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dashboard.app.server.watching import PROBES
from dashboard.commands.cli import cli
from dashboard.ledger.database.version import VERSION
from dashboard.settings import SECRETS, Settings, variable
from dashboard.settings.secret_files import file_variable

ROOT = Path(__file__).parents[1]
HOSTING = ROOT / "docs" / "hosting"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
KNOWN = {*map(variable, Settings.model_fields), *map(file_variable, SECRETS)}
FILES = sorted(path.name for path in HOSTING.iterdir())
DASHBOARD = "DASHBOARD"  # where the proxy finds the dashboard, in compose.yaml and the Caddyfile
USER = 10001


def text_of(name: str) -> str:
    return (HOSTING / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))
    return read


def unit(name: str) -> dict[str, list[str]]:
    """The lines of a unit, by what they set."""
    lines: dict[str, list[str]] = {}
    for line in text_of(name).splitlines():
        key, mark, value = line.partition("=")
        if mark and not line.startswith("#"):
            lines.setdefault(key, []).append(value)
    return lines


@each("name", FILES)
def test_every_file_is_explained_and_names_only_what_there_is(name: str) -> None:
    assert f"hosting/{name}" in (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    used = set(re.findall(r"\b(?:DASHBOARD|SMS)_[A-Z0-9_]+\b", text_of(name)))
    assert used - KNOWN == set()
    addresses = re.findall(r"\w+://([^\s'\"/${]+)", text_of(name))
    fetched = {one for one in addresses if not one.endswith(("example.com", "127.0.0.1:8501", ":"))}
    assert fetched <= {"127.0.0.1:8501", "dashboard;", "dashboard"}


def test_versions_are_those_of_the_program() -> None:
    for name in ("Containerfile", "compose.yaml"):
        found = re.findall(r"campaign-(?:dashboard|worker):([\w.]+)", text_of(name))
        assert len(found) == 2
        assert set(found) == {PROJECT["version"]}
    python = re.search(r"python:(\d+)\.(\d+)-slim", text_of("Containerfile"))
    assert python is not None
    assert PROJECT["requires-python"] == f">={python[1]}.{python[2]}"


def test_ports_and_paths_are_those_of_the_program(compose: dict[str, Any]) -> None:
    port = Settings.model_fields["port"].default
    limit = Settings.model_fields["upload_mb"].default
    services = compose["services"]
    assert services["dashboard"]["environment"]["DASHBOARD_PORT"] == port
    assert services["dashboard"]["environment"]["DASHBOARD_UPLOAD_MB"] == limit
    assert services["proxy"]["environment"][DASHBOARD] == f"dashboard:{port}"
    for name in ("nginx.conf", "Caddyfile", "Containerfile", "compose.yaml", "dashboard.service"):
        assert set(re.findall(r"(?:127\.0\.0\.1:|EXPOSE |DASHBOARD_PORT[=:] ?)(\d+)", text_of(name))) == {
            str(port)
        }
    assert f"client_max_body_size    {limit + 1}m;" in text_of("nginx.conf")
    assert f"max_size {limit + 1}MiB" in text_of("Caddyfile")
    assert {"/livez", "/metrics"} <= PROBES
    for name in ("Containerfile", "compose.yaml"):
        assert f"http://127.0.0.1:{port}/livez" in text_of(name)


@each("name", ["dashboard.service", "worker@.service"])
def test_a_unit_starts_what_there_is_with_few_rights(name: str) -> None:
    lines = unit(name)
    words = shlex.split(lines["ExecStart"][0])
    assert words[1:3] == ["-m", "dashboard"]
    assert set(words[3:]) == ({"worker"} & set(cli.commands) if name.startswith("worker") else set())
    strict = {"NoNewPrivileges": "yes", "DynamicUser": "yes", "ProtectSystem": "strict"}
    strict |= {"StateDirectoryMode": "0700"}
    assert {key: lines[key][-1] for key in strict} == strict
    given = set(re.findall(r"_FILE=%d/(\w+)", text_of(name)))
    loaded = {one.partition(":")[0] for one in lines.get("LoadCredential", [])}
    assert given == loaded
    assert all(f"secrets/{one}" in text_of(name) for one in loaded)
    stays = int(lines["TimeoutStopSec"][0])
    assert stays > 60  # the longest request, see SmsService


def test_containers_have_few_rights_and_end_in_peace(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["restart"] == "unless-stopped", name
        assert service["mem_limit"], name
        assert "healthcheck" in service or name in {"worker", "proxy"}
    for name in ("dashboard", "worker"):
        assert compose["services"][name]["read_only"] is True
        assert compose["services"][name]["stop_grace_period"] == "90s"
        assert f"target: {name}" not in text_of("Containerfile")
        assert compose["services"][name]["build"]["target"] in re.findall(
            r"^FROM \S+ AS (\S+)$", text_of("Containerfile"), re.MULTILINE
        )
    assert re.findall(r"^USER (\d+)$", text_of("Containerfile"), re.MULTILINE) == [str(USER)]
    assert compose["services"]["worker"]["deploy"]["replicas"] == 2
    assert compose["networks"]["inside"] == {"internal": True}
    assert compose["services"]["database"]["networks"] == ["inside"]
    assert [name for name, one in compose["services"].items() if "ports" in one] == ["proxy"]


def test_every_secret_is_in_a_file_that_its_service_has(compose: dict[str, Any]) -> None:
    declared = set(compose["secrets"])
    used = set()
    for service in compose["services"].values():
        named = set(re.findall(r"/run/secrets/(\w+)", json.dumps(service)))
        assert named == set(service.get("secrets", []))
        used |= named
    assert used == declared
    secrets = {variable(one) for one in SECRETS}
    plain = {key for one in compose["services"].values() for key in one.get("environment", {})} & secrets
    assert plain == set()


def pins(name: str) -> dict[str, list[tuple[str, Marker | None, int]]]:
    """Of a lock file: the version, the marker and the number of hashes of each package's entries."""
    found: dict[str, list[tuple[str, Marker | None, int]]] = {}
    for entry in re.split(r"\n(?=\S)", text_of(name).strip()):
        head, *hashes = re.split(r"\s*\\\n\s*", entry)
        requirement = Requirement(head)
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in hashes), head
        version = str(requirement.specifier)
        assert version.startswith("=="), head
        found.setdefault(canonicalize_name(requirement.name), []).append(
            (version[2:], requirement.marker, len(hashes))
        )
    return found


@each("name, extras", [("requirements.lock", ("app",)), ("worker.lock", ())])
def test_a_lock_file_satisfies_what_the_project_asks_for(name: str, extras: tuple[str, ...]) -> None:
    locked = pins(name)
    asked = [*PROJECT["dependencies"]]
    for extra in extras:
        asked += PROJECT["optional-dependencies"][extra]
    for requirement in map(Requirement, asked):
        entries = locked[canonicalize_name(requirement.name)]
        assert any(requirement.specifier.contains(version) for version, *_ in entries), requirement.name
    assert all(hashes for entries in locked.values() for *_, hashes in entries)
    wanted = {"streamlit", "plotly"}
    assert wanted & set(locked) == (wanted if extras else set())


def test_the_lock_files_hold_the_versions_that_the_tests_and_the_build_run_with() -> None:
    tested = {}
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "-e")):
            requirement = Requirement(line)
            tested.setdefault(canonicalize_name(requirement.name), set()).add(str(requirement.specifier)[2:])
    for name in ("requirements.lock", "worker.lock"):
        locked = {package: {version for version, *_ in entries} for package, entries in pins(name).items()}
        assert locked == {package: tested[package] for package in locked}
    assert set(pins("requirements.lock")) == set(tested)
    [(version, _, hashes)] = pins("build.lock")["setuptools"]
    built_with = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"][0]
    assert Requirement(built_with).specifier.contains(version)
    assert hashes


CHANGES = (ROOT / "docs" / "changelog.md").read_text(encoding="utf-8")


def test_the_changelog_tells_of_this_version_and_of_each_of_the_ledger() -> None:
    assert re.findall(r"^## (\S+)", CHANGES, re.MULTILINE)[0] == PROJECT["version"]
    told = [int(one) for one in re.findall(r"^\| (\d+) \|", CHANGES, re.MULTILINE)]
    assert told == [*range(VERSION, 0, -1)]


SECURITY = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_chapter_of_the_standard_is_judged() -> None:
    chapters = re.findall(
        r"^\| V(\d+) [A-Z][\w -]+ \| (met|partly|not met|not applicable)\b", SECURITY, re.MULTILINE
    )
    assert [int(number) for number, _ in chapters] == [*range(1, 18)]


@each("name", sorted(set(re.findall(r"`(tests/[\w/.]+)`", SECURITY))))
def test_what_the_page_on_security_names_exists(name: str) -> None:
    assert "def test_" in (ROOT / name).read_text(encoding="utf-8")
