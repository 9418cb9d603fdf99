"""Freezes a campaign: who gets which text, under which uuid, in which batch. None of it changes afterwards.

One transaction, so a crash leaves the whole campaign or nothing. People who opted out since the list was
cleaned are frozen too, as one batch that is `dropped` and never sent, so that they can be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pandas as pd
from sqlalchemy import Connection, func, insert, select

from dashboard.campaigns import Prices
from dashboard.errors import CampaignError
from dashboard.ledger import pricing, schema
from dashboard.ledger.caps import Caps
from dashboard.ledger.engine import FREEZE, insert_columns, serialize

HOLD = "hold"
"""What `write_messages` notes as handover when messages wait here for their time."""

CHUNK = 20_000
"""Messages inserted at once; keeps the memory of a million-message freeze flat."""

NEEDED = ("row", "to", "body", "credits_low", "credits_high")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is besides its messages; see the table `campaign`."""

    name: str
    batch_size: int
    sender: str | None
    shorten_links: bool
    tracking: str | None
    prices: Prices | None
    currency: str
    source: str | None
    scheduled_at: datetime | None
    token: str | None
    service: str | None = None
    fingerprint: str | None = None
    caps: Caps | None = None


def freeze(connection: Connection, plan: Plan, messages: pd.DataFrame, now: datetime) -> str:
    """Write a campaign and its messages; returns the campaign's id.

    A token that made a campaign before gives that campaign again, so a second click or tab changes nothing.

    Raises:
        CampaignError: There is nothing to send, or the frame is not one of `write_messages`.
    """
    if found := _made_with(connection, plan.token):
        return found
    sendable = _sendable(messages, plan.batch_size)
    serialize(connection, FREEZE)
    if found := _made_with(connection, plan.token):  # by the other tab, while we waited
        return found
    opted_out = sendable["to"].isin(_opted_out(connection)).to_numpy()
    held = messages.attrs.get("handover") == HOLD and "scheduled_at" in sendable
    to_send = sendable[~opted_out]
    price = pricing.price_of_each(to_send, plan.prices)
    places = _order(to_send, price, held=held)
    to_send, price = to_send.iloc[places], price.take(places)
    ordered = pd.concat([to_send, sendable[opted_out]])
    kept = len(to_send)
    first = (
        connection.execute(select(func.coalesce(func.max(schema.campaign.c.last_message), 0))).scalar_one()
        + 1
    )
    campaign_id = uuid4().hex[:12]
    credits_ = ordered[["credits_low", "credits_high"]].to_numpy(dtype="int64")
    cost_low, cost_high = pricing.costs(credits_[:kept], price)
    if plan.caps:
        plan.caps.check(connection, int(credits_[:kept, 1].sum()))
    connection.execute(
        insert(schema.campaign).values(
            id=campaign_id,
            token=plan.token,
            name=plan.name,
            state="scheduled" if plan.scheduled_at else "draft",
            source=plan.source,
            sender=plan.sender,
            shorten_links=plan.shorten_links,
            tracking=plan.tracking,
            batch_size=plan.batch_size,
            price_per_credit=pricing.only_price(price),
            currency=plan.currency,
            cost_low=cost_low,
            cost_high=cost_high,
            first_message=first,
            last_message=first + len(ordered) - 1,
            credits_low=int(credits_[:kept, 0].sum()),
            credits_high=int(credits_[:kept, 1].sum()),
            created_at=now,
            scheduled_at=plan.scheduled_at,
            service=plan.service,
            fingerprint=plan.fingerprint,
        )
    )
    due = _times(to_send) if held else [None] * kept
    starts = _starts(list(zip(due, price.codes.tolist(), strict=True)), plan.batch_size)
    batches = _batches(campaign_id, first, credits_, starts, kept)
    each = pricing.price_of_batches(price, starts)
    for place, batch in enumerate(batches):
        is_sent = place < len(starts)
        batch["due_at"] = due[starts[place]] if is_sent else None
        batch["price_per_credit"] = each[place] if is_sent else None
    connection.execute(insert(schema.batch), batches)
    if texts := _texts(campaign_id, messages):
        connection.execute(insert(schema.campaign_text), texts)
    for chunk in _chunks(ordered, first):
        insert_columns(connection, schema.message, chunk)
    return campaign_id


