"""One dashboard and one Chromium for all of these tests, everything on loopback.

With every change a few walks from end to end are gone in a browser, and a server is asked who gets in and
how it is; everything else here is deep.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from dashboard_server import (
    FLAGS,
    LOOKS,
    NO_BROWSER,
    ROOT,
    Server,
    environment,
    find_chromium,
    served,
    settled,
    visitor,
)
from forked import Forked, program
from patience import PATIENCE_S
from playwright.sync_api import Browser, Page, sync_playwright
from tiers import deep_but_for_first

AT_MOST = 15
"""Walks in a browser in the first tier: each is dear, and is the likeliest to fail without a fault."""
PEOPLE = 100
"""To whom the campaign of most tests goes: its page, and its frames, are those of two thousand."""
SHARED: list[Server] = []
"""The servers that several tests use; nobody looks at them while tests of other rooms run."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    deep_but_for_first(items, Path(__file__).parent)
    first = [
        item for item in items if item.get_closest_marker("browser") and not item.get_closest_marker("deep")
    ]
    assert len(first) <= AT_MOST, f"{len(first)} walks in a browser in the first tier, {AT_MOST} at most"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that is run again finds nothing of what it did the first time."""
    for server in SHARED:
        if getattr(item, "execution_count", 1) > 1:
            server.begin_anew()
        if not server.is_running:
            server.start()


@pytest.hookimpl(trylast=True)  # after the page was closed
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    if nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent):
        for server in SHARED:
            server.stop()


@contextmanager
def shared(folder: Path, **variables: str) -> Iterator[Server]:
    with served(folder, **variables) as server:
        SHARED.append(server)
        yield server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        executable = find_chromium()
        if executable is None and not Path(playwright.chromium.executable_path).exists():
            if os.environ.get("DASHBOARD_TESTS_NEED_BROWSER") == "1":
                pytest.fail(NO_BROWSER)
            pytest.skip(NO_BROWSER)
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def dashboard_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dashboard")


@pytest.fixture(scope="session")
def dashboard(dashboard_folder: Path, chromium: Browser) -> Iterator[str]:
    del chromium  # without a browser there is no need to start
    with shared(dashboard_folder) as server:
        yield server.address


@pytest.fixture
def look(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Size and theme of `page`; `pytest.mark.parametrize("look", LOOKS, indirect=True)` asks for others."""
    return getattr(request, "param", LOOKS[0])


@pytest.fixture
def page(chromium: Browser, look: tuple[str, str]) -> Iterator[Page]:
    with visitor(chromium, *look) as opened:
        yield opened


@pytest.fixture
def go(page: Page, dashboard: str) -> Callable[[str, str], Page]:
    def open_page(path: str, heading: str) -> Page:
        page.goto(dashboard + path, wait_until="domcontentloaded")
        page.get_by_role("heading", name=heading, exact=True).first.wait_for()
        settled(page)
        return page

    return open_page


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Server]:
    """A dashboard for this test alone, in which nothing was done yet."""
    del chromium
    with served(tmp_path_factory.mktemp("first-day")) as opened:
        yield opened


@pytest.fixture(scope="session")
def small_batches(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Server]:
    """A dashboard that sends five messages at a time, for journeys on which the service is spoiled."""
    del chromium
    folder = tmp_path_factory.mktemp("small-batches")
    with shared(folder, DASHBOARD_BATCH_SIZE="5", DASHBOARD_MESSAGES_PER_SECOND="0") as server:
        yield server


@pytest.fixture
def campaign(dashboard: str, dashboard_folder: Path) -> str:
    """The id of a campaign that was sent, made once as `python -m dashboard send` makes one."""
    told, people = dashboard_folder / "data" / "campaign-of-tests", dashboard_folder / "clean.csv"
    if not told.exists():
        lines = (ROOT / "data" / "contacts_clean.csv").read_text(encoding="utf-8-sig").splitlines()
        people.write_text("\n".join(lines[: PEOPLE + 1]), encoding="utf-8")
        words = ["send", str(people), "--campaign", "Clean list", "--yes", "--json"]
        words += ["--template", "Hi {{ First name | there }}!"]
        given = environment(dashboard_folder, int(urlsplit(dashboard).port or 0))
        out = told.with_suffix(".part")
        assert Forked(program, words, folder=ROOT, environment=given, out=out).wait(PATIENCE_S) == 0
        out.rename(told)
    name: str = json.loads(told.read_text())["campaign"]
    return name
