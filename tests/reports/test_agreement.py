"""Our verdicts beside the service's."""

from __future__ import annotations

import pandas as pd
from each import each

from dashboard.reports import Agreement, compare_checks

VALID, INVALID = (True, "MOBILE"), (False, "UNKNOWN")


@each(
    "ours, theirs, agreement",
    [
        (VALID, VALID, Agreement.AGREE),
        (INVALID, INVALID, Agreement.AGREE),
        (VALID, INVALID, Agreement.VALIDITY),
        (INVALID, VALID, Agreement.VALIDITY),
        (VALID, (True, "FIXED_LINE"), Agreement.LINE_TYPE),
        (VALID, (True, "UNKNOWN"), Agreement.AGREE),
        (VALID, (True, None), Agreement.AGREE),
        (INVALID, (False, "FIXED_LINE"), Agreement.AGREE),
        (VALID, (None, None), Agreement.NO_ANSWER),
        (INVALID, (None, None), Agreement.NO_ANSWER),
    ],
)
def test_where_the_two_differ(
    ours: tuple[bool, str], theirs: tuple[bool | None, str | None], agreement: Agreement
) -> None:
    own = pd.DataFrame([ours], columns=["valid", "line_type"], index=[7])
    said = pd.DataFrame([theirs], columns=["valid_format", "line_type"], index=[7])
    compared = compare_checks(own, said)
    assert compared["agreement"].tolist() == [agreement.value]
    assert compared.index.tolist() == [7]
    assert str(compared["their_valid"].dtype) == "boolean"


def test_nothing_compared_is_nothing() -> None:
    own = pd.DataFrame({"valid": pd.Series(dtype=bool), "line_type": pd.Series(dtype="str")})
    said = pd.DataFrame({"valid_format": pd.Series(dtype=object), "line_type": pd.Series(dtype="str")})
    assert compare_checks(own, said)["agreement"].value_counts().sum() == 0
