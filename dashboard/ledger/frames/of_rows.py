"""The ledger as frames: columns and dtypes as declared in declared.py, even if a frame is empty."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

import pandas as pd
import pyarrow as pa
from sqlalchemy import Connection, Row, case, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import as_stored, in_microseconds, microseconds
from dashboard.ledger.database.states import CAMPAIGN_STATES
from dashboard.ledger.evidence.reading import STAGES
from dashboard.ledger.frames.arrow.tables import to_pandas
from dashboard.ledger.frames.messages.after_texts import NOTHING, texts_before
from dashboard.ledger.frames.messages.contact_rows import contact_rows
from dashboard.ledger.frames.messages.message_rows import Chosen, event_parts, message_parts
from dashboard.ledger.frames.sums.campaign_rows import campaign_rows
from dashboard.ledger.frames.typed import frame, with_all_words
from dashboard.ledger.outbox.risks import RESEND_AFTER, newest, risks
from dashboard.ledger.outbox.risks import unknown as waits_for_a_decision
from dashboard.reports.measures.stages import in_order

ROW_STATUSES = ("ok", "review", "invalid", "duplicate", "opted_out", "empty")
"""The statuses of a contact sheet's rows, as a saved list counts them."""

_CAMPAIGN_STATES = pd.CategoricalDtype(list(CAMPAIGN_STATES))
_RESEND_AFTER_US = RESEND_AFTER // timedelta(microseconds=1)


def campaigns(connection: Connection, campaign_id: str | None = None) -> pd.DataFrame:
    """One row per campaign, the newest first, with its messages counted by state from the tallies."""
    found = frame("Ledger.campaigns()", campaign_rows(connection, campaign_id))
    found["state"] = in_order(found["state"], _CAMPAIGN_STATES)  # all of them, so that a filter offers them
    return found


def messages(
    connection: Connection, chosen: Chosen, columns: Sequence[str] | None = None, *, now: datetime
) -> pd.DataFrame:
    """One row per frozen message, in the order of sending; those dropped at the freeze come last."""
    return with_all_words(to_pandas(pa.concat_tables(message_parts(connection, chosen, columns, now=now))))


def events(connection: Connection, chosen: Chosen, stages: Collection[str] | None = None) -> pd.DataFrame:
    """One row per status that the service reported for a message, in the order heard."""
    read = to_pandas(pa.concat_tables(event_parts(connection, chosen, stages)))
    return read.assign(stage=read["stage"].astype(pd.CategoricalDtype(list(STAGES), ordered=True)))


def stray_reports(connection: Connection) -> pd.DataFrame:
    """Delivery reports about messages that are not here, the newest first."""
    table = schema.stray_report
    query = select(*as_stored(table, "uuid", "received_at", "report"))
    query = query.order_by(table.c.received_at.desc(), table.c.digest)
    return frame("Ledger.stray_reports()", connection.execute(query))


def contacts(connection: Connection) -> pd.DataFrame:
    """One row per number that was ever in a campaign, the one with the newest message first."""
    return to_pandas(contact_rows(connection))


def batches(connection: Connection, campaign_id: str | None = None) -> pd.DataFrame:
    """One row per batch, including those that were split."""
    table, result = schema.batch, schema.result.c
    its_own = result.message_id.between(table.c.first_message, table.c.last_message) & (
        table.c.state != "split"
    )
    billed = select(func.coalesce(func.sum(result.credits_used), 0)).where(its_own)
    columns = (
        *as_stored(table, "id", "seq", "parent", "state", "reason", "http_status", "messages"),
        *as_stored(table, "accepted", "dropped", "credits_low", "credits_high"),
        billed.scalar_subquery(),
        *as_stored(table, "attempt", "claimed_at", "settled_at"),
        case((table.c.state == "unknown", in_microseconds(table.c.claimed_at) + _RESEND_AFTER_US)),
    )
    query = select(*columns, table.c.campaign_id).order_by(table.c.first_message, table.c.id)
    if campaign_id is not None:
        query = query.where(table.c.campaign_id == campaign_id)
    return frame("Ledger.batches(...)", connection.execute(query))


