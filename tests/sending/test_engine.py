"""The engine against the sandbox: everything arrives once, and people stay in control."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, counts, gate_of, messages_frame, move_into_place, running
from fixtures_sandbox import HELD, SandboxPeer
from patience import PATIENCE_S, wait_until

from dashboard.errors import SendingError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox import gate as gate_module
from dashboard.sending import Engine
from dashboard.sending.reconciler import Reconciler
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
def test_everything_arrives_once_as_accepted(ledger: Ledger, peer: SandboxPeer, service: SmsService) -> None:
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


def test_one_process_runs_one_engine_also_within_an_event_loop(ledger: Ledger, service: SmsService) -> None:
    campaign = running(ledger, 20)
    engine = Engine(ledger, service)

    async def cell() -> None:
        with engine:
            with pytest.raises(SendingError, match="already sending"), Engine(ledger, service):
                pass
            assert engine.is_running
            engine.wait_until_done(campaign)

    with ThreadPoolExecutor(1) as elsewhere:  # browser tests leave a loop running in this thread
        elsewhere.submit(asyncio.run, cell()).result()
    assert counts(ledger, campaign) == {"accepted": 20}
    assert not engine.is_running
    with pytest.raises(SendingError, match="Start the engine"):
        engine.wait_until_done()


def test_a_process_forked_from_a_sender_neither_sends_nor_stops(ledger: Ledger, service: SmsService) -> None:
    engine = Engine(ledger, service)

    def forked() -> None:
        assert not engine.is_running
        engine.stop()
        with pytest.raises(SendingError, match="forked from one that is"):
            engine.start()

    with engine:
        process = get_context("fork").Process(target=forked)
        process.start()
        process.join(PATIENCE_S)
        assert process.exitcode == 0
        assert engine.is_running
        assert len(ledger.outbox.slots_in_use()) == 1
        campaign = running(ledger, 20)
        engine.wait_until_done(campaign)
    assert counts(ledger, campaign) == {"accepted": 20}


MORE_THAN_GO = 12_000
"""Two at a time, of ten messages and a tenth of a second each, take a minute: no machine stalls as long."""


def test_after_a_pause_a_cancel_or_a_stop_only_what_is_on_its_way_finishes(
    ledger: Ledger, peer: SandboxPeer, service: SmsService
) -> None:
    peer.faults(latency_s=0.1)
    campaign = running(ledger, MORE_THAN_GO)
    with Engine(ledger, service, places=2) as engine:
        wait_until(lambda: ledger.campaign(campaign).accepted >= 20)
        ledger.pause(campaign, "Paused by Ann.")
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
        accepted = ledger.campaign(campaign).accepted
        time.sleep(0.3)
        found = ledger.campaign(campaign)
        assert (found.state, found.reason, found.accepted) == ("paused", "Paused by Ann.", accepted)
        assert found.ready == MORE_THAN_GO - accepted > 0
        ledger.resume(campaign)
        wait_until(lambda: ledger.campaign(campaign).accepted > accepted)
        ledger.cancel(campaign)
        engine.wait_until_done()
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
        other = running(ledger, MORE_THAN_GO)
        wait_until(lambda: ledger.campaign(other).sending > 0)
    for one, left in ((campaign, "cancelled"), (other, "ready")):
        found = counts(ledger, one)
        assert set(found) == {"accepted", left}
        assert len(uuids_at(peer, ledger, one)) == found["accepted"]


def test_a_scheduled_campaign_starts_by_itself(ledger: Ledger, service: SmsService) -> None:
    at = datetime.now(UTC) + timedelta(seconds=1)
    campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=10, scheduled_at=at)
    with Engine(ledger, service):
        found = ledger.campaign(campaign)
        while datetime.now(UTC) < at:  # only what was seen before it is judged
            assert found.ready == 5
            time.sleep(0.1)
            found = ledger.campaign(campaign)
        wait_until(lambda: ledger.campaign(campaign).state == "done")
    started = ledger.campaign(campaign).started_at
    assert started is not None
    assert at <= started


def test_the_pace_may_change_while_it_runs(ledger: Ledger, service: SmsService) -> None:
    campaign = running(ledger, 30)
    with Engine(ledger, service, messages_per_second=0.1) as engine:
        wait_until(lambda: ledger.campaign(campaign).accepted == 10)
        ledger.outbox.set_pace(0)  # or the next batch would go out after 100 s
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 30}


@pytest.mark.deep
def test_everybody_is_texted_once_by_a_service_that_throttles_and_is_then_away(
    ledger: Ledger, fresh_sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_module, "LONGEST_BACKOFF_S", 0.1)
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


def test_a_walk_that_raises_loses_nothing(ledger: Ledger, peer: SandboxPeer, service: SmsService) -> None:
    class Failing:
        """Fails once in a way that no ServiceError describes."""

        def __init__(self) -> None:
            self.failed = Event()

        def send_bulk(self, messages):  # type: ignore[no-untyped-def]
            if not self.failed.is_set():
                self.failed.set()
                raise SystemExit
            return service.send_bulk(messages)

    campaign = running(ledger, 30)
    with Engine(ledger, Failing(), places=1) as engine:
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 20, "unknown": 10}
    assert len(uuids_at(peer, ledger, campaign)) == 20


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


def test_a_stop_that_was_interrupted_can_be_taken_up_again(
    ledger: Ledger, service: SmsService, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(ledger, service)
    engine.start()
    with monkeypatch.context() as patch:
        patch.setattr(Reconciler, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            engine.stop()
    engine.stop()
    with Engine(ledger, service):
        assert ledger.outbox.slots_in_use() == [0]


def interrupted(*_given: object) -> None:
    raise KeyboardInterrupt


def test_a_machine_that_has_no_threads_left_sends_with_those_that_it_has(
    ledger: Ledger, service: SmsService, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, start, left = running(ledger, 40), Thread.start, [1]

    def start_one(thread: Thread) -> None:
        if thread.name == "sending-walk" and not left:
            raise RuntimeError("can't start new thread")
        if thread.name == "sending-walk":
            left.pop()
        start(thread)

    monkeypatch.setattr(Thread, "start", start_one)
    with Engine(ledger, service) as engine:
        engine.wait_until_done()
    assert counts(ledger, campaign) == {"accepted": 40}


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
def test_a_backup_from_before_it_began_is_sent_from_once_it_is_in_its_place(
    ledger: Ledger, peer: SandboxPeer, service: SmsService, tmp_path: Path
) -> None:
    """A ledger that knows neither who sends, nor how fast and how much."""
    ledger.back_up(tmp_path / "copy")
    with Engine(ledger, service, messages_per_second=500, limits=Limits(credits_per_day=40)) as engine:
        move_into_place(tmp_path / "copy", ledger)
        wait_until(lambda: ledger.outbox.slots_in_use() == [0])
        wait_until(
            lambda: (gate_of(ledger).messages_per_second, gate_of(ledger).credits_per_day) == (500, 40)
        )
        ledger.acknowledge_missing_opt_outs("Ann")
        campaign = running(ledger, 20)
        engine.wait_until_done(campaign)
    assert counts(ledger, campaign) == {"accepted": 20}
    assert ledger.outbox.slots_in_use() == []


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
def test_a_backup_moved_into_place_while_it_sends_is_not_sent_from(
    ledger: Ledger, peer: SandboxPeer, service: SmsService, tmp_path: Path
) -> None:
    """The copy knows the owner that sends, and calls ready what that one has sent since."""
    peer.faults(latency_s=0.1)
    campaign = running(ledger, MORE_THAN_GO)
    with Engine(ledger, service) as engine:
        wait_until(lambda: ledger.campaign(campaign).accepted > 0)
        ledger.back_up(tmp_path / "copy")
        then = ledger.campaign(campaign).accepted
        wait_until(lambda: ledger.campaign(campaign).accepted > then + 500)
        ledger.add_opt_outs([ledger.messages(campaign)["to"].iloc[-1]])
        move_into_place(tmp_path / "copy", ledger)
        wait_until(lambda: ledger.campaign(campaign).state == "paused")
        wait_until(lambda: ledger.campaign(campaign).sending == 0)
        assert "This ledger is a copy" in (ledger.campaign(campaign).reason or "")
        assert "enter them again" in (ledger.missing_opt_outs() or "")
        ledger.acknowledge_missing_opt_outs("Ann")
        summer = ledger.create_campaign("Summer", messages_frame(20, "Summer"), batch_size=10, start=True)
        engine.wait_until_done(summer)
    assert set(counts(ledger, campaign)) == {"accepted", "unknown"}
    sent = uuids_at(peer, ledger, campaign)
    assert len(sent) == len(set(sent)), "nothing was sent twice"
    assert counts(ledger, summer) == {"accepted": 20}
