"""One live process per slot: a lock that the system, or PostgreSQL, releases when its process ends.

The slot's number is in the ledger's `owner` table. Whoever gets the lock of a slot whose owner was not
retired knows that this owner is dead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from dashboard.errors import LedgerError, SendingError
from dashboard.ledger.database.advisory import Advisory, all_free, hold, let_go
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.failures import explained
from dashboard.words import _

SLOTS = 64


class FileSlot:
    """A slot that is locked through a file next to a SQLite ledger."""

    def __init__(self, number: int, database: Database) -> None:
        self.number = number
        self._lock = FileLock(f"{database.url.database}.slot-{number}.lock", thread_local=False)

    def acquire(self) -> bool:
        """Take the lock unless a live process has it; never waits.

        Raises:
            LedgerError: The lock file cannot be opened.
        """
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        except OSError as error:
            raise LedgerError(
                _(
                    "The lock file {path} cannot be opened ({strerror}). Give it to the user who runs this, "
                    "or delete it while nothing sends."
                ).format(path=self._lock.lock_file, strerror=error.strerror)
            ) from None
        return True

    def is_held(self) -> bool:
        """Whether we have it."""
        return bool(self._lock.is_locked)

    def release(self) -> None:
        """Let it go."""
        self._lock.release()


class AdvisorySlot:
    """A slot that is locked in PostgreSQL, for as long as its own connection lives."""

    def __init__(self, number: int, database: Database) -> None:
        self.number = number
        self._url = database.url
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None

    def acquire(self) -> bool:
        """Take the lock unless a live process has it; never waits.

        Raises:
            LedgerUnavailableError: PostgreSQL cannot be reached.
        """
        self.release()
        with explained(self._url), ExitStack() as opened:
            connection = opened.enter_context(self._engine.connect())
            if not hold(connection, Advisory.SLOT, self.number):
                return False
            opened.pop_all()  # it stays open for as long as the lock is held
        self._connection = connection
        return True

    def is_held(self) -> bool:
        """Whether we have it: a database that restarted took it away, with the connection."""
        try:
            return (
                self._connection is not None and self._connection.execute(text("SELECT 1")).scalar_one() == 1
            )
        except DBAPIError:
            return False

    def release(self) -> None:
        """Let it go, and end the session.

        It is unlocked first: the server notices that a session ended some time after we ended it.
        """
        if self._connection is not None:
            with suppress(SQLAlchemyError):  # the session is lost, and the lock with it
                let_go(self._connection, Advisory.SLOT, self.number)
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


Slot = FileSlot | AdvisorySlot


def slot(number: int, database: Database) -> Slot:
    """A slot of this ledger, not yet locked."""
    return FileSlot(number, database) if database.is_sqlite else AdvisorySlot(number, database)


@contextmanager
def nobody_sends(database: Database, numbers: Iterable[int]) -> Iterator[None]:
    """Hold these slots, those of everyone who may send, so that nobody does within the block.

    Raises:
        SendingError: Somebody is sending.
    """
    with ExitStack() as held:
        for number in numbers:
            candidate = slot(number, database)
            if not candidate.acquire():
                raise SendingError(_("The dashboard or a worker is using this ledger. Stop it first."))
            held.callback(candidate.release)
        yield


@contextmanager
def upgrading(connection: Connection, database: Database) -> Iterator[None]:
    """Let no process of the older version send within the block, which upgrades the tables.

    On PostgreSQL the transaction of the upgrade holds all slots to its end.

    Raises:
        LedgerError: Somebody is sending.
    """
    lives = LedgerError(
        _(
            "This ledger is of an older version, and a dashboard or worker of that version is running. Stop "
            "it first, then start this again."
        )
    )
    if not database.is_sqlite:
        if not all_free(connection, Advisory.SLOT, SLOTS):
            raise lives
        yield
        return
    with ExitStack() as held:
        try:
            held.enter_context(nobody_sends(database, slots_on_file(database)))
        except SendingError:
            raise lives from None
        yield


def slots_on_file(database: Database) -> set[int]:
    """The slots that were ever taken on a SQLite ledger, judging by the lock files next to it."""
    path = Path(str(database.url.database))
    locks = path.parent.glob(f"{escape(path.name)}.slot-*.lock")
    named = (file.name.removesuffix(".lock").split("-")[-1] for file in locks)
    return {int(number) for number in named if number.isdecimal()}


def take_slot(database: Database) -> Slot:
    """Lock the first slot that is free.

    Raises:
        SendingError: There is none.
    """
    for number in range(SLOTS):
        candidate = slot(number, database)
        if candidate.acquire():
            return candidate
    raise SendingError(
        _("{slots} processes are already sending from this ledger. Stop one of them first.").format(
            slots=SLOTS
        )
    )
