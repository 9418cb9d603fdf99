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
        return "", _within(source, limits)
    if isinstance(source, str | Path):
        return _load_file(Path(source), limits)
    name = Path(str(getattr(source, "name", ""))).name
    return name, _within(source.read(limits.upload_bytes + 1), limits)


def _load_file(path: Path, limits: Limits) -> tuple[str, bytes]:
    try:
        size = path.stat().st_size
        if size > limits.upload_bytes:
            raise _too_large(f"has {size / _MEGABYTE:,.1f} MB", limits)
        return path.name, _within(path.read_bytes(), limits)
    except OSError as error:
        raise SheetError(f"The file cannot be opened: {error.strerror}. Check its path and rights.") from None


def _within(data: bytes, limits: Limits) -> bytes:
    if len(data) > limits.upload_bytes:
        raise _too_large("is larger than that", limits)
    return data


def _too_large(found: str, limits: Limits) -> SheetError:
    return SheetError(
        f"Files of up to {limits.upload_bytes // _MEGABYTE:,} MB can be read; this one {found}. "
        "Split it, or remove needless columns."
    )
