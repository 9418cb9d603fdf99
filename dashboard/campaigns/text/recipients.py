"""Who is written to: the sendable rows of a list, or a frame whose columns are told apart by their names."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from dashboard.contacts import ContactList
from dashboard.contacts.contact_list import OWN_FIELDS
from dashboard.errors import CampaignError
from dashboard.values import as_texts, whole_characters
from dashboard.words import _


def recipients_of(contacts: ContactList | pd.DataFrame) -> tuple[pd.DataFrame, Mapping[str, str] | None]:
    """The contacts with the text of every column's name, and what each column holds if that was confirmed.

    Raises:
        CampaignError: A frame has no column `phone`, or two columns of one name.
    """
    if isinstance(contacts, ContactList):
        fields = contacts.how.columns.fields.items()
        meaning = {field: column for field, column in fields if column not in OWN_FIELDS}
        return contacts.sendable, meaning
    if contacts.columns.tolist().count("phone") != 1:
        raise CampaignError(
            _(
                "The contacts need exactly one column called phone. Clean the sheet first with "
                "clean_contacts, or rename the column with the E.164 numbers to phone."
            )
        )
    named = contacts.set_axis([whole_characters(name) for name in contacts.columns], axis=1)
    _refuse_twins(named.columns)
    return named.assign(phone=as_texts(named["phone"])), None


def _refuse_twins(names: pd.Index) -> None:
    twice = names[names.duplicated()].unique()
    if len(twice):
        raise CampaignError(
            _(
                "The contacts have the columns {twice} more than once, so nobody can tell which one counts. "
                "Rename or remove all but one of each."
            ).format(twice=", ".join(twice))
        )
