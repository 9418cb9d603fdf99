"""From a draft to its sheets and its contacts: read, checked, corrected, joined and chosen.

Recomputed only when their inputs change. The results hold personal data, so they live in the session that
asked for them and end with it; keys are digests of the draft's choices, never of frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import numpy as np
import streamlit as st

from dashboard.app import runtime
from dashboard.app.audience import DraftAudience, KeptList
from dashboard.app.draft_sheets import READ_BY, columns_of, lists_of, names_of, sheet_of
from dashboard.app.drafts import Draft
from dashboard.contacts import (
    LINE_TYPES,
    ColumnMap,
    Condition,
    ContactList,
    Problem,
    Sheet,
    answer_questions,
    clean_contacts,
    correct_phones,
    join_contacts,
)
from dashboard.contacts.categories import subscribers_of
from dashboard.contacts.choosing.people import Numbers, with_choice
from dashboard.contacts.contact_list import OWN_FIELDS, every_phone
from dashboard.contacts.row_numbers import BLOCK
from dashboard.errors import LedgerError, SheetError
from dashboard.words import _, plural

_CLEANING = (*READ_BY, "columns", "country", "keep")


def typed_of(draft: Draft) -> Sheet:
    """All rows as they were typed: the draft's sheet, or its lists below each other.

    Raises:
        SheetError: One cannot be read.
    """
    if len(lists_of(draft)) == 1:
        return sheet_of(draft)
    joined = _joined(draft)[1]
    return Sheet(name=joined.sheet_name, frame=joined.fields, rows=joined.rows["row"])


def contacts_of(draft: Draft) -> ContactList:
    """Check every row against its list's columns, its fixes and the opt-out list, and choose whom to text.

    Raises:
        SheetError: A sheet cannot be read, or no phone column was chosen.
        ColumnError: A condition names a column that is gone.
    """
    return keyed_contacts(draft)[1]


def keyed_contacts(draft: Draft) -> tuple[str, ContactList]:
    """The contacts, and the key they are cached under."""
    key, checked = _checked(draft)
    audience = draft.audience
    out = _left_out(draft)
    key = _digest(key, draft.fingerprint("audience"), *(one for one, _numbers, _note in out.values()))
    return key, _choose(key, draft, checked, out) if audience != DraftAudience() or out else checked


def checked_of(draft: Draft) -> ContactList:
    """Every row checked and corrected, before people were chosen.

    Raises:
        SheetError: A sheet cannot be read, or no phone column was chosen.
    """
    return _checked(draft)[1]


def kept_audience(draft: Draft) -> dict[str, Any]:
    """Whom of which lists the draft texts, in a form that JSON can hold; `Drafts.begin_again` accepts it."""
    texted = lists_of(draft)
    out = [one for one in runtime.current().drafts.lists(draft) if one.leaves_out]
    named = zip([*texted, *out], [*names_of(texted), *names_of(out)], strict=True)
    lists = [_kept(one, name) for one, name in named]
    return {
        "audience": draft.audience.model_dump(mode="json"),
        "lists": [one.model_dump(mode="json") for one in lists],
    }


def _kept(one: Draft, name: str) -> KeptList:
    """What is kept of a list; a saved one is known by the name under which it was saved."""
    if one.saved_list:
        with suppress(LedgerError):  # it has since been deleted
            name = runtime.current().ledger.lists.find(one.saved_list).name
    return KeptList(name=name, saved_list=one.saved_list, leaves_out=one.leaves_out)


def applied(draft: Draft, contacts: ContactList) -> list[Condition]:
    """The draft's conditions that make sense for its lists; as long as one does not, nothing can be sent."""
    known = {*map(str, contacts.fields.columns), *OWN_FIELDS}
    return [one for one in draft.audience.chosen if one.column in known]


def all_applied(draft: Draft) -> bool:
    """Whether every condition has a value, and a column that the lists have."""
    return len(applied(draft, checked_of(draft))) == len(draft.audience.conditions)


def decided(draft: Draft) -> tuple[dict[int, str], dict[int, str]]:
    """Phones corrected, in this draft and before in each of its lists, and approvals, by row number.

    A row that was approved in a list by itself is asked about again: beside others it may be another's twin.
    """
    fixes: dict[int, str] = {}
    for place, one in enumerate(lists_of(draft)):
        fixes |= {place * BLOCK + row: text for row, text in one.fixes.items()} if one.part_of else {}
    return fixes | draft.fixes, draft.approved


def _checked(draft: Draft) -> tuple[str, ContactList]:
    key, joined = _joined(draft)
    fixes, approved = decided(draft)
    key = _digest(key, repr(sorted(fixes.items())), repr(sorted(approved.items())))
    return key, _correct(key, joined, fixes, approved)


def _joined(draft: Draft) -> tuple[str, ContactList]:
    """The lists as they were typed, each cleaned and its questions answered, together."""
    opt_outs = list(runtime.current().ledger.opt_outs()["phone"])
    lists = lists_of(draft)
    keys = [_digest(one.fingerprint(*_CLEANING), _country(one, draft) or "", *opt_outs) for one in lists]
    cleaned = [_clean(key, one, draft, opt_outs) for key, one in zip(keys, lists, strict=True)]
    keys = [_digest(key, one.fingerprint("answers")) for key, one in zip(keys, lists, strict=True)]
    cleaned = [_answer(key, one, each.answers) for key, one, each in zip(keys, cleaned, lists, strict=True)]
    if len(lists) == 1:
        return keys[0], cleaned[0]
    named = dict(zip(names_of(lists), cleaned, strict=True))
    key = _digest(*keys, *named, draft.keep)
    return key, _join(key, named, draft)


