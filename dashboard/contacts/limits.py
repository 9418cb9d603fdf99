"""How much of a file is read before it is refused."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on one sheet; each is checked before the memory is spent.

    Attributes:
        upload_bytes: Size of the file.
        inflated_bytes: Size of a workbook once unzipped.
        workbook_rows: Rows of a worksheet; what spreadsheet programs can hold.
        csv_rows: Rows of a text file.
        columns: Columns of either.
        cell_characters: Characters in one cell; what spreadsheet programs can hold.
        child_memory_bytes: Memory of the process that reads a workbook, where the system can bound it.
        child_time_s: Time that this process may take.
    """

    upload_bytes: int = 100 * 2**20
    inflated_bytes: int = 2**30
    workbook_rows: int = 1_048_576
    csv_rows: int = 5_000_000
    columns: int = 500
    cell_characters: int = 32_767
    child_memory_bytes: int = 4 * 2**30
    child_time_s: float = 60.0
