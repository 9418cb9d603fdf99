"""A year of made-up campaigns: shown where nothing else is, marked, never mixed with others, removed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from app_seeds import started_campaign
from page_reading import button, words
from patience import wait_until
from streamlit.testing.v1 import AppTest

from dashboard.app import actions, runtime
from dashboard.app.runtime import Runtime
from dashboard.app.sample_history import SampleHistory
from dashboard.errors import CampaignError
from dashboard.jobs.guards import learned_links
from dashboard.jobs.sample_year.plans import SENT
from dashboard.settings import load_settings

Open = Callable[..., AppTest]
OFFER, MARK = "Show a year of sample history", "Sample history."
SHOWING = ("overview", "campaigns", "campaign", "compare", "person")


def filled(app: Runtime) -> None:
    actions.fill_sample_history()
    wait_until(lambda: app.sample_history.share is None)
    assert not app.sample_history.failed


def one_of_them(app: Runtime, **values: object) -> str:
    campaigns = app.shown.campaigns()
    for name, value in values.items():
        campaigns = campaigns[campaigns[name] == value]
    return str(campaigns["campaign"].iloc[0])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year, made once for the tests that only look at it."""
    return tmp_path_factory.mktemp("year") / "sample-history"


@pytest.fixture
def with_year(wired: Runtime, made: Path) -> Iterator[Runtime]:
    app = replace(wired, sample_history=SampleHistory(made))
    runtime.use(app)
    app.sample_history.open()
    if app.sample_history.ledger is None:
        filled(app)
    yield app
    app.sample_history.close()


def rows_of(app: Runtime) -> dict[str, list[tuple[object, ...]]]:
    """Everything in the dashboard's own ledger, but who did what."""
    with closing(sqlite3.connect(str(app.ledger.database.engine.url.database))) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        return {
            table: connection.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608 - its own names
            for table in tables
            if not table.startswith("audit")
        }


def test_nothing_of_it_reaches_the_ledger_and_nothing_of_it_is_left(wired: Runtime, tmp_path: Path) -> None:
    before, files = rows_of(wired), sorted(tmp_path.rglob("*"))
    filled(wired)
    assert len(wired.shown.campaigns()) == len(SENT) >= 40
    assert not wired.shown.opt_outs().empty
    assert rows_of(wired) == before
    assert wired.ledger.opt_outs().empty
    assert learned_links(wired.ledger, wired.settings) is None
    actions.remove_sample_history()
    assert rows_of(wired) == before
    assert sorted(tmp_path.rglob("*")) == files
    assert wired.shown is wired.ledger


@pytest.mark.deep
@pytest.mark.parametrize("view", SHOWING)
def test_every_page_that_shows_it_says_so(with_year: Runtime, open_page: Open, view: str) -> None:
    query = {"campaign": {"id": one_of_them(with_year)}, "compare": {"ids": one_of_them(with_year)}}
    page = open_page(view, **query.get(view, {}))
    assert MARK in words(page)


@pytest.mark.deep
@pytest.mark.parametrize("view", ["new", "contacts", "optouts", "settings", "reports", "check"])
def test_pages_of_ones_own_things_do_not(with_year: Runtime, open_page: Open, view: str) -> None:
    del with_year
    assert MARK not in words(open_page(view))


def test_each_name_says_that_it_is_a_sample_and_so_each_file(with_year: Runtime) -> None:
    assert with_year.shown.campaigns()["name"].str.endswith(" (sample)").all()


@pytest.mark.parametrize("which", [{"state": "done"}, {"state": "cancelled"}, {"unknown": 40}])
def test_its_campaigns_are_only_to_look_at(
    with_year: Runtime, open_page: Open, which: dict[str, object]
) -> None:
    page = open_page("campaign", id=one_of_them(with_year, **which))
    assert [one.label for one in page.main.button] == ["Remove…"]


@pytest.mark.deep
def test_two_clicks_remove_it(wired: Runtime, open_page: Open) -> None:
    page = open_page("overview")
    button(page, OFFER).click().run()
    wait_until(lambda: wired.sample_history.share is None)
    page.run()
    assert MARK in words(page)
    button(page, "Remove…").click().run()
    button(page, "Remove the sample history").click().run()
    assert not page.exception, page.exception
    assert MARK not in words(page)
    assert OFFER in [one.label for one in page.button]
    assert wired.sample_history.ledger is None


def test_it_makes_way_for_the_first_campaign(
    wired: Runtime, with_year: Runtime, made: Path, open_page: Open, tmp_path: Path
) -> None:
    with_year.sample_history.close()
    shutil.copytree(made, tmp_path / "sample-history")
    runtime.use(wired)
    wired.sample_history.open()
    assert wired.shown is not wired.ledger
    own = started_campaign(wired.ledger, "Spring sale", 3)
    page = open_page("campaigns")
    assert MARK not in words(page)
    assert wired.shown.campaigns()["campaign"].tolist() == [own]
    assert not (tmp_path / "sample-history").exists()


def test_it_is_not_made_beside_campaigns(wired: Runtime, open_page: Open) -> None:
    started_campaign(wired.ledger, "Spring sale", 3)
    assert OFFER not in [one.label for one in open_page("overview").button]
    with pytest.raises(CampaignError, match="There are campaigns already"):
        actions.fill_sample_history()


def test_it_is_not_made_with_a_real_service(wired: Runtime) -> None:
    given = load_settings(
        data=wired.given.data, port=wired.given.port, sms_base_url="https://sms.example", sms_api_key="key"
    )
    runtime.use(replace(wired, given=given, sandbox=None))
    with pytest.raises(CampaignError, match="only in the sandbox"):
        actions.fill_sample_history()
    assert wired.sample_history.share is None


@pytest.mark.deep
def test_half_a_year_is_never_shown(wired: Runtime, tmp_path: Path) -> None:
    blocked = tmp_path / "sample-history.part"
    blocked.write_text("not a folder")
    actions.fill_sample_history()
    wait_until(lambda: wired.sample_history.share is None)
    assert wired.sample_history.failed
    assert wired.shown is wired.ledger
    blocked.unlink()
    filled(wired)
    assert len(wired.shown.campaigns()) == len(SENT)


def test_it_is_there_again_after_a_restart(with_year: Runtime, made: Path) -> None:
    again = SampleHistory(made)
    again.open()
    with closing(again):
        assert again.ledger is not None
        assert len(again.ledger.campaigns()) == len(with_year.shown.campaigns())
