"""The people who can be texted, each with the message they get, as a table to look through. Pure."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from dashboard.app.sheets.fix_table import context_columns, origin
from dashboard.campaigns import explain_message
from dashboard.contacts import ContactList
from dashboard.words import N_, _

NUMBER, MESSAGE = N_("Number"), N_("Message")


def ready_table(
    contacts: ContactList,
    phones: Collection[str],
    chosen: pd.DataFrame,
    messages: pd.DataFrame | None,
) -> pd.DataFrame:
    """Make the table of these rows, which can be texted.

    Args:
        contacts: The checked list; it is not changed.
        phones: The phone columns of the sheet, which are not repeated.
        chosen: Verdicts with the status ok, at most as many as a page shows.
        messages: MESSAGES written for them; None while there is no text.

    Returns:
        Index: row number of the file. Columns: the sheet's first one to recognise the person by; once there
        is a text, Message, which is what the person gets or why nothing is sent; Number (E.164); more columns
        of the sheet.
    """
    ours = {_(NUMBER): chosen["phone"].astype("str")}
    if messages is not None:
        theirs = messages[messages["row"].isin(chosen["row"])].set_index("row")
        texts = _texts(theirs).reindex(chosen["row"]).fillna("")
        ours = {_(MESSAGE): texts.set_axis(chosen.index)} | ours
    ours |= origin(contacts, chosen)
    names = context_columns(contacts, {*phones, *ours})
    named = {name: contacts.fields.loc[chosen.index, name] for name in names}
    table = pd.DataFrame(named | ours, index=chosen.index)[[*names[:1], *ours, *names[1:]]]
    return table.set_index(pd.Index(chosen["row"], name=_("Row")))


def _texts(messages: pd.DataFrame) -> pd.Series:
    """The text of each message, or in its place why it is not sent."""
    reasons = messages["problem"].astype("object").map(lambda code: f"({explain_message(code)})", "ignore")
    return messages["body"].astype("object").where(messages["problem"].isna(), reasons).astype("str")