def unknown(
    connection: Connection, campaign: Row[Any], *, limit: int | None = None, skip: int = 0
) -> pd.DataFrame:
    """The batches awaiting a decision, with what is at risk; with a limit the newest, newest first."""
    waits, order = waits_for_a_decision(campaign.id), None
    if limit is not None:
        order = newest(connection, waits, limit, skip)
        waits = schema.batch.c.id.in_(order)
    rows = (
        (
            batch.id,
            batch.reason,
            *at_risk,
            batch.attempt,
            microseconds(batch.claimed_at),
            microseconds(batch.settled_at),
            microseconds(batch.claimed_at + RESEND_AFTER),
        )
        for batch, at_risk in risks(connection, campaign, waits)
    )
    found = frame("Ledger.unknown(...)", rows)
    return found if order is None else found.set_index("batch").loc[order].reset_index()


def attempts(connection: Connection, campaign_id: str) -> pd.DataFrame:
    """What was tried, in order."""
    table, batch = schema.attempt, schema.batch
    columns = as_stored(table, "batch_id", "attempt", "at", "event", "http_status", "detail", "owner")
    query = select(*columns).join(batch, batch.c.id == table.c.batch_id)
    query = query.where(batch.c.campaign_id == campaign_id).order_by(table.c.id)
    return frame("Ledger.attempts(...)", connection.execute(query))


def decisions(connection: Connection, campaign_id: str | None) -> pd.DataFrame:
    """What people decided about unknown batches, in order; of all campaigns without one."""
    table, batch = schema.decision, schema.batch
    columns = as_stored(table, "batch_id", "attempt", "decision", "who", "why", "at")
    at_risk = as_stored(table, "messages", "credits_low", "credits_high", "money_at_risk", "currency")
    query = select(*columns, *at_risk).order_by(table.c.id)
    if campaign_id is not None:
        query = query.join(batch, batch.c.id == table.c.batch_id).where(batch.c.campaign_id == campaign_id)
    return frame("Ledger.decisions(...)", connection.execute(query))


def opt_outs(connection: Connection, *, texts: bool = False) -> pd.DataFrame:
    """People who must not be texted, the latest first; with the campaign and text that each came after."""
    table, before = schema.opt_out, texts_before(connection) if texts else {}
    query = select(*as_stored(table, "id", "phone", "reason", "source", "added_at"))
    rows = connection.execute(query.where(table.c.removed_at.is_(None)).order_by(table.c.id.desc()))
    if not texts:
        return frame("Ledger.opt_outs()", (row[1:] for row in rows))
    after = ((*row[1:], *before.get(row.id, NOTHING)) for row in rows)
    return frame("Ledger.opt_outs(texts=True)", after)


def opt_out_history(connection: Connection) -> pd.DataFrame:
    """Everyone who was ever on the list, the latest first, with who took them off and why."""
    table = schema.opt_out
    added = as_stored(table, "phone", "reason", "source", "added_at")
    columns = (*added, *as_stored(table, "removed_at", "removed_by", "removed_why"))
    return frame("Ledger.opt_out_history()", connection.execute(select(*columns).order_by(table.c.id.desc())))


def saved_lists(connection: Connection) -> pd.DataFrame:
    """One row per saved list, the one saved last first."""
    table = schema.saved_list
    of_file = as_stored(table, "id", "name", "source", "digest", "size_bytes", "counts")
    query = select(*of_file, *as_stored(table, "saved_by", "saved_at"))
    rows = connection.execute(query.order_by(table.c.saved_at.desc(), table.c.id))
    return frame("Ledger.lists.all()", map(_with_counts, rows))


def _with_counts(row: Row[*tuple[Any, ...]]) -> tuple[Any, ...]:
    counts = json.loads(row.counts)
    by_status = [int(counts.get(status, 0)) for status in ROW_STATUSES]
    return (*row[:5], sum(by_status), *by_status, *row[6:])
