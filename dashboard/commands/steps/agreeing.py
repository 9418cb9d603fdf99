"""The question before something that cannot be undone, and what is said when nothing comes of it."""

from __future__ import annotations

import click

from dashboard.errors import CampaignError


def ask(question: str, nothing: str, *, yes: bool) -> None:
    """Go on after a yes, or without asking if `yes` was given; a no ends the command with code 0.

    `nothing` is what is said after a no, such as "Nothing was sent".

    Raises:
        CampaignError: Nobody is there to answer, as in a nightly job, or they broke off.
    """
    try:
        agreed = yes or click.confirm(question)
    except click.Abort:
        raise CampaignError(f"{nothing}, as nobody answered. Add --yes to go on without asking.") from None
    if not agreed:
        click.echo(f"{nothing}.")
        raise click.exceptions.Exit
