"""Whether the ledger's database keeps what it confirms, and whether clocks agree with it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from dashboard.errors import LedgerError
from dashboard.jobs.start_checks.files import disk
from dashboard.jobs.start_checks.finding import Finding
from dashboard.ledger.database.addresses import usable
from dashboard.ledger.database.clock import SAID_FROM, utc_now
from dashboard.ledger.database.version import VERSION
from dashboard.ledger.examined import Examined, examine
from dashboard.settings import Settings

OLDEST = 14
"""Version of PostgreSQL; older ones have had no corrections for a year or more."""

TOO_FAR = timedelta(minutes=5)
"""Signatures of delivery reports and tokens of people who sign in are refused from here on."""


def database(settings: Settings, *, now: Callable[[], datetime] = utc_now) -> list[Finding]:
    """Look at the ledger's database; if it cannot be used, that is all there is to say."""
    try:
        usable(settings.ledger_url)
    except LedgerError as error:
        return [Finding("database", "refused", f"DASHBOARD_DATABASE_URL: {error}")]
    try:
        found = examine(settings.ledger_url, now=now)
    except LedgerError as error:
        return [Finding("database", "refused", str(error))]
    return findings(found)


def findings(found: Examined) -> list[Finding]:
    """What is to be said about a database."""
    where = [] if found.file is None else [disk(found.file)]
    return [_there(found), *where, _durability(found), clock("clock", found.behind, "database")]


def _there(found: Examined) -> Finding:
    name = "database"
    if found.is_read_only:
        said = (
            "This PostgreSQL is a standby or read-only, so nothing can be written down. Name the primary one."
        )
        return Finding(name, "refused", said)
    major = None if found.server_version is None else found.server_version // 10_000
    if major is not None and major < OLDEST:
        said = f"This is PostgreSQL {major}. Upgrade it to version {OLDEST} or newer."
        return Finding(name, "refused", said)
    kind = "SQLite" if major is None else f"PostgreSQL {major}"
    if found.ledger_version is None:
        return Finding(name, "ok", f"The ledger will be made on {kind}.")
    if found.ledger_version < VERSION:
        said = f"The ledger on {kind} is of an older version; the start brings it up to date."
        return Finding(name, "ok", said)
    return Finding(name, "ok", f"The ledger is there, on {kind}.")


def _durability(found: Examined) -> Finding:
    name = "durability"
    if not found.unsafe:
        return Finding(name, "ok", "What the database confirms survives a crash.")
    settings = " and ".join(found.unsafe)
    if found.file is not None:
        said = (
            f"SQLite has {settings} here, so a crash could make the ledger forget what was sent. Put it on a "
        )
        return Finding(name, "refused", f"{said}disk of this machine.")
    mended = settings.replace("=off", "=on")
    said = f"This PostgreSQL has {settings}, so a crash could make the ledger forget what was sent."
    return Finding(name, "refused", f"{said} Set {mended}.")


def clock(name: str, behind: timedelta, whose: str) -> Finding:
    """Whether the machine's clock agrees with another one.

    Args:
        name: The check's.
        behind: How far the machine's is behind.
        whose: Other clock it is.
    """
    if abs(behind) < SAID_FROM:
        return Finding(name, "ok", f"This machine's clock agrees with the {whose}'s.")
    ahead = "behind" if behind > timedelta() else "ahead of"
    said = (
        f"This machine's clock is {abs(behind.total_seconds()):,.0f} seconds {ahead} the {whose}'s. Set it, "
        "and let it be kept right by NTP (such as timedatectl set-ntp true)."
    )
    return Finding(name, "refused" if abs(behind) >= TOO_FAR else "warning", said)
