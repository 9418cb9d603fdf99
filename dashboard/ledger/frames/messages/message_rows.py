"""Messages, and every status reported for them, as tables: of one campaign or of all, part by part.

A message has its batch's state unless it has its own. What its batch contributes is added to the rows here
rather than joined in SQL, because it is the same for all messages of a batch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    String,
    and_,
    case,
    cast,
    func,
    or_,
    select,
    type_coerce,
)

from dashboard.campaigns.cost.money import MONEY
from dashboard.contacts.renumberings import spellings
from dashboard.errors import LedgerError
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import HANDED_OVER, MESSAGE_STATES
from dashboard.ledger.database.writing import NAMED_AT_ONCE
from dashboard.ledger.evidence.reading import STAGES
from dashboard.ledger.evidence.reports import batch_of_message
from dashboard.ledger.frames.arrow.tables import ROWS_AT_ONCE, arrow_schema, read_parts
from dashboard.ledger.frames.declared import SCHEMAS
from dashboard.ledger.frames.messages.of_batch import (
    OWN,
    OWN_CAUSE,
    OWN_TIME,
    STATE_CODES,
    places_of,
    with_batches,
    word,
)
from dashboard.ledger.tallies.tables import QUARTER, cell, tally
from dashboard.reports import stages
from dashboard.words import _

MESSAGES, EVENTS = "Ledger.messages(...)", "Ledger.events(...)"

_message, _result, _event, _batch, _campaign = (
    table.c for table in (schema.message, schema.result, schema.event, schema.batch, schema.campaign)
)
_WHEN = "handed_over_at"
_LAST = 2**63 - 1

_STORED: dict[str, ColumnElement[Any]] = {
    **{name: _message[name] for name in ("uuid", "row", "to", "body", "credits_low", "credits_high")},
    **{name: _message[name] for name in ("country", "line_type", "variant")},
    **{name: _result[name] for name in ("status", "failure_reason", "contact_uuid", "extra")},
    **{name: _result[name] for name in ("created_at", "sent_at", "delivered_at")},
    "credits_billed": _result.credits_used,
    "scheduled_at": func.coalesce(_result.scheduled_at, _message.scheduled_at),
    "echoed": cast(_result.echoed, Integer),
    "sent_body": _result.body,
    "failed_at": _result.failed_at,
}
"""The columns in a message's own rows; the other columns are its batch's."""

_EITHER: dict[str, tuple[str, ColumnElement[Any]]] = {
    _WHEN: (OWN_TIME, in_microseconds(_result.handed_over_at)),
    "cause": (OWN_CAUSE, _result.cause),
}
"""Columns that are a message's own if it has a state of its own, or else its batch's."""

_MADE_OF = {
    "stage": ("state", "scheduled_at", "sent_at", "failure_reason", "delivered_at"),
    "cost_billed": ("price_per_credit", "credits_billed"),
}
"""Columns that follow from others."""

_SAID: dict[str, ColumnElement[Any]] = {
    "uuid": _message.uuid,
    "stage": case(dict(enumerate(STAGES)), value=_event.stage),
    "at": func.nullif(in_microseconds(_event.at), 0),
    "status": func.nullif(_event.status, ""),
    "failure_reason": func.nullif(_event.failure_reason, ""),
    "source": _event.source,
    "recorded_at": _event.recorded_at,
}


@dataclass(frozen=True)
class Chosen:
    """Which messages are read.

    Attributes:
        campaign: Of this one; of all if absent.
        states: In one of these; in any if absent.
        handed_over: To the service, from the first of these times until before the second, in microseconds
            since 1970; at any time or never if absent. See `span`.
        phone: To this number, in E.164; to any if absent.
    """

    campaign: str | None = None
    states: Collection[str] | None = None
    handed_over: tuple[int, int] | None = None
    phone: str | None = None


def span(since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """The times from `since` until before `until`, for `Chosen`; None if neither limits them."""
    if since is None and until is None:
        return None
    first = 1 if since is None else max(1, microseconds(since))  # 0 stands for never
    return first, _LAST if until is None else microseconds(until)


def message_parts(
    connection: Connection, chosen: Chosen, columns: Sequence[str] | None = None, *, now: datetime
) -> Iterator[pa.Table]:
    """Messages in the order of sending, an empty table first.

    The columns are in the order given, all if absent. The time decides what is still scheduled.

    Raises:
        LedgerError: The ledger has no such column or state.
    """
    declared = {column.name: column for column in SCHEMAS[MESSAGES]}
    names = only_known(declared if columns is None else columns, declared, "column")
    states = only_known(MESSAGE_STATES if chosen.states is None else chosen.states, STATE_CODES, "state")
    whole = arrow_schema(declared[name] for name in names)
    needed = {*names, *(name for made in _MADE_OF if made in names for name in _MADE_OF[made])}
    stored = [declared[name] for name in _STORED if name in needed]
    either = [_EITHER[name] for name in _EITHER if name in names or (name == _WHEN and chosen.handed_over)]
    numbers = [(name, pa.int64()) for name in ("id", OWN, *(name for name, _column in either))]
    inner = pa.schema([*numbers, *arrow_schema(stored)])
    own = (case(STATE_CODES, value=_result.state), *(column for _name, column in either))
    query = select(_message.id, *own, *(_raw(_STORED[column.name], column.name) for column in stored))
    query = query.select_from(schema.message).outerjoin(schema.result, _result.message_id == _message.id)
    places = None if chosen.phone is None else _places_of(connection, chosen.phone)
    batches = _batches(connection, chosen, states, places)
    ranges = _ranges(batches) if places is None else [(place, place) for place in places]
    parts = read_parts(connection, (query.where(_message.id.between(*ends)) for ends in ranges), inner)
    yield whole.empty_table()
    for part in parts:
        found = _of_states(with_batches(_ordered(part, "id"), batches), states)
        found = _of_times(found, chosen.handed_over) if chosen.handed_over else found
        yield _with_made(found, names, now).select(names).cast(whole)


def _with_made(part: pa.Table, names: Sequence[str], now: datetime) -> pa.Table:
    """The rows with those columns that follow from others."""
    if "cost_billed" in names:
        billed = pc.multiply(part["price_per_credit"], part["credits_billed"])
        part = part.append_column("cost_billed", billed.cast(MONEY))
    if "stage" in names:
        stage = stages(part.select(_MADE_OF["stage"]).to_pandas(), now=now)
        part = part.append_column("stage", pa.array(stage.cat.as_unordered()))
    return part


def event_parts(
    connection: Connection, chosen: Chosen, stages: Collection[str] | None = None
) -> Iterator[pa.Table]:
    """What was said about messages, message by message and in the order in which it was heard.

    Raises:
        LedgerError: The ledger has no such stage.
    """
    wanted = [
        STAGES.index(stage) for stage in only_known(STAGES if stages is None else stages, STAGES, "stage")
    ]
    whole = arrow_schema(SCHEMAS[EVENTS])
    inner = pa.schema([("id", pa.int64()), ("how_far", pa.int64()), *(whole.field(name) for name in _SAID)])
    query = (
        select(_message.id, _event.stage, *(_raw(expression, name) for name, expression in _SAID.items()))
        .select_from(schema.message)
        .join(schema.event, _event.message_id == _message.id)
    )
    if chosen.handed_over:
        of_message = _result.message_id == _message.id
        is_within = within(in_microseconds(_result.handed_over_at), chosen.handed_over)
        query = query.join(schema.result, of_message).where(is_within)
    if len(wanted) < len(STAGES):
        query = query.where(_event.stage.in_(wanted))
    batches = _batches(connection, chosen, MESSAGE_STATES)
    ranges = _ranges(batches)
    parts = read_parts(connection, (query.where(_message.id.between(*ends)) for ends in ranges), inner)
    yield whole.empty_table()
    for unordered in parts:
        part = _ordered(unordered, "id", "recorded_at", "how_far", "at", "status")
        campaign = word(batches, "campaign", places_of(part, batches))
        yield part.append_column("campaign", campaign).select(whole.names).cast(whole)


def only_known(given: Collection[str], known: Collection[str], what: str) -> list[str]:
    """What was asked for, each once."""
    names = list(dict.fromkeys(given))
    strange = [name for name in names if name not in known]
    if strange:
        raise LedgerError(
            _("There is no {what} {strange}. Choose from {known}.").format(
                what=what, strange=repr(strange[0]), known=", ".join(known)
            )
        )
    return names


def _batches(
    connection: Connection, chosen: Chosen, states: Collection[str], places: Sequence[int] | None = None
) -> pd.DataFrame:
    """The batches that may hold what was chosen, or these messages, in the order of their messages."""
    price = type_coerce(func.coalesce(_campaign.price_per_credit, _batch.price_per_credit), String)
    left_at = case((_batch.state.in_(HANDED_OVER), in_microseconds(_batch.claimed_at)))
    query = select(
        *(_batch.campaign_id.label("campaign"), _campaign.name.label("campaign_name"), _campaign.currency),
        *(_batch.state, _batch.id.label("batch"), _batch.attempt, price.label("price_per_credit")),
        *(left_at.label(_WHEN), _batch.first_message.label("first"), _batch.last_message.label("last")),
    ).join(schema.campaign, _campaign.id == _batch.campaign_id)
    own = [_batch[state] > 0 for state in ("accepted", "dropped") if state in states]
    query = query.where(_batch.state != "split", or_(_batch.state.in_(states), *own))
    if chosen.campaign is not None:
        query = query.where(_batch.campaign_id == chosen.campaign)
    if places is not None and len(places) <= NAMED_AT_ONCE:
        query = query.where(_batch.id.in_(select(batch_of_message()).where(_message.id.in_(places))))
    if chosen.handed_over:
        claimed = within(in_microseconds(_batch.claimed_at), chosen.handed_over)
        query = query.where(or_(claimed, _has_some(chosen.handed_over)))
    rows = connection.execute(query.order_by(_batch.first_message))
    return pd.DataFrame(list(map(tuple, rows)), columns=list(rows.keys()))


def _places_of(connection: Connection, phone: str) -> Sequence[int]:
    """The messages to a number, in any spelling; not for COPY, where it would stand in the statement."""
    to_them = _message.to.in_(spellings(phone))
    found = connection.execute(select(_message.id).where(to_them).order_by(_message.id))
    return found.scalars().all()


def within(at: ColumnElement[int], span: tuple[int, int]) -> ColumnElement[bool]:
    """Whether a time is within what was chosen, as stored: in COPY values stand in the statement."""
    return and_(at >= span[0], at < span[1])


def _has_some(span: tuple[int, int]) -> ColumnElement[bool]:
    """Whether messages of a batch may have been handed over then, perhaps before its last claim."""
    quarters = within(tally.c.handed_over, (max(1, span[0] - QUARTER + 1), span[1]))
    campaigns = select(cell.c.campaign_id).join(tally, tally.c.cell_id == cell.c.id).where(quarters)
    return (_batch.accepted > 0) & _batch.campaign_id.in_(campaigns)


def _ranges(batches: pd.DataFrame) -> Iterable[tuple[int, int]]:
    """First and last message of gapless runs of batches, `ROWS_AT_ONCE` messages long or a single batch."""
    first = last = None
    for start, end in zip(batches["first"].tolist(), batches["last"].tolist(), strict=True):
        if first is None or last is None:
            first = start
        elif start != last + 1 or end - first >= ROWS_AT_ONCE:
            yield first, last
            first = start
        last = end
    if first is not None and last is not None:
        yield first, last


def _of_states(part: pa.Table, states: Collection[str]) -> pa.Table:
    if len(states) == len(MESSAGE_STATES):
        return part
    codes = part["state"].combine_chunks().indices.to_numpy()
    return part.filter(pa.array(np.isin(codes, [STATE_CODES[state] for state in states])))


def _of_times(part: pa.Table, span: tuple[int, int]) -> pa.Table:
    """Those that were handed over within a span of time."""
    at = part[_WHEN].cast(pa.int64())
    return part.filter(pc.and_(pc.greater_equal(at, span[0]), pc.less(at, span[1])))


def _ordered(part: pa.Table, *names: str) -> pa.Table:
    """The rows in the order of these columns, which a database does not guarantee when it aggregates."""
    ids = part["id"].to_numpy()
    if len(names) == 1 and bool((ids[1:] > ids[:-1]).all()):
        return part
    return part.sort_by([(name, "ascending") for name in names])


def _raw(expression: ColumnElement[Any], name: str) -> ColumnElement[Any]:
    """As stored: a time as microseconds."""
    is_time = name.endswith("_at")
    return (in_microseconds(expression) if is_time else expression).label(name)
