"""The settings as they are given, or a sentence about everything that cannot be used."""

from __future__ import annotations

import sys
from typing import Any

from pydantic import ValidationError

from dashboard.errors import SettingsError
from dashboard.settings.environment import given
from dashboard.settings.names import unknown, variable
from dashboard.settings.secret_files import SECRETS, file_variable, files_in
from dashboard.settings.settings import Settings
from dashboard.settings.wording import plain, sentence

EXAMPLES = {
    "credits_per_campaign": 5000,
    "credits_per_day": 20000,
    "approve_above": 1000,
    "texts_per_person": 2,
    "keep_days": 90,
    "keep_lists_days": 365,
}
"""For numbers that have no default."""


def load_settings(**overrides: Any) -> Settings:
    """Read the settings; names that look like settings but are not are pointed out on standard error.

    Args:
        overrides: Values that win over the environment, by field name.

    Raises:
        SettingsError: Names each variable that cannot be used and why, never its value.
    """
    settings = read_settings(**overrides)
    for remark in unknown_names():
        sys.stderr.write(f"{remark}\n")
    return settings


def read_settings(**overrides: Any) -> Settings:
    """The settings, without a remark on other names.

    Raises:
        SettingsError: As `load_settings`.
    """
    try:
        settings = Settings(**overrides)
    except ValidationError as error:
        lines = []
        for problem in error.errors(include_input=False, include_url=False):
            where = ", ".join(variable(str(part)) for part in problem["loc"][:1])
            why = sentence(problem["type"], problem.get("ctx", {}))
            why = _with_example(why, str(problem["loc"][0])) if where else why
            lines.append(f"{where}: {why}" if where else why)
        raise SettingsError("The settings cannot be used. " + "; ".join(lines) + ".") from None
    files = files_in(given())
    return settings.reading({field: path for field, path in files.items() if field not in overrides})


def _with_example(why: str, field: str) -> str:
    """What is wrong with a setting and, where it is a number, one that could be written."""
    known = Settings.model_fields.get(field)
    example = EXAMPLES.get(field, known.default if known else None)
    is_number = isinstance(example, int | float) and not isinstance(example, bool)
    return f"{why}, such as {plain(example)}" if is_number and "such as" not in why else why


def unknown_names() -> list[str]:
    """A sentence about each name in the environment that looks like a setting but is not one."""
    known = [*map(variable, Settings.model_fields), *map(file_variable, SECRETS)]
    return unknown(given(), known)
