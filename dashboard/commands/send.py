"""`python -m dashboard send`: from a sheet to a sent campaign, with a question in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dashboard.commands.steps.options import json_option, reading_options, sheet_argument
from dashboard.errors import CampaignError, DashboardError, SentBeforeError

if TYPE_CHECKING:
    from threading import Event

    from dashboard.commands.steps.preparing import Prepared
    from dashboard.ledger import Campaign, Ledger
    from dashboard.sending import Engine
    from dashboard.settings import Settings

FINE = {"accepted", "dropped"}
"""Final states that need no attention: the service took the message, or the person had opted out."""

STOPPED = "Stopped. Nothing was sent."


@click.command()
@sheet_argument
@click.option("--template", required=True, help='The text, such as "Hi {{first_name|there}}!"')
@click.option("--campaign", required=True, help="Name of the campaign.")
@reading_options
@click.option("--sender", help="An approved sender. [default: the account's]")
@click.option(
    "--no-opt-out-line",
    is_flag=True,
    help="Leave out the dashboard's line for opting out, if the text has none.",
)
@click.option("--no-short-links", is_flag=True, help="Leave URLs as they are.")
@click.option("--tracking", help="Added to every short link's target as svc_campaign.")
@click.option(
    "--at",
    metavar="TIME",
    help="When to send, such as 2027-03-01T10:00, by the reporting time zone. [default: at once]",
)
@click.option(
    "--quiet-hours",
    is_flag=True,
    help="Text within the texting hours of the settings only (09:00-20:00 if none), on people's own clocks.",
)
@click.option("--again", is_flag=True, help="Also send what the same people got in the last seven days.")
@click.option("--yes", is_flag=True, help="Send without asking.")
@click.option("--dry-run", is_flag=True, help="Show verdicts and cost; send nothing.")
@json_option
def send(sheet: Path, *, again: bool, yes: bool, dry_run: bool, as_json: bool, **choices: Any) -> None:
    """Check a sheet, show the cost, ask, send, and end with the counts.

    A text that the same people got in the last seven days, or are about to get, is not sent without --again,
    so that a job may safely be run twice. If fewer than half of them got it, that is only said.

    It sends at once, at night as well: the texting hours of the settings are for campaigns that are begun on
    the pages, and for --quiet-hours. With --at, or if people have to wait for their hours, the campaign is
    left to the dashboard or a worker, and the command ends. Its page moves the time or cancels it.

    The exit code is 0 when the service accepted every message, 1 when any is unknown, rejected or not sent,
    or something failed after the start, and 2 when nothing was sent because of a mistake in the call, because
    nobody answered or somebody stopped it before the start, because a column may say who must not be texted
    and nobody has said what its values mean, because it was sent before, or because the ledger was restored
    from a copy and nobody has yet re-entered the opt-outs since.
    """
    from dashboard.commands.steps.agreeing import ask  # noqa: PLC0415
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    if as_json and not (yes or dry_run):
        raise click.UsageError("With --json nobody can be asked. Add --yes to send, or --dry-run.")
    settings = load_settings()
    with open_ledger(settings, to_send=not dry_run) as ledger:
        prepared = _prepare(sheet, choices, settings, ledger)
        report = prepared.as_json()
        if not as_json:
            click.echo("\n".join(prepared.lines()))
        _check_answered(prepared, json.dumps(report) if as_json else "")
        if prepared.is_same() and not (again or dry_run):
            raise _without_again(prepared.sent_before())
        if not dry_run:
            ask(f"Send {prepared.estimate.messages:,} messages?", "Nothing was sent", yes=yes)
            act = _leave if prepared.waits else _send
            report |= act(prepared, settings, ledger, again=again)
    if as_json:
        click.echo(json.dumps(report))
    elif not dry_run:
        click.echo(prepared.timing.sentence(prepared.messages) if prepared.waits else _sentence(report))
    else:
        click.echo("Nothing was sent.")
    if not (dry_run or prepared.waits) and report["outcome"].keys() - FINE:
        raise click.exceptions.Exit(1)


def _prepare(sheet: Path, choices: dict[str, Any], settings: Settings, ledger: Ledger) -> Prepared:
    from dashboard.commands.steps.preparing import prepare  # noqa: PLC0415

    try:
        return prepare(sheet, choices, settings, ledger)
    except KeyboardInterrupt:
        raise CampaignError(STOPPED) from None


def _check_answered(prepared: Prepared, report: str) -> None:
    """Refuse to go on while nobody has said what a column means, after the report for machines."""
    if prepared.questions:
        click.echo(report, nl=bool(report))
        raise CampaignError("Nothing was sent. Answer the questions about the sheet first.")


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


def _leave(prepared: Prepared, _settings: Settings, ledger: Ledger, *, again: bool) -> dict[str, Any]:
    """Freeze what is sent later, for whoever sends then."""
    return _report(ledger.campaign(_freeze(prepared, ledger, again=again)))


def _send(prepared: Prepared, settings: Settings, ledger: Ledger, *, again: bool) -> dict[str, Any]:
    """Freeze and send; returns what became of the messages, even if somebody stops it early.

    `settings` are those from outside: what marketers changed since the question was asked counts as well.

    The campaign is frozen once everything that sends is ready: a service that cannot be used must not leave a
    running campaign that nobody sends.
    """
    from dashboard.commands.steps.following import stop_on_signal  # noqa: PLC0415
    from dashboard.commands.steps.wiring import sending  # noqa: PLC0415

    campaign = None
    try:
        with stop_on_signal() as stop, sending(settings, ledger) as engine:
            if stop.is_set():
                raise CampaignError(STOPPED)
            campaign = _freeze(prepared, ledger, again=again)
            _follow(engine, ledger, stop, campaign)
        return _report(ledger.campaign(campaign))
    except DashboardError as error:
        if campaign is None:
            raise
        raise click.ClickException(  # exit code 2 would say that nothing was sent
            f"“{prepared.name}” was started as campaign {campaign}. {error} `python -m dashboard worker` "
            "continues with the rest."
        ) from error


def _follow(engine: Engine, ledger: Ledger, stop: Event, campaign: str) -> None:
    from dashboard.commands.steps.following import StoppedError, follow  # noqa: PLC0415

    try:
        follow(engine, ledger, stop, campaign)
    except StoppedError:
        click.echo("Stopped. `python -m dashboard worker` continues with the rest.", err=True)


def _freeze(prepared: Prepared, ledger: Ledger, *, again: bool) -> str:
    try:
        return prepared.freeze(ledger, again=again)
    except SentBeforeError as error:  # by another process, since the first look
        raise _without_again(error) from None


def _report(end: Campaign) -> dict[str, Any]:
    from dashboard.commands.steps.following import outcome_counts  # noqa: PLC0415

    return {
        "campaign": end.campaign,
        "state": end.state,
        "reason": end.reason,
        "outcome": outcome_counts([end]),
        "credits_billed": end.credits_billed,
    }


def _sentence(report: dict[str, Any]) -> str:
    from dashboard.commands.steps.following import outcome_sentence  # noqa: PLC0415

    why = f" {report['state'].capitalize()}: {report['reason']}" if report["reason"] else ""
    return f"{outcome_sentence(report['outcome'])} {report['credits_billed']:,} credits billed so far.{why}"
