"""Streamlit's options: how the pages look, and the rules the server follows wherever it is started.

They are in `.streamlit/config.toml` next to main.py, where Streamlit looks for them under `streamlit run`,
and are installed with the package.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streamlit import config
from streamlit import logger as streamlit_logger

from dashboard.app.people import SEAT
from dashboard.app.server.admission import SEAT_HEADER
from dashboard.errors import SettingsError
from dashboard.settings import Settings

SAFE: Mapping[str, object] = {
    "server.enableCORS": True,
    "server.enableXsrfProtection": True,
    "global.developmentMode": False,
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "minimal",
    "server.fileWatcherType": "none",
    "runner.magicEnabled": False,
    "runner.fastReruns": False,
}
"""What must hold whatever the file says, or whoever packages us leaves out of it.

With fast reruns, a run that has not begun yet is dropped for the next request, and with it the click that
asked for it; without them, requests that wait are merged.
"""

FILE = Path(__file__).parents[1] / ".streamlit" / "config.toml"
LOOK = "theme."


def configure(settings: Settings) -> None:
    """Set the options for `python -m dashboard`.

    The operator may have their own theme in a `.streamlit` folder; but what such a file says about the server
    is meant for another program, and could open ours up.

    Raises:
        SettingsError: The installation is not whole, or Streamlit does not keep an option that must hold.
    """
    config.get_config_options()
    ours = _look() | {
        **SAFE,
        "server.address": settings.host,
        "server.port": settings.port,
        "server.corsAllowedOrigins": [f"https://{name}" for name in settings.hosts],
        "server.maxUploadSize": settings.upload_mb,
        "server.trustedUserHeaders": {SEAT_HEADER: SEAT} if settings.oidc_issuer else {},
        "logger.hideWelcomeMessage": True,
    }
    for option, value in ours.items():
        if not (option.startswith(LOOK) and config.is_manually_set(option)):
            config.set_option(option, value)
    if lost := [option for option, value in SAFE.items() if config.get_option(option) != value]:
        raise SettingsError(
            f"Streamlit does not keep {', '.join(lost)}, which the pages need to be safe. Install the "
            "versions that requirements.txt names."
        )


def _look() -> dict[str, Any]:
    try:
        return _flatten(tomllib.loads(FILE.read_text("utf-8")))
    except (OSError, ValueError):
        raise SettingsError(
            "This installation lacks dashboard/app/.streamlit/config.toml, which says how the pages look. "
            "Install it again."
        ) from None


def join_log() -> None:
    """Let what Streamlit logs go the way of everybody's, instead of to a handler for each of its modules."""
    streamlit_logger.setup_formatter = _without_own_handler
    streamlit_logger.update_formatter()  # those it has made already


def _without_own_handler(logger: logging.Logger) -> None:
    own = getattr(logger, "streamlit_console_handler", None)
    if own is not None:
        logger.removeHandler(own)
    logger.propagate = True


def _flatten(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        flat |= _flatten(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return flat
