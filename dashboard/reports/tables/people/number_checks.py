"""Our verdict on numbers compared with the service's: where the two differ, and how."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames

_NOT_KNOWN = "UNKNOWN"


class Agreement(StrEnum):
    """How our verdict on a number relates to the service's."""

    AGREE = "agree"
    VALIDITY = "one says valid"
    LINE_TYPE = "different line types"
    NO_ANSWER = "no answer"


@checks_frames
def compare_checks(ours: pd.DataFrame, theirs: pd.DataFrame) -> pd.DataFrame:
    """Compare our verdicts with the service's, number by number.

    Args:
        ours: valid (bool) and line_type (contract 4.2), with any other columns, such as row and phone.
        theirs: valid_format and line_type as the service answered, missing without an answer; same index.

    Returns:
        The columns of `ours`, then their_valid (boolean), their_line_type (str) and agreement (a category of
        `Agreement`). If one of the two does not know the line type, that is not a difference.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> ours = clean_phones(pd.Series(["07400 123456"]), "GB")
        >>> theirs = pd.DataFrame({"valid_format": [True], "line_type": ["MOBILE"]})
        >>> compare_checks(ours, theirs)["agreement"].tolist()
        ['agree']
    """
    valid = theirs["valid_format"].astype("boolean")
    line_type = theirs["line_type"].astype("str")
    answered = valid.notna().to_numpy()
    same = (valid.fillna(value=False) == ours["valid"]).to_numpy(dtype=bool)
    own = ours["line_type"].astype("str")
    known = (
        ~own.isin([_NOT_KNOWN]) & ~line_type.isin([_NOT_KNOWN]) & own.notna() & line_type.notna()
    ).to_numpy()
    other_line = ours["valid"].to_numpy(dtype=bool) & known & (own != line_type).to_numpy()
    agreement = np.select(
        [~answered, ~same, other_line],
        [Agreement.NO_ANSWER, Agreement.VALIDITY, Agreement.LINE_TYPE],
        Agreement.AGREE,
    )
    return ours.assign(
        their_valid=valid,
        their_line_type=line_type,
        agreement=pd.Categorical(agreement, [each.value for each in Agreement]),
    )
