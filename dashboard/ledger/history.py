"""What earlier campaigns say about a new one: who was texted, with what, and how the service counts links."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime
from typing import Any

import pandas as pd
from sqlalchemy import Connection, Row, func, or_, select

from dashboard.campaigns.sent_with import SentText
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import MAY_HAVE_BEEN_SENT
from dashboard.ledger.database.within import within_batch
from dashboard.ledger.database.writing import chunks, insert_new
from dashboard.ledger.frames.typed import frame

_FINGERPRINTS = "fingerprints"
_SECRET_BYTES = 32
_CAMPAIGNS_TO_LEARN_FROM = 5
_MESSAGES_TO_LEARN_FROM = 1_000
_MESSAGES_LOOKED_AT = 20_000


def fingerprint_key(connection: Connection) -> bytes:
    """This ledger's secret for `content_fingerprint`, made on first use, in a write transaction."""
    value = secrets.token_bytes(_SECRET_BYTES)
    insert_new(connection, schema.secret, [{"name": _FINGERPRINTS, "value": value}])
    query = select(schema.secret.c.value).where(schema.secret.c.name == _FINGERPRINTS)
    return bytes(connection.execute(query).scalar_one())


def known_key(connection: Connection) -> bytes | None:
    """The same if it already exists, otherwise None; makes nothing."""
    query = select(schema.secret.c.value).where(schema.secret.c.name == _FINGERPRINTS)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else bytes(value)


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
    connection: Connection, since: datetime, *, campaigns: Collection[str] | None = None
) -> pd.DataFrame:
    """Who was texted since then, or will be, and when, by all campaigns or these; see `cap_frequency`."""
    batch, campaign = schema.batch, schema.campaign
    message, within = within_batch(connection, schema.message.c.id)
    at = func.coalesce(
        message.c.scheduled_at, batch.c.claimed_at, campaign.c.scheduled_at, campaign.c.created_at
    )
    query = (
        select(message.c.to, in_microseconds(at))
        .select_from(campaign)
        .join(batch, batch.c.campaign_id == campaign.c.id)
        .join(message, within)
        .where(message.c.to != "", batch.c.state.in_(MAY_HAVE_BEEN_SENT))
        .where(in_microseconds(at) >= microseconds(since))
    )
    if campaigns is None:
        return frame("Ledger.texts_since(...)", connection.execute(query))
    parts = (connection.execute(query.where(campaign.c.id.in_(part))) for part in chunks(campaigns))
    return frame("Ledger.texts_since(...)", [row for part in parts for row in part])


def campaigns_besides(connection: Connection, token: str | None) -> set[str]:
    """The ids of all campaigns but the one that this token made."""
    campaign = schema.campaign.c
    others = select(campaign.id).where(or_(campaign.token.is_(None), campaign.token != (token or "")))
    return set(connection.execute(others).scalars())


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
