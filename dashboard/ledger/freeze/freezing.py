"""Freeze a campaign: who gets which text, under which uuid, in which batch. None of it changes afterwards.

One transaction, in which it may also be started, so a crash or a refusal leaves all or nothing; what takes
long and needs no lock is done before it. People who opted out since the list was cleaned are frozen too, as
one batch that is `dropped` and never sent, so that they can be named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

import pandas as pd
from sqlalchemy import Connection, func, insert, select

from dashboard.campaigns import Handover, Prices, SentWith, parse_template, sent_with
from dashboard.campaigns.cost.money import money_array
from dashboard.contacts import Sheet
from dashboard.errors import CampaignError
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.writing import insert_stored, much_to_write
from dashboard.ledger.freeze import sheets
from dashboard.ledger.freeze.again import Comparison
from dashboard.ledger.freeze.caps import Caps
from dashboard.ledger.freeze.layout import CHUNK, Layout, lay_out
from dashboard.ledger.freeze.often import Others, TextsPerPerson, not_before
from dashboard.ledger.freeze.one_time_token import already_made
from dashboard.ledger.optouts import opted_out
from dashboard.ledger.tallies import recount
from dashboard.words import _

Progress = Callable[[float], None]
"""Is told which share of the messages is written, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is made of; see the table `campaign`.

    Attributes:
        chosen: Its messages, as returned by `sendable`.
        sent: What is sent with them, as returned by `of_campaign`.
    """

    name: str
    chosen: pd.DataFrame
    sent: SentWith
    batch_size: int
    prices: Prices | None
    currency: str
    source: str | None
    scheduled_at: datetime | None
    token: str | None
    service: str | None = None
    fingerprint: str | None = None
    starts: bool = False
    unless_sent_since: datetime | None = None
    caps: Caps | None = None
    texts_per_person: TextsPerPerson | None = None
    sheet: Sheet | None = None
    audience: str | None = None
    on_progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A campaign laid out before anything is locked, for the opt-outs listed then.

    Attributes:
        comparison: Its messages, compared with those of the campaigns there were by then; None if the same
            may be sent again.
        others: What other campaigns send to the same people; None without a cap on that.
        layout: Its messages, in batches.
        opted_out: The opt-outs.
    """

    comparison: Comparison | None
    others: Others | None
    layout: Layout
    opted_out: frozenset[str]


def prepare(database: Database, plan: Plan, now: datetime) -> Prepared | str:
    """Do the work that needs no lock.

    Whatever is long and not reading is done outside any transaction: PostgreSQL ends one that stands still.

    Returns:
        What to `freeze`, or the id of the campaign that the token has already made.

    Raises:
        CampaignError: People would be texted too often, or as for `already_made`.
    """
    with database.read() as connection:
        if made := already_made(connection, plan.token, plan.fingerprint, starts=plan.starts):
            return made
        listed = opted_out(connection, plan.chosen["to"])
    comparison = None
    if plan.unless_sent_since:
        comparison = Comparison(plan.chosen)
        with database.read() as connection:
            comparison.campaigns(connection, plan.unless_sent_since)  # so that few are left to read
    others = None
    if plan.texts_per_person:
        timed = not_before(plan.chosen, plan.scheduled_at)
        others = Others(plan.texts_per_person, timed, now)
        with database.read() as connection:
            others.refuse(connection)
    return Prepared(comparison, others, _lay_out(plan, listed), listed)


def freeze(connection: Connection, plan: Plan, ready: Prepared, now: datetime) -> tuple[str, bool]:
    """Write a campaign, as a draft, and its messages; returns its id, and whether it is new.

    A token that has already made this campaign returns it, so a second click or tab changes nothing.

    Raises:
        CampaignError: A cap is reached, people would be texted too often, or as for `already_made`.
        SentBeforeError: The same was sent, or will be, by a campaign made since `plan.unless_sent_since`.
    """
    serialize(connection, Advisory.FREEZE)
    made = already_made(connection, plan.token, plan.fingerprint, starts=plan.starts)
    if made:  # by the other tab, meanwhile
        return made, False
    if ready.comparison and plan.unless_sent_since:
        ready.comparison.refuse(connection, plan.unless_sent_since)
    if ready.others:
        ready.others.refuse(connection)
    layout, listed = ready.layout, opted_out(connection, plan.chosen["to"])
    if listed != ready.opted_out:  # somebody opted out in the meantime
        layout = _lay_out(plan, listed)
    if plan.caps:
        plan.caps.check(connection, layout.credits_high)
    campaign_id, first = uuid4().hex[:12], _next_message(connection)
    row = {"id": campaign_id, **_campaign(plan, layout, first, now)}
    connection.execute(insert(schema.campaign).values(row))
    connection.execute(insert(schema.batch), list(layout.batches(campaign_id, first)))
    connection.execute(insert(schema.campaign_text), _texts(campaign_id, plan.sent))
    if plan.sheet:
        sheets.keep(connection, campaign_id, plan.sheet, plan.chosen["row"])
    progress = plan.on_progress or (lambda _share: None)
    with much_to_write(connection):
        for done, chunk in enumerate(layout.chunks(first)):
            progress(done * CHUNK / len(layout.messages))
            insert_stored(connection, schema.message, chunk)
    recount.count_frozen(connection, campaign_id)
    return campaign_id, True


def _lay_out(plan: Plan, listed: frozenset[str]) -> Layout:
    return lay_out(
        plan.chosen,
        opted_out=plan.chosen["to"].isin(list(listed)),
        held=plan.sent.handover == Handover.HOLD,
        prices=plan.prices,
        batch_size=plan.batch_size,
    )


def _campaign(plan: Plan, layout: Layout, first: int, now: datetime) -> dict[str, Any]:
    """The campaign's row, without its id."""
    money_array([layout.most_money])  # so that every frame can hold it
    return {
        "token": plan.token,
        "name": plan.name,
        "state": "draft",
        "source": plan.source,
        "sender": plan.sent.sender,
        "shorten_links": plan.sent.shorten_links,
        "tracking": plan.sent.tracking,
        "price_per_credit": layout.only_price,
        "currency": plan.currency,
        "first_message": first,
        "last_message": first + len(layout.messages) - 1,
        "created_at": now,
        "scheduled_at": plan.scheduled_at,
        "service": plan.service,
        "fingerprint": plan.fingerprint,
        "audience": plan.audience,
    }


def _next_message(connection: Connection) -> int:
    last = select(func.coalesce(func.max(schema.campaign.c.last_message), 0))
    return int(connection.execute(last).scalar_one()) + 1


def of_campaign(name: str, chosen: pd.DataFrame) -> SentWith:
    """What is sent with a campaign's messages, checked to be written for it.

    Raises:
        CampaignError: They were written, and so priced and split into variants, for another campaign.
    """
    sent = sent_with(chosen)
    for text in sent.texts:
        is_its_own = text.campaign == name
        if not is_its_own and not (text.variant and text.campaign.startswith(f"{name} ")):
            raise CampaignError(
                _(
                    "The messages were written for a campaign with another name. Give create_campaign "
                    "the name that write_messages was given."
                )
            )
    return sent


def _texts(campaign_id: str, sent: SentWith) -> list[dict[str, Any]]:
    """The texts that the messages were written from, by variant."""
    return [
        {
            "campaign_id": campaign_id,
            "variant": text.variant,
            "name": text.campaign,
            "tracking": text.tracking,
            "template": text.template,
            "template_version": parse_template(text.template).version,
        }
        for text in sent.texts
    ]
