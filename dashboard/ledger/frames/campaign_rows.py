"""What the ledger says about campaigns, as plain values: a look at one is taken several times a second."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, case, func, select

from dashboard.contacts.schema import Column
from dashboard.ledger.campaign import Campaign
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import EPOCH, in_microseconds
from dashboard.ledger.database.states import MESSAGE_STATES
from dashboard.ledger.frames.bills import billed
from dashboard.ledger.frames.declared import SCHEMAS, UTC_TIME
from dashboard.ledger.frames.left_out import estimate

_COLUMNS = SCHEMAS["Ledger.campaigns()"]


def campaign_rows(connection: Connection, campaign_id: str | None = None) -> list[Sequence[Any]]:
    """The columns of `Ledger.campaigns()` per campaign, or of one; times in microseconds since 1970."""
    table = schema.campaign
    sums = _sums(campaign_id)
    query = select(
        table.c.id.label("campaign"),
        table.c.name,
        table.c.state,
        table.c.reason,
        (table.c.last_message - table.c.first_message + 1).label("recipients"),
        *(
            func.coalesce(sums.c[name], 0).label(name)
            for name in (*MESSAGE_STATES, "sent", "delivered", "failed")
        ),
        table.c.credits_low,
        table.c.credits_high,
        sums.c.credits_billed,
        table.c.price_per_credit,
        table.c.cost_low,
        table.c.cost_high,
        table.c.currency,
        table.c.source,
        *(
            in_microseconds(table.c[name])
            for name in ("created_at", "scheduled_at", "started_at", "finished_at")
        ),
        *(table.c[name] for name in ("sender", "shorten_links", "service")),
        in_microseconds(table.c.forgotten_at),
    ).join(sums, sums.c.campaign_id == table.c.id)
    if campaign_id is not None:
        query = query.where(table.c.id == campaign_id)
    order = (table.c.created_at.desc(), table.c.first_message.desc())
    found = connection.execute(query.order_by(*order)).mappings().all()
    return [_completed(connection, row) for row in found]


def read_campaign(connection: Connection, campaign_id: str) -> Campaign:
    """One that there is, without a frame in between."""
    (row,) = campaign_rows(connection, campaign_id)
    return Campaign(
        **{column.name: _value(column, value) for column, value in zip(_COLUMNS, row, strict=True)}
    )


def _value(column: Column, stored: Any) -> Any:
    if stored is None:
        return None
    if column.dtype == UTC_TIME:
        return EPOCH + timedelta(microseconds=stored)
    return int(stored) if column.dtype == "Int64" else stored


def _completed(connection: Connection, row: RowMapping) -> Sequence[Any]:
    money, without_price = billed(connection, row)
    bill = {"cost_billed": money, "credits_without_price": without_price}
    values = {**row, **bill, **estimate(connection, row)}
    return [values[column.name] for column in _COLUMNS]


def _sums(campaign_id: str | None) -> Any:
    """Per campaign, or for one: messages by state, and what the service said about them.

    A message has its batch's state unless it has one of its own, which the batch counts in `accepted` and
    `dropped`. The batches are added up by state first: there are many of them and few states.
    """
    table, others = schema.batch, ("sent", "delivered", "failed", "credits_billed")
    of_state = (
        select(
            *(table.c.campaign_id, table.c.state),
            *(func.sum(table.c[name]).label(name) for name in ("messages", "accepted", "dropped", *others)),
        )
        .where(
            table.c.state != "split", *([] if campaign_id is None else [table.c.campaign_id == campaign_id])
        )
        .group_by(table.c.campaign_id, table.c.state)
        .subquery()
        .c
    )
    following = of_state.messages - of_state.accepted - of_state.dropped
    by_state: dict[str, ColumnElement[Any]] = {
        state: func.sum(case((of_state.state == state, following), else_=0)) for state in MESSAGE_STATES
    }
    for own in ("accepted", "dropped"):
        by_state[own] = by_state[own].op("+")(func.sum(of_state[own]))
    return (
        select(
            of_state.campaign_id,
            *(total.label(state) for state, total in by_state.items()),
            *(func.sum(of_state[name]).label(name) for name in others),
        )
        .group_by(of_state.campaign_id)
        .subquery()
    )
