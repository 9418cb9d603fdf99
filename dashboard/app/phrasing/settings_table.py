"""The settings as rows to read, without any secrets. Pure."""

from __future__ import annotations

from urllib.parse import urlsplit

import pandas as pd
from pydantic import SecretStr

from dashboard.settings import Settings, variable
from dashboard.words import N_, _, count

NOT_SET = N_("Not set")


def settings_table(settings: Settings) -> pd.DataFrame:
    """One row per setting: Setting (its environment variable), Value and What it is.

    For secrets only whether they are set is shown; of addresses with a password only scheme, host and path
    are shown; people are counted.
    """
    rows = [
        (variable(name), _shown(name, getattr(settings, name)), _(str(field.description)))
        for name, field in Settings.model_fields.items()
    ]
    return pd.DataFrame(rows, columns=[_("Setting"), _("Value"), _("What it is")])


def _shown(name: str, value: object) -> str:
    if value is None:
        return _(NOT_SET)
    if isinstance(value, SecretStr):
        return _("Set")
    if name == "database_url":
        parts = urlsplit(str(value))
        return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
    if isinstance(value, dict):
        return _("{number} listed").format(number=count(len(value))) if value else _(NOT_SET)
    return str(value)
