"""The pages and a notebook on the same file: the same rows, reasons, texts, costs, exports and charts."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pandas as pd
import pytest
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest

import dashboard as d
from dashboard.app.downloads.tables import as_csv, as_xlsx
from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime
from dashboard.app.standing.recipient_table import recipient_table
from dashboard.contacts import checked, write_csv

SAMPLE = Path(__file__).parents[2] / "data" / "contacts.xlsx"
TEMPLATE = "Hi {{ First name | there }}, our sale starts: https://shop.example.com/spring/sale " + "a" * 90
SAME = ["row", "to", "body", "credits_low", "credits_high", "country", "line_type"]


@pytest.fixture
def draft(wired: Runtime) -> Draft:
    """The sample sheet, uploaded, with a text."""
    begun = wired.drafts.begin("local", SAMPLE.name, io.BytesIO(SAMPLE.read_bytes()))
    return wired.drafts.save(
        begun.model_copy(update={"country": "GB", "step": 5, "name": "Spring sale", "template": TEMPLATE})
    )


@pytest.fixture(scope="module")
def sheet() -> d.Sheet:
    return d.read_sheet(SAMPLE)


@pytest.fixture(scope="module")
def contacts(sheet: d.Sheet) -> d.ContactList:
    return d.clean_contacts(sheet, country="GB")


def test_the_export_of_the_page_is_that_of_the_notebook(
    wired: Runtime, draft: Draft, sheet: d.Sheet, contacts: d.ContactList
) -> None:
    page = AppTest.from_function(_exported, kwargs={"draft_id": draft.id}, default_timeout=PATIENCE_S).run()
    assert not page.exception, page.exception
    csv = io.BytesIO()
    write_csv(checked(contacts, sheet), csv)
    assert page.session_state["csv"] == csv.getvalue()
    read = d.read_sheet(page.session_state["xlsx"])
    assert read.frame[list(sheet.frame)].equals(sheet.frame)
    assert read.frame["Number"].tolist() == contacts.rows["phone"].fillna("").tolist()
    assert read.frame["What is wrong"].tolist() == contacts.reasons().fillna("").tolist()


def _exported(draft_id: str) -> None:
    """What the page of checked rows offers to download."""
    import streamlit as st  # noqa: PLC0415 - runs as a page of its own

    from dashboard.app import runtime  # noqa: PLC0415
    from dashboard.app.downloads.tables import as_csv, as_xlsx  # noqa: PLC0415
    from dashboard.app.draft_sheets import sheet_of  # noqa: PLC0415
    from dashboard.app.gathered import contacts_of  # noqa: PLC0415
    from dashboard.app.sheets.rows_in_words import rows_in_words  # noqa: PLC0415
    from dashboard.contacts import checked  # noqa: PLC0415

    draft = runtime.current().drafts.find(draft_id, "local")
    contacts, sheet = contacts_of(draft), sheet_of(draft)
    st.session_state["xlsx"] = as_xlsx(rows_in_words(contacts, sheet), "Rows")
    st.session_state["csv"] = as_csv(checked(contacts, sheet))


def test_what_is_sent_and_shown_is_what_the_notebook_says(
    wired: Runtime, draft: Draft, contacts: d.ContactList, open_page: Callable[..., AppTest]
) -> None:
    page = open_page("new", draft=draft.id)
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    assert not page.exception, page.exception
    campaign = wired.ledger.campaign(str(page.query_params["id"]))
    written = d.write_messages(contacts, TEMPLATE, campaign="Spring sale")
    messages = wired.ledger.messages(campaign.campaign)
    assert_same(messages[SAME], written.loc[written["problem"].isna(), SAME])
    estimate = d.estimate_credits(written, price_per_credit="0.045")
    assert (campaign.recipients, campaign.credits_high) == (estimate.messages, estimate.credits_high)
    assert campaign.credits_low == estimate.credits_low

    wired.ledger.record_reports(list(_reports(messages["uuid"])))
    followed = open_page("campaign", id=campaign.campaign)
    messages = wired.ledger.messages(campaign.campaign)
    events = wired.ledger.events(campaign.campaign)
    drawn = orjson.loads(followed.get("plotly_chart")[0].proto.spec)
    expected = orjson.loads(d.figures.status_over_time(messages, events=events, tz="Europe/Berlin").to_json())
    assert drawn["data"] == expected["data"]

    table = recipient_table(messages, now=datetime.now(UTC))
    reopened = pd.read_csv(io.BytesIO(as_csv(table)), dtype=str, keep_default_na=False)
    assert reopened["Number"].tolist() == messages["to"].tolist()
    assert reopened["Status"].str.lower().value_counts().to_dict() == _stages(messages)
    assert len(as_xlsx(table, "Recipients")) > len(table)


def assert_same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    first, second = (frame.astype(object).reset_index(drop=True) for frame in (one, other))
    assert first.fillna("").to_numpy().tolist() == second.fillna("").to_numpy().tolist()


def _reports(uuids: pd.Series) -> list[dict[str, str]]:
    now = datetime.now(UTC)
    times = [f"{now + timedelta(seconds=place):%Y-%m-%dT%H:%M:%SZ}" for place in range(len(uuids))]
    return [
        {"uuid": uuid, "status": "delivered", "sent_at": time, "delivered_at": time}
        for uuid, time in zip(uuids, times, strict=True)
    ]


def _stages(messages: pd.DataFrame) -> dict[str, int]:
    summary = d.campaign_summary(messages)
    return {row.stage: row.messages for row in summary.itertuples() if row.messages}
