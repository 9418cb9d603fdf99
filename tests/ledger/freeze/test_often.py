"""The cap on texts per person holds when campaigns are frozen at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from each import each
from fixtures_ledger import ON_BOTH_DATABASES, Clock, asked, claim, messages_frame, report, running, taken

from dashboard.errors import CampaignError, OptionError
from dashboard.ledger import Ledger, TextsPerPerson
from dashboard.ledger.freeze.often import of_others
from dashboard.ledger.outbox.claims import Nothing
from dashboard.ledger.outbox.settle import Settlement

DAY, WEEK = timedelta(days=1), timedelta(days=7)
ONCE_A_DAY, ONCE_A_WEEK = TextsPerPerson(1, DAY), TextsPerPerson(1, WEEK)


@each("within", [timedelta.max, -DAY])
def test_a_period_longer_than_any_is_refused(within: timedelta) -> None:
    with pytest.raises(OptionError, match="within must be between 0 and 36500 days"):
        TextsPerPerson(1, within)


@each("at_most, within", [(0, WEEK), (-1, WEEK), (1, timedelta(0)), (1, timedelta(microseconds=1))])
def test_a_cap_that_holds_for_nobody_or_never_is_refused(at_most: int, within: timedelta) -> None:
    """With none, the first campaign would go out all the same, and every later one be refused for that."""
    with pytest.raises(CampaignError, match="must be 1 or more, in a period of a second or longer"):
        TextsPerPerson(at_most, within)


@ON_BOTH_DATABASES
def test_of_campaigns_frozen_at_once_no_more_fit_than_the_cap_allows(ledger: Ledger) -> None:
    together = Barrier(3)

    def freeze(name: str) -> str | None:
        messages = messages_frame(4, name)
        ledger.messages()  # a connection of its own
        together.wait()
        try:
            return ledger.create_campaign(name, messages, batch_size=2, texts_per_person=ONCE_A_DAY)
        except CampaignError as error:
            return str(error)

    with ThreadPoolExecutor(3) as threads:
        said = list(threads.map(freeze, ("Spring", "Summer", "Autumn")))
    made = set(ledger.campaigns()["campaign"])
    assert len(made) == 1
    refused = [each for each in said if each not in made]
    assert all(each.startswith("4 people would get more texts than the cap allows") for each in refused)
    assert (ledger.texts_since(ledger.outbox.now() - DAY)["to"].value_counts() == 1).all()


REFUSED = Settlement("rejected", "rejected", 422, "refused")


@pytest.mark.parametrize("cancels", [True, False])
def test_who_got_a_text_counts_whatever_else_came(ledger: Ledger, clock: Clock, *, cancels: bool) -> None:
    campaign = running(ledger, 6, batch_size=6)
    got = claim(ledger, campaign)
    some, texted_at = slice(0, None, 3), clock.time
    ledger.record_reports([report(message.uuid or "") for message in got.messages[some]])
    ledger.outbox.settle(got, Settlement("not sent", "ready", None, "refused"))
    clock.advance(600)
    for refusal in [] if cancels else [Settlement("too large", "split", 413), REFUSED, REFUSED]:
        ledger.outbox.settle(claim(ledger, campaign), refusal)
    if cancels:
        ledger.cancel(campaign)
    texted = ledger.texts_since(clock.time - DAY)
    assert sorted(texted["to"]) == sorted(message.to for message in got.messages[some])
    assert set(texted["at"]) == {texted_at}
    assert ledger.texts_since(clock.time - DAY, campaigns=[campaign]).equals(texted)
    assert ledger.texts_since(clock.time - DAY, campaigns=[]).empty
    again = messages_frame(6, "Again")
    with pytest.raises(CampaignError, match="2 people would get more texts"):
        ledger.create_campaign("Again", again, batch_size=6, texts_per_person=ONCE_A_DAY)


def test_who_is_named_by_a_report_after_a_refusal_was_texted(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 4, batch_size=4)
    got = claim(ledger, campaign)
    ledger.outbox.settle(got, REFUSED)
    assert ledger.texts_since(clock.time - DAY).empty
    ledger.record_reports([report(got.messages[1].uuid or "")])
    assert ledger.texts_since(clock.time - DAY)["to"].tolist() == [got.messages[1].to]


def test_texts_count_around_the_time_at_which_they_are_planned(ledger: Ledger, clock: Clock) -> None:

    def freeze(days: float, whose: str) -> None:
        at = clock.time + days * DAY
        own = {"scheduled_at": at} if whose == "campaign" else {}
        messages = messages_frame(2, "Day", **({} if own else {"scheduled_at": at}))
        ledger.create_campaign("Day", messages, batch_size=2, texts_per_person=ONCE_A_DAY, **own)

    for days, whose in ((0, "messages"), (2, "messages"), (4, "campaign")):
        freeze(days, whose)
    for days, whose in ((0.5, "messages"), (4.5, "messages"), (4.5, "campaign")):
        with pytest.raises(CampaignError, match="2 people would get more texts"):
            freeze(days, whose)


def test_what_waits_longer_than_planned_counts_from_now_on(ledger: Ledger, clock: Clock) -> None:
    for place, waits in enumerate(("draft", "scheduled", "paused")):
        own_time = {} if waits == "draft" else {"scheduled_at": clock.time + DAY / 4}
        earlier = ledger.create_campaign("Spring", messages_frame(1, first=place), batch_size=2, **own_time)
        if waits == "paused":
            ledger.start(earlier)
            ledger.pause(earlier, "not yet")
    clock.advance(10 * DAY.total_seconds())
    assert len(ledger.texts_since(clock.time - DAY)) == 3
    summer = messages_frame(3, "Summer")
    with pytest.raises(CampaignError, match="3 people would get more texts"):
        ledger.create_campaign("Summer", summer, batch_size=2, texts_per_person=ONCE_A_DAY)


def test_a_message_that_missed_its_time_counts_when_it_was_sent(ledger: Ledger, clock: Clock) -> None:
    own = messages_frame(3, scheduled_at=clock.time + DAY / 24, handover="hold")
    campaign = running(ledger, own, batch_size=3)
    ledger.pause(campaign, "not yet")
    clock.advance(10 * DAY.total_seconds())
    ledger.resume(campaign)
    assert asked(ledger, campaign) == Nothing("missed")
    ledger.resume(campaign)
    taken(ledger, campaign)
    assert set(ledger.texts_since(clock.time - DAY)["at"]) == {clock.time}


def two_apart(ledger: Ledger, clock: Clock) -> str:
    """Of three people two are texted now, and all in a fortnight."""
    now = running(ledger, messages_frame(2, "Now"), batch_size=2)
    taken(ledger, now)
    at = clock.time + 2 * WEEK
    later = messages_frame(3, "Later")
    return ledger.create_campaign("Later", later, batch_size=2, scheduled_at=at, texts_per_person=ONCE_A_WEEK)


def test_a_time_is_not_moved_to_where_people_would_be_texted_too_often(ledger: Ledger, clock: Clock) -> None:
    later = two_apart(ledger, clock)
    at = ledger.campaign(later).scheduled_at
    with pytest.raises(CampaignError, match="2 people would get more texts than the cap allows then"):
        ledger.schedule(later, clock.time + DAY, texts_per_person=ONCE_A_WEEK)
    with pytest.raises(CampaignError, match="2 people would get more texts than the cap allows then"):
        ledger.start(later, texts_per_person=ONCE_A_WEEK)
    found = ledger.campaign(later)
    assert (found.state, found.scheduled_at) == ("scheduled", at)
    ledger.schedule(later, clock.time + WEEK + DAY, texts_per_person=ONCE_A_WEEK)
    clock.advance((WEEK + DAY).total_seconds())
    ledger.start(later, texts_per_person=ONCE_A_WEEK)
    assert ledger.campaign(later).state == "running"
    ledger.start(later, texts_per_person=ONCE_A_WEEK)  # again: it is running already


def test_an_opt_out_does_not_keep_the_others_from_another_time(ledger: Ledger, clock: Clock) -> None:
    later = two_apart(ledger, clock)
    ledger.add_opt_outs(messages_frame(2)["to"].tolist())
    ledger.start(later, texts_per_person=ONCE_A_WEEK)
    assert ledger.campaign(later).state == "running"


def test_what_moved_since_the_first_look_is_seen_within_the_lock(ledger: Ledger, clock: Clock) -> None:
    later, at = two_apart(ledger, clock), clock.time + 4 * WEEK
    rest = messages_frame(3, "Last", scheduled_at=at)
    last = ledger.create_campaign("Last", rest, batch_size=3, texts_per_person=ONCE_A_WEEK)
    others = of_others(ledger.database, ONCE_A_WEEK, last, clock.time, at)
    assert others is not None
    ledger.schedule(later, at - DAY, texts_per_person=None)
    with ledger.database.read() as connection, pytest.raises(CampaignError, match="3 people"):
        others.refuse(connection)
