"""Four eyes: what one person may start alone within a day, and what somebody else has to approve.

Who asked, started and approved is read from the audit trail, in the transaction that starts a campaign: its
rows never change, so that nothing else could say otherwise.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from dashboard.arguments import checks_methods
from dashboard.errors import CampaignError, CampaignStateError, LedgerError
from dashboard.ledger.audit.chain import Detail, append, minute
from dashboard.ledger.audit.verbs import Verb
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.clock import Part
from dashboard.ledger.database.locks import campaign_row
from dashboard.ledger.database.states import CampaignState
from dashboard.ledger.database.writing import rows_with
from dashboard.ledger.freeze.often import TextsPerPerson, writing_apart
from dashboard.ledger.outbox import control
from dashboard.words import _

WITHIN = timedelta(days=1)
"""Over this time what somebody starts alone is added up, so that many small campaigns are a large one."""

ASK: Verb = "ask approval"
APPROVE: Verb = "approve"
_LET_GO: tuple[Verb, ...] = ("start", "schedule")

_audit, _campaign = schema.audit.c, schema.campaign.c


@dataclass(frozen=True)
class Asked:
    """A campaign that waits for somebody's approval.

    Attributes:
        campaign: Its id.
        who: Everybody who asked for it, none of whom may give it; the first one first.
        at: When it was first asked for, in UTC.
    """

    campaign: str
    who: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class StartedBy:
    """Who starts a campaign, and what happens if it is too large for one person.

    Attributes:
        who: The person.
        above: How many messages they may start alone within a day; any number if None.
        asks: Whether it waits for the approval that it needs then; otherwise it is refused.
    """

    who: str
    above: int | None
    asks: bool = True


@checks_methods()
class Approvals(Part):
    """Starts people's campaigns up to a number of messages, and larger ones once somebody else agreed.

    Example:
        >>> bob = StartedBy("bob@example.com", above=1_000)
        >>> campaign = ledger.create_campaign("Spring", messages, batch_size=100, start=bob)
        >>> ledger.approvals.approve(campaign, who="ann@example.com")
    """

    def alone(self, who: str) -> int:
        """How many messages somebody has started within the last day without anybody's approval."""
        with self._database.read() as connection:
            return _alone(connection, who, self._now())

    def asked(self, campaigns: Collection[str]) -> dict[str, Asked]:
        """Those of these campaigns that wait for an approval, by id; the one that waits longest first."""
        campaigns = {*campaigns}
        if not campaigns:
            return {}
        with self._database.read() as connection:
            return _asked(connection, campaigns)

    def start(
        self,
        campaign: str,
        *,
        who: str,
        above: int | None,
        seen: CampaignState = "draft",
        texts_per_person: TextsPerPerson | None = None,
    ) -> bool:
        """Let a draft run, or wait for its time if it has one; or keep it until somebody approves it.

        Args:
            campaign: Its id.
            who: The person who wants it to start.
            above: How many messages they may start alone within a day; any number if None.
            seen: Its state as they saw it. One that waits for its time by now is sent at once only to who saw
                that it waits.
            texts_per_person: As for `Ledger.start`.

        Returns:
            False if it was not started, because it needs an approval.

        Raises:
            CampaignError, UnknownCampaignError, CampaignStateError, LedgerError: As for `Ledger.start`.
        """
        now = self._now()
        at = now if seen == "scheduled" else None  # it is sent at once, not at its time
        with writing_apart(self._database, texts_per_person, campaign, now, at) as connection:
            return start_or_ask(connection, campaign, StartedBy(who, above), self._now(), seen)

    def approve(self, campaign: str, *, who: str, texts_per_person: TextsPerPerson | None = None) -> None:
        """Let a campaign go for which somebody else has asked; at its time, if that is still to come.

        Args:
            campaign: Its id.
            who: The person who approves it.
            texts_per_person: As for `Ledger.start`.

        Raises:
            CampaignError: People would be texted too often.
            CampaignStateError: It does not wait for an approval, or not any more.
            LedgerError: Nobody is named, or the one who asked. Otherwise as for `Ledger.start`.
        """
        if not who.strip():
            raise LedgerError(_("Say who approves it."))
        with writing_apart(self._database, texts_per_person, campaign, self._now()) as connection:
            serialize(connection, Advisory.STARTS)
            row, now = campaign_row(connection, campaign, "change"), self._now()
            asked = _asked(connection, [campaign]).get(campaign)
            if asked is None:
                raise CampaignStateError(_("This campaign does not wait for an approval. Look at it again."))
            if who in asked.who:
                raise LedgerError(_("You asked for this approval yourself. Somebody else has to give it."))
            told = _let_go(connection, row, now)
            append(connection, APPROVE, campaign, _after(row, now), who=who, details=told)


