"""What must hold after every step: the ledger's rows against the model's books.

The rows are read with a few statements as text and compared in plain Python, which shares no code with the
ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from simulation import tallies
from simulation.model import Model, Text
from simulation.promises import hold

CAMPAIGNS = "SELECT id, state, reason, forgotten_at FROM campaign ORDER BY first_message"
BATCHES = (
    "SELECT id, campaign_id, first_message, last_message, messages, credits_low, credits_high, state, "
    "accepted, dropped, first_claimed_at FROM batch "
    "WHERE state <> 'split' ORDER BY first_message"
)
MESSAGES = (
    'SELECT m.id, m.uuid, m."to", m.body, m.credits_low, m.credits_high, r.state, r.sent_at, r.delivered_at, '
    "r.failure_reason, r.credits_used, r.stage FROM message m LEFT JOIN result r ON r.message_id = m.id "
    "ORDER BY m.id"
)
EVENTS = "SELECT message_id, stage, at, status, failure_reason FROM event"
FIVE_MINUTES = 300_000_000
MOVES = {
    ("running", "done"),
    ("running", "paused"),
    ("paused", "done"),
    ("scheduled", "running"),
    ("scheduled", "paused"),
    ("scheduled", "done"),
}


class Rows(NamedTuple):
    """A ledger's rows, in the order of their messages."""

    campaigns: Sequence[Any]
    batches: Sequence[Any]
    messages: Sequence[Any]


def read(raw: Any) -> Rows:
    """The rows now, once what figures are added up from agrees with them: that depends on nothing else."""
    tallies.check(raw)
    return Rows(*(raw.execute(query).fetchall() for query in (CAMPAIGNS, BATCHES, MESSAGES)))


def check(rows: Rows, model: Model) -> None:
    """Every invariant of the rows."""
    campaigns, batches, messages = rows
    hold("frozen", [row[0] for row in campaigns] == [*model.known.rows], "campaigns came or went")
    place, of_campaign = 0, Counter[str]()
    at = 0
    for batch in batches:
        mine = messages[at : at + batch[4]]
        at += batch[4]
        is_whole = mine and mine[0][0] == batch[2] and mine[-1][0] == batch[3] and batch[2] > place
        hold("count", is_whole, f"batch {batch[0]} does not hold its messages")
        place = batch[3]
        of_campaign[batch[1]] += batch[4]
        check_sums(batch, mine)
        check_batch(model, batch, mine)
    hold("count", at == len(messages), "messages without a batch")
    states: dict[str, set[str]] = {row[0]: set() for row in campaigns}
    for batch in batches:
        states[batch[1]].add(batch[7])
    for row in campaigns:
        check_campaign(model, row, states[row[0]], of_campaign[row[0]])
    model.moved = set()


def check_campaign(model: Model, row: Any, states: set[str], messages: int) -> None:
    campaign, state, reason = row[0], row[1], row[2]
    known = model.known
    hold("count", messages == len(known.rows[campaign]), f"{messages} messages in batches")
    hold("why", state != "paused" or reason, "paused without a reason")
    check_move(model, campaign, known.campaigns[campaign], state)
    known.campaigns[campaign] = state
    if state in {"done", "cancelled"}:
        hold("open", "ready" not in states, f"{state} with something ready")
        hold("open", state == "cancelled" or "sending" not in states, "done with something on its way")
    hold("forgotten", (row[3] is not None) == (campaign in known.forgotten), "not what was asked")


def check_move(model: Model, campaign: str, before: str, after: str) -> None:
    if before == after or model.moved is None:
        return
    allowed = (before, after) in MOVES or (campaign, before, after) in model.moved
    hold("move", allowed, f"from {before} to {after}")


def check_sums(batch: Any, mine: list[Any]) -> None:
    states = Counter(row[6] for row in mine)
    low, high = (sum(row[place] for row in mine) for place in (4, 5))
    found = (low, high, states["accepted"], states["dropped"])
    hold("sums", found == tuple(batch[5:7] + batch[8:10]), f"batch {batch[0]} ({batch[7]}): {found}, {batch}")


def check_batch(model: Model, batch: Any, mine: list[Any]) -> None:
    """Each message against what is known of it."""
    known, opened = model.known, False
    for row in mine:
        uuid, own = row[1], row[6]
        text = known.texts.get(uuid)
        hold("frozen", text and text.campaign == batch[1], "a message that nobody froze")
        check_text(model, text, row)
        state = own or batch[7]
        opened |= own is None
        if uuid in known.said:
            hold("proof", own == "accepted", f"is {state}")
        elif state == "accepted":
            hold("unproved", uuid in known.agreed, "accepted")
        if state == "ready":
            hold("twice", known.free[uuid], "ready again")
            hold("opt-out", text.to not in known.opted, "ready")
        elif state == "dropped":
            hold("dropped", text.to in known.ever, "never on the list")
        if state in {"rejected", "cancelled", "dropped"}:
            hold("doubt", uuid not in known.resent, f"is {state}")
    if batch[7] in {"ready", "unknown"}:
        hold("open", opened, f"batch {batch[0]} is {batch[7]} with nothing in it")


def check_text(model: Model, text: Text | None, row: Any) -> None:
    if text is None:
        return
    hold("frozen", (row[0], row[4], row[5]) == (text.id, text.low, text.high), "number or estimate")
    if text.campaign in model.known.forgotten:
        hold("forgotten", row[2] == "" and row[3] == "", "still there")
    else:
        hold("frozen", (row[2], row[3]) == (text.to, text.body), "number or text")


def check_said(raw: Any, rows: Rows, model: Model) -> None:
    """What is known of each message is the first and the most of what was said; all that was said is kept."""
    said, ids = model.known.said, {text.id: uuid for uuid, text in model.known.texts.items()}
    claimed = {batch[2]: batch[10] for batch in rows.batches}
    since: int | None = None
    for row in rows.messages:
        since = claimed.get(row[0], since)
        if not (all_ := said.get(row[1])):
            continue
        told = {
            name: [one[name] for one in all_ if one[name] is not None]
            for name in ("sent_at", "delivered_at", "credits_used", "stage")
        }
        most = (
            *(first_since(told[name], since) for name in ("sent_at", "delivered_at")),
            *(max(told[name], default=None) for name in ("credits_used", "stage")),
        )
        hold("merged", most == (row[7], row[8], row[10], row[11]), f"{row[7:]} instead of {most}")
        last = {one["failure_reason"] for one in all_ if one["stage"] == row[11]}
        hold("merged", row[9] in last, "another reason")
    kept = {(ids.get(row[0]), *row[1:]) for row in raw.execute(EVENTS).fetchall()}
    told = {(uuid, *one["event"]) for uuid, all_ in said.items() for one in all_}
    hold("history", kept == told, f"{len(kept - told)} too many, {len(told - kept)} missing")


def first_since(times: Sequence[int], claimed: int | None) -> int | None:
    """The first from five minutes before the claim on, or else the last before; in microseconds."""
    believed = [at for at in times if claimed is None or at >= claimed - FIVE_MINUTES]
    return min(believed, default=max(times, default=None))
