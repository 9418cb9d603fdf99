"""What a person decides about unknown batches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, exists, func, insert, select, update

from dashboard.errors import CampaignStateError, LedgerError
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.locks import campaign_row, lock_batches_where
from dashboard.ledger.database.said import without_numbers
from dashboard.ledger.database.states import DECISIONS, Decision
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.optouts import drop_listed, drop_listed_of
from dashboard.ledger.outbox.risks import RESEND_AFTER, risks, unknown
from dashboard.words import _

SHOWN = 50
"""How many decisions `decided` tells of."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person decided about unknown batches at one time.

    Attributes:
        decision: That the service took them, that they are sent again, or that they are left.
        who: Who decided.
        why: How they knew, in their words.
        at: When (UTC).
        batches: About how many batches.
        messages: About how many unknown messages.
    """

    decision: Decision
    who: str
    why: str
    at: datetime
    batches: int
    messages: int


def decided(connection: Connection, campaign_id: str) -> list[Decided]:
    """The newest decisions of a campaign, newest first; batches decided together are one."""
    table, batch = schema.decision, schema.batch
    together = (table.c.decision, table.c.who, table.c.why, table.c.at)
    query = (
        select(*together, func.count(), func.sum(table.c.messages))
        .join(batch, batch.c.id == table.c.batch_id)
        .where(batch.c.campaign_id == campaign_id)
        .group_by(*together)
        .order_by(table.c.at.desc())
        .limit(SHOWN)
    )
    return [
        Decided(decision, who, why, at, batches, int(messages))
        for decision, who, why, at, batches, messages in connection.execute(query)
    ]


def decide_all(
    connection: Connection,
    campaign_id: str,
    decision: Decision,
    *,
    who: str,
    why: str,
    now: datetime,
    only: Collection[int] | None = None,
    as_of: datetime | None = None,
) -> int:
    """Decide the same about all batches of a campaign that were unknown by then, or about these; how many.

    Raises:
        LedgerError: `who` or `why` is missing, or there is no such batch in the campaign.
        UnknownCampaignError: There is no such campaign.
        CampaignStateError: A request for one of them may still be on its way, one of those named is not
            unknown, or the campaign was cancelled; then nothing was decided.
    """
    _check_words(decision, who, why)
    if decision == "ready":
        serialize(connection, Advisory.FREEZE)  # whoever is being put on the list meanwhile would be missed
    campaign, waiting = campaign_row(connection, campaign_id, "change"), unknown(campaign_id)
    if as_of is not None:
        waiting &= schema.batch.c.settled_at <= as_of
    named = None if only is None else sorted(set(only))
    which = (
        [waiting] if named is None else [waiting & schema.batch.c.id.in_(chunk) for chunk in chunks(named)]
    )
    claimed_at = lock_batches_where(connection, *which)
    _check_named(connection, campaign_id, set(named or ()) - claimed_at.keys())
    if claimed_at and decision == "ready":
        _check_resend(campaign, max(claimed_at.values()), now)
    for chunk in chunks(claimed_at):
        _write(connection, campaign, schema.batch.c.id.in_(chunk), decision, who=who, why=why, now=now)
    if claimed_at and decision == "ready":
        if named is None:
            drop_listed_of(connection, campaign, claimed_at.keys(), now)
        for batch_id in named or ():
            drop_listed(connection, batch_id, now)
        _run_again(connection, campaign, now)
    return len(claimed_at)


AFTER_ALL = (
    "It was sent again, and not taken then. Whether the service took it the time before is what nobody could "
    "tell, and still cannot."
)
"""Why a batch is unknown again: only of the last request is it known that it took nothing."""


def _check_named(connection: Connection, campaign_id: str, missing: Collection[int]) -> None:
    """Refuse named batches that are not awaiting a decision here."""
    if not missing:
        return
    table, batch_id = schema.batch, min(missing)
    query = select(table.c.state).where(table.c.id == batch_id, table.c.campaign_id == campaign_id)
    state = connection.execute(query).scalar_one_or_none()
    if state is None:
        raise LedgerError(_("There is no batch {batch_id} in this campaign.").format(batch_id=batch_id))
    if state == "unknown":
        raise CampaignStateError(_("This campaign has changed since you looked. Look at it again."))
    raise CampaignStateError(
        _("Batch {batch_id} is {state} now, so there is nothing to decide.").format(
            batch_id=batch_id, state=state
        )
    )


def _write(
    connection: Connection,
    campaign: Row[Any],
    which: ColumnElement[bool],
    decision: Decision,
    *,
    who: str,
    why: str,
    now: datetime,
) -> None:
    """Record the decision for each of these batches, and move them."""
    who, why = without_numbers(who), without_numbers(why)
    rows = [
        {
            "batch_id": batch.id,
            "attempt": batch.attempt,
            "decision": decision,
            "who": who,
            "why": why,
            "at": now,
            **at_risk._asdict(),
        }
        for batch, at_risk in risks(connection, campaign, which)
    ]
    if rows:
        connection.execute(insert(schema.decision), rows)
    reason = f"decided by {who}: {why}"
    connection.execute(update(schema.batch).where(which).values(state=decision, reason=reason))


def _check_words(decision: Decision, who: str, why: str) -> None:
    if decision not in DECISIONS:
        raise LedgerError(
            _("The decision must be one of {decisions}.").format(decisions=", ".join(DECISIONS))
        )
    if not who.strip() or not why.strip():
        raise LedgerError(_("Say who decides and why; both are kept with the decision."))


def campaign_of(connection: Connection, batch_id: int) -> str:
    """The campaign of a batch.

    Raises:
        LedgerError: There is no such batch.
    """
    table = schema.batch
    query = select(table.c.campaign_id).where(table.c.id == batch_id)
    found: str | None = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise LedgerError(_("There is no batch {batch_id} in this ledger.").format(batch_id=batch_id))
    return found


def _run_again(connection: Connection, campaign: Row[Any], now: datetime) -> None:
    """Let a campaign that was done run again, unless all of these people have opted out meanwhile."""
    ready = exists().where(schema.batch.c.campaign_id == campaign.id, schema.batch.c.state == "ready")
    if campaign.state == "done" and connection.execute(select(ready)).scalar():
        values = {"reason": "a person sends an unknown batch again", "finished_at": None, "resumed_at": now}
        again = update(schema.campaign).where(schema.campaign.c.id == campaign.id)
        connection.execute(again.values(state="running", **values))


def _check_resend(campaign: Row[Any], claimed_at: datetime, now: datetime) -> None:
    if campaign.state == "cancelled":
        raise CampaignStateError(
            _("The campaign was cancelled, so none of it is sent again. Abandon the batch instead.")
        )
    if now < (at := claimed_at + RESEND_AFTER):
        raise CampaignStateError(
            _("The first request may still be on its way. The batch can be sent again from {at} UTC.").format(
                at=f"{at:%H:%M:%S}"
            )
        )
