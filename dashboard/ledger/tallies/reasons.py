"""The service's reasons that are counted by name: so many for a campaign, and all others together.

A service that gave each message a reason of its own would otherwise make as many rows as messages. A reason
that has a name keeps it, and once there are enough none is added, so a message is always taken from where it
was counted.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, bindparam, insert, select

from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.tallies.tables import reason

MOST = 200
OTHER = "other reasons"
LONGEST = 200
"""Characters of a reason that tell it from others."""

_KNOWN = select(reason.c.reason).where(reason.c.campaign_id == bindparam("campaign_"))
_ADD = insert(reason)


def named(connection: Connection, campaign_id: str, wanted: Collection[str]) -> frozenset[str]:
    """The campaign's reasons that have a name, these among them as long as there is room.

    Only who brings a new one waits for others who do, and no campaign has more than `MOST`.
    """
    known = _known(connection, campaign_id)
    if len(known) >= MOST or known.issuperset(wanted):
        return known
    serialize(connection, Advisory.REASON, of=campaign_id)
    known = _known(connection, campaign_id)
    added = sorted(set(wanted) - known)[: MOST - len(known)]
    if added:
        connection.execute(_ADD, [{"campaign_id": campaign_id, "reason": one} for one in added])
    return known.union(added)


def _known(connection: Connection, campaign_id: str) -> frozenset[str]:
    return frozenset(connection.execute(_KNOWN, {"campaign_": campaign_id}).scalars())
