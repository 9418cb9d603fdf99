"""The settings as rows to read, without a secret among them. Pure."""

from __future__ import annotations

from urllib.parse import urlsplit

import pandas as pd
from pydantic import SecretStr

from dashboard.settings import Settings, variable

NOT_SET = "Not set"


def settings_table(settings: Settings) -> pd.DataFrame:
    """One row per setting: Setting (its environment variable), Value and What it is.

    Secrets say only whether they are set; of addresses with a password only the place is shown; people are
    counted.
    """
    rows = [
        (variable(name), _shown(name, getattr(settings, name)), field.description or "")
        for name, field in Settings.model_fields.items()
    ]
    return pd.DataFrame(rows, columns=["Setting", "Value", "What it is"])


def _shown(name: str, value: object) -> str:
    if value is None:
        return NOT_SET
    if isinstance(value, SecretStr):
        return "Set"
    if name == "database_url":
        parts = urlsplit(str(value))
        return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
    if isinstance(value, dict):
        return f"{len(value):,} listed" if value else NOT_SET
    return str(value)
