"""`python -m dashboard send`: from a sheet to a sent campaign, with a question in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dashboard.commands.steps.options import json_option, reading_options, sheet_argument
from dashboard.errors import SentBeforeError

if TYPE_CHECKING:
    from dashboard.commands.steps.preparing import Prepared
    from dashboard.ledger import Ledger

FINE = {"accepted", "dropped"}
"""Final states that need no attention: the service took the message, or the person had opted out."""


@click.command()
@sheet_argument
@click.option("--template", required=True, help='The text, such as "Hi {{first_name|there}}!"')
@click.option("--campaign", required=True, help="Name of the campaign.")
@reading_options
@click.option("--sender", help="An approved sender. [default: the account's]")
@click.option("--no-short-links", is_flag=True, help="Leave URLs as they are.")
@click.option("--tracking", help="Added to every short link's target as svc_campaign.")
@click.option("--again", is_flag=True, help="Also send what the same people got in the last seven days.")
@click.option("--yes", is_flag=True, help="Send without asking.")
@click.option("--dry-run", is_flag=True, help="Show verdicts and cost; send nothing.")
@json_option
def send(sheet: Path, *, again: bool, yes: bool, dry_run: bool, as_json: bool, **choices: Any) -> None:
    """Check a sheet, show the cost, ask, send, and end with the counts.

    A text that the same people got in the last seven days, or are about to get, is not sent without --again,
    so that a job may safely be run twice. If fewer than half of them got it, that is only said.

    The exit code is 0 when the service accepted every message, 1 when any is unknown, rejected or not sent,
    and 2 when nothing was sent because of a mistake in the call, because it was sent before, or because the
    ledger was restored from a copy and nobody has yet re-entered the opt-outs since.
    """
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.commands.steps.preparing import prepare  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    if as_json and not (yes or dry_run):
        raise click.UsageError("With --json nobody can be asked. Add --yes to send, or --dry-run.")
    settings = load_settings()
    with open_ledger(settings, to_send=not dry_run) as ledger:
        prepared = prepare(sheet, choices, settings, ledger)
        report = prepared.as_json()
        if not as_json:
            click.echo("\n".join(prepared.lines()))
        if prepared.is_same() and not (again or dry_run):
            raise _without_again(prepared.sent_before())
        wanted = not dry_run and (yes or click.confirm(f"Send {prepared.estimate.messages:,} messages?"))
        if wanted:
            report |= _send(prepared, ledger, again=again)
    if as_json:
        click.echo(json.dumps(report))
    elif wanted:
        click.echo(_sentence(report))
    else:
        click.echo("Nothing was sent.")
    if wanted and report["outcome"].keys() - FINE:
        raise click.exceptions.Exit(1)


def _without_again(error: SentBeforeError) -> SentBeforeError:
    """The refusal, with what to do about it."""
    what = "Nothing was sent. Add --again to send it to them again."
    if error.state in {"running", "scheduled"}:
        what = f"{what} `python -m dashboard worker` continues with the rest of that campaign."
    if error.state == "draft":
        what = f"{what} `python -m dashboard start {error.campaign}` starts that campaign instead."
    if error.state == "paused":
        what = f"{what} To continue that campaign instead, open its page in the dashboard."
    return SentBeforeError(f"{error} {what}", error.campaign, error.state)


def _send(prepared: Prepared, ledger: Ledger, *, again: bool) -> dict[str, Any]:
    """Freeze and send; returns what became of the messages, even if somebody stops it early.

    The campaign is frozen once everything that sends is ready: a service that cannot be used must not leave a
    running campaign that nobody sends.
    """
    from dashboard.commands.steps.following import StoppedError, follow, outcome_counts, stop_on_signal  # noqa: PLC0415
    from dashboard.commands.steps.wiring import sending  # noqa: PLC0415

    with stop_on_signal() as stop, sending(prepared.settings, ledger) as engine:
        try:
            campaign = prepared.freeze(ledger, again=again)
        except SentBeforeError as error:  # by another process, since the first look
            raise _without_again(error) from None
        try:
            follow(engine, ledger, stop, campaign)
        except StoppedError:
            click.echo("Stopped. `python -m dashboard worker` continues with the rest.", err=True)
    end = ledger.campaign(campaign)
    return {
        "campaign": campaign,
        "state": end.state,
        "reason": end.reason,
        "outcome": outcome_counts([end]),
        "credits_billed": end.credits_billed,
    }


def _sentence(report: dict[str, Any]) -> str:
    from dashboard.commands.steps.following import outcome_sentence  # noqa: PLC0415

    why = f" {report['state'].capitalize()}: {report['reason']}" if report["reason"] else ""
    return f"{outcome_sentence(report['outcome'])} {report['credits_billed']:,} credits billed so far.{why}"
