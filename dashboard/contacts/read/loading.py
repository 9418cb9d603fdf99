"""The bytes of a sheet, wherever it is, within the allowed size."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from dashboard.contacts.read.limits import Limits
from dashboard.errors import SheetError
from dashboard.own_connections import content
from dashboard.words import _, decimal

__all__ = ["load", "refuse_endless"]

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
    if not isinstance(data, bytes):
        raise SheetError(_('The file is open as text. Open it with mode "rb", or give its path.'))
    _check_size(len(data), limits)
    return name, data


def _load_file(path: Path, limits: Limits) -> tuple[str, bytes]:
    try:
        refuse_endless(path)
        _check_size(path.stat().st_size, limits)
        data = content(path)
    except OSError as error:
        raise SheetError(
            _("The file cannot be opened: {reason}. Check its path and permissions.").format(
                reason=error.strerror
            )
        ) from None
    _check_size(len(data), limits)  # it may have grown
    return path.name, data


def refuse_endless(path: Path) -> None:
    """Refuse a pipe or a device: reading one may never end, or wait forever.

    Raises:
        SheetError: It is one.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):  # a folder has its own sentence
        raise SheetError(
            _("This is a pipe or a device, which may never end. Save its content as a file first.")
        )


def _check_size(size_bytes: int, limits: Limits) -> None:
    if size_bytes > limits.upload_bytes:
        found = (
            _("has {size} MB").format(size=decimal(size_bytes / _MEGABYTE))
            if size_bytes > limits.upload_bytes + 1
            else _("is larger")
        )
        raise SheetError(
            _(
                "Files of up to {size} MB can be read; this one {found}. Split it, or remove columns "
                "you do not need."
            ).format(size=f"{limits.upload_bytes / _MEGABYTE:,.4g}", found=found)
        )
