"""Opening a ledger: new, of before, too old, newer, for reading only, and by several at once.

In `tests/vectors/ledger_19` is what the last program before the first release, whose tables were of version
19, wrote of a campaign whose batches it claimed and settled, of delivery reports and a draft: a dump of each
database, and the frames that the same program read from it.
"""

from __future__ import annotations

import errno
import json
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from each import each
from fixtures_ledger import (
    LAST_BEFORE,
    ON_BOTH_DATABASES,
    Clock,
    make_before_release,
    messages_frame,
    new_database,
    taken,
)
from forked import Forked
from patience import PATIENCE_S
from sqlalchemy import Connection, inspect, make_url

from dashboard.errors import LedgerDamagedError, LedgerError, LedgerRefusedError, LedgerVersionError
from dashboard.ledger import Ledger
from dashboard.ledger.copies import before_upgrade
from dashboard.ledger.copies.before_upgrade import upgrade_copies
from dashboard.ledger.copies.copying import put_back
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.pulse import pulse
from dashboard.ledger.database.version import VERSION, version_of
from dashboard.ledger.examined import examine
from dashboard.ledger.migrations import STEPS, Step, migrate, steps_ahead
from dashboard.ledger.outbox.slots import SLOTS, Slot, slot


def add_column(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE campaign ADD COLUMN colour TEXT")


def fail(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE campaign ADD COLUMN shade TEXT")
    raise RuntimeError("power cut")


def leave_out(connection: Connection) -> None:
    connection.exec_driver_sql("INSERT INTO fact (name) VALUES (NULL)")


def die(_connection: Connection) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def then(*steps: Step) -> dict[int, Step]:
    """Versions to come."""
    return {**STEPS, **dict(enumerate(steps, VERSION + 1))}


def version(ledger_url: str) -> int | None:
    with closing(Database(ledger_url)) as database, database.read() as connection:
        return version_of(connection)


def columns(ledger_url: str) -> set[str]:
    with closing(Database(ledger_url)) as database, database.read() as connection:
        return {column["name"] for column in inspect(connection).get_columns("campaign")}


def path_of(ledger_url: str) -> Path:
    return Path(make_url(ledger_url).database or "")


def lines(frame: pd.DataFrame, header: str) -> list[str]:
    """Columns of a frame as CSV, its rows in order."""
    first, *rows = frame[header.split(",")].to_csv(index=False).splitlines()
    return [first, *sorted(rows)]


@ON_BOTH_DATABASES
def test_a_ledger_of_the_version_before_is_carried_over(
    request: pytest.FixtureRequest, ledger_url: str
) -> None:
    make_before_release(ledger_url)
    with pytest.raises(LedgerError, match="older version"):
        Ledger.open(ledger_url, read_only=True)
    with Ledger.open(ledger_url, now=Clock()) as ledger:
        campaign = ledger.campaigns().set_index("name")["campaign"]
        seen = {name: getattr(ledger, name)() for name in ("campaigns", "messages", "batches", "events")}
        seen |= {name: getattr(ledger, name)() for name in ("counts", "course", "opt_out_history")}
        seen |= {"attempts": ledger.attempts(campaign["Spring"]), "audit": ledger.audit.entries().tail(1)}
        said = json.loads((LAST_BEFORE / "frames.json").read_text(encoding="utf-8"))
        for name, (header, *rows) in said.items():
            assert lines(seen[name], header) == [header, *sorted(rows)], name
        assert [ledger.recount(one) for one in campaign] == [[], []]
        ledger.start(campaign["Summer"])
        taken(ledger, campaign["Summer"])
        assert ledger.campaign(campaign["Summer"]).accepted == 2
        assert ledger.audit.entries()["what"].tolist().count("upgrade") == 1
        assert ledger.audit.verify().holds
        assert version(ledger_url) == VERSION
        fresh_url = f"{ledger_url}.new"
        if not ledger.database.is_sqlite:
            fresh_url = request.getfixturevalue("worlds_url")
        with Ledger.open(fresh_url) as fresh:
            assert _layout(ledger.database) == _layout(fresh.database)


TOO_OLD = {
    "an older one": "UPDATE ledger_version SET version = 18",
    "one that was not finished": "INSERT INTO fact VALUES ('filled_to', '0')",
    "one of which no program is known": "INSERT INTO ledger_version VALUES (20, 0)",
}


@ON_BOTH_DATABASES
@pytest.mark.parametrize("how", TOO_OLD)
def test_any_other_ledger_of_before_is_refused_and_left_alone(ledger_url: str, how: str) -> None:
    make_before_release(ledger_url)
    with closing(Database(ledger_url)) as database:
        with database.write() as connection:
            connection.exec_driver_sql(TOO_OLD[how])
        before = _layout(database)
        for read_only in (False, True):
            with pytest.raises(
                LedgerVersionError, match=r"from before the first release.*Nothing was changed"
            ):
                Ledger.open(ledger_url, read_only=read_only)
        assert _layout(database) == before
    assert upgrade_copies(path_of(ledger_url)) == []


ODD = (
    "UPDATE fact SET value = 'abc' WHERE name = 'version'",
    "UPDATE fact SET value = '0' WHERE name = 'version'",
    "DELETE FROM fact WHERE name = 'version'",
    "DROP TABLE fact",
)


@ON_BOTH_DATABASES
def test_tables_without_a_version_that_any_program_wrote_are_refused_and_left_alone(ledger_url: str) -> None:
    Ledger.open(ledger_url).close()
    with closing(Database(ledger_url)) as database:
        for change in ODD:
            with database.write() as connection:
                connection.exec_driver_sql(change)
            _refused_at_every_door(database)


def test_a_database_of_another_program_is_refused_and_left_alone(postgresql_url: str) -> None:
    with closing(Database(postgresql_url)) as database:
        for table in ("fact", "person"):  # of SQLite, only a file of our own is opened
            with database.write() as connection:
                connection.exec_driver_sql(f"CREATE TABLE {table} (id INTEGER)")
            _refused_at_every_door(database)
            with database.write() as connection:
                connection.exec_driver_sql(f"DROP TABLE {table}")
        for table in ("fact", "campaign", "batch", "message"):
            with database.write() as connection:
                connection.exec_driver_sql(f"CREATE TABLE {table} (id INTEGER)")
            _refused_at_every_door(database)


def _refused_at_every_door(database: Database) -> None:
    before = _layout(database)
    for door in (Ledger.open, partial(Ledger.open, read_only=True), examine):
        with pytest.raises(LedgerDamagedError, match=r"named like a ledger's.*Nothing was changed"):
            door(database.url.render_as_string(hide_password=False))
    with pytest.raises(LedgerDamagedError):
        steps_ahead(database)
    assert _layout(database) == before


@ON_BOTH_DATABASES
def test_all_steps_run_or_none(ledger_url: str, tmp_path: Path) -> None:
    make_before_release(ledger_url)
    with closing(Database(ledger_url)) as database:
        with pytest.raises(RuntimeError):
            migrate(database, steps=then(add_column, fail))
        with pytest.raises(LedgerRefusedError, match=r"refuses this .*(Integrity|NotNull)"):
            migrate(database, steps=then(add_column, leave_out))
        killed = Forked(killed_in_a_step, [ledger_url], folder=tmp_path, environment=os.environ)
        assert killed.wait(PATIENCE_S) == -signal.SIGKILL
        assert version(ledger_url) == 0
        assert columns(ledger_url).isdisjoint({"colour", "shade"})
        migrate(database, steps=then(add_column))
    assert "colour" in columns(ledger_url)


def killed_in_a_step(words: list[str]) -> None:
    migrate(Database(*words), steps=then(add_column, die))


@ON_BOTH_DATABASES
def test_several_may_open_a_ledger_of_before_at_once(ledger_url: str, tmp_path: Path) -> None:
    make_before_release(ledger_url)
    opened = [
        Forked(open_and_close, [ledger_url], folder=tmp_path, environment=os.environ) for _process in range(3)
    ]
    assert [one.wait(PATIENCE_S) for one in opened] == [0, 0, 0]
    with Ledger.open(ledger_url) as ledger:
        assert ledger.audit.entries()["what"].tolist().count("upgrade") == 1
        assert len(upgrade_copies(path_of(ledger_url))) == ledger.database.is_sqlite


def open_and_close(words: list[str]) -> None:
    Ledger.open(*words).close()


def test_a_copy_of_the_older_ledger_stays_next_to_it(sqlite_url: str) -> None:
    make_before_release(sqlite_url)
    Ledger.open(sqlite_url).close()
    (copy,) = upgrade_copies(path_of(sqlite_url))
    assert ".version-0." in copy.name
    assert copy.stat().st_mode & 0o077 == 0
    with closing(Database(copy, read_only=True)) as database, database.read() as connection:
        assert version_of(connection) == 0
        assert connection.exec_driver_sql("SELECT count(*) FROM message").scalar_one() == 10
    Ledger.open(sqlite_url).close()
    assert upgrade_copies(path_of(sqlite_url)) == [copy], "nothing is copied where nothing is done"


def test_a_copy_from_before_may_be_restored(sqlite_url: str, tmp_path: Path, clock: Clock) -> None:
    make_before_release(f"sqlite:///{tmp_path / 'copy.sqlite'}")
    with Ledger.open(sqlite_url) as ledger:
        ledger.add_opt_outs(["+447400900001"])
        ledger.close()
        assert put_back(tmp_path / "copy.sqlite", ledger.database, clock()) == 1
    with Ledger.open(sqlite_url) as again:
        assert len(again.messages()) == 10
        assert {*again.opt_outs()["phone"]} == {"+447400900001", "+447400900002"}


def test_without_a_copy_nothing_becomes_new_and_a_few_stay(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ledger.open(sqlite_url).close()
    path = path_of(sqlite_url)
    old = [path.with_name(f"{path.name}.version-{number}.20250{number}01T000000") for number in range(1, 6)]
    for copy in reversed(old):
        copy.touch()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with closing(Database(sqlite_url)) as database:
        with monkeypatch.context() as patch:
            patch.setattr(before_upgrade, "copy_to", full)
            with pytest.raises(LedgerError, match=r"no copy of it could be made first.*No space left"):
                migrate(database, steps=then(add_column))
        assert "colour" not in columns(sqlite_url)
        migrate(database, steps=then(add_column))
    assert [one.name for one in upgrade_copies(path)[:-1]] == [one.name for one in old[-2:]]


def test_the_copies_of_a_ledger_with_another_name_are_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "p.sqlite.version-3.20250101T000000").touch()
    own = tmp_path / "[prod].sqlite.version-3.20250101T000000"
    own.touch()
    assert upgrade_copies(tmp_path / "[prod].sqlite") == [own]


@ON_BOTH_DATABASES
def test_several_may_open_a_new_ledger_at_once(ledger_url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        for ledger in pool.map(Ledger.open, [ledger_url] * 6):
            assert ledger.campaigns().empty
            ledger.close()


@ON_BOTH_DATABASES
def test_a_ledger_open_for_reading_changes_nothing(ledger_url: str) -> None:
    with pytest.raises(LedgerError, match="There is no ledger yet: "):
        Ledger.open(ledger_url, read_only=True)
    writer = Ledger.open(ledger_url)
    campaign = writer.create_campaign("Spring", messages_frame(2), batch_size=1)
    reader = Ledger.open(ledger_url, read_only=True)
    assert len(reader.messages(campaign)) == 2
    with pytest.raises(LedgerError, match="reading only"):
        reader.start(campaign)
    reader.close()
    writer.close()


MISTYPED = (
    "sqlite:/ledger.sqlite",
    "SQLite:ledger.db",
    "postgresql:/u:secret@host/x.db",
    "sqlite+pysqlite:x.db",
)
"""Of a path, they would name a folder."""


@each(
    "address", ["mysql://host/name", "sqlite://", "sqlite:///:memory:", "postgres://secret@host/x", *MISTYPED]
)
def test_an_address_that_cannot_be_a_ledger_is_refused_in_words(address: str) -> None:
    with pytest.raises(LedgerError) as error:
        Ledger.open(address)
    assert "secret" not in str(error.value)


def test_commits_are_on_disk_when_answered_and_what_is_deleted_is_overwritten(sqlite_url: str) -> None:
    pragmas = {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}
    ledger = Ledger.open(sqlite_url)
    for transaction in (ledger.database.read, ledger.database.write):
        with transaction() as connection:
            found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in pragmas}
            assert found == pragmas
    ledger.close()


def test_a_postgresql_that_answers_before_its_commits_are_safe_is_refused(postgresql_url: str) -> None:
    with closing(Database(postgresql_url)) as database:
        _set(database, "synchronous_commit = off")
    with pytest.raises(LedgerError, match="synchronous_commit=on"):
        Ledger.open(postgresql_url)


@each("setting, of_session", [("local", "local"), ("remote_apply", "remote_apply"), ("off", "on")])
def test_and_one_that_would_from_now_on_does_not_for_a_ledger_that_is_open(
    postgresql_url: str, setting: str, of_session: str
) -> None:
    with Ledger.open(postgresql_url) as ledger:
        _set(ledger.database, f"synchronous_commit = {setting}")
        ledger.database.engine.dispose()
        with ledger.database.write() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == of_session


BEGUN: dict[str, tuple[str, dict[str, str]]] = {
    "datestyle = 'German, DMY'": ("", {}),
    "client_encoding = latin1": ("", {}),
    "timezone = 'Asia/Kathmandu'": ("", {"PGDATESTYLE": "SQL, DMY"}),
    "jit = on": ("", {"PGOPTIONS": "-c datestyle=german", "PGCLIENTENCODING": "sql_ascii"}),
    "jit = off": ("client_encoding=latin1", {}),
}


@pytest.mark.parametrize("setting", BEGUN)
def test_dates_and_texts_are_the_same_however_a_session_begins(
    postgresql_url: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    option, variables = BEGUN[setting]
    with closing(Database(postgresql_url)) as database:
        _set(database, setting)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    before = datetime.now(UTC)
    url = make_url(postgresql_url).update_query_string(option)
    with Ledger.open(url) as ledger:
        messages = messages_frame(1, "Łódź 🙂", body="Zażółć 🙂")
        campaign = ledger.create_campaign("Łódź 🙂", messages, batch_size=1)
        found = ledger.campaign(campaign)
        assert found.name == "Łódź 🙂"
        assert found.created_at >= before
        assert ledger.messages(campaign)["body"].tolist() == ["Zażółć 🙂"]
        assert pulse(ledger.database) == "ok"


@each("option", ["prepare_threshold=5", "row_factory=x", "nonsense=x", "connect_timeout=x"])
def test_an_option_that_postgresql_does_not_know_is_refused(postgresql_url: str, option: str) -> None:
    with pytest.raises(LedgerError, match="an option that PostgreSQL does not know"):
        Ledger.open(make_url(postgresql_url).update_query_string(option))


@each("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_postgresql_that_cannot_hold_every_text_is_refused(postgresql_server: str, encoding: str) -> None:
    with new_database(postgresql_server, f"ENCODING '{encoding}' TEMPLATE template0 LOCALE 'C'") as url:
        for opened in (Ledger.open, examine):
            with pytest.raises(LedgerError, match=f"in {encoding}.*createdb --encoding=UTF8"):
                opened(url)


def _set(database: Database, setting: str) -> None:
    """Change what all new sessions of a PostgreSQL database begin with."""
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"ALTER DATABASE {database.url.database} SET {setting}")


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
    make_before_release(ledger_url)
    with closing(Database(ledger_url)) as database:
        places = [slot(number, database) for number in (0, 1, SLOTS - 1)]
        for lives in places:
            assert lives.acquire()
            for _ in range(2):
                with pytest.raises(LedgerError, match="worker of that version is running"):
                    Ledger.open(ledger_url)
            assert version(ledger_url) == 0
            assert not upgrade_copies(path_of(ledger_url))
            lives.release()
        migrate(database, steps=then(partial(_none_can_send, places)))
        assert places[0].acquire()
        migrate(database, steps=then(_none_can_send))  # of this version, it may send meanwhile
        places[0].release()


@ON_BOTH_DATABASES
def test_an_older_program_neither_opens_nor_sends_once_tables_are_upgraded(ledger_url: str) -> None:
    """As a notebook that had the ledger open and held no slot, by which the upgrade would have known it."""
    with Ledger.open(ledger_url) as ledger, closing(Database(ledger_url)) as database:
        migrate(database, steps=then(add_column))
        with pytest.raises(LedgerVersionError, match="Install the newer program"):
            ledger.outbox.register(0)
        assert ledger.outbox.slots_in_use() == []
    for read_only in (False, True):
        with pytest.raises(LedgerVersionError, match="newer program"):
            Ledger.open(ledger_url, read_only=read_only)


def _none_can_send(places: Sequence[Slot], _connection: Connection) -> None:
    assert not any(place.acquire() for place in places)
