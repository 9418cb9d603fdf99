"""The same again: what went to the same people lately is found, and made once by however many processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache
from queue import Queue
from threading import Barrier, Thread
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, accepted, claim, messages_frame
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE_S
from tiers import only_deep

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
    first: int = 0, last: int = 20, template: str = "Hi {{name}}", campaign: str = "Spring"
) -> pd.DataFrame:
    return write_messages(people(first, last), template, campaign=campaign)


def made(ledger: Ledger, messages: pd.DataFrame | None = None, batch_size: int = 5) -> str:
    messages = written() if messages is None else messages
    return ledger.create_campaign(str(messages["campaign"].iloc[0]), messages, batch_size=batch_size)


def sent(ledger: Ledger, batches: int, settlement: Settlement | None = None) -> str:
    """A campaign of twenty messages of which so many batches of five were handed over."""
    campaign = made(ledger)
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    for _ in range(batches):
        got = claim(ledger, campaign, owner)
        ledger.outbox.settle(got, settlement or accepted(got))
    ledger.outbox.finish()
    return campaign


def cancelled(ledger: Ledger, batches: int) -> str:
    campaign = sent(ledger, batches)
    ledger.cancel(campaign)
    return campaign


EARLIER: dict[str, Callable[[Ledger, Clock], str]] = {
    "draft": lambda ledger, _: made(ledger),
    "running": lambda ledger, _: sent(ledger, 0),
    "running, half sent": lambda ledger, _: sent(ledger, 2),
    "done": lambda ledger, _: sent(ledger, 4),
    "unknown": lambda ledger, _: sent(ledger, 4, Settlement("unknown", "unknown")),
    "cancelled when half was sent": lambda ledger, _: cancelled(ledger, 1),
    "under another name": lambda ledger, _: made(ledger, written(campaign="Autumn")),
}


def paused(ledger: Ledger, _: Clock) -> str:
    campaign = sent(ledger, 1)
    ledger.pause(campaign, "Paused by Ann.")
    return campaign


def scheduled(ledger: Ledger, clock: Clock) -> str:
    campaign = made(ledger)
    ledger.schedule(campaign, clock() + timedelta(days=3))
    return campaign


def forgotten(ledger: Ledger, clock: Clock) -> str:
    campaign = sent(ledger, 4)
    clock.advance(60)
    assert ledger.forget(before=clock()) == 20
    return campaign


def abandoned(ledger: Ledger, _: Clock) -> str:
    campaign = sent(ledger, 4, Settlement("unknown", "unknown"))
    ledger.decide_all(campaign, "abandoned", "Ann", "nobody can tell")
    return campaign


EARLIER |= {
    "abandoned, though perhaps texted": abandoned,
    "another spelling": lambda ledger, _: made(ledger, written(template="Hi {{ Name | there }}")),
    "a person's own text": lambda ledger, _: made(
        ledger,
        write_messages(
            people(0, 20).assign(text="Hi " + people(0, 20)["name"]), "{{text}}", campaign="Spring"
        ),
    ),
}
EARLIER |= {"paused": paused, "scheduled": scheduled, "forgotten": forgotten}
LIKE_OTHERS = ("running", "done", "paused", "scheduled")
NEVER_SENT: dict[str, Callable[[Ledger, Clock], str]] = {
    "cancelled before anything was sent": lambda ledger, _: cancelled(ledger, 0),
    "rejected": lambda ledger, _: sent(ledger, 4, Settlement("rejected", "rejected", 422)),
    "another text": lambda ledger, _: made(ledger, written(template="Hello {{name}}")),
    "other people": lambda ledger, _: made(ledger, written(20, 40)),
    "other texts from one template": lambda ledger, _: made(
        ledger, write_messages(people(0, 20).assign(name="Bo"), "Hi {{name}}", campaign="Spring")
    ),
}


@pytest.mark.parametrize(
    "earlier", [*(one for one in EARLIER if one not in LIKE_OTHERS), *only_deep(*LIKE_OTHERS)]
)
def test_what_was_sent_or_will_be_is_not_made_again(ledger: Ledger, clock: Clock, earlier: str) -> None:
    campaign = EARLIER[earlier](ledger, clock)
    state = ledger.campaign(campaign).state
    clock.advance(3600)
    found = ledger.same_campaigns(written(), since=clock() - WEEK)
    assert found[["campaign", "state", "messages"]].to_numpy().tolist() == [[campaign, state, 20]]
    with pytest.raises(SentBeforeError, match=rf"\({campaign}\) of 20 Nov 2026, 09:00 UTC") as caught:
        ledger.create_campaign("Spring", written(), batch_size=5, unless_sent_since=clock() - WEEK)
    assert (caught.value.campaign, caught.value.state) == (campaign, state)
    assert len(ledger.campaigns()) == 1
    ledger.create_campaign("Spring", written(), batch_size=5)  # asked for by who knows
    clock.advance(7 * 86_400)
    ledger.create_campaign("Spring", written(), batch_size=5, unless_sent_since=clock() - WEEK + WEEK / 2)


@pytest.mark.parametrize("earlier", NEVER_SENT)
def test_what_nobody_got_may_be_sent(ledger: Ledger, clock: Clock, earlier: str) -> None:
    NEVER_SENT[earlier](ledger, clock)
    assert ledger.same_campaigns(written(), since=clock() - WEEK).empty
    ledger.create_campaign("Spring", written(), batch_size=5, unless_sent_since=clock() - WEEK)


def test_whoever_opted_out_since_does_not_hide_that_it_is_the_same(ledger: Ledger, clock: Clock) -> None:
    campaign = sent(ledger, 4)
    again = written().iloc[3:]
    assert ledger.same_campaigns(again, since=clock() - WEEK)["messages"].tolist() == [17]
    with pytest.raises(SentBeforeError, match=r"^17 of these 17 messages"):
        ledger.create_campaign("Spring", again, batch_size=5, unless_sent_since=clock() - WEEK)
    assert ledger.campaigns()["campaign"].tolist() == [campaign]


@pytest.mark.parametrize("others", ["Hi {{name}} \n", "Hi {{ name }}", "Hi {{name}}\u2003"])
def test_blanks_at_the_end_make_no_other_text(ledger: Ledger, clock: Clock, others: str) -> None:
    for first, second in ((others, "Hi {{name}}"), ("Hi {{name}}", others)):
        earlier = made(ledger, written(template=first))
        found = ledger.same_campaigns(written(template=second), since=clock() - WEEK)
        assert (found["campaign"].iloc[0], found["messages"].sum()) == (earlier, 20)


def test_parts_in_several_campaigns_add_up_each_message_once(ledger: Ledger, clock: Clock) -> None:
    parts = [made(ledger, written(*part)) for part in ((0, 6), (4, 9), (12, 18), (0, 6))]
    made(ledger, written(30, 40))
    found = ledger.same_campaigns(written(), since=clock() - WEEK)
    assert found["campaign"].tolist() == [parts[3], parts[2], parts[1]]
    assert found["messages"].tolist() == [6, 6, 3]
    with pytest.raises(SentBeforeError, match=r"^15 of these 20 .* in 3 campaigns; the newest is “Spring”"):
        ledger.create_campaign("Spring", written(), batch_size=5, unless_sent_since=clock() - WEEK)
    assert ledger.same_campaigns(written(12, 40), since=clock() - WEEK)["messages"].tolist() == [10, 6]
    assert ledger.same_campaigns(written(17, 30), since=clock() - WEEK)["messages"].tolist() == [1]


@pytest.fixture(scope="module")
def one_ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """With a draft to the first twenty people."""
    ledger = Ledger.open(f"sqlite:///{tmp_path_factory.mktemp('again') / 'ledger.sqlite'}")
    made(ledger)
    yield ledger
    ledger.close()


@given(st.integers(0, 30), st.integers(1, 30), st.permutations(range(5)))
def test_half_of_the_messages_make_it_the_same(
    one_ledger: Ledger, first: int, size: int, order: list[int]
) -> None:
    new = written(first, first + size)
    new = pd.concat([new.iloc[place::5] for place in order])
    shared = max(0, min(20, first + size) - first)
    found = one_ledger.same_campaigns(new, since=one_ledger.outbox.now() - WEEK)
    assert found["messages"].tolist() == ([shared] if shared else [])
    assert is_same(found, size) == (shared >= size / 2)


def race(url: str, barrier: Any, outcomes: Any) -> None:
    """One of several that make the same campaign."""
    ledger = Ledger.open(url)
    messages = written()
    since = ledger.outbox.now() - WEEK
    barrier.wait(PATIENCE_S)
    try:
        outcomes.put(ledger.create_campaign("Spring", messages, batch_size=5, unless_sent_since=since))
    except CampaignError as error:
        outcomes.put(type(error).__name__)
    ledger.close()


THREADS = Thread, Barrier, Queue
SPAWN = multiprocessing.get_context("spawn")
PROCESSES = SPAWN.Process, SPAWN.Barrier, SPAWN.Queue


@ON_BOTH_DATABASES
@pytest.mark.parametrize("kind", [THREADS, *only_deep(PROCESSES)], ids=["threads", "processes"])
def test_of_several_that_start_at_once_only_one_makes_it(ledger_url: str, kind: tuple[Any, ...]) -> None:
    Ledger.open(ledger_url).close()
    runner, barrier_of, queue = kind
    barrier, outcomes = barrier_of(3), queue()
    runners = [runner(target=race, args=(ledger_url, barrier, outcomes)) for _ in range(3)]
    for one in runners:
        one.start()
    found = sorted(outcomes.get(timeout=PATIENCE_S) for _ in runners)
    for one in runners:
        one.join(PATIENCE_S)
    ledger = Ledger.open(ledger_url)
    (campaign,) = ledger.campaigns()["campaign"]
    ledger.close()
    assert found == sorted([campaign, "SentBeforeError", "SentBeforeError"])


def test_a_ledger_open_for_reading_can_be_asked(sqlite_url: str) -> None:
    with_nothing = Ledger.open(sqlite_url)
    with_nothing.close()
    ledger = Ledger.open(sqlite_url, read_only=True)
    assert ledger.same_campaigns(messages_frame(2), since=ledger.outbox.now() - WEEK).empty
    ledger.close()
