"""The tallies against a recount of the messages in plain Python, which shares no code with the ledger."""

from __future__ import annotations

from collections import Counter
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


def check(raw: Any) -> None:
    """Every table that figures are added up from."""
    kept = [
        _summed(raw, WAITING, 3),
        _summed(raw, POOL, 3),
        _summed(raw, TALLY, 5),
        _summed(raw, COURSE, 1),
    ]
    found: list[Counter[Any]] = [Counter(), Counter(), Counter(), Counter()]
    for row in raw.execute(MESSAGES).fetchall():
        _count(found, row)
    for name, one, other in zip(("waiting", "pool", "tally", "course"), kept, found, strict=True):
        expected = {key: value for key, value in other.items() if value}
        hold("tallies", one == expected, f"{name}: {one.items() ^ expected.items()}")


def _summed(raw: Any, query: str, measures: int) -> dict[Any, int]:
    """The sums of all shards, by key and place of the measure."""
    sums: Counter[Any] = Counter()
    for row in raw.execute(query).fetchall():
        for place, value in enumerate(row[-measures:]):
            sums[*row[:-measures], place] += value
    return {key: value for key, value in sums.items() if value}


def _count(found: list[Counter[Any]], row: Any) -> None:
    waiting, pool, tally, course = found
    campaign, batch, low, high, own_time, started = row[0], row[5], row[6], row[7], row[8], row[9] or 0
    state, left, failed, cause, reason, due, sent, delivered, used, pooled = row[10:]
    cell = (campaign, *(word or "" for word in row[1:5]))
    if state is None:
        for place, value in enumerate((1, low, high)):
            if pooled:
                pool[*cell, _end(own_time), place] += value
            else:
                waiting[*cell, batch, _end(own_time), place] += value
        return
    stage = 3 if delivered else 2 if reason is not None else 1 if sent else 0
    key: tuple[Any, ...] = (*cell, (left or 0) // QUARTER * QUARTER, stage, 2 if cause is None else cause)
    key = (*key, 0 if stage else _end(due or own_time), reason[:200] if stage == 2 else "")
    if state == "dropped":
        key, stage = (*cell, 0, 4, 0, _end(None), ""), 0
    beyond = 0 if used is None else used - high if used > high else used - low if used < low else 0
    for place, value in enumerate((1, low, high, used or 0, beyond)):
        tally[*key, place] += value
    news = {1: None, 2: failed, 3: delivered}
    if stage:
        course[campaign, 1, _span(sent or news[stage], started), 0] += 1
    if stage > 1:
        course[campaign, stage, _span(news[stage], started), 0] += 1


def _end(at: int | None) -> int:
    return -(-at // QUARTER) * QUARTER if at else 0


def _span(at: int, started: int) -> int:
    age = (at - started) / 1_000_000
    width = 10_000_000 if age < 3_600 else 60_000_000 if age < 86_400 else QUARTER
    return at // width * width