def _made_with(connection: Connection, token: str | None) -> str | None:
    if token is None:
        return None
    table = schema.campaign
    return connection.execute(select(table.c.id).where(table.c.token == token)).scalar_one_or_none()


def _sendable(messages: pd.DataFrame, batch_size: int) -> pd.DataFrame:
    missing = [column for column in NEEDED if column not in messages]
    if missing:
        raise CampaignError(
            f"A campaign is made from the frame of write_messages; it lacks {', '.join(missing)}."
        )
    if batch_size < 1:
        raise CampaignError("A batch holds at least one message. Set batch_size to 1 or more.")
    sendable = messages[messages["problem"].isna()] if "problem" in messages else messages
    if sendable.empty:
        raise CampaignError(
            "There is no message to send: every row has a problem. Correct the template or the sheet."
        )
    return sendable


def _opted_out(connection: Connection) -> list[str]:
    table = schema.opt_out
    return list(connection.execute(select(table.c.phone).where(table.c.removed_at.is_(None))).scalars())


def _texts(campaign_id: str, messages: pd.DataFrame) -> list[dict[str, Any]]:
    """The templates that the messages were written from, by variant."""
    templates: dict[str, dict[str, Any]] = messages.attrs.get("templates", {})
    return [
        {
            "campaign_id": campaign_id,
            "variant": variant,
            "name": text["campaign"],
            "tracking": text["tracking"],
            "template": text["template"],
            "template_version": text["template_version"],
        }
        for variant, text in templates.items()
    ]


def _order(messages: pd.DataFrame, price: pd.Categorical, *, held: bool) -> npt.NDArray[np.intp]:
    """Places of messages in the order of sending: by time where they are held here, then by price."""
    at = messages["scheduled_at"].to_numpy("int64") if held else np.zeros(len(messages), np.int64)
    return np.lexsort((price.codes, at))  # stable; NaT is the smallest number


def _starts(marks: Sequence[object], size: int) -> list[int]:
    """Where batches of at most `size` messages begin, none with messages of different marks."""
    starts: list[int] = []
    for place, mark in enumerate(marks):
        if not starts or place - starts[-1] == size or mark != marks[place - 1]:
            starts.append(place)
    return starts


def _batches(
    campaign_id: str, first: int, credits_: np.ndarray[Any, Any], starts: list[int], kept: int
) -> list[dict[str, Any]]:
    """The ready batches, and one more for those who are dropped."""
    starts = [*starts, *([kept] if kept < len(credits_) else [])]
    ends = [*starts[1:], len(credits_)]
    sums = np.add.reduceat(credits_, starts, axis=0)
    return [
        {
            "campaign_id": campaign_id,
            "seq": seq,
            "first_message": first + start,
            "last_message": first + end - 1,
            "messages": end - start,
            "credits_low": int(low),
            "credits_high": int(high),
            "state": "ready" if start < kept else "dropped",
            "reason": None if start < kept else "opted out before the campaign was made",
        }
        for seq, (start, end, (low, high)) in enumerate(zip(starts, ends, sums, strict=True))
    ]


def _chunks(messages: pd.DataFrame, first: int) -> Iterator[dict[str, Sequence[Any]]]:
    """The columns of the message rows, numbered, each with a new uuid, so many rows at a time."""
    for start in range(0, len(messages), CHUNK):
        part = messages.iloc[start : start + CHUNK]
        yield {
            "id": range(first + start, first + start + len(part)),
            "uuid": [str(uuid4()) for _ in range(len(part))],
            **{name: _values(part, name) for name in (*NEEDED, "country", "line_type", "variant")},
            "scheduled_at": _times(part),
        }


def _values(part: pd.DataFrame, name: str) -> list[Any]:
    if name not in part:
        return [None] * len(part)
    column = part[name]
    return column.astype(object).where(column.notna(), None).tolist()


def _times(part: pd.DataFrame) -> list[datetime | None]:
    if "scheduled_at" not in part:
        return [None] * len(part)
    return [None if pd.isna(at) else at.to_pydatetime() for at in part["scheduled_at"]]
