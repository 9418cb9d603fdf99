"""Numbers that lack one digit: too short at home, whatever else they would be in another country.

Nine digits of an American number are a valid French one, and somebody has it. So before any number is
looked for abroad, each digit is put back at each place.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import arrow_of, text_series
from dashboard.contacts.line_types import TEXTABLE
from dashboard.phones import clean_phones

__all__ = ["lacks_a_digit", "lacks_a_mobiles_digit"]

_DIGITS = [pa.scalar(digit, pa.large_string()) for digit in "0123456789"]
_NOTHING = pa.scalar("", pa.large_string())
_TELLING = 5
"""The first digits tell whose a number is, the later ones hardly ever: putting one back among those is the
same as at the end."""
_LATER = "5"
_AT_ONCE = 1 << 13
Mask = npt.NDArray[np.bool_]


def lacks_a_digit(numbers: pd.DataFrame) -> pd.Series:
    """Which of some invalid numbers lack one digit, at their end or, of a mobile number, anywhere.

    Args:
        numbers: Columns text, digits (of the text) and home (the country it is dialled from).
    """
    plus = np.where(numbers["text"].str.contains("+", regex=False), "+", "")
    lacking = pd.Series(data=False, index=numbers.index)
    for digit in ("0", _LATER):
        tried = numbers["digits"][~lacking]
        longer = clean_phones(plus[~lacking] + tried + digit, numbers["home"][~lacking])
        lacking[tried.index[longer["valid"]]] = True
    national = numbers[~lacking & (plus == "")]
    return lacking | lacks_a_mobiles_digit(national).reindex(numbers.index, fill_value=False)


def lacks_a_mobiles_digit(numbers: pd.DataFrame) -> pd.Series:
    """Which of some numbers without a + are mobile numbers of their country with one digit more."""
    known = numbers[numbers["home"].notna()]
    if known.empty:
        return pd.Series(data=False, index=numbers.index)
    begins = pd.DataFrame(
        {
            "begin": known["digits"].str.slice(0, _TELLING),
            "more": (known["digits"].str.len() - _TELLING).clip(lower=0),
            "home": known["home"],
        }
    )
    each = begins.groupby(["begin", "more", "home"], sort=False, observed=True).ngroup()
    found = _with_one_more(begins[~each.duplicated()].reset_index(drop=True))
    return pd.Series(found[each.to_numpy()], index=known.index).reindex(numbers.index, fill_value=False)


def _with_one_more(begins: pd.DataFrame) -> Mask:
    starts = range(0, len(begins), _AT_ONCE)
    pieces = [_tried(begins.iloc[start : start + _AT_ONCE]) for start in starts]
    return np.concatenate([np.empty(0, np.bool_), *pieces])


def _tried(begins: pd.DataFrame) -> Mask:
    """Try all digits at all places at once: what a judgement of phones costs, it costs by the call."""
    rest = pa.array([_LATER * length for length in begins["more"].tolist()], pa.large_string())
    begin = arrow_of(begins["begin"])
    variants = [
        pc.binary_join_element_wise(
            pc.utf8_slice_codeunits(begin, 0, place),
            digit,
            pc.utf8_slice_codeunits(begin, place),
            rest,
            _NOTHING,
        )
        for place in range(_TELLING + 1)
        for digit in _DIGITS
    ]
    homes = pd.concat([begins["home"]] * len(variants), ignore_index=True)
    is_mobile = _is_mobile_at_home(
        text_series(pa.concat_arrays([one.combine_chunks() for one in variants])), homes
    )
    found: Mask = np.any(is_mobile.reshape(len(variants), len(begins)), axis=0)
    return found


def _is_mobile_at_home(digits: pd.Series, homes: pd.Series) -> Mask:
    """Which are mobile numbers as they are dialled within a country; 00 7 911 123 4567 is one abroad."""
    judged = clean_phones(digits, homes)
    fits = (judged["valid"] & judged["line_type"].isin(TEXTABLE)).to_numpy(copy=True)
    dialled = zip(digits[fits], judged["phone"][fits], strict=True)
    fits[fits] = [len(text) < len(phone) or not text.endswith(phone[1:]) for text, phone in dialled]
    return fits
