"""The tallies against a recount of the messages in plain Python, which shares no code with the ledger."""

from __future__ import annotations

from functools import lru_cache
from operator import add
from typing import Any

from simulation.promises import hold

QUARTER = 900_000_000
MESSAGES = (
    "SELECT c.id, m.country, m.line_type, m.variant, coalesce(c.price_per_credit, b.price_per_credit), b.id, "
    "m.credits_low, m.credits_high, m.scheduled_at, c.started_at, r.state, r.handed_over_at, r.failed_at, "
    "r.cause, r.failure_reason, r.scheduled_at, r.sent_at, r.delivered_at, r.credits_used, b.pooled "
    "FROM batch b "
    "JOIN campaign c ON c.id = b.campaign_id "
    "JOIN message m ON m.id BETWEEN b.first_message AND b.last_message "
    "LEFT JOIN result r ON r.message_id = m.id WHERE b.state <> 'split'"
)
CELLS = "k.campaign_id, k.country, k.line_type, k.variant, k.price"
WAITING = (
    f"SELECT {CELLS}, w.batch_id, w.due, w.messages, w.credits_low, w.credits_high FROM waiting w "
    "JOIN cell k ON k.id = w.cell_id"
)
POOL = (
    f"SELECT {CELLS}, p.due, p.messages, p.credits_low, p.credits_high FROM pool p "
    "JOIN cell k ON k.id = p.cell_id"
)
TALLY = (
    f"SELECT {CELLS}, t.handed_over, t.stage, t.cause, t.due, t.reason, t.messages, t.credits_low, "
    "t.credits_high, t.credits_billed, t.difference FROM tally t JOIN cell k ON k.id = t.cell_id"
)
COURSE = "SELECT campaign_id, stage, at, messages FROM course"
TABLES = (("waiting", WAITING, 3), ("pool", POOL, 3), ("tally", TALLY, 5), ("course", COURSE, 1))
"""Each with how many columns at the end of its query are measures, which are added up over all its shards."""
WAITS, POOLED, TALLIED, COURSES = range(len(TABLES))


Sums = dict[Any, tuple[int, ...]]
"""Measures by their key."""


def check(raw: Any) -> None:
    """Every table that figures are added up from."""
    found: list[Sums] = [{}, {}, {}, {}]
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
    campaign, batch, low, high, own_time, started = row[0], row[5], row[6], row[7], row[8], row[9] or 0
    state, left, failed, cause, reason, due, sent, delivered, used, pooled = row[10:]
    cell = (campaign, *(word or "" for word in row[1:5]))
    if state is None:
        key = (*cell, _end(own_time)) if pooled else (*cell, batch, _end(own_time))
        return [(POOLED if pooled else WAITS, key, (1, low, high))]
    stage = 3 if delivered else 2 if reason is not None else 1 if sent else 0
    key = (*cell, (left or 0) // QUARTER * QUARTER, stage, 2 if cause is None else cause)
    key = (*key, 0 if stage else _end(due or own_time), reason[:200] if stage == 2 else "")
    if state == "dropped":
        key, stage = (*cell, 0, 4, 0, _end(None), ""), 0
    beyond = 0 if used is None else used - high if used > high else used - low if used < low else 0
    counts: list[tuple[int, Any, tuple[int, ...]]] = [(TALLIED, key, (1, low, high, used or 0, beyond))]
    news = {1: None, 2: failed, 3: delivered}
    if stage:
        counts.append((COURSES, (campaign, 1, _span(sent or news[stage], started)), (1,)))
    if stage > 1:
        counts.append((COURSES, (campaign, stage, _span(news[stage], started)), (1,)))
    return counts


def _end(at: int | None) -> int:
    return -(-at // QUARTER) * QUARTER if at else 0


def _span(at: int, started: int) -> int:
    age = (at - started) / 1_000_000
    width = 10_000_000 if age < 3_600 else 60_000_000 if age < 86_400 else QUARTER
    return at // width * width
