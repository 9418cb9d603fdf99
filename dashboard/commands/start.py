"""`python -m dashboard start`: lets a campaign run that was prepared and not started."""

from __future__ import annotations

import click


@click.command()
@click.argument("campaign")
@click.option("--yes", is_flag=True, help="Start without asking.")
def start(*, campaign: str, yes: bool) -> None:
    """Let CAMPAIGN run, which was prepared and not started, as in a notebook, or which is scheduled.

    The dashboard sends it if it is open, and so does `worker`. A campaign's id is in the address of its page.
    """
    from dashboard.commands.steps.agreeing import ask  # noqa: PLC0415
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.formatting import credit_count  # noqa: PLC0415
    from dashboard.jobs.guards import texts_per_person  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    settings = load_settings()
    with open_ledger(settings, to_send=True) as ledger:
        found = ledger.campaign(campaign)
        messages = plural(found.ready, "{count} message", "{count} messages")
        cost = credit_count(found.credits_low, found.credits_high)
        waits = found.state in {"draft", "scheduled"}  # the ledger says why another cannot be started
        question = f"Send {messages} of “{found.name}” now, {cost}?"
        if waits:
            ask(question, "Nothing was started", yes=yes)
        ledger.start(found.campaign, texts_per_person=texts_per_person(ledger.settings.now(settings)))
    click.echo(f"“{found.name}” is running, with {messages} to send. The dashboard or a worker sends them.")
