"""The tallies counted again in the database, from the messages.

So they are made at the freeze and after a split, and so they are checked. What is counted is a campaign, or
some of its batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, text

from dashboard.ledger.database import schema
from dashboard.ledger.tallies.causes import NOT_IN_ANSWER, NOT_SENT
from dashboard.ledger.tallies.reasons import LONGEST, MOST, OTHER
from dashboard.ledger.tallies.spans import DUE_SQL, QUARTER_SQL, SPAN_SQL
from dashboard.ledger.tallies.tables import cell, course, pool, reason, tally, waiting

_CELL = (
    "coalesce(m.country, '') country, coalesce(m.line_type, '') line_type, coalesce(m.variant, '') variant, "
    "coalesce(c.price_per_credit, b.price_per_credit, '') price"
)
_MESSAGES = "FROM campaign c {cross} JOIN batch b ON b.campaign_id = c.id {messages}"
_TOLD = {
    "sqlite": {
        "cross": "CROSS",
        "messages": "CROSS JOIN message m ON m.id BETWEEN b.first_message AND b.last_message",
        "result": "result r ON r.message_id = m.id",
    },
    "postgresql": {
        "cross": "",
        "messages": (
            "CROSS JOIN LATERAL "
            "(SELECT * FROM message WHERE id BETWEEN b.first_message AND b.last_message OFFSET 0) m"
        ),
        "result": "LATERAL (SELECT * FROM result WHERE message_id = m.id OFFSET 0) r ON true",
    },
}
"""How each database is told to take batches first, then the messages of each, then the result of each.

PostgreSQL plans what has an OFFSET by itself. Otherwise, as it knows little of rows that were just written,
it may compare all messages with all batches.
"""
_OF_CELL = (
    "JOIN cell k ON k.campaign_id = g.campaign_id AND k.country = g.country AND k.line_type = g.line_type "
    "AND k.variant = g.variant AND k.price = g.price"
)
_CHOSEN = "b.state <> 'split' AND {chosen}"
_SUMS = "count(*) messages, sum(m.credits_low) credits_low, sum(m.credits_high) credits_high"

_CELLS = f"SELECT DISTINCT c.id campaign_id, {_CELL} {_MESSAGES} WHERE {_CHOSEN}"
_WAITING = f"""
SELECT g.batch_id, k.id cell_id, g.due, g.messages, g.credits_low, g.credits_high FROM (
    SELECT b.id batch_id, c.id campaign_id, {_CELL}, {DUE_SQL.format("m.scheduled_at")} due, {_SUMS}
    {_MESSAGES} LEFT JOIN {{result}}
    WHERE {_CHOSEN} AND NOT b.pooled AND r.message_id IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7) g {_OF_CELL}
"""  # noqa: S608 - words of ours
_POOL = f"""
SELECT k.id cell_id, g.due, g.messages, g.credits_low, g.credits_high FROM (
    SELECT c.id campaign_id, {_CELL}, {DUE_SQL.format("m.scheduled_at")} due, {_SUMS}
    {_MESSAGES} LEFT JOIN {{result}}
    WHERE {_CHOSEN} AND b.pooled AND r.message_id IS NULL GROUP BY 1, 2, 3, 4, 5, 6) g {_OF_CELL}
"""  # noqa: S608 - words of ours
_STAGE = (
    "CASE WHEN r.state = 'dropped' THEN 4 WHEN r.delivered_at IS NOT NULL THEN 3 "
    "WHEN r.failure_reason IS NOT NULL THEN 2 WHEN r.sent_at IS NOT NULL THEN 1 ELSE 0 END"
)
_CAUSE = f"CASE WHEN r.state = 'dropped' THEN {NOT_SENT} ELSE coalesce(r.cause, {NOT_IN_ANSWER}) END"
_SAID = f"substr(r.failure_reason, 1, {LONGEST})"
_REASON = f"""
SELECT c.id campaign_id, {_SAID} reason FROM campaign c
{{cross}} JOIN result r ON r.message_id BETWEEN c.first_message AND c.last_message
WHERE {{chosen}} AND {_STAGE} = 2 GROUP BY 1, 2 ORDER BY count(*) DESC, 2 LIMIT {MOST}
"""  # noqa: S608 - words of ours
_DUE = DUE_SQL.format("coalesce(r.scheduled_at, m.scheduled_at)")
_TALLY = f"""
SELECT k.id cell_id, g.handed_over, g.stage, g.cause, g.due, g.reason,
    g.messages, g.credits_low, g.credits_high, g.credits_billed, g.difference FROM (
    SELECT c.id campaign_id, {_CELL}, {QUARTER_SQL.format("r.handed_over_at")} handed_over, {_STAGE} stage,
        {_CAUSE} cause, CASE WHEN {_STAGE} = 0 THEN {_DUE} ELSE 0 END due,
        CASE WHEN {_STAGE} <> 2 THEN '' ELSE coalesce((SELECT n.reason FROM reason n
            WHERE n.campaign_id = c.id AND n.reason = {_SAID}), '{OTHER}') END reason,
        {_SUMS}, sum(coalesce(r.credits_used, 0)) credits_billed,
        sum(CASE WHEN r.credits_used > m.credits_high THEN r.credits_used - m.credits_high
            WHEN r.credits_used < m.credits_low THEN r.credits_used - m.credits_low ELSE 0 END) difference
    {_MESSAGES} {{cross}} JOIN {{result}}
    WHERE {_CHOSEN} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) g {_OF_CELL}
