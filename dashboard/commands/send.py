"""`python -m dashboard send`: from a sheet to a sent campaign, with a question in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dashboard.commands.options import json_option, reading_options, sheet_argument

if TYPE_CHECKING:
    from dashboard.commands.preparing import Prepared
    from dashboard.ledger import Ledger

FINE = {"accepted", "dropped"}
"""Ends of a message that nobody has to look after: the service took it, or the person had opted out."""


@click.command()
@sheet_argument
@click.option("--template", required=True, help='The text, such as "Hi {{first_name|there}}!"')
@click.option("--campaign", required=True, help="Name of the campaign.")
@reading_options
@click.option("--sender", help="An approved sender. [default: the account's]")
@click.option("--no-short-links", is_flag=True, help="Leave URLs as they are.")
@click.option("--tracking", help="Added to every short link's target as svc_campaign.")
@click.option("--yes", is_flag=True, help="Send without asking.")
@click.option("--dry-run", is_flag=True, help="Show verdicts and cost; send nothing.")
@json_option
def send(sheet: Path, *, yes: bool, dry_run: bool, as_json: bool, **choices: Any) -> None:
    """Check a sheet, show the cost, ask, send, and end with the counts.

    The exit code is 0 when the service accepted every message, 1 when any is unknown, rejected or not sent,
    and 2 when nothing was sent because of a mistake in what was asked for.
    """
    from dashboard.commands.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.commands.preparing import prepare  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    if as_json and not (yes or dry_run):
        raise click.UsageError("With --json nobody can be asked. Add --yes to send, or --dry-run.")
    settings = load_settings()
    with open_ledger(settings) as ledger:
        prepared = prepare(sheet, choices, settings, ledger)
        report = prepared.as_json()
        if not as_json:
            click.echo("\n".join(prepared.lines()))
        wanted = not dry_run and (yes or click.confirm(f"Send {prepared.estimate.messages:,} messages?"))
        if wanted:
            report |= _send(prepared, ledger)
    if as_json:
        click.echo(json.dumps(report))
    elif wanted:
        click.echo(_sentence(report))
    else:
        click.echo("Nothing was sent.")
    if wanted and report["outcome"].keys() - FINE:
        raise click.exceptions.Exit(1)


def _send(prepared: Prepared, ledger: Ledger) -> dict[str, Any]:
    """Freeze and send; what became of the messages, also when somebody stops it early."""
    from dashboard.commands.following import (  # noqa: PLC0415
        StoppedError,
        follow,
        outcome_counts,
        stop_on_signal,
    )
    from dashboard.commands.wiring import sending  # noqa: PLC0415

    campaign = prepared.freeze(ledger)
    with stop_on_signal() as stop, sending(prepared.settings, ledger) as engine:
        try:
            follow(engine, ledger, stop, campaign)
        except StoppedError:
            click.echo("Stopped. `python -m dashboard worker` goes on with the rest.", err=True)
    end = ledger.campaign(campaign)
    return {
        "campaign": campaign,
        "state": end.state,
        "reason": end.reason,
        "outcome": outcome_counts([end]),
        "credits_billed": end.credits_billed,
    }


def _sentence(report: dict[str, Any]) -> str:
    from dashboard.commands.following import outcome_sentence  # noqa: PLC0415

    why = f" {report['state'].capitalize()}: {report['reason']}" if report["reason"] else ""
    return f"{outcome_sentence(report['outcome'])} {report['credits_billed']:,} credits billed so far.{why}"
