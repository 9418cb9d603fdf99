"""`python -m dashboard forget`: deletes whom old campaigns texted, and what."""

from __future__ import annotations

from datetime import timedelta

import click


def _in_range(context: click.Context, parameter: click.Parameter, days: int | None) -> int | None:
    from dashboard.settings import MOST_DAYS  # noqa: PLC0415

    return None if days is None else int(click.IntRange(0, MOST_DAYS).convert(days, parameter, context))


@click.command()
@click.option(
    "--days",
    type=int,
    callback=_in_range,
    metavar="N",
    help="Days since a campaign's end; 0 for all that ended.",
)
@click.option("--person", help="The number of one person to forget, in all campaigns.")
@click.option("--country", help="Country of a number without a country code, such as GB.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
def forget(*, days: int | None, person: str | None, country: str | None, yes: bool) -> None:
    """Delete the numbers, texts and contact sheets of campaigns that ended at least that many days ago.

    Counts, credits and costs stay, and so do opt-outs and saved lists. Campaigns with messages awaiting a
    decision are left alone. Copies of the ledger made earlier still have everything. DASHBOARD_KEEP_DAYS does
    the same automatically.

    With --person, one person is forgotten instead, in campaigns of any age: only a hash of the number stays,
    which keeps them from ever being texted again. Saved lists, campaigns and saved texts, deleted
    texts too, that still name the number are listed.
    """
    if (days is None) == (person is None):
        raise click.UsageError("Give either --days or --person.")
    if days is None:
        _forget_person(str(person), country, yes=yes)
    else:
        _forget_campaigns(days, yes=yes)


def _forget_person(person: str, country: str | None, *, yes: bool) -> None:
    from dashboard.commands.steps.agreeing import ask  # noqa: PLC0415
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.commands.steps.one_person import lists_with, typed_with  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    settings = load_settings()
    with open_ledger(settings) as ledger:
        home = country or ledger.settings.now(settings).country
        messages = plural(len(ledger.person(person, country=home)), "{count} message", "{count} messages")
        question = f"Forget this person, with {messages}, and never text them again?"
        ask(question, "Nothing was deleted", yes=yes)
        lists, typed = (find(ledger, person, home) for find in (lists_with, typed_with))
        ledger.forget_person(person, country=home)
    click.echo(f"Forgot the person, with {messages}. Counts and costs stay.")
    for names, what in (
        (lists, "Saved lists that may hold the number: {}. Delete them, or save them without it."),
        (
            typed,
            "Campaigns and saved texts, deleted ones too, in which somebody typed the number: {}. What they "
            "say stays.",
        ),
    ):
        if names:
            click.echo(what.format(", ".join(f"“{name}”" for name in names)))


def _forget_campaigns(days: int, *, yes: bool) -> None:
    from dashboard.commands.steps.agreeing import ask  # noqa: PLC0415
    from dashboard.commands.steps.bookkeeping import open_ledger  # noqa: PLC0415
    from dashboard.errors import SettingsError  # noqa: PLC0415
    from dashboard.jobs.retention import days_counted  # noqa: PLC0415
    from dashboard.settings import load_settings  # noqa: PLC0415
    from dashboard.words import plural  # noqa: PLC0415

    settings = load_settings()
    with open_ledger(settings) as ledger:
        least = days_counted(ledger.settings.now(settings))
        if days < least:
            raise SettingsError(
                f"The cap on texts per person counts those of the last {least} days, and people who "
                f"were forgotten are not counted. Use --days {least} or more. Nothing was deleted."
            )
        before = ledger.outbox.now() - timedelta(days=days)
        old, strays = ledger.forgettable(before=before), ledger.stray_reports()
        reports = int((strays["received_at"] < before).sum())
        if old.empty and not reports:
            ledger.database.empty_log()  # somebody may have been reading the last time
            click.echo("There is no such campaign. Nothing was deleted.")
            return
        counted = plural(int(old["recipients"].sum()), "{count} message", "{count} messages")
        what = plural(
            len(old), "{messages} in {count} campaign", "{messages} in {count} campaigns", messages=counted
        )
        if reports:
            others = f"{plural(reports, '{count} report', '{count} reports')} about unknown messages"
            what = others if old.empty else f"{what} and {others}"
        question = f"Delete whom they went to and what they said: {what}?"
        ask(question, "Nothing was deleted", yes=yes)
        ledger.forget(before=before)
    click.echo(f"Deleted the numbers and texts of {what}. Counts and costs stay.")
