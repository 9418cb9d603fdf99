"""What it means when an older copy of a ledger becomes the ledger again.

A copy knows nothing about what was sent after it was taken: what it calls ready may have been sent. Nor does
it know of a pause, a cancellation or an opt-out made since. Before anything is sent from it, everything that
may have been sent becomes unknown, running campaigns pause, and a warning that opt-outs may be missing is
shown until a person acknowledges it.

A copy is known by the mark that `backup` leaves in it, wherever it is put: the fact `copied_at`. It is looked
for when a ledger is opened, when a process registers to send, and in each claim: no owner that a copy knows
may send, so that a process whose ledger was replaced registers anew. Without the mark nothing tells a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, or_, select, update

from dashboard.errors import LedgerError
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import COPIED_AT, lock_campaigns_where
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.states import UNFINISHED
from dashboard.ledger.database.writing import chunks, insert_new
from dashboard.ledger.evidence.attempts import make_unknown
from dashboard.words import _

OPT_OUTS_KEPT = "opt_outs_kept"
OPT_OUTS_MISSING = "opt_outs_missing"

_STARTED = ("running", "scheduled")
_FACT = Prepared(select(schema.fact.c.value).where(schema.fact.c.name == bindparam("name_")))


def fact(connection: Connection, name: str) -> str | None:
    """What the ledger stores about itself under a name."""
    found = _FACT.first(connection, name_=name)
    return found and str(found.value)


def is_copy(connection: Connection) -> bool:
    """Whether this ledger is a copy that has not been dealt with yet; see `distrust_copy`."""
    return fact(connection, COPIED_AT) is not None


def mark_as_copy(connection: Connection) -> None:
    """Mark a ledger as an older copy that was put back by some means."""
    insert_new(connection, schema.fact, [{"name": COPIED_AT, "value": ""}])


def distrust_copy(connection: Connection, now: datetime, *, opt_outs_kept: bool = False) -> int:
    """If this ledger is a copy, pause what runs and make unknown what may have been sent since.

    It comes before anything is changed or claimed. With `opt_outs_kept`, those that came in since the copy
    are in it, which `put_back` also notes in it.

    Returns:
        How many batches became unknown.
    """
    copied_at = fact(connection, COPIED_AT)
    if copied_at is None:
        return 0
    since = f"of {datetime.fromisoformat(copied_at):%Y-%m-%d %H:%M} UTC" if copied_at else "that is older"
    may_miss = not opt_outs_kept and fact(connection, OPT_OUTS_KEPT) is None
    lacks = "Pauses, cancellations and opt-outs" if may_miss else "Pauses and cancellations"
    doubtful = _pause(connection, since, lacks, now)
    if may_miss:
        missing = {"name": OPT_OUTS_MISSING, "value": copied_at}
        insert_new(connection, schema.fact, [missing])  # what is already being said began earlier
    connection.execute(delete(schema.fact).where(schema.fact.c.name.in_([COPIED_AT, OPT_OUTS_KEPT])))
    return doubtful


def missing_opt_outs(connection: Connection) -> str | None:
    """Why opt-outs may be missing from this ledger, as a sentence for people; None if none are."""
    since = fact(connection, OPT_OUTS_MISSING)
    if since is None:
        return None
    if not since:
        return _(
            "This ledger is an older copy that was restored. Opt-outs that came in after it was taken "
            "are not in it: enter them again before you send anything."
        )
    return _(
        "This ledger is a copy from {at} UTC that was restored. Opt-outs that came in after that are "
        "not in it: enter them again before you send anything."
    ).format(at=f"{datetime.fromisoformat(since):%Y-%m-%d %H:%M}")


@contextmanager
def writing(database: Database, *, starts: bool = True) -> Iterator[Connection]:
    """A write transaction; if something starts in it, nobody who opted out may be missing.

    Raises:
        LedgerError: Somebody may be; the sentence says what to do.
    """
    with database.write() as connection:
        if starts and (sentence := missing_opt_outs(connection)):
            raise LedgerError(
                _("{sentence} Then confirm it at the top of any page.").format(sentence=sentence)
            )
        yield connection


def acknowledge_missing_opt_outs(connection: Connection, who: str) -> None:
    """Record that somebody has entered the missing opt-outs again, or knows that there are none.

    Raises:
        LedgerError: No person is named.
    """
    if not who.strip():
        raise LedgerError(_("Say who entered the missing opt-outs; the name is kept."))
    connection.execute(delete(schema.fact).where(schema.fact.c.name == OPT_OUTS_MISSING))


def _pause(connection: Connection, since: str, lacks: str, now: datetime) -> int:
    """Pause what runs or will run, and make unknown what is ready or on its way; returns how many batches."""
    table, campaign = schema.batch.c, schema.campaign.c
    unfinished = select(campaign.id).where(campaign.state.in_(UNFINISHED))
    ready = (table.state == "ready") & table.campaign_id.in_(unfinished)
    hit = or_(campaign.state.in_(_STARTED), campaign.id.in_(select(table.campaign_id).where(ready)))
    reason = (
        f"This ledger is a copy {since}. {lacks} made after that are not in it. "
        "Decide about the unknown batches, then resume."
    )
    serialize(connection, Advisory.FREEZE)  # a campaign made meanwhile would go on
    for chunk in chunks(lock_campaigns_where(connection, campaign.state.in_(UNFINISHED))):
        paused = update(schema.campaign).where(hit, campaign.id.in_(chunk))
        connection.execute(paused.values(state="paused", reason=reason))
    why = f"This ledger is a copy {since}. Nobody can tell whether this batch was sent after that."
    doubtful = make_unknown(connection, ready, event="doubtful", reason=why, now=now)
    return doubtful + make_unknown(connection, table.state == "sending", event="lost", reason=why, now=now)
