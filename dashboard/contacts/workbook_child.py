"""Reads one worksheet in a process of its own: workbook on stdin, Arrow stream on stdout.

Workbook readers can abort or take all memory on a hostile file; here that ends this process and nothing
else. It is started by its path, not as a module, so that neither pandas nor the rest of the package loads.

    python workbook_child.py MEMORY_BYTES CPU_SECONDS MAX_CELLS [WORKSHEET]

Exit codes: 0 read · 3 unreadable · 4 no such worksheet · 5 no visible worksheet · 6 too many cells.
"""

from __future__ import annotations

import contextlib
import json
import sys


def limit_resources(memory_bytes: int, cpu_s: int) -> None:
    """Bound this process where the system can (Linux, macOS in part; Windows has the time limit only)."""
    try:
        import resource  # noqa: PLC0415  absent on Windows
    except ImportError:
        return
    for what, amount in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (amount, amount))


def main(memory_bytes: int, cpu_s: int, max_cells: int, wanted: str | None) -> int:
    """Read the wanted worksheet, or the first visible one; the exit code."""
    limit_resources(memory_bytes, cpu_s)
    import fastexcel  # noqa: PLC0415  after the limits, so that they hold for it too
    import pyarrow as pa  # noqa: PLC0415

    try:
        workbook = fastexcel.read_excel(sys.stdin.buffer.read())
        names = workbook.sheet_names
        if wanted is not None and wanted not in names:
            return 4
        for name in [wanted] if wanted is not None else names:
            sheet = workbook.load_sheet(name, header_row=None, skip_rows=0, dtypes="string")
            if wanted is not None or sheet.visible == "visible":
                break
        else:
            return 5
        if sheet.width * sheet.total_height > max_cells:
            return 6
        table = pa.table(sheet.to_arrow()) if sheet.width else pa.table({})
    except fastexcel.FastExcelError:
        return 3
    about = json.dumps({"worksheet": name, "worksheets": names})
    table = table.replace_schema_metadata({"about": about})
    with pa.ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
        stream.write_table(table)
    return 0


if __name__ == "__main__":
    sys.exit(
        main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] if sys.argv[4:] else None)
    )
