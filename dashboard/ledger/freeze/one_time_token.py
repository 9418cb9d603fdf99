"""The one-time token of a page or call: what it made before, and that nothing else is made with it.

As with the idempotency keys of payment services: a second click, a second tab or a call repeated after a
crash asks for the same and gets the same campaign, whatever became of it; with anything else, a token that
has made a campaign is refused. So is a start of what was only prepared, as long as it is a draft: the call
would end well and nothing be sent. What was asked for is kept as a digest, beside who gets which text.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime

import pandas as pd
from sqlalchemy import Connection, select

from dashboard.campaigns import SentWith
from dashboard.errors import CampaignError
from dashboard.ledger.database import schema
from dashboard.ledger.freeze.again import HALF, fingerprint_of
from dashboard.words import _

_WORDS = ["to", "body", "variant", "texting_hours"]
_OF_A_MESSAGE = [*_WORDS, "scheduled_at"]


def asked_for(
    name: str, chosen: pd.DataFrame, sent: SentWith, scheduled_at: datetime | None, key: bytes
) -> str:
    """The fingerprint of all that is asked for; its first half is that of who gets which text.

    The texts, the people, the times and the rest of what is sent count. Prices, credits, batches and people
    who opted out since do not. The messages are as returned by `sendable`, the key is the ledger's secret.
    """
    told = {name: chosen[name].astype("str").fillna("").array for name in _WORDS}
    messages = chosen[_OF_A_MESSAGE].assign(**told)
    each = pd.util.hash_pandas_object(messages, index=False, categorize=False).sort_values()
    at = scheduled_at and scheduled_at.astimezone(UTC).isoformat()
    texts = sorted(map(repr, sent.texts))
    of_all = repr((name, sent.sender, sent.shorten_links, str(sent.handover), texts, at))
    asked = hmac.digest(key, of_all.encode() + each.to_numpy().tobytes(), "sha256")
    return fingerprint_of(chosen, key) + asked.hex()[:HALF]


def already_made(
    connection: Connection, token: str | None, fingerprint: str | None, *, starts: bool
) -> str | None:
    """The campaign that this token has already made; None if it has made none.

    The fingerprint is that of what is asked for now, as `asked_for` makes it.

    Raises:
        CampaignError: Something else was asked for, or it is to start and was only prepared.
    """
    campaign = schema.campaign.c
    query = select(campaign.id, campaign.name, campaign.state, campaign.fingerprint)
    made = connection.execute(query.where(campaign.token == token)).one_or_none() if token else None
    if made is None:
        return None
    if made.fingerprint != fingerprint:
        raise CampaignError(
            _(
                "This has already become the campaign “{name}”, with another name, text, people or times. "
                "Nothing more was sent. Open that campaign to follow or cancel it. To send this as well, "
                "start a new campaign."
            ).format(name=made.name)
        )
    if starts and made.state == "draft" and _was_prepared(connection, made.id):
        raise CampaignError(
            _(
                "This has already become the campaign “{name}” ({campaign}), which was prepared and not "
                "started. Nothing was sent. Start it on its page, with `python -m dashboard start "
                '{campaign}` or, in a program, with ledger.start("{campaign}").'
            ).format(name=made.name, campaign=made.id)
        )
    return str(made.id)


def _was_prepared(connection: Connection, campaign: str) -> bool:
    """Whether it was made to be started later; otherwise a draft waits for the approval it asked for."""
    audit = schema.audit.c
    asked = select(audit.number).where(audit.about == campaign, audit.what == "ask approval").limit(1)
    return connection.execute(asked).first() is None
