"""`python -m dashboard bar` and `admit`: who is let in, whatever else says so, and at once."""

from __future__ import annotations

import click


@click.command()
@click.argument("address")
def bar(*, address: str) -> None:
    """Sign the person with this e-mail ADDRESS out everywhere, and no longer let them in.

    In force within seconds in every process that uses the ledger; nothing has to be restarted. It stays in
    force until `admit`, whatever DASHBOARD_PEOPLE and the page “People” say.
    """
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    with open_ledger(load_settings()) as ledger:
        ended = ledger.sign_ins.bar(address)
    where = plural(ended, "They were signed in at {count} browser", "They were signed in at {count} browsers")
    click.echo(f"{where if ended else 'They were not signed in'}. They are no longer let in.")


@click.command()
@click.argument("address")
def admit(*, address: str) -> None:
    """Let the person with this e-mail ADDRESS in again, if DASHBOARD_PEOPLE or the page “People” lists them.

    It also forgets which account at the identity provider the address belongs to: use it when somebody has a
    new account. Whoever signs in with the address next is taken for its owner.
    """
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.settings import load_settings, plain_address  # noqa: PLC0415

    settings = load_settings()
    with open_ledger(settings) as ledger:
        ledger.sign_ins.admit(address)
        is_listed = plain_address(address.strip()) in ledger.people.now(settings)
    if is_listed:
        click.echo("They are let in again, with the account they sign in with next.")
    else:
        click.echo("They are no longer barred, but nobody has listed them. Add them on the page “People”.")
