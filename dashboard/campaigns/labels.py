"""Labels: the words sent or stored along with the texts, and what each may contain.

A file forgets what type a cell had: the sender 007 comes back from CSV as the number 7, the tracking 1.10 as
1.1, and a sender called NA as nothing at all. So a label is always text, a missing label never counts as
"none", and "" means none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pandas as pd

from dashboard.campaigns.frame_check import present
from dashboard.campaigns.when.hours import are_hours
from dashboard.campaigns.when.schedule import Handover
from dashboard.contacts import LINE_TYPES
from dashboard.errors import CampaignError
from dashboard.words import N_, _

NO_LABEL = ""
"""The value in a column for the account's default sender, or for no tracking."""

NO_CHARACTER = re.compile("[\x00\ud800-\udfff]")
_CONTROL = re.compile("[\x01-\x1f\x7f-\x9f\u2028\u2029]")
_ONE_LINE = ("sender", "tracking", "campaign", "variant")
_MAY_BE_MISSING = ("variant", "country", "line_type")
_MAY_BE_EMPTY = ("sender", "tracking", "texting_hours", *_MAY_BE_MISSING)
_COUNTRY = re.compile("[A-Z]{2}|001")
_WORDS_OF = {
    "handover": frozenset(Handover),
    "line_type": frozenset(LINE_TYPES),
}

_MISSING = N_(
    "The column {column} is blank for some messages, so nobody can tell what to send. Use it as "
    'write_messages returns it. A Parquet file keeps it; a CSV file is read with dtype={{"{column}": '
    "str}}, keep_default_na=False."
)
_NO_TEXT = N_(
    "The column {column} contains something other than text, and a number may have lost digits or "
    "zeros. Use it as write_messages returns it. A Parquet file keeps it; a CSV file is read with "
    'dtype={{"{column}": str}}, keep_default_na=False.'
)
_HALF = N_("{column}: it contains a null or half a character, which cannot be sent. Remove it.")
_TWO_LINES = N_("{column}: it contains a line break or another control character. Write it on one line.")
_ONLY_SPACES = N_("{column}: it contains only spaces. Write a name, or leave it out.")
_UNKNOWN = N_(
    "The column {column} contains something other than {words}. Use it as write_messages returns it."
)
_NO_HOURS = N_(
    "The column texting_hours contains something other than hours, weekdays and time zones, or hours that "
    "these zones never share. Use it as write_messages returns it."
)
_NO_COUNTRY = N_(
    "The column country contains something other than two-letter codes such as GB. Use it as "
    "clean_contacts returns it, or leave it out."
)


def check_label(column: str, value: str) -> None:
    """Refuse a label that cannot be sent or stored.

    Args:
        column: Its name in MESSAGES.
        value: Its value.

    Raises:
        CampaignError: The sentence names the column, never the value.
    """
    if NO_CHARACTER.search(value):
        raise CampaignError(_(_HALF).format(column=column))
    if column in _ONE_LINE and _CONTROL.search(value):
        raise CampaignError(_(_TWO_LINES).format(column=column))
    if value == NO_LABEL and column in _MAY_BE_EMPTY:
        return
    if column != "template" and not value.strip():
        raise CampaignError(_(_ONLY_SPACES).format(column=column))
    if column == "country" and not _COUNTRY.fullmatch(value):
        raise CampaignError(_(_NO_COUNTRY))
    if column == "texting_hours" and not are_hours(value):
        raise CampaignError(_(_NO_HOURS))
    words = _WORDS_OF.get(column)
    if words is not None and value not in words:
        raise CampaignError(_(_UNKNOWN).format(column=column, words=", ".join(sorted(words))))


def check_labels(messages: pd.DataFrame, columns: Iterable[str]) -> None:
    """Refuse columns of labels if any label is missing, is not text, or cannot be sent.

    Raises:
        CampaignError: The sentence names the column, never a value.
    """
    for name in columns:
        values = present(messages[name])
        if name not in _MAY_BE_MISSING and messages[name].isna().any():
            raise CampaignError(_(_MISSING).format(column=name))
        if not all(isinstance(value, str) for value in values):
            raise CampaignError(_(_NO_TEXT).format(column=name))
        for value in dict.fromkeys(values):
            check_label(name, value)
