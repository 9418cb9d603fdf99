"""A frozen campaign: complete, unique, unchangeable; the rows of its contact sheet beside its messages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pandas as pd
import pytest
from fixtures_ledger import Clock, counts, messages_frame

from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.errors import CampaignError
from dashboard.ledger import SCHEMAS, Ledger
from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.freeze import sheets
from dashboard.reports import recipients


def test_who_opted_out_since_is_named_as_dropped_and_not_estimated(ledger: Ledger) -> None:
    ledger.add_opt_outs(["+447400900001", "+447400900004"], reason="STOP", source="reply")
    campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
    messages = ledger.messages(campaign)
    assert messages.loc[messages["state"] == "dropped", "to"].tolist() == ["+447400900001", "+447400900004"]
    assert counts(ledger, campaign) == {"ready": 3, "dropped": 2}
    found = ledger.campaign(campaign)
    assert (found.recipients, found.credits_low, found.credits_high) == (5, 3, 6)
    ledger.add_opt_outs(messages["to"])
    nobody = ledger.create_campaign("Summer", messages_frame(5, "Summer"), batch_size=10)
    assert counts(ledger, nobody) == {"dropped": 5}
    assert ledger.campaign(nobody).credits_high == 0


def test_nothing_to_send_is_said_in_words(ledger: Ledger) -> None:
    nothing = messages_frame(2, problem=pd.Categorical(["too_long", "too_long"]))
    naive = datetime(2027, 1, 1)  # noqa: DTZ001
    for said, name, frame, options in (
        ("no message to send", "Spring", nothing, {}),
        ("batch_size", "Spring", messages_frame(2), {"batch_size": 0}),
        ("name", " ", messages_frame(2), {}),
        ("time zone", "Spring", messages_frame(2), {"scheduled_at": naive}),
        ("1970 to 9998", "Spring", messages_frame(2), {"scheduled_at": datetime.max.replace(tzinfo=UTC)}),
    ):
        with pytest.raises(CampaignError, match=said):
            ledger.create_campaign(name, frame, **{"batch_size": 10} | options)
    assert ledger.campaigns().empty


def test_campaigns_carry_price_times_and_state(ledger: Ledger, clock: Clock) -> None:
    told = {"price_per_credit": Decimal("0.0725"), "currency": "GBP", "source": "spring.xlsx"}
    told |= {"scheduled_at": clock.time + timedelta(hours=1)}
    found = ledger.campaign(ledger.create_campaign("Spring", messages_frame(1), batch_size=10, **told))
    assert {name: getattr(found, name) for name in told} == told
    assert (found.state, found.created_at, found.started_at) == ("scheduled", clock.time, None)


def test_frames_have_the_declared_columns_and_dtypes_also_when_empty(ledger: Ledger) -> None:
    empty = {"Ledger.campaigns()": ledger.campaigns(), "Ledger.messages(...)": ledger.messages()}
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
        "Ledger.told_stop(...)": ledger.told_stop(campaign),
        "Ledger.opt_out_history()": ledger.opt_out_history(),
        "Ledger.lists.all()": ledger.lists.all(),
        "Ledger.audit.entries(...)": ledger.audit.entries(),
        "Ledger.same_campaigns(...)": ledger.same_campaigns(messages_frame(2, template="-"), since=EPOCH),
        "Ledger.texts()": ledger.texts(),
        "Ledger.texts_since(...)": ledger.texts_since(EPOCH),
        "Ledger.answers_about_links(...)": ledger.answers_about_links("none"),
    }
    assert set(frames) == set(SCHEMAS)
    for name, frame in (*empty.items(), *frames.items()):
        assert {column: str(dtype) for column, dtype in frame.dtypes.items()} == {
            column.name: column.dtype for column in SCHEMAS[name]
        }, name


SHEET = b"""Customer;row;Mobile;stage;Since
A-1;p;07911 123456;gold;01.02.2024
A-2;q;no number;gold;02.02.2024
A-3;r;+44 7911 123458;=silver;soon
"""


def made_of_a_sheet(ledger: Ledger, content: bytes = SHEET) -> str:
    sheet = read_sheet(content)
    messages = write_messages(clean_contacts(sheet, country="GB"), "Hi {{Customer}}", campaign="Spring")
    return ledger.create_campaign("Spring", messages, batch_size=10, sheet=sheet)


def test_the_rows_that_became_messages_are_kept_as_they_were_typed_for_their_owner(ledger: Ledger) -> None:
    campaign = made_of_a_sheet(ledger)
    kept, messages = ledger.sheet_rows(campaign), ledger.messages(campaign)
    assert kept.columns.tolist() == ["row", "Customer", "row#2", "Mobile", "stage", "Since"]
    assert kept.to_numpy().tolist() == [
        [2, "A-1", "p", "07911 123456", "gold", "01.02.2024"],
        [4, "A-3", "r", "+44 7911 123458", "=silver", "soon"],
    ]
    table = recipients(messages, sheet_rows=kept)
    assert table.columns.tolist()[:8] == [*kept, "phone", "stage#2"]
    assert table["Customer"].tolist() == ["A-1", "A-3"]
    assert table["phone"].tolist() == ["+447911123456", "+447911123458"]
    assert table["stage#2"].tolist() == recipients(messages)["stage"].tolist() == ["not sent yet"] * 2


def test_many_rows_are_kept_in_parts(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "ROWS_IN_A_PART", 2)
    lines = "\n".join(f"{7911068204 + 7 * n};shop {n}" for n in range(5))
    kept = ledger.sheet_rows(made_of_a_sheet(ledger, f"phone;Customer\n{lines}\n".encode()))
    assert kept["Customer"].tolist() == [f"shop {n}" for n in range(5)]


def test_a_campaign_made_without_a_sheet_has_no_rows(ledger: Ledger) -> None:
    campaign = ledger.create_campaign("Spring", messages_frame(3), batch_size=10)
    kept = ledger.sheet_rows(campaign)
    assert kept.columns.tolist() == ["row"]
    assert kept.empty
    messages = ledger.messages(campaign)
    pd.testing.assert_frame_equal(recipients(messages, sheet_rows=kept), recipients(messages))
