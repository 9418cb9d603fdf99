"""The tallies counted again in the database, from the messages.

So they are made at the freeze, after a split and for an older ledger, and so they are checked. What is
counted is a campaign, or some of its batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, func, select, text

from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.tallies.causes import NOT_IN_ANSWER, NOT_SENT
from dashboard.ledger.tallies.tables import (
    ACCEPTED,
    DELIVERED,
    DROPPED,
    DUE_SQL,
    FAILED,
    FOLLOWS,
    LONGEST,
    MEASURES,
    MOMENT,
    QUARTER_SQL,
    ROLLED_UP,
    SENT,
    cell,
    course,
    tally,
)

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
_CHOSEN = "b.state <> 'split' AND {chosen}"
_CELLS = f"SELECT DISTINCT c.id, {_CELL} {_MESSAGES} WHERE {_CHOSEN}"
_STAGE = (
    f"CASE WHEN r.message_id IS NULL THEN {FOLLOWS} WHEN r.state = 'dropped' THEN {DROPPED} "
    f"WHEN r.delivered_at IS NOT NULL THEN {DELIVERED} WHEN r.failure_reason IS NOT NULL THEN {FAILED} "
    f"WHEN r.sent_at IS NOT NULL THEN {SENT} ELSE {ACCEPTED} END"
)
"""By what was said, not by `result.stage`, by which the tallies are kept: so what was counted by one that is
stored wrongly is found. The stage itself stays as it is stored."""
_TALLY = f"""
SELECT k.id cell_id, stage, handed_over, cause, due, reason, batch_id, {", ".join(MEASURES)} FROM (
    SELECT c.id campaign_id, {_CELL}, b.id batch_id, {_STAGE} stage,
        {QUARTER_SQL.format("r.handed_over_at")} handed_over,
        CASE WHEN r.state = 'accepted' THEN coalesce(r.cause, {NOT_IN_ANSWER}) ELSE {NOT_SENT} END cause,
        CASE WHEN {_STAGE} <= {ACCEPTED} THEN {DUE_SQL.format("coalesce(r.scheduled_at, m.scheduled_at)")}
            ELSE 0 END due,
        CASE WHEN {_STAGE} = {FAILED} THEN substr(r.failure_reason, 1, {LONGEST}) ELSE '' END reason,
        count(*) messages, sum(m.credits_low) credits_low, sum(m.credits_high) credits_high,
        sum(coalesce(r.credits_used, 0)) credits_billed,
        sum(CASE r.state WHEN 'accepted' THEN coalesce(nullif(r.credits_used, 0), m.credits_high) ELSE 0 END)
            credits_counted,
        sum(CASE WHEN r.credits_used > m.credits_high THEN r.credits_used - m.credits_high
            WHEN r.credits_used < m.credits_low THEN r.credits_used - m.credits_low ELSE 0 END) difference
    {_MESSAGES} LEFT JOIN {{result}} WHERE {_CHOSEN} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) g
{{cells}} k ON k.campaign_id = g.campaign_id AND k.country = g.country AND k.line_type = g.line_type
    AND k.variant = g.variant AND k.price = g.price
"""  # noqa: S608 - words of ours
_COURSE = f"""
WITH own AS (SELECT c.id campaign_id, b.id batch_id, {_STAGE} stage, r.sent_at, r.delivered_at, r.failed_at
    {_MESSAGES} {{cross}} JOIN {{result}} WHERE {_CHOSEN}),
happened AS (
    SELECT campaign_id, batch_id, {SENT} stage, coalesce(sent_at,
            CASE stage WHEN {DELIVERED} THEN delivered_at WHEN {FAILED} THEN failed_at END) AS at
        FROM own WHERE stage BETWEEN {SENT} AND {DELIVERED}
    UNION ALL SELECT campaign_id, batch_id, stage, failed_at FROM own WHERE stage = {FAILED}
    UNION ALL SELECT campaign_id, batch_id, stage, delivered_at FROM own WHERE stage = {DELIVERED})
