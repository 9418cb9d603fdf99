"""What the extra `app` adds to an installation; a worker does without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dashboard.errors import SettingsError

APP = ("authlib", "plotly", "prometheus_client", "streamlit")
"""The packages of the extra `app` in pyproject.toml, as they are imported."""


@contextmanager
def what_is_missing() -> Iterator[None]:
    """Say what to install where the block imports a package of the extra `app` that is not there.

    Raises:
        SettingsError: It is not there.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in APP:
            raise
        raise SettingsError(
            f"{package} is not installed here, and pages and figures need it. Write python -m pip install "
            '"campaign-dashboard[app]" or, in a clone, python -m pip install -r requirements.txt. Workers '
            "and the other commands run without it."
        ) from None
