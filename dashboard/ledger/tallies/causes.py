"""Why a bill is what it is, decided when it comes: the text that decides it may be deleted later."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from dashboard.ledger.database.states import BatchState
from dashboard.reports import Cause, bills

CAUSES = (
    *(Cause.NOT_SENT, Cause.UNKNOWN, Cause.NOT_IN_ANSWER),
    *(Cause.AS_ESTIMATED, Cause.SHORT_LINK, Cause.OUTSIDE_GSM, Cause.UNEXPLAINED),
)
"""The causes by the numbers that the ledger stores; these never change."""

CODES: dict[Cause, int] = {cause: code for code, cause in enumerate(CAUSES)}
NOT_SENT, UNKNOWN, NOT_IN_ANSWER, AS_ESTIMATED, SHORT_LINK, OUTSIDE_GSM, UNEXPLAINED = range(7)

OF_BATCH: dict[BatchState, int] = {"accepted": NOT_IN_ANSWER, "unknown": UNKNOWN, "abandoned": UNKNOWN}
"""The causes of messages that have no state of their own, by their batch's; the others were not sent."""


def explained(bodies: Sequence[str], bills_and_ranges: Sequence[tuple[int, int, int]]) -> list[int]:
    """The causes of bills beyond or below their estimates: the text has to explain them.

    Args:
        bodies: The frozen texts; "" of one that was deleted, whose odd bill stays unexplained.
        bills_and_ranges: Credits billed, then the lowest and the highest estimate.
    """
    names = ["credits_billed", "credits_low", "credits_high"]
    frame = pd.DataFrame(list(bills_and_ranges), columns=names, dtype="Int64")
    texts = pd.Series(list(bodies), dtype="str")
    causes = bills(frame.assign(uuid="", body=texts, state="accepted"))["cause"]
    return [CODES[Cause(cause)] if body else UNEXPLAINED for body, cause in zip(bodies, causes, strict=True)]
