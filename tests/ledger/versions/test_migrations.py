"""Opening a ledger: new, old, newer, for reading only, and by several at once."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, make_as_released, messages_frame, upgraded
from simulation.versions import BACK, go_back
from sqlalchemy import Connection, inspect, make_url, select

from dashboard.errors import LedgerError, LedgerVersionError
from dashboard.ledger import Ledger
from dashboard.ledger.copies import before_upgrade
from dashboard.ledger.copies.before_upgrade import upgrade_copies
from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.versions.migrations import VERSION, migrate, steps_ahead, version_of


def add_column(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE campaign ADD COLUMN colour TEXT")


def fail(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE campaign ADD COLUMN shade TEXT")
    raise RuntimeError("power cut")


def columns(ledger_url: str) -> set[str]:
    database = Database(ledger_url)
    with database.read() as connection:
        found = {column["name"] for column in inspect(connection).get_columns("campaign")}
    database.close()
    return found


@ON_BOTH_DATABASES
def test_all_steps_run_or_none(ledger_url: str) -> None:
    Ledger.open(ledger_url).close()
    database = Database(ledger_url)
    with pytest.raises(RuntimeError):
        migrate(database, version=VERSION + 2, steps={VERSION + 1: add_column, VERSION + 2: fail})
    assert columns(ledger_url).isdisjoint({"colour", "shade"})
    Ledger.open(ledger_url).close()  # the older program goes on
    migrate(database, version=VERSION + 2, steps={VERSION + 1: add_column, VERSION + 2: lambda _: None})
    assert "colour" in columns(ledger_url)
    migrate(database, version=VERSION + 2, steps={})
    database.close()


@pytest.mark.parametrize("back", range(len(BACK)))
def test_a_copy_of_the_older_ledger_stays_next_to_it(sqlite_url: str, back: int) -> None:
    ledger = Ledger.open(sqlite_url)
    ledger.create_campaign("Spring", messages_frame(3), batch_size=1)
    version = go_back(ledger.database, back)
    ledger.close()
    path = Path(str(make_url(sqlite_url).database))
    with closing(Database(sqlite_url)) as database:
        assert list(steps_ahead(database)) == list(range(version + 1, VERSION + 1))
        assert all(steps_ahead(database).values())
        migrate(database)
    (copy,) = upgrade_copies(path)
    assert f".version-{version}." in copy.name
    assert copy.stat().st_mode & 0o077 == 0
    with closing(Database(copy, read_only=True)) as database, database.read() as connection:
        assert version_of(connection) == version
        assert connection.exec_driver_sql("SELECT count(*) FROM message").scalar_one() == 3
    Ledger.open(sqlite_url).close()
    assert upgrade_copies(path) == [copy], "nothing is copied where nothing is done"


def test_a_few_copies_stay(sqlite_url: str) -> None:
    Ledger.open(sqlite_url).close()
    path = Path(str(make_url(sqlite_url).database))
    old = [path.with_name(f"{path.name}.version-{number}.20250{number}01T000000") for number in range(1, 6)]
    for copy in reversed(old):
        copy.touch()
    with closing(Database(sqlite_url)) as database:
        migrate(database, version=VERSION + 1, steps={VERSION + 1: add_column})
    assert [one.name for one in upgrade_copies(path)[:-1]] == [one.name for one in old[-2:]]


def test_without_a_copy_nothing_becomes_new(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger.open(sqlite_url).close()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with closing(Database(sqlite_url)) as database:
        monkeypatch.setattr(before_upgrade, "copy_to", full)
        with pytest.raises(LedgerError, match=r"no copy of it could be made first.*No space left"):
            migrate(database, version=VERSION + 1, steps={VERSION + 1: add_column})
    assert "colour" not in columns(sqlite_url)


def test_a_newer_ledger_is_refused_and_left_alone(ledger_url: str) -> None:
    Ledger.open(ledger_url).close()
    database = Database(ledger_url)
    migrate(database, version=VERSION + 1, steps={VERSION + 1: add_column})
    database.close()
    for read_only in (False, True):
        with pytest.raises(LedgerVersionError, match="newer program"):
            Ledger.open(ledger_url, read_only=read_only)


@ON_BOTH_DATABASES
def test_several_may_open_a_new_ledger_at_once(ledger_url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        for ledger in pool.map(Ledger.open, [ledger_url] * 6):
            assert ledger.campaigns().empty
            ledger.close()


@ON_BOTH_DATABASES
def test_a_ledger_open_for_reading_changes_nothing(ledger_url: str) -> None:
    with pytest.raises(LedgerError):
        Ledger.open(ledger_url, read_only=True)
    writer = Ledger.open(ledger_url)
    campaign = writer.create_campaign("Spring", messages_frame(2), batch_size=1)
    reader = Ledger.open(ledger_url, read_only=True)
    assert len(reader.messages(campaign)) == 2
    with pytest.raises(LedgerError, match="reading only"):
        reader.start(campaign)
    reader.close()
    writer.close()


def test_reading_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="no ledger"):
        Ledger.open(f"sqlite:///{tmp_path}/none/ledger.sqlite", read_only=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "address",
    ["mysql://host/name", "sqlite://", "sqlite:///:memory:", "postgres://secret@host/x"],
)
def test_an_address_that_cannot_be_a_ledger_is_refused_in_words(address: str) -> None:
    with pytest.raises(LedgerError) as error:
        Ledger.open(address)
    assert "secret" not in str(error.value)


def test_commits_are_on_disk_before_they_are_answered(sqlite_url: str) -> None:
    ledger = Ledger.open(sqlite_url)
    with ledger.database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
    ledger.close()


def test_every_connection_overwrites_what_it_deletes(sqlite_url: str) -> None:
    ledger = Ledger.open(sqlite_url)
    with ledger.database.read() as one, ledger.database.write() as other:
        for connection in (one, other):
            assert connection.exec_driver_sql("PRAGMA secure_delete").scalar_one() == 1
    ledger.close()


def test_a_postgresql_that_answers_before_its_commits_are_safe_is_refused(postgresql_url: str) -> None:
    database = Database(postgresql_url)
    name = database.url.database
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"ALTER DATABASE {name} SET synchronous_commit = off")
    database.close()
    with pytest.raises(LedgerError, match="synchronous_commit=on"):
        Ledger.open(postgresql_url)


@ON_BOTH_DATABASES
@pytest.mark.parametrize("released", [1, 5])
def test_a_ledger_of_every_released_version_becomes_what_a_new_one_is(ledger_url: str, released: int) -> None:
    database = Database(ledger_url)
    make_as_released(database, released)
    migrate(database)
    old = _layout(database)
    database.close()
    with _another(ledger_url) as fresh:
        assert old == _layout(fresh)


@ON_BOTH_DATABASES
def test_campaigns_from_before_costs_were_kept_get_theirs(ledger_url: str) -> None:
    database = Database(ledger_url)
    make_as_released(database, 5)
    campaign = (
        "INSERT INTO campaign (id, name, state, shorten_links, batch_size, price_per_credit, currency, "
        "first_message, last_message, credits_low, credits_high, created_at) "
        "VALUES ('{}', 'Spring', 'draft', true, 1, {}, 'EUR', {}, {}, 10, 20, 0)"
    )
    with database.write() as connection:
        connection.exec_driver_sql(campaign.format("a", "'0.045'", 1, 1))
        connection.exec_driver_sql(campaign.format("b", "NULL", 2, 2))
    migrate(database)
    with database.read() as connection:
        query = select(schema.campaign.c.cost_low, schema.campaign.c.cost_high)
        costs = connection.execute(query.order_by(schema.campaign.c.id)).all()
    assert costs == [(Decimal("0.450"), Decimal("0.900")), (None, None)]
    database.close()


KNOWN_BEFORE = """
INSERT INTO campaign (id, name, state, shorten_links, batch_size, currency, first_message, last_message,
    credits_low, credits_high, created_at)
