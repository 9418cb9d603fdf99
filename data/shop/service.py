"""The made-up service: what it answers to a batch, and what it reports of its messages later.

Its short links have 23 characters. It bills one campaign by the carriers' parts, and now and then leaves out
a bill or a report.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

import pandas as pd

from dashboard.campaigns import carrier_parts, count_credits
from dashboard.campaigns.length.links import replace_urls
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.settle import Settlement
from dashboard.service import read_message
from shop.people import People
from shop.year import (
    BUSY_FROM,
    BY_PARTS,
    EVENING,
    FAILING,
    FAILS,
    FAILS_BY_MISTAKE,
    FAILS_IN_THE_EVENING,
    FAILS_WHEN_BUSY,
    FAILS_WITH_LINK,
    LONDON,
    NO_NEWS,
    NOT_BILLED,
    OUTAGE,
    QUICK,
    SLOW,
)

SHORT_LINK = "https://s.example/" + "x" * 5
Report = tuple[datetime, dict[str, object]]
NO_ANSWER = Settlement("unknown", "unknown", detail="The connection broke before the answer came.")
ASKED = ("uuid", "to", "country", "body", "handed_over_at")
UNANSWERED = (3, 6)
"""On the day of the outage: each third batch; of each sixth it turns out that the service had it."""


def answer(claim: Claim, place: int, now: datetime, chance: random.Random) -> Settlement:
    """What becomes of a campaign's `place`-th batch, counted from 1."""
    if now.date() == OUTAGE and place % UNANSWERED[0] == 0:
        return NO_ANSWER
    texts = pd.Series([message.body for message in claim.messages])
    sent = replace_urls(texts, SHORT_LINK)
    by_parts = claim.messages[0].campaign == BY_PARTS
    used = carrier_parts(texts)["carrier_parts"] if by_parts else sent.map(count_credits)
    answers = [
        _message(message.uuid, "pending", now, body=body, **_bill(credits_, chance))
        for message, body, credits_ in zip(claim.messages, sent, used, strict=True)
    ]
    echoed = [message for one in answers if (message := read_message(one))]
    return Settlement("accepted", "accepted", 200, echoed=echoed)


def reports(messages: pd.DataFrame, people: People, chance: random.Random) -> Sequence[Report]:
    """What carriers made of these messages, and when, in any order; some of it never comes.

    Args:
        messages: Those that the service has, with the columns `ASKED`.
        people: Whose numbers were given up.
        chance: Decides the rest.
    """
    told: list[Report] = []
    for uuid, to, country, body, at in messages[list(ASKED)].itertuples(index=False):
        sent_at = at + timedelta(seconds=chance.uniform(1, 30))
        reason = "unknown subscriber" if at >= people.given_up[to] else _failure(country, body, at, chance)
        busy = at.month >= BUSY_FROM
        took = timedelta(seconds=chance.expovariate(1 / (SLOW if busy else QUICK)))
        end = {"failure_reason": reason} if reason else {"delivered_at": _time(sent_at + took)}
        told.append((sent_at, _message(uuid, "sent", at, sent_at=_time(sent_at))))
        last = "failed" if reason else "delivered"
        told.append((sent_at + took, _message(uuid, last, at, sent_at=_time(sent_at), **end)))
    chance.shuffle(told)
    return told[: round(len(told) * (1 - NO_NEWS))]


def _failure(country: str, body: str, at: datetime, chance: random.Random) -> str | None:
    """Why a message to a number in use fails; None if it does not."""
    if at.date() == OUTAGE and country == FAILING:
        return "unreachable"
    if "https:" in body and chance.random() < FAILS_WITH_LINK:
        return "blocked by carrier"
    evening, busy = at.astimezone(LONDON).hour >= EVENING, at.month >= BUSY_FROM
    share = FAILS + FAILS_IN_THE_EVENING * evening + FAILS_WHEN_BUSY * busy
    drawn = chance.random()
    if drawn < FAILS_BY_MISTAKE:
        return "unknown subscriber"
    return "unreachable" if drawn < share else None


def _bill(credits_: int, chance: random.Random) -> dict[str, int]:
    return {} if chance.random() < NOT_BILLED else {"credits_used": int(credits_)}


def _message(uuid: object, status: str, created_at: datetime, **fields: object) -> dict[str, object]:
    return {"uuid": uuid, "status": status, "created_at": _time(created_at), **fields}


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S.%f}Z"
