"""Learn how long a service's short links are, from the texts it returns or from what it bills.

A returned text shows the length. A bill of c credits for `fixed + k * length` characters only narrows it
down: one credit means at most 160 characters, c credits mean 153 * (c - 1) + 1 to 153 * c. A few answers are
enough, since many texts are close to the limit of a credit: 300 leave a length or two.

When no length fits every answer, the service bills something other than the contract says, and the result
says what.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.campaigns.frame_check import checks_frames
from dashboard.campaigns.length.carriers import carrier_parts
from dashboard.campaigns.length.credits import PART, SINGLE, credits_of
from dashboard.campaigns.length.links import LinkLength, Links, count_links, replace_urls, url_spans
from dashboard.campaigns.length.measures import Ints, measure
from dashboard.campaigns.length.normal import as_text_column, normal_column
from dashboard.words import N_, _, plural

_LONGEST_LINK = 100
_ROWS_TO_EXPLAIN_WITH = 1000


class Evidence(StrEnum):
    """What a length is based on."""

    ASSUMED = "assumed"
    CREDITS = "credits"
    BODIES = "bodies"


class Contradiction(StrEnum):
    """What the service bills instead of the contract's characters with short links."""

    ORIGINAL_TEXT = "original_text"
    ENCODING = "encoding"
    UNEXPLAINED = "unexplained"


_SENTENCES = {
    Contradiction.ORIGINAL_TEXT: N_(
        "The service bills the original text: each link counts as it was written, although a short one is "
        "sent."
    ),
    Contradiction.ENCODING: N_(
        "The service bills by an encoding, as carriers do: characters outside the GSM alphabet cost more "
        "than the contract says."
    ),
    Contradiction.UNEXPLAINED: N_(
        "No short-link length fits all bills, and neither the original text nor the carriers' encoding "
        "explains them. Ask the service how it counts."
    ),
}


@dataclass(frozen=True)
class LearnedLinks:
    """What is known about a service's short links.

    Attributes:
        length: Their length, for `write_messages(..., short_link=...)`.
        evidence: What it is based on.
        answers: How many messages it is based on.
        host: Where the short links lead, such as "s.example"; None until a returned text has shown one.
        contradiction: How bills differ from the contract; None while they agree.
    """

    length: LinkLength
    evidence: Evidence
    answers: int
    host: str | None = None
    contradiction: Contradiction | None = None

    @property
    def sentence(self) -> str:
        """How certain it is, in words."""
        low, high = self.length.low, self.length.high
        if self.contradiction:
            return _(_SENTENCES[self.contradiction])
        characters = f"{low}" if low == high else _("{low} to {high}").format(low=low, high=high)
        if self.evidence is Evidence.ASSUMED:
            return _(
                "The length of the service's short links is not known yet; it is assumed to be {characters}."
            ).format(characters=characters)
        if self.evidence is Evidence.BODIES:
            return plural(
                self.answers,
                "Short links have {characters} characters, as {count} returned text shows.",
                "Short links have {characters} characters, as {count} returned texts show.",
                characters=characters,
            )
        return plural(
            self.answers,
            "Short links have {characters} characters: {count} bill allows nothing else.",
            "Short links have {characters} characters: {count} bills allow nothing else.",
            characters=characters,
        )


@dataclass(frozen=True)
class _Bills:
    """Billed messages: their texts, and how many of their characters are links."""

    texts: pa.Array
    characters: Ints
    links: Links
    credits: Ints


@checks_frames
def learn_link_length(messages: pd.DataFrame, *, known: LearnedLinks | None = None) -> LearnedLinks:
    """Learn the length of short links from the service's answers.

    Args:
        messages: Messages of campaigns with short links, as `Ledger.messages` gives them: body, sent_body
            (missing where the text is sent unchanged) and credits_billed (missing where the service does not
            say).
        known: What was learned from earlier messages.

    Returns:
        The length, the evidence for it, and whether the bills contradict the contract.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> body = "a" * 135 + " https://example.com/a/long/address"
        >>> bills = pd.DataFrame({"body": [body], "sent_body": [None], "credits_billed": [1]})
        >>> learn_link_length(bills).length.high
        24
    """
    bills = _bills(messages)
    fitting = _fitting(bills)
    learned = _from_bodies(messages) or _from_bills(bills, fitting, known)
    if fitting is not None and (learned.evidence is Evidence.ASSUMED or _common(learned.length, fitting)):
        return learned
    contradiction = _explanation(bills)
    as_written = contradiction is Contradiction.ORIGINAL_TEXT
    return replace(
        learned, contradiction=contradiction, length=replace(learned.length, as_written=as_written)
    )