VALUES ('c', 'Spring', 'running', true, 10, 'EUR', 1, 3, 3, 3, 1);

INSERT INTO batch (id, campaign_id, seq, first_message, last_message, messages, credits_low, credits_high,
    state, accepted, sent, delivered)
VALUES (1, 'c', 0, 1, 3, 3, 3, 3, 'sending', 2, 1, 1);

INSERT INTO message (id, uuid, "to", body, credits_low, credits_high)
VALUES (1, 'one', '+447400900001', 'Hi', 1, 1), (2, 'two', '+447400900002', 'Hi', 1, 1),
    (3, 'three', '+447400900003', 'Hi', 1, 1);

INSERT INTO result (message_id, state, echoed, status, created_at, delivered_at, stage, changed_at)
VALUES (1, 'accepted', true, 'pending', 1000000, NULL, 0, 5000000),
    (2, 'accepted', true, 'DELIVRD', 1000000, 2000000, 3, 6000000);
"""
"""Rows of version 5, each statement after a blank line."""


@ON_BOTH_DATABASES
def test_what_was_known_before_there_was_a_history_is_its_first_event(ledger_url: str) -> None:
    ledger = upgraded(ledger_url, KNOWN_BEFORE)
    events = ledger.events("c")
    known = events[["uuid", "stage", "status", "source"]].to_numpy().tolist()
    assert known == [["one", "accepted", "pending", "answer"], ["two", "delivered", "DELIVRD", "report"]]
    assert [at.timestamp() for at in events["at"]] == [1, 2]
    assert [at.timestamp() for at in events["recorded_at"]] == [5, 6]
    ledger.close()


@contextmanager
def _another(ledger_url: str) -> Iterator[Database]:
    """A new ledger beside this one, of the same kind."""
    url = make_url(ledger_url)
    if url.get_backend_name() == "sqlite":
        Ledger.open(f"{ledger_url}.new").close()
        fresh = Database(f"{ledger_url}.new")
    else:
        database = Database(ledger_url)
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {url.database}_new")
        database.close()
        address = url.set(database=f"{url.database}_new").render_as_string(hide_password=False)
        Ledger.open(address).close()
        fresh = Database(address)
    yield fresh
    fresh.close()


def _layout(database: Database) -> dict[str, object]:
    """Tables with their columns, keys and indexes, and the triggers."""
    triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    if database.engine.dialect.name == "postgresql":
        triggers = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    with database.read() as connection:
        found = inspect(connection)
        tables = {
            name: (
                [(c["name"], str(c["type"]), c["nullable"], c["default"]) for c in found.get_columns(name)],
                found.get_pk_constraint(name)["constrained_columns"],
                [(key["constrained_columns"], key["options"]) for key in found.get_foreign_keys(name)],
                sorted((str(i["name"]), i["column_names"], i["unique"]) for i in found.get_indexes(name)),
            )
            for name in sorted(found.get_table_names())
        }
        return tables | {"triggers": sorted(connection.exec_driver_sql(triggers).scalars())}
