"""The engine that dashboard and commands send with, and the caps that are in force when it begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.jobs.connection import engine_for
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox.gate import CAPS, Gate, read_gate
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
