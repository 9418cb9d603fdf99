"""Every campaign ends once nothing is left to send, however it paused and whatever came last."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import product

from each import each
from fixtures_ledger import Clock, accepted, claim, running

from dashboard.errors import CampaignStateError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.control import ENDED_REASON
from dashboard.ledger.outbox.settle import Settlement


@each("first, unknown", product(["pause", "settle"], [False, True]))
def test_paused_with_its_last_batch_on_its_way_it_ends(
    ledger: Ledger, clock: Clock, first: str, unknown: bool
) -> None:
    campaign = running(ledger, 1)
    got = claim(ledger, campaign)
    outcome = Settlement("unknown", "unknown") if unknown else accepted(got)
    steps: list[Callable[[], object]] = [
        lambda: ledger.pause(campaign, "Paused by Ann."),
        lambda: ledger.outbox.settle(got, outcome),
    ]
    for step in steps if first == "pause" else steps[::-1]:
        with suppress(CampaignStateError):
            step()
        ledger.outbox.finish()
    if unknown and first == "pause":
        assert ledger.campaign(campaign).state == "paused", "it may go on, once somebody has decided"
        ledger.decide(got.batch_id, "abandoned", "Ann", "asked")
        ledger.outbox.finish()
    found = ledger.campaign(campaign)
    assert (found.state, found.accepted) == ("done", not unknown)
    assert found.finished_at == clock.time


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
    ("10 were dropped.", " See who under Recipients, then resume the campaign."),
    ("This ledger is a copy. Pauses are not in it.", " Check whether they still apply, then resume."),
    ("The first 10 were refused. Status 400. Ask why.", " Then resume the campaign, or cancel it."),
    ("Nobody can tell.", " Ask it why, then resume the campaign. Then resume the campaign, or cancel it."),
]


@each("said, asks", PAUSED)
def test_what_ended_while_it_was_paused_asks_for_nothing(ledger: Ledger, said: str, asks: str) -> None:
    campaign = running(ledger, 1)
    got = claim(ledger, campaign)
    ledger.pause(campaign, said + asks)
    ledger.outbox.settle(got, accepted(got))
    ledger.outbox.finish()
    assert ledger.campaign(campaign).reason == ENDED_REASON.format(reason=said)
