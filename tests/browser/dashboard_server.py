"""A dashboard in a process of its own, a Chromium to look at it, and plain requests beside both."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from threading import Event, Thread
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import pytest
from forked import Forked, program
from odd_server import closed_port
from patience import PATIENCE_MS, PATIENCE_S, wait_until
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, WebSocket, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from tiers import only_deep

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
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "is_mobile": True,
        "has_touch": True,
        "user_agent": "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    },
}
LOOKS = (("desktop", "light"), ("phone", "dark"))
"""Both sizes and both themes, as two pairs of them: every page has both.

A journey is gone at one of them, unless it is about where things stand.
"""
AT_EACH = [LOOKS[0], *only_deep(*LOOKS[1:])]
ON_BOTH = pytest.mark.parametrize("look", AT_EACH, indirect=True, ids="-".join)
ON_A_PHONE = pytest.mark.parametrize("look", LOOKS[1:], indirect=True, ids="-".join)

PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
expect.set_options(timeout=PATIENCE_MS)
NO_BROWSER = (
    "No Chromium was found. Install Chromium, or run `python -m playwright install chromium`, "
    "or name one in CHROME_PATH."
)


def find_chromium() -> str | None:
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    for place in (os.environ.get("CHROME_PATH"), *map(shutil.which, names), *PLACES):
        if place and Path(place).exists():
            return place
    return None


def environment(folder: Path, port: int) -> dict[str, str]:
    """The variables of a dashboard with its data in a folder, whatever is set outside."""
    outside = {
        name: value for name, value in os.environ.items() if not name.startswith(("DASHBOARD_", "SMS_"))
    }
    return outside | {
        "DASHBOARD_DATA": str(folder / "data"),
        "DASHBOARD_PORT": str(port),
        "DASHBOARD_COUNTRY": "GB",
        "DASHBOARD_PRICE_PER_CREDIT": "0.045",
    }


class Server:
    """`python -m dashboard` in a folder of its own; after a kill it can be started again where it was."""

    def __init__(self, folder: Path, *, forked: bool = True, **variables: str) -> None:
        self.folder = folder
        self._forked = forked
        self._port = int(variables.pop("DASHBOARD_PORT", "0")) or closed_port()
        self._variables = variables
        self._process: Forked | Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self._port}"

    def start(self) -> None:
        """Start it and wait until it is healthy."""
        log = self.folder / "dashboard.log"
        given = environment(self.folder, self._port) | self._variables
        if self._forked:
            self._process = Forked(program, [], folder=ROOT, environment=given, out=log, err=log)
        else:
            with log.open("wb") as told:
                words = [sys.executable, "-m", "dashboard"]
                self._process = Popen(words, cwd=ROOT, env=given, stdout=told, stderr=told)
        wait_until(lambda: self._has_ended() or get(f"http://127.0.0.1:{self._port}/healthz")[0] == 200)
        if self._has_ended():
            raise RuntimeError("The dashboard did not start:\n" + log.read_text())

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return not self._has_ended()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Meanwhile it answers nothing, as on a machine with too much to do."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @contextmanager
    def slowed(self, still_s: float = 0.25, at_work_s: float = 0.05) -> Iterator[None]:
        """Meanwhile it works for a moment and stands still for a longer one, over and over."""
        ended = Event()

        def slow() -> None:
            while not ended.is_set():
                with self.standing_still():
                    time.sleep(still_s)
                time.sleep(at_work_s)

        thread = Thread(target=slow, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(PATIENCE_S)

    def begin_anew(self) -> None:
        """End it, and put its data aside."""
        self.stop()
        data = self.folder / "data"
        data.rename(data.with_name(f"data-{len(list(self.folder.iterdir()))}"))

    def stop(self) -> None:
        """Ask it to end, and wait."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(PATIENCE_S)
            except TimeoutExpired:
                self.kill()


@contextmanager
def served(folder: Path, *, forked: bool = True, **variables: str) -> Iterator[Server]:
    """Run `python -m dashboard` in a folder of its own."""
    server = Server(folder, forked=forked, **variables)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def serve(folder: Path, **variables: str) -> Iterator[str]:
    """The same for a test that only asks for its address."""
    with served(folder, **variables) as server:
        yield server.address


