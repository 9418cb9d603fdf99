"""Secrets in files of their own: `DASHBOARD_WEBHOOK_SECRET_FILE=/run/secrets/webhook` and the like."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock

from dashboard.errors import SettingsError
from dashboard.settings.names import variable

log = logging.getLogger(__name__)

SECRETS = (
    "sms_api_key",
    "webhook_secret",
    "webhook_secret_before",
    "oidc_client_secret",
    "oidc_cookie_secret",
    "metrics_token",
    "database_url",
)
"""The settings that can be given in a file: the address of the ledger may hold a password."""

PASSING = frozenset({"webhook_secret_before"})
"""Needed for a while only: a file that is empty, or was removed meanwhile, says that it is over."""

LARGEST_BYTES = 65_536


def file_variable(field: str) -> str:
    """The environment variable that names the file of a secret."""
    return f"{variable(field)}_FILE"


def files_in(given: Mapping[str, str]) -> dict[str, Path]:
    """The file of each secret that is given in one, by the name of its field.

    Raises:
        SettingsError: A secret is given twice.
    """
    files = {field: Path(given[name]) for field in SECRETS if (name := file_variable(field)) in given}
    for field in files:
        if variable(field) in given:
            raise SettingsError(
                f"{variable(field)} and {file_variable(field)} are both set, and only one of them can count. "
                "Remove one."
            )
    return files


def read_secret(field: str, path: Path) -> str | None:
    """What the file of a secret says, without the spaces around it; None if it is empty and may be.

    Raises:
        SettingsError: It cannot be read, or is empty; names the variable, not the file or its content.
    """
    try:
        raw = path.read_bytes() if path.is_file() else None
    except (OSError, ValueError):
        raw = None
    if raw is None:
        raise SettingsError(
            f"{file_variable(field)}: there is no file that can be read. Write its path, and let the user "
            "who starts this program read it."
        )
    try:
        text = raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        text = "\0"
    if len(raw) > LARGEST_BYTES or "\0" in text:
        raise SettingsError(f"{file_variable(field)}: the file is no text. Write only the secret into it.")
    if not text and field not in PASSING:
        raise SettingsError(f"{file_variable(field)}: the file is empty. Write the secret into it.")
    return text or None


class Rotating:
    """A secret as its file has it now: call it each time the secret is used.

    While the file cannot be used, say because it is just being written, the last secret counts, and the log
    says so once.
    """

    def __init__(self, field: str, path: Path, value: str | None, check: Callable[[str], str]) -> None:
        """Begin with the value that was read at the start.

        Args:
            field: Which setting it is.
            path: Where its file is.
            value: What it said; None if it was empty.
            check: Gives the secret in the form that is used, or raises ValueError.
        """
        self._field = field
        self._path = path
        self._value = value
        self._check = check
        self._seen: tuple[int, ...] | None = ()  # of no file, so that the first call reads it
        self._guard = Lock()

    def __call__(self) -> str | None:
        """The secret; None when it is over."""
        with self._guard:
            there = _stamp(self._path)
            if there != self._seen:
                self._seen = there
                self._read()
            return self._value

    def _read(self) -> None:
        if self._seen is None and self._field in PASSING:
            self._value = None
            return
        try:
            said = read_secret(self._field, self._path)
            self._value = None if said is None else self._check(said)
        except (SettingsError, ValueError) as error:
            why = str(error) if isinstance(error, SettingsError) else f"{file_variable(self._field)}: {error}"
            log.warning("%s Until then the secret before it counts.", why.rstrip(".") + ".")


def _stamp(path: Path) -> tuple[int, ...] | None:
    """What changes whenever a file is written or replaced; None when there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
