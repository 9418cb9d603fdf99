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
from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    String,
    case,
    cast,
    func,
    or_,
    select,
    type_coerce,
)

from dashboard.errors import LedgerError
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.database.states import MESSAGE_STATES
from dashboard.ledger.evidence.events import STAGES
from dashboard.ledger.frames.arrow import ROWS_AT_ONCE, arrow_schema, read_parts
from dashboard.ledger.frames.declared import SCHEMAS
from dashboard.words import _

MESSAGES, EVENTS = "Ledger.messages(...)", "Ledger.events(...)"

_message, _result, _event, _batch, _campaign = (
    table.c for table in (schema.message, schema.result, schema.event, schema.batch, schema.campaign)
)
Places = np.ndarray[Any, np.dtype[np.intp]]
"""Which batch each row belongs to, as its place among the batches."""

_OWN = "own"
_STATE_CODES: dict[str, int] = {state: code for code, state in enumerate(MESSAGE_STATES)}

_STORED: dict[str, ColumnElement[Any]] = {
    **{name: _message[name] for name in ("uuid", "row", "to", "body", "credits_low", "credits_high")},
    **{name: _message[name] for name in ("country", "line_type", "variant")},
    **{name: _result[name] for name in ("status", "failure_reason", "contact_uuid", "extra")},
    **{name: _result[name] for name in ("created_at", "sent_at", "delivered_at")},
    "credits_billed": _result.credits_used,
    "scheduled_at": func.coalesce(_result.scheduled_at, _message.scheduled_at),
    "echoed": cast(_result.echoed, Integer),
    "sent_body": _result.body,
}
"""The columns in a message's own rows; the other columns are its batch's."""

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
        since: Handed over to the service at or after this time.
        until: Handed over before this time.
    """

    campaign: str | None = None
    states: Collection[str] | None = None
    since: datetime | None = None
    until: datetime | None = None


def message_parts(
    connection: Connection, chosen: Chosen, columns: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """Messages in the order of sending, an empty table first.

    Raises:
        LedgerError: The ledger has no such column or state.
    """
    declared = {column.name: column for column in SCHEMAS[MESSAGES]}
    names = _known(list(columns or declared), declared, "column")
    states = _known(list(chosen.states or MESSAGE_STATES), _STATE_CODES, "state")
    whole = arrow_schema(declared[name] for name in names)
    stored = [declared[name] for name in names if name in _STORED]
    inner = pa.schema([("id", pa.int64()), (_OWN, pa.int64()), *arrow_schema(stored)])
    own = case(_STATE_CODES, value=_result.state)
    query = select(_message.id, own, *(_raw(_STORED[column.name], column.name) for column in stored))
    query = query.select_from(schema.message).outerjoin(schema.result, _result.message_id == _message.id)
    batches = _batches(connection, chosen, states)
    ranges = _ranges(batches)
    parts = read_parts(connection, (query.where(_message.id.between(*ends)) for ends in ranges), inner)
    yield whole.empty_table()
    for part in parts:
        yield _of_states(_with_batches(_ordered(part, "id"), batches), states).select(names).cast(whole)


def event_parts(
    connection: Connection, chosen: Chosen, stages: Collection[str] | None = None
) -> Iterator[pa.Table]:
    """What was said about messages, message by message and in the order in which it was heard.

    Raises:
        LedgerError: The ledger has no such stage.
    """
    wanted = [STAGES.index(stage) for stage in _known(list(stages or STAGES), STAGES, "stage")]
    whole = arrow_schema(SCHEMAS[EVENTS])
    inner = pa.schema([("id", pa.int64()), ("how_far", pa.int64()), *(whole.field(name) for name in _SAID)])
    query = (
        select(_message.id, _event.stage, *(_raw(expression, name) for name, expression in _SAID.items()))
        .select_from(schema.message)
        .join(schema.event, _event.message_id == _message.id)
    )
    if len(wanted) < len(STAGES):
        query = query.where(_event.stage.in_(wanted))
    batches = _batches(connection, chosen, MESSAGE_STATES)
    ranges = _ranges(batches)
    parts = read_parts(connection, (query.where(_message.id.between(*ends)) for ends in ranges), inner)
    yield whole.empty_table()
    for unordered in parts:
        part = _ordered(unordered, "id", "recorded_at", "how_far", "at", "status")
        campaign = _word(batches, "campaign", _places(part, batches))
        yield part.append_column("campaign", campaign).select(whole.names).cast(whole)


def _known(names: list[str], known: Collection[str], what: str) -> list[str]:
    strange = [name for name in names if name not in known]
    if strange:
        raise LedgerError(
            _("There is no {what} {strange}. Choose from {known}.").format(
                what=what, strange=repr(strange[0]), known=", ".join(known)
            )
        )
    return names


def _batches(connection: Connection, chosen: Chosen, states: Collection[str]) -> pd.DataFrame:
    """The batches that may hold what was chosen, in the order of their messages."""
    names = ("campaign", "state", "batch", "attempt", "price_per_credit", "handed_over_at", "first", "last")
    columns = (_batch.campaign_id, _batch.state, _batch.id, _batch.attempt)
    price = type_coerce(func.coalesce(_campaign.price_per_credit, _batch.price_per_credit), String)
    ends = (_batch.first_message, _batch.last_message)
    query = select(*columns, price, in_microseconds(_batch.claimed_at), *ends)
    query = query.join(schema.campaign, _campaign.id == _batch.campaign_id)
    own = [_batch[state] > 0 for state in ("accepted", "dropped") if state in states]
    query = query.where(_batch.state != "split", or_(_batch.state.in_(states), *own))
    if chosen.campaign is not None:
        query = query.where(_batch.campaign_id == chosen.campaign)
    if chosen.since is not None:
        query = query.where(_batch.claimed_at >= chosen.since)
    if chosen.until is not None:
        query = query.where(_batch.claimed_at < chosen.until)
    rows = connection.execute(query.order_by(_batch.first_message))
    return pd.DataFrame(list(map(tuple, rows)), columns=list(names))


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


def _with_batches(part: pa.Table, batches: pd.DataFrame) -> pa.Table:
    """The rows with what their batches contribute."""
    places = _places(part, batches)
    own = part[_OWN].fill_null(-1).to_numpy()
    of_batch = batches["state"].map(_STATE_CODES).to_numpy(np.int64)[places]
    codes = pa.array(np.where(own < 0, of_batch, own), pa.int32())
    handed_over = pa.array(batches["handed_over_at"].astype("Int64").iloc[places], pa.int64())
    given = {
        "state": pa.DictionaryArray.from_arrays(codes, pa.array(MESSAGE_STATES)),
        "batch": pa.array(batches["batch"].to_numpy(np.int64)[places]),
        "attempt": pa.array(batches["attempt"].to_numpy(np.int64)[places]),
        "campaign": _word(batches, "campaign", places),
        "price_per_credit": _word(batches, "price_per_credit", places),
        "handed_over_at": handed_over.cast(pa.timestamp("us", "UTC")),
    }
    for name, values in given.items():
        part = part.append_column(name, values)
    return part


def _of_states(part: pa.Table, states: Collection[str]) -> pa.Table:
    if len(states) == len(MESSAGE_STATES):
        return part
    codes = part["state"].combine_chunks().indices.to_numpy()
    return part.filter(pa.array(np.isin(codes, [_STATE_CODES[state] for state in states])))


def _places(part: pa.Table, batches: pd.DataFrame) -> Places:
    """Which batch each row belongs to."""
    following = np.searchsorted(batches["first"].to_numpy(np.int64), part["id"].to_numpy(), side="right")
    return np.asarray(following - 1, np.intp)


def _ordered(part: pa.Table, *names: str) -> pa.Table:
    """The rows in the order of these columns, which a database does not guarantee when it aggregates."""
    ids = part["id"].to_numpy()
    if len(names) == 1 and bool((ids[1:] > ids[:-1]).all()):
        return part
    return part.sort_by([(name, "ascending") for name in names])


def _word(batches: pd.DataFrame, name: str, places: Places) -> pa.DictionaryArray:
    """A word of each row's batch."""
    codes, words = pd.factorize(batches[name])
    of_row = codes[places]
    return pa.DictionaryArray.from_arrays(
        pa.array(of_row, pa.int32(), mask=of_row < 0), pa.array(words, pa.string())
    )


def _raw(expression: ColumnElement[Any], name: str) -> ColumnElement[Any]:
    """As stored: a time as microseconds."""
    is_time = name.endswith("_at")
    return (in_microseconds(expression) if is_time else expression).label(name)
