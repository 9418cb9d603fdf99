"""The text that each opt-out came after: the last one that may have reached the person before."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, case, func, select, type_coerce

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.database.states import HANDED_OVER
from dashboard.ledger.evidence.reports import batch_of_message

_message, _result, _batch, _opt_out = (
    table.c for table in (schema.message, schema.result, schema.batch, schema.opt_out)
)
_campaign, _text = schema.campaign.c, schema.campaign_text.c

NOTHING = (None,) * 5
"""For a person of whom no text is known."""


def texts_before(connection: Connection) -> dict[int, tuple[Any, ...]]:
    """By the id of the opt-out: campaign, its name, the variant, its template and when it was sent.

    A text that failed is none that a person answers to, and one that waits for its time has not come yet.
    The service says when it sent a message; where it has not, the time it was handed over counts.
    """
    query = (
        select(
            *(_opt_out.id, _campaign.id, _campaign.name, _message.variant, _text.template),
            _texted_at().label("texted_at"),
        )
        .select_from(schema.opt_out)
        .join(schema.message, _message.to == _opt_out.phone)
        .join(schema.batch, _batch.id == batch_of_message())
        .join(schema.campaign, _campaign.id == _batch.campaign_id)
        .outerjoin(
            schema.campaign_text,
            (_text.campaign_id == _campaign.id) & (_text.variant == func.coalesce(_message.variant, "")),
        )
        .outerjoin(schema.result, _result.message_id == _message.id)
        .where(_texted_at() <= in_microseconds(_opt_out.added_at))
        .where(_result.failure_reason.is_(None) | _result.delivered_at.is_not(None))
        .order_by("texted_at", _message.id)
    )
    return {row[0]: tuple(row[1:]) for row in connection.execute(query)}


def _texted_at() -> ColumnElement[Any]:
    """When a message went to its person, in microseconds; missing if it did not."""
    of_batch = case((_batch.state.in_(HANDED_OVER), in_microseconds(_batch.claimed_at)))
    handed = case((_result.message_id.is_(None), of_batch), else_=in_microseconds(_result.handed_over_at))
    scheduled = in_microseconds(func.coalesce(_result.scheduled_at, _message.scheduled_at))
    later = case((scheduled > handed, scheduled), else_=handed)
    return type_coerce(func.coalesce(in_microseconds(_result.sent_at), later), BigInteger)
