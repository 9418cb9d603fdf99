"""`python -m dashboard worker`: sends running campaigns, without pages."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial

import click

from dashboard import __version__
from dashboard.commands.steps.options import json_option


@click.command()
@click.option("--until-done", is_flag=True, help="End when nothing is left to send.")
@json_option
def worker(*, until_done: bool, as_json: bool) -> None:
    """Send the batches of running campaigns; any number of workers may share one ledger.

    Ctrl-C or SIGTERM finishes what is on its way and claims no more. Campaigns that are paused, or scheduled
    for later, are not waited for by --until-done.
    """
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.commands.steps.following import (  # noqa: PLC0415
        StoppedError,
        follow,
        outcome_counts,
        outcome_sentence,
        stop_on_signal,
    )
    from dashboard.commands.steps.wiring import sending  # noqa: PLC0415
    from dashboard.errors import LedgerUnavailableError  # noqa: PLC0415
    from dashboard.jobs import logs  # noqa: PLC0415
    from dashboard.jobs.retention import forgetting  # noqa: PLC0415
    from dashboard.jobs.start_checks.checks import refuse_unsafe  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    settings = load_settings()
    logs.configure(settings)
    refuse_unsafe(settings, listens=False, warn=partial(logs.warn, settings))
    with stop_on_signal() as stop, open_ledger(settings) as ledger:
        campaigns = None
        with forgetting(ledger, settings), sending(settings, ledger) as engine:
            if until_done:
                with suppress(StoppedError):
                    campaigns = follow(engine, ledger, stop)
            else:
                told = f"Sending running campaigns (version {__version__}; Ctrl-C stops it)"
                logs.announce(settings, told, err=True)
                stop.wait()
        if campaigns is not None:  # what was still on its way has its answers now
            with suppress(LedgerUnavailableError):
                campaigns = [ledger.campaign(one.campaign) for one in campaigns]
    if campaigns is None:
        sentence = "Stopped, as asked. Start a worker or the dashboard to continue sending."
        logs.announce(settings, sentence, err=True)
        return
    counts = outcome_counts(campaigns)
    if as_json:
        click.echo(json.dumps({"campaigns": [one.campaign for one in campaigns], **counts}))
    elif campaigns:
        click.echo(outcome_sentence(counts))
    else:
        click.echo("Nothing to send.")
