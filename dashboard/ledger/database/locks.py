"""Row locks, in the one order in which every transaction takes them.

    turns (advisory.py) → owner → campaign → gate → batches, by their ids → audit trail

So on PostgreSQL two transactions never wait for each other. SQLite's writers take turns anyway: there the
same statements only read.

Nobody changes a key, so rows are locked FOR NO KEY UPDATE. FOR UPDATE would also wait for the locks that
PostgreSQL takes by itself, in no order of ours, for a row that refers to another: a batch changed twice in a
transaction locks its campaign last.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, String, bindparam, select, true

from dashboard.errors import UnknownCampaignError
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import queued
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.writing import chunks
from dashboard.words import _

_Hold = Literal["not", "share", "change"]

_batch = schema.batch.c
_owner = schema.owner.c

COPIED_AT = "copied_at"
"""The fact that marks a copy (copies/doubt.py): when it was taken; empty if nobody knows."""

LIVING = select(_owner.id).where(
    _owner.id == bindparam("owner_"),
    _owner.retired_at.is_(None),
    ~select(schema.fact.c.name).where(schema.fact.c.name == COPIED_AT).exists(),
)
"""An owner that may send. Of those that a copy knows none may: it is to be dealt with first."""

_OWNER = Prepared(LIVING.with_for_update(read=True, of=schema.owner))
_CAMPAIGN = select(schema.campaign).where(schema.campaign.c.id == bindparam("campaign_", type_=String))
_PLAIN = Prepared(_CAMPAIGN)


def _in_turn(*, shared: bool) -> Prepared:
    turn = queued(bindparam("campaign_", type_=String), shared=shared)
    query = _CAMPAIGN.select_from(schema.campaign.join(turn, true()))
    return Prepared(query.with_for_update(read=shared, key_share=not shared, of=schema.campaign))


_IN_TURN = {"share": _in_turn(shared=True), "change": _in_turn(shared=False)}
_GATE = Prepared(select(schema.gate).where(schema.gate.c.id == 1).with_for_update(key_share=True))
_BATCH = Prepared(select(schema.batch).where(_batch.id == bindparam("id_")).with_for_update(key_share=True))
_STATES = select(_batch.state).order_by(_batch.id).with_for_update(key_share=True)


def owner_lives(connection: Connection, owner: str) -> bool:
    """Whether this owner may send, and cannot be retired before this transaction ends."""
    return _OWNER.first(connection, owner_=owner) is not None


def campaign_row(connection: Connection, campaign_id: str, hold: _Hold = "not") -> Any:
    """The campaign's row; with `share` or `change`, nobody else can change it during this transaction.

    Raises:
        UnknownCampaignError: There is none.
    """
    is_held = hold != "not" and connection.dialect.name == "postgresql"
    row = (_IN_TURN[hold] if is_held else _PLAIN).first(connection, campaign_=campaign_id)
    if row is None:
        raise UnknownCampaignError(
            _("There is no such campaign in this ledger. Look it up in the list of campaigns.")
        )
    return row


def gate_row(connection: Connection) -> Any:
    """The gate's row, which nobody else can change during this transaction."""
    return _GATE.one(connection)


def lock_campaigns_where(connection: Connection, which: ColumnElement[bool]) -> list[str]:
    """Lock the campaigns for which this holds, in the order of their ids; returns these.

    Change no others: by then it may hold for more, which nobody locked.
    """
    query = select(schema.campaign.c.id).where(which).order_by(schema.campaign.c.id)
    return list(connection.execute(query.with_for_update(key_share=True)).scalars())


def list_row_to_delete(connection: Connection, list_id: str) -> Any:
    """A saved list's row, or None; nobody saves the list or a part of it during this transaction."""
    query = select(schema.saved_list).where(schema.saved_list.c.id == list_id)
    return connection.execute(query.with_for_update()).first()


def batch_row(connection: Connection, batch_id: int) -> Any:
    """A batch's row, which nobody else can change during this transaction."""
    return _BATCH.one(connection, id_=batch_id)


def lock_batches(connection: Connection, batch_ids: Iterable[int]) -> bool:
    """Lock batches in the order of their ids; False if one was split in the meantime, so look again."""
    states = {
        state
        for chunk in chunks(sorted(batch_ids))
        for state in connection.execute(_STATES.where(_batch.id.in_(chunk))).scalars()
    }
    return "split" not in states


def lock_batches_where(connection: Connection, *which: ColumnElement[bool]) -> dict[int, datetime]:
    """Lock the batches for which one of these conditions holds; returns these, and when each was claimed.

    Each condition locks its batches in the order of their ids, so the conditions must be given in that order
    too. Change no others: by then a condition may hold for more, which nobody locked or looked at.
    """
    query = select(_batch.id, _batch.claimed_at).order_by(_batch.id).with_for_update(key_share=True)
    return {row.id: row.claimed_at for some in which for row in connection.execute(query.where(some))}


def held_by_nobody(query: Select[Any]) -> Select[Any]:
    """The query's rows, locked; those that others hold are skipped."""
    return query.with_for_update(key_share=True, skip_locked=True)
