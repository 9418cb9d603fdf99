"""From a draft to its sheet, contacts, messages and estimate; recomputed only when their inputs change.

The results hold personal data, so they live in the session that asked for them and end with it; nothing is
shared between sessions, and keys are digests of the draft's choices, never of frames.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from string import ascii_uppercase

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import READING, Columns, Draft
from dashboard.app.timing import schedule_of, waits_until
from dashboard.app.viewer import zone
from dashboard.campaigns import (
    Estimate,
    LearnedLinks,
    Schedule,
    Variant,
    estimate_credits,
    with_opt_out_line,
    write_messages,
)
from dashboard.campaigns.length.links import replace_urls
from dashboard.contacts import (
    ColumnMap,
    ContactList,
    Limits,
    Sheet,
    clean_contacts,
    correct_phones,
    guess_columns,
    read_sheet,
)
from dashboard.errors import CampaignError, SheetError
from dashboard.jobs.guards import learned_links, not_too_often
from dashboard.words import _

_READING = ("digest", "file_name", *READING)
_CLEANING = (*_READING, "columns", "country", "keep")
_WRITING = (
    *("name", "template", "variants", "sender", "shorten_links", "tracking", "send_blank", "says_opt_out"),
)
_TIMING = ("when", "send_at", "local_at", "keep_hours", "hours", "country_hours", "home", "handover")

CHOSEN = ("phones", "country", "consents", "opt_outs", "first_name", "last_name")
"""What a person may choose about the columns."""

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
    """

    messages: pd.DataFrame
    estimate: Estimate
    links: LearnedLinks | None
    link: str | None

    def arriving(self, body: str) -> str:
        """A message as it arrives, as far as the short links in it are known."""
        return body if self.link is None else replace_urls(pd.Series([body]), self.link).iloc[0]


def sheet_of(draft: Draft) -> Sheet:
    """Read the draft's sheet.

    Raises:
        SheetError: It cannot be read; the sentence says why.
    """
    return _read(draft.fingerprint(*_READING), draft)


def columns_of(draft: Draft) -> ColumnMap:
    """The columns as confirmed, or as guessed if nobody has confirmed them yet."""
    guessed = guess_columns(sheet_of(draft))
    return guessed if draft.columns is None else confirmed(guessed, draft.columns)


def confirmed(guessed: ColumnMap, chosen: Columns) -> ColumnMap:
    """The guess with the person's choices; a choice stored by an earlier version is merged with the guess."""
    consents, opt_outs = chosen.consents, chosen.opt_outs
    if consents is None:
        told = tuple(column for column in guessed.consents if column != chosen.opt_out)
        consents = _with(chosen.consent, told)
    if opt_outs is None:
        told = tuple(column for column in guessed.opt_outs if column != chosen.consent)
        opt_outs = _with(chosen.opt_out, told)
    taken = {name: getattr(chosen, name) for name in CHOSEN if name not in {"consents", "opt_outs"}}
    return replace(guessed.with_phones(chosen.phones), consents=consents, opt_outs=opt_outs, **taken)


def _with(column: str | None, others: tuple[str, ...]) -> tuple[str, ...]:
    return others if column is None or column in others else (column, *others)


def as_columns(columns: ColumnMap) -> Columns:
    """What a draft keeps about the columns."""
    return Columns(**{name: getattr(columns, name) for name in CHOSEN})


def contacts_of(draft: Draft) -> ContactList:
    """Check every row of the draft's sheet against its columns, its fixes and the opt-out list.

    Raises:
        SheetError: The sheet cannot be read, or no phone column was chosen.
    """
    return _contacts_of(draft)[1]


def written_of(draft: Draft) -> Written:
    """Write the draft's messages and add up what they cost, whenever they are sent.

    Raises:
        CampaignError: The template or another choice has a mistake; the sentence says which.
    """
    key, contacts = _contacts_of(draft)
    return _write(key + _texts_and_prices(draft), draft, contacts, None, None)


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
    key, contacts = _contacts_of(draft)
    key += _texts_and_prices(draft) + draft.fingerprint(*_TIMING) + schedule.home + now.isoformat()
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
    messages = not_too_often(app.ledger, app.settings, written.messages, now, at=at, token=draft.id)
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


def _texts_and_prices(draft: Draft) -> str:
    """What the messages and their cost depend on, as a key; marketers may change prices meanwhile."""
    app = runtime.current()
    texts = "\n".join(as_sent(draft, text) for text in draft.texts)
    return draft.fingerprint(*_WRITING) + sha256(f"{texts}\n{app.prices}".encode()).hexdigest()


def _contacts_of(draft: Draft) -> tuple[str, ContactList]:
    """The contacts, and the key they are cached under."""
    opt_outs = list(runtime.current().ledger.opt_outs()["phone"])
    key = sha256("\n".join([draft.fingerprint(*_CLEANING), *opt_outs]).encode()).hexdigest()
    checked = _clean(key, draft, opt_outs)
    key += draft.fingerprint("fixes", "approved")
    return key, _correct(key, draft, checked)


def as_sent(draft: Draft, text: str) -> str:
    """One of the draft's texts with the line for opting out, if it needs it and may have it."""
    line = runtime.current().settings.opt_out_line
    return with_opt_out_line(text, line if draft.says_opt_out else None)


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _read(key: str, _draft: Draft) -> Sheet:
    sheet = read_sheet(
        runtime.current().drafts.sheet(_draft),
        worksheet=_draft.worksheet,
        encoding=_draft.encoding,
        delimiter=_draft.delimiter,
        header_row=_draft.header_row,
        limits=Limits.of(runtime.current().settings),
    )
    sheet = replace(sheet, name=_draft.file_name)  # on disk it is called otherwise
    return sheet if _draft.hidden_rows else sheet.without_hidden_rows()


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _clean(key: str, _draft: Draft, _opt_outs: Iterable[str]) -> ContactList:
    columns = columns_of(_draft)
    if not columns.phones:
        raise SheetError(_("Choose the column that holds the phone numbers."))
    return clean_contacts(
        sheet_of(_draft), country=_draft.country, columns=columns, opt_outs=_opt_outs, keep=_draft.keep
    )


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _correct(key: str, _draft: Draft, _contacts: ContactList) -> ContactList:
    there = set(_contacts.rows["row"])  # a row that is hidden by now may have been corrected before
    contacts = correct_phones(_contacts, {row: text for row, text in _draft.fixes.items() if row in there})
    return contacts.approve(_draft.approved & there) if _draft.approved else contacts


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _write(
    key: str, _draft: Draft, _contacts: ContactList, _schedule: Schedule | None, _now: datetime | None
) -> Written:
    app = runtime.current()
    links = learned_links(app.ledger, app.settings) if _draft.shorten_links else None
    messages = write_messages(
        _contacts,
        template_of(_draft),
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
    return Written(messages, estimate, links, link_shown(_draft, links))


def link_shown(draft: Draft, links: LearnedLinks | None) -> str | None:
    """What stands in a preview of the draft for each address; None where the address itself is sent."""
    if not draft.shorten_links or (links and links.length.as_written):
        return None
    return f"https://{links.host}/…" if links and links.host else _("[short link]")
