"""`python -m dashboard recount`: do the figures agree with the messages that they are added up from?"""

from __future__ import annotations

import click


@click.command()
@click.option("--mend", is_flag=True, help="Count campaigns anew whose figures do not agree.")
@click.pass_context
def recount(ctx: click.Context, *, mend: bool) -> None:
    """Count every message again and compare that with what pages, reports and statements add up.

    Nothing is changed without --mend; with it, one campaign at a time is corrected. The exit code is 1 if
    figures are left that do not agree. Sending may go on meanwhile.
    """
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    with open_ledger(load_settings()) as ledger:
        campaigns = ledger.campaigns()["campaign"].tolist()
        left = 0
        for campaign in campaigns:
            if not (wrong := ledger.recount(campaign)):
                continue
            listed = ", ".join(wrong)
            if mend:
                ledger.mend(campaign)
                click.echo(f"{campaign}: did not agree ({listed}). It was recounted.")
            else:
                left += 1
                click.echo(f"{campaign}: does not agree ({listed}).")
    counted = plural(len(campaigns), "{count} campaign was recounted", "{count} campaigns were recounted")
    if left:
        click.echo(f"{counted}. Run the command again with --mend to correct what does not agree.")
        ctx.exit(1)
    click.echo(f"{counted}. All figures agree with the messages.")
