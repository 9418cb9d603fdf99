"""The made-up year: the same each time, all of it in the past, and with everything a page can show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from dashboard.jobs.sample_year.making import make_year
from dashboard.jobs.sample_year.people import NUMBERS
from dashboard.ledger import Ledger

NOW = datetime(2026, 11, 24, 8, 30, tzinfo=UTC)
LEAP_DAY = datetime(2028, 2, 29, 23, 59, tzinfo=UTC)
COUNTED = ["name", "state", "recipients", "accepted", "delivered", "failed", "unknown", "cost_billed"]


def year(folder: Path, now: datetime) -> Ledger:
    url = f"sqlite:///{(folder / 'ledger.sqlite').as_posix()}"
    shares: list[float] = []
    make_year(url, now=now, currency="GBP", name_of=lambda name: f"{name}!", on_progress=shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] < 1
    return Ledger.open(url, read_only=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return year(tmp_path_factory.mktemp("year"), NOW)


@pytest.mark.deep
def test_it_is_the_same_each_time(made: Ledger, tmp_path: Path) -> None:
    with year(tmp_path, NOW) as again:
        pd.testing.assert_frame_equal(again.campaigns()[COUNTED], made.campaigns()[COUNTED])


@pytest.mark.deep
@pytest.mark.parametrize("now", [LEAP_DAY, NOW.replace(hour=0, minute=0)])
def test_all_of_it_is_over(tmp_path: Path, now: datetime) -> None:
    with year(tmp_path, now) as made:
        campaigns = made.campaigns()
        assert (campaigns["created_at"] > now - timedelta(days=366)).all()
        messages = made.messages()
        assert (messages[["handed_over_at", "delivered_at"]].max() < now).all()
        assert set(campaigns["state"]) == {"done", "cancelled"}


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
