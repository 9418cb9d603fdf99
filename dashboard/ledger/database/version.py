"""Which version of the tables this program knows."""

from __future__ import annotations

from dashboard.errors import LedgerVersionError

VERSION = 19
"""The version of the tables in schema.py."""


def refuse_newer(found: int, version: int = VERSION) -> None:
    """Refuse a ledger that a newer program wrote.

    Raises:
        LedgerVersionError: It is newer.
    """
    if found > version:
        raise LedgerVersionError(
            f"This ledger is of version {found}, this program knows version {version}. "
            "Install the newer program."
        )
