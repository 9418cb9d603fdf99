"""A past campaign recalculated from what was kept of it, without the network: what would differ today.

Rules change: numbering plans, opt-outs, what is known about short links, this program itself. A replay reads
each number again and counts each text again. Given the contacts it was made from, it writes the texts again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd

from dashboard.campaigns import LinkLength, checks_frames, write_messages
from dashboard.contacts import ContactList, OptOuts, clean_phones, read_opt_outs
from dashboard.display import Card
from dashboard.formatting import credit_count
from dashboard.words import _, plural

_TEXT_ONLY = "{{ text }}"


class Difference(StrEnum):
    """What may differ, in the order in which it is shown."""

    NUMBER = "number"
    COUNTRY = "country"
    LINE_TYPE = "line_type"
    OPTED_OUT = "opted_out"
    CREDITS = "credits"
    LEFT_OUT = "left_out"
    TEXT = "text"
    ADDED = "added"


_MEANING = {
    Difference.NUMBER: "The number is no longer valid; it would not be texted.",
    Difference.COUNTRY: "The number now belongs to another country.",
    Difference.LINE_TYPE: "The number is now another type of line.",
    Difference.OPTED_OUT: "The recipient has opted out since; the message would be dropped.",
    Difference.CREDITS: "The estimate would be different.",
    Difference.LEFT_OUT: "The row would be left out: its number is not among the contacts to text.",
    Difference.TEXT: "The text would be different.",
    Difference.ADDED: "A contact that the campaign did not have would be texted.",
}

_COLUMNS = ("uuid", "row", "difference", "then", "today")


@dataclass(frozen=True, repr=False)
class Replay:
    """What would differ if a campaign were made today.

    Attributes:
        messages: How many were looked at.
        differences: uuid, row, difference, then, today: one row for each; empty when nothing differs.
        credits_then: Estimate at the freeze, low and high, of all messages.
        credits_today: Estimate of the same texts today.

    Example:
        >>> ledger.replay("Spring").summary()[["difference", "messages"]]
    """

    messages: int
    differences: pd.DataFrame
    credits_then: tuple[int, int]
    credits_today: tuple[int, int]

    def __repr__(self) -> str:
        return f"<Replay: {', '.join(self._facts())}>"

    def _repr_html_(self) -> str:
        remarks = [] if len(self.differences) else [_("Nothing would differ today.")]
        return Card("Replay", self._facts(), self.summary(), remarks, "replay.differences").html()

    def _facts(self) -> list[str]:
        then, today = credit_count(*self.credits_then), credit_count(*self.credits_today)
        return [
            plural(self.messages, "{count} message", "{count} messages"),
            _("estimated then {credits}").format(credits=then),
            _("today {credits}").format(credits=today),
        ]

    def summary(self) -> pd.DataFrame:
        """How many messages differ, and how: difference, messages, meaning; only differences that occur."""
        counts = self.differences["difference"].value_counts()
        rows = [
            (each.value, int(counts[each.value]), _MEANING[each]) for each in Difference if counts[each.value]
        ]
        table = pd.DataFrame(rows, columns=["difference", "messages", "meaning"])
        return table.astype({"difference": "str", "messages": "int64", "meaning": "str"})


@checks_frames
def replay(
    messages: pd.DataFrame,
    *,
    shorten_links: bool = True,
    short_link: LinkLength | None = None,
    opt_outs: OptOuts = (),
    contacts: ContactList | None = None,
    templates: Mapping[str, str] | None = None,
) -> Replay:
    """Recalculate a campaign.

    Args:
        messages: As `Ledger.messages` gives them, of one campaign.
        shorten_links: Whether the service replaced its links.
        short_link: How long short links are, as far as is known today.
        opt_outs: Phones that must not be texted today.
        contacts: What the campaign was made from, cleaned by today's rules; then texts are compared too.
        templates: The campaign's texts by variant, "" without variants; needed with `contacts`.

    Returns:
        How many messages, estimates then and today in credits, and one row for each difference.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> replay(ledger.messages(campaign)).summary()
    """
    today = _counted_again(messages, shorten_links=shorten_links, short_link=short_link)
    found = [*_of_numbers(messages, opt_outs), _of_credits(messages, today)]
    if contacts is not None:
        found += _of_texts(messages, contacts, templates or {}, shorten_links=shorten_links)
    differences = pd.concat([one for one in found if len(one)] or found[:1], ignore_index=True)
    kinds = pd.CategoricalDtype([each.value for each in Difference])
    return Replay(
        len(messages),
        differences.astype({"difference": kinds, "row": "Int64", "then": "str", "today": "str"}),
        (int(messages["credits_low"].sum()), int(messages["credits_high"].sum())),
        (int(today["credits_low"].sum()), int(today["credits_high"].sum())),
    )


def _counted_again(
    messages: pd.DataFrame, *, shorten_links: bool, short_link: LinkLength | None
) -> pd.DataFrame:
    """The frozen texts, as if each were a field: they are counted as they are."""
    texts = pd.DataFrame({"phone": messages["to"], "text": messages["body"]})
    return write_messages(
        texts,
        _TEXT_ONLY,
        campaign="replay",
        shorten_links=shorten_links,
        short_link=short_link,
        empty_fields="send",
    ).set_index(messages.index)


def _of_numbers(messages: pd.DataFrame, opt_outs: OptOuts) -> Iterator[pd.DataFrame]:
    judged = clean_phones(messages["to"], None)
    yield _rows(messages, ~judged["valid"], Difference.NUMBER, "valid", judged["problem"])
    for name in (Difference.COUNTRY, Difference.LINE_TYPE):
        then, now = (frame[name.value].astype("str") for frame in (messages, judged))
        moved = judged["valid"] & then.notna() & (then != now)
        yield _rows(messages, moved, name, then, now)
    listed = read_opt_outs(opt_outs).phones
    refuses = messages["to"].isin(listed) & (messages["state"].astype("str") != "dropped")
    yield _rows(messages, refuses, Difference.OPTED_OUT, "texted", "opted out")


def _of_credits(messages: pd.DataFrame, today: pd.DataFrame) -> pd.DataFrame:
    then, now = _range(messages), _range(today)
    return _rows(messages, then != now, Difference.CREDITS, then, now)


def _of_texts(
    messages: pd.DataFrame, contacts: ContactList, templates: Mapping[str, str], *, shorten_links: bool
) -> Iterator[pd.DataFrame]:
    people = contacts.sendable
    variant = messages["variant"].astype("str").fillna("")
    written: dict[str, str] = {}
    for name, template in templates.items():
        own = people[people["phone"].isin(messages.loc[variant == name, "to"])]
        texts = write_messages(own, template, campaign="replay", shorten_links=shorten_links)
        written.update(zip(texts["to"], texts["body"], strict=True))
    today = messages["to"].map(written)
    missing = ~messages["to"].isin(people["phone"])
    yield _rows(messages, missing, Difference.LEFT_OUT, "texted", "left out")
    changed = today.notna() & (today != messages["body"])
    yield _rows(messages, changed, Difference.TEXT, messages["body"], today)
    added = people[~people["phone"].isin(messages["to"])].assign(uuid=None)
    yield _rows(added, pd.Series(data=True, index=added.index), Difference.ADDED, "not in it", "texted")


def _range(frame: pd.DataFrame) -> pd.Series:
    return frame["credits_low"].astype("str") + "–" + frame["credits_high"].astype("str")


def _rows(
    frame: pd.DataFrame, differs: pd.Series, what: Difference, then: pd.Series | str, today: pd.Series | str
) -> pd.DataFrame:
    table = frame[["uuid", "row"]].assign(difference=what.value, then=then, today=today)
    return table[differs.to_numpy(dtype=bool, na_value=False)].astype("object")[list(_COLUMNS)]
