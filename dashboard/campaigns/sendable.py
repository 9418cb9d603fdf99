"""What of MESSAGES can be sent: the last look at a frame before it is frozen.

`write_messages` makes no other messages. But a frame may have been edited, merged, or read from a file since.
Row numbers say what is wrong where; a number or a text is never repeated.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dashboard.campaigns.length.credits import LIMIT
from dashboard.campaigns.length.measures import Bools
from dashboard.campaigns.sent_with import require_columns
from dashboard.errors import CampaignError
from dashboard.words import N_, _, count

_E164 = r"\+[1-9][0-9]{6,14}"
"""A + and 7 to 15 digits: no country's numbers are shorter with its code (ITU-T E.164 allows 15)."""

_NO_CHARACTER = "[\x00\ud800-\udfff]"
_ROWS_NAMED = 10
_TIME = "datetime64[us, UTC]"

_NOT_A_NUMBER = N_(
    "{rows}: the number to text is not + and digits. Clean the numbers with clean_contacts and write the "
    "messages again."
)
_NO_TEXT = N_("{rows}: the text is empty. Write the messages again, or take these rows out.")
_TOO_LONG = N_("{rows}: the text is longer than {limit} characters. Shorten it and write the messages again.")
_NOT_UNICODE = N_(
    "{rows}: the text holds a null or half of a character, which cannot be sent. Take it out of the cell."
)
_CHANGED = N_(
    "{rows}: the text was changed after it was priced, so its cost is not known. Change the template or the "
    "contacts and write the messages again."
)
_NO_COST = N_("{rows}: the credits are not whole numbers from 1 on. Write the messages again.")
_TWICE = N_("{rows}: the same text goes to the same number twice. Take out all but one of them.")


def sendable(messages: pd.DataFrame) -> pd.DataFrame:
    """The messages that have no problem, each of which can be sent.

    Args:
        messages: MESSAGES.

    Returns:
        The same columns in the declared dtypes where the ledger stores them.

    Raises:
        CampaignError: A column is missing, nothing can be sent, or a row cannot; the sentence names rows.
    """
    require_columns(messages)
    chosen = messages[messages["problem"].isna()]
    if chosen.empty:
        raise CampaignError(
            _("There is no message to send: every row has a problem. Correct the template or the sheet.")
        )
    row = _row_numbers(chosen["row"])
    to, is_text = _texts(chosen["to"])
    _refuse(~(is_text & to.str.fullmatch(_E164).to_numpy(bool)), row, _NOT_A_NUMBER)
    body = _bodies(chosen, row)
    checked = chosen.assign(
        row=row,
        to=to.astype("str"),
        body=body,
        scheduled_at=_times(chosen["scheduled_at"]),
        **_costs(chosen, row),
    )
    _refuse(checked.duplicated(["to", "body"], keep=False).to_numpy(), row, _TWICE)
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
    """Where half of a surrogate pair stands, which UTF-8 cannot hold, or a null, which PostgreSQL cannot."""
    pattern = _NO_CHARACTER if body.dtype == object else "\x00"
    return body.str.contains(pattern, regex=body.dtype == object).to_numpy(bool)


def _texts(column: pd.Series) -> tuple[pd.Series, Bools]:
    """The column with "" for all that is no text, and where it is text."""
    if isinstance(column.dtype, pd.StringDtype):
        is_text = column.notna().to_numpy()
    else:
        column = column.astype(object)
        is_text = np.fromiter((isinstance(value, str) for value in column), bool, len(column))
    return (column if is_text.all() else column.where(is_text, "")), is_text


def _costs(chosen: pd.DataFrame, row: pd.Series) -> dict[str, pd.Series]:
    numbers = {name: pd.to_numeric(chosen[name], errors="coerce") for name in ("credits_low", "credits_high")}
    low, high = (each.to_numpy(np.float64, na_value=np.nan) for each in numbers.values())
    _refuse(~((low >= 1) & (low <= high) & (low % 1 == 0) & (high % 1 == 0)), row, _NO_COST)
    return {name: each.astype("int64") for name, each in numbers.items()}


def _row_numbers(column: pd.Series) -> pd.Series:
    numbers = pd.to_numeric(column, errors="coerce")
    if not (numbers % 1 == 0).all():
        raise CampaignError(
            _("The column row holds something else than row numbers. Take it as write_messages gives it.")
        )
    return numbers.astype("int64")


def _times(column: pd.Series) -> pd.Series:
    if not isinstance(column.dtype, pd.DatetimeTZDtype):
        if column.isna().all():
            return pd.Series(pd.NaT, column.index, dtype=_TIME)
        raise CampaignError(
            _(
                "The column scheduled_at holds times without a zone, or something else than times, so nobody "
                "can tell when to send. Take it as write_messages gives it, in UTC."
            )
        )
    times: pd.Series = column.dt.tz_convert("UTC").dt.as_unit("us")
    return times


def _refuse(bad: Bools, row: pd.Series, sentence: str) -> None:
    if bad.any():
        raise CampaignError(_(sentence).format(rows=_named(row[bad].tolist()), limit=count(LIMIT)))


def _named(rows: list[int]) -> str:
    """As in "Row 4", "Rows 4, 7", "Rows 4, 7, … and 12 more"."""
    shown = ", ".join(map(str, rows[:_ROWS_NAMED]))
    if len(rows) == 1:
        return _("Row {rows}").format(rows=shown)
    more = len(rows) - _ROWS_NAMED
    if more <= 0:
        return _("Rows {rows}").format(rows=shown)
    return _("Rows {rows} and {more} more").format(rows=shown, more=count(more))
