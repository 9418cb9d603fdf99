"""Who is signed in, at which browser: sessions that any process can end for all of them.

A browser holds a random cookie; the ledger has only its SHA-256, so that no copy of the ledger signs anybody
in. An address belongs to the account that signed in with it first: the issuer's `sub` never changes hands,
an e-mail address may.
"""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection, delete, insert, select

from dashboard.arguments import checks_methods
from dashboard.ledger.audit.acting import NOBODY_KNOWN
from dashboard.ledger.audit.chain import Detail, append
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.clock import Part
from dashboard.ledger.database.writing import insert_new
from dashboard.ledger.team.people import checked_address

COOKIE_BYTES = 32


@dataclass(frozen=True)
class Account:
    """An account at an identity provider.

    Attributes:
        issuer: The provider.
        subject: The provider's own name for the account (`sub`).
        address: Its e-mail address, in the spelling of DASHBOARD_PEOPLE.
    """

    issuer: str
    subject: str
    address: str


@dataclass(frozen=True)
class Session:
    """A browser that is signed in.

    Attributes:
        id: SHA-256 of its cookie.
        address: Who signed in there.
        ends_at: When they have to sign in again.
    """

    id: str
    address: str
    ends_at: datetime


@checks_methods()
class SignIns(Part):
    """The sessions of a ledger, the accounts seen, and who is barred.

    Example:
        >>> account = Account("https://id.example", "248289761001", "ann@example.com")
        >>> cookie = ledger.sign_ins.begin(account, lasting=timedelta(hours=12))
        >>> ledger.sign_ins.bar("ann@example.com")
        1
    """

    def begin(self, account: Account, *, lasting: timedelta) -> str | None:
        """Sign somebody in; returns the cookie, or None for whoever is barred or uses another's address."""
        cookie, now = secrets.token_urlsafe(COOKIE_BYTES), self._now()
        table = schema.browser_session
        signed_in = {"id": id_of(cookie), "address": account.address, "issuer": account.issuer}
        with self._database.write() as connection:
            serialize(connection, Advisory.PEOPLE)  # so that nobody forgets the account meanwhile
            connection.execute(delete(table).where(table.c.ends_at <= now))
            if why := _refused(connection, account):
                details: dict[str, Detail] = {"because": why}
                append(connection, "refused sign-in", account.address, now, who=NOBODY_KNOWN, details=details)
                return None
            connection.execute(insert(table).values({**signed_in, "ends_at": now + lasting}))
            append(connection, "sign-in", account.address, now, who=account.address)
        return cookie

    def end(self, session: str) -> None:
        """Sign one browser out."""
        table = schema.browser_session
        gone = delete(table).where(table.c.id == session).returning(table.c.address)
        with self._database.write() as connection:
            if address := connection.execute(gone).scalar():
                append(connection, "sign-out", address, self._now(), who=address)

    def current(self, issuer: str) -> list[Session]:
        """The sessions of an issuer's accounts that are neither over nor of somebody barred."""
        table, barred = schema.browser_session, schema.barred
        query = select(table.c.id, table.c.address, table.c.ends_at).where(
            table.c.issuer == issuer,
            table.c.ends_at > self._now(),
            table.c.address.not_in(select(barred.c.address)),
        )
        with self._database.read() as connection:
            return [Session(*row) for row in connection.execute(query)]

    def bar(self, address: str) -> int:
        """Sign somebody out everywhere and no longer let them in; returns how many browsers that ended.

        Raises:
            SettingsError: This is not an e-mail address.
        """
        address, table = checked_address(address), schema.browser_session
        with self._database.write() as connection:
            serialize(connection, Advisory.PEOPLE)
            insert_new(connection, schema.barred, [{"address": address, "barred_at": self._now()}])
            ended = connection.execute(delete(table).where(table.c.address == address)).rowcount
            append(connection, "bar", address, self._now(), details={"browsers": ended})
            return ended

    def admit(self, address: str) -> None:
        """Let somebody in again, with whichever account has the address by then.

        Raises:
            SettingsError: As for `bar`.
        """
        address = checked_address(address)
        with self._database.write() as connection:
            serialize(connection, Advisory.PEOPLE)
            for table in (schema.browser_session, schema.barred, schema.account):
                connection.execute(delete(table).where(table.c.address == address))
            append(connection, "admit", address, self._now())


def id_of(cookie: str) -> str:
    """What the ledger knows a cookie by."""
    return sha256(cookie.encode("utf-8", "surrogatepass")).hexdigest()


def _refused(connection: Connection, account: Account) -> str | None:
    """Why an account is not let in, in a word; None if it is. The first one gets the address."""
    barred, owner = schema.barred.c, schema.account.c
    if connection.execute(select(barred.address).where(barred.address == account.address)).first():
        return "barred"
    insert_new(connection, schema.account, [asdict(account)])
    query = select(owner.subject).where(owner.issuer == account.issuer, owner.address == account.address)
    return None if connection.execute(query).scalar_one() == account.subject else "another account"
