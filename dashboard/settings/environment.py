"""What is set outside: the environment, after it the file `.env` where we start, and files of secrets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

from dashboard.settings.env_file import NAME, read_env_file
from dashboard.settings.names import variable
from dashboard.settings.secret_files import files_in, read_secret


def given() -> dict[str, str]:
    """Values by name in capitals, without surrounding spaces; blank values count as absent.

    Raises:
        SettingsError: The file cannot be read.
    """
    values: dict[str, str] = {}
    for source in (read_env_file(Path(NAME)), os.environ):
        spelled = {name.upper(): value for name, value in source.items() if name != name.upper()}
        exact = {name: value for name, value in source.items() if name == name.upper()}
        values |= {name: value.strip() for name, value in (spelled | exact).items() if value.strip()}
    return values


class Environment(PydanticBaseSettingsSource):
    """Hands the settings what is given for them."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The value of one field, None without one; see pydantic-settings."""
        del field
        return given().get(variable(field_name)), field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values of all fields that are given."""
        values = given()
        names = {name: variable(name) for name in self.settings_cls.model_fields}
        plain = {name: values[named] for name, named in names.items() if named in values}
        filed = {name: read_secret(name, path) for name, path in files_in(values).items()}
        return plain | {name: value for name, value in filed.items() if value is not None}
