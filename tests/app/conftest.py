"""One wired process for all tests of pages, with the real sandbox and engine; a ledger for each test."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fixtures_ledger import own_copy
from odd_server import closed_port
from page_reading import MAIN, Open, go
from patience import PATIENCE_S
from pseudo_language import write_language
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from wizard_steps import approve

from dashboard import words
from dashboard.app import runtime
from dashboard.app.draft_store import Drafts
from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime
from dashboard.app.sample_history import SampleHistory
from dashboard.ledger import Ledger
from dashboard.settings import load_settings

OPEN: list[Runtime] = []
"""The one process, which sends: a test of another room may begin an engine of its own."""


@pytest.hookimpl(trylast=True)  # after what looks at it
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    if nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent):
        while OPEN:
            OPEN.pop().close()


@pytest.fixture
def process(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    if not OPEN:
        settings = load_settings(
            data=tmp_path_factory.mktemp("dashboard"),
            port=closed_port(),
            country="GB",
            price_per_credit="0.045",
            sms_base_url=None,
            sms_api_key=None,
            oidc_issuer=None,
            people={},
        )
        OPEN.append(Runtime.open(settings))
    return OPEN[0]


@pytest.fixture
def wired(process: Runtime, tmp_path: Path, empty_file: bytes) -> Iterator[Runtime]:
    """The process with an empty ledger and no drafts; nothing of this ledger is sent."""
    ledger = Ledger.open(own_copy(tmp_path / "ledger.sqlite", empty_file))
    history = SampleHistory(tmp_path / "sample-history")
    fresh = replace(process, ledger=ledger, drafts=Drafts(tmp_path / "drafts"), sample_history=history)
    runtime.use(fresh)
    yield fresh
    runtime.use(None)
    history.close()
    ledger.close()


@pytest.fixture
def with_a_service(wired: Runtime) -> Runtime:
    """The same process as one that was started with a real service."""
    address = {"sms_base_url": "https://sms.example", "sms_api_key": "key"}
    given = load_settings(data=wired.given.data, port=wired.given.port, **address)
    real = replace(wired, given=given, sandbox=None)
    runtime.use(real)
    return real


READ_ONCE = cache(words._language)


@pytest.fixture(scope="session")
def written_language(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_language(tmp_path_factory.mktemp("language")).parent


@pytest.fixture
def bracketed(written_language: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a language in which every message stands in brackets: written and read once."""
    monkeypatch.setattr(words, "_language", READ_ONCE)
    yield written_language
    words.speak(None)
    words.use("en")


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Scripts of pages, as for all sessions of a server: each run of an AppTest compiles its own anew."""
    scripts = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: scripts)
        yield


@pytest.fixture(scope="session", autouse=True)
def every_run_is_without_exception() -> Iterator[None]:
    """Wherever a page is opened, clicked on or typed into; where it shall fail, that is expected."""
    run = AppTest._run

    def run_and_look(page: AppTest, *given: Any, **how: Any) -> AppTest:
        run(page, *given, **how)
        assert not page.exception, page.exception
        return page

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AppTest, "_run", run_and_look)
        yield


@pytest.fixture
def open_page(wired: Runtime) -> Open:
    del wired

    def open_(view: str, **query: str) -> AppTest:
        page = AppTest.from_file(str(MAIN), default_timeout=PATIENCE_S)
        page.context = {"timezone": "Europe/Berlin", "locale": "en-GB"}
        return go(page, view, **query)

    return open_


@pytest.fixture
def save_draft(wired: Runtime) -> Callable[..., Draft]:
    """A draft with this sheet and these choices, of which these rows are approved."""

    def save(
        sheet: bytes, *, owner: str = "local", approved: Collection[int] = (), **choices: object
    ) -> Draft:
        begun = wired.drafts.begin(owner, "contacts.csv", io.BytesIO(sheet))
        draft = wired.drafts.save(Draft.model_validate(dict(begun) | {"country": "GB"} | choices))
        return approve(wired, draft, approved) if approved else draft

    return save


@pytest.fixture
def open_draft(save_draft: Callable[..., Draft], open_page: Open) -> Open:
    """Open the wizard at a step of a draft with this sheet and these choices."""

    def open_(sheet: bytes, **choices: object) -> AppTest:
        return open_page("new", draft=save_draft(sheet, **choices).id)

    return open_
