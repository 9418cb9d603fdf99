"""What a monitor is told about a ledger, on both databases, at moments that the test chooses."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fixtures_ledger import Clock, accepted, claim, messages_frame, report, running, taken
from sqlalchemy import event, text

from dashboard.ledger import Ledger
from dashboard.ledger.database.pulse import pulse
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.team.sign_ins import Account
from dashboard.ledger.vitals import VitalSigns

SILENCE = Settlement("unknown", "unknown", detail="No answer came.")


@pytest.fixture
def signs(ledger: Ledger, clock: Clock) -> VitalSigns:
    return VitalSigns(ledger.database, clock)


def test_of_an_empty_ledger_nothing_waits(signs: VitalSigns) -> None:
    found = signs.read()
    assert {*found.campaigns.values(), *found.batches.values(), *found.attempts.values()} == {0}
    assert (found.queue_age_s, found.report_lag_s, found.gate_closed_s) == (0, 0, 0)
    assert (found.senders, found.sessions, found.last_claim, found.backed_up_at) == (0, 0, None, None)


def test_the_queue_is_as_old_as_what_could_go_out(ledger: Ledger, clock: Clock, signs: VitalSigns) -> None:
    first = running(ledger, 20)
    clock.advance(60)
    second = running(ledger, 10)
    assert signs.read().queue_age_s == 60
    ledger.pause(first, reason="for a moment")
    assert signs.read().queue_age_s == 0
    clock.advance(30)
    ledger.resume(first)
    assert signs.read().queue_age_s == 30
    ledger.create_campaign("Draft", messages_frame(5, "Draft"), batch_size=5)
    assert signs.read().campaigns["draft"] == 1
    ledger.cancel(first)
    ledger.cancel(second)
    frame = messages_frame(5, "Later", scheduled_at=clock() + timedelta(hours=1), handover="hold")
    ledger.start(ledger.create_campaign("Later", frame, batch_size=5))
    assert (signs.read().queue_age_s, signs.read().batches["ready"]) == (0, 2), "and the draft's"
    clock.advance(3600 + 45)
    assert signs.read().queue_age_s == 45


def test_batches_are_counted_and_what_is_unknown_stays_so_when_a_campaign_is_over(
    ledger: Ledger, clock: Clock, signs: VitalSigns
) -> None:
    campaign = running(ledger, 30)
    signs.read()
    for settlement in (None, SILENCE, None):
        got = claim(ledger, campaign)
        ledger.outbox.settle(got, settlement or accepted(got))
    found = signs.read()
    assert {state: count for state, count in found.batches.items() if count} == {"accepted": 2, "unknown": 1}
    assert (found.last_claim, found.senders) == (clock(), 1)
    ledger.outbox.finish()
    found = signs.read()
    assert found.campaigns["done"] == 1
    assert {state: count for state, count in found.batches.items() if count} == {"unknown": 1}
    ledger.outbox.retire([0])
    assert signs.read().senders == 0


def test_every_attempt_is_counted_once_whatever_came_before(ledger: Ledger, signs: VitalSigns) -> None:
    campaign = running(ledger, 40)
    taken(ledger, campaign)
    assert set(signs.read().attempts.values()) == {0}  # before anybody looked
    throttled = Settlement("throttled", "ready", 429, closes_gate=True, retry_after_s=30)
    ledger.outbox.settle(claim(ledger, campaign), throttled)
    for _look in range(3):
        found = signs.read()
    assert {name: count for name, count in found.attempts.items() if count} == {"claimed": 1, "throttled": 1}
    assert found.gate_closed_s == 30


def test_reports_lag_while_the_service_says_nothing(ledger: Ledger, clock: Clock, signs: VitalSigns) -> None:
    campaign = running(ledger, 20)
    first = taken(ledger, campaign)
    clock.advance(100)
    second = taken(ledger, campaign)
    clock.advance(20)
    assert signs.read().report_lag_s == 120
    heard(ledger, first)
    assert signs.read().report_lag_s == 20
    heard(ledger, second)
    assert signs.read().report_lag_s == 0


def heard(ledger: Ledger, got: Any) -> None:
    sent = "2026-11-20T09:00:05.000000Z"
    ledger.record_reports([report(got.messages[0].uuid, status="sent", sent_at=sent)])


def test_what_the_service_keeps_for_later_is_in_time(ledger: Ledger, clock: Clock, signs: VitalSigns) -> None:
    later = clock() + timedelta(hours=2)
    campaign = running(ledger, messages_frame(5, "Later", scheduled_at=later), batch_size=5)
    taken(ledger, campaign)
    clock.advance(600)
    assert signs.read().report_lag_s == 0
    clock.advance(7200)
    assert signs.read().report_lag_s == 600


def test_browsers_count_while_they_are_signed_in(ledger: Ledger, clock: Clock, signs: VitalSigns) -> None:
    for who in ("ann", "bob", "eve"):
        account = Account("https://id.example", who, f"{who}@example.com")
        ledger.sign_ins.begin(account, lasting=timedelta(hours=1))
    ledger.sign_ins.bar("eve@example.com")
    assert signs.read().sessions == 2
    clock.advance(3600)
    assert signs.read().sessions == 0


def test_a_ledger_knows_of_its_last_backup(sqlite_url: str, clock: Clock, tmp_path: Path) -> None:
    with Ledger.open(sqlite_url, now=clock) as ledger:
        signs = VitalSigns(ledger.database, clock)
        ledger.back_up(tmp_path / "one.sqlite")
        assert signs.read().backed_up_at == clock()
        clock.advance(60)
        with Ledger.open(sqlite_url, now=clock, read_only=True) as read_only:  # as the command does
            read_only.back_up(tmp_path / "two.sqlite")
        assert signs.read().backed_up_at == clock()
        with ledger.database.write() as connection:
            connection.execute(text("UPDATE fact SET value = 'yesterday' WHERE name = 'backed_up_at'"))
        assert signs.read().backed_up_at is None, "a note that nobody can read"


def test_looking_takes_as_many_statements_however_much_there_is(ledger: Ledger, signs: VitalSigns) -> None:
    seen: list[str] = []
    event.listen(ledger.database.engine, "before_cursor_execute", lambda *said: seen.append(said[2]))
    signs.read()
    few = len(seen)
    for _campaign in range(5):
        campaign = running(ledger, 20)
        taken(ledger, campaign)
    signs.read()
    del seen[:]
    signs.read()
    assert few <= len(seen) <= few + 1  # new attempts are counted


def test_somebody_who_writes_keeps_it_busy_and_another_program_makes_it_another(ledger: Ledger) -> None:
    with ledger.database.write() as connection:
        connection.execute(text("UPDATE gate SET strikes = 1"))
        assert pulse(ledger.database) == "busy"
    assert pulse(ledger.database) == "ok"
    with ledger.database.write() as connection:
        connection.execute(text("UPDATE fact SET value = value || '0' WHERE name = 'version'"))
    assert pulse(ledger.database) == "other version"


def test_a_ledger_that_is_gone_is_not_made_anew_and_a_damaged_one_is_said(sqlite_url: str) -> None:
    with Ledger.open(sqlite_url) as ledger:
        file = Path(str(ledger.database.url.database))
        file.rename(file.with_suffix(".away"))
        assert pulse(ledger.database) == "no answer"
        assert not file.exists()
        file.with_suffix(".away").rename(file)
        assert pulse(ledger.database) == "ok"
        ledger.database.empty_log()
        file.write_bytes(b"no ledger " * 5000)
        assert pulse(ledger.database) == "damaged"


def test_a_database_that_takes_no_changes_is_said(postgresql_url: str) -> None:
    with Ledger.open(postgresql_url) as ledger:
        name = ledger.database.url.database
        with ledger.database.engine.connect() as connection:
            connection.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
            connection.commit()
        assert pulse(ledger.database) == "read-only"
