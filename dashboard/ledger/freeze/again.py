"""The same again: earlier campaigns that sent, or will send, the same texts to the same people.

A job that is run a second time must not text everybody twice. The list need not be exactly the same: people
who opted out after the first time are missing from the second. So texts are compared person by person,
however the templates are spelled and however many campaigns had some of them; a campaign whose texts were
deleted still has its fingerprint. Blanks at a text's end make no other text.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
from sqlalchemy import Connection, Row, func, or_, select

from dashboard.campaigns import content_fingerprint
from dashboard.contacts.categories import subscribers_of
from dashboard.errors import SentBeforeError
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import as_stored
from dashboard.ledger.database.secret import known_secret
from dashboard.ledger.database.states import MAY_HAVE_BEEN_SENT
from dashboard.ledger.frames.arrow.tables import ROWS_AT_ONCE, read_parts
from dashboard.ledger.frames.typed import frame
from dashboard.words import _, count, day_and_time

SHARE = 0.5
"""From this share on, a campaign is refused: a daily list always meets some of the same people again."""

FINGERPRINTS = "fingerprints"
"""The ledger's secret for `content_fingerprint`."""

HALF = 32
"""Of the hexadecimal digits of a digest; a campaign's fingerprint is made of two halves."""

_Marks = npt.NDArray[np.uint64]
_Places = npt.NDArray[np.intp]
_TEXT = pa.schema([("to", pa.string()), ("body", pa.string())])


def fingerprint_of(chosen: pd.DataFrame, key: bytes) -> str:
    """The fingerprint of who gets which text: half of what `content_fingerprint` gives."""
    texts = map(str, chosen["template"].str.rstrip().unique())
    return content_fingerprint(chosen["to"], texts, key=key)[:HALF]


class Comparison:
    """Messages beside those of earlier campaigns.

    Each campaign is read once, however often this is asked: what was frozen never changes. So the long work
    can be done before anything is locked; within the lock only what was made meanwhile is read.

    Args:
        chosen: MESSAGES without those that have a problem.
    """

    def __init__(self, chosen: pd.DataFrame) -> None:
        body = chosen["body"].str.rstrip()
        parts = [slice(start, start + ROWS_AT_ONCE) for start in range(0, len(chosen), ROWS_AT_ONCE)]
        marks = [_marks(chosen["to"].iloc[part], body.iloc[part]) for part in parts]
        self._chosen = chosen
        self._beginning = _beginning(body) if parts else ""
        self._marks, self._counts = np.unique(
            np.concatenate(marks) if marks else np.array([], np.uint64), return_counts=True
        )
        self._shared: dict[str, _Places] = {}

    def campaigns(self, connection: Connection, since: datetime) -> pd.DataFrame:
        """Campaigns made since then that sent, or will send, some of these messages.

        The newest comes first. A message in several campaigns counts for the newest of them; a campaign whose
        whole share is in newer ones is left out.
        """
        left = self._counts.copy()
        found: list[tuple[Any, ...]] = []
        for campaign in _candidates(connection, since):
            if not left.any():
                break
            shared = self._shared_with(connection, campaign)
            if same := int(left[shared].sum()):
                found.append((campaign.id, campaign.name, campaign.state, same, campaign.created_at))
            left[shared] = 0
        return frame("Ledger.same_campaigns(...)", found)

    def refuse(self, connection: Connection, since: datetime) -> None:
        """Refuse these messages if at least half of them were sent since then, or will be.

        Raises:
            SentBeforeError: At least half were; the sentence names the newest campaign.
        """
        same = self.campaigns(connection, since)
        if is_same(same, len(self._chosen)):
            raise sent_before(same, len(self._chosen))

    def _shared_with(self, connection: Connection, campaign: Row[Any]) -> _Places:
        """Which of the marks a campaign has too."""
        if campaign.id not in self._shared:
            read = self._read if campaign.forgotten_at is None else self._recognise
            self._shared[campaign.id] = np.flatnonzero(read(connection, campaign))
        return self._shared[campaign.id]

    def _read(self, connection: Connection, campaign: Row[Any]) -> npt.NDArray[np.bool_]:
        is_shared = np.zeros(len(self._marks), bool)
        for part in _texts_of(connection, campaign, self._beginning):
            if len(part):
                theirs = part.to_pandas()
                marks = np.sort(_marks(theirs["to"], theirs["body"].str.rstrip()))
                places = np.searchsorted(self._marks[:-1], marks)
                is_shared[places[self._marks[places] == marks]] = True
        return is_shared

    def _recognise(self, connection: Connection, campaign: Row[Any]) -> npt.NDArray[np.bool_]:
        """All or none of a campaign whose texts were deleted, by its fingerprint."""
        key = known_secret(connection, FINGERPRINTS)
        is_same = key is not None and str(campaign.fingerprint)[:HALF] == fingerprint_of(self._chosen, key)
        return np.full(len(self._marks), is_same)


