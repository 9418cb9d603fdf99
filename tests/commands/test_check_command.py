"""`check` says what is not safe; the start and the worker refuse just that, with the same sentences."""

from __future__ import annotations

import json
import socket
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from command_line import contents, open_ledger, run
from each import each
from fixtures_sandbox import SandboxPeer
from odd_server import OddServer, Peer, answering, closed_port
from oidc_provider_mock import run_server_in_thread
from sign_in_settings import SIGN_IN
from sqlalchemy import URL, create_engine, make_url, text

from dashboard.app.door.listening import listening
from dashboard.errors import LedgerRefusedError, SettingsError
from dashboard.ledger import Ledger
from dashboard.settings import SECRETS, load_settings, variable

SERVICE = {"SMS_BASE_URL": "https://sms.example.com", "SMS_API_KEY": "fictional-key-4711"}
WORKER = ("worker", "--until-done")
LISTENS = {"host", "public-address", "price-list", "page-options"}
"""What a worker does not look at: nobody reaches it."""

UNSAFE: dict[str, tuple[dict[str, str], str]] = {
    "host": ({"DASHBOARD_HOST": "0.0.0.0"}, "DASHBOARD_HOST=127.0.0.1"),
    "public-address": (
        {**SIGN_IN, "DASHBOARD_OIDC_PUBLIC_URL": "http://texts.example.com"},
        "Write https://texts.example.com",
    ),
    "secrets": ({**SIGN_IN, "DASHBOARD_OIDC_CLIENT_SECRET": "x"}, "DASHBOARD_OIDC_CLIENT_SECRET is"),
    "service-key": ({**SERVICE, "SMS_API_KEY": "changeme-please"}, "SMS_API_KEY is a placeholder"),
    "price-list": ({"DASHBOARD_PRICE_LIST": "nowhere.csv"}, "DASHBOARD_PRICE_LIST: "),
    "database": ({"DASHBOARD_DATABASE_URL": "mysql://ann:hidden-word@db/x"}, "DASHBOARD_DATABASE_URL: "),
}


