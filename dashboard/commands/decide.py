"""`python -m dashboard decide`: settles what became of a campaign's unknown messages, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dashboard.ledger.database.states import Decision

DECISIONS: Mapping[str, Decision] = {"accepted": "accepted", "again": "ready", "left": "abandoned"}
"""What a person types, and the ledger's word."""


@click.command()
@click.argument("campaign")
@click.argument("decision", type=click.Choice(list(DECISIONS)))
@click.option("--who", required=True, help="Who decides; kept with the decision.")
@click.option("--why", required=True, help="How they know; kept with the decision.")
@click.option("--yes", is_flag=True, help="Decide without asking.")
def decide(*, campaign: str, decision: str, who: str, why: str, yes: bool) -> None:
    """Decide about every message of CAMPAIGN whose request got no clear answer.

    DECISION is "accepted" if the service has them, "again" to send them again with the same ids, or "left" to
    give them up. All of them are decided, or none. A campaign's id is in the address of its page.
    """
    from dashboard.commands.steps.agreeing import ask  # noqa: PLC0415
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    with open_ledger(load_settings()) as ledger:
        found = ledger.campaign(campaign)
        stake = ledger.unknown_total(found.campaign)
        if not stake.batches:
            click.echo("No message of this campaign awaits a decision.")
            return
        messages = plural(stake.messages, "{count} message", "{count} messages")
        if decision == "again":
            click.echo(
                "If the service did get them, these people get the text twice and you pay twice.", err=True
            )
        question = (
            f"Decide “{decision}” about {messages} of “{found.name}”, {stake.credits:,} credits at most?"
        )
        ask(question, "Nothing was decided", yes=yes)
        decided = ledger.decide_all(found.campaign, DECISIONS[decision], who, why, as_of=stake.newest_at)
    if decided < stake.batches:
        click.echo(
            f"Decided “{decision}” about {decided} of {stake.batches} batches of “{found.name}”: somebody "
            "else decided about the others in the meantime, or reports told.",
            err=True,
        )
        raise click.exceptions.Exit(1)
    click.echo(f"Decided “{decision}” about {messages} of “{found.name}”.")
