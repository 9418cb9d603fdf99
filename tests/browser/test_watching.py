"""What monitors ask for, of a real server, on both databases: also while those stand still or are locked."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import psycopg
import pytest
import yaml
from dashboard_server import ROOT, Server, ask, get, served
from fixtures_ledger import messages_frame, new_database
from fixtures_sandbox import HELD, SandboxPeer
from patience import PATIENCE_S, wait_until
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import make_url
from tiers import only_deep

from dashboard.app.server.asking import FRESH_S
from dashboard.ledger import Ledger
from dashboard.ledger.database.advisory import Advisory
from dashboard.ledger.vitals import VitalSigns

pytestmark = pytest.mark.first

TOKEN = "Kq7ZtV2xWb9MnR4yHs6LpD8gJf3CuA5e"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
PROBES = ("/livez", "/readyz", "/healthz", "/metrics")
ONCE_THERE_ARE_ANY = {"dashboard_last_claim_timestamp_seconds", "dashboard_last_backup_timestamp_seconds"}
DOCUMENT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
RULES = ROOT / "docs" / "hosting" / "alerts.yml"


class Watched:
    """A server, its ledger's address, and the service that it sends to."""

    def __init__(self, server: Server, url: str, folder: Path) -> None:
        self.server = server
        self.url = url
        self.folder = folder

    @property
    def address(self) -> str:
        return self.server.address

    def ready(self) -> tuple[int, dict[str, str]]:
        status, body = get(f"{self.address}/readyz")
        return status, json.loads(body)["checks"] if body else {}

    def is_ready(self) -> bool:
        return self.ready()[0] == 200

    def figures(self) -> dict[str, float]:
        """Every figure by its name and labels, as `dashboard_batches{state="ready"}`."""
        status, body = get(f"{self.address}/metrics", BEARER)
        assert status == 200
        found = {}
        for family in text_string_to_metric_families(body.decode()):
            for one in family.samples:
                labels = ",".join(f'{name}="{value}"' for name, value in one.labels.items())
                found[f"{one.name}{{{labels}}}" if labels else one.name] = one.value
        return found


@contextmanager
def watched(folder: Path, url: str, sandbox: SandboxPeer) -> Iterator[Watched]:
    variables = {
        "DASHBOARD_METRICS_TOKEN": TOKEN,
        "DASHBOARD_DATABASE_URL": url,
        "SMS_BASE_URL": sandbox.base_url,
        "SMS_API_KEY": sandbox.api_key,
    }
    with served(folder, **variables) as server:
        yield Watched(server, url, folder)


