"""The audit trail: one chain whoever writes it, in which no row can change unnoticed."""

from __future__ import annotations

import json
import os
from contextlib import closing
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from each import each
from fixtures_ledger import Clock, messages_frame
from forked import Forked
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import PATIENCE_S
from sqlalchemy import make_url, update
from tiers import draws

from dashboard.ledger import Ledger
from dashboard.ledger.audit.acting import acting
from dashboard.ledger.copies.copying import back_up, put_back
from dashboard.ledger.database import schema
from dashboard.ledger.team.sign_ins import Account

ANN = Account("https://id.example", "sub-1", "ann@example.com")
HOUR = timedelta(hours=1)


def told(ledger: Ledger) -> list[tuple[str, str, str]]:
    """Who did what to what, the oldest first."""
    found = ledger.audit.entries().iloc[::-1]
    return list(zip(found["who"], found["what"], found["about"], strict=True))


def tamper(ledger: Ledger, statement: Any) -> None:
    """Change rows past the database's own refusal."""
    with ledger.database.write() as connection:
        if ledger.database.is_sqlite:
            for verb in ("UPDATE", "DELETE"):
                connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS audit_no_{verb}")
        else:
            connection.exec_driver_sql("DROP TRIGGER IF EXISTS audit_never_changes ON audit")
        if isinstance(statement, str):
            connection.exec_driver_sql(statement)
        else:
            connection.execute(statement)


TAMPERING = {
    "UPDATE audit SET at = at + 1 WHERE number = 1": 1,
    "UPDATE audit SET details = '{ }' WHERE number = 2": 2,
    "UPDATE audit SET details = '{}}' WHERE number = 2": 2,
    'UPDATE audit SET details = \'{"n":2,"n":1}\' WHERE number = 2': 2,
    "UPDATE audit SET hash = upper(hash) WHERE number = 4": 4,
    "UPDATE audit SET at = 9223372036854775807 WHERE number = 4": 4,
    f"UPDATE audit SET details = '{'[' * 5_000}' WHERE number = 4": 4,  # noqa: S608 - no values
    "UPDATE audit SET number = 0 WHERE number = 1": 1,
    "DELETE FROM audit WHERE number = 1": 1,
    "DELETE FROM audit WHERE number = 3": 3,
    "INSERT INTO audit SELECT 6, at, who, what, about, details, hash FROM audit WHERE number = 5": 6,
}


@each("statement, broken", TAMPERING.items())
def test_a_row_changed_put_in_or_taken_out_is_found(ledger: Ledger, statement: str, broken: int) -> None:
    tamper(ledger, "DELETE FROM audit")
    for place in range(5):
        ledger.audit.tell("edit", f"draft {place}", {"n": 1})
    tamper(ledger, statement)
    found = ledger.audit.verify()
    assert (found.broken, found.rows) == (broken, broken - 1)


def test_only_a_kept_hash_shows_that_the_newest_rows_are_gone(ledger: Ledger) -> None:
    for _ in range(3):
        ledger.audit.tell("edit", "draft")
    kept = ledger.audit.verify().last_hash
    ledger.audit.tell("edit", "draft")
    assert ledger.audit.verify(kept).holds
    tamper(ledger, "DELETE FROM audit WHERE number >= 3")
    assert ledger.audit.verify().holds
    assert not ledger.audit.verify(kept).holds


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=draws(25))
@given(
    st.sampled_from(["who", "about", "details", "hash", "what"]),
    st.integers(1, 4),
    st.text(max_size=70) | st.binary(max_size=9),
)
def test_anything_in_any_column_is_found_and_exported(
    sqlite_url: str, empty_file: bytes, tmp_path: Path, column: str, number: int, said: str | bytes
) -> None:
    """With SQLite's own hands, which ask for no type."""
    Path(str(make_url(sqlite_url).database)).write_bytes(empty_file)
    with closing(Ledger.open(sqlite_url)) as ledger:
        for _ in range(4):
            ledger.audit.tell("edit", "draft", {"n": 1})
        before = ledger.audit.entries().set_index("number")[column][number]
        value: str | bytes = said
        if isinstance(said, str):
            value = said.encode("utf-8", "replace").replace(b"\0", b"").decode()
        row = schema.audit.c.number == number
        tamper(ledger, update(schema.audit).where(row).values({column: value}))
        assert ledger.audit.verify().broken == (None if value == before else number)
        assert ledger.audit.write(tmp_path / "trail.jsonl") == 4


def write(words: list[str]) -> None:
    url, name, each = words
    with Ledger.open(url) as ledger:
        for place in range(int(each)):
            ledger.audit.tell("edit", name, {"place": place})
            ledger.sign_ins.bar(f"{name}@example.com")


def test_two_processes_at_once_write_one_chain(ledger_url: str, tmp_path: Path) -> None:
    Ledger.open(ledger_url).close()
    each = 15
    writers = [
        Forked(write, [ledger_url, name, str(each)], folder=tmp_path, environment=os.environ)
        for name in ("one", "two")
    ]
    assert [one.wait(PATIENCE_S) for one in writers] == [0, 0]
    with closing(Ledger.open(ledger_url)) as ledger:
        found = ledger.audit.entries()
        assert ledger.audit.verify().holds
    assert found["number"].tolist() == list(range(4 * each, 0, -1))
    for name in ("one", "two"):
        own = found[(found["about"] == name) & (found["what"] == "edit")].iloc[::-1]
        assert [json.loads(details)["place"] for details in own["details"]] == list(range(each))


def test_a_copy_of_another_ledger_keeps_its_own_trail(sqlite_url: str, clock: Clock, tmp_path: Path) -> None:
    with closing(Ledger.open(f"sqlite:///{tmp_path / 'other.sqlite'}", now=clock)) as other:
        other.audit.tell("edit", "other")
        back_up(other.database, tmp_path / "copy.sqlite", clock())
    ledger = Ledger.open(sqlite_url, now=clock)
    for _ in range(3):
        ledger.audit.tell("edit", "here")
    ledger.close()
    put_back(tmp_path / "copy.sqlite", ledger.database, clock())
    with closing(Ledger.open(sqlite_url, now=clock)) as again:
        assert [about for _, _, about in told(again)] == ["other"]
        assert again.audit.verify().holds


def test_a_line_of_the_export_is_all_that_its_hash_covers(ledger: Ledger, tmp_path: Path) -> None:
    """Worked out as docs/security.md says, with nothing of ours."""
    with acting("jürgen@example.com"):
        campaign = ledger.create_campaign("Spring", messages_frame(2), batch_size=1)
    ledger.audit.tell("edit", campaign, {"changed": ["template"], "n": 3, "own": True})
    assert ledger.audit.write(tmp_path / "trail.jsonl") == 2
    before = "0" * 64
    for line in (tmp_path / "trail.jsonl").read_text("ascii").splitlines():
        row = json.loads(line)
        kept = row.pop("hash")
        text = json.dumps(row, sort_keys=True, separators=(",", ":"))
        before = sha256((before + text).encode()).hexdigest()
        assert before == kept
    assert before == ledger.audit.verify().last_hash


def test_a_spoilt_row_is_exported_as_it_is(ledger: Ledger, tmp_path: Path) -> None:
    ledger.audit.tell("edit", "draft")
    tamper(ledger, "UPDATE audit SET details = 'nonsense'")
    assert ledger.audit.write(tmp_path / "trail.jsonl") == 1
    assert "nonsense" in (tmp_path / "trail.jsonl").read_text("ascii")
    assert ledger.audit.write(tmp_path / "trail.csv") == 1
