"""Who on this machine can read the ledger's files, and on what kind of disk they are."""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dashboard.campaigns import prices_of
from dashboard.errors import LedgerError, SettingsError
from dashboard.jobs.start_checks.finding import Finding, State
from dashboard.ledger.copies.copying import files_at
from dashboard.settings import Settings

HAS_MODES = os.name == "posix"
MOUNTS = Path("/proc/self/mountinfo")

_FAR = re.compile(
    r"nfs4?|cifs|smb\w*|afs|ncpfs|ceph|lustre|beegfs|gpfs|davfs|(fuse\.)?(gluster|sshfs|rclone|s3|gcs|dav).*"
)
"""File systems of other machines, where SQLite's log and locks do not hold: https://sqlite.org/wal.html."""

_DOUBTFUL = re.compile(r"9p|drvfs|virtiofs|fuse.*|vboxsf|prl_fs|osxfs|grpcfuse")
"""May be another machine's, or a host's beneath this one."""

_PASSING = {"tmpfs": "in memory", "ramfs": "in memory", "overlay": "in a container", "aufs": "in a container"}


def price_list(settings: Settings) -> Finding:
    """Whether the pages can show what credits cost."""
    try:
        prices_of(settings)
    except SettingsError as error:
        return Finding("price-list", "refused", str(error))
    return Finding(
        "price-list", "ok", "Prices can be read." if settings.price_list else "There is no price list."
    )


def permissions(settings: Settings) -> list[Finding]:
    """Whether other people on this machine can read numbers, or keys."""
    if not HAS_MODES:
        return [Finding("data-folder", "ok", "What Windows lets others read was not looked at.")]
    found = [_private("data-folder", "refused", [settings.data], "data folder")]
    with suppress(LedgerError):  # an address that cannot be read is another check's
        if settings.database_url is not None and (paths := files_at(settings.database_url)):
            found.append(_private("ledger-file", "refused", paths, "ledger"))
    found.append(_private("env-file", "warning", [Path(".env")], "file .env"))
    return found


def _private(name: str, state: State, paths: Sequence[Path], what: str) -> Finding:
    open_ = [path for path in paths if is_open_to_others(path)]
    if not open_:
        there = any(path.exists() for path in paths)
        said = f"Nobody else on this machine can read the {what}." if there else f"There is no {what} yet."
        return Finding(name, "ok", said)
    return Finding(
        name,
        state,
        f"Everybody on this machine can get into the {what}. Run: "
        f"chmod o-rwx {' '.join(shlex.quote(str(path)) for path in open_)}",
    )


def is_open_to_others(path: Path) -> bool:
    """Whether users who are neither the owner nor of the group can read or change it.

    They cannot if they may not pass one of the folders that lead there.
    """
    try:
        whole = path.resolve(strict=True)
        ways = [parent.stat().st_mode for parent in whole.parents]
        return bool(whole.stat().st_mode & stat.S_IRWXO) and all(way & stat.S_IXOTH for way in ways)
    except OSError:
        return False


def disk(ledger: Path, *, mounts: Path = MOUNTS) -> Finding:
    """Whether a SQLite ledger is on a disk on which it lasts.

    Args:
        ledger: Where it is, or will be.
        mounts: What is mounted where, as Linux tells it.
    """
    name, kind = "disk", file_system(ledger, mounts=mounts)
    move = (
        "Set DASHBOARD_DATA to a folder on a disk of this machine, or DASHBOARD_DATABASE_URL to a PostgreSQL."
    )
    if kind is None:
        return Finding(name, "ok", "What kind of disk the ledger is on is not known here.")
    if _FAR.fullmatch(kind):
        said = (
            f"The ledger is on another machine's disk ({kind}), where SQLite can lose what was sent. {move}"
        )
        return Finding(name, "refused", said)
    if kind in _PASSING:
        said = f"The ledger is {_PASSING[kind]} ({kind}) and is gone together with what it knows. {move}"
        return Finding(name, "warning", said)
    if _DOUBTFUL.fullmatch(kind):
        said = f"The ledger may be on another machine's disk ({kind}), where SQLite is not safe. {move}"
        return Finding(name, "warning", said)
    return Finding(name, "ok", f"The ledger is on a disk of this machine ({kind}).")


def file_system(path: Path, *, mounts: Path = MOUNTS) -> str | None:
    """The kind of file system that a path is on, such as ext4; None where the system does not tell."""
    if str(path.drive).startswith("\\\\"):
        return "cifs"
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    whole = path.resolve()
    best, kind = -1, None
    for line in lines:  # https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
        mount, _, rest = line.partition(" - ")
        point = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), mount.split(" ")[4]))
        if whole.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), rest.split(" ")[0]
    return kind
