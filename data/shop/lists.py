"""The shop's exports, each quarter: the web shop checks numbers, at the fair they are written by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

from dashboard.contacts import ContactList, clean_contacts, read_sheet
from dashboard.ledger import Ledger
from shop.people import People

QUARTERS = (2, 5, 8, 11)
MESS = {"webshop": (3, 0), "fair": (14, 6)}
"""How many rows that nobody can text, at first and more each quarter."""


def save_list(
    ledger: Ledger, people: People, contacts: ContactList, lines: list[str], source: str, at: datetime
) -> None:
    """Save what one source exports on that day.

    Args:
        ledger: Where to.
        people: Who is on the list.
        contacts: The verdicts on the whole sheet.
        lines: The sheet's lines; row 1 is the header.
        source: "webshop" or "fair".
        at: The day.
    """
    rows = contacts.rows
    odd = rows.loc[rows["status"] != "ok", "row"].to_list()
    place = QUARTERS.index(at.month)
    first, more = MESS[source]
    mess = odd[place + first :: 3][: first + more * place]
    listed = people.on_the_list(at)
    here = [one == source for one in people.sources()]
    wanted = [*listed.loc[[here[label] for label in listed.index], "row"], *mess]
    content = "\n".join([lines[0], *(lines[row - 1] for row in wanted)]).encode()
    counts = clean_contacts(read_sheet(content), country="GB").counts()
    file = f"{source}.csv"
    who = "ann@example.com"
    ledger.lists.save(f"{at:%Y-%m} {file}", BytesIO(content), source=file, who=who, counts=counts)


def quarter(month: int) -> datetime:
    """The day of the exports of that month."""
    return datetime(2025, month, 1, 9, tzinfo=UTC)
