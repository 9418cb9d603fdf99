"""What the ledger tells about earlier campaigns: texts, the same people again, caps, links."""

from __future__ import annotations

from datetime import timedelta

import pandas as pd
import pytest
from fixtures_ledger import Clock, messages_frame, taken

from dashboard.campaigns import Variant, learn_link_length, write_messages
from dashboard.errors import CampaignError
from dashboard.ledger import Caps, Ledger

PEOPLE = pd.DataFrame({"phone": [f"+4479110000{n:02}" for n in range(10)], "name": list("abcdefghij")})
VARIANTS = [Variant("A", "Hi {{name}}"), Variant("B", "Hello {{name}}")]


def test_texts_can_be_used_again_each_once_the_newest_first(ledger: Ledger, clock: Clock) -> None:
    for name, template in (("One", "Hi"), ("Two", VARIANTS), ("Three", "Hi")):
        clock.advance(60)
        ledger.create_campaign(name, write_messages(PEOPLE, template, campaign=name), batch_size=10)
    texts = ledger.texts()
    assert texts[["name", "variant", "template"]].to_numpy().tolist() == [
        ["Three", "", "Hi"],
        ["Two", "A", "Hi {{name}}"],
        ["Two", "B", "Hello {{name}}"],
    ]
    assert texts["created_at"][0] == clock()


def caps(clock: Clock, **most: int | None) -> Caps:
    start = clock().replace(hour=0, minute=0)
    most = {"per_campaign": None, "per_day": None} | most
    return Caps(**most, day_from=start, day_to=start + timedelta(days=1))  # type: ignore[arg-type]


def test_a_campaign_that_may_cost_too_much_is_not_made(ledger: Ledger, clock: Clock) -> None:
    frame = messages_frame(10)
    high = int(frame["credits_high"].sum())
    with pytest.raises(CampaignError, match="a campaign may cost"):
        ledger.create_campaign(
            "Big", messages_frame(10, "Big"), batch_size=5, caps=caps(clock, per_campaign=high - 1)
        )
    assert ledger.campaigns().empty
    day = caps(clock, per_day=2 * high)
    for name in ("One", "Two"):
        ledger.create_campaign(name, messages_frame(10, name), batch_size=5, caps=day)
    with pytest.raises(CampaignError, match="of today's"):
        ledger.create_campaign("Three", messages_frame(10, "Three"), batch_size=5, caps=day)
    clock.advance(86_400)
    tomorrow = caps(clock, per_day=2 * high)
    with pytest.raises(CampaignError, match="of today's"):  # the two are drafts still, and may start now
        ledger.create_campaign("Three", messages_frame(10, "Three"), batch_size=5, caps=tomorrow)


def test_short_links_are_learned_for_each_service_by_itself(ledger: Ledger) -> None:
    text = "a" * 135 + " https://example.com/a/long/address"
    messages = write_messages(PEOPLE, text, campaign="Spring")
    for service in ("https://one.example", "https://two.example"):
        ledger.create_campaign("Spring", messages, batch_size=10, service=service)
    one = ledger.campaigns().iloc[1]["campaign"]
    ledger.start(one)
    taken(ledger, one, credits_used=1)
    answers = ledger.answers_about_links("https://one.example")
    assert len(answers) == 10
    assert learn_link_length(answers).length.high == 24
    assert ledger.answers_about_links("https://two.example").empty