def _left_out(draft: Draft) -> dict[Problem, tuple[str, Numbers, str]]:
    """Numbers of people to leave out, by reason: a key, the numbers, and what to know about them."""
    found = {}
    audience = draft.audience
    if lists := [one for one in runtime.current().drafts.lists(draft) if one.leaves_out]:
        keys = [_digest(one.fingerprint(*_CLEANING), _country(one, draft) or "") for one in lists]
        read = [_numbers_of(key, one, draft) for key, one in zip(keys, lists, strict=True)]
        notes = " ".join(note for _numbers, note in read if note)
        found[Problem.ON_LEFT_OUT_LIST] = (
            _digest(*keys),
            np.unique(np.concatenate([n for n, _ in read])),
            notes,
        )
    minute = runtime.current().now().replace(second=0, microsecond=0)
    if audience.campaigns:
        found[Problem.IN_EARLIER_CAMPAIGN] = _texted(minute, None, audience.campaigns)
    if audience.not_texted_days:
        found[Problem.TEXTED_LATELY] = _texted(minute, audience.not_texted_days, None)
    return found


def ask_ledger_again() -> None:
    """Let the next look at a draft's contacts see whom the ledger says was texted by now."""
    _texted.clear()


def _country(one: Draft, draft: Draft) -> str | None:
    return one.country or draft.country


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()


def _with_phones(one: Draft) -> ColumnMap:
    """A list's columns, of which at least one holds phones."""
    columns = columns_of(one)
    if not columns.phones:
        raise SheetError(_("Choose the column that holds the phone numbers."))
    return columns


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _clean(key: str, _one: Draft, _draft: Draft, _opt_outs: Iterable[str]) -> ContactList:
    return clean_contacts(
        sheet_of(_one),
        country=_country(_one, _draft),
        columns=_with_phones(_one),
        opt_outs=_opt_outs,
        keep=_draft.keep,
    )


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _answer(key: str, _contacts: ContactList, _answers: Mapping[str, str]) -> ContactList:
    return answer_questions(_contacts, _answers) if _answers else _contacts


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _join(key: str, _lists: Mapping[str, ContactList], _draft: Draft) -> ContactList:
    return join_contacts(_lists, keep=_draft.keep)


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _correct(
    key: str, _contacts: ContactList, _fixes: Mapping[int, str], _approved: Mapping[int, str]
) -> ContactList:
    there = set(_contacts.rows["row"])  # a row that is hidden by now may have been corrected before
    fixes, approved = ({row: one[row] for row in there.intersection(one)} for one in (_fixes, _approved))
    return correct_phones(_contacts, fixes).approve(approved)


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _choose(
    key: str, _draft: Draft, _contacts: ContactList, _out: Mapping[Problem, tuple[str, Numbers, str]]
) -> ContactList:
    audience = _draft.audience
    numbers = {problem: listed for problem, (_key, listed, _note) in _out.items()}
    chosen = with_choice(_contacts, applied(_draft, _contacts), numbers, audience.sample, audience.seed)
    notes = (note for _key, _listed, note in _out.values() if note)
    return replace(chosen, of_all=(*chosen.of_all, *notes))


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _numbers_of(key: str, _one: Draft, _draft: Draft) -> tuple[Numbers, str]:
    """Every number on a list of people to leave out, used or not, and how many rows have none."""
    contacts = clean_contacts(
        sheet_of(_one), country=_country(_one, _draft), columns=_with_phones(_one), line_types=LINE_TYPES
    )
    rows = contacts.rows
    without = int((rows["phone"].isna() & (rows["status"] != "empty")).sum())
    note = plural(
        without,
        "{count} row of the list to leave out, “{name}”, has no readable number, so it leaves nobody out.",
        "{count} rows of the list to leave out, “{name}”, have no readable number, so they leave nobody out.",
        name=names_of([_one])[0],
    )
    return np.unique(subscribers_of(every_phone(rows))), note if without else ""


@st.cache_data(scope="session", max_entries=4, show_spinner=False)
def _texted(
    minute: datetime, days: int | None, campaigns: tuple[str, ...] | None
) -> tuple[str, Numbers, str]:
    """Who was texted in so many days, or by these campaigns, or is about to be."""
    ledger = runtime.current().ledger
    since = datetime(1970, 1, 1, tzinfo=UTC) if days is None else minute - timedelta(days=days)
    numbers = np.unique(subscribers_of(ledger.texts_since(since, campaigns=campaigns)["to"]))
    forgotten = ledger.forgotten_since(since, campaigns=campaigns)
    note = plural(
        forgotten,
        "The numbers of {count} earlier campaign have been deleted, so the people it texted cannot be left "
        "out.",
        "The numbers of {count} earlier campaigns have been deleted, so the people they texted cannot be "
        "left out.",
    )
    return sha256(numbers.tobytes()).hexdigest(), numbers, note if forgotten else ""
