"""Who may sign in, and as what: each change is kept, and the newest one of an address counts everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select

from dashboard.arguments import checks_methods
from dashboard.errors import LedgerError, SettingsError
from dashboard.ledger.audit.chain import Detail, append
from dashboard.ledger.audit.verbs import Verb
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.clock import Part
from dashboard.settings import ROLES, Settings, load_settings, person_address
from dashboard.words import _

VIEWER, ADMIN = "viewer", "admin"


@dataclass(frozen=True)
class Listed:
    """Somebody who may sign in.

    Attributes:
        address: Their e-mail address, in the spelling of DASHBOARD_PEOPLE.
        role: What they may do.
        exports: Whether they may download files although they are a viewer; all others may anyway.
        who: Who decided so; None where the environment does.
        at: When, in UTC; None likewise.
    """

    address: str
    role: str
    exports: bool = False
    who: str | None = None
    at: datetime | None = None


@checks_methods()
class People(Part):
    """Who may sign in: those whom the environment names, and those whom administrators added.

    What the environment says of an address counts before what is kept here.

    Example:
        >>> ledger.people.add("bob@example.com", "sender", who="ann@example.com")
        >>> ledger.people.now()["bob@example.com"].role
        'sender'
    """

    def now(self, given: Settings | None = None) -> dict[str, Listed]:
        """Everybody who may sign in, by address.

        Args:
            given: What is set outside; the environment of this process if left out.
        """
        with self._database.read() as connection:
            return _listed(connection, given or load_settings())

    def add(
        self, address: str, role: str, *, who: str, exports: bool = False, given: Settings | None = None
    ) -> None:
        """Let somebody sign in, with whichever account has the address by then.

        Args:
            address: Their e-mail address.
            role: What they may do.
            who: Who decides so.
            exports: Whether they may download files as a viewer.
            given: As for `now`.

        Raises:
            SettingsError: The address or the role cannot be used, or they are on the list already.
            LedgerError: Nobody says who decides it.
        """
        wanted = Listed(checked_address(address), role, exports and role == VIEWER)
        self._keep("add person", wanted.address, wanted, who, given)

    def change(
        self,
        address: str,
        role: str,
        *,
        who: str,
        exports: bool = False,
        given: Settings | None = None,
        seen: Listed | None = None,
    ) -> None:
        """Give somebody another role, or another right.

        Args:
            address: As it is listed.
            role: What they may do from now on.
            who: Who decides so.
            exports: As for `add`.
            given: As for `now`.
            seen: How they were listed when that was decided; if left out, it counts in any case.

        Raises:
            SettingsError: The role cannot be used, the environment decides it, no administrator would be
                left, or somebody has changed or removed them since they were seen.
            LedgerError: Nobody says who decides it.
        """
        wanted = Listed(address, role, exports and role == VIEWER)
        self._keep("change person", address, wanted, who, given, seen)

    def remove(
        self, address: str, *, who: str, given: Settings | None = None, seen: Listed | None = None
    ) -> None:
        """Sign somebody out everywhere and no longer let them in; arguments and errors are those of `change`.

        Which account the address belongs to is forgotten: whoever is added with it again may have another.
        """
        self._keep("remove person", address, None, who, given, seen)

    def _keep(
        self,
        verb: Verb,
        address: str,
        wanted: Listed | None,
        who: str,
        given: Settings | None,
        seen: Listed | None = None,
    ) -> None:
        if not who.strip():
            raise LedgerError(_("Say who changes the list of people."))
        if wanted is not None and wanted.role not in ROLES:
            raise SettingsError(
                _("There is no such role. Choose one of {roles}.").format(roles=", ".join(ROLES))
            )
        given = given or load_settings()
        with self._database.write() as connection:
            # So that of two administrators who remove each other one remains
            serialize(connection, Advisory.PEOPLE)
            before = _listed(connection, given)
            _check(verb, before, address, seen)
            value = _value(wanted)
            if wanted is not None and address in before and _value(before[address]) == value:
                return
            at = self._now()
            row = {"address": address, "value": json.dumps(value), "who": who, "at": at}
            connection.execute(insert(schema.person).values(row))
            _check_administered(connection, before, _listed(connection, given))
            if wanted is None:
                for table in (schema.browser_session, schema.account):
                    connection.execute(delete(table).where(table.c.address == address))
            append(connection, verb, address, at, details=value)


def _listed(connection: Connection, given: Settings) -> dict[str, Listed]:
    table = schema.person
    last = select(func.max(table.c.id)).group_by(table.c.address)
    rows = connection.execute(select(table).where(table.c.id.in_(last)).order_by(table.c.address))
    values = ((row, json.loads(row.value)) for row in rows)
    kept = {
        row.address: Listed(row.address, **value, who=row.who, at=row.at)
        for row, value in values
        if value is not None
    }
    return kept | {address: Listed(address, role) for address, role in given.people.items()}


def _value(wanted: Listed | None) -> dict[str, Detail] | None:
    if wanted is None:
        return None
    return {"role": wanted.role, **({"exports": True} if wanted.exports else {})}


def checked_address(address: str) -> str:
    """An address in the spelling of DASHBOARD_PEOPLE.

    Raises:
        SettingsError: It is none.
    """
    try:
        return person_address(address)
    except ValueError:
        raise SettingsError(_("This is not an e-mail address. Write one such as ann@example.com.")) from None


def _check(verb: Verb, before: Mapping[str, Listed], address: str, seen: Listed | None) -> None:
    """Refuse what somebody else decides, or has just decided."""
    found = before.get(address)
    if verb == "add person":
        if found is not None:
            raise SettingsError(_("This person is on the list already. Change their role there."))
        return
    if found is None or (seen is not None and found != seen):
        raise SettingsError(
            _("Somebody else has just changed or removed this person. Look at the list again.")
        )
    if found.who is None:
        raise SettingsError(_("This person is named by whoever runs this dashboard. Ask them to change it."))


def _check_administered(
    connection: Connection, before: Mapping[str, Listed], after: Mapping[str, Listed]
) -> None:
    """Refuse what would leave nobody who may change the list."""
    barred = set(connection.execute(select(schema.barred.c.address)).scalars())
    if _administrators(before) - barred and not _administrators(after) - barred:
        raise SettingsError(
            _("Nobody else is an administrator. Make somebody else one first, then change this.")
        )


def _administrators(people: Mapping[str, Listed]) -> set[str]:
    return {one.address for one in people.values() if one.role == ADMIN}
