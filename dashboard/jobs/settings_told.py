"""Every setting as people read it, without secrets, and where its value comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from dashboard.ledger import SettingChange
from dashboard.settings import Settings, variable
from dashboard.settings.owned import decided_outside
from dashboard.words import _, count

Origin = Literal["environment", "dashboard", "default"]


@dataclass(frozen=True)
class Told:
    """A setting.

    Attributes:
        name: As in `Settings`.
        variable: What it is called in the environment.
        value: In words; None if it is not set.
        origin: Where the value comes from.
        change: Who decided it on the dashboard, and when; None if it does not come from there.
        about: What it is.
    """

    name: str
    variable: str
    value: str | None
    origin: Origin
    change: SettingChange | None
    about: str


def told(given: Settings, in_force: Settings, decided: Mapping[str, SettingChange]) -> list[Told]:
    """All settings, those of marketers first.

    Args:
        given: What the environment sets.
        in_force: The settings in force.
        decided: What marketers decided, as `KeptSettings.decided` gives it.
    """
    outside = decided_outside(given) | given.model_fields_set
    rows = []
    for name, field in Settings.model_fields.items():
        change = None if name in outside else decided.get(name)
        origin: Origin = "environment" if name in outside else "dashboard" if change else "default"
        value = _shown(name, getattr(in_force, name))
        rows.append(Told(name, variable(name), value, origin, change, _(str(field.description))))
    return rows


def _shown(name: str, value: object) -> str | None:
    """For secrets only whether they are set; of the database's address only scheme, host and path."""
    if isinstance(value, SecretStr):
        return _("Set")
    if value is None or value in ((), {}):
        return None
    if name == "database_url":
        parts = urlsplit(str(value))
        return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
    if name == "price_list" and isinstance(value, dict):
        return ", ".join(f"{country} {price}" for country, price in sorted(value.items()))
    if isinstance(value, dict):
        return _("{number} listed").format(number=count(len(value)))
    return ", ".join(value) if isinstance(value, tuple) else str(value)
