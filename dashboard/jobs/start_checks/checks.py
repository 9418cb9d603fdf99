"""All checks, in the order in which they are read; whatever starts refuses what they refuse."""

from __future__ import annotations

from collections.abc import Callable

from dashboard.errors import SettingsError
from dashboard.jobs.start_checks import database, files, reach, secret_values
from dashboard.jobs.start_checks.finding import Finding
from dashboard.settings import Settings


def start_checks(settings: Settings, *, listens: bool = True) -> list[Finding]:
    """Look at everything that can be seen from here; nothing is changed.

    Args:
        settings: What is set.
        listens: Whether something is going to be reachable: a worker is not.
    """
    found = []
    if listens:
        found = [reach.host(settings), reach.public_address(settings), files.price_list(settings)]
    found += [secret_values.secrets(settings), secret_values.service_key(settings)]
    return [*found, *files.permissions(settings), *database.database(settings)]


def refuse_unsafe(settings: Settings, *, listens: bool, warn: Callable[[str], object]) -> None:
    """Refuse to start where it would not be safe.

    Args:
        settings: What is set.
        listens: As for `start_checks`.
        warn: Is given a sentence about everything that should be known and is not refused.

    Raises:
        SettingsError: Says all that has to be changed first.
    """
    found = start_checks(settings, listens=listens)
    if refused := [one.sentence for one in found if one.state == "refused"]:
        raise SettingsError("\n".join(refused))
    for one in found:
        if one.state == "warning":
            warn(one.sentence)
