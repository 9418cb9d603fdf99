"""The text that each opt-out came after: the last one that may have reached the person before."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, case, func, select, type_coerce

from dashboard.contacts.renumberings import every_spelling
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.database.states import HANDED_OVER
from dashboard.ledger.database.writing import chunks
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
    A text to another spelling of the number counts as well.
    """
    query = (
        select(
            *(_message.to, _message.id, _campaign.id, _campaign.name, _message.variant, _text.template),
            _texted_at(),
        )
        .select_from(schema.message)
        .join(schema.batch, _batch.id == batch_of_message())
        .join(schema.campaign, _campaign.id == _batch.campaign_id)
        .outerjoin(
            schema.campaign_text,
            (_text.campaign_id == _campaign.id) & (_text.variant == func.coalesce(_message.variant, "")),
        )
        .outerjoin(schema.result, _result.message_id == _message.id)
        .where(_texted_at().is_not(None))
        .where(_result.failure_reason.is_(None) | _result.delivered_at.is_not(None))
    )
    listed = _listed(connection)
    theirs = defaultdict(list)
    for phone, spelling in every_spelling(listed):
        theirs[spelling].append(listed[phone])
    on_list = select(_opt_out.phone).where(_opt_out.removed_at.is_(None))
    whose: list[Any] = [on_list, *chunks(theirs.keys() - listed.keys())]
    parts = [connection.execute(query.where(_message.to.in_(some))).all() for some in whose]
    before: dict[int, tuple[Any, ...]] = {}
    for to, _id, *text in sorted(chain(*parts), key=lambda row: (row[-1], row[1])):
        before.update((opt_out, tuple(text)) for opt_out, added in theirs[to] if text[-1] <= added)
    return before


def _listed(connection: Connection) -> dict[str, tuple[int, int]]:
    """Who is on the list: the id of the opt-out and since when, by phone."""
    query = select(_opt_out.phone, _opt_out.id, in_microseconds(_opt_out.added_at))
    rows = connection.execute(query.where(_opt_out.removed_at.is_(None)))
    return {phone: (opt_out, added) for phone, opt_out, added in rows}


def _texted_at() -> ColumnElement[Any]:
    """When a message went to its person, in microseconds; missing if it did not."""
    of_batch = case((_batch.state.in_(HANDED_OVER), in_microseconds(_batch.claimed_at)))
    handed = case((_result.message_id.is_(None), of_batch), else_=in_microseconds(_result.handed_over_at))
    scheduled = in_microseconds(func.coalesce(_result.scheduled_at, _message.scheduled_at))
    later = case((scheduled > handed, scheduled), else_=handed)
    return type_coerce(func.coalesce(in_microseconds(_result.sent_at), later), BigInteger)
