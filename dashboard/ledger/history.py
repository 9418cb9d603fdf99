"""What earlier campaigns say about a new one: who was texted, with what, and how the service counts links."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import pandas as pd
from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    case,
    func,
    literal,
    select,
)

from dashboard.campaigns.sent_with import SentText
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import MAY_HAVE_BEEN_SENT
from dashboard.ledger.database.within import within_batch
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.frames.typed import frame

_CAMPAIGNS_TO_LEARN_FROM = 5
_MESSAGES_TO_LEARN_FROM = 1_000
_MESSAGES_LOOKED_AT = 20_000


def texts(connection: Connection) -> pd.DataFrame:
    """The templates of all campaigns, the newest first; each version once."""
    table, campaign = schema.campaign_text, schema.campaign
    newest = (
        select(table.c.template_version, func.max(campaign.c.first_message).label("first_message"))
        .join(campaign, campaign.c.id == table.c.campaign_id)
        .group_by(table.c.template_version)
        .subquery()
    )
    query = (
        select(
            *(campaign.c.id, campaign.c.name, table.c.variant, table.c.template, table.c.template_version),
            in_microseconds(campaign.c.created_at),
        )
        .join(campaign, campaign.c.id == table.c.campaign_id)
        .join(
            newest,
            (newest.c.template_version == table.c.template_version)
            & (newest.c.first_message == campaign.c.first_message),
        )
        .order_by(campaign.c.first_message.desc(), table.c.variant)
    )
    return frame("Ledger.texts()", connection.execute(query))


def sent_texts(connection: Connection, campaign_id: str) -> tuple[SentText, ...]:
    """A campaign's own texts, by variant."""
    table = schema.campaign_text.c
    query = select(table.variant, table.name, table.tracking, table.template).order_by(table.variant)
    return tuple(SentText(*row) for row in connection.execute(query.where(table.campaign_id == campaign_id)))


def texts_since(
    connection: Connection, since: datetime, now: datetime, *, campaigns: Collection[str] | None = None
) -> pd.DataFrame:
    """Who was texted since then, or will be, and when, by all campaigns or these; see `cap_frequency`.

    What is ready goes out when it is due, or from now on if that has passed, however old its campaign is.
    """
    since_us = microseconds(since)
    queries = [
        query.where(message.c.to != "", at >= since_us)
        for query, message, at in (_may_have_it(connection, now), _have_it(connection))
    ]
    if campaigns is not None:
        queries = [
            query.where(schema.campaign.c.id.in_(part)) for query in queries for part in chunks(campaigns)
        ]
    rows = [row for query in queries for row in connection.execute(query)]
    return frame("Ledger.texts_since(...)", rows)


def _may_have_it(connection: Connection, now: datetime) -> tuple[Select[Any], FromClause, ColumnElement[int]]:
    """Everybody in batches that reached people, may have reached them, or will."""
    batch, campaign = schema.batch.c, schema.campaign.c
    message, within = within_batch(connection, schema.message.c.id)
    starts_at = case((campaign.started_at.is_(None), campaign.scheduled_at))
    due = func.coalesce(batch.due_at, message.c.scheduled_at, starts_at, campaign.created_at)
    handed_over = func.coalesce(batch.claimed_at, campaign.created_at)
    at = case(
        (batch.state == "ready", _later(due, literal(microseconds(now)))),
        else_=_later(message.c.scheduled_at, handed_over),
    )
    query = select(message.c.to, at).select_from(schema.campaign).join(schema.batch).join(message, within)
    return query.where(batch.state.in_(MAY_HAVE_BEEN_SENT)), message, at


def _have_it(connection: Connection) -> tuple[Select[Any], FromClause, ColumnElement[int]]:
    """Who was accepted in batches of which the rest was refused or cancelled."""
    batch, campaign, message = schema.batch.c, schema.campaign.c, schema.message
    result, within = within_batch(connection, schema.result.c.message_id)
    handed_over = func.coalesce(result.c.handed_over_at, batch.claimed_at, campaign.created_at)
    at = _later(message.c.scheduled_at, handed_over)
    query = (
        select(message.c.to, at)
        .select_from(schema.campaign)
        .join(schema.batch)
        .join(result, within)
        .join(message, message.c.id == result.c.message_id)
        .where(batch.state.not_in([*MAY_HAVE_BEEN_SENT, "split"]), batch.accepted > 0)
        .where(result.c.state == "accepted")
    )
    return query, message, at


def _later(one: ColumnElement[Any], other: ColumnElement[Any]) -> ColumnElement[int]:
    """The later of two times, in microseconds; the other where there is no first."""
    first, second = in_microseconds(one), in_microseconds(other)
    return case((first > second, first), else_=second)


def forgotten_since(connection: Connection, since: datetime, campaigns: Collection[str] | None = None) -> int:
    """How many campaigns, all or of these, ended since then and were forgotten."""
    campaign = schema.campaign.c
    query = select(campaign.id).where(campaign.forgotten_at.is_not(None), campaign.finished_at >= since)
    found = set(connection.execute(query).scalars())
    return len(found if campaigns is None else found.intersection(campaigns))


def made_with(connection: Connection, token: str) -> str | None:
    """The campaign that this token made, whatever became of it."""
    campaign = schema.campaign.c
    return connection.scalar(select(campaign.id).where(campaign.token == token))


def waiting_times(connection: Connection) -> dict[str, datetime | None]:
    """All campaigns, by id: when each that waits starts by itself."""
    campaign = schema.campaign.c
    waits_until = case((campaign.started_at.is_(None), campaign.scheduled_at))
    query = select(campaign.id, waits_until.label("waits_until"))
    return {row.id: row.waits_until for row in connection.execute(query)}


def ready_of(connection: Connection, campaign_id: str) -> pd.DataFrame:
    """Who waits in a campaign, and for which times of their own: to and scheduled_at, as in MESSAGES."""
    batch = schema.batch.c
    message, within = within_batch(connection, schema.message.c.id)
    query = (
        select(message.c.to, in_microseconds(message.c.scheduled_at))
        .select_from(schema.batch)
        .join(message, within)
        .outerjoin(schema.result, schema.result.c.message_id == message.c.id)
        .where(batch.campaign_id == campaign_id, batch.state == "ready")
        .where(schema.result.c.message_id.is_(None))
    )
    rows = connection.execute(query).all()
    times = pd.array([at for _to, at in rows], "Int64")
    return pd.DataFrame(
        {
            "to": pd.Series([to for to, _at in rows], dtype="str"),
            "scheduled_at": pd.to_datetime(pd.Series(times), unit="us", utc=True),
        }
    )


def answers_about_links(connection: Connection, service: str) -> pd.DataFrame:
    """Some messages with links that this service answered, for `learn_link_length`."""
    message, result, campaign = schema.message, schema.result, schema.campaign
    query = (
        select(campaign.c.first_message)
        .where(campaign.c.service == service, campaign.c.shorten_links, campaign.c.started_at.is_not(None))
        .order_by(campaign.c.first_message.desc())
        .limit(_CAMPAIGNS_TO_LEARN_FROM)
    )
    rows: list[Row[Any, Any, Any]] = []
    for first in connection.execute(query).scalars().all():
        some = (
            select(message.c.body, result.c.body, result.c.credits_used)
            .join(result, result.c.message_id == message.c.id)
            .where(message.c.id.between(first, first + _MESSAGES_LOOKED_AT))
            .where(message.c.body.ilike("%http%"), result.c.state == "accepted")
            .limit(_MESSAGES_TO_LEARN_FROM)
        )
        rows += connection.execute(some).all()
    return frame("Ledger.answers_about_links(...)", rows)
