"""The engine that dashboard and commands send with, and the caps that are in force when it begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiers import only_deep

from dashboard.errors import SendingError
from dashboard.jobs.connection import engine_for
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox.gate import CAPS, Gate, read_gate
from dashboard.ledger.outbox.slots import SLOTS, nobody_sends
from dashboard.sending import Engine
from dashboard.service import SmsService
from dashboard.settings import Settings

NOWHERE = SmsService("http://127.0.0.1:9", "nothing-is-sent")


def gate(ledger: Ledger) -> Gate:
    with ledger.database.read() as connection:
        return read_gate(connection)


@pytest.mark.parametrize("name", CAPS)
@pytest.mark.parametrize("cap", [None, 20])
def test_a_cap_changed_while_an_engine_is_being_made_holds(
    ledger: Ledger, tmp_path: Path, name: str, cap: int | None
) -> None:
    """It brought the cap that it had read before, and everybody sent under that one again."""
    settings = Settings(data=tmp_path)
    ledger.settings.change({name: 100}, who="ann@example.com", given=settings)
    engine = engine_for(settings, ledger, NOWHERE)
    ledger.settings.change({name: cap}, who="ann@example.com", given=settings)
    with engine:
        assert getattr(gate(ledger), name) == cap


def test_a_notebooks_engine_does_not_take_away_what_marketers_decided(ledger: Ledger, tmp_path: Path) -> None:
    ledger.settings.change({"credits_per_day": 20}, who="ann@example.com", given=Settings(data=tmp_path))
    with Engine(ledger, NOWHERE, limits=Limits(failure_share=0.5)):
        assert (gate(ledger).credits_per_day, gate(ledger).failure_share) == (20, 0.5)
    with Engine(ledger, NOWHERE, limits=Limits(credits_per_day=30)):
        assert gate(ledger).credits_per_day == 30


@pytest.mark.parametrize("name", CAPS)
def test_what_the_environment_says_counts_before_it(ledger: Ledger, tmp_path: Path, name: str) -> None:
    ledger.settings.change({name: 20}, who="ann@example.com", given=Settings(data=tmp_path))
    given = Settings(data=tmp_path, **{name: 30})
    with engine_for(given, ledger, NOWHERE):
        assert getattr(gate(ledger), name) == 30


@pytest.mark.parametrize("pace", [500.0, *only_deep(0.0, 200.0)])
def test_an_engine_that_does_not_start_leaves_everybodys_pace(
    ledger: Ledger, tmp_path: Path, pace: float
) -> None:
    ledger.outbox.set_pace(7)
    engine = engine_for(Settings(data=tmp_path, messages_per_second=pace), ledger, NOWHERE)
    with nobody_sends(ledger.database, range(SLOTS)), pytest.raises(SendingError, match="already sending"):
        engine.start()
    assert gate(ledger).messages_per_second == 7
    with engine:
        assert gate(ledger).messages_per_second == pace


@pytest.mark.parametrize("others", [True, *only_deep(False)])
@pytest.mark.parametrize("given", [{}, {"messages_per_second": 300}, *only_deep({"messages_per_second": 0})])
def test_a_job_that_sets_no_pace_leaves_that_of_the_others(
    ledger: Ledger, tmp_path: Path, given: dict[str, float], others: bool
) -> None:
    """Started without the settings, say from another folder, a job set the default for all that sent."""
    ledger.outbox.set_pace(7)
    if others:
        ledger.outbox.register(1)
    with engine_for(Settings(data=tmp_path, **given), ledger, NOWHERE):
        alone = Settings(data=tmp_path).messages_per_second
        expected = given.get("messages_per_second", 7 if others else alone)
        assert gate(ledger).messages_per_second == expected
