"""Everything at once on PostgreSQL: transactions wait for each other, and never in a circle."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from threading import Thread
from uuid import uuid4

import pytest
from fixtures_ledger import accepted, messages_frame, report, running
from sqlalchemy import create_engine, make_url, text

from dashboard.errors import DashboardError, SendingError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox import slots
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.settle import Settlement

SECONDS = 8.0


@pytest.mark.deep
def test_a_mixed_load_has_no_deadlock(  # noqa: C901, PLR0915 - everything at once
    postgresql_url: str, postgresql_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "SLOTS", 2)  # the sender's, and one for three workers
    ledger = Ledger.open(postgresql_url)
    ledger.outbox.set_limits(
        Limits(failure_share=0.9, credits_per_campaign=10**6, credits_per_day=10**7, pauses_on_opt_outs=True)
    )
    campaigns = [running(ledger, 300, batch_size=5) for _ in range(3)]
    senders = slots.take_slot(ledger.database)
    owner = ledger.outbox.register(senders.number)
    happened: Counter[str] = Counter()
    uuids = {one: ledger.messages(one)["uuid"].tolist() for one in campaigns}

    def send(random: Random) -> None:
        got = ledger.outbox.claim(random.choice(campaigns), owner=owner, ticket=str(uuid4()))
        if isinstance(got, Claim):
            closes = Settlement("throttled", "ready", 429, closes_gate=True, retry_after_s=0.01)
            other = (Settlement("rejected", "split", 422), Settlement("unknown", "unknown"), closes)
            ledger.outbox.settle(got, random.choice([accepted(got), accepted(got), *other]))

    def cancel_what_is_claimed(random: Random) -> None:
        """The others claim, report and decide in it meanwhile."""
        one = running(ledger, 30, batch_size=5)
        campaigns.append(one)
        try:
            got = [ledger.outbox.claim(one, owner=owner, ticket=str(uuid4())) for _ in range(4)]
            claims = [each for each in got if isinstance(each, Claim)]
            happened["cancelled while claimed"] += ledger.campaign(one).sending > 0
            ledger.cancel(one)
        finally:
            campaigns.remove(one)
        for each in claims:
            ledger.outbox.settle(each, random.choice([accepted(each), Settlement("unknown", "unknown")]))

    def work(random: Random) -> None:
        """A worker comes, claims, and ends as it should or as a killed one does: then the next takes over."""
        try:
            slot = slots.take_slot(ledger.database)
        except SendingError:
            happened["no free slot"] += 1
            raise
        try:
            mine = ledger.outbox.register(slot.number)
            for _ in range(3):
                ledger.outbox.claim(random.choice(campaigns), owner=mine, ticket=str(uuid4()))
            if random.random() < 0.5:
                ledger.outbox.retire([slot.number])
        finally:
            slot.release()

    def tell(random: Random) -> None:
        chosen = random.sample([uuid for each in uuids.values() for uuid in each], 40)
        reason = random.choice([None, "absent"])
        ledger.record_reports([report(uuid, failure_reason=reason) for uuid in chosen])

    def person(random: Random) -> None:
        campaign = random.choice(campaigns)
        phone = f"+447400{900000 + random.randrange(300)}"
        random.choice(
            [
                lambda: ledger.pause(campaign, "why"),
                lambda: ledger.resume(campaign),
                lambda: ledger.resume(campaign),
                lambda: ledger.add_opt_outs([phone]),
                lambda: ledger.decide_all(campaign, "ready", "me", "why"),
                lambda: ledger.decide_all(campaign, "accepted", "me", "why"),
                lambda: ledger.create_campaign("Spring", messages_frame(20), batch_size=5),
                lambda: ledger.create_campaign(
                    "Spring", messages_frame(20), batch_size=5, scheduled_at=datetime.now(UTC)
                ),
            ]
        )()

    def housekeeping(random: Random) -> None:
        random.choice(
            [
                ledger.outbox.start_due,
                ledger.outbox.finish,
                lambda: ledger.outbox.set_pace(random.choice([0.0, 1000.0])),
                lambda: ledger.outbox.give_up_lost(owner, []),
                lambda: ledger.forget(before=datetime.now(UTC) - timedelta(days=1)),
                lambda: ledger.outbox.retire([7]),
                lambda: ledger.outbox.register(7),
                lambda: ledger.distrust(opt_outs_kept=True),
            ]
        )()

    failed: list[BaseException] = []
    until = time.monotonic() + SECONDS

    def over_and_over(act: Callable[[Random], None], seed: int) -> None:
        random = Random(seed)  # noqa: S311 - repeatable on purpose
        while time.monotonic() < until:
            try:
                act(random)
            except DashboardError:
                pass  # refused, as many a step is in such a crowd
            except BaseException as error:
                failed.append(error)
                return

    acts = [send, send, send, tell, tell, person, person, housekeeping]
    acts += [cancel_what_is_claimed, work, work, work]
    threads = [Thread(target=over_and_over, args=(act, seed)) for seed, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    senders.release()
    ledger.close()
    assert failed == []
    assert happened["cancelled while claimed"]
    assert happened["no free slot"]
    admin = create_engine(postgresql_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        query = text("SELECT deadlocks, xact_commit FROM pg_stat_database WHERE datname = :name")
        found, commits = connection.execute(query, {"name": make_url(postgresql_url).database}).one()
    admin.dispose()
    assert commits > 200
    assert found == 0
