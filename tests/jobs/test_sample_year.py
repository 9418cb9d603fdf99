"""The made-up year: the same each time, all of it in the past, and with everything a page can show."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from dashboard.jobs.sample_year import making, plans
from dashboard.jobs.sample_year.people import NUMBERS
from dashboard.ledger import Ledger

NOW = datetime(2026, 11, 24, 8, 30, tzinfo=UTC)
LEAP_DAY = datetime(2028, 2, 29, 23, 59, tzinfo=UTC)
MONTHS = 9
"""So many campaigns; the ninth was cancelled, the third has an open batch, the sixth compares texts."""

COUNTED = ["name", "state", "recipients", "accepted", "delivered", "failed", "unknown", "cost_billed"]


def year(folder: Path, now: datetime) -> Ledger:
    url = f"sqlite:///{(folder / 'ledger.sqlite').as_posix()}"
    folder.mkdir(exist_ok=True)
    shares: list[float] = []
    making.make_year(url, now=now, currency="GBP", name_of=lambda name: f"{name}!", on_progress=shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] < 1
    return Ledger.open(url, read_only=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """The last months of it, in which more people leave: a whole year takes five times as long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "SENT", plans.SENT[:MONTHS])
        patch.setattr(plans, "SENT", plans.SENT[:MONTHS])
        patch.setattr(making, "LEAVES", making.LEAVES * 5)
        with year(tmp_path_factory.mktemp("year"), NOW) as ledger:
            yield ledger


@pytest.mark.deep
def test_it_is_the_same_each_time_and_all_of_it_is_over(tmp_path: Path) -> None:
    counted = []
    midnight = NOW.replace(hour=0, minute=0)
    for name, now in (("a", midnight), ("b", midnight), ("leap", LEAP_DAY)):
        with year(tmp_path / name, now) as ledger:
            campaigns, messages = ledger.campaigns(), ledger.messages()
            assert (campaigns["created_at"] > now - timedelta(days=366)).all()
            assert (messages[["handed_over_at", "delivered_at"]].max() < now).all()
            assert set(campaigns["state"]) == {"done", "cancelled"}
            assert len(ledger.opt_outs()) > 5
            counted.append(campaigns[COUNTED])
    pd.testing.assert_frame_equal(counted[0], counted[1])


def test_it_has_what_a_page_can_show(made: Ledger) -> None:
    campaigns, messages = made.campaigns(), made.messages()
    assert campaigns["name"].is_unique
    assert campaigns["name"].str.endswith("!").all()
    assert set(campaigns["currency"]) == {"GBP"}
    assert campaigns["unknown"].gt(0).sum() == 1
    assert len(made.opt_outs()) > 5
    assert set(messages["country"]) == {country for country, _phone in NUMBERS}
    assert set(messages["variant"].dropna()) == {"A", "B"}
    assert len(set(messages["failure_reason"].dropna())) > 1
    assert {"accepted", "unknown", "cancelled"} <= set(messages["state"])