def _from_bodies(messages: pd.DataFrame) -> LearnedLinks | None:
    """What returned texts show: a link's length is the text's length without the rest of our text."""
    changed = messages[messages["sent_body"].notna()]
    sent = normal_column(as_text_column(changed["sent_body"]))
    texts = normal_column(as_text_column(changed["body"]))
    characters = measure(texts).of_length(len(texts)).characters
    links = count_links(texts, characters)
    total = measure(sent).of_length(len(sent)).characters - (characters - links.characters)
    shows = (links.count > 0) & (total >= links.count)
    if not shows.any():
        return None
    each = total[shows] / links.count[shows]
    first = int(np.flatnonzero(shows)[0])
    return LearnedLinks(
        LinkLength(int(np.floor(each.min())), int(np.ceil(each.max()))),
        Evidence.BODIES,
        int(shows.sum()),
        _host(texts[first].as_py(), sent[first].as_py()),
    )


def _host(text: str, sent: str) -> str:
    start, _end = url_spans(text)[0]
    scheme, _sign, address = sent[start:].partition("://")
    return re.split(r"[/\s]", address if scheme.lower() in {"http", "https"} else sent[start:])[0]


def _from_bills(bills: _Bills, fitting: LinkLength | None, known: LearnedLinks | None) -> LearnedLinks:
    before = known or LearnedLinks(LinkLength(), Evidence.ASSUMED, 0)
    told = int((bills.links.count > 0).sum())
    if fitting is None or not told:
        return before
    common = _common(before.length, fitting)
    was_shown = common is not None and before.evidence is Evidence.BODIES
    return replace(
        before,
        length=common or fitting,
        evidence=Evidence.BODIES if was_shown else Evidence.CREDITS,
        answers=before.answers + told,
        contradiction=None,
    )


def _bills(messages: pd.DataFrame) -> _Bills:
    billed = messages[messages["credits_billed"].notna()]
    texts = normal_column(as_text_column(billed["body"]))
    characters = measure(texts).of_length(len(texts)).characters
    bills = billed["credits_billed"].to_numpy(np.int64)
    return _Bills(texts, characters, count_links(texts, characters), bills)


def _fitting(bills: _Bills) -> LinkLength | None:
    """The lengths for which every bill matches the contract; None if there are none."""
    fixed, count = bills.characters - bills.links.characters, bills.links.count
    least = np.where(bills.credits > 1, np.maximum(PART * (bills.credits - 1), SINGLE) + 1, 0)
    most = np.where(bills.credits > 1, PART * bills.credits, SINGLE)
    if ((count == 0) & ((fixed < least) | (fixed > most))).any():
        return None
    has_links = count > 0
    fixed, count, least, most = (each[has_links] for each in (fixed, count, least, most))
    low = int((-(-(least - fixed) // count)).max(initial=1))
    high = int(((most - fixed) // count).min(initial=_LONGEST_LINK))
    return LinkLength(low, high) if low <= high else None


def _common(one: LinkLength, other: LinkLength) -> LinkLength | None:
    low, high = max(one.low, other.low), min(one.high, other.high)
    return LinkLength(low, high) if low <= high else None


def _explanation(bills: _Bills) -> Contradiction:
    if (credits_of(bills.characters) == bills.credits).all():
        return Contradiction.ORIGINAL_TEXT
    some = pd.Series(bills.texts[:_ROWS_TO_EXPLAIN_WITH].to_pandas())
    for length in range(_LONGEST_LINK + 1):
        texts = replace_urls(some, "x" * length) if length else some
        if (carrier_parts(texts)["carrier_parts"] == bills.credits[:_ROWS_TO_EXPLAIN_WITH]).all():
            return Contradiction.ENCODING
    return Contradiction.UNEXPLAINED