def is_same(same: pd.DataFrame, messages: int) -> bool:
    """Whether earlier campaigns, as `same_campaigns` found them, have at least half of so many messages."""
    return not same.empty and bool(same["messages"].sum() >= SHARE * messages)


def sent_before(same: pd.DataFrame, messages: int) -> SentBeforeError:
    """The refusal that names the newest of these campaigns; `messages` is how many would have been sent."""
    newest = same.iloc[0]
    sentence = _(
        "{same} of these {messages} messages are the same text to the same person as in the campaign "
        "“{name}” ({campaign}) of {time} UTC, which is {state}."
    )
    if len(same) > 1:
        sentence = _(
            "{same} of these {messages} messages are the same text to the same person as in {campaigns} "
            "campaigns; the newest is “{name}” ({campaign}) of {time} UTC, which is {state}."
        )
    return SentBeforeError(
        sentence.format(
            same=count(same["messages"].sum()),
            campaigns=count(len(same)),
            messages=count(messages),
            name=newest["name"],
            campaign=newest["campaign"],
            time=day_and_time(newest["created_at"].to_pydatetime()),
            state=newest["state"],
        ),
        str(newest["campaign"]),
        str(newest["state"]),
    )


def _candidates(connection: Connection, since: datetime) -> list[Row[Any]]:
    """Campaigns of which something was sent or will be sent."""
    table, batch = schema.campaign, schema.batch
    is_sent = select(batch.c.id).where(
        batch.c.campaign_id == table.c.id, or_(batch.c.state.in_(MAY_HAVE_BEEN_SENT), batch.c.accepted > 0)
    )
    query = (
        select(
            *as_stored(table, "id", "name", "state", "created_at", "fingerprint", "forgotten_at"),
            *as_stored(table, "first_message", "last_message"),
        )
        .where(table.c.created_at >= since, is_sent.exists())
        .order_by(table.c.first_message.desc())
    )
    return list(connection.execute(query))


def _beginning(body: pd.Series) -> str:
    """The common beginning of these texts; the database leaves out all others, which is much faster."""
    first, last = str(body.min()), str(body.max())
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(letter for letter, _other in same)


def _texts_of(connection: Connection, campaign: Row[Any], beginning: str) -> Iterator[pa.Table]:
    message = schema.message
    query = select(message.c.to, message.c.body)
    if beginning:
        query = query.where(func.substr(message.c.body, 1, len(beginning)) == beginning)
    first, last = campaign.first_message, campaign.last_message
    starts = range(first, last + 1, ROWS_AT_ONCE)
    ends = ((start, min(start + ROWS_AT_ONCE - 1, last)) for start in starts)
    return read_parts(connection, (query.where(message.c.id.between(*pair)) for pair in ends), _TEXT)


def _marks(to: pd.Series, body: pd.Series) -> _Marks:
    """A number that identifies who gets which text, however the phone is spelled."""
    pairs = pd.DataFrame({"to": subscribers_of(to.astype("str")), "body": body.astype("str").array})
    return np.asarray(pd.util.hash_pandas_object(pairs, index=False, categorize=False), np.uint64)
