"""Copies taken at any point and put back: nobody is texted twice, nobody who opted out is texted."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from fixtures_ledger import messages_frame
from fixtures_sandbox import SandboxPeer
from patience import wait_until

from dashboard.errors import CampaignStateError
from dashboard.ledger import Ledger
from dashboard.ledger.copies.copying import put_back
from dashboard.sending import Engine

PEOPLE = 30


class Play:
    """A ledger, what people do with it, and a copy of it at some point; drawn from a seed."""

    def __init__(self, folder: Path, peer: SandboxPeer, seed: int) -> None:
        self.draw = Random(seed)  # noqa: S311 - a replayable draw
        self.peer, self.file, self.copy = peer, folder / "ledger.sqlite", folder / "copy"
        self.by_hand = bool(seed % 2)
        self.campaigns: list[str] = []
        self.opted_out: set[str] = set()
        self.ahead = timedelta()
        self.ledger = Ledger.open(f"sqlite:///{self.file}")

    def act(self) -> None:
        self.draw.choice([self.freeze, self.send, self.opt_out, self._stop])()

    def freeze(self) -> None:
        first = PEOPLE * len(self.campaigns)
        frame = messages_frame(PEOPLE, first=first)
        campaign = self.ledger.create_campaign("Spring", frame, batch_size=self.draw.choice([1, 5]))
        self.campaigns.append(campaign)
        self.ledger.start(campaign)

    def send(self) -> None:
        """Some of what is running, or all of it."""
        enough = self.accepted() + self.draw.choice([1, 12, 12, 1000])
        with self.peer.service() as service, Engine(self.ledger, service, lanes=2):
            wait_until(lambda: self.accepted() >= enough or not self.ledger.outbox.unfinished())

    def opt_out(self) -> None:
        phone = f"+447400{900000 + self.draw.randrange(PEOPLE * len(self.campaigns))}"
        self.opted_out.add(phone)
        self.ledger.add_opt_outs([phone])

    def _stop(self) -> None:
        stop = self.draw.choice([self.ledger.cancel, lambda one: self.ledger.pause(one, "why")])
        for campaign in self.campaigns[-1:]:
            with suppress(CampaignStateError):
                stop(campaign)

    def accepted(self) -> int:
        return int(self.ledger.campaigns()["accepted"].sum())

    def copy_now(self) -> None:
        if not self.by_hand:
            self.ledger.back_up(self.copy)
            return
        self.ledger.close()  # its log is written into the file then
        shutil.copy(self.file, self.copy)
        self.ledger = Ledger.open(f"sqlite:///{self.file}")

    def put_back(self) -> None:
        self.ledger.close()
        if self.by_hand:
            for suffix in ("-wal", "-shm"):
                Path(f"{self.file}{suffix}").unlink(missing_ok=True)
            shutil.copy(self.copy, self.file)
        else:
            put_back(self.copy, self.ledger.database, datetime.now(UTC))
        self.ledger = Ledger.open(f"sqlite:///{self.file}", now=lambda: datetime.now(UTC) + self.ahead)

    def send_on(self) -> None:
        with self.peer.service() as service, Engine(self.ledger, service) as engine:
            engine.wait_until_done()

    def texted(self) -> Counter[str]:
        return Counter(message["to"] for message in self.peer.messages())


@pytest.mark.parametrize("seed", range(8))
def test_a_copy_put_back_texts_nobody_twice_and_nobody_who_opted_out(
    fresh_sandbox: SandboxPeer, tmp_path: Path, seed: int
) -> None:
    play = Play(tmp_path, fresh_sandbox, seed)
    play.freeze()
    for _ in range(play.draw.randrange(3)):
        play.act()
    play.copy_now()
    since = [play.opt_out, play.opt_out, play.draw.choice([play.send, play.act])]
    for act in play.draw.sample(since, len(since)):
        act()
    before = play.texted()
    play.put_back()
    play.send_on()
    after = play.texted()
    assert max(after.values(), default=1) == 1, "each campaign has people of its own"
    assert not {phone for phone in after - before if phone in play.opted_out}
    assert play.by_hand or after == before, "nothing of a restored ledger goes out unasked"
    if not play.by_hand:
        play.ahead = timedelta(minutes=10)  # no first request can be on its way any more
        for campaign in play.ledger.campaigns()["campaign"]:
            play.ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them")
            if play.ledger.campaign(campaign).state == "paused":
                play.ledger.resume(campaign)
        play.send_on()
        assert not {phone for phone in play.texted() - before if phone in play.opted_out}
    play.ledger.close()
