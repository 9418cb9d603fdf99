"""One person's history: every message to one number."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
from sqlalchemy import Connection, func, select

from dashboard.contacts import read_opt_outs
from dashboard.contacts.renumberings import spellings
from dashboard.errors import OptionError
from dashboard.ledger.database import schema
from dashboard.ledger.frames.declared import UTC_TIME
from dashboard.ledger.frames.messages.message_rows import Chosen
from dashboard.ledger.frames.of_rows import messages
from dashboard.words import _


def number_of(typed: str, country: str | None) -> str:
    """The one number that somebody typed, in E.164; one that stands in the ledger is taken as it stands.

    Raises:
        OptionError: It cannot be read, or there are several.
        CountryError: The country is not a two-letter ISO 3166 code in upper case.
    """
    read = read_opt_outs([typed], None if typed.strip().startswith("+") else country)
    if read.unread or not len(read.numbers):
        raise OptionError(
            _(
                "This is not a phone number. Check its digits; without a country code, it needs the country: "
                "country='GB'."
            )
        )
    if len(read.numbers) > 1:
        raise OptionError(
            _("This can be read as several numbers. Give one, with a plus sign and the country code.")
        )
    return f"+{read.numbers[0]}"


def person(connection: Connection, phone: str, *, now: datetime) -> pd.DataFrame:
    """The messages to a number in E.164, in any spelling, in the order of sending, with its opt-out."""
    since, found = opted_out_since(connection, phone), messages(connection, Chosen(phone=phone), now=now)
    return found.assign(opted_out_at=pd.Series(since, found.index, dtype=UTC_TIME))


def opted_out_since(connection: Connection, phone: str) -> datetime | None:
    """Since when a number in E.164 is on the list of opt-outs, in any spelling; None if it is not."""
    table = schema.opt_out.c
    listed = table.phone.in_(spellings(phone)) & table.removed_at.is_(None)
    since: datetime | None = connection.execute(select(func.min(table.added_at)).where(listed)).scalar_one()
    return since
