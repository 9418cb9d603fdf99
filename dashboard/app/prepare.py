"""From a draft's contacts to its messages and estimate; recomputed only when their inputs change.

The results hold personal data, so they live in the session that asked for them and end with it; nothing is
shared between sessions, and keys are digests of the draft's choices, never of frames.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from string import ascii_uppercase

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.gathered import keyed_contacts
from dashboard.app.timing import schedule_of, waits_until
from dashboard.app.viewer import zone
from dashboard.campaigns import (
    Estimate,
    LearnedLinks,
    Schedule,
    Variant,
    estimate_credits,
    name_hints,
    with_opt_out_line,
    write_messages,
)
from dashboard.campaigns.length.links import replace_urls
from dashboard.contacts import ContactList
from dashboard.errors import CampaignError
from dashboard.jobs.guards import learned_links, not_too_often
from dashboard.words import _

_WRITING = (
    *("name", "template", "variants", "sender", "shorten_links", "tracking", "send_blank", "says_opt_out"),
)

_TIMING = ("when", "send_at", "local_at", "keep_hours", "hours", "country_hours", "home", "handover")
VARIANT_NAMES = ascii_uppercase
"""What variants are called, in order; there can be no more than these."""


@dataclass(frozen=True)
class Written:
    """The messages of a draft, and what they cost.

    Attributes:
        messages: MESSAGES, with the addresses as they were written.
        estimate: What they cost.
        links: What is known about the service's short links; None where there are none, or none was seen.
        link: What stands in a preview for each address; None where the address itself is sent.
        names: What to know about the names in them, in sentences; see `name_hints`.
    """

    messages: pd.DataFrame
    estimate: Estimate
    links: LearnedLinks | None
    link: str | None
    names: tuple[str, ...]

    def arriving(self, body: str) -> str:
        """A message as it arrives, as far as the short links in it are known."""
        return body if self.link is None else replace_urls(pd.Series([body]), self.link).iloc[0]


def written_of(draft: Draft) -> Written:
    """Write the draft's messages and add up what they cost, whenever they are sent.

    Raises:
        CampaignError: The template or another choice has a mistake; the sentence says which.
    """
    key, contacts = keyed_contacts(draft)
    return _write(key + texts_and_prices(draft), draft, contacts, None, None)


def timed_of(draft: Draft, now: datetime) -> Written:
    """The same with the time of each message.

    Args:
        draft: The draft.
        now: The current time, by the ledger's clock; the result is cached for it. Pages pass whole minutes.

    Raises:
        CampaignError: A choice has a mistake; the sentence says which.
    """
    schedule = schedule_of(draft, zone().key)
    if schedule is None:
        return written_of(draft)
    key, contacts = keyed_contacts(draft)
    key += texts_and_prices(draft) + draft.fingerprint(*_TIMING) + schedule.home + now.isoformat()
    return _write(key, draft, contacts, schedule, now)


def capped_of(draft: Draft, now: datetime) -> Written:
    """The same without those who would be texted too often; see the cap on texts per person.

    Args:
        draft: The draft.
        now: As for `timed_of`.

    Raises:
        CampaignError: A choice has a mistake; the sentence says which.
    """
    written, app = timed_of(draft, now), runtime.current()
    at = waits_until(draft)
    messages = not_too_often(app.ledger, app.settings, written.messages, now, at=at)
    if messages is written.messages:
        return written
    return replace(written, messages=messages, estimate=estimate_credits(messages, prices=app.prices))


def template_of(draft: Draft) -> str | list[Variant]:
    """The draft's text, or its variants, as `write_messages` takes them.

    Raises:
        CampaignError: A variant has no text: everyone assigned to it would be left out.
    """
    for name, variant in zip(VARIANT_NAMES, draft.variants, strict=False):
        if not variant.template.strip():
            raise CampaignError(_("Text {name} is empty. Write it, or remove it.").format(name=name))
    return (
        as_sent(draft, draft.template)
        if not draft.variants
        else [
            Variant(
                name,
                as_sent(draft, variant.template),
                weight=variant.weight,
                tracking=variant.tracking or None if draft.shorten_links else None,
                campaign_suffix=variant.suffix or None,
            )
            for name, variant in zip(VARIANT_NAMES, draft.variants, strict=False)
        ]
    )


def texts_and_prices(draft: Draft) -> str:
    """What the messages and their cost depend on, as a key; marketers may change prices meanwhile."""
    app = runtime.current()
    texts = "\n".join(as_sent(draft, text) for text in draft.texts)
    return draft.fingerprint(*_WRITING) + sha256(f"{texts}\n{app.prices}".encode()).hexdigest()


def as_sent(draft: Draft, text: str) -> str:
    """One of the draft's texts with the line for opting out, if it needs it and may have it."""
    line = runtime.current().settings.opt_out_line
    return with_opt_out_line(text, line if draft.says_opt_out else None)


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _write(
    key: str, _draft: Draft, _contacts: ContactList, _schedule: Schedule | None, _now: datetime | None
) -> Written:
    app = runtime.current()
    links = learned_links(app.ledger, app.settings) if _draft.shorten_links else None
    template = template_of(_draft)
    messages = write_messages(
        _contacts,
        template,
        campaign=_draft.name or _draft.file_name,
        sender=_draft.sender or None,
        shorten_links=_draft.shorten_links,
        tracking=_draft.tracking or None if _draft.shorten_links else None,
        schedule=_schedule,
        empty_fields="send" if _draft.send_blank else "skip",
        short_link=links.length if links else None,
        now=_now,
    )
    estimate = estimate_credits(messages, prices=app.prices)
    names = name_hints(_contacts, template)
    return Written(messages, estimate, links, link_shown(_draft, links), names)


def link_shown(draft: Draft, links: LearnedLinks | None) -> str | None:
    """What stands in a preview of the draft for each address; None where the address itself is sent."""
    if not draft.shorten_links or (links and links.length.as_written):
        return None
    return f"https://{links.host}/…" if links and links.host else _("[short link]")
