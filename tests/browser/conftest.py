"""One dashboard and one Chromium for the module, everything on loopback."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-quic",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",
]
SCREENS = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
NO_BROWSER = (
    "No Chromium was found. Install Chromium, or run `python -m playwright install chromium`, "
    "or name one in CHROME_PATH."
)


def find_chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    for place in (os.environ.get("CHROME_PATH"), *map(shutil.which, names), *PLACES):
        if place and Path(place).exists():
            return place
    return None


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield from _launch(playwright)


def _launch(playwright: Playwright) -> Iterator[Browser]:
    executable = find_chromium()
    if executable is None and not Path(playwright.chromium.executable_path).exists():
        if os.environ.get("DASHBOARD_TESTS_NEED_BROWSER") == "1":
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
    yield browser
    browser.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serve(folder: Path, **variables: str) -> Iterator[str]:
    """Run `python -m dashboard` in a folder of its own; yields its address."""
    port = int(variables.pop("DASHBOARD_PORT", "0")) or free_port()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("DASHBOARD_", "SMS_"))
    }
    environment |= {
        "DASHBOARD_DATA": str(folder / "data"),
        "DASHBOARD_PORT": str(port),
        "DASHBOARD_COUNTRY": "GB",
        "DASHBOARD_PRICE_PER_CREDIT": "0.045",
        **variables,
    }
    log = folder / "dashboard.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_healthy(process, port, log)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_healthy(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if get(f"http://127.0.0.1:{port}/healthz")[0] == 200:
            return
        time.sleep(0.1)
    raise RuntimeError("The dashboard did not start:\n" + log.read_text())


def get(url: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """Ask for an address; status 0 when nobody answers."""
    return ask("GET", url, b"", headers)


def ask(method: str, url: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=10)
    try:
        target = parts._replace(scheme="", netloc="").geturl() or "/"
        connection.request(method, target, body or None, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException):
        return 0, b""
    finally:
        connection.close()


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[str]:
    del chromium  # without a browser there is no need to start
    with serve(tmp_path_factory.mktemp("dashboard")) as address:
        yield address


class Watch:
    """Every request that would leave this machine, and every error in the browser's console."""

    def __init__(self, context: BrowserContext) -> None:
        self.outside: list[str] = []
        self.errors: list[str] = []
        context.route("**/*", self._route)

    def follow(self, page: Page) -> None:
        # A deep link makes Streamlit look for <page>/_stcore/…; these 404s are by its design.
        page.on(
            "console",
            lambda message: (
                self.errors.append(message.text)
                if message.type == "error" and "/_stcore/" not in (message.location or {}).get("url", "")
                else None
            ),
        )
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _route(self, route: Route) -> None:
        url = route.request.url
        if url.startswith(("data:", "blob:")) or urlsplit(url).hostname in {"localhost", "127.0.0.1"}:
            route.continue_()
        else:
            self.outside.append(url)
            route.abort()


@contextmanager
def visitor(browser: Browser, screen: str = "desktop", scheme: str = "light") -> Iterator[Page]:
    """A page of a fresh browser; afterwards nothing may have left the machine or failed in the console."""
    context = browser.new_context(
        **SCREENS[screen],  # type: ignore[arg-type]  # a mapping of the keywords it takes
        color_scheme=scheme,  # type: ignore[arg-type]
        locale="en-GB",
        timezone_id="Europe/Berlin",
        reduced_motion="reduce",
    )
    watch = Watch(context)
    page = context.new_page()
    watch.follow(page)
    yield page
    context.close()
    assert watch.outside == []
    assert watch.errors == []


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with visitor(chromium) as opened:
        yield opened


@pytest.fixture
def go(page: Page, dashboard: str) -> Callable[[str, str], Page]:
    def open_page(path: str, heading: str) -> Page:
        page.goto(dashboard + path, wait_until="domcontentloaded")
        page.get_by_role("heading", name=heading, exact=True).first.wait_for()
        settled(page)
        return page

    return open_page


def settled(page: Page, timeout_s: float = 20.0) -> None:
    """Wait until the script has run and nothing on the page is stale.

    Not `wait_for_function`: it evaluates in the page, which the dashboard's own policy refuses.
    """
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=timeout_s * 1000)
    expect(page.locator("[data-testid=stSkeleton], [data-stale=true]")).to_have_count(
        0, timeout=timeout_s * 1000
    )
