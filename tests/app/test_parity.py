"""The pages and a notebook on the same file: the same rows, reasons, texts, costs and exports."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from page_reading import Open
from wizard_steps import ask_to_send

import dashboard as d
from dashboard.app.downloads.tables import as_csv, as_xlsx
from dashboard.app.runtime import Runtime
from dashboard.app.sheets.rows_in_words import rows_in_words
from dashboard.contacts import checked, write_csv

SAMPLE = Path(__file__).parents[2] / "data" / "contacts.xlsx"
TEMPLATE = "Hi {{ First name | there }}, our sale starts: https://shop.example.com/spring/sale " + "a" * 90
SAME = ["row", "to", "body", "credits_low", "credits_high", "country", "line_type"]


@pytest.fixture(scope="module")
def sheet() -> d.Sheet:
    return d.read_sheet(SAMPLE)


@pytest.fixture(scope="module")
def contacts(sheet: d.Sheet) -> d.ContactList:
    return d.clean_contacts(sheet, country="GB")


def test_the_export_of_the_page_is_that_of_the_notebook(sheet: d.Sheet, contacts: d.ContactList) -> None:
    csv = io.BytesIO()
    write_csv(checked(contacts, sheet), csv)
    assert as_csv(checked(contacts, sheet)) == csv.getvalue()
    read = d.read_sheet(as_xlsx(rows_in_words(contacts, sheet), "Rows"))
    assert read.frame[list(sheet.frame)].equals(sheet.frame)
    assert read.frame["Number"].tolist() == contacts.rows["phone"].fillna("").tolist()
    assert read.frame["What is wrong"].tolist() == contacts.reasons().fillna("").tolist()


def test_what_is_sent_is_what_the_notebook_says(
    wired: Runtime, contacts: d.ContactList, open_draft: Open
) -> None:
    page = ask_to_send(open_draft(SAMPLE.read_bytes(), step=5, name="Spring sale", template=TEMPLATE))
    campaign = wired.ledger.campaign(str(page.query_params["id"]))
    written = d.write_messages(contacts, TEMPLATE, campaign="Spring sale")
    messages = wired.ledger.messages(campaign.campaign)
    said = written.loc[written["problem"].isna(), SAME]
    one, other = (frame[SAME].astype(object).fillna("").to_numpy().tolist() for frame in (messages, said))
    assert one == other
    estimate = d.estimate_credits(written, price_per_credit="0.045")
    assert (campaign.recipients, campaign.credits_high) == (estimate.messages, estimate.credits_high)
    assert campaign.credits_low == estimate.credits_low
