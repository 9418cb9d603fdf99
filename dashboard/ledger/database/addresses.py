"""Where a ledger is: an address or a path from outside, read or refused in words."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from dashboard.errors import LedgerError
from dashboard.words import _

_ENDINGS = (".sqlite", ".sqlite3", ".db")
_BEGINNING = re.compile(r"\s*([a-z][a-z0-9+.-]+[:;]|(sqlite|postgres)[a-z0-9+]*//)", re.IGNORECASE)
"""Of an address, whatever is wrong with it: a path that begins so would be a mistake. "C:" is a drive."""


def usable(address: str | Path | URL) -> URL:
    """The ledger's address, with the driver we use.

    A path is one of a SQLite ledger, or of its folder; a text without :// is a path if it names what is
    there, or ends as such a file does, unless it begins as an address does.

    For a SQLite ledger, the file itself, whatever link leads to it: the senders' locks are next to it, and
    are the same for everyone.

    Raises:
        LedgerError: It cannot be read, or is for another kind of database.
    """
    try:
        url = make_url(_address_of(address))
        if "@" in (url.host or ""):  # the rest of a password, which would be looked up as a host's name
            raise ValueError  # noqa: TRY301
    except (ArgumentError, ValueError, RuntimeError):  # which quote what they take for the port or a home
        raise unreadable() from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise LedgerError(
            _("The ledger runs on SQLite or PostgreSQL, not on {backend}.").format(backend=backend)
        )
    return _of_file(url)


def _of_file(url: URL) -> URL:
    if url.database in {None, "", ":memory:"}:
        raise LedgerError(_("The ledger needs a file, for example sqlite:///folder/ledger.sqlite."))
    if url not in [URL.create(driver, database=url.database) for driver in ("sqlite", "sqlite+pysqlite")]:
        raise unreadable()
    if str(url.database).startswith("~/"):  # a folder of this name; nobody means one
        raise unreadable()
    if _is_too_long(Path(str(url.database))):
        raise LedgerError(_("The ledger's path is longer than this system allows. Use a shorter one."))
    try:
        return url.set(database=os.path.realpath(str(url.database)))
    except ValueError:  # no file has such a name
        raise unreadable() from None


def unreadable() -> LedgerError:
    """The error for an address that nothing can be opened at."""
    return LedgerError(
        _(
            "The ledger's address cannot be read. Use sqlite:///folder/ledger.sqlite or "
            "postgresql://user@host/database; write @ and / in a password as %40 and %2F."
        )
    )


def _address_of(given: str | Path | URL) -> str | URL:
    if isinstance(given, URL) or (isinstance(given, str) and not _is_path(given)):
        return given
    path = Path(given).expanduser()
    return URL.create("sqlite", database=str(path / "ledger.sqlite" if path.is_dir() else path))


def _is_path(text: str) -> bool:
    is_address = "://" in text or _BEGINNING.match(text)
    return not is_address and bool(text) and (Path(text).suffix in _ENDINGS or os.path.lexists(text))


def _is_too_long(path: Path) -> bool:
    try:
        path.exists()
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG
    return False
