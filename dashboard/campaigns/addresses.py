"""Whether contacts' phones can be texted as they are: `to` must be E.164 (contract, section 4.1)."""

from __future__ import annotations

import pandas as pd

from dashboard.campaigns.length.measures import Bools
from dashboard.phones import clean_phones

NO_COUNTRY = ("", "001")
"""A blank cell, and the library's word for numbers of no country (+800)."""


def is_e164(phones: pd.Series) -> Bools:
    """Whether each is a valid number, written as `clean_phones` writes it: + and digits only.

    A phone stored as a number does not count: it has lost its +, and perhaps zeros and digits.

    Args:
        phones: Texts, as returned by `as_texts`.
    """
    judged = clean_phones(phones, None)
    return judged["valid"].to_numpy() & (judged["phone"] == phones).to_numpy(bool)
