"""Whom the service does not text because they told it STOP, and who of them is on the list of opt-outs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache
from typing import Any

import pandas as pd
from sqlalchemy import Connection, Row, func, select

from dashboard.contacts.renumberings import every_spelling
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.database.writing import rows_with
from dashboard.ledger.frames.sums.campaign_sums import of_campaign
from dashboard.ledger.frames.typed import frame
from dashboard.ledger.tallies.tables import FAILED, LONGEST, tally
from dashboard.reports.measures.told_stop import told_stop

_message, _result, _opt_out = schema.message.c, schema.result.c, schema.opt_out.c


def who_told_stop(connection: Connection, campaign: Row[Any] | None) -> pd.DataFrame:
    """Of the people of a campaign, or of all, each once, as the service said it last.

    Whoever was on the list then or later and was taken off again, because they want texts after all, counts
    as being on it.
    """
    failed = _result.failure_reason.is_not(None) & _result.delivered_at.is_(None)
    if campaign is not None:
        failed &= _result.message_id.between(campaign.first_message, campaign.last_message)
    query = (
        select(_message.to, _result.failure_reason, _result.failed_at)
        .join(schema.message, _message.id == _result.message_id)
        .where(failed, _message.to != "")
    )
    said: dict[str, tuple[str, datetime]] = {}
    says_so = cache(told_stop)
    beginning = func.substr(_result.failure_reason, 1, LONGEST)
    for phone, reason, at in rows_with(connection, query, beginning, _reasons(connection, campaign)):
        if says_so(reason) and (phone not in said or said[phone][1] < at):
            said[phone] = (reason, at)
    entries = _entries(connection, said)
    rows = []
    for phone, (reason, at) in sorted(said.items()):
        listed = [added for added, removed in entries[phone] if removed is None]
        taken_off = [added for added, removed in entries[phone] if removed is not None and removed > at]
        rows.append((phone, reason, min(listed, default=max(taken_off, default=None))))
    return frame("Ledger.told_stop(...)", rows)


def _reasons(connection: Connection, campaign: Row[Any] | None) -> list[str]:
    """The tallied reasons that say it, and those that may say it further on than they are tallied."""
    of = of_campaign(None if campaign is None else campaign.id)
    found = connection.execute(select(tally.c.reason).where(of, tally.c.stage == FAILED).distinct())
    return [reason for reason in found.scalars() if len(reason) == LONGEST or told_stop(reason)]


def _entries(
    connection: Connection, phones: Collection[str]
) -> Mapping[str, list[tuple[int, datetime | None]]]:
    """When each phone was put on the list, in whichever spelling, and when it was taken off again."""
    spelled = defaultdict(list)
    for phone, spelling in every_spelling(phones):
        spelled[spelling].append(phone)
    query = select(_opt_out.phone, in_microseconds(_opt_out.added_at), _opt_out.removed_at)
    entries = defaultdict(list)
    for spelling, added, removed in rows_with(connection, query, _opt_out.phone, spelled):
        for phone in spelled[spelling]:
            entries[phone].append((added, removed))
    return entries
