"""Columns that belong to somebody named by an earlier column: "Next of kin", then "Mobile"."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.contacts.columns.phone_title import Phones, phones_by_title
from dashboard.contacts.words.own_line import (
    names_in_charge,
    names_stranger,
    names_workplace,
)
from dashboard.contacts.words.title import Title

__all__ = ["lines_of_others"]

_NAMES = {"first_name", "last_name", "full_name"}
_DETAILS = {"country", "email", "timezone", "language", "phone_never"}
_PHONE = ("header_mobile", "header_phone")
_MOST_BETWEEN = 1
"""Other columns between a person's name and phone: an address, how they are related."""


def lines_of_others(titles: Mapping[str, Title]) -> frozenset[str]:
    """The phone columns that belong to somebody else judging by their place, though headed "Mobile", say.

    Only if another phone comes first: otherwise the only phone is the person's. A name of the row's own
    person, or two columns about something else, end the columns about somebody else. Beside a company,
    "Phone" may be its switchboard if the person has a line already; a mobile is the person's. Programs name
    who is in charge before the contact's own phones: "Account owner", "Phone", "Mobile".

    Args:
        titles: The headers as read, from left to right, by column.

    Example:
        >>> heads = ("Name", "Mobile", "Next of kin", "Mobile#2")
        >>> lines_of_others({head: read_title(head.partition("#")[0]) for head in heads})
        frozenset({'Mobile#2'})
    """
    theirs, has_phone, between = set(), False, None
    had_phone = at_work = in_charge = False
    for column, title in titles.items():
        kind = phones_by_title(title)[0]
        fields = {field for field, _ in title.fields}
        if kind.is_named:
            has_other = had_phone if at_work or in_charge else has_phone
            is_own = title.says("header_owner") or (at_work and kind is Phones.MOBILE)
            if between is not None and has_other and not is_own:
                theirs.add(column)
            has_phone = True
        elif names_stranger(title):
            between = None if title.says(*_PHONE) else 0  # nothing after "Assistant phone" is the assistant's
            had_phone, at_work, in_charge = has_phone, names_workplace(title), names_in_charge(title)
        elif between is not None and not fields & _DETAILS:
            between = None if fields & _NAMES or between >= _MOST_BETWEEN else between + 1
    return frozenset(theirs)
