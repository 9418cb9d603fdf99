"""`python -m dashboard settings`: every setting in force, and where its value comes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from dashboard.commands.steps.options import json_option

if TYPE_CHECKING:
    from dashboard.jobs.settings_told import Told


@click.command()
@json_option
def settings(*, as_json: bool) -> None:
    """Show every setting, its value and where it comes from: environment, dashboard or default.

    The environment includes the file .env. What marketers decided on the dashboard is kept in the ledger,
    with who decided it and when. Secrets are not shown, only whether they are set. Nothing is changed.
    """
    from dashboard.commands.steps.bookkeeping import decided_in_ledger  # noqa: PLC0415
    from dashboard.jobs.settings_told import told  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    given = load_settings()
    in_force, decided = decided_in_ledger(given)
    rows = told(given, in_force, decided)
    if as_json:
        click.echo(json.dumps({row.variable: {"value": row.value, "from": row.origin} for row in rows}))
        return
    width = max(len(row.variable) for row in rows)
    for row in rows:
        click.echo(f"{row.variable:<{width}}  {_value(row)}  ({_origin(row)})")


def _value(row: Told) -> str:
    return "not set" if row.value is None else row.value


def _origin(row: Told) -> str:
    if row.change is not None:
        return f"{row.change.who} on the dashboard, {row.change.at:%Y-%m-%d %H:%M} UTC"
    return row.origin
