"""How far messages have got, in SQL."""

from __future__ import annotations

from sqlalchemy import ColumnElement, case

from dashboard.ledger.tallies.tables import DELIVERED, FAILED, SENT
from dashboard.reports.measures.stages import MAY_BE_SCHEDULED, STAGE_OF_STATE, Stage

_NEWS = {SENT: Stage.SENT.value, FAILED: Stage.FAILED.value, DELIVERED: Stage.DELIVERED.value}
_OF_STATE = {state: stage.value for state, stage in STAGE_OF_STATE.items()}


def stage_of(
    news: ColumnElement[int], state: ColumnElement[str], *, is_due_later: ColumnElement[bool]
) -> ColumnElement[str]:
    """The stage of messages, as `reports.stages` has it; `news` is the one the service told, if it did."""
    waits = state.in_(MAY_BE_SCHEDULED) & is_due_later
    before_news = case((waits, Stage.SCHEDULED.value), else_=case(_OF_STATE, value=state))
    return case(_NEWS, value=news, else_=before_news)
