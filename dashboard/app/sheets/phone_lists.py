"""Finding a number in a list. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.app.standing.recipient_table import digits_of

_FEWEST_DIGITS = 3


def search(listed: pd.DataFrame, wanted: str, *, whole: bool = False) -> pd.DataFrame:
    """Rows whose phone has these digits, or whose other texts have these words; everything if blank.

    Args:
        listed: The rows.
        wanted: What somebody typed.
        whole: Only a whole number finds one: digit by digit, a search would tell what is masked.
    """
    if not wanted:
        return listed
    digits = digits_of(wanted)
    found = pd.Series(data=False, index=listed.index)
    if len(digits) >= _FEWEST_DIGITS:
        phones = listed["phone"]
        found |= phones.eq(f"+{digits}") if whole else phones.str.contains(digits, regex=False)
    else:
        for name in ("reason", "source"):
            found |= listed[name].fillna("").str.contains(wanted, case=False, regex=False)
    return listed[found]
