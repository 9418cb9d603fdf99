"""`python -m dashboard statement`: a month's statement as a workbook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dashboard.reports import Statement


@click.command()
@click.argument("month")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write this .xlsx file, replacing an existing one. [default: statement-MONTH.xlsx]",
)
def statement(month: str, out: Path | None) -> None:
    """Write what was sent, estimated and billed in MONTH, such as 2026-11, by campaign, country and sender.

    A message belongs to the month in which it was handed over to the service, in the reporting time zone of
    the settings. Messages the service has not billed yet are counted separately, with their
    estimate. Money is added up exactly, separately for each currency; credits without a price are listed next
    to it. Messages sent again after an unknown outcome, which the service may bill twice, are said apart.
    """
    from dashboard.commands.steps.bookkeeping import tell  # noqa: PLC0415
    from dashboard.commands.steps.outputs import check_out  # noqa: PLC0415
    from dashboard.ledger import Ledger  # noqa: PLC0415
    from dashboard.reports import month_bounds, monthly_statement, write_statement  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415

    settings, out = load_settings(), out or Path(f"statement-{month}.xlsx")
    month_bounds(month, tz=settings.time_zone)  # a mistake in it is said before the ledger is opened
    check_out(out, settings, endings=(".xlsx",))
    with Ledger.open(settings.ledger_url, read_only=True) as ledger:
        tz = ledger.settings.now(settings).time_zone
        since, until = month_bounds(month, tz=tz)
        own = ledger.counts(since=since, until=until)
        made = monthly_statement(own, ledger.campaigns(), month, tz=tz, decisions=ledger.decisions())
    write_statement(made, out)
    tell(settings, "export", month, kind="statement")
    click.echo(f"{_counts(made)}: {out}")
    click.echo(_money(made))
    if again := made.sent_again():
        click.echo(again)


def _counts(made: Statement) -> str:
    counts = ("messages", "credits_billed", "messages_not_billed", "open_high")
    total = {name: int(made.totals[name].sum()) for name in counts}
    told = (
        f"{total['messages']:,} messages, {total['credits_billed']:,} credits billed, "
        f"{total['messages_not_billed']:,} messages without a bill yet"
    )
    return f"{told} (at most {total['open_high']:,} credits)" if total["messages_not_billed"] else told


def _money(made: Statement) -> str:
    from dashboard.campaigns.cost.money import known_amounts  # noqa: PLC0415
    from dashboard.formatting import bill_words  # noqa: PLC0415

    totals = made.totals
    amounts = dict(zip(totals["currency"].tolist(), known_amounts(totals["cost_billed"]), strict=True))
    without_price = int(totals["credits_without_price"].sum())
    said = bill_words(amounts, without_price)
    if any(amount is not None for amount in amounts.values()):
        return f"In money: {said}."
    return f"Without a price: {said}." if without_price else "Nothing was billed."
