"""What the made-up service answers, and what it reports of each message afterwards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

import pandas as pd

from dashboard.campaigns import count_credits
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.settle import Settlement
from dashboard.service import read_message

NO_ANSWER = Settlement("unknown", "unknown", detail="The connection broke before the answer came.")
ASKED = ("uuid", "to", "handed_over_at")
FAILS = {"unknown subscriber": 0.025, "unreachable": 0.02, "blocked by carrier": 0.01}
"""How often a message fails for each reason."""
NO_NEWS, SLOW_S = 0.01, 90
"""How many reports never come, and how many seconds delivery takes on average."""


def taken(claim: Claim, now: datetime) -> Settlement:
    """The answer to a batch: every message was taken, with its credits."""
    answers = (
        {
            "uuid": message.uuid,
            "status": "pending",
            "created_at": _time(now),
            "body": message.body,
            "credits_used": count_credits(message.body),
        }
        for message in claim.messages
    )
    return Settlement(
        "accepted", "accepted", 200, echoed=[one for answer in answers if (one := read_message(answer))]
    )


def reports(messages: pd.DataFrame, chance: random.Random) -> Iterator[dict[str, object]]:
    """What became of these messages, which have the columns `ASKED`."""
    reasons, shares = [None, *FAILS], [1 - sum(FAILS.values()), *FAILS.values()]
    for uuid, _to, at in messages[list(ASKED)].itertuples(index=False):
        sent_at = at + timedelta(seconds=chance.uniform(1, 20))
        reached_at = sent_at + timedelta(seconds=chance.expovariate(1 / SLOW_S))
        (reason,) = chance.choices(reasons, shares)
        report = {"uuid": uuid, "created_at": _time(at), "sent_at": _time(sent_at)}
        if chance.random() < NO_NEWS:
            yield report | {"status": "sent"}
        elif reason:
            yield report | {"status": "failed", "failure_reason": reason}
        else:
            yield report | {"status": "delivered", "delivered_at": _time(reached_at)}


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S.%f}Z"
