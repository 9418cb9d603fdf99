"""The bytes of a sheet, from wherever it lies, within the size that is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from dashboard.contacts.limits import Limits
from dashboard.errors import SheetError

__all__ = ["load"]

_MEGABYTE = 2**20


def load(source: str | Path | bytes | BinaryIO, limits: Limits) -> tuple[str, bytes]:
    """File name ("" for bytes) and content.

    Raises:
        SheetError: It cannot be opened, or is larger than allowed.
    """
    if isinstance(source, bytes):
        _check_size(len(source), limits)
        return "", source
    if isinstance(source, str | Path):
        return _load_file(Path(source), limits)
    name = Path(str(getattr(source, "name", ""))).name
    data = source.read(limits.upload_bytes + 1)
    _check_size(len(data), limits)
    return name, data


def _load_file(path: Path, limits: Limits) -> tuple[str, bytes]:
    try:
        _check_size(path.stat().st_size, limits)
        data = path.read_bytes()
    except OSError as error:
        raise SheetError(f"The file cannot be opened: {error.strerror}. Check its path and rights.") from None
    _check_size(len(data), limits)  # it may have grown
    return path.name, data


def _check_size(size_bytes: int, limits: Limits) -> None:
    if size_bytes > limits.upload_bytes:
        found = (
            f"has {size_bytes / _MEGABYTE:,.1f} MB" if size_bytes > limits.upload_bytes + 1 else "is larger"
        )
        raise SheetError(
            f"Files of up to {limits.upload_bytes / _MEGABYTE:,.4g} MB can be read; this one {found}. "
            "Split it, or remove needless columns."
        )