def start_or_ask(
    connection: Connection, campaign: str, by: StartedBy, now: datetime, seen: CampaignState = "draft"
) -> bool:
    """Let a campaign go, or ask for the approval that it needs, in a transaction; see `Approvals.start`."""
    serialize(connection, Advisory.STARTS)  # so that two at once cannot both be the last small enough
    row = campaign_row(connection, campaign, "change")
    if row.state == "scheduled" and seen != "scheduled":
        raise CampaignStateError(_("This campaign has changed since you looked. Look at it again."))
    if row.state != "draft":  # somebody has let it go before
        if control.start(connection, campaign, now):
            append(connection, "start", campaign, now)
        return True
    already = _asked(connection, [campaign]).get(campaign)
    size = _size(row)
    if by.above is None or (already is None and _alone(connection, by.who, now) + size <= by.above):
        told = _let_go(connection, row, now)
        append(connection, "start", campaign, now, who=by.who or None, details=told)
        return True
    if not by.asks:
        raise CampaignError(
            _(
                "You have started as many messages today as you may start alone. Test messages count as "
                "well; send this one tomorrow, or ask for the campaign's approval without it."
            )
        )
    if already is None or by.who not in already.who:
        append(connection, ASK, campaign, _after(row, now), who=by.who, details={"messages": size})
    return False


def put_back(connection: Connection, campaign: str) -> bool:
    """Make a campaign a draft again that a restored copy paused before anybody let it go; else False."""
    row = campaign_row(connection, campaign, "change")
    if row.state != "paused" or row.started_at is not None:
        return False
    told = _told(connection, (ASK, APPROVE, *_LET_GO), [campaign], row.created_at).get(campaign, [])
    if any(one.what != ASK for one in told):
        return False
    control.put_back(connection, campaign)
    return True


def _let_go(connection: Connection, row: Any, now: datetime) -> dict[str, Detail]:
    """Start a draft or let it wait for its time; returns what the audit trail says of it.

    Whoever lets it go agrees to a time that passed while it waited, but not to one that was long past when it
    was made.
    """
    told: dict[str, Detail] = {"messages": _size(row)}
    at = row.scheduled_at
    if at is None or row.created_at < at <= now:
        control.start(connection, row.id, now)
        return told
    control.schedule(connection, row.id, at)
    return told | {"at": minute(at)}


def _after(row: Any, now: datetime) -> datetime:
    """When something was done to a campaign: not before it was made, whatever the clock says since.

    So the trail has to be read only from then on.
    """
    made_at: datetime = row.created_at
    return max(now, made_at)


def _size(row: Any) -> int:
    return int(row.last_message - row.first_message + 1)


def _alone(connection: Connection, who: str, now: datetime) -> int:
    """What somebody let go first: whoever moves what was started or approved before starts nothing."""
    lately = (_audit.who == who) & (_audit.at > now - WITHIN) & _audit.what.in_(_LET_GO)
    columns = (_campaign.id, _campaign.created_at, _campaign.first_message, _campaign.last_message)
    query = select(*columns).where(_campaign.id.in_(select(_audit.about).where(lately)))
    touched = {row.id: row for row in connection.execute(query)}
    made = [row.created_at for row in touched.values()]
    told = _told(connection, (*_LET_GO, APPROVE), touched, min([now - WITHIN, *made]))
    firsts = (rows[0] for rows in told.values())
    mine = (row.about for row in firsts if row.what != APPROVE and row.who == who and row.at > now - WITHIN)
    return sum(_size(touched[campaign]) for campaign in mine)


def _asked(connection: Connection, campaigns: Collection[str]) -> dict[str, Asked]:
    """The drafts among these for which somebody asked."""
    of_drafts = select(_campaign.id, _campaign.created_at).where(_campaign.state == "draft")
    found = rows_with(connection, of_drafts, _campaign.id, sorted(campaigns))
    drafts = {row.id: row.created_at for row in found}
    told = _told(connection, (ASK,), drafts, min(drafts.values(), default=None))
    return {
        campaign: Asked(campaign, tuple(dict.fromkeys(row.who for row in rows)), rows[0].at)
        for campaign, rows in told.items()
    }


def _told(
    connection: Connection, verbs: Collection[Verb], campaigns: Collection[str], since: datetime | None
) -> dict[str, list[Any]]:
    """What the trail says of these campaigns, in its order; it is read only since then."""
    found: dict[str, list[Any]] = {}
    if campaigns:
        query = select(_audit.about, _audit.who, _audit.what, _audit.at).where(_audit.what.in_(verbs))
        for row in connection.execute(query.where(_audit.at >= since).order_by(_audit.number)):
            if row.about in campaigns:
                found.setdefault(row.about, []).append(row)
    return found
