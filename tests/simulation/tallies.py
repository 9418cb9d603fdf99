"""The tallies against a recount of the messages in plain Python, which shares no code with the ledger."""

from __future__ import annotations

from functools import lru_cache
from operator import add
from typing import Any

from simulation.promises import hold

MOMENT, QUARTER = 10_000_000, 900_000_000
MESSAGES = (
    "SELECT c.id, m.country, m.line_type, m.variant, coalesce(c.price_per_credit, b.price_per_credit), b.id, "
    "m.credits_low, m.credits_high, m.scheduled_at, r.state, r.handed_over_at, r.failed_at, "
    "r.cause, r.failure_reason, r.scheduled_at, r.sent_at, r.delivered_at, r.credits_used "
    "FROM batch b "
    "JOIN campaign c ON c.id = b.campaign_id "
    "JOIN message m ON m.id BETWEEN b.first_message AND b.last_message "
    "LEFT JOIN result r ON r.message_id = m.id WHERE b.state <> 'split'"
)
TALLY = (
    "SELECT k.campaign_id, k.country, k.line_type, k.variant, k.price, t.stage, t.handed_over, t.cause, "
    "t.due, t.reason, t.batch_id, t.messages, t.credits_low, t.credits_high, t.credits_billed, "
    "t.credits_counted, t.difference FROM tally t JOIN cell k ON k.id = t.cell_id"
)
COURSE = "SELECT campaign_id, stage, at, batch_id, messages FROM course"
TABLES = (("tally", TALLY, 6), ("course", COURSE, 1))
"""Each with how many columns at the end of its query are measures."""
TALLIED, COURSES = range(len(TABLES))


Sums = dict[Any, tuple[int, ...]]
"""Measures by their key."""


def check(raw: Any) -> None:
    """Every table that figures are added up from."""
    found: list[Sums] = [{}, {}]
    for row in raw.execute(MESSAGES).fetchall():
        for table, key, measures in _of_message(tuple(row)):
            _add(found[table], key, measures)
    for (name, query, count), counted in zip(TABLES, found, strict=True):
        kept: Sums = {}
        for row in raw.execute(query).fetchall():
            _add(kept, row[:-count], row[-count:])
        one, other = ({key: sums for key, sums in of.items() if any(sums)} for of in (kept, counted))
        hold("tallies", one == other, f"{name}: {one.items() ^ other.items()}")


def _add(sums: Sums, key: Any, measures: tuple[int, ...]) -> None:
    before = sums.get(key)
    sums[key] = measures if before is None else tuple(map(add, before, measures))


@lru_cache(maxsize=10_000)
def _of_message(row: tuple[Any, ...]) -> list[tuple[int, Any, tuple[int, ...]]]:
    """What a message counts for: the place of a table in `TABLES`, the key of its row, and the measures."""
    campaign, batch, low, high, own_time = row[0], *row[5:9]
    state, left, failed, cause, reason, due, sent, delivered, used = row[9:]
    cell = (campaign, *(word or "" for word in row[1:5]))
    if state is None:
        return [(TALLIED, (*cell, -1, 0, 0, _end(own_time), "", batch), (1, low, high, 0, 0, 0))]
    if state == "dropped":
        return [(TALLIED, (*cell, 4, 0, 0, 0, "", batch), (1, low, high, 0, 0, 0))]
    stage = 3 if delivered else 2 if reason is not None else 1 if sent else 0
    key = (stage, (left or 0) // QUARTER * QUARTER, 2 if cause is None else cause)
    key = (*key, 0 if stage else _end(due or own_time), reason[:200] if stage == 2 else "", batch)
    beyond = 0 if used is None else used - high if used > high else used - low if used < low else 0
    measures = (1, low, high, used or 0, used or high, beyond)
    counts: list[tuple[int, Any, tuple[int, ...]]] = [(TALLIED, (*cell, *key), measures)]
    news = {1: None, 2: failed, 3: delivered}
    for happened, at in ((1, sent or news.get(stage)), (stage, news.get(stage))):
        if stage and at:
            counts.append((COURSES, (campaign, happened, at // MOMENT * MOMENT, batch), (1,)))
    return counts


def _end(at: int | None) -> int:
    return -(-at // QUARTER) * QUARTER if at else 0
