"""Opening a ledger: new, old, newer, for reading only, and by several at once."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from decimal import Decimal
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from each import each
from fixtures_ledger import ON_BOTH_DATABASES, make_as_released, messages_frame
from simulation.versions import BACK, go_back
from sqlalchemy import Connection, inspect, make_url, select, text
from sqlalchemy.exc import DBAPIError

from dashboard.errors import LedgerError, LedgerVersionError
from dashboard.ledger import Ledger
from dashboard.ledger.copies import before_upgrade
from dashboard.ledger.copies.before_upgrade import upgrade_copies
from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.evidence.usage import used
from dashboard.ledger.outbox.slots import SLOTS, Slot, slot
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


def test_a_copy_of_the_older_ledger_stays_next_to_it(sqlite_url: str) -> None:
    ledger = Ledger.open(sqlite_url)
    ledger.create_campaign("Spring", messages_frame(3), batch_size=1)
    version = go_back(ledger.database, len(BACK) - 1)
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


@each("address", ["mysql://host/name", "sqlite://", "sqlite:///:memory:", "postgres://secret@host/x"])
def test_an_address_that_cannot_be_a_ledger_is_refused_in_words(address: str) -> None:
    with pytest.raises(LedgerError) as error:
        Ledger.open(address)
    assert "secret" not in str(error.value)


def test_commits_are_on_disk_before_they_are_answered_and_what_is_deleted_is_overwritten(
    sqlite_url: str,
) -> None:
    pragmas = {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}
    ledger = Ledger.open(sqlite_url)
    for transaction in (ledger.database.read, ledger.database.write):
        with transaction() as connection:
            found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in pragmas}
            assert found == pragmas
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
def test_a_ledger_of_the_first_version_becomes_what_a_new_one_is(
    request: pytest.FixtureRequest, ledger_url: str
) -> None:
    is_sqlite = ledger_url.startswith("sqlite")
    fresh_url = f"{ledger_url}.new" if is_sqlite else request.getfixturevalue("worlds_url")
    Ledger.open(fresh_url).close()
    with closing(Database(ledger_url)) as database, closing(Database(fresh_url)) as fresh:
        make_as_released(database, 1)
        migrate(database)
        assert _layout(database) == _layout(fresh)


KNOWN_BEFORE = """
INSERT INTO campaign (id, name, state, shorten_links, batch_size, price_per_credit, currency, first_message,
    last_message, credits_low, credits_high, created_at)
VALUES ('a', 'Spring', 'running', true, 10, '0.045', 'EUR', 1, 4, 10, 20, 1),
    ('b', 'Summer', 'draft', true, 1, NULL, 'EUR', 5, 5, 10, 20, 1),
    ('c', 'Autumn', 'done', true, 10, NULL, 'EUR', 6, 9, 4, 4, 1);

INSERT INTO batch (id, campaign_id, seq, first_message, last_message, messages, credits_low, credits_high,
    state, attempt, claimed_at, accepted, sent, delivered, dropped, credits_billed)
VALUES (1, 'a', 0, 1, 4, 4, 10, 20, 'unknown', 0, NULL, 2, 1, 1, 1, 3),
    (2, 'c', 0, 6, 9, 4, 4, 4, 'accepted', 2, 90000000, 3, 0, 0, 1, 5);

INSERT INTO attempt (batch_id, attempt, owner, at, event)
VALUES (2, 1, 'o', 1000000, 'claimed'), (2, 1, 'o', 2000000, 'unknown'), (2, 2, 'o', 90000000, 'claimed');

INSERT INTO message (id, uuid, "to", body, credits_low, credits_high)
VALUES (1, '11111111-1111-4111-8111-111111111111', '+447400900001', 'Hi', 1, 5),
    (2, '22222222-2222-4222-8222-222222222222', '+447400900002', 'Hi', 3, 4),
    (3, '33333333-3333-4333-8333-333333333333', '+447400900003', 'Hi', 3, 6),
    (4, '44444444-4444-4444-8444-444444444444', '+447400900004', 'Hi', 3, 5),
    (6, 'six', '+447400900001', 'Hi https://example.com/x', 1, 1), (7, 'seven', '+447400900002', 'Hi', 1, 1),
    (8, 'eight', '+447400900003', 'Hi', 1, 1), (9, 'nine', '+447400900004', 'Hi', 1, 1);

INSERT INTO result (message_id, state, echoed, status, failure_reason, created_at, delivered_at, credits_used,
    stage, changed_at)
VALUES (1, 'accepted', true, 'pending', NULL, 1000000, NULL, 3, 0, 5000000),
    (2, 'accepted', true, 'DELIVRD', NULL, 1000000, 2000000, NULL, 3, 6000000),
    (3, 'dropped', false, NULL, NULL, NULL, NULL, NULL, 0, 5000000),
    (6, 'accepted', true, 'pending', NULL, NULL, NULL, 4, 0, 5000000),
    (7, 'accepted', true, 'FAILED', 'blocked', NULL, NULL, 1, 2, 95000000),
    (8, 'accepted', true, 'pending', NULL, NULL, NULL, NULL, 0, 95000000),
    (9, 'dropped', false, NULL, NULL, NULL, NULL, NULL, 0, 95000000);
