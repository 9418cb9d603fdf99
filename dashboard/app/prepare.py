"""From a draft to its sheet, contacts, messages and estimate; computed again only when their causes changed.

The results hold personal data, so they live in the session that asked for them and end with it; nothing is
shared between sessions, and keys are digests of the draft's choices, never of frames.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import READING, Columns, Draft
from dashboard.app.guards import learned_links
from dashboard.campaigns import Estimate, LearnedLinks, estimate_credits, write_messages
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
from dashboard.errors import SheetError

_READING = ("digest", *READING)
_CLEANING = (*_READING, "columns", "country", "keep")
_WRITING = ("name", "template", "sender", "shorten_links", "tracking", "send_blank")


@dataclass(frozen=True)
class Written:
    """The messages of a draft, what they cost, and what is known of the service's short links."""

    messages: pd.DataFrame
    estimate: Estimate
    links: LearnedLinks | None


def sheet_of(draft: Draft) -> Sheet:
    """Read the draft's sheet.

    Raises:
        SheetError: It cannot be read; the sentence says why.
    """
    return _read(draft.fingerprint(*_READING), draft)


def columns_of(draft: Draft) -> ColumnMap:
    """The columns as confirmed, or as guessed when nobody confirmed them yet."""
    guessed = guess_columns(sheet_of(draft))
    if draft.columns is None:
        return guessed
    return replace(guessed, **dict(draft.columns))


def as_columns(columns: ColumnMap) -> Columns:
    """What a draft keeps of the columns."""
    return Columns(**{name: getattr(columns, name) for name in Columns.model_fields})


def contacts_of(draft: Draft) -> ContactList:
    """Check every row of the draft's sheet against its columns, its fixes and the opt-out list.

    Raises:
        SheetError: The sheet cannot be read, or no phone column was chosen.
    """
    return _contacts_of(draft)[1]


def written_of(draft: Draft) -> Written:
    """Write the draft's messages and add up what they cost.

    Raises:
        CampaignError: The template or another choice has a mistake; the sentence says which.
    """
    key, contacts = _contacts_of(draft)
    return _write(key + draft.fingerprint(*_WRITING), draft, contacts)


def _contacts_of(draft: Draft) -> tuple[str, ContactList]:
    """The contacts, and what they are remembered by."""
    opt_outs = list(runtime.current().ledger.opt_outs()["phone"])
    key = sha256("\n".join([draft.fingerprint(*_CLEANING), *opt_outs]).encode()).hexdigest()
    checked = _clean(key, draft, opt_outs)
    key += draft.fingerprint("fixes", "approved")
    return key, _correct(key, draft, checked)


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
    return sheet if _draft.hidden_rows else sheet.without_hidden_rows()


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _clean(key: str, _draft: Draft, _opt_outs: Iterable[str]) -> ContactList:
    columns = columns_of(_draft)
    if not columns.phones:
        raise SheetError("Choose the column that holds the phone numbers.")
    return clean_contacts(
        sheet_of(_draft), country=_draft.country, columns=columns, opt_outs=_opt_outs, keep=_draft.keep
    )


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _correct(key: str, _draft: Draft, _contacts: ContactList) -> ContactList:
    contacts = correct_phones(_contacts, _draft.fixes)
    return contacts.approve(_draft.approved) if _draft.approved else contacts


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _write(key: str, _draft: Draft, _contacts: ContactList) -> Written:
    app = runtime.current()
    links = learned_links(app) if _draft.shorten_links else None
    messages = write_messages(
        _contacts,
        _draft.template,
        campaign=_draft.name or _draft.file_name,
        sender=_draft.sender or None,
        shorten_links=_draft.shorten_links,
        tracking=_draft.tracking or None,
        empty_fields="send" if _draft.send_blank else "skip",
        short_link=links.length if links else None,
    )
    estimate = estimate_credits(messages, price_per_credit=app.settings.price_per_credit)
    return Written(messages, estimate, links)
