"""How much of a file is read before it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dashboard.settings import Settings

__all__ = ["Limits"]

_MEGABYTE = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on one sheet; each is checked before the memory is spent.

    Attributes:
        upload_bytes: Size of the file.
        inflated_bytes: Size of a workbook once unzipped.
        workbook_rows: Rows of a worksheet; what spreadsheet programs can hold.
        csv_rows: Rows of any other file.
        columns: Columns of either.
        cell_characters: Characters in one cell; what spreadsheet programs can hold.
        child_memory_bytes: Memory of the process that reads a workbook, where the system can bound it.
        child_time_s: Time that process may take.
    """

    upload_bytes: int = 100 * _MEGABYTE
    inflated_bytes: int = 1024 * _MEGABYTE
    workbook_rows: int = 1_048_576
    csv_rows: int = 5_000_000
    columns: int = 500
    cell_characters: int = 32_767
    child_memory_bytes: int = 4096 * _MEGABYTE
    child_time_s: float = 60.0

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits set by the dashboard's operator.

        Example:
            >>> Limits.of(load_settings(upload_mb=200)).upload_bytes
            209715200
        """
        return cls(
            upload_bytes=settings.upload_mb * _MEGABYTE,
            inflated_bytes=settings.inflated_mb * _MEGABYTE,
            workbook_rows=settings.workbook_rows,
            csv_rows=settings.csv_rows,
            columns=settings.sheet_columns,
            cell_characters=settings.cell_characters,
            child_memory_bytes=settings.reader_memory_mb * _MEGABYTE,
            child_time_s=settings.reader_seconds,
        )
