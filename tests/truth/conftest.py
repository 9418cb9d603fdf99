"""The world on each database, its recount, and the process whose pages show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from days import live
from fixtures_ledger import new_database
from fixtures_sandbox import SandboxPeer
from odd_server import closed_port
from patience import PATIENCE_S
from rows import Recount
from streamlit.testing.v1 import AppTest
from tiers import only_deep
from world import Clock, World

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.ledger import Ledger
from dashboard.sandbox import Sandbox
from dashboard.settings import load_settings

MAIN = Path(runtime.__file__).with_name("main.py")
ZONE = "Asia/Tokyo"


@contextmanager
def _url(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{(folder / 'ledger.sqlite').as_posix()}"
    else:
        with new_database(request.getfixturevalue("postgresql_server")) as url:
            yield url


@pytest.fixture(scope="session", params=["sqlite", *only_deep("postgresql")])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world that has been lived through; tests only look at it."""
    folder = tmp_path_factory.mktemp("truth")
    with Sandbox.start(folder / "sandbox") as process, _url(request, folder) as url:
        peer, clock = SandboxPeer(process), Clock()
        ledger = Ledger.open(url, now=clock)
        made = World(ledger, clock, peer, url=url, books=folder / "sandbox" / "sandbox.sqlite")
        live(made)
        yield made
        made.wire.close()
        ledger.close()
        peer.http.close()


@pytest.fixture(scope="session")
def true(world: World) -> Recount:
    return Recount(world.log, world.books)


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """Everything that pages need beside a ledger; it reports by a clock far from UTC."""
    nothing = {"sms_base_url": None, "sms_api_key": None, "oidc_issuer": None, "people": {}}
    folder = tmp_path_factory.mktemp("dashboard")
    settings = load_settings(data=folder, port=closed_port(), country="GB", time_zone=ZONE, **nothing)
    opened = Runtime.open(settings)
    yield opened
    opened.close()


@pytest.fixture
def open_page(process: Runtime, world: World) -> Iterator[Callable[..., AppTest]]:
    """Opens a page that shows the world."""
    runtime.use(replace(process, ledger=world.ledger))

    def open_(view: str, **query: str) -> AppTest:
        page = AppTest.from_file(str(MAIN), default_timeout=PATIENCE_S)
        page.context = {"timezone": "Europe/Berlin", "locale": "en-GB"}
        page.run()
        for name, value in query.items():
            page.query_params[name] = value
        page.switch_page(f"views/{view}.py").run()
        assert not page.exception, page.exception
        return page

    yield open_
    runtime.use(None)
