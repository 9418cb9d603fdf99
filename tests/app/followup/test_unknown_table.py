"""A campaign's unknown batches on its page: few or very many, some chosen or all at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from app_seeds import unknown_campaign
from fixtures_ledger import many_batches
from page_reading import Open, button, words
from sqlalchemy import event, update
from wizard_steps import labelled

from dashboard.app.followup.unknown_table import PAGE_ROWS
from dashboard.app.runtime import Runtime
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.outbox.decisions import SHOWN
from dashboard.ledger.tallies import recount

MANY = 20 * PAGE_ROWS


def many_unknown(ledger: Ledger, count: int) -> str:
    """A campaign that is over, with so many unknown batches of a message each."""
    campaign = many_batches(ledger, count)
    then = datetime.now(UTC) - timedelta(minutes=6)
    with ledger.database.write() as connection:
        connection.execute(
            update(schema.batch).values(
                state="unknown", reason="timeout", attempt=1, claimed_at=then, settled_at=then
            )
        )
        recount.mend(connection, campaign)
        connection.execute(update(schema.campaign).values(state="done", started_at=then, finished_at=then))
    return campaign


@contextmanager
def rows_read(ledger: Ledger) -> Iterator[list[int]]:
    """How many rows the ledger's database gives meanwhile, counted one by one as they are fetched."""
    read = [0]

    def one_more(_cursor: object, row: tuple[object, ...]) -> tuple[object, ...]:
        read[0] += 1
        return row

    def count(factory: object) -> Callable[..., None]:
        return lambda connection, *_rest: setattr(connection, "row_factory", factory)

    hooks = (("checkout", count(one_more)), ("checkin", count(None)))
    for name, hook in hooks:
        event.listen(ledger.database.engine, name, hook)
    yield read
    for name, hook in hooks:
        event.remove(ledger.database.engine, name, hook)


def test_very_many_batches_are_read_by_the_page_newest_first_and_all_decided_at_once(
    open_page: Open, wired: Runtime
) -> None:
    campaign = many_unknown(wired.ledger, MANY)
    with rows_read(wired.ledger) as rows:
        page = open_page("campaign", id=campaign)
    assert rows[0] < MANY
    assert f"All {MANY:,} batches" in words(page)
    newest_first = wired.ledger.unknown(campaign)["batch"].tolist()[::-1]
    for number in (1, 2, MANY // PAGE_ROWS):
        page.session_state[f"unknown-page-{campaign}"] = number
        shown = next(one.value for one in page.run().dataframe if "At risk" in one.value)
        assert shown["Batch"].tolist() == newest_first[(number - 1) * PAGE_ROWS : number * PAGE_ROWS]
    key = f"abandoned-all-{campaign}"
    page.button(key=key).click().run()
    assert "2,000 batches · 2,000 messages, 4,000 credits at risk" in words(page)
    page.button(key=key).click()
    labelled(page.text_input, "How do you know?").set_value("Too late for these").run()
    page.button(key=key).click()
    page.button(key="confirm-decision").click().run()
    assert wired.ledger.campaign(campaign).abandoned == MANY
    assert "with an unknown outcome" not in words(page)
    (decided,) = (part.body for part in page.html if "Decisions about unknown batches" in part.body)
    assert re.search(r"Left as they are</td><td[^>]*>2,000</td><td>local</td><td>Too late for these", decided)


def test_the_newest_decisions_are_said_to_be_the_newest(open_page: Open, wired: Runtime) -> None:
    campaign = many_unknown(wired.ledger, SHOWN + 1)
    batches = wired.ledger.unknown(campaign)["batch"].tolist()
    for batch in batches[1:]:
        wired.ledger.decide(batch, "abandoned", who="Ann", why=f"Too late for {batch}")
    assert f"The newest {SHOWN} decisions are shown." in words(open_page("campaign", id=campaign))


def test_a_cancelled_campaign_is_not_sent_again_and_says_so(open_page: Open, wired: Runtime) -> None:
    campaign = unknown_campaign(wired.ledger, minutes_ago=6)
    wired.ledger.cancel(campaign)
    page = open_page("campaign", id=campaign)
    assert button(page, "Send them again").disabled
    assert "The campaign was cancelled, so none of it is sent again." in words(page)
