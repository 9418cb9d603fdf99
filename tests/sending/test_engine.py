"""The engine against the sandbox: everything arrives once, and people stay in control."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, counts, messages_frame, running
from fixtures_sandbox import HELD, SandboxPeer
from patience import wait_until

from dashboard.errors import SendingError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox import gate as gate_module
from dashboard.sending import Engine
from dashboard.sending import reconciler as reconciler_module
from dashboard.sending.slots import take_slot
from dashboard.service import SmsService

pytestmark = pytest.mark.usefixtures("soon")


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    """A ledger that keeps real time."""
    opened = Ledger.open(ledger_url)
    yield opened
    opened.close()


@pytest.fixture
def peer(sandbox: SandboxPeer) -> SandboxPeer:
    sandbox.settings(**HELD)
    return sandbox


@pytest.fixture
def service(peer: SandboxPeer) -> Iterator[SmsService]:
    with peer.service() as client:
        yield client


def uuids_at(peer: SandboxPeer, ledger: Ledger, campaign: str) -> list[str]:
    """What the service accepted of a campaign, each acceptance."""
    ours = set(ledger.messages(campaign)["uuid"])
    return [message["uuid"] for message in peer.messages() if message["uuid"] in ours]


@ON_BOTH_DATABASES
def test_everything_arrives_once_and_is_accepted(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    campaign = running(ledger, 95)
    seen: list[int] = []
    with Engine(ledger, service) as engine:
        (done,) = engine.wait_until_done(on_progress=lambda now: seen.extend(one.accepted for one in now))
    assert done.state == "done"
    assert seen == sorted(seen)
    assert counts(ledger, campaign) == {"accepted": 95}
    assert sorted(uuids_at(peer, ledger, campaign)) == sorted(ledger.messages(campaign)["uuid"])
    messages = ledger.messages(campaign)
    assert messages["status"].unique().tolist() == ["pending"]
    assert messages["echoed"].all()
    assert messages[["created_at", "contact_uuid", "credits_billed"]].notna().all(axis=None)


@pytest.mark.deep
def test_what_was_started_before_the_engine_is_sent_when_it_starts(
    ledger: Ledger, service: SmsService
) -> None:
    campaign = running(ledger, 20)
    for _ in range(2):  # a second start in the same process is possible, and finds nothing to do
        with Engine(ledger, service) as engine:
            engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 20}
    assert ledger.attempts(campaign)["event"].tolist().count("claimed") == 2


def test_one_process_runs_one_engine(ledger: Ledger, service: SmsService) -> None:
    with Engine(ledger, service) as engine:
        with pytest.raises(SendingError, match="already sending"), Engine(ledger, service):
            pass
        assert engine.is_running
    assert not engine.is_running
    with pytest.raises(SendingError, match="Start the engine"):
        engine.wait_until_done()


def test_it_sends_from_where_an_event_loop_runs_as_in_a_notebook(ledger: Ledger, service: SmsService) -> None:
    campaign = running(ledger, 20)

    async def cell() -> None:
        with Engine(ledger, service) as engine:
            engine.wait_until_done(campaign)

    with ThreadPoolExecutor(1) as elsewhere:  # browser tests leave a loop running in this thread
        elsewhere.submit(asyncio.run, cell()).result()
    assert counts(ledger, campaign) == {"accepted": 20}


def test_a_paused_campaign_sends_nothing_more_and_goes_on_when_resumed(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    peer.faults(latency_s=0.1)
    campaign = running(ledger, 200)
    with Engine(ledger, service, lanes=2) as engine:
        wait_until(lambda: ledger.campaign(campaign).accepted >= 20)
        ledger.pause(campaign, "Paused by Ann.")
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
        accepted = ledger.campaign(campaign).accepted
        time.sleep(0.5)
        found = ledger.campaign(campaign)
        assert (found.state, found.reason, found.accepted) == ("paused", "Paused by Ann.", accepted)
        assert found.ready == 200 - accepted > 0
        ledger.resume(campaign)
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 200}


def test_a_cancelled_campaign_finishes_only_what_is_on_its_way(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    peer.faults(latency_s=0.1)
    campaign = running(ledger, 400)
    with Engine(ledger, service, lanes=2) as engine:
        wait_until(lambda: ledger.campaign(campaign).accepted >= 20)
        ledger.cancel(campaign)
        engine.wait_until_done()
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
    found = counts(ledger, campaign)
    assert set(found) == {"accepted", "cancelled"}
    assert len(uuids_at(peer, ledger, campaign)) == found["accepted"]


def test_a_scheduled_campaign_starts_by_itself(ledger: Ledger, service: SmsService) -> None:
    at = datetime.now(UTC) + timedelta(seconds=1)
    campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=10, scheduled_at=at)
    with Engine(ledger, service):
        found = counts(ledger, campaign)
        while datetime.now(UTC) < at:  # only what was seen before it is judged
            assert found == {"ready": 5}
            time.sleep(0.1)
            found = counts(ledger, campaign)
        wait_until(lambda: ledger.campaign(campaign).state == "done")
    started = ledger.campaign(campaign).started_at
    assert started is not None
    assert at <= started < at + timedelta(seconds=30)


def test_a_stop_finishes_what_is_on_its_way(ledger: Ledger, peer: SandboxPeer, service: SmsService) -> None:
    peer.faults(latency_s=0.5)
    campaign = running(ledger, 400)
    engine = Engine(ledger, service)
    engine.start()
    wait_until(lambda: ledger.campaign(campaign).sending > 0)
    engine.stop()
    found = counts(ledger, campaign)
    assert set(found) == {"accepted", "ready"}
    assert len(uuids_at(peer, ledger, campaign)) == found["accepted"]


@pytest.mark.deep
def test_the_pace_is_kept(ledger: Ledger, service: SmsService) -> None:
    """That it is also reached is measured in tests/benchmarks; here the machine may be busy."""
    campaign = running(ledger, 1500, batch_size=10)
    with Engine(ledger, service, messages_per_second=500) as engine:
        engine.wait_until_done()
    claimed = ledger.batches(campaign)["claimed_at"].sort_values()
    seconds = (claimed.iloc[-1] - claimed.iloc[0]).total_seconds()
    assert 1490 / seconds <= 1.06 * 500


def test_the_pace_may_change_while_it_runs(ledger: Ledger, service: SmsService) -> None:
    campaign = running(ledger, 100)
    with Engine(ledger, service, messages_per_second=0.1) as engine:
        wait_until(lambda: ledger.campaign(campaign).accepted == 10)
        ledger.outbox.set_pace(0)  # or the next batch would go out after 100 s
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 100}


@pytest.mark.deep
def test_a_429_closes_the_gate_for_all_and_nothing_is_lost(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    peer.faults({"kind": "throttled", "next": 1, "retry_after_s": 2})
    campaign = running(ledger, 60)
    with Engine(ledger, service, lanes=1) as engine:
        engine.wait_until_done()
    events = ledger.attempts(campaign)
    closed = events.loc[events["event"] == "throttled", "at"].iloc[0]
    later = events.loc[(events["event"] == "claimed") & (events["at"] > closed), "at"]
    assert (later.min() - closed).total_seconds() >= 1.9
    assert counts(ledger, campaign) == {"accepted": 60}


@pytest.mark.deep
def test_a_wrong_key_pauses_the_campaign_with_the_reason(ledger: Ledger, peer: SandboxPeer) -> None:
    campaign = running(ledger, 30)
    with SmsService(peer.base_url, "not-the-key") as wrong, Engine(ledger, wrong) as engine:
        engine.wait_until_done()
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert "Check the key" in (found.reason or "")
    assert counts(ledger, campaign) == {"ready": 30}
    with peer.service() as right, Engine(ledger, right) as engine:
        ledger.resume(campaign)
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 30}


@pytest.mark.deep
def test_batches_that_are_too_large_are_halved(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    peer.faults({"kind": "error_before", "status": 413, "next": 3})
    campaign = running(ledger, 40, batch_size=40)
    with Engine(ledger, service, lanes=1) as engine:
        engine.wait_until_done()
    batches = ledger.batches(campaign)
    assert batches.loc[batches["state"] == "split", "messages"].tolist() == [40, 20, 10]
    assert counts(ledger, campaign) == {"accepted": 40}
    assert len(uuids_at(peer, ledger, campaign)) == 40


@pytest.mark.deep
def test_bad_messages_are_isolated_and_the_good_ones_are_sent(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(40), batch_size=20)
    with ledger.database.write() as connection:  # as earlier versions froze them, which looked less closely
        on_sqlite = ledger.database.is_sqlite
        unlock = (
            "DROP TRIGGER message_no_UPDATE" if on_sqlite else "DROP TRIGGER message_never_changes ON message"
        )
        connection.exec_driver_sql(unlock)
        connection.exec_driver_sql("""UPDATE message SET "to" = '+4477009001234567' WHERE row IN (9, 30)""")
    ledger.start(campaign)
    with Engine(ledger, service) as engine:
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 38, "rejected": 2}
    messages = ledger.messages(campaign)
    assert messages.loc[messages["state"] == "rejected", "row"].tolist() == [9, 30]
    assert len(uuids_at(peer, ledger, campaign)) == 38


@pytest.mark.deep
def test_a_campaign_of_which_everything_is_refused_pauses(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    peer.faults({"kind": "error_before", "status": 422, "probability": 1.0})
    campaign = running(ledger, 200, batch_size=1)
    with Engine(ledger, service) as engine:
        engine.wait_until_done()
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert 10 <= found.rejected < 30
    assert "refused the first 10" in (found.reason or "")


@pytest.mark.deep
def test_a_service_that_fails_again_and_again_pauses_the_campaign(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    peer.faults({"kind": "error_before", "status": 500, "probability": 1.0})
    campaign = running(ledger, 400)
    with Engine(ledger, service) as engine:
        engine.wait_until_done()
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert 50 <= found.unknown <= 130
    assert "in a row" in (found.reason or "")


@pytest.mark.deep
def test_a_service_that_is_away_is_waited_for(ledger: Ledger, peer: SandboxPeer) -> None:
    campaign = running(ledger, 10)
    with SmsService("http://127.0.0.1:9", "key") as nobody, Engine(ledger, nobody):
        wait_until(lambda: "not sent" in ledger.attempts(campaign)["event"].tolist())
    assert counts(ledger, campaign) == {"ready": 10}
    with peer.service() as service, Engine(ledger, service) as engine:
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 10}


def test_everybody_is_texted_once_by_a_service_that_throttles_and_is_then_away(
    ledger: Ledger, fresh_sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_module, "LONGEST_BACKOFF_S", 0.1)
    monkeypatch.setattr(reconciler_module, "TOP_UP_EVERY_S", 0.2)
    peer = fresh_sandbox
    peer.faults(
        {"kind": "slow", "next": 2, "delay_s": 0},
        {"kind": "throttled", "probability": 1, "retry_after_s": 0.1},
    )
    campaign = running(ledger, 60)

    def has_seen(event: str, times: int) -> bool:
        return ledger.attempts(campaign)["event"].tolist().count(event) >= times

    with peer.service() as service, Engine(ledger, service) as engine:
        wait_until(lambda: has_seen("accepted", 2) and has_seen("throttled", 3))
        ledger.pause(campaign, "It goes away with nothing on its way, or that would be unknown.")
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
        peer.process.close()
        ledger.resume(campaign)
        wait_until(lambda: has_seen("not sent", 2))
        peer.process.ensure()
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 60}
    assert sorted(message["to"] for message in peer.messages()) == sorted(messages_frame(60)["to"])


def test_two_campaigns_share_the_requests(ledger: Ledger, peer: SandboxPeer, service: SmsService) -> None:
    peer.faults(latency_s=0.2)
    first = running(ledger, 300)
    with Engine(ledger, service, lanes=2):
        wait_until(lambda: ledger.campaign(first).accepted >= 20)
        second = running(ledger, 50)
        wait_until(lambda: ledger.campaign(second).accepted == 50)
        assert ledger.campaign(first).ready > 0
        ledger.cancel(first)


@pytest.mark.deep
def test_ten_campaigns_go_out_side_by_side(ledger: Ledger, peer: SandboxPeer, service: SmsService) -> None:
    peer.faults(latency_s=0.05)
    campaigns = [running(ledger, 200) for _ in range(10)]
    with Engine(ledger, service, lanes=4) as engine:
        engine.wait_until_done()
    claimed = [ledger.batches(campaign)["claimed_at"] for campaign in campaigns]
    first_over = min(times.max() for times in claimed)
    assert min((times <= first_over).sum() for times in claimed) >= 10, "half of each when the first is over"
    for campaign in campaigns:
        assert counts(ledger, campaign) == {"accepted": 200}


@pytest.mark.deep
def test_limits_given_to_the_engine_hold(ledger: Ledger, service: SmsService) -> None:
    campaign = running(ledger, 100)
    with Engine(ledger, service, lanes=2, limits=Limits(credits_per_campaign=60)) as engine:
        engine.wait_until_done()
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert "cap of 60 credits" in (found.reason or "")
    assert found.credits_billed <= 60


def test_a_job_without_a_cap_does_not_spend_what_the_others_may_not(
    ledger: Ledger, service: SmsService
) -> None:
    """Started without the settings, say from another folder, a job took the cap from all that sent."""
    other = take_slot(ledger.database)
    caps = Limits(credits_per_campaign=60, credits_per_day=80)
    ledger.outbox.set_limits(caps, ledger.outbox.register(other.number))
    campaign = running(ledger, 100)
    with Engine(ledger, service, lanes=2, limits=Limits()) as engine:
        engine.wait_until_done()
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
    assert "cap of 60 credits" in (ledger.campaign(campaign).reason or "")
    assert ledger.campaign(campaign).credits_billed <= 60
    with Engine(ledger, service, lanes=2, limits=Limits(credits_per_campaign=70)) as engine:
        ledger.resume(campaign)
        engine.wait_until_done()
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
    assert "cap of 70 credits" in (ledger.campaign(campaign).reason or "")
    ledger.outbox.retire([other.number])
    other.release()
    with Engine(ledger, service, lanes=2, limits=Limits()) as engine:
        ledger.resume(campaign)
        engine.wait_until_done()
    assert ledger.campaign(campaign).accepted == 100


def test_a_lane_that_raises_loses_nothing(ledger: Ledger, peer: SandboxPeer, service: SmsService) -> None:
    class Failing:
        """Fails once in a way that no ServiceError describes."""

        def __init__(self) -> None:
            self.failed = Event()

        def send_bulk(self, messages):  # type: ignore[no-untyped-def]
            if not self.failed.is_set():
                self.failed.set()
                raise SystemExit
            return service.send_bulk(messages)

    campaign = running(ledger, 60)
    with Engine(ledger, Failing(), lanes=1) as engine:
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 50, "unknown": 10}
    assert len(uuids_at(peer, ledger, campaign)) == 50


@pytest.mark.deep
def test_how_long_ago_it_looked_tells_that_it_stands_still(sqlite_url: str, service: SmsService) -> None:
    with Ledger.open(sqlite_url) as ledger:
        engine = Engine(ledger, service)
        assert engine.seconds_since_tick == 0
        with engine:
            with ledger.database.write():  # it sweeps every ten seconds, and waits for its turn
                wait_until(lambda: engine.seconds_since_tick > 2)
            wait_until(lambda: engine.seconds_since_tick < 1)
        assert engine.seconds_since_tick == 0
