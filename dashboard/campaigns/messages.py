"""One text per contact: MESSAGES, the frame that is estimated, frozen and sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

import numpy as np
import pandas as pd

from dashboard.campaigns.carriers import encodings_of, parts_of
from dashboard.campaigns.cells import Cells
from dashboard.campaigns.credits import LIMIT, credits_of
from dashboard.campaigns.fields import match_fields
from dashboard.campaigns.links import LinkLength
from dashboard.campaigns.measures import Bools, Ints
from dashboard.campaigns.merge import Merged
from dashboard.campaigns.parts import Share, Written, write_shares
from dashboard.campaigns.problems import MessageProblem
from dashboard.campaigns.schedule import Schedule, scheduled_time, send_times
from dashboard.campaigns.template import Template
from dashboard.campaigns.template_reader import parse_template
from dashboard.campaigns.variants import Variant, check_variants, split_people
from dashboard.contacts import ContactList, guess_columns
from dashboard.errors import CampaignError

_ROWS_TO_GUESS_FROM = 100
_PROBLEMS = [code.value for code in MessageProblem]


def write_messages(  # noqa: PLR0913 - the choices of a campaign, each by its name
    contacts: ContactList | pd.DataFrame,
    template: str | Sequence[Variant],
    *,
    campaign: str,
    sender: str | None = None,
    shorten_links: bool = True,
    tracking: str | None = None,
    schedule: datetime | Schedule | None = None,
    short_link: LinkLength | None = None,
    empty_fields: Literal["skip", "send"] = "skip",
) -> pd.DataFrame:
    """Write a campaign's messages.

    Args:
        contacts: A cleaned list, whose sendable rows are used; or a frame with a column `phone` (E.164),
            whose other columns are merge fields and whose `row`, `country` and `line_type` are kept if there.
        template: The text, with fields such as `{{ first_name | there }}`; or variants, each with its own.
        campaign: Name of the campaign; the service groups messages by it.
        sender: An approved sender; the account's default when absent.
        shorten_links: Whether the service replaces URLs by short links.
        tracking: Added to each short link's target under `svc_campaign`; needs `shorten_links`.
        schedule: An aware time to send at, or a `Schedule` by the recipients' clocks or with quiet hours;
            at once when absent.
        short_link: How long the service's short links are; 15 to 35 characters when not known better.
        empty_fields: Whether a row in which a field without fallback is blank is left out or sent all the
            same.

    Returns:
        MESSAGES, as docs/columns.md lists its columns: a row per contact in their order. Rows with a
        `problem` stay, cost nothing and are not sent. Its `attrs` hold what all messages share: campaign,
        sender, shorten_links, tracking, handover; and under templates, by variant ("" without variants), its
        template_version, template, campaign and tracking.

    Raises:
        TemplateError: The template has a mistake; the message says which and how to write it.
        CampaignError: The other choices do not fit together.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447911123456"], "first_name": ["Ann"]})
        >>> write_messages(people, "Hi {{first_name|there}}!", campaign="Spring")["body"].tolist()
        ['Hi Ann!']
    """
    frame = _sendable(contacts)
    variants = [Variant("", template)] if isinstance(template, str) else list(template)
    _refuse_contradictions(campaign, [tracking, *(v.tracking for v in variants)], shorten_links=shorten_links)
    plan = schedule if isinstance(schedule, Schedule) else Schedule(schedule and scheduled_time(schedule))
    chosen = _variant_of_each(frame, variants, campaign) if not isinstance(template, str) else None
    parsed = [parse_template(variant.template) for variant in variants]
    written = write_shares(
        [
            Share(
                one,
                _columns_of(one, frame),
                None if chosen is None else np.flatnonzero(chosen.codes == place),
            )
            for place, one in enumerate(parsed)
        ],
        Cells(frame),
    )
    merged = written.merged
    country = _category(frame, "country")
    scheduled_at, unreachable = send_times(frame["phone"], country, plan)
    problem = _problems(written, unreachable, skips_blank=empty_fields == "skip")
    to_send = problem.codes < 0
    low, high = _lengths_as_billed(merged, short_link or LinkLength(), shorten_links=shorten_links)
    messages = pd.DataFrame(
        {
            "row": frame.get("row", np.arange(1, len(frame) + 1)),
            "to": frame["phone"].astype("str"),
            "body": pd.Series(merged.bodies.to_pandas().array, index=frame.index),
            "characters": merged.measures.characters,
            "credits_low": credits_of(low) * to_send,
            "credits_high": credits_of(high) * to_send,
            "carrier_encoding": encodings_of(merged.measures),
            "carrier_parts": parts_of(merged.bodies, merged.measures),
            "scheduled_at": scheduled_at,
            "problem": problem,
            "country": country,
            "line_type": _category(frame, "line_type"),
            "characters_low": low,
            "characters_high": high,
            "variant": _nothing(len(frame)) if chosen is None else chosen,
            "credits_utf16": credits_of(high + merged.measures.astral) * to_send,
        },
        copy=False,
    ).reset_index(drop=True)
    messages.attrs = {
        "campaign": campaign,
        "sender": sender,
        "shorten_links": shorten_links,
        "tracking": tracking,
        "handover": plan.handover.value,
        "templates": {
            variant.name: {
                "template_version": one.version,
                "template": one.text,
                "campaign": variant.campaign_name(campaign),
                "tracking": tracking if variant.tracking is None else variant.tracking,
            }
            for variant, one in zip(variants, parsed, strict=True)
        },
    }
    return messages


def preview(template: str, row: Mapping[str, object]) -> str:
    """The text that one contact would get.

    Args:
        template: The template.
        row: Values by column name.

    Raises:
        TemplateError: The template has a mistake.

    Example:
        >>> preview("Hi {{ first_name | there }}!", {"First name": ""})
        'Hi there!'
    """
    parsed = parse_template(template)
    frame = pd.DataFrame({name: [value] for name, value in row.items()}, index=[0])
    written = write_shares([Share(parsed, _columns_of(parsed, frame), None)], Cells(frame))
    return str(written.merged.bodies[0].as_py())


def _sendable(contacts: ContactList | pd.DataFrame) -> pd.DataFrame:
    if isinstance(contacts, ContactList):
        return contacts.sendable
    if "phone" not in contacts.columns:
        raise CampaignError(
            "The contacts have no column called phone. Clean the sheet first with clean_contacts, "
            "or name the column with the E.164 numbers phone."
        )
    return contacts


def _columns_of(template: Template, contacts: pd.DataFrame) -> dict[str, str]:
    """The column of each field; {{ first_name }} finds a column "Vorname" too."""
    return match_fields(
        template, contacts.columns, lambda: guess_columns(contacts.head(_ROWS_TO_GUESS_FROM)).fields
    )


def _variant_of_each(
    contacts: pd.DataFrame, variants: Sequence[Variant], campaign: str
) -> pd.Categorical[str]:
    check_variants(variants)
    names = pd.Index([variant.name for variant in variants])
    return pd.Categorical.from_codes(split_people(contacts["phone"], variants, campaign=campaign), names)


def _refuse_contradictions(campaign: str, tracking: Sequence[str | None], *, shorten_links: bool) -> None:
    if not campaign.strip():
        raise CampaignError("The campaign has no name. Give it one; the service groups messages by it.")
    if any(value is not None for value in tracking) and not shorten_links:
        raise CampaignError(
            "Tracking is added to short links, so it needs them. "
            "Leave shorten_links on, or leave tracking out."
        )


def _problems(written: Written, unreachable: Bools, *, skips_blank: bool) -> pd.Categorical[str]:
    """The problem of each text; of several the first in the order of `MessageProblem`."""
    merged = written.merged
    codes = np.full(len(merged.blank), -1, np.int8)
    codes[unreachable] = _PROBLEMS.index(MessageProblem.NO_COMMON_HOURS)
    codes[merged.measures.characters > LIMIT] = _PROBLEMS.index(MessageProblem.TEXT_TOO_LONG)
    codes[merged.measures.characters == 0] = _PROBLEMS.index(MessageProblem.EMPTY_TEXT)
    if skips_blank:
        codes[merged.blank] = _PROBLEMS.index(MessageProblem.EMPTY_FIELD)
    codes[written.unclear] = _PROBLEMS.index(MessageProblem.UNCLEAR_ANSWER)
    return pd.Categorical.from_codes(codes, pd.Index(_PROBLEMS))


def _lengths_as_billed(merged: Merged, short_link: LinkLength, *, shorten_links: bool) -> tuple[Ints, Ints]:
    """Characters of each text with its links replaced by the shortest, and by the longest short links."""
    characters = merged.measures.characters
    if not shorten_links:
        return characters, characters
    count = merged.links.count
    if short_link.as_written or not count.any():
        return characters, characters
    fixed = characters - merged.links.characters
    return fixed + count * short_link.low, fixed + count * short_link.high


def _category(frame: pd.DataFrame, column: str) -> pd.Series:
    if column in frame.columns:
        return frame[column].astype("category")
    return pd.Series(_nothing(len(frame)), index=frame.index)


def _nothing(length: int) -> pd.Categorical[str]:
    return pd.Categorical.from_codes(np.full(length, -1, np.int8), pd.Index([], dtype="str"))
