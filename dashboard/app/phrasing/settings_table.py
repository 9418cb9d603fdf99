"""The settings as rows to read, without any secrets. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from dashboard.jobs.settings_told import Told
from dashboard.words import N_, _

FROM = {"environment": N_("Environment"), "dashboard": N_("This page"), "default": N_("Default")}


def settings_table(rows: Iterable[Told]) -> pd.DataFrame:
    """One row per setting: Setting (its environment variable), Value, From and What it is."""
    return pd.DataFrame(
        [(row.variable, row.value or _("Not set"), _(FROM[row.origin]), row.about) for row in rows],
        columns=[_("Setting"), _("Value"), _("From"), _("What it is")],
    )
