"""Every campaign ends once nothing is left to send, however it paused and whatever came last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import permutations
from random import Random
from uuid import uuid4

from each import each
from fixtures_ledger import Clock, accepted, claim, messages_frame, report
from tiers import draws

from dashboard.errors import CampaignStateError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.control import ENDED_REASON
from dashboard.ledger.outbox.settle import Settlement

BATCHES = 4
WHY = "Why it paused."
ENDS: list[Callable[[Claim], Settlement]] = [
    accepted,
    lambda got: Settlement("accepted", "accepted", 200, WHY, accepted(got).echoed, pauses=True),
    lambda _: Settlement("rejected", "rejected", 422, WHY),
    lambda _: Settlement("unknown", "unknown", None, WHY),
    lambda _: Settlement("unauthorised", "ready", 401, WHY, pauses=True),
    lambda _: Settlement("misplaced", "ready", 404, WHY, pauses=True),
    lambda _: Settlement("not sent", "ready", None, WHY),
]


class Life:
    """A campaign and the requests of it that are on their way; each step may be refused."""

    def __init__(self, ledger: Ledger, clock: Clock, number: int) -> None:
        self.ledger, self.clock, self.random = ledger, clock, Random(number)  # noqa: S311 - repeatable
        frame = messages_frame(BATCHES, first=number * BATCHES)
        self.phones = frame["to"].tolist()
        ledger.outbox.set_limits(Limits(pauses_on_opt_outs=True))
        self.campaign = ledger.create_campaign("Spring", frame, batch_size=1)
        self.owner = ledger.outbox.register(0)
        ledger.start(self.campaign)
        self.away: list[Claim] = []

    def claim(self) -> None:
        got = self.ledger.outbox.claim(self.campaign, owner=self.owner, ticket=str(uuid4()))
        self.away += [got] if isinstance(got, Claim) else []

    def settle(self) -> None:
        if self.away:
            got = self.away.pop()
            self.ledger.outbox.settle(got, self.random.choice(ENDS)(got))

    def opt_out(self) -> None:
        self.ledger.add_opt_outs([self.random.choice(self.phones)])

    def cap(self) -> None:
        cap = self.random.choice([1, None])
        self.ledger.outbox.set_limits(Limits(credits_per_campaign=cap, pauses_on_opt_outs=True))

    def hear(self) -> None:
        uuid = self.random.choice(self.ledger.messages(self.campaign)["uuid"].tolist())
        self.ledger.record_reports([report(uuid, failure_reason="absent")])

    def decide(self) -> None:
        self.clock.advance(600)
        self.ledger.decide_all(self.campaign, self.random.choice(["ready", "abandoned"]), "Ann", "asked")

    def pause(self) -> None:
        self.ledger.pause(self.campaign, "Paused by Ann.")

    def stand_still(self) -> None:
        self.ledger.outbox.pause(self.campaign, WHY)

    def distrust(self) -> None:
        self.ledger.distrust(opt_outs_kept=True)

    def resume(self) -> None:
        self.ledger.resume(self.campaign)

    def cancel(self) -> None:
        if self.random.random() < 0.3:
            self.ledger.cancel(self.campaign)

    def tick(self) -> None:
        self.ledger.outbox.finish()


STEPS = [getattr(Life, name) for name in vars(Life) if not name.startswith("_")]


def test_whatever_happens_what_has_nothing_left_to_send_ends(ledger: Ledger, clock: Clock) -> None:
    seen = Counter[str]()
    for number in range(draws(200, first=10)):
        life = Life(ledger, clock, number)
        for step in life.random.choices(STEPS, k=12):
            with suppress(CampaignStateError):
                step(life)
        while life.away:
            life.settle()
        life.tick()
        seen[_check(ledger, life.campaign)] += 1
        ledger.outbox.set_limits(Limits())
        _clear_up(life)
        life.tick()
        assert ledger.campaign(life.campaign).state in {"done", "cancelled"}
        clock.advance(60)
        assert ledger.forgettable(before=clock())["campaign"].tolist() == [life.campaign]
        ledger.forget(before=clock())
    assert seen["ended while paused"]


@each("order", permutations(["pause", "settle", "resume", "tick"], 3))
def test_a_campaign_that_is_paused_with_its_last_batch_on_its_way_ends(
    ledger: Ledger, order: tuple[str, ...]
) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(1), batch_size=1)
    ledger.start(campaign)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    steps: dict[str, Callable[[], object]] = {
        "pause": lambda: ledger.pause(campaign, "Paused by Ann."),
        "settle": lambda: ledger.outbox.settle(got, accepted(got)),
        "resume": lambda: ledger.resume(campaign),
        "cancel": lambda: ledger.cancel(campaign),
        "tick": ledger.outbox.finish,
    }
    for step in order:
        with suppress(CampaignStateError):
            steps[step]()
    ledger.outbox.finish()
    now = ledger.campaign(campaign)
    assert (now.state in {"done", "cancelled"}) == ("settle" in order or "cancel" in order)
    ledger.outbox.settle(got, accepted(got))
    ledger.outbox.finish()
    now = ledger.campaign(campaign)
    assert (now.state in {"done", "cancelled"}, now.accepted) == (True, 1)
    assert now.finished_at is not None


PAUSED = [  # why, and what it asks for, which cannot be done once it has ended
    ("Paused by Ann.", ""),
    ("Ann will resume it", ""),
    ("Its time came while nothing was sent.", " Resume it to send now what was missed, or cancel it."),
    ("The service does not accept the key (status 401).", " Check the account, then resume the campaign."),
    (
        "12.5 % failed. That is more than 5 %.",
        " Look at the reasons, then resume the campaign, or cancel it.",
    ),
    ("The cap of 9 credits is reached: 8 are used.", " Raise the cap or wait, then resume the campaign."),
    ("10 were dropped.", " Look who they are, then resume the campaign."),
    ("This ledger is a copy. Pauses are not in it.", " Check whether they still apply, then resume."),
    ("The first 10 were refused. Status 400. Ask why.", " Then resume the campaign, or cancel it."),
    ("Nobody can tell.", " Ask it why, then resume the campaign. Then resume the campaign, or cancel it."),
]


@each("said, asks", PAUSED)
def test_what_ended_while_it_was_paused_asks_for_nothing(ledger: Ledger, said: str, asks: str) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(1), batch_size=1)
    ledger.start(campaign)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.pause(campaign, said + asks)
    ledger.outbox.settle(got, accepted(got))
    ledger.outbox.finish()
    assert ledger.campaign(campaign).reason == ENDED_REASON.format(reason=said)


def _check(ledger: Ledger, campaign: str) -> str:
    """What became of it, which must be what is left to do."""
    now = ledger.campaign(campaign)
    if now.state == "cancelled":
        return "ended"
    assert now.sending == 0
    assert (now.state == "done") == (not now.ready and (not now.unknown or now.state != "paused"))
    if now.state == "done" and now.reason:
        assert now.reason.startswith("It ended while it was paused")
        return "ended while paused"
    return "ended" if now.state == "done" else now.state


def _clear_up(life: Life) -> None:
    """A person lets out what is left, and gives up what nobody knows of."""
    with suppress(CampaignStateError):
        life.resume()
    while not life.away and life.ledger.campaign(life.campaign).ready:
        life.claim()
        got = life.away.pop()
        life.ledger.outbox.settle(got, accepted(got))
    life.clock.advance(600)
    life.ledger.decide_all(life.campaign, "abandoned", "Ann", "asked")
