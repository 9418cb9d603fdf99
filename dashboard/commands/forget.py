"""`python -m dashboard forget`: deletes whom old campaigns texted, and what."""

from __future__ import annotations

from datetime import timedelta

import click

from dashboard.settings import MOST_DAYS


@click.command()
@click.option("--days", type=click.IntRange(1, MOST_DAYS), required=True, help="Days since a campaign's end.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
def forget(*, days: int, yes: bool) -> None:
    """Delete the numbers, texts and contact sheets of campaigns that ended at least that many days ago.

    Counts, credits and costs stay, and so do opt-outs and saved lists. Campaigns with messages awaiting a
    decision are left alone. Copies of the ledger made earlier still have everything. DASHBOARD_KEEP_DAYS does
    the same automatically.
    """
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.errors import SettingsError  # noqa: PLC0415
    from dashboard.jobs.retention import days_counted  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    settings = load_settings()
    least = days_counted(settings)
    if days < least:
        raise SettingsError(
            f"DASHBOARD_TEXTS_PER_PERSON counts the texts of the last {least} days, and who is forgotten is "
            f"not counted. Use --days {least} or more. Nothing was deleted."
        )
    with open_ledger(settings) as ledger:
        before = ledger.outbox.now() - timedelta(days=days)
        old = ledger.forgettable(before=before)
        if old.empty:
            click.echo("There is no such campaign. Nothing was deleted.")
            return
        counted = plural(int(old["recipients"].sum()), "{count} message", "{count} messages")
        messages = plural(
            len(old), "{messages} in {count} campaign", "{messages} in {count} campaigns", messages=counted
        )
        if not yes and not click.confirm(f"Delete whom they went to and what they said: {messages}?"):
            click.echo("Nothing was deleted.")
            return
        ledger.forget(before=before)
    click.echo(f"Deleted the numbers and texts of {messages}. Counts and costs stay.")