SELECT campaign_id, stage, at / {MOMENT} * {MOMENT} AS at, batch_id, count(*) messages FROM happened
WHERE at IS NOT NULL GROUP BY 1, 2, 3, 4
"""  # noqa: S608 - words of ours
_COUNTED = {tally: _TALLY, course: _COURSE}
_OF_CAMPAIGN, _OF_BATCHES = "c.id = :campaign", "c.id = :campaign AND b.id IN :batches"
KEPT = {
    tally: "cell_id IN (SELECT id FROM cell WHERE campaign_id = :campaign)",
    course: "campaign_id = :campaign",
}
_LAST_CELL = select(func.coalesce(func.max(cell.c.id), 0)).scalar_subquery()


def count_frozen(connection: Connection, campaign_id: str) -> None:
    """Count a campaign that has just been frozen."""
    into = "INSERT INTO cell (campaign_id, country, line_type, variant, price)"
    for statement in (f"{into} {_CELLS}", f"INSERT INTO tally {_TALLY}"):
        connection.execute(_statement(connection, statement, _OF_CAMPAIGN), {"campaign": campaign_id})


def divide(connection: Connection, batch: Any, parts: Sequence[int]) -> None:
    """Count in its parts what was counted in a batch."""
    connection.execute(delete(tally).where(tally.c.batch_id == batch.id))
    if batch.accepted:  # or nothing has happened to it: its whole campaign is looked through
        its_own = (course.c.campaign_id == batch.campaign_id) & (course.c.batch_id == batch.id)
        connection.execute(delete(course).where(its_own))
    for table, query in _COUNTED.items():
        counted = _statement(connection, f"INSERT INTO {table.name} {query}", _OF_BATCHES)
        for some in chunks(parts):
            chosen = {"campaign": batch.campaign_id, "batches": some}
            connection.execute(counted.bindparams(bindparam("batches", expanding=True)), chosen)


def mend(connection: Connection, campaign_id: str) -> None:
    """Make all tallies of a campaign again; the caller saw to it that nobody else changes a message of it."""
    of_campaign = {"campaign": campaign_id}
    for table, which in KEPT.items():
        connection.execute(text(f"DELETE FROM {table.name} WHERE {which}"), of_campaign)  # noqa: S608 - words of ours
    connection.execute(delete(cell).where(cell.c.campaign_id == campaign_id))
    its_own = select(schema.batch.c.id).where(schema.batch.c.campaign_id == campaign_id)
    for without_cell in (tally.c.batch_id.in_(its_own), tally.c.cell_id > _LAST_CELL):
        connection.execute(delete(tally).where(without_cell))  # or the next cell gets what has its number
    count_frozen(connection, campaign_id)
    connection.execute(_statement(connection, f"INSERT INTO course {_COURSE}", _OF_CAMPAIGN), of_campaign)


def wrong(connection: Connection, campaign_id: str) -> list[str]:
    """The tables whose rows are not what a recount of the campaign's messages finds."""
    found = []
    for table, query in _COUNTED.items():
        kept = f"SELECT * FROM {table.name} WHERE {KEPT[table]}"  # noqa: S608 - words of ours
        differ = _statement(connection, _differ(table, kept, query), _OF_CAMPAIGN, "LEFT JOIN cell")
        if connection.execute(differ, {"campaign": campaign_id}).scalar_one():
            found.append(table.name)
    return found


def _differ(table: Table, *both: str) -> str:
    """Whether the rows of two queries differ: batch by batch, or together once they are rolled up."""
    *keys, batch = (column.name for column in table.primary_key)
    sums = [f"sum({column.name})" for column in table.columns if not column.primary_key]
    rolled = f"EXISTS (SELECT 1 FROM {table.name} WHERE {KEPT[table]} AND {batch} = {ROLLED_UP})"  # noqa: S608 - words of ours
    together = f"CASE WHEN stage <> {FOLLOWS} AND {rolled} THEN {ROLLED_UP} ELSE {batch} END"
    selected = ", ".join((*keys, together, *sums))
    grouped = f"GROUP BY {', '.join(str(place + 1) for place in range(len(keys) + 1))}"
    counted = f"HAVING {' OR '.join(f'{one} <> 0' for one in sums)}"
    one, other = (f"SELECT {selected} FROM ({query}) q {grouped} {counted}" for query in both)  # noqa: S608 - as above
    return (
        f"WITH one AS ({one}), other AS ({other}) "  # noqa: S608 - as above
        "SELECT EXISTS (SELECT * FROM one EXCEPT SELECT * FROM other) "
        "OR EXISTS (SELECT * FROM other EXCEPT SELECT * FROM one)"
    )


def _statement(connection: Connection, query: str, chosen: str, cells: str = "JOIN cell") -> Any:
    for name, words in {**_TOLD[connection.dialect.name], "chosen": chosen, "cells": cells}.items():
        query = query.replace(f"{{{name}}}", words)
    return text(query)
