"""One text per contact: MESSAGES, the frame that is estimated, frozen and sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.arguments import checks_arguments
from dashboard.campaigns.addresses import NO_COUNTRY, is_e164
from dashboard.campaigns.labels import NO_LABEL, check_label
from dashboard.campaigns.length.carriers import encodings_of, parts_of
from dashboard.campaigns.length.credits import LIMIT, credits_of
from dashboard.campaigns.length.links import LinkLength
from dashboard.campaigns.length.measures import Bools, Ints
from dashboard.campaigns.problems import MessageProblem
from dashboard.campaigns.sent_with import by_text, one_value
from dashboard.campaigns.text.cells import Cells
from dashboard.campaigns.text.fields import columns_of
from dashboard.campaigns.text.merge import Merged
from dashboard.campaigns.text.reader import parse_template
from dashboard.campaigns.text.recipients import recipients_of
from dashboard.campaigns.text.sections import Share, Written, write_shares
from dashboard.campaigns.text.template import Template
from dashboard.campaigns.variants import Variant, choose_variants
from dashboard.campaigns.when.schedule import Schedule, hours_of_each, scheduled_time, send_times
from dashboard.contacts import ContactList
from dashboard.contacts.words.countries import country_of
from dashboard.errors import CampaignError
from dashboard.values import LOST
from dashboard.words import _, plural

_COSTS = ("credits_low", "credits_high", "credits_utf16")
_PROBLEMS = [code.value for code in MessageProblem]


@checks_arguments(schedule=None)
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
    now: datetime | None = None,
) -> pd.DataFrame:
    """Write a campaign's messages.

    Args:
        contacts: A cleaned list, whose sendable rows are used; or a frame with a column `phone` (E.164),
            whose other columns are merge fields and whose `row`, `country` and `line_type` are kept if
            present. A phone of such a frame that is missing, or not valid E.164, is a problem of its row.
        template: The text, with fields such as `{{ first_name | there }}`; or variants, each with its own.
        campaign: Name of the campaign; the service groups messages by it.
        sender: An approved sender; the account's default if absent.
        shorten_links: Whether the service replaces URLs with short links.
        tracking: Added to each short link's target under `svc_campaign`; needs `shorten_links`.
        schedule: An aware time to send at, or a `Schedule` by the recipients' clocks or with quiet hours; at
            once if absent. In a `Schedule`, a time without a zone refers to the recipients' clocks; on its
            own it is refused.
        short_link: How long the service's short links are; 15 to 35 characters unless more is known.
        empty_fields: Whether a row with a blank field and no fallback is left out or sent anyway.
        now: The current time, for `schedule`; the clock's if absent.

    Returns:
        MESSAGES, with the columns listed in docs/columns.md: a row per contact, in their order. Rows with a
        `problem` stay, cost nothing and are not sent. What is sent with each text is in columns too, so that
        no merge or file loses it: sender, shorten_links, tracking, campaign, variant, template, handover,
        texting_hours.

    Raises:
        TemplateError: The template has a mistake; the message says which and how to write it.
        OptionError: `empty_fields` or `shorten_links` is none of the values that it may have.
        CampaignError: The other choices do not fit together.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447911123456"], "first_name": ["Ann"]})
        >>> write_messages(people, "Hi {{first_name|there}}!", campaign="Spring")["body"].tolist()
        ['Hi Ann!']
    """
    frame, meaning = recipients_of(contacts)
    variants = [Variant("", template)] if isinstance(template, str) else list(template)
    _refuse_contradictions(campaign, [tracking, *(v.tracking for v in variants)], shorten_links=shorten_links)
    _check_labels(variants, campaign, sender, tracking)
    plan = _plan(schedule, now)
    chosen = None if isinstance(template, str) else choose_variants(frame["phone"], variants, campaign)
    templates = [parse_template(variant.template) for variant in variants]
    written = write_shares(_shares(templates, frame, meaning, chosen), Cells(frame, meaning))
    merged = written.merged
    country = _countries(frame)
    scheduled_at, unreachable = send_times(frame["phone"], country, plan, now=now)
    problem = _problems(
        *(written, unreachable, frame["phone"]),
        is_clean=isinstance(contacts, ContactList),
        skips_blank=empty_fields == "skip",
    )
    short = (short_link or LinkLength()) if shorten_links else None
    figures = _figures(merged, short, left_out=problem.codes >= 0)
    share = (chosen, len(frame))
    return pd.DataFrame(
        {
            "row": frame.get("row", np.arange(1, len(frame) + 1)),
            "to": frame["phone"].astype("str"),
            "body": pd.Series(merged.bodies.to_pandas().array, index=frame.index),
            "characters": figures["characters"],
            "credits_low": figures["credits_low"],
            "credits_high": figures["credits_high"],
            "carrier_encoding": encodings_of(merged.measures),
            "carrier_parts": figures["carrier_parts"],
            "scheduled_at": scheduled_at,
            "problem": problem,
            "country": country,
            "line_type": _category(frame, "line_type"),
            "characters_low": figures["characters_low"],
            "characters_high": figures["characters_high"],
            "variant": one_value(None, len(frame)) if chosen is None else chosen,
            "credits_utf16": figures["credits_utf16"],
            "sender": one_value(sender or NO_LABEL, len(frame)),
            "shorten_links": np.full(len(frame), shorten_links),
            "tracking": by_text([_tracking(v, tracking) or NO_LABEL for v in variants], *share),
            "campaign": by_text([variant.campaign_name(campaign) for variant in variants], *share),
            "template": by_text([one.text for one in templates], *share),
            "handover": one_value(plan.handover.value, len(frame)),
            "texting_hours": hours_of_each(frame["phone"], country, plan),
        },
        copy=False,
    ).reset_index(drop=True)


def _plan(schedule: datetime | Schedule | None, now: datetime | None) -> Schedule:
    if isinstance(schedule, Schedule):
        return schedule
    return Schedule(None if schedule is None else scheduled_time(schedule, now=now))


def _shares(
    templates: Sequence[Template],
    contacts: pd.DataFrame,
    meaning: Mapping[str, str] | None,
    chosen: pd.Categorical[str] | None,
) -> list[Share]:
    """Each template with the contacts who get it."""
    return [
        Share(
            template,
            columns_of(template, contacts, meaning),
            None if chosen is None else np.flatnonzero(chosen.codes == place),
        )
        for place, template in enumerate(templates)
    ]


def _refuse_contradictions(campaign: str, tracking: Sequence[str | None], *, shorten_links: bool) -> None:
    if not campaign.strip():
        raise CampaignError(_("The campaign has no name. Give it one; the service groups messages by it."))
    if any(value is not None for value in tracking) and not shorten_links:
        raise CampaignError(
            _("Tracking is added to short links, so it needs them. Leave shorten_links on, or omit tracking.")
        )


def _check_labels(
    variants: Sequence[Variant], campaign: str, sender: str | None, tracking: str | None
) -> None:
    check_label("campaign", campaign)
    check_label("sender", sender or NO_LABEL)
    for variant in variants:
        check_label("tracking", _tracking(variant, tracking) or NO_LABEL)
        check_label("campaign", variant.campaign_name(campaign))
        if variant.name.strip():
            check_label("variant", variant.name)


def _tracking(variant: Variant, tracking: str | None) -> str | None:
    return tracking if variant.tracking is None else variant.tracking


def _problems(
    written: Written, unreachable: Bools, phones: pd.Series, *, is_clean: bool, skips_blank: bool
) -> pd.Categorical[str]:
    """The problem of each text; if several, the first in the order of `MessageProblem`."""
    merged = written.merged
    found = {
        MessageProblem.NO_COMMON_HOURS: unreachable,
        MessageProblem.TEXT_TOO_LONG: merged.measures.characters > LIMIT,
        MessageProblem.EMPTY_TEXT: merged.measures.characters == 0,
        MessageProblem.LOST_CHARACTER: _with_lost_characters(merged),
    }
    if skips_blank:
        found[MessageProblem.EMPTY_FIELD] = merged.blank
    found[MessageProblem.UNCLEAR_ANSWER] = written.unclear
    if not is_clean:
        found[MessageProblem.NOT_E164] = ~is_e164(phones)
        found[MessageProblem.NO_PHONE] = phones.isna().to_numpy()
    codes = np.full(len(merged.blank), -1, np.int8)
    for problem, rows in found.items():
        codes[rows] = _PROBLEMS.index(problem)
    return pd.Categorical.from_codes(codes, pd.Index(_PROBLEMS))


def _with_lost_characters(merged: Merged) -> Ints:
    """The places of the texts that hold the sign for a lost character, which is not in GSM-7."""
    places = np.flatnonzero(np.broadcast_to(merged.measures.outside_gsm, len(merged.blank)))
    lost = pc.match_substring(merged.bodies.take(pa.array(places)), LOST)
    found: Ints = places[lost.to_numpy(zero_copy_only=False)]
    return found


def _figures(merged: Merged, short_link: LinkLength | None, left_out: Bools) -> dict[str, Ints]:
    """The columns of lengths and costs; without `short_link`, links count as written.

    Every column has its own memory, within one block: changing one in the frame changes no other, and the
    system allocates one piece of memory instead of twenty.
    """
    names = ("characters", "characters_low", "characters_high", *_COSTS, "carrier_parts")
    figures = dict(zip(names, np.empty((len(names), len(merged.blank)), np.int64), strict=True))
    figures["characters"][:] = merged.measures.characters
    for end in ("low", "high"):
        lengths = figures[f"characters_{end}"]
        lengths[:] = merged.measures.characters
        if short_link is not None and not short_link.as_written and merged.links.count.any():
            lengths += merged.links.count * getattr(short_link, end) - merged.links.characters
        figures[f"credits_{end}"][:] = credits_of(lengths)
    figures["credits_utf16"][:] = figures["credits_high"]
    if merged.measures.astral.any():
        figures["credits_utf16"][:] = credits_of(figures["characters_high"] + merged.measures.astral)
    figures["carrier_parts"][:] = parts_of(merged.bodies, merged.measures)
    for name in _COSTS:
        figures[name][left_out] = 0
    return figures


def _countries(frame: pd.DataFrame) -> pd.Series:
    """The country of each contact, as a code, however the frame writes it.

    Raises:
        CampaignError: Something is not a country: its people's hours and prices would be those of nobody.
    """
    country = _category(frame, "country")
    written = [str(name) for name in country.cat.categories]
    codes = {name: name if name in NO_COUNTRY else country_of(name) for name in written}
    if unknown := sum(code is None for code in codes.values()):
        raise CampaignError(
            plural(
                unknown,
                "In the column country, {count} word is not a country. Write two-letter ISO 3166 codes such "
                "as GB, or rename the column.",
                "In the column country, {count} words are not countries. Write two-letter ISO 3166 codes "
                "such as GB, or rename the column.",
            )
        )
    return country.map(codes).astype("category") if list(codes) != list(codes.values()) else country


def _category(frame: pd.DataFrame, column: str) -> pd.Series:
    if column in frame.columns:
        return frame[column].astype("category")
    return pd.Series(one_value(None, len(frame)), index=frame.index)
