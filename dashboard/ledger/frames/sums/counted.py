"""COUNTS and COURSE from the tallies: hundreds of rows, whatever the number of messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import ColumnElement, Connection, Select, case, func, literal, literal_column, select

from dashboard.campaigns.cost.money import MONEY, MONEY_DTYPE, money_array
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import HANDED_OVER
from dashboard.ledger.evidence.reading import STAGES
from dashboard.ledger.frames.arrow.tables import read_parts
from dashboard.ledger.frames.messages.message_rows import Chosen, only_known, within
from dashboard.ledger.frames.stages import stage_of
from dashboard.ledger.frames.sums.campaign_sums import of_campaign
from dashboard.ledger.frames.typed import frame, with_all_words
from dashboard.ledger.tallies.causes import CAUSES, NOT_SENT, OF_BATCH
from dashboard.ledger.tallies.tables import DROPPED, FOLLOWS, QUARTER, SPAN_SQL, cell, course, tally
from dashboard.reports.measures.counting import KEYS, SUMS

MOST = 200
"""How many reasons of a campaign are named, the most frequent: each message may have one of its own."""

OTHER = "other reasons"

_campaign, _batch, _cell, _tally = (table.c for table in (schema.campaign, schema.batch, cell, tally))


def counts(connection: Connection, chosen: Chosen, keys: Sequence[str], now: datetime) -> pd.DataFrame:
    """Messages counted by what figures tell apart; see `Readings.counts`.

    The database adds up what is stored alike and says what it is, in words; Arrow adds up the rest.
    """
    told = only_known(keys, KEYS, "key")
    needed = list(dict.fromkeys([*told, *(["campaign"] if "reason" in told else [])]))
    stored = (_of_own_state(chosen, with_reason="reason" in told), _of_batches(chosen))
    queries = [_in_words(sums, needed, microseconds(now)) for sums in stored]
    rows = pa.concat_tables(read_parts(connection, queries, _types(needed)))
    if "price_per_credit" in told:
        rows = _replaced(rows, "price_per_credit", _money(rows["price_per_credit"]))
    if "reason" in told:
        rows = _replaced(rows, "reason", _reasons(rows))
    added_up = rows.group_by(told, use_threads=False).aggregate([(name, "sum") for name in SUMS])
    found = added_up.rename_columns([*told, *SUMS]).filter(pc.field("messages") != 0)
    return with_all_words(found.to_pandas(types_mapper={MONEY: MONEY_DTYPE}.get))


def counted_course(connection: Connection, campaign_id: str | None) -> pd.DataFrame:
    """When messages were sent, failed and delivered; see `Readings.course`."""
    key = (course.c.campaign_id, course.c.stage, course.c.at)
    summed = select(*key, func.sum(course.c.messages).label("messages")).group_by(*key)  # as they are stored
    if campaign_id is not None:
        summed = summed.where(course.c.campaign_id == campaign_id)
    moments = summed.subquery("moments")
    span: ColumnElement[int] = literal_column(SPAN_SQL.format("moments.at", "coalesce(started_at, 0)"))
    spans = (moments.c.campaign_id, moments.c.stage, span)
    total = func.sum(moments.c.messages)
    query = select(*spans, total).join(schema.campaign, _campaign.id == moments.c.campaign_id)
    found = connection.execute(query.group_by(*spans).having(total != 0).order_by(*spans)).all()
    rows = [(one, STAGES[stage], at, int(many)) for one, stage, at, many in found]
    return frame("Ledger.course(...)", rows)


def _of_own_state(chosen: Chosen, *, with_reason: bool) -> Select[Any]:
    """What has a state of its own, added up in the order in which it is stored."""
    key = [_tally.cell_id, _tally.stage, _tally.handed_over, _tally.cause, _tally.due]
    key += [_tally.reason] if with_reason else []
    state = case((_tally.stage == DROPPED, "dropped"), else_="accepted").label("state")
    query = select(*key, state, *_sums()).group_by(*key)
    return _limited(query, _tally.handed_over, chosen).where(_tally.stage > FOLLOWS)


def _of_batches(chosen: Chosen) -> Select[Any]:
    """What follows its batch, by the state of that."""
    claimed = in_microseconds(_batch.claimed_at) // QUARTER * QUARTER
    handed_over = case((_batch.state.in_(HANDED_OVER), func.coalesce(claimed, 0)), else_=0)
    cause = case(OF_BATCH, value=_batch.state, else_=NOT_SENT)
    key = (_tally.cell_id, _tally.stage, handed_over.label("handed_over"), _tally.due, _batch.state)
    query = select(*key, cause.label("cause"), literal("").label("reason"), *_sums()).group_by(*key)
    query = query.join(schema.batch, _batch.id == _tally.batch_id)
    return _limited(query, handed_over, chosen).where(_tally.stage == FOLLOWS)


def _sums() -> list[ColumnElement[int]]:
    return [func.sum(_tally[name]).label(name) for name in SUMS]


def _limited(query: Select[Any], handed_over: ColumnElement[int], chosen: Chosen) -> Select[Any]:
    query = query.where(of_campaign(chosen.campaign))
    return query.where(within(handed_over, chosen.handed_over)) if chosen.handed_over else query


def _in_words(summed: Select[Any], needed: Collection[str], now: int) -> Select[Any]:
    """The sums with those of KEYS that are needed; what is not known is missing."""
    stored = summed.subquery("stored")
    words: dict[str, ColumnElement[Any]] = {
        "campaign": _cell.campaign_id,
        **{name: func.nullif(_cell[name], "") for name in ("country", "line_type", "variant")},
        "currency": _campaign.currency,
        "price_per_credit": func.nullif(_cell.price, ""),
        "handed_over_at": func.nullif(stored.c.handed_over, 0),
        "state": stored.c.state,
        "stage": stage_of(stored.c.stage, stored.c.state, is_due_later=stored.c.due > now),
        "cause": case({code: cause.value for code, cause in enumerate(CAUSES)}, value=stored.c.cause),
    }
    if "reason" in needed:
        words["reason"] = func.nullif(stored.c.reason, "")
    query = select(*(words[name].label(name) for name in needed), *(stored.c[name] for name in SUMS))
    query = query.select_from(stored).join(cell, _cell.id == stored.c.cell_id)
    return query.join(schema.campaign, _campaign.id == _cell.campaign_id)


def _types(needed: Collection[str]) -> pa.Schema:
    types = {"handed_over_at": pa.timestamp("us", "UTC"), **dict.fromkeys(SUMS, pa.int64())}
    return pa.schema([(name, types.get(name, pa.string())) for name in (*needed, *SUMS)])


def _replaced(rows: pa.Table, name: str, column: pa.ChunkedArray | pa.Array) -> pa.Table:
    return rows.set_column(rows.column_names.index(name), name, column)


def _money(written: pa.ChunkedArray) -> pa.Array:
    """Prices as amounts, of which 0.05 and 0.050 are the same."""
    prices = written.combine_chunks().dictionary_encode()
    return money_array(map(Decimal, prices.dictionary.to_pylist())).take(prices.indices)


def _reasons(rows: pa.Table) -> pa.ChunkedArray:
    """The reasons, of which the rare ones of a campaign are one."""
    of = ["campaign", "reason"]
    each = rows.filter(pc.is_valid(rows["reason"])).group_by(of).aggregate([("messages", "sum")])
    if len(each) <= MOST:
        return rows["reason"]
    ordered = each.sort_by([("messages_sum", "descending"), ("reason", "ascending")]).select(of).to_pandas()
    rare = pd.MultiIndex.from_frame(ordered[ordered.groupby("campaign").cumcount() >= MOST])
    is_rare = pd.MultiIndex.from_frame(rows.select(of).to_pandas()).isin(rare)
    return pc.if_else(pa.array(is_rare), OTHER, rows["reason"])
