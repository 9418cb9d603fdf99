"""Where a command may write, checked before it starts, so that nobody waits an hour for a mistyped folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from dashboard.ledger.database.ledger_file import files_of
from dashboard.output import check_output
from dashboard.settings import Settings


def check_out(
    out: Path, settings: Settings, *, endings: Sequence[str] = (), reads: Iterable[Path] = ()
) -> None:
    """Refuse an output file that cannot be written, or that the command or the ledger needs.

    Raises:
        OutputError: The sentence says what to do.
    """
    ours = [Path(".env"), *([settings.price_list] if isinstance(settings.price_list, Path) else [])]
    check_output(out, endings=endings, keep=[*reads, *_ledger_files(settings), *ours])


def _ledger_files(settings: Settings) -> list[Path]:
    if settings.database_url is None:
        return files_of(settings.own_ledger)
    from dashboard.ledger.copies.copying import files_at  # noqa: PLC0415 - SQL, which our own file does without

    return files_at(settings.ledger_url)
