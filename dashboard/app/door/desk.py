"""Who is signed in, as this process knows it: a copy of the ledger's sessions and people, a moment old.

No request and no frame of a websocket waits for the database: a thread reads both again every EVERY_S, so
that whoever was signed out, barred or removed elsewhere is out here within seconds. A copy that cannot be
renewed admits nobody after STALE_S.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event, Lock, Thread

from dashboard.errors import LedgerError, SettingsError
from dashboard.ledger import Ledger, Listed
from dashboard.ledger.audit.acting import NOBODY_KNOWN
from dashboard.ledger.team.sign_ins import Account, Session, id_of
from dashboard.settings import Settings

log = logging.getLogger(__name__)

EVERY_S = 1.0
STALE_S = 30.0
STOP_TIMEOUT_S = 5.0
MOST_FILES = 4096
"""Files that a browser was shown and may fetch; the oldest are forgotten first."""


@dataclass(eq=False)
class Seat:
    """A signed-in browser in this process.

    Attributes:
        session: What the ledger knows it by.
        address: Who signed in.
        ends: When they have to sign in again, Unix time.
        key: By which the pages ask for it. It is made here and told to nobody else, so it cannot be claimed.
        tabs: Ids of Streamlit's sessions that were opened for it.
    """

    session: str
    address: str
    ends: float
    key: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    tabs: set[str] = field(default_factory=set)
    _files: OrderedDict[str, None] = field(default_factory=OrderedDict, repr=False)
    _taken_at: float = field(default_factory=time.monotonic)

    def show(self, files: Iterable[str]) -> None:
        """Remember the ids of files that it was shown."""
        for one in files:
            self._files[one] = None
            self._files.move_to_end(one)
        while len(self._files) > MOST_FILES:
            self._files.popitem(last=False)

    def was_shown(self, file: str) -> bool:
        """Whether it was shown this file."""
        return file in self._files

    def is_newer(self, moment: float) -> bool:
        """Whether it was taken after a moment of the monotonic clock."""
        return self._taken_at > moment


class Desk:
    """The seats of this process. Safe to share between threads.

    Attributes:
        issuer: Whose accounts sit here.
        people: Who may sign in, by address.
        language: In which strangers are spoken to: everybody's.
    """

    def __init__(self, ledger: Ledger, settings: Settings, *, now: Callable[[], float] = time.time) -> None:
        self.issuer = (settings.oidc_issuer or "").removesuffix("/")
        self.language = settings.language
        self._given = settings
        self.people: Mapping[str, Listed] = {}
        self._lasting = timedelta(hours=settings.session_hours)
        self._ledger = ledger
        self._now = now
        self._guard = Lock()
        self._seats: dict[str, Seat] = {}
        self._by_key: dict[str, Seat] = {}
        self._ended: set[str] = set()
        self._read_at = 0.0
        self.read()

    def seat(self, cookie: str | None) -> Seat | None:
        """The seat of whoever holds this cookie; None if they have to sign in."""
        found = self._seats.get(id_of(cookie)) if cookie else None
        return found if found is not None and self.holds(found) else None

    def seat_of_page(self, key: object) -> Seat | None:
        """The seat for which a page runs; None if it is nobody's any more."""
        found = self._by_key.get(key) if isinstance(key, str) else None
        return found if found is not None and self.holds(found) else None

    def holds(self, seat: Seat) -> bool:
        """Whether somebody still sits there: neither over, nor signed out, nor barred, nor without a role."""
        return (
            self._seats.get(seat.session) is seat
            and self._now() < seat.ends
            and seat.address in self.people
            and self.is_current
        )

    @property
    def is_current(self) -> bool:
        """Whether the sessions were read a short time ago; if not, nobody is let in."""
        return time.monotonic() - self._read_at < STALE_S

    def tabs_of(self, address: str) -> set[str]:
        """Ids of Streamlit's sessions that were opened for a person, in all their browsers."""
        with self._guard:
            return {tab for seat in self._seats.values() if seat.address == address for tab in seat.tabs}

    def begin(self, account: Account) -> str | None:
        """Sign somebody in; returns their cookie, or None if they are barred or the address is another's.

        Raises:
            LedgerError: The ledger cannot be written.
        """
        cookie = self._ledger.sign_ins.begin(account, lasting=self._lasting)
        if cookie is not None:
            ends = self._now() + self._lasting.total_seconds()
            with self._guard:
                self._take(Seat(id_of(cookie), account.address, ends))
        return cookie

    def tell_refusal(self) -> None:
        """Keep in the audit trail that somebody was not let in; nobody here can vouch for who it was.

        Raises:
            LedgerError: The ledger cannot be written.
        """
        self._ledger.audit.tell("refused sign-in", "", {"because": "not admitted"}, who=NOBODY_KNOWN)

    def end(self, seat: Seat) -> None:
        """Sign a browser out: here at once, and everywhere as soon as the ledger has it.

        Raises:
            LedgerError: The ledger cannot be written, so it is signed out in this process only.
        """
        with self._guard:
            self._ended.add(seat.session)
            self._leave(seat)
        self._ledger.sign_ins.end(seat.session)

    def read(self) -> None:
        """Read the sessions again.

        Raises:
            LedgerError: The ledger cannot be read.
        """
        began = time.monotonic()
        found = {one.id: one for one in self._ledger.sign_ins.current(self.issuer)}
        people = self._ledger.people.now(self._given)
        with self._guard:
            self.people = people
            self._ended &= found.keys()
            for seat in [one for one in self._seats.values() if one.session not in found]:
                if not seat.is_newer(began):
                    self._leave(seat)
            for one in found.values():
                if one.id not in self._seats and one.id not in self._ended:
                    self._take(_seat_of(one))
            self._read_at = began
        with suppress(SettingsError):  # what was kept cannot be used here, which is no reason to admit nobody
            self.language = self._ledger.settings.now(self._given).language

    def _take(self, seat: Seat) -> None:
        self._seats[seat.session] = self._by_key[seat.key] = seat

    def _leave(self, seat: Seat) -> None:
        self._seats.pop(seat.session, None)
        self._by_key.pop(seat.key, None)


def _seat_of(session: Session) -> Seat:
    return Seat(session.id, session.address, session.ends_at.timestamp())


@contextmanager
def desk_of(ledger: Ledger, settings: Settings) -> Iterator[Desk | None]:
    """A desk that is kept up to date until the end of the block; None where nobody has to sign in."""
    if not settings.oidc_issuer:
        yield None
        return
    desk, closed = Desk(ledger, settings), Event()
    thread = Thread(target=_keep_reading, args=(desk, closed), name="desk", daemon=True)
    thread.start()
    try:
        yield desk
    finally:
        closed.set()
        thread.join(STOP_TIMEOUT_S)


def _keep_reading(desk: Desk, closed: Event) -> None:
    while not closed.wait(EVERY_S):
        try:
            desk.read()
        except LedgerError as error:  # until it can be read, nobody new is out; after STALE_S nobody is in
            log.warning("Who is signed in cannot be read: %s", error)
        except Exception as error:  # without this thread, nobody could enter until a restart
            log.error("Who is signed in cannot be read: %s", type(error).__name__)  # noqa: TRY400 - no values