def told(folder: Path, *words: str, **variables: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit code of `check --json`, and the state and sentence of each check."""
    done = run(folder, "check", "--json", *words, **variables)
    assert "Traceback" not in done.stderr
    answer = json.loads(done.stdout)
    found = {one["name"]: (one["state"], one["sentence"]) for one in answer["checks"]}
    assert len(found) == len(answer["checks"])
    assert answer["ok"] is (done.returncode == 0)
    assert answer["ok"] is all(state != "refused" for state, _ in found.values())
    return done.returncode, found


def test_a_first_start_is_safe_and_nothing_is_made(tmp_path: Path) -> None:
    code, found = told(tmp_path)
    assert code == 0
    assert {name for name, (state, _) in found.items() if state == "refused"} == set()
    assert set(found) == {
        *("settings", "names", "host", "public-address", "secrets", "service-key", "price-list"),
        *("data-folder", "env-file", "database", "disk", "durability", "clock", "page-options"),
    }
    assert contents(tmp_path) == {}


def test_all_that_is_refused_is_said_at_once(tmp_path: Path) -> None:
    start = run(tmp_path, **UNSAFE["host"][0], **UNSAFE["service-key"][0])
    assert all(name in start.stderr for name in ("DASHBOARD_HOST", "SMS_API_KEY"))


@each("name", UNSAFE)
def test_what_is_refused_is_refused_by_the_start_and_the_worker_too(tmp_path: Path, name: str) -> None:
    variables, said = UNSAFE[name]
    code, found = told(tmp_path, **variables)
    state, sentence = found[name]
    assert (code, state) == (1, "refused")
    assert said in sentence
    assert {one for one, (state, _) in found.items() if state == "refused"} == {name}
    plain = run(tmp_path, "check", **variables)
    assert plain.returncode == 1
    assert f"REFUSED  {name}" in plain.stdout
    assert sentence in plain.stdout
    start = run(tmp_path, **variables)
    worker = run(tmp_path, *WORKER, **variables) if name not in LISTENS else start
    for done in (start, worker):
        assert (done.returncode, sentence in done.stderr) == (2, True)
    assert contents(tmp_path) == {}
    for done in (plain, start, worker):
        assert "hidden-word" not in done.stdout + done.stderr


@pytest.mark.usefixtures("soon")
def test_a_worker_is_reached_by_nobody(tmp_path: Path) -> None:
    nowhere = {"SMS_BASE_URL": "http://127.0.0.1:9", "SMS_API_KEY": "fictional-key-4711"}
    done = run(tmp_path, *WORKER, DASHBOARD_HOST="0.0.0.0", **nowhere)
    assert (done.returncode, done.stdout) == (0, "Nothing to send.\n")


def test_settings_that_cannot_be_read_are_all_there_is_to_say(tmp_path: Path) -> None:
    code, found = told(tmp_path, DASHBOARD_PORT="many", DASHBOARD_COUNTRY="UK")
    assert (code, set(found)) == (1, {"settings"})
    assert "DASHBOARD_PORT: write a whole number" in found["settings"][1]
    assert "GB" in found["settings"][1]


@each("field", SECRETS)
def test_no_secret_is_told(tmp_path: Path, field: str) -> None:
    bad = {
        **SIGN_IN,
        **SERVICE,
        variable(field): "hidden-word é",
        "DASHBOARD_WEBHOOK_SECRET_FILE": "hidden-word",
    }
    for words in (("check",), ("check", "--json"), (), ("worker",)):
        done = run(tmp_path, *words, **bad)
        assert done.returncode
        assert "hidden-word" not in done.stdout + done.stderr


@each(
    "name, variables, said",
    [
        ("names", {"DASHBOARD_PROT": "8600"}, "Did you mean DASHBOARD_PORT?"),
        (
            "host",
            {"DASHBOARD_HOST": "::", "DASHBOARD_OPEN_WITHOUT_SIGN_IN": "true"},
            "Anyone who can reach this dashboard",
        ),
        ("public-address", {"DASHBOARD_HOST": "::", **SIGN_IN}, "DASHBOARD_OIDC_PUBLIC_URL"),
    ],
)
def test_what_can_be_meant_so_is_a_warning(
    tmp_path: Path, name: str, variables: dict[str, str], said: str
) -> None:
    """A misspelt name, a dashboard that is open by consent, and people who could not come back."""
    code, found = told(tmp_path, **variables)
    assert (code, found[name][0]) == (0, "warning")
    assert said in found[name][1]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody on this machine may enter."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_data_folder_that_others_can_read_is_refused(shared: Path) -> None:
    (shared / "data").mkdir(mode=0o700)
    (shared / "data").chmod(0o755)
    code, found = told(shared)
    assert (code, found["data-folder"][0]) == (1, "refused")
    command = found["data-folder"][1].partition("Run: ")[2]
    assert command == f"chmod o-rwx {shared / 'data'}"
    assert run(shared).returncode == run(shared, *WORKER).returncode == 2
    (shared / "data").chmod(0o750)
    assert told(shared)[1]["data-folder"][0] == "ok"


def test_a_ledger_elsewhere_that_others_can_read_is_refused(shared: Path) -> None:
    ledger = shared / "ledger.sqlite"
    Ledger.open(ledger).close()
    ledger.chmod(0o644)
    address = {"DASHBOARD_DATABASE_URL": f"sqlite:///{ledger}"}
    code, found = told(shared, **address)
    assert (code, found["ledger-file"][0]) == (1, "refused")
    assert f"chmod o-rwx {ledger}" in found["ledger-file"][1]
    for path in shared.glob("ledger.sqlite*"):
        path.chmod(0o600)
    assert told(shared, **address)[1]["ledger-file"][0] == "ok"


def test_a_file_of_settings_that_others_can_read_is_a_warning(shared: Path) -> None:
    (shared / ".env").write_text("DASHBOARD_COUNTRY=GB\n")
    (shared / ".env").chmod(0o644)
    code, found = told(shared)
    assert (code, found["env-file"]) == (
        0,
        ("warning", "Everybody on this machine can get into the file .env. Run: chmod o-rwx .env"),
    )


def altered(address: str, setting: str) -> None:
    """Change what all sessions of a database begin with."""
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {make_url(address).database} SET {setting}"))
    engine.dispose()


@pytest.mark.parametrize(
    ("setting", "name", "said"),
    [
        ("synchronous_commit = off", "durability", "Set synchronous_commit=on."),
        ("default_transaction_read_only = on", "database", "Name the primary one."),
    ],
)
def test_a_postgresql_that_loses_or_refuses_writes_is_refused(
    tmp_path: Path, postgresql_url: str, setting: str, name: str, said: str
) -> None:
    address = {"DASHBOARD_DATABASE_URL": postgresql_url}
    code, found = told(tmp_path, **address)
    assert (code, found["database"][1][:38]) == (0, "The ledger will be made on PostgreSQL ")
    assert "disk" not in found
    altered(postgresql_url, setting)
    code, found = told(tmp_path, **address)
    assert (code, found[name][0]) == (1, "refused")
    assert said in found[name][1]
    for words in ((), WORKER):
        done = run(tmp_path, *words, **address)
        assert done.returncode == 2
        assert found[name][1] in done.stderr


RIGHTS = "does not let this user make or change tables"


@pytest.fixture
def weak_url(postgresql_url: str) -> Iterator[URL]:
    """The address of a user who may connect and nothing else."""
    name = f"weak_{uuid4().hex}"
    engine = create_engine(postgresql_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("REVOKE CREATE ON SCHEMA public FROM PUBLIC"))  # as from PostgreSQL 15 on
        connection.execute(text(f"CREATE ROLE {name} LOGIN"))
        yield make_url(postgresql_url).set(username=name, password=None)
        connection.execute(text(f"DROP ROLE {name}"))
    engine.dispose()


@pytest.mark.parametrize("option", ["", "options=-csearch_path%3Dnowhere"])
def test_a_user_who_may_make_no_tables_or_change_those_of_another_is_told_so(
    tmp_path: Path, postgresql_url: str, weak_url: URL, option: str
) -> None:
    url = weak_url.update_query_string(option)
    address = {"DASHBOARD_DATABASE_URL": url.render_as_string()}
    for _before_and_after in range(2):
        code, found = told(tmp_path, **address)
        assert (code, found["database"][0]) == (1, "refused")
        done = run(tmp_path, *WORKER, **address)
        assert done.returncode == 2
        with pytest.raises(LedgerRefusedError) as refused:
            Ledger.open(url)
        for said in (found["database"][1], done.stderr, str(refused.value)):
            assert RIGHTS in said
        Ledger.open(postgresql_url).close()


def test_a_database_that_cannot_be_reached_is_refused_without_its_password(tmp_path: Path) -> None:
    address = f"postgresql://ann:hidden-word@127.0.0.1:{closed_port()}/ledger"
    code, found = told(tmp_path, DASHBOARD_DATABASE_URL=address)
    assert (code, found["database"][0]) == (1, "refused")
    assert not {"durability", "clock"} & set(found)
    assert "hidden-word" not in str(found)


def test_a_ledger_is_left_as_it_is_and_one_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    open_ledger(tmp_path).close()
    before = contents(tmp_path)
    code, found = told(tmp_path)
    assert (code, found["database"]) == (0, ("ok", "The ledger is there, on SQLite."))
    assert contents(tmp_path) == before
    with open_ledger(tmp_path) as ledger, ledger.database.write() as connection:
        connection.execute(text("UPDATE fact SET value = '999' WHERE name = 'version'"))
    code, found = told(tmp_path)
    assert (code, found["database"][0]) == (1, "refused")
    assert "Install the newer program" in found["database"][1]


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    with run_server_in_thread(port=0) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_online_the_provider_and_the_service_are_asked(
    tmp_path: Path, provider: str, sandbox: SandboxPeer
) -> None:
    variables = {
        **SIGN_IN,
        "DASHBOARD_OIDC_ISSUER": provider,
        "SMS_BASE_URL": sandbox.base_url,
        "SMS_API_KEY": sandbox.api_key,
    }
    code, found = told(tmp_path, "--online", **variables)
    assert (code, found["issuer-online"]) == (0, ("ok", "The issuer answers."))
    assert found["service-online"] == ("ok", "The service answers and takes the key.")
    assert found["clock-online"] == ("ok", "This machine's clock agrees with the service's.")
    assert not {name for name in told(tmp_path, **variables)[1] if "online" in name}
    code, found = told(tmp_path, "--online", **variables | {"SMS_API_KEY": "another-key-4711"})
    assert (code, found["service-online"][0]) == (1, "refused")
    assert "SMS_API_KEY" in found["service-online"][1]
    assert "4711" not in str(found)


DOCUMENT = dict.fromkeys(("authorization_endpoint", "token_endpoint", "jwks_uri"), "https://id.example.com/x")


@each(
    "status, body, said",
    [
        (404, b"{}", "does not answer with an OpenID configuration"),
        (200, b"[" * 100_000, "does not answer with an OpenID configuration"),
        (200, json.dumps({**DOCUMENT, "issuer": "https://other.example.com"}).encode(), "something else"),
        (200, b'{"issuer": "%s"}', "has no authorization_endpoint"),
    ],
)
def test_an_issuer_that_is_none_is_refused_online(
    tmp_path: Path, status: int, body: bytes, said: str
) -> None:
    def behave(peer: Peer) -> None:
        answering(status, body.replace(b"%s", server.base_url.encode()))(peer)

    with OddServer(behave) as server:
        variables = SIGN_IN | {"DASHBOARD_OIDC_ISSUER": server.base_url}
        code, found = told(tmp_path, "--online", **variables)
    assert (code, found["issuer-online"][0]) == (1, "refused")
    assert said in found["issuer-online"][1]
    assert run(tmp_path, "check", **variables).returncode == 0


@each("minutes, state", [(-1, "warning"), (10, "refused")])
def test_a_service_with_another_time_is_pointed_out(tmp_path: Path, minutes: int, state: str) -> None:
    there = (datetime.now(UTC) + timedelta(minutes=minutes)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    answer = json.dumps({"valid_format": True}).encode()
    with OddServer(answering(200, answer, {"Date": there})) as server:
        variables = {"SMS_BASE_URL": server.base_url, "SMS_API_KEY": "fictional-key-4711"}
        _, found = told(tmp_path, "--online", **variables)
    assert found["clock-online"][0] == state, found
    assert ("behind" if minutes > 0 else "ahead of") in found["clock-online"][1]


def test_a_port_that_is_taken_is_the_starts_business(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert told(tmp_path, DASHBOARD_PORT=str(port))[0] == 0
        with pytest.raises(SettingsError), listening(load_settings(port=port)):
            pass
