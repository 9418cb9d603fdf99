"""The same again: what went to the same people lately is found, and made once by however many processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from threading import Barrier
from typing import Any

import pandas as pd
import pytest
from each import each
from fixtures_ledger import ON_BOTH_DATABASES, Clock, accepted, claim
from patience import PATIENCE_S

from dashboard.campaigns import write_messages
from dashboard.errors import CampaignError, SentBeforeError
from dashboard.ledger import Ledger, is_same
from dashboard.ledger.outbox.settle import Settlement

WEEK = timedelta(days=7)


def people(first: int, last: int) -> pd.DataFrame:
    phones = [f"+4479111234{number:02d}" for number in range(first, last)]
    names = [f"N{number}" for number in range(first, last)]
    return pd.DataFrame({"phone": phones, "name": names})


@cache
def written(
    first: int = 0, last: int = 4, template: str = "Hi {{name}}", campaign: str = "Spring"
) -> pd.DataFrame:
    return write_messages(people(first, last), template, campaign=campaign)


def made(ledger: Ledger, messages: pd.DataFrame | None = None, **options: Any) -> str:
    messages = written() if messages is None else messages
    return ledger.create_campaign(str(messages["campaign"].iloc[0]), messages, batch_size=2, **options)


def sent(ledger: Ledger, batches: int, settlement: Settlement | None = None) -> str:
    """A campaign of four messages of which so many batches of two were handed over."""
    campaign = made(ledger)
    ledger.start(campaign)
    for _ in range(batches):
        got = claim(ledger, campaign)
        ledger.outbox.settle(got, settlement or accepted(got))
    ledger.outbox.finish()
    return campaign


def then(campaign: str, step: Callable[..., object], *told: object) -> str:
    step(campaign, *told)
    return campaign


def forgotten(ledger: Ledger, clock: Clock) -> str:
    campaign = sent(ledger, 2)
    ledger.forget(before=clock.advance(60))
    assert ledger.campaign(campaign).forgotten_at
    return campaign


UNKNOWN, REFUSED = Settlement("unknown", "unknown"), Settlement("rejected", "rejected", 422)
Way = Callable[[Ledger, Clock], str]
EARLIER: dict[str, Way] = {
    "draft": lambda ledger, _: made(ledger),
    "running, half sent": lambda ledger, _: sent(ledger, 1),
    "done": lambda ledger, _: sent(ledger, 2),
    "unknown": lambda ledger, _: sent(ledger, 2, UNKNOWN),
    "cancelled when half was sent": lambda ledger, _: then(sent(ledger, 1), ledger.cancel),
    "under another name": lambda ledger, _: made(ledger, written(campaign="Autumn")),
    "paused": lambda ledger, _: then(sent(ledger, 1), ledger.pause, "Paused by Ann."),
    "scheduled": lambda ledger, clock: then(made(ledger), ledger.schedule, clock() + timedelta(days=3)),
    "forgotten": forgotten,
    "abandoned, though perhaps texted": lambda ledger, _: then(
        sent(ledger, 2, UNKNOWN), ledger.decide_all, "abandoned", "Ann", "nobody can tell"
    ),
    "another spelling": lambda ledger, _: made(ledger, written(template="Hi {{ Name | there }}")),
    "a person's own text": lambda ledger, _: made(
        ledger,
        write_messages(people(0, 4).assign(text="Hi " + people(0, 4)["name"]), "{{text}}", campaign="Spring"),
    ),
    "blanks at the end": lambda ledger, _: made(ledger, written(template="Hi {{name}} \n")),
}
NEVER_SENT: dict[str, Way] = {
    "cancelled before anything was sent": lambda ledger, _: then(sent(ledger, 0), ledger.cancel),
    "rejected": lambda ledger, _: sent(ledger, 2, REFUSED),
    "another text": lambda ledger, _: made(ledger, written(template="Hello {{name}}")),
    "other people": lambda ledger, _: made(ledger, written(20, 24)),
    "other texts from one template": lambda ledger, _: made(
        ledger, write_messages(people(0, 4).assign(name="Bo"), "Hi {{name}}", campaign="Spring")
    ),
}


@each("earlier", EARLIER)
def test_what_was_sent_or_will_be_is_not_made_again(ledger: Ledger, clock: Clock, earlier: str) -> None:
    clock.advance(30 * 86_400)  # so that none is the same as those of the lines before
    at = f"{clock():%-d %b %Y, %H:%M} UTC"
    campaign = EARLIER[earlier](ledger, clock)
    state = ledger.campaign(campaign).state
    clock.advance(3600)
    found = ledger.same_campaigns(written(), since=clock() - WEEK)
    assert found[["campaign", "state", "messages"]].to_numpy().tolist() == [[campaign, state, 4]]
    with pytest.raises(SentBeforeError, match=rf"\({campaign}\) of {at}") as caught:
        made(ledger, unless_sent_since=clock() - WEEK)
    assert (caught.value.campaign, caught.value.state) == (campaign, state)


def test_the_same_is_made_again_when_asked_for_or_long_after(ledger: Ledger, clock: Clock) -> None:
    first = made(ledger, written(template="Hi {{name}}"))
    found = ledger.same_campaigns(written(template="Hi {{name}}\u2003"), since=clock() - WEEK)
    assert found["campaign"].tolist() == [first]
    with pytest.raises(SentBeforeError):
        made(ledger, unless_sent_since=clock() - WEEK)
    assert len(ledger.campaigns()) == 1
    made(ledger)
    clock.advance(WEEK.total_seconds())
    made(ledger, unless_sent_since=clock() - WEEK / 2)
    assert len(ledger.campaigns()) == 3


@each("earlier", NEVER_SENT)
def test_what_nobody_got_may_be_sent(ledger: Ledger, clock: Clock, earlier: str) -> None:
    clock.advance(30 * 86_400)
    NEVER_SENT[earlier](ledger, clock)
    assert ledger.same_campaigns(written(), since=clock() - WEEK).empty
    made(ledger, unless_sent_since=clock() - WEEK)


def test_whoever_opted_out_since_does_not_hide_that_it_is_the_same(ledger: Ledger, clock: Clock) -> None:
    campaign = made(ledger)
    again = written().iloc[1:]
    assert ledger.same_campaigns(again, since=clock() - WEEK)["messages"].tolist() == [3]
    with pytest.raises(SentBeforeError, match=r"^3 of these 3 messages"):
        made(ledger, again, unless_sent_since=clock() - WEEK)
    assert ledger.campaigns()["campaign"].tolist() == [campaign]


def test_parts_in_several_campaigns_add_up_each_message_once(ledger: Ledger, clock: Clock) -> None:
    parts = [made(ledger, written(*part)) for part in ((0, 6), (4, 9), (12, 18), (0, 6), (30, 40))]
    found = ledger.same_campaigns(written(0, 20), since=clock() - WEEK)
    assert found["campaign"].tolist() == [parts[3], parts[2], parts[1]]
    assert found["messages"].tolist() == [6, 6, 3]
    with pytest.raises(SentBeforeError, match=r"^15 of these 20 .* in 3 campaigns; the newest is “Spring”"):
        made(ledger, written(0, 20), unless_sent_since=clock() - WEEK)
    half = [((12, 40), [10, 6], True), ((7, 11), [2], True), ((8, 12), [1], False), ((17, 30), [1], False)]
    for (first, last), shared, same in half:
        found = ledger.same_campaigns(written(first, last).iloc[::-1], since=clock() - WEEK)
        assert found["messages"].tolist() == shared
        assert is_same(found, last - first) is same, "half of the messages make it the same"


def test_people_are_the_same_in_every_spelling_of_their_numbers(ledger: Ledger, clock: Clock) -> None:
    old, new = (
        write_messages(pd.DataFrame({"phone": [*phones, "+447911123456"]}), "Hi", campaign="Spring")
        for phones in (["+24107123456", "+541123456789"], ["+24177123456", "+5491123456789"])
    )
    campaign = made(ledger, old)
    ledger.forget_person("+447911123456")
    found = ledger.same_campaigns(new, since=clock() - WEEK)
    assert found[["campaign", "messages"]].to_numpy().tolist() == [[campaign, 2]]


def race(url: str, together: Barrier) -> str:
    """One of several that make the same campaign, each with a ledger of its own."""
    with Ledger.open(url) as ledger:
        since = ledger.outbox.now() - WEEK
        together.wait(PATIENCE_S)
        try:
            return made(ledger, unless_sent_since=since)
        except CampaignError as error:
            return type(error).__name__


@ON_BOTH_DATABASES
def test_of_several_that_start_at_once_only_one_makes_it(ledger_url: str, ledger: Ledger) -> None:
    together = Barrier(3)
    with ThreadPoolExecutor(3) as threads:
        found = [*threads.map(lambda _: race(ledger_url, together), range(3))]
    (campaign,) = ledger.campaigns()["campaign"]
    assert sorted(found) == sorted([campaign, "SentBeforeError", "SentBeforeError"])


def test_a_ledger_open_for_reading_can_be_asked(sqlite_url: str) -> None:
    Ledger.open(sqlite_url).close()
    with Ledger.open(sqlite_url, read_only=True) as ledger:
        assert ledger.same_campaigns(written(), since=ledger.outbox.now() - WEEK).empty
