"""A year of made-up campaigns: shown where nothing else is, marked, never mixed with others, removed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from app_seeds import started_campaign
from page_reading import Open, words
from patience import wait_until

from dashboard.app import actions, runtime
from dashboard.app.runtime import Runtime
from dashboard.app.sample_history import SampleHistory
from dashboard.errors import CampaignError
from dashboard.jobs.guards import learned_links
from dashboard.jobs.sample_year import plans

OFFER, MARK = "Show a year of sample history", "Sample history."


@pytest.fixture(scope="module", autouse=True)
def lately() -> Iterator[None]:
    """As many campaigns as have one of every kind; tests/jobs/test_sample_year.py has the whole year."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "SENT", plans.SENT[:4])
        patch.setattr(plans, "CANCELLED", 4)
        patch.setattr(plans, "MOST", plans.FEWEST)
        yield


def filled(app: Runtime) -> None:
    actions.fill_sample_history()
    wait_until(lambda: app.sample_history.share is None)
    assert not app.sample_history.failed


def one_of_them(app: Runtime, kind: str) -> str:
    return str(app.shown.campaigns().query(kind)["campaign"].iloc[0])


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
    blocked = tmp_path / "sample-history.part"
    blocked.write_text("not a folder")
    actions.fill_sample_history()
    wait_until(lambda: wired.sample_history.share is None)
    assert wired.sample_history.failed
    assert wired.shown is wired.ledger, "half a year is never shown"
    blocked.unlink()
    filled(wired)
    assert len(wired.shown.campaigns()) == len(plans.SENT)
    assert rows_of(wired) == before
    assert wired.ledger.opt_outs().empty
    assert learned_links(wired.ledger, wired.settings) is None
    actions.remove_sample_history()
    assert rows_of(wired) == before
    assert sorted(tmp_path.rglob("*")) == files
    assert wired.shown is wired.ledger


@pytest.mark.deep
def test_the_pages_that_show_it_say_so_and_no_others(with_year: Runtime, open_page: Open) -> None:
    one = one_of_them(with_year, "unknown == 0")
    queries = {"campaign": {"id": one}, "compare": {"ids": one}}
    marked = ("overview", "campaigns", "campaign", "compare", "person")
    for view in (*marked, "new", "contacts", "optouts", "settings", "reports", "check"):
        assert (MARK in words(open_page(view, **queries.get(view, {})))) is (view in marked), view


def test_its_campaigns_are_named_so_and_only_to_look_at(with_year: Runtime, open_page: Open) -> None:
    assert with_year.shown.campaigns()["name"].str.endswith(" (sample)").all()
    for kind in ("state == 'done'", "state == 'cancelled'", "unknown > 0"):
        page = open_page("campaign", id=one_of_them(with_year, kind))
        assert [one.label for one in page.main.button] == ["Remove…"]


def test_it_is_there_again_after_a_restart_and_makes_way_for_the_first_campaign(
    wired: Runtime, with_year: Runtime, made: Path, open_page: Open, tmp_path: Path
) -> None:
    with_year.sample_history.close()
    shutil.copytree(made, tmp_path / "sample-history")
    runtime.use(wired)
    wired.sample_history.open()
    assert len(wired.shown.campaigns()) == len(plans.SENT)
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


def test_it_is_not_made_with_a_real_service(with_a_service: Runtime) -> None:
    with pytest.raises(CampaignError, match="only in the sandbox"):
        actions.fill_sample_history()
    assert with_a_service.sample_history.share is None
