"""The recipients of a campaign as a table to read and e-mail: in words, each number once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.contacts.line_types import line_type_words
from dashboard.contacts.read.column_names import side_by_side
from dashboard.contacts.words.country_names import country_name
from dashboard.reports.measures.stages import stage_words
from dashboard.reports.tables.one_campaign.campaign import recipients, sheet_cells
from dashboard.words import N_, _

_FEWEST_DIGITS = 6
"""Of a cell that repeats the number in another spelling; a house number does not."""

_TITLES = {
    "row": N_("Row"),
    "phone": N_("Number"),
    "stage": N_("Status"),
    "reason": N_("Reason"),
    "sent_at": N_("Sent"),
    "delivered_at": N_("Delivered"),
    "country": N_("Country of the number"),
    "line_type": N_("Kind of line"),
    "variant": N_("Text"),
    "credits_low": N_("Credits, at least"),
    "credits_high": N_("Credits, at most"),
    "credits_billed": N_("Credits billed"),
    "message": N_("Message"),
    "uuid": N_("Message number at the service"),
}


@checks_frames
def recipients_in_words(
    messages: pd.DataFrame,
    *,
    sheet_rows: pd.DataFrame | None = None,
    tz: str = "UTC",
    now: datetime | None = None,
) -> pd.DataFrame:
    """What `recipients` returns, with titles, stages, countries and kinds of lines in the current language.

    Args:
        messages: As `Ledger.messages` gives them.
        sheet_rows: As `Ledger.sheet_rows` gives them; their columns follow after the row. Those that only
            repeat the number in another spelling are left out.
        tz: Time zone of the times.
        now: The current time, which decides what is still scheduled; the clock's if absent.

    Raises:
        FrameError: A frame lacks columns, or has something other than numbers or times where these belong.
    """
    table = recipients(messages, tz=tz, now=now)
    said = table.assign(
        stage=_each(table["stage"], stage_words),
        country=_each(table["country"], country_name),
        line_type=_each(table["line_type"], line_type_words),
    )
    titles = {name: _(title) for name, title in _TITLES.items() if name != "variant" or _has_any(said[name])}
    ours = said[list(titles)].rename(columns=titles)
    if sheet_rows is None:
        return ours
    cells = sheet_cells(table, sheet_rows)
    own = cells.drop(columns=repeating(cells, table["phone"]))
    return side_by_side(ours.iloc[:, :1], own, ours.iloc[:, 1:])


def repeating(cells: pd.DataFrame, phones: pd.Series) -> list[str]:
    """The columns of a sheet that hold nothing but the number of each row, in whatever spelling.

    Args:
        cells: Columns of text.
        phones: The number of each row, E.164, or empty where it was deleted.
    """
    return [str(name) for name in cells if _repeats(cells[name], phones)]


def _repeats(cells: pd.Series, phones: pd.Series) -> bool:
    """Whether the filled cells end in the last digits of their row's number."""
    digits = cells.fillna("").str.replace(r"\D", "", regex=True)
    filled = cells.fillna("").str.strip() != ""
    shown = digits[filled].str[-_FEWEST_DIGITS:]
    same = (shown == phones[filled].str[-_FEWEST_DIGITS:]) & (shown.str.len() == _FEWEST_DIGITS)
    return bool(filled.any() and same.all())


def _each(cells: pd.Series, words: Callable[[str], str]) -> pd.Series:
    said: pd.Series = cells.astype("object").map(words, na_action="ignore")
    return said


def _has_any(cells: pd.Series) -> bool:
    return bool(cells.notna().any())