@pytest.fixture(scope="module")
def on_postgresql(
    postgresql_server: str, sandbox_process: SandboxPeer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("watched")
    with new_database(postgresql_server) as url, watched(folder, url, sandbox_process) as found:
        yield found


@pytest.fixture(scope="module")
def on_sqlite(sandbox_process: SandboxPeer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("watched")
    url = f"sqlite:///{folder / 'data' / 'ledger.sqlite'}"
    with watched(folder, url, sandbox_process) as found:
        yield found


@pytest.fixture(params=["on_sqlite", *only_deep("on_postgresql")])
def place(request: pytest.FixtureRequest) -> Watched:
    found: Watched = request.getfixturevalue(request.param)
    return found


def test_anybody_may_ask_and_is_told_words_alone(on_sqlite: Watched) -> None:
    place = on_sqlite
    elsewhere = {"Host": "10.1.2.3:8501", "Cookie": "dashboard=x"}
    wait_until(place.is_ready)
    assert get(f"{place.address}/livez", elsewhere) == (200, b'{"live":true}')
    assert get(f"{place.address}/healthz", elsewhere) == (200, b'{"ok":true}')
    said = {"ready": True, "checks": dict.fromkeys(("ledger", "folder", "sending", "service"), "ok")}
    status, body = get(f"{place.address}/readyz", elsewhere)
    assert (status, json.loads(body)) == (200, said)


@pytest.mark.parametrize("path", PROBES)
def test_what_is_said_is_stored_nowhere_and_only_read(on_sqlite: Watched, path: str) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert ask(method, on_sqlite.address + path, b"x", BEARER)[0] == 405
    connection = HTTPConnection("localhost", urlsplit(on_sqlite.address).port, timeout=PATIENCE_S)
    connection.request("HEAD", path, headers=BEARER)
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    assert answer.getheader("cache-control") == "no-store"
    assert re.fullmatch("[0-9a-f]{32}", answer.getheader("x-request-id") or "")
    connection.close()


def test_figures_are_for_who_holds_the_token(on_sqlite: Watched) -> None:
    bearer = ("Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer é")
    for given in ("", TOKEN, f"Basic {TOKEN}", *bearer):
        headers = {"Authorization": given} if given else {}
        assert get(f"{on_sqlite.address}/metrics", headers) == (401, b"Send the token of the metrics")
    assert get(f"{on_sqlite.address}/metrics", {"Authorization": f"bearer  {TOKEN} "})[0] == 200


@pytest.mark.deep
def test_without_a_token_there_are_no_figures(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for headers in ({}, BEARER):
            assert get(f"{server.address}/metrics", headers) == (404, b"Not found")


@contextmanager
def standing_still(url: str) -> Iterator[None]:
    """The whole server of a database, stopped as a machine without a disk would be."""
    with psycopg.connect(_plain(url)) as connection:
        found = connection.execute("SELECT pg_backend_pid()").fetchone()
    assert found is not None
    server = next(
        one for one in psutil.process_iter(["cmdline"]) if _is_server(one.info["cmdline"], _socket_of(url))
    )
    family = [server, *server.children(recursive=True)]
    for one in family:
        one.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for one in family:
            if one.is_running():
                one.send_signal(signal.SIGCONT)


def _plain(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _socket_of(url: str) -> str:
    return str(make_url(url).query["host"])


def _is_server(command: list[str] | None, folder: str) -> bool:
    return bool(command) and "postgres" in Path(command[0]).name and folder in " ".join(command)


@pytest.mark.deep
def test_it_answers_while_the_database_stands_still(on_postgresql: Watched) -> None:
    """Every answer here comes while it still does."""
    place = on_postgresql
    wait_until(place.is_ready)
    process = psutil.Process(place.server.pid)
    threads = process.num_threads()
    with standing_still(place.url):
        assert get(f"{place.address}/livez")[0] == 200
        wait_until(lambda: not place.is_ready())  # the last answer counts for a second
        with ThreadPoolExecutor(30) as many:
            answers = list(many.map(lambda _: place.ready(), range(60)))
        assert {status for status, _ in answers} == {503}
        assert {checks["ledger"] for _, checks in answers} == {"no answer"}
        assert get(f"{place.address}/healthz") == (503, b'{"ok":false}')
        figures = place.figures()
        assert (figures["dashboard_ledger_read"], figures['dashboard_check_ok{check="ledger"}']) == (0, 0)
        assert not [name for name in figures if name.startswith("dashboard_batches")]
        assert process.num_threads() < threads + 20
    wait_until(place.is_ready)
    wait_until(lambda: place.figures()["dashboard_ledger_read"] == 1)


@pytest.mark.deep
def test_it_answers_while_a_table_is_locked(on_postgresql: Watched) -> None:
    place = on_postgresql
    wait_until(place.is_ready)
    with psycopg.connect(_plain(place.url)) as connection:
        connection.execute("LOCK TABLE gate IN ACCESS EXCLUSIVE MODE")
        wait_until(lambda: not place.is_ready())
        assert place.ready()[1] | {"service": "unknown"} == {
            **dict.fromkeys(("folder", "sending"), "ok"),
            "ledger": "no answer",
            "service": "unknown",
        }
        assert get(f"{place.address}/livez")[0] == 200
        connection.rollback()
    wait_until(place.is_ready)


def test_while_somebody_writes_it_is_ready(on_sqlite: Watched) -> None:
    wait_until(on_sqlite.is_ready)
    with Ledger.open(on_sqlite.url) as ledger, ledger.database.write():
        time.sleep(FRESH_S)  # the last answer counts for as long
        wait_until(on_sqlite.is_ready)


@pytest.mark.deep
def test_a_folder_that_is_gone_is_named(on_postgresql: Watched) -> None:
    place = on_postgresql
    wait_until(place.is_ready)
    data = place.folder / "data"
    data.rename(place.folder / "elsewhere")
    try:
        wait_until(lambda: place.ready()[1]["folder"] == "not writable")
        assert not place.is_ready()
    finally:
        (place.folder / "elsewhere").rename(data)
    wait_until(place.is_ready)


@pytest.mark.deep
def test_a_sender_that_lost_its_place_is_named(
    postgresql_url: str, sandbox: SandboxPeer, tmp_path: Path
) -> None:
    with (
        watched(tmp_path, postgresql_url, sandbox) as place,
        psycopg.connect(_plain(postgresql_url)) as other,
    ):
        wait_until(place.is_ready)
        locks = (
            "FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            "WHERE datname = current_database() AND locktype = 'advisory' AND classid = %s"
        )
        holder = other.execute(f"SELECT pid {locks} AND granted", [Advisory.SLOT.value]).fetchone()
        assert holder is not None
        with ThreadPoolExecutor(1) as waiting, psycopg.connect(_plain(postgresql_url)) as thief:
            taken = waiting.submit(thief.execute, "SELECT pg_advisory_lock(%s, 0)", [Advisory.SLOT.value])
            queued = f"SELECT pid {locks} AND NOT granted"
            wait_until(lambda: other.execute(queued, [Advisory.SLOT.value]).fetchone() is not None)
            other.execute("SELECT pg_terminate_backend(%s)", holder)
            taken.result()
            wait_until(lambda: place.ready()[1].get("sending") == "stopped")
            assert not place.is_ready()


def test_figures_are_the_ledgers(place: Watched, sandbox: SandboxPeer) -> None:
    place.figures()  # counts from now on
    sandbox.settings(**HELD)
    sandbox.faults({"kind": "throttled", "next": 1})
    with Ledger.open(place.url) as ledger:
        campaign = ledger.create_campaign("Spring", messages_frame(30), batch_size=10)
        assert ledger.campaign(campaign).ready == 30
        ledger.start(campaign)
        wait_until(lambda: ledger.campaign(campaign).state == "done")
        wait_until(lambda: place.figures()['dashboard_batch_attempts_total{event="accepted"}'] == 3)
        figures = place.figures()
        assert figures['dashboard_batch_attempts_total{event="claimed"}'] == 4
        assert figures['dashboard_batch_attempts_total{event="throttled"}'] == 1
        assert figures['dashboard_campaigns{state="done"}'] == len(ledger.campaigns())
        assert figures["dashboard_queue_age_seconds"] == 0
        assert figures["dashboard_report_lag_seconds"] > 0
        assert figures["dashboard_last_claim_timestamp_seconds"] > 1_700_000_000
        assert figures["dashboard_senders"] == 1
        assert figures["dashboard_open_websockets"] == 0
        assert figures["process_resident_memory_bytes"] > 50_000_000
        assert figures["process_cpu_seconds_total"] > 0


@pytest.mark.deep
def test_what_is_noted_after_pg_dump_is_the_last_backup(postgresql_url: str) -> None:
    statement = DOCUMENT.partition('psql -c "')[2].partition('"')[0]
    with Ledger.open(postgresql_url) as ledger, psycopg.connect(_plain(postgresql_url)) as connection:
        for _night in range(2):
            connection.execute(statement)
            connection.commit()
        found = VitalSigns(ledger.database, ledger.outbox.now).read().backed_up_at
        assert found is not None
        assert abs(found - ledger.outbox.now()) < timedelta(hours=1)


def test_figures_tell_of_nobody(on_sqlite: Watched) -> None:
    _, body = get(f"{on_sqlite.address}/metrics", BEARER)
    text = body.decode()
    assert "python_info" not in text
    for secret in (TOKEN, "+447", "Spring", str(on_sqlite.folder), "SMS_API_KEY"):
        assert secret not in text


def test_every_figure_is_explained(on_sqlite: Watched) -> None:
    get(f"{on_sqlite.address}/")
    # A request is counted after its answer.
    wait_until(lambda: any("http_requests_total" in name for name in on_sqlite.figures()))
    ours = {name.partition("{")[0] for name in on_sqlite.figures() if name.startswith("dashboard_")}
    given = {name for name in ours if not name.endswith("_created")} | ONCE_THERE_ARE_ANY
    assert given == set(re.findall(r"^\| `(dashboard_\w+)", DOCUMENT, re.MULTILINE))


def test_every_alert_asks_for_figures_that_there_are_and_says_what_to_do(on_sqlite: Watched) -> None:
    rules = [rule for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"] for rule in group["rules"]]
    known = {name.partition("{")[0] for name in on_sqlite.figures()} | ONCE_THERE_ARE_ANY | {"up"}
    assert len(rules) > 10
    for rule in rules:
        asked = set(re.findall(r"\b(?:up|(?:dashboard|process)_\w+)\b", rule["expr"]))
        assert asked
        assert asked <= known, rule["alert"]
        assert f"| {rule['alert']} | {rule['labels']['severity']} |" in DOCUMENT
    listed = re.findall(r"^\| (\w+) \| (?:page|ticket) \|", DOCUMENT, re.MULTILINE)
    assert listed == [rule["alert"] for rule in rules]


@pytest.mark.deep
def test_what_prometheus_is_told_names_the_job_and_the_rules() -> None:
    told = yaml.safe_load((RULES.parent / "prometheus.yml").read_text("utf-8"))
    assert told["rule_files"] == [RULES.name]
    assert {job["job_name"] for job in told["scrape_configs"]} == set(
        re.findall(r'job="([\w-]+)"', RULES.read_text("utf-8"))
    )
