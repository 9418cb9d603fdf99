"""The rows of the contact sheet beside a campaign's messages."""

from __future__ import annotations

import pandas as pd
import pytest
from fixtures_ledger import messages_frame

from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.errors import UnknownCampaignError
from dashboard.ledger import Ledger
from dashboard.ledger.freeze import sheets
from dashboard.reports import recipients

SHEET = b"""Customer;row;Mobile;stage;Since
A-1;x;07911 123456;gold;01.02.2024
A-2;y;no number;gold;02.02.2024
A-3;z;+44 7911 123458;=silver;
"""


def made_of_a_sheet(ledger: Ledger, content: bytes = SHEET) -> str:
    sheet = read_sheet(content)
    messages = write_messages(clean_contacts(sheet, country="GB"), "Hi {{Customer}}", campaign="Spring")
    return ledger.create_campaign("Spring", messages, batch_size=10, sheet=sheet)


def test_the_rows_that_became_messages_are_kept_as_they_were_typed(ledger: Ledger) -> None:
    kept = ledger.sheet_rows(made_of_a_sheet(ledger))
    assert kept.columns.tolist() == ["row", "Customer", "row#2", "Mobile", "stage", "Since"]
    assert kept.to_numpy().tolist() == [
        [2, "A-1", "x", "07911 123456", "gold", "01.02.2024"],
        [4, "A-3", "z", "+44 7911 123458", "=silver", ""],
    ]


def test_recipients_have_the_columns_that_their_owner_knows(ledger: Ledger) -> None:
    campaign = made_of_a_sheet(ledger)
    table = recipients(ledger.messages(campaign), sheet_rows=ledger.sheet_rows(campaign))
    plain = recipients(ledger.messages(campaign))
    assert table.columns.tolist()[:8] == [
        *("row", "Customer", "row#2", "Mobile", "stage", "Since", "phone", "stage#2")
    ]
    assert table["Customer"].tolist() == ["A-1", "A-3"]
    assert table["phone"].tolist() == plain["phone"].tolist() == ["+447911123456", "+447911123458"]
    assert table["stage#2"].tolist() == plain["stage"].tolist() == ["not sent yet"] * 2


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
    with pytest.raises(UnknownCampaignError):
        ledger.sheet_rows("nothing")