"""  # noqa: S608 - words of ours
_COURSE = f"""
WITH own AS (SELECT c.id campaign_id, coalesce(c.started_at, 0) started, {_STAGE} stage, r.sent_at,
        r.delivered_at, r.failed_at
    FROM campaign c {{cross}} JOIN result r ON r.message_id BETWEEN c.first_message AND c.last_message
    WHERE {{chosen}}),
happened AS (
    SELECT campaign_id, started, 1 stage, coalesce(sent_at, CASE stage WHEN 3 THEN delivered_at
        WHEN 2 THEN failed_at END) at FROM own WHERE stage BETWEEN 1 AND 3
    UNION ALL SELECT campaign_id, started, 2, failed_at FROM own WHERE stage = 2
    UNION ALL SELECT campaign_id, started, 3, delivered_at FROM own WHERE stage = 3)
SELECT campaign_id, stage, {SPAN_SQL.format("at", "started")} at, count(*) messages FROM happened
WHERE at IS NOT NULL GROUP BY 1, 2, 3
"""  # noqa: S608 - words of ours
_IN_BATCH = "(batch_id, cell_id, due, messages, credits_low, credits_high)"
_OF_CAMPAIGN, _OF_BATCHES = "c.id = :campaign", "c.id = :campaign AND b.id IN :batches"


def cells(connection: Connection, campaign_id: str) -> None:
    """Make the cells of a campaign that has been frozen."""
    into = "INSERT INTO cell (campaign_id, country, line_type, variant, price)"
    connection.execute(_statement(connection, f"{into} {_CELLS}", _OF_CAMPAIGN), {"campaign": campaign_id})


def wait_all(connection: Connection, campaign_id: str) -> None:
    """Count what waits in a campaign, in the pool and in its batches."""
    names = "(cell_id, due, messages, credits_low, credits_high, shard)"
    in_batches = f"INSERT INTO waiting {_IN_BATCH} {_WAITING}"
    in_pool = f"INSERT INTO pool {names} SELECT w.*, 0 FROM ({_POOL}) w"  # noqa: S608 - words of ours
    for into in (in_batches, in_pool):
        connection.execute(_statement(connection, into, _OF_CAMPAIGN), {"campaign": campaign_id})


def wait(connection: Connection, campaign_id: str, batch_ids: Sequence[int]) -> None:
    """Count what waits in these batches of a campaign, which are not in the pool and no more than a chunk."""
    into = f"INSERT INTO waiting {_IN_BATCH}"
    statement = _statement(connection, f"{into} {_WAITING}", _OF_BATCHES)
    statement = statement.bindparams(bindparam("batches", expanding=True))
    connection.execute(statement, {"campaign": campaign_id, "batches": list(batch_ids)})


def divide(connection: Connection, batch: Any, halves: Sequence[int]) -> None:
    """Let what waits in a batch wait in its halves."""
    connection.execute(delete(waiting).where(waiting.c.batch_id == batch.id))
    wait(connection, batch.campaign_id, halves)


def store(connection: Connection, campaign_id: str) -> None:
    """Make all tallies of a campaign that has none; its most frequent reasons get names."""
    cells(connection, campaign_id)
    wait_all(connection, campaign_id)
    of_campaign = {"campaign": campaign_id}
    reasons = f"INSERT INTO reason (campaign_id, reason) {_REASON}"
    connection.execute(_statement(connection, reasons, _OF_CAMPAIGN), of_campaign)
    names = "cell_id, handed_over, stage, cause, due, reason, messages, credits_low, credits_high"
    tallies = (
        f"INSERT INTO tally ({names}, credits_billed, difference, shard) SELECT t.*, 0 FROM ({_TALLY}) t"  # noqa: S608 - words of ours
    )
    connection.execute(_statement(connection, tallies, _OF_CAMPAIGN), of_campaign)
    _store_course(connection, campaign_id)


def follow_start(connection: Connection, campaign_id: str) -> None:
    """Count a campaign's course by its spans from now on: they depend on when it started.

    News comes before the start where the ledger is an older copy, and did not hand the messages over itself.
    """
    of_campaign = course.c.campaign_id == campaign_id
    if connection.execute(delete(course).where(of_campaign)).rowcount:
        _store_course(connection, campaign_id)


def _store_course(connection: Connection, campaign_id: str) -> None:
    moments = (
        "INSERT INTO course (campaign_id, stage, at, messages, shard) "  # noqa: S608 - words of ours
        f"SELECT h.campaign_id, h.stage, h.at, h.messages, 0 FROM ({_COURSE}) h"
    )
    connection.execute(_statement(connection, moments, _OF_CAMPAIGN), {"campaign": campaign_id})


def mend(connection: Connection, campaign_id: str) -> None:
    """Make all tallies of a campaign again; the caller saw to it that nobody else changes a message of it."""
    of_batches = select(schema.batch.c.id).where(schema.batch.c.campaign_id == campaign_id)
    of_cells = select(cell.c.id).where(cell.c.campaign_id == campaign_id)
    connection.execute(delete(waiting).where(waiting.c.batch_id.in_(of_batches)))
    for table in (pool, tally):
        connection.execute(delete(table).where(table.c.cell_id.in_(of_cells)))
    for table in (course, reason, cell):
        connection.execute(delete(table).where(table.c.campaign_id == campaign_id))
    store(connection, campaign_id)


def wrong(connection: Connection, campaign_id: str) -> list[str]:
    """The tables whose rows are not what a recount of the campaign's messages finds."""
    summed = {
        "waiting": (
            "SELECT w.* FROM waiting w JOIN batch b ON b.id = w.batch_id WHERE b.campaign_id = :campaign"
        ),
        "pool": (
            "SELECT p.cell_id, due, sum(messages), sum(credits_low), sum(credits_high) FROM pool p "
            "JOIN cell k ON k.id = p.cell_id WHERE k.campaign_id = :campaign GROUP BY 1, 2 "
            "HAVING sum(messages) <> 0 OR sum(credits_low) <> 0 OR sum(credits_high) <> 0"
        ),
        "tally": (
            "SELECT t.cell_id, handed_over, stage, cause, due, reason, sum(messages), sum(credits_low), "
            "sum(credits_high), sum(credits_billed), sum(difference) FROM tally t "
            "JOIN cell k ON k.id = t.cell_id WHERE k.campaign_id = :campaign GROUP BY 1, 2, 3, 4, 5, 6 "
            "HAVING sum(messages) <> 0 OR sum(credits_low) <> 0 OR sum(credits_high) <> 0 "
            "OR sum(credits_billed) <> 0 OR sum(difference) <> 0"
        ),
        "course": (
            "SELECT campaign_id, stage, at, sum(messages) FROM course WHERE campaign_id = :campaign "
            "GROUP BY 1, 2, 3 HAVING sum(messages) <> 0"
        ),
    }
    found = {"waiting": _WAITING, "pool": _POOL, "tally": _TALLY, "course": _COURSE}
    return [
        name
        for name, kept in summed.items()
        if _rows(connection, kept, campaign_id) != _rows(connection, found[name], campaign_id)
    ]


def _rows(connection: Connection, query: str, campaign_id: str) -> list[tuple[Any, ...]]:
    rows = connection.execute(_statement(connection, query, _OF_CAMPAIGN), {"campaign": campaign_id})
    return sorted(tuple(int(v) if not isinstance(v, str) else v for v in row) for row in rows)


def _statement(connection: Connection, query: str, chosen: str) -> Any:
    for name, words in {**_TOLD[connection.dialect.name], "chosen": chosen}.items():
        query = query.replace(f"{{{name}}}", words)
    return text(query)
