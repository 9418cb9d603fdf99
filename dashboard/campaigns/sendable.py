"""Which of MESSAGES can be sent: the last check of a frame before it is frozen.

`write_messages` writes only such messages. But a frame may have been edited, merged, or read from a file
since. Row numbers say where something is wrong; a number or a text is never repeated.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns.addresses import NO_COUNTRY, is_e164
from dashboard.campaigns.length.credits import LIMIT, credits_of
from dashboard.campaigns.length.links import count_links
from dashboard.campaigns.length.measures import Bools, Ints
from dashboard.campaigns.length.normal import as_text_column
from dashboard.campaigns.sent_with import is_sent, require_columns
from dashboard.campaigns.when.schedule import YEARS
from dashboard.contacts.categories import subscribers_of
from dashboard.contacts.row_numbers import rows_in_words
from dashboard.errors import CampaignError
from dashboard.values import as_texts
from dashboard.words import N_, _, count

_NO_CHARACTER = "[\x00\ud800-\udfff]"
_ROWS_NAMED = 10
_TIME = "datetime64[us, UTC]"
_MOST_CREDITS = 1000
"""More than any text of 1024 characters costs with any short links; a million of them add up within int64."""

_MOST_ROW = 2**53  # a float still distinguishes it from its neighbours
_NONE = {"country": NO_COUNTRY, "line_type": ("",), "variant": ("",)}
"""What means none."""


_NOT_A_NUMBER = N_(
    "{rows}: the number to text is not a valid number written as + and digits only. Clean the numbers "
    "with clean_contacts and write the messages again."
)
_NO_TEXT = N_("{rows}: the text is empty. Write the messages again, or remove these rows.")
_TOO_LONG = N_("{rows}: the text is longer than {limit} characters. Shorten it and write the messages again.")
_NOT_UNICODE = N_(
    "{rows}: the text contains a null or half a character, which cannot be sent. Remove it from the cell."
)
_CHANGED = N_(
    "{rows}: the text was changed after it was priced, so its cost is not known. Change the template or the "
    "contacts and write the messages again."
)
_NO_COST = N_("{rows}: the credits are not whole numbers from 1 to {most}. Write the messages again.")
_TOO_CHEAP = N_(
    "{rows}: the text costs more credits than its row says, so a cap would not hold. Write the "
    "messages again."
)
_NO_TIME = N_("{rows}: the sending time is not in the years 1970 to 9998. Write the messages again.")
_TWICE = N_("{rows}: the same text goes to the same number twice. Remove all but one of them.")


@checks_arguments()
def sendable(messages: pd.DataFrame) -> pd.DataFrame:
    """The messages without a problem, all of which can be sent.

    Args:
        messages: MESSAGES.

    Returns:
        The same columns, in the declared dtypes if the ledger stores them.

    Raises:
        CampaignError: A column is missing, nothing can be sent, or a row cannot; the sentence names rows.
    """
    require_columns(messages)
    chosen = messages[is_sent(messages)]
    if chosen.empty:
        raise CampaignError(
            _("There is no message to send: every row has a problem. Correct the template or the sheet.")
        )
    row = _row_numbers(chosen["row"])
    texts, is_text = _texts(chosen["to"])
    to = as_texts(texts)
    _refuse(~(is_text & is_e164(to)), row, _NOT_A_NUMBER)
    body = _bodies(chosen, row)
    checked = chosen.assign(
        row=row,
        to=to,
        body=body,
        scheduled_at=_times(chosen["scheduled_at"], row),
        **{name: _without(chosen[name], *none) for name, none in _NONE.items()},
        **_costs(chosen, body, row),
    )
    twice = checked.assign(to=subscribers_of(to)).duplicated(["to", "body"], keep=False)
    _refuse(twice.to_numpy(), row, _TWICE)
    return checked


def _bodies(chosen: pd.DataFrame, row: pd.Series) -> pd.Series:
    body, is_text = _texts(chosen["body"])
    characters = body.str.len().to_numpy(np.int64)
    _refuse(~is_text | (characters == 0), row, _NO_TEXT)
    _refuse(characters > LIMIT, row, _TOO_LONG)
    _refuse(_holds_no_character(body), row, _NOT_UNICODE)
    said = pd.to_numeric(chosen["characters"], errors="coerce").to_numpy(np.float64)
    _refuse(characters != said, row, _CHANGED)
    return body.astype("str")


def _holds_no_character(body: pd.Series) -> Bools:
    """Where there is half a surrogate pair, which UTF-8 cannot hold, or a null, which PostgreSQL cannot."""
    pattern = _NO_CHARACTER if body.dtype == object else "\x00"
    return body.str.contains(pattern, regex=body.dtype == object).to_numpy(bool)


def _texts(column: pd.Series) -> tuple[pd.Series, Bools]:
    """The column with "" for everything that is not text, and where it is text."""
    if isinstance(column.dtype, pd.StringDtype):
        is_text = column.notna().to_numpy()
    else:
        column = column.astype(object)
        is_text = np.fromiter((isinstance(value, str) for value in column), bool, len(column))
    return (column if is_text.all() else column.where(is_text, "")), is_text


def _costs(chosen: pd.DataFrame, body: pd.Series, row: pd.Series) -> dict[str, pd.Series]:
    numbers = {name: pd.to_numeric(chosen[name], errors="coerce") for name in ("credits_low", "credits_high")}
    low, high = (each.to_numpy(np.float64, na_value=np.nan) for each in numbers.values())
    is_whole = (low % 1 == 0) & (high % 1 == 0)
    _refuse(~((low >= 1) & (low <= high) & (high <= _MOST_CREDITS) & is_whole), row, _NO_COST)
    _refuse(low < _least(chosen, body, low), row, _TOO_CHEAP)
    return {name: each.astype("int64") for name, each in numbers.items()}


def _least(chosen: pd.DataFrame, body: pd.Series, low: npt.NDArray[np.float64]) -> Ints:
    """The least each text costs: as written, or with every shortened link counted as one character."""
    characters: Ints = np.asarray(body.str.len(), np.int64)
    least = credits_of(characters)
    doubted = np.flatnonzero((low < least) & (chosen["shorten_links"].astype(object) == True).to_numpy(bool))  # noqa: E712 - a column
    if len(doubted):
        links = count_links(as_text_column(body.iloc[doubted]), characters[doubted])
        least[doubted] = credits_of(characters[doubted] - links.characters + links.count)
    return least


def _without(column: pd.Series, *none: str) -> pd.Series:
    """The column, missing where it says there is none."""
    is_none = np.zeros(len(column), bool)
    for word in none:
        is_none |= (column.astype(object) == word).to_numpy(bool)
    return column.mask(is_none) if is_none.any() else column


def _row_numbers(column: pd.Series) -> pd.Series:
    numbers = pd.to_numeric(column, errors="coerce")
    if not ((numbers % 1 == 0) & (numbers >= 0) & (numbers <= _MOST_ROW)).all():
        raise CampaignError(
            _(
                "The column row contains something other than row numbers. Use it as write_messages "
                "returns it."
            )
        )
    return numbers.astype("int64")


def _times(column: pd.Series, row: pd.Series) -> pd.Series:
    if not isinstance(column.dtype, pd.DatetimeTZDtype):
        if (column.isna() | (column.astype(object) == "")).all():
            return pd.Series(pd.NaT, column.index, dtype=_TIME)
        raise CampaignError(
            _(
                "The column scheduled_at contains times without a zone, or something other than times, "
                "so nobody can tell when to send. Use it as write_messages returns it, in UTC."
            )
        )
    times: pd.Series = column.dt.tz_convert("UTC").dt.as_unit("us")
    _refuse((times.notna() & ~times.dt.year.isin(YEARS)).to_numpy(bool), row, _NO_TIME)
    return times


def _refuse(bad: Bools, row: pd.Series, sentence: str) -> None:
    if bad.any():
        named = {
            "rows": _named(rows_in_words(row)[bad].tolist()),
            "limit": count(LIMIT),
            "most": count(_MOST_CREDITS),
        }
        raise CampaignError(_(sentence).format(**named))


def _named(rows: list[object]) -> str:
    """Such as "Row 4", "Rows 4, 7", "Rows 4, 7, … and 12 more", "Row 4 of list 2"."""
    shown = ", ".join(map(str, rows[:_ROWS_NAMED]))
    if len(rows) == 1:
        return _("Row {rows}").format(rows=shown)
    more = len(rows) - _ROWS_NAMED
    if more <= 0:
        return _("Rows {rows}").format(rows=shown)
    return _("Rows {rows} and {more} more").format(rows=shown, more=count(more))
