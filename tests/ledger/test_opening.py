"""A ledger opens by whatever clearly names it, and closes with its `with`; campaigns have names too."""

from __future__ import annotations

from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from each import each
from fixtures_ledger import Clock, messages_frame, running, taken
from sqlalchemy import make_url

from dashboard.errors import LedgerError, UnknownCampaignError
from dashboard.ledger import Ledger


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the ledger that its settings name; nothing else is set."""
    monkeypatch.chdir(tmp_path)
    for name in ("DASHBOARD_DATA", "DASHBOARD_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with Ledger.open() as ledger:
        ledger.create_campaign("Spring", messages_frame(2), batch_size=10)
    return tmp_path


WAYS: dict[str, Any] = {
    "nothing": lambda folder: None,
    "an address": lambda folder: f"sqlite:///{folder}/.dashboard/ledger.sqlite",
    "a relative path": lambda folder: ".dashboard/ledger.sqlite",
    "a path": lambda folder: folder / ".dashboard" / "ledger.sqlite",
    "a path as text": lambda folder: str(folder / ".dashboard" / "ledger.sqlite"),
    "its folder": lambda folder: folder / ".dashboard",
    "its folder as text": lambda folder: ".dashboard",
    "a URL": lambda folder: make_url(f"sqlite:///{folder}/.dashboard/ledger.sqlite"),
}


@each("way, read_only", product(WAYS, [True, False]))
def test_all_ways_lead_to_the_same_ledger(folder: Path, way: str, read_only: bool) -> None:
    with Ledger.open(WAYS[way](folder), read_only=read_only) as ledger:
        assert ledger.campaigns()["name"].tolist() == ["Spring"]
    assert [path.name for path in folder.iterdir()] == [".dashboard"]
    assert (folder / ".dashboard").stat().st_mode & 0o077 == 0, "its owner's alone"


def test_nobody_else_can_read_a_new_ledger_wherever_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with Ledger.open(tmp_path / "new.sqlite") as ledger:
        ledger.create_campaign("Spring", messages_frame(2), batch_size=10)
        of_data = list(tmp_path.glob("new.sqlite*[!k]"))  # locks hold nothing
        assert len(of_data) > 1
        assert [path.name for path in of_data if path.stat().st_mode & 0o077] == []


def test_without_an_address_the_settings_name_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHBOARD_DATABASE_URL", f"sqlite:///{folder}/other.sqlite")
    with Ledger.open() as ledger:
        assert ledger.campaigns().empty


UNCLEAR = (
    *("ledger", "", "user@host/database", "C:ledger", "~nobody-of-this-name/ledger.db"),
    *("sqlite://data/ledger.sqlite", "sqlite:///a\ud800.sqlite", "sqlite:///a\0.sqlite"),
    *("sqlite+aiosqlite:///a.sqlite", "sqlite+pysqlcipher:///a.sqlite", "sqlite+pysqlcipher://:x@/a.sqlite"),
    *("sqlite///a.sqlite", "sqlite:///~/a.sqlite", "sqlite;///a.sqlite", "file:a.sqlite", "mysql:/a.db"),
    *(f"sqlite:///a.sqlite?{option}" for option in ("timeout=abc", "mode=ro", "uri=true")),
    *(f"sqlite:///a.sqlite?{option}" for option in ("cache=shared", "plugin=x")),
    *("postgresql://ann:x@db..example.com/x", "postgresql://ann:x@/a\ud800", "postgresql://ann:x@/a\udc80"),
)


@each("unclear", UNCLEAR)
def test_a_text_that_is_neither_is_refused(folder: Path, unclear: str) -> None:
    with pytest.raises(LedgerError, match="The ledger's address cannot be read"):
        Ledger.open(unclear)
    assert [path.name for path in folder.iterdir()] == [".dashboard"]


def test_reading_what_is_not_there_makes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DASHBOARD_DATA", str(tmp_path / "data"))
    with pytest.raises(LedgerError, match="There is no ledger yet"):
        Ledger.open(read_only=True)
    assert not any(tmp_path.iterdir())


READINGS = (
    *("campaign", "messages", "sheet_rows", "recipients", "events", "counts", "course", "replay", "batches"),
    *("unknown", "unknown_total", "decided", "waiting_reasons", "attempts", "decisions"),
)


def test_a_campaign_is_read_by_its_name_as_by_its_id(ledger: Ledger) -> None:
    spring = ledger.create_campaign("Spring", messages_frame(3), batch_size=2)
    ledger.create_campaign("Summer", messages_frame(3, "Summer"), batch_size=2)
    ledger.start(spring)
    for name in READINGS:
        by_id, by_name = (getattr(ledger, name)(called) for called in (spring, "Spring"))
        if isinstance(by_id, pd.DataFrame):
            pd.testing.assert_frame_equal(by_id, by_name)
        elif name != "replay":
            assert by_id == by_name, name
    assert ledger.arrow("messages", "Spring") == ledger.arrow("messages", spring)


def test_a_name_that_several_have_is_refused_and_an_id_goes_first(ledger: Ledger) -> None:
    first = ledger.create_campaign("Spring", messages_frame(1), batch_size=1)
    ledger.create_campaign("Spring", messages_frame(2, first=1), batch_size=1)
    ledger.create_campaign(first, messages_frame(3, first, first=3), batch_size=1)
    with pytest.raises(UnknownCampaignError, match="Several campaigns have this name"):
        ledger.messages("Spring")
    with pytest.raises(UnknownCampaignError, match="There is no such campaign"):
        ledger.messages("Autumn")
    assert len(ledger.messages(first)) == 1
    with pytest.raises(UnknownCampaignError):
        ledger.start("Spring")  # what changes something takes ids only


def test_a_day_or_a_month_is_its_first_moment(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 4, batch_size=2)
    for _batch in range(2):
        taken(ledger, campaign)
        clock.advance(11 * 86_400)  # the 20th of November, then the 1st of December
    for november, december in (("2026-11", "2026-12"), (date(2026, 11, 1), pd.Period("2026-12", "M"))):
        assert len(ledger.messages(since=november, until=december)) == 2
        assert len(ledger.messages(since=december)) == 2
        assert ledger.counts(since=november, until=december)["messages"].sum() == 2
        assert len(ledger.events(until=december)) == 2