def get(url: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """Ask for an address; status 0 when nobody answers."""
    return ask("GET", url, b"", headers)


def ask(method: str, url: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=PATIENCE_S)
    try:
        target = parts._replace(scheme="", netloc="").geturl() or "/"
        connection.request(method, target, body or None, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException):
        return 0, b""
    finally:
        connection.close()


_NO_SERVER = (
    *("net::ERR_", "WebSocket connection to", "when disconnected from server"),
    *("No response received when attempting to reach", "Is Streamlit still running?"),
)
"""What a browser, and Streamlit in it, say when no server answers.

A test whose server should be there misses it by itself.
"""


class Watch:
    """Every request that would leave this machine, and every error in the browser's console.

    Pages of `elsewhere`, another program's address, are not ours to judge.
    """

    def __init__(self, page: Page, elsewhere: str | None) -> None:
        self.outside: list[str] = []
        self.errors: list[str] = []
        self._page = page
        self._elsewhere = elsewhere
        page.context.on("request", self._request)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _is_ours(self) -> bool:
        return self._elsewhere is None or not self._page.url.startswith(self._elsewhere)

    def _console(self, message: ConsoleMessage) -> None:
        # A deep link makes Streamlit look for <page>/_stcore/…; these 404s are by its design.
        # While the server is away, its pages say so themselves, and ask again.
        if any(said in message.text for said in _NO_SERVER):
            return
        at = str((message.location or {}).get("url", ""))
        if message.type == "error" and "/_stcore/" not in at and self._is_ours():
            self.errors.append(message.text)

    def _request(self, request: Request) -> None:
        """Only looks: a handler that lets each request go by hand would turn the browser's cache off."""
        url = request.url
        is_here = url.startswith(("data:", "blob:")) or urlsplit(url).hostname in {"localhost", "127.0.0.1"}
        if not is_here and self._is_ours():
            self.outside.append(url)


@contextmanager
def visitor(
    browser: Browser, screen: str = "desktop", scheme: str = "light", *, elsewhere: str | None = None
) -> Iterator[Page]:
    """A page of a fresh browser; afterwards nothing may have left the machine or failed in the console."""
    context = browser.new_context(
        **SCREENS[screen],  # type: ignore[arg-type]  # a mapping of the keywords it takes
        color_scheme=scheme,  # type: ignore[arg-type]
        locale="en-GB",
        timezone_id="Europe/Berlin",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    context.on("page", lambda opened: RUNS.setdefault(opened, Runs(opened)))
    page = context.new_page()
    watch = Watch(page, elsewhere)
    yield page
    context.close()
    assert not watch.outside, f"asked for addresses outside this machine: {watch.outside}"
    assert not watch.errors, f"errors in the console: {watch.errors}"


class Runs:
    """Whether a page has asked its server to run the script, and the run has not begun yet.

    Until then the page looks as if it were at rest, and a button that every step has would be clicked twice.
    So it does after a run that was cut short for another, which closes again what is opened meanwhile.
    """

    def __init__(self, page: Page) -> None:
        self.is_owed = False
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        self.is_owed = False
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)
        socket.on("close", lambda _socket: self._begun())

    def _sent(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes) and BackMsg.FromString(frame).HasField("rerun_script"):
            self.is_owed = True

    def _received(self, frame: str | bytes) -> None:
        message = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
        if message.HasField("new_session"):
            self._begun()
        elif message.HasField("script_finished"):
            self.is_owed |= message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _begun(self) -> None:
        self.is_owed = False


RUNS: WeakKeyDictionary[Page, Runs] = WeakKeyDictionary()


def settled(page: Page) -> None:
    """Wait until the script has run for what was done last, and nothing on the page is stale.

    Not `wait_for_function`: it evaluates in the page, which the dashboard's own policy refuses.
    """
    runs = RUNS[page]

    def has_begun() -> bool:
        page.wait_for_timeout(20)  # what went over the wire meanwhile is heard of here
        return not runs.is_owed

    def is_at_rest() -> bool:
        wait_until(has_begun)
        page.wait_for_selector(  # before the first run, it is not running either, and there is no heading
            "[data-testid=stApp][data-test-script-state=notRunning] h1", state="attached"
        )
        expect(page.locator("[data-testid=stSkeleton], [data-stale=true]")).to_have_count(0)
        return has_begun()  # or the run that ended meanwhile was cut short for another

    wait_until(is_at_rest)


def pick(page: Page, label: str | re.Pattern[str], option: str | re.Pattern[str]) -> None:
    """Pick from a list of options: again where it was just being scrolled, and the click met none of them."""
    settled(page)
    box = page.get_by_role("combobox", name=label)
    box.evaluate("box => box.scrollIntoView({block: 'center'})")  # what scrolls away closes its options
    box.click()
    offered = page.get_by_role("option", name=option, exact=True).first

    def is_offered() -> bool:
        if not offered.is_visible():
            page.wait_for_timeout(1000)
        if not offered.is_visible():  # the list was closed when the page was drawn again
            box.click()
        return offered.is_visible()

    wait_until(is_offered)
    offered.click()

    def is_picked() -> bool:
        page.wait_for_timeout(300)
        if offered.is_visible():
            with suppress(PlaywrightTimeout):  # it has gone meanwhile
                offered.click(timeout=1000)
        return not offered.is_visible()

    wait_until(is_picked)
