"""The cap on texts per person holds when campaigns are frozen at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from fixtures_ledger import ON_BOTH, Clock, messages_frame
from tiers import only_deep

from dashboard.errors import CampaignError
from dashboard.ledger import Ledger, TextsPerPerson

DAY = timedelta(days=1)


@ON_BOTH
@pytest.mark.parametrize("at_most", [1, *only_deep(2)])
def test_of_campaigns_frozen_at_once_no_more_fit_than_the_cap_allows(ledger: Ledger, at_most: int) -> None:
    cap, together = TextsPerPerson(at_most, DAY), Barrier(3)

    def freeze(name: str) -> str | None:
        messages = messages_frame(4, name)
        ledger.messages()  # a connection of its own
        together.wait()
        try:
            return ledger.create_campaign(name, messages, batch_size=2, texts_per_person=cap)
        except CampaignError as error:
            return str(error)

    with ThreadPoolExecutor(3) as threads:
        said = list(threads.map(freeze, ("Spring", "Summer", "Autumn")))
    made = set(ledger.campaigns()["campaign"])
    assert len(made) == at_most
    refused = [each for each in said if each not in made]
    assert all(each.startswith("4 people would get more texts than the cap allows") for each in refused)
    assert (ledger.texts_since(ledger.outbox.now() - DAY)["to"].value_counts() == at_most).all()


def test_what_the_same_token_made_takes_no_place(ledger: Ledger, clock: Clock) -> None:
    cap = TextsPerPerson(1, DAY)
    first = ledger.create_campaign(
        "Spring", messages_frame(2), batch_size=2, token="page", texts_per_person=cap
    )
    assert ledger.texts_since(clock.time - DAY, token="page").empty
    other = messages_frame(2, sender="Shop")
    second = ledger.create_campaign("Spring", other, batch_size=2, token="page", texts_per_person=cap)
    assert second != first
    assert ledger.campaign(first).state == "cancelled"


def test_people_who_are_texted_later_than_the_period_do_not_count(ledger: Ledger, clock: Clock) -> None:
    cap = TextsPerPerson(1, DAY)
    for days in range(0, 6, 2):
        at = clock.time + timedelta(days=days)
        ledger.create_campaign(
            f"Day {days}",
            messages_frame(2, f"Day {days}", scheduled_at=at),
            batch_size=2,
            texts_per_person=cap,
        )
    with pytest.raises(CampaignError, match="2 people would get more texts"):
        ledger.create_campaign(
            "Once more",
            messages_frame(2, "Once more", scheduled_at=clock.time + DAY / 2),
            batch_size=2,
            texts_per_person=cap,
        )
