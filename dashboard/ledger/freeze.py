"""Freezes a campaign: who gets which text, under which uuid, in which batch. None of it changes afterwards.

One transaction, so a crash leaves the whole campaign or nothing. People who opted out since the list was
cleaned are frozen too, as one batch that is `dropped` and never sent, so that they can be named.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

import pandas as pd
from sqlalchemy import Connection, func, insert, select

from dashboard.campaigns import Prices
from dashboard.contacts import Sheet
from dashboard.errors import CampaignError
from dashboard.ledger import schema, sheets
from dashboard.ledger.caps import Caps
from dashboard.ledger.engine import FREEZE, insert_columns, serialize
from dashboard.ledger.layout import NEEDED, Layout, lay_out
from dashboard.words import _

HOLD = "hold"
"""What `write_messages` notes as handover when messages wait here for their time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is besides its messages; see the table `campaign`."""

    name: str
    batch_size: int
    sender: str | None
    shorten_links: bool
    tracking: str | None
    prices: Prices | None
    currency: str
    source: str | None
    scheduled_at: datetime | None
    token: str | None
    service: str | None = None
    fingerprint: str | None = None
    caps: Caps | None = None
    sheet: Sheet | None = None


def freeze(connection: Connection, plan: Plan, messages: pd.DataFrame, now: datetime) -> str:
    """Write a campaign and its messages; returns the campaign's id.

    A token that made a campaign before gives that campaign again, so a second click or tab changes nothing.

    Raises:
        CampaignError: There is nothing to send, the frame is none of `write_messages`, or a cap is reached.
    """
    if found := _made_with(connection, plan.token):
        return found
    sendable = _sendable(messages, plan.batch_size)
    serialize(connection, FREEZE)
    if found := _made_with(connection, plan.token):  # by the other tab, while we waited
        return found
    layout = lay_out(
        sendable,
        opted_out=sendable["to"].isin(_opted_out(connection)),
        held=messages.attrs.get("handover") == HOLD,
        prices=plan.prices,
        batch_size=plan.batch_size,
    )
    if plan.caps:
        plan.caps.check(connection, layout.credits_[1])
    campaign_id, first = uuid4().hex[:12], _next_message(connection)
    connection.execute(insert(schema.campaign).values(id=campaign_id, **_campaign(plan, layout, first, now)))
    connection.execute(insert(schema.batch), list(layout.batches(campaign_id, first)))
    if texts := _texts(campaign_id, messages):
        connection.execute(insert(schema.campaign_text), texts)
    if plan.sheet:
        sheets.keep(connection, campaign_id, plan.sheet, sendable["row"])
    for chunk in layout.chunks(first):
        insert_columns(connection, schema.message, chunk)
    return campaign_id


def _campaign(plan: Plan, layout: Layout, first: int, now: datetime) -> dict[str, Any]:
    """The campaign's row, without its id."""
    credits_low, credits_high = layout.credits_
    cost_low, cost_high = layout.costs
    return {
        "token": plan.token,
        "name": plan.name,
        "state": "scheduled" if plan.scheduled_at else "draft",
        "source": plan.source,
        "sender": plan.sender,
        "shorten_links": plan.shorten_links,
        "tracking": plan.tracking,
        "batch_size": plan.batch_size,
        "price_per_credit": layout.only_price,
        "currency": plan.currency,
        "first_message": first,
        "last_message": first + len(layout.messages) - 1,
        "credits_low": credits_low,
        "credits_high": credits_high,
        "cost_low": cost_low,
        "cost_high": cost_high,
        "created_at": now,
        "scheduled_at": plan.scheduled_at,
        "service": plan.service,
        "fingerprint": plan.fingerprint,
    }


def _next_message(connection: Connection) -> int:
    last = select(func.coalesce(func.max(schema.campaign.c.last_message), 0))
    return int(connection.execute(last).scalar_one()) + 1


def _made_with(connection: Connection, token: str | None) -> str | None:
    if token is None:
        return None
    table = schema.campaign
    return connection.execute(select(table.c.id).where(table.c.token == token)).scalar_one_or_none()


def _sendable(messages: pd.DataFrame, batch_size: int) -> pd.DataFrame:
    missing = [column for column in NEEDED if column not in messages]
    if missing:
        raise CampaignError(
            _("A campaign is made from the frame of write_messages; it lacks {missing}.").format(
                missing=", ".join(missing)
            )
        )
    if batch_size < 1:
        raise CampaignError(_("A batch holds at least one message. Set batch_size to 1 or more."))
    sendable = messages[messages["problem"].isna()] if "problem" in messages else messages
    if sendable.empty:
        raise CampaignError(
            _("There is no message to send: every row has a problem. Correct the template or the sheet.")
        )
    return sendable


def _opted_out(connection: Connection) -> list[str]:
    table = schema.opt_out
    return list(connection.execute(select(table.c.phone).where(table.c.removed_at.is_(None))).scalars())


def _texts(campaign_id: str, messages: pd.DataFrame) -> list[dict[str, Any]]:
    """The templates that the messages were written from, by variant."""
    templates: dict[str, dict[str, Any]] = messages.attrs.get("templates", {})
    return [
        {
            "campaign_id": campaign_id,
            "variant": variant,
            "name": text["campaign"],
            "tracking": text["tracking"],
            "template": text["template"],
            "template_version": text["template_version"],
        }
        for variant, text in templates.items()
    ]
