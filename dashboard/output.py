"""Files that we write: whole or not at all, and never over what is being read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from dashboard.errors import OutputError
from dashboard.own_connections import is_database
from dashboard.words import _

_OURS_ALONE = 0o600
_EVERYBODYS = 0o666  # minus the umask


@contextmanager
def whole(target: str | Path, *, private: bool = False) -> Iterator[Path]:
    """A file to write, next to the target; it takes the target's name once it is complete and on disk.

    Whatever was there before stays until then, and stays for good if writing fails. A link stays a link. A
    database is never replaced by a table, whatever link or mistyped name leads to it.

    Args:
        target: The file to write. An existing one is replaced, keeping its permissions.
        private: Whether the file is readable only by its owner, like copies of a ledger, which alone may
            replace a database.

    Raises:
        OutputError: It cannot be written, or is a database.

    Example:
        >>> with whole("contacts.csv") as part:
        ...     part.write_text("phone")
    """
    target = Path(target)
    check_output(target)
    place = target.resolve()
    if not private and _is_database(place):
        raise _needed(target)
    part = _beside(place)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OURS_ALONE if private else _EVERYBODYS))
        if place.exists() and not private:
            shutil.copymode(place, part)
        yield part
        to_disk(part)
        part.replace(place)
    except OSError as error:
        raise _not_written(target, error) from error
    finally:
        part.unlink(missing_ok=True)


def to_disk(part: Path) -> None:
    """Return once what was written to a file is on disk; raises OSError if it cannot be."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())


@contextmanager
def whole_folder(target: str | Path) -> Iterator[Path]:
    """A folder to fill, next to the target; it takes the target's name once it is complete.

    Raises:
        OutputError: It cannot be made, or there is something in it already.
    """
    target = Path(target)
    place, part = _places(target)
    try:
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise OutputError(_("{target} is not an empty folder. Choose a new one.").format(target=target))
        part.mkdir()
        yield part
        if place.exists():
            place.rmdir()
        part.replace(place)
    except OSError as error:
        raise _not_written(target, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def scratch_folder(target: str | Path) -> Iterator[Path]:
    """A folder for what is needed until the target is written, next to it, which only its owner may read.

    Raises:
        OutputError: It cannot be made.
    """
    _place, folder = _places(Path(target))
    try:
        folder.mkdir(mode=0o700)
        yield folder
    except OSError as error:
        raise _not_written(Path(target), error) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _places(target: Path) -> tuple[Path, Path]:
    """Where a path leads, and a place beside it."""
    try:
        return target.resolve(), _beside(target.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # a link to itself; the root, which has no name
        raise _not_written(target, error) from error


@contextmanager
def opened(target: str | Path | BinaryIO) -> Iterator[BinaryIO]:
    """A binary file to write: one that is already open, or a `whole` one.

    Raises:
        OutputError: It cannot be written.
    """
    if isinstance(target, str | Path):
        with whole(target) as part, part.open("wb") as file:
            yield file
    else:
        yield target


def check_output(target: Path, *, endings: Sequence[str] = (), keep: Iterable[Path] = ()) -> None:
    """Refuse a file that could not be written, before the work whose result it should hold.

    Args:
        target: The file to write.
        endings: What its name may end in, such as ".xlsx"; anything when empty.
        keep: Files that it must not be, under whatever name: what is being read, and the ledger.

    Raises:
        OutputError: The sentence says what to do.
    """
    if endings and target.suffix.lower() not in endings:
        raise OutputError(
            _("{target} cannot be written. End its name in {endings}.").format(
                target=target, endings=", ".join(endings)
            )
        )
    if any(is_same_file(target, one) for one in keep):
        raise _needed(target)
    try:
        if target.exists() and not target.is_file():
            raise OutputError(
                _("{target} is not a file that can be written. Choose another name.").format(target=target)
            )
        part = _beside(target.resolve())
        part.touch(exist_ok=False)
        part.unlink()
    except (OSError, RuntimeError) as error:  # RuntimeError: a link to itself
        raise _not_written(target, error) from error


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, by links, by another spelling, or once it is made."""
    try:
        return one.samefile(other)
    except (OSError, RuntimeError):  # one of them does not exist
        return _spelled(one) == _spelled(other)


def _is_database(place: Path) -> bool:
    try:
        return is_database(place)
    except OSError:  # it does not exist, or nobody may read it
        return False


def _spelled(path: Path) -> str:
    return os.path.normcase(os.path.realpath(path)).casefold()


def _beside(place: Path) -> Path:
    return place.with_name(f".{uuid4().hex}.part")  # a name of its own: short, and nobody else's file


def _needed(target: Path) -> OutputError:
    return OutputError(
        _("{target} is a file that must not be changed. Choose another name.").format(target=target)
    )


def _not_written(target: Path, error: Exception) -> OutputError:
    why = getattr(error, "strerror", None)
    return OutputError(
        _(
            "{target} cannot be written{why}. Check that its folder exists and has space, and that you "
            "may write there."
        ).format(target=target, why=f" ({why})" if why else "")
    )
