"""Streamlit's options: how the pages look, and the rules the server follows wherever it is started.

They are in `.streamlit/config.toml` next to main.py, where Streamlit looks for them under `streamlit run`,
and are installed with the package.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from streamlit import config

from dashboard.settings import Settings

FILE = Path(__file__).parents[1] / ".streamlit" / "config.toml"
LOOK = "theme."


def configure(settings: Settings) -> None:
    """Set the options for `python -m dashboard`.

    The operator may have their own theme in a `.streamlit` folder; but what such a file says about the server
    is meant for another program, and could open ours up.
    """
    config.get_config_options()
    ours = _flatten(tomllib.loads(FILE.read_text("utf-8"))) | {
        "server.address": settings.host,
        "server.port": settings.port,
        "server.maxUploadSize": settings.upload_mb,
        "logger.hideWelcomeMessage": True,
    }
    for option, value in ours.items():
        if not (option.startswith(LOOK) and config.is_manually_set(option)):
            config.set_option(option, value)


def _flatten(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        flat |= _flatten(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return flat
