"""Options that several commands share: how a sheet is read, and output for machines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from dashboard.contacts.columns.rules import ROLES

Command = TypeVar("Command", bound=Callable[..., Any])

sheet_argument = click.argument("sheet", type=click.Path(exists=True, dir_okay=False, path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for machines.")

_READING = (
    click.option(
        "--country",
        help="Country of numbers without a country code, such as GB. [default: DASHBOARD_COUNTRY]",
    ),
    click.option(
        "--worksheet", help="Worksheet to read, or list of a JSON file. [default: the first visible one]"
    ),
    click.option("--encoding", help="Encoding of a CSV. [default: detected]"),
    click.option("--delimiter", help="Delimiter of a CSV. [default: detected]"),
    click.option(
        "--header-row", type=click.IntRange(1), help="Row with the column names. [default: detected]"
    ),
    click.option("--phone", "phones", multiple=True, help="Phone column; several are tried in order."),
    click.option(
        "--column",
        "answers",
        multiple=True,
        metavar="COLUMN=MEANING",
        help=f'What a column says about texts, "Zgoda=consent" (one of {", ".join(ROLES)}), or one of its '
        'values, "Kanal:SMS=may" (or must_not, nothing).',
    ),
    click.option(
        "--none-of-these", is_flag=True, help="No column that is still asked about says who may be texted."
    ),
    click.option(
        "--keep",
        type=click.Choice(["first", "last", "warn"]),
        default="first",
        help="Which of several rows with the same number to keep; warn leaves all for review.",
    ),
)


def reading_options(command: Command) -> Command:
    """Add the options that say how a sheet is read and cleaned; they arrive as `Reading`'s fields."""
    for option in reversed(_READING):
        command = option(command)
    return command
