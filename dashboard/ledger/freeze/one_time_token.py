"""The one-time token of a page or call: what it made before, and whether that is what is asked for now.

A second click, a second tab or a call repeated after a crash asks for the same and gets the same campaign.
But a draft may be frozen and its start refused, and its text, people or times be changed before it is sent
again. Then the campaign frozen first must not go out in place of what the person sees. As long as it was
never started, no batch of it was claimed, and none can be while its row is locked: so it is cancelled, and
the token makes another. If it was started, nothing is taken back, and nothing more is sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pandas as pd
import pyarrow as pa
from sqlalchemy import Connection, Row, select, update

from dashboard.campaigns import Handover, SentWith
from dashboard.errors import CampaignError
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.database.locks import campaign_row
from dashboard.ledger.frames.arrow.tables import ROWS_AT_ONCE, read_parts
from dashboard.ledger.freeze.layout import AT_ONCE
from dashboard.ledger.optouts import opted_out
from dashboard.ledger.outbox import control
from dashboard.words import _

REPLACED_REASON = "Its draft was changed and sent again before this campaign was started."

_AS_FROZEN = {"ready", "dropped", "cancelled"}
"""States of batches of which nothing was ever sent."""

_MESSAGE = pa.schema(
    [("to", pa.string()), ("body", pa.string()), ("variant", pa.string()), ("at", pa.int64())]
)
_campaign, _batch, _text, _message = (
    each.c for each in (schema.campaign, schema.batch, schema.campaign_text, schema.message)
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for with a token.

    Attributes:
        name: The campaign's name.
        chosen: The messages, as returned by `sendable`.
        sent: What is sent with them.
        scheduled_at: When the campaign starts by itself.
        fingerprint: Who gets which text, as `fingerprint_of` marks it.
        compared: Whether the campaigns read so far have the same messages. Frozen messages never change, so
            what was read before anything was locked is not read again within the lock.
    """

    name: str
    chosen: pd.DataFrame
    sent: SentWith
    scheduled_at: datetime | None
    fingerprint: str | None
    compared: dict[str, bool] = field(default_factory=dict)


def made_with(connection: Connection, token: str | None, asked: Asked) -> str | None:
    """The campaign that this token has already made, if it is what is asked for.

    Same are the texts, the people, the times and the rest of what is sent. Prices, credits, batches and
    people who opted out in the meantime do not count.
    """
    found = _found(connection, token)
    return str(found.id) if found is not None and _is_same(connection, found, asked) else None


def make_room(connection: Connection, token: str | None, now: datetime) -> None:
    """Take the token from the campaign that it made, which is not what is asked for; cancel that campaign.

    Raises:
        CampaignError: It was started, or in an older copy may have been.
    """
    found = _found(connection, token)
    if found is None:
        return
    earlier = campaign_row(connection, found.id, "change")
    states = select(_batch.state).where(_batch.campaign_id == earlier.id).distinct()
    if earlier.started_at is not None or set(connection.execute(states).scalars()) - _AS_FROZEN:
        raise CampaignError(
            _(
                "This was sent before, with other text, people or times, as the campaign “{name}” "
                "({campaign}), which is {state}. Nothing more was sent. Open that campaign's page to follow "
                "or cancel it; to send this as well, start a new campaign."
            ).format(name=earlier.name, campaign=earlier.id, state=earlier.state)
        )
    if earlier.state != "cancelled":
        control.cancel(connection, earlier.id, REPLACED_REASON, now)
    connection.execute(update(schema.campaign).where(_campaign.id == earlier.id).values(token=None))


def _found(connection: Connection, token: str | None) -> Row[Any] | None:
    if token is None:
        return None
    return connection.execute(select(schema.campaign).where(_campaign.token == token)).one_or_none()


def _is_same(connection: Connection, made: Row[Any], asked: Asked) -> bool:
    sent = asked.sent
    if (made.name, made.sender, made.shorten_links) != (asked.name, sent.sender, sent.shorten_links):
        return False
    if made.scheduled_at != asked.scheduled_at or _texts(connection, made.id) != _texts_of(sent):
        return False
    if made.forgotten_at is not None:  # whom it texted is not known any more
        return bool(made.fingerprint == asked.fingerprint)
    if not _same_hours(connection, made, asked):
        return False
    if made.id not in asked.compared:
        asked.compared[made.id] = _same_messages(connection, made, asked.chosen)
    return asked.compared[made.id]


def _texts(connection: Connection, campaign_id: str) -> set[tuple[str | None, ...]]:
    query = select(_text.variant, _text.name, _text.tracking, _text.template)
    return {tuple(row) for row in connection.execute(query.where(_text.campaign_id == campaign_id))}


def _texts_of(sent: SentWith) -> set[tuple[str | None, ...]]:
    return {(text.variant, text.campaign, text.tracking, text.template) for text in sent.texts}


def _same_hours(connection: Connection, made: Row[Any], asked: Asked) -> bool:
    """Whether they may be texted within the same hours, and wait for their times at the same place."""
    query = select(_batch.due_at.is_not(None), _batch.texting_hours).distinct()
    frozen = connection.execute(query.where(_batch.campaign_id == made.id, _batch.state != "dropped"))
    listed = opted_out(connection, asked.chosen["to"])
    kept = asked.chosen[~asked.chosen["to"].isin(list(listed))]
    held = kept["scheduled_at"].notna() & (asked.sent.handover == Handover.HOLD)
    wanted = set(zip(held.tolist(), kept["texting_hours"].astype("str").tolist(), strict=True))
    stored = {(bool(is_held), hours or "") for is_held, hours in frozen}
    if made.started_at is not None:  # sending puts batches off until their hours begin
        return {hours for _held, hours in stored} == {hours for _held, hours in wanted}
    return stored == wanted


def _same_messages(connection: Connection, made: Row[Any], chosen: pd.DataFrame) -> bool:
    if made.last_message - made.first_message + 1 != len(chosen):
        return False
    query = select(_message.to, _message.body, _message.variant, in_microseconds(_message.scheduled_at))
    starts = range(made.first_message, made.last_message + 1, ROWS_AT_ONCE)
    ends = ((start, min(start + ROWS_AT_ONCE - 1, made.last_message)) for start in starts)
    parts = read_parts(connection, (query.where(_message.id.between(*pair)) for pair in ends), _MESSAGE)
    frozen = pd.concat([_marks(part.to_pandas()) for part in parts])
    asked = _marks(chosen.assign(at=chosen["scheduled_at"].to_numpy("int64")))
    return bool((frozen.sort_values().to_numpy() == asked.sort_values().to_numpy()).all())


def _marks(messages: pd.DataFrame) -> pd.Series:
    """A number that identifies who gets which text, of which variant, and when."""
    told = {name: messages[name].astype("str").fillna("") for name in ("to", "body", "variant")}
    at = messages["at"].fillna(AT_ONCE).astype("int64")
    return pd.util.hash_pandas_object(pd.DataFrame({**told, "at": at}), index=False, categorize=False)
