"""A signed request counts once: for all processes, and over restarts."""

from __future__ import annotations

from datetime import timedelta

from fixtures_ledger import Clock

from dashboard.ledger import Ledger


def test_a_request_counts_once_for_every_process_and_after_a_restart(ledger_url: str, clock: Clock) -> None:
    until = clock() + timedelta(minutes=10)
    one, other = (Ledger.open(ledger_url, now=clock) for _ in range(2))
    assert one.requests.first_time("v1,abc", until=until)
    assert not other.requests.first_time("v1,abc", until=until)
    assert other.requests.first_time("v1,abd", until=until)
    for ledger in (one, other):
        ledger.close()
    again = Ledger.open(ledger_url, now=clock)
    assert not again.requests.first_time("v1,abc", until=until)
    again.requests.forget("v1,abc")
    assert again.requests.first_time("v1,abc", until=until)
    clock.advance(601)
    again.requests.first_time("v1,other", until=clock() + timedelta(minutes=10))
    with again.database.read() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM taken_request").scalar_one()
    assert left == 1, "what is past its time is forgotten"
    again.close()
