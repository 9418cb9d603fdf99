"""The settings that marketers decide: each change is kept, and the newest one counts in every process."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any

from sqlalchemy import Connection, func, insert, select

from dashboard.arguments import checks_methods
from dashboard.errors import LedgerError, SettingsError
from dashboard.ledger.audit.chain import Detail, append
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.clock import Part
from dashboard.ledger.outbox import gate
from dashboard.settings import Settings, load_settings
from dashboard.settings.owned import LABELS, decided_outside, now, stored, together
from dashboard.words import _

EVERYBODY = ""
LIBRARY = "library of texts"
"""Whose rows are versions of texts, see library.py; nobody's name."""
FRESH_S = 1.0
"""How long a process answers from what it read last."""


@dataclass(frozen=True)
class SettingChange:
    """A change of a setting.

    Attributes:
        name: Which setting, as in `Settings`.
        value: What it became, as JSON holds it; None where it went back to what it begins with.
        who: Who changed it.
        at: When, in UTC.
    """

    name: str
    value: Any
    who: str
    at: datetime


_Newest = Mapping[tuple[str, str], SettingChange]


@checks_methods()
class KeptSettings(Part):
    """What marketers decided, and with it the settings that are in force.

    What the environment sets counts before what is kept here.

    Example:
        >>> ledger.settings.change({"price_per_credit": "0.0375", "currency": "GBP"}, who="ann@example.com")
        >>> ledger.settings.now().price_per_credit
        Decimal('0.0375')
    """

    _read: tuple[float, _Newest] | None = None
    _joined: tuple[_Newest, Settings, Settings] | None = None

    def now(self, given: Settings | None = None) -> Settings:
        """The settings in force; a change made by another process is known within a second.

        Args:
            given: What is set outside; the environment of this process if left out.

        Raises:
            SettingsError: A value that was kept cannot be used by this program.
        """
        newest, joined = self._newest(), self._joined
        if joined is not None and joined[0] is newest and joined[1] is given:
            return joined[2]
        given = given or load_settings()
        kept = {name: change.value for (name, person), change in newest.items() if person == EVERYBODY}
        try:
            settings = now(given, kept)
        except SettingsError as error:
            raise SettingsError(
                _(
                    "A setting kept in the ledger cannot be used here: {what} Set it in the environment."
                ).format(what=error)
            ) from None
        self._joined = (newest, given, settings)
        return settings

    def change(
        self,
        values: Mapping[str, object],
        *,
        who: str,
        given: Settings | None = None,
        seen: Mapping[str, SettingChange] | None = None,
    ) -> list[str]:
        """Change settings, all or none; None brings one back to what it begins with.

        Args:
            values: The new values by the names in `Settings`.
            who: Who changes them.
            given: As for `now`.
            seen: What `decided` said when the new values were chosen; if left out, they count in any case.

        Returns:
            The names of those that were different before.

        Raises:
            SettingsError: A value cannot be used, the environment decides it, or somebody has changed the
                setting, or one without which it means nothing, since it was seen.
            LedgerError: No person is named.
        """
        given = given or load_settings()
        outside = decided_outside(given)
        for name in values:
            if name in outside:
                raise SettingsError(
                    _("{setting} is set by whoever runs this dashboard. Ask them to change it.").format(
                        setting=_(LABELS[name])
                    )
                )
        wanted = {name: stored(name, value) for name, value in values.items()}
        return self._keep(wanted, EVERYBODY, who, seen)

    def language_of(self, person: str) -> str | None:
        """The language that a person chose for themselves; None if they chose none."""
        language: str | None = _value(self._newest().get(("language", person)))
        return language

    def choose_language(self, person: str, language: str | None) -> None:
        """Keep the language that a person wants to read; None for the one that everybody has.

        Raises:
            SettingsError: There is no such language.
            LedgerError: No person is named.
        """
        self._keep({"language": stored("language", language)}, person, person)

    def changes(self) -> list[SettingChange]:
        """Every change for everybody, the newest first."""
        table = schema.setting.c
        query = select(table.name, table.value, table.who, table.at).where(table.person == EVERYBODY)
        with self._database.read() as connection:
            return [_change(row) for row in connection.execute(query.order_by(table.id.desc()))]

    def decided(self) -> dict[str, SettingChange]:
        """The newest change of each setting that somebody has decided for everybody, by name."""
        return _decided(self._newest())

    def _keep(
        self,
        values: Mapping[str, Any],
        person: str,
        who: str,
        seen: Mapping[str, SettingChange] | None = None,
    ) -> list[str]:
        if not who.strip() or person == LIBRARY:
            raise LedgerError(_("Say who changes the settings."))
        self._read = None
        with self._database.write() as connection:
            serialize(connection, Advisory.SETTINGS)  # so that the newest cap kept is the one in the gate
            before, at = _newest(connection), self._now()
            changed = [name for name in values if values[name] != _value(before.get((name, person)))]
            if seen is not None:
                _check_unchanged(together(changed), seen, _decided(before))
            said = {"person": person, "who": who, "at": at}
            for name in changed:
                row = {**said, "name": name, "value": json.dumps(values[name])}
                connection.execute(insert(schema.setting).values(row))
                if name in gate.CAPS:
                    gate.set_cap(connection, name, values[name], at)
            if changed:
                append(connection, "setting", ", ".join(changed), at, details=_told(values, changed, person))
        self._read = None
        return changed

    def _newest(self) -> _Newest:
        read, instant = self._read, monotonic()
        if read is not None and instant - read[0] < FRESH_S:
            return read[1]
        with self._database.read() as connection:
            newest = _newest(connection)
        if read is not None and read[1] == newest:
            newest = read[1]  # so that `now` need not join it again
        self._read = (instant, newest)
        return newest


def _told(values: Mapping[str, Any], changed: Iterable[str], person: str) -> dict[str, Detail]:
    """What the audit trail says of a change: what numbers and switches became, and no text."""
    told: dict[str, Detail] = {name: values[name] for name in changed if isinstance(values[name], bool | int)}
    return told if person == EVERYBODY else {"own": True}


def _newest(connection: Connection) -> _Newest:
    """The newest change of each setting, by its name and for whom it counts."""
    table = schema.setting
    ours = table.c.person != LIBRARY
    last = select(func.max(table.c.id)).where(ours).group_by(table.c.name, table.c.person)
    rows = connection.execute(select(table).where(table.c.id.in_(last)))
    return {(row.name, row.person): _change(row) for row in rows}


def _decided(newest: _Newest) -> dict[str, SettingChange]:
    return {
        name: change
        for (name, person), change in newest.items()
        if person == EVERYBODY and change.value is not None
    }


def _check_unchanged(
    names: Iterable[str], seen: Mapping[str, SettingChange], decided: Mapping[str, SettingChange]
) -> None:
    """Of two people who change a setting at the same time, the second hears of the first and looks again."""
    others = [_(LABELS[name]) for name in names if decided.get(name) != seen.get(name)]
    if others:
        raise SettingsError(
            _(
                "Somebody else has just changed this: {settings}. Look at the current values, and save again "
                "if they should be different."
            ).format(settings=", ".join(others))
        )


def _change(row: Any) -> SettingChange:
    return SettingChange(row.name, json.loads(row.value), row.who, row.at)


def _value(change: SettingChange | None) -> Any:
    return None if change is None else change.value
