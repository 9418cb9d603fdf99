"""The groups of states in the reports, which know no ledger, are those of the ledger."""

from __future__ import annotations

from dashboard.ledger.database.states import COUNTED_AS_USED, HANDED_OVER, MESSAGE_STATES
from dashboard.reports.measures.causes import MAY_BE_BILLED
from dashboard.reports.measures.counting import NOT_HANDED_OVER
from dashboard.reports.measures.stages import STAGE_OF_STATE


def test_both_name_the_same_states_in_the_same_order_and_group_them_alike() -> None:
    assert tuple(STAGE_OF_STATE) == MESSAGE_STATES
    assert set(NOT_HANDED_OVER) == set(MESSAGE_STATES) - set(HANDED_OVER)
    assert {*MAY_BE_BILLED, "sending"} == set(COUNTED_AS_USED), "once its request is over"