"""
"""Rows of version 5, each statement after a blank line. Message 6 was taken by the first of two requests."""


@ON_BOTH_DATABASES
def test_what_version_5_knew_is_counted_and_the_first_of_the_history(ledger_url: str) -> None:
    with closing(Database(ledger_url)) as database:
        make_as_released(database, 5)
        with database.write() as connection:
            for statement in KNOWN_BEFORE.split(";\n\n"):
                connection.exec_driver_sql(statement)
    ledger = Ledger.open(ledger_url)
    events = ledger.events("a")
    known = events[["stage", "status", "source"]].to_numpy().tolist()
    assert known == [["accepted", "pending", "answer"], ["delivered", "DELIVRD", "report"]]
    assert [at.timestamp() for at in events["at"]] == [1, 2]
    assert [at.timestamp() for at in events["recorded_at"]] == [5, 6]
    again = {"uuid": events["uuid"][1], "status": "DELIVRD", "delivered_at": "1970-01-01T00:00:02Z"}
    ledger.record_reports([again])
    assert len(ledger.events("a")) == 2, "what is said again after the upgrade is no new event"
    with ledger.database.read() as connection:
        assert used(connection, "a") == 3 + 4 + 5, "a bill, and what there may be without one"
        query = select(schema.campaign.c.cost_low, schema.campaign.c.cost_high)
        costs = connection.execute(query.order_by(schema.campaign.c.id)).all()
    assert costs == [(Decimal("0.450"), Decimal("0.900")), (None, None), (None, None)]
    messages = ledger.messages("c")
    for column, expected in (("handed_over_at", [1, 90, 90, None]), ("failed_at", [None, 95, None, None])):
        assert [None if pd.isna(at) else at.timestamp() for at in messages[column]] == expected
    causes = ["short link", "as estimated", "missing from the answer", "not sent"]
    assert messages["cause"].tolist() == causes
    ledger.close()


SAID_BEFORE = """
INSERT INTO event (message_id, stage, at, said, status, failure_reason, source, recorded_at)
VALUES (:message, 2, 95000000, :said, :status, :why, 'report', 95000000)
"""
TYPED_BEFORE = """
INSERT INTO opt_out (phone, added_at, removed_at, reason, source, removed_why)
VALUES ('+447400900001', 1, 2, 'by Ann: 0740 900002 called', 'Ticket 4711', 'by Ann: +44740900002 called');

UPDATE campaign SET reason = 'by Ann: 0740-900002 called' WHERE id = 'a';

UPDATE batch SET reason = 'by Ann: 0044740900002 called' WHERE id = 1;

INSERT INTO decision (batch_id, attempt, decision, who, at, messages, credits_low, credits_high, currency,
    why)
VALUES (1, 0, 'abandoned', 'Ann', 1, 1, 1, 1, 'EUR', 'by Ann: +44740900002 called')
"""
HEARD_BEFORE = """
UPDATE result SET stage = 2, status = :status, failure_reason = :why, failed_at = 95000000
WHERE message_id = :message
"""


@ON_BOTH_DATABASES
def test_version_19_leaves_nobody_in_what_was_said(ledger_url: str) -> None:
    """And counts those who failed alike together; what was said twice of one message is one event."""
    with closing(Database(ledger_url)) as database:
        make_as_released(database, 5)
        with database.write() as connection:
            for statement in KNOWN_BEFORE.split(";\n\n"):
                connection.exec_driver_sql(statement)
        migrate(database, version=18)
        with database.write() as connection:
            for number, (message, said) in enumerate(
                ((7, "+447400900002"), (7, "0740 900002"), (8, "740900003"))
            ):
                row = {
                    "message": message,
                    "status": f"FAILED {said}",
                    "why": f"{said} is off",
                    "said": number,
                }
                connection.execute(text(SAID_BEFORE), row)
                connection.execute(text(HEARD_BEFORE), row)
            for statement in TYPED_BEFORE.split(";\n\n"):
                connection.exec_driver_sql(statement)
    ledger = Ledger.open(ledger_url)
    typed = [*ledger.batches()["reason"].dropna(), *ledger.decisions("a")["why"], ledger.campaign("a").reason]
    typed += [*ledger.opt_out_history().iloc[0][["reason", "source", "removed_why"]]]
    assert {*typed} == {"by Ann: … called", "Ticket 4711"}
    assert ledger.messages("c")["failure_reason"].tolist()[1:3] == ["… is off", "… is off"]
    assert ledger.counts("c").set_index("reason").loc["… is off", "messages"].sum() == 2
    events = ledger.events("c")["failure_reason"].dropna().tolist()
    assert sorted(events) == ["blocked", "… is off", "… is off"]
    assert ledger.recount("c") == []
    with pytest.raises(DBAPIError, match="never change"), ledger.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM event")
    ledger.close()


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


@ON_BOTH_DATABASES
def test_no_tables_are_upgraded_under_a_program_of_the_older_version_that_sends(ledger_url: str) -> None:
    """Whatever its slot; a program that ended, or was killed, leaves none that is locked."""
    with Ledger.open(ledger_url) as ledger:
        for number in range(3):
            ledger.outbox.register(number)  # and never retired, as if killed
        version = go_back(ledger.database, 0)
        places = [slot(number, ledger.database) for number in (0, 1, SLOTS - 1)]
        for lives in places:
            assert lives.acquire()
            for _ in range(2):
                with pytest.raises(LedgerError, match="worker of that version is running"):
                    Ledger.open(ledger_url)
            with ledger.database.read() as connection:
                assert version_of(connection) == version
            assert not upgrade_copies(Path(make_url(ledger_url).database or ""))
            lives.release()
        with closing(Database(ledger_url)) as other:
            migrate(other, version=version + 1, steps={version + 1: partial(_none_can_send, places)})
        Ledger.open(ledger_url).close()
        assert places[0].acquire()
        Ledger.open(ledger_url).close()  # of this version, it may send meanwhile
        places[0].release()


def _none_can_send(places: Sequence[Slot], _connection: Connection) -> None:
    assert not any(place.acquire() for place in places)
