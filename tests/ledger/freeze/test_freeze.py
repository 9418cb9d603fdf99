"""A frozen campaign: complete, unique, unchangeable."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, claim, counts, messages_frame
from sqlalchemy.exc import DBAPIError

from dashboard.campaigns import write_messages
from dashboard.errors import CampaignError
from dashboard.ledger import SCHEMAS, Ledger
from dashboard.ledger.database.column_types import EPOCH


def test_every_message_is_frozen_with_a_uuid_of_its_own_in_batches_of_the_size_asked_for(
    ledger: Ledger,
) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(25), batch_size=10)
    messages = ledger.messages(campaign)
    assert messages["uuid"].nunique() == 25
    assert messages["uuid"].str.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").all()
    assert messages["body"].tolist() == [f"Hello number {n}" for n in range(25)]
    assert ledger.batches(campaign)["messages"].tolist() == [10, 10, 5]
    assert messages.groupby("batch").size().tolist() == [10, 10, 5]
    assert counts(ledger, campaign) == {"ready": 25}


def test_rows_with_a_problem_stay_out(ledger: Ledger) -> None:
    frame = messages_frame(3, problem=pd.Categorical([None, "too_long", None]))
    campaign = ledger.create_campaign("Spring", frame, batch_size=10)
    assert ledger.messages(campaign)["row"].tolist() == [2, 4]


def test_who_opted_out_since_is_named_as_dropped_and_not_estimated(ledger: Ledger) -> None:
    ledger.add_opt_outs(["+447400900001", "+447400900004"], reason="STOP", source="reply")
    campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
    messages = ledger.messages(campaign)
    assert messages.loc[messages["state"] == "dropped", "to"].tolist() == ["+447400900001", "+447400900004"]
    assert counts(ledger, campaign) == {"ready": 3, "dropped": 2}
    found = ledger.campaign(campaign)
    assert (found.recipients, found.credits_low, found.credits_high) == (5, 3, 6)


def test_when_all_opted_out_the_campaign_still_tells_whom_it_dropped(ledger: Ledger) -> None:
    ledger.add_opt_outs(["+447400900000", "+447400900001"])
    campaign = ledger.create_campaign("Spring", messages_frame(2), batch_size=10)
    assert counts(ledger, campaign) == {"dropped": 2}
    assert ledger.campaign(campaign).credits_high == 0


def test_the_same_token_gives_the_same_campaign(ledger: Ledger) -> None:
    first = ledger.create_campaign("Spring", messages_frame(3), batch_size=10, token="page-1")
    again = ledger.create_campaign("Spring", messages_frame(3), batch_size=10, token="page-1")
    other = ledger.create_campaign("Spring", messages_frame(3), batch_size=10, token="page-2")
    assert first == again != other
    assert len(ledger.campaigns()) == 2


@ON_BOTH_DATABASES
@pytest.mark.parametrize("statement", ["UPDATE message SET body = 'other'", "DELETE FROM message"])
def test_the_database_itself_refuses_to_change_a_frozen_message(ledger: Ledger, statement: str) -> None:
    ledger.create_campaign("Spring", messages_frame(3), batch_size=10)
    with (
        pytest.raises(DBAPIError, match="never change"),
        ledger.database.write() as connection,
    ):
        connection.exec_driver_sql(statement)


def test_nothing_to_send_is_said_in_words(ledger: Ledger) -> None:
    frame = messages_frame(2, problem=pd.Categorical(["too_long", "too_long"]))
    with pytest.raises(CampaignError, match="no message to send"):
        ledger.create_campaign("Spring", frame, batch_size=10)
    with pytest.raises(CampaignError, match="batch_size"):
        ledger.create_campaign("Spring", messages_frame(2), batch_size=0)
    frame = messages_frame(2, tracking="spring", shorten_links=False)
    with pytest.raises(CampaignError, match="short links"):
        ledger.create_campaign("Spring", frame, batch_size=10)
    with pytest.raises(CampaignError, match="name"):
        ledger.create_campaign(" ", messages_frame(2), batch_size=10)
    with pytest.raises(CampaignError, match="time zone"):
        ledger.create_campaign(
            "Spring",
            messages_frame(2),
            batch_size=10,
            scheduled_at=datetime(2027, 1, 1),  # noqa: DTZ001
        )
    assert ledger.campaigns().empty


def test_what_write_messages_was_told_goes_with_the_messages(ledger: Ledger) -> None:
    contacts = pd.DataFrame(
        {
            "row": [2],
            "phone": ["+447400123456"],
            "country": ["GB"],
            "line_type": ["MOBILE"],
            "first_name": ["Ann"],
        }
    )
    written = write_messages(contacts, "Hi {{first_name}}", campaign="Spring", sender="ACME", tracking="may")
    campaign = ledger.create_campaign("Spring", written, batch_size=10)
    assert ledger.messages(campaign)["body"].tolist() == ["Hi Ann"]
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    (message,) = claim(ledger, campaign, owner).messages
    assert (message.sender, message.campaign_tracking, message.shorten_links) == ("ACME", "may", True)


def test_campaigns_carry_price_times_and_state(ledger: Ledger, clock: Clock) -> None:
    at = clock.time + timedelta(hours=1)
    campaign = ledger.create_campaign(
        "Spring",
        messages_frame(1),
        batch_size=10,
        price_per_credit=Decimal("0.0725"),
        currency="GBP",
        source="spring.xlsx",
        scheduled_at=at,
    )
    found = ledger.campaign(campaign)
    assert found.price_per_credit == Decimal("0.0725")
    assert (found.currency, found.source, found.state) == ("GBP", "spring.xlsx", "scheduled")
    assert (found.created_at, found.scheduled_at, found.started_at) == (clock.time, at, None)


def test_frames_have_the_declared_columns_and_dtypes_also_when_empty(ledger: Ledger) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(1), batch_size=10)
    frames = {
        "Ledger.campaigns()": ledger.campaigns(),
        "Ledger.messages(...)": ledger.messages(campaign),
        "Ledger.recipients(...)": ledger.recipients(campaign),
        "Ledger.events(...)": ledger.events(campaign),
        "Ledger.counts(...)": ledger.counts(campaign),
        "Ledger.course(...)": ledger.course(campaign),
        "Ledger.coming(...)": ledger.coming(),
        "Ledger.contacts()": ledger.contacts(),
        "Ledger.stray_reports()": ledger.stray_reports(),
        "Ledger.batches(...)": ledger.batches(campaign),
        "Ledger.unknown(...)": ledger.unknown(campaign),
        "Ledger.attempts(...)": ledger.attempts(campaign),
        "Ledger.decisions(...)": ledger.decisions(campaign),
        "Ledger.opt_outs()": ledger.opt_outs(),
        "Ledger.opt_outs(texts=True)": ledger.opt_outs(texts=True),
        "Ledger.person(...)": ledger.person("+447400123456"),
        "Ledger.opt_out_history()": ledger.opt_out_history(),
        "Ledger.lists.all()": ledger.lists.all(),
        "Ledger.audit.entries(...)": ledger.audit.entries(),
        "Ledger.same_campaigns(...)": ledger.same_campaigns(messages_frame(2, template="-"), since=EPOCH),
        "Ledger.texts()": ledger.texts(),
        "Ledger.texts_since(...)": ledger.texts_since(EPOCH),
        "Ledger.answers_about_links(...)": ledger.answers_about_links("none"),
    }
    assert set(frames) == set(SCHEMAS)
    for name, frame in frames.items():
        assert {column: str(dtype) for column, dtype in frame.dtypes.items()} == {
            column.name: column.dtype for column in SCHEMAS[name]
        }, name
