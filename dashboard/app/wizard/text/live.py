"""What the editor needs to count while somebody types: one person's cells, and the rules of length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from dashboard.app.drafts import Draft
from dashboard.app.prepare import VARIANT_NAMES, Written, as_sent, link_shown
from dashboard.campaigns.length.credits import LIMIT, PART, SINGLE
from dashboard.campaigns.length.links import URL_PATTERN, LinkLength
from dashboard.campaigns.length.normal import normal_text
from dashboard.campaigns.text.cells import YES, Cells
from dashboard.campaigns.text.short_names import by_short_name
from dashboard.contacts import ContactList
from dashboard.contacts.contact_list import OWN_FIELDS

RULE = {"single": SINGLE, "part": PART, "limit": LIMIT}


def editor_key(draft: Draft, place: int | None) -> str:
    """The key of the editor of one of several texts, or of the only one."""
    return f"message-{draft.id}" if place is None else f"message-{draft.id}-{VARIANT_NAMES[place]}"


def person(contacts: ContactList, row: int | None) -> dict[str, Any]:
    """One person's `cells` by column, as a message holds them, and the columns in which they say `yes`.

    Args:
        contacts: The contacts.
        row: The person's row in the sheet; every cell is blank if None.
    """
    chosen = (contacts.rows["row"] == (-1 if row is None else row)).to_numpy()
    one = replace(contacts, rows=contacts.rows[chosen], fields=contacts.fields[chosen]).sendable
    if one.empty:
        return {"cells": dict.fromkeys(map(str, one.columns), ""), "yes": []}
    cells = Cells(one, contacts.how.columns.fields)
    columns = {str(name): cells[name] for name in one.columns}
    return {
        "cells": {name: column.fill("", None).texts[0].as_py() for name, column in columns.items()},
        "yes": [name for name, column in columns.items() if column.answers()[0] == YES],
    }


def row_shown(contacts: ContactList, messages: pd.DataFrame | None, number: int) -> int | None:
    """The row of the person in the preview.

    Args:
        contacts: The contacts.
        messages: The MESSAGES in the preview; None while there are none, as the text has a mistake.
        number: Which of these people is shown, counted from 1.
    """
    rows = contacts.rows.loc[contacts.rows["status"] == "ok", "row"] if messages is None else messages["row"]
    return None if rows.empty else int(rows.iloc[min(number, len(rows)) - 1])


def aliases(contacts: ContactList) -> Mapping[str, str]:
    """Names such as first_name, by which a template finds a column called otherwise."""
    short = by_short_name(map(str, contacts.fields.columns))
    named = {name: columns[0] for name, columns in short.items() if len(columns) == 1}
    every = {**named, **contacts.how.columns.fields}
    return {name: column for name, column in every.items() if column not in OWN_FIELDS}


def tail(draft: Draft, text: str) -> str:
    """What is sent below the text as it was typed."""
    return normal_text(as_sent(draft, text)[len(text) :])


def short_links(draft: Draft, written: Written | None) -> dict[str, Any] | None:
    """How a link is found, how long the one in its place is and how it is shown; None where links stay."""
    learned = written.links.length if written and written.links else LinkLength()
    shown = link_shown(draft, written.links if written else None)
    if shown is None:
        return None
    return {
        "pattern": URL_PATTERN.removeprefix("(?i)"),
        "low": learned.low,
        "high": learned.high,
        "shown": shown,
    }
