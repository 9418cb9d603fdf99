"""`python -m dashboard cancel`: sends no more of a campaign, for good."""

from __future__ import annotations

import click


@click.command()
@click.argument("campaign")
@click.option("--who", required=True, help="Who cancels it; kept with the campaign.")
@click.option("--yes", is_flag=True, help="Cancel without asking.")
def cancel(*, campaign: str, who: str, yes: bool) -> None:
    """Send no more of CAMPAIGN, for good; what was handed over to the service cannot be recalled.

    A campaign's id is in the address of its page.
    """
    from dashboard.commands.steps.agreeing import ask  # noqa: PLC0415
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    if not who.strip():
        raise click.UsageError("Say with --who who cancels it; it is kept with the campaign.")
    with open_ledger(load_settings()) as ledger:
        found = ledger.campaign(campaign)
        messages = plural(found.ready, "{count} message", "{count} messages")
        question = f"Cancel “{found.name}”? {messages} not yet handed over will never be sent."
        ask(question, "Nothing was cancelled", yes=yes)
        before = ledger.campaign(found.campaign)
        ledger.cancel(found.campaign, f"Cancelled by {who.strip()}.")
        found = ledger.campaign(found.campaign)
    never = plural(found.cancelled, "{count} message is", "{count} messages are")
    click.echo(f"“{found.name}” is cancelled: {never} never sent.")
    if (unknown := found.unknown - before.unknown) > 0:
        left = plural(unknown, "{count} message", "{count} messages")
        click.echo(
            f"Unknown: {left} to be sent again, as nobody knows whether the service took them the time "
            "before. If you find out, say so on the campaign's page or with `decide`."
        )
