"""Finding a number in a list. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.app.masking import masked_frame
from dashboard.app.standing.number_search import FEWEST_DIGITS, are_wanted, digits_in, numbers_wanted


def search(listed: pd.DataFrame, wanted: str, *, whole: bool = False) -> pd.DataFrame:
    """Rows with this number or these digits, or with these words in their other texts; everything if blank.

    Args:
        listed: The rows.
        wanted: What somebody typed.
        whole: Only a whole number finds one, and texts are searched as a viewer sees them: digit by digit, a
            search would tell what is masked.
    """
    if not wanted:
        return listed
    if len(digits_in(wanted)) >= FEWEST_DIGITS:
        return listed[are_wanted(listed["phone"], numbers_wanted(wanted, whole=whole) or ())]
    texts = listed[["reason", "source"]]
    shown = masked_frame(texts) if whole else texts
    found = [shown[name].fillna("").str.contains(wanted, case=False, regex=False) for name in shown]
    return listed[found[0] | found[1]]
