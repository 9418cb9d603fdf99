"""What intake costs beside the bare readers: the tables of docs/benchmarks.md, section "Intake".

    python tests/benchmarks/bench_intake.py
    python tests/benchmarks/bench_intake.py --rows 100000 --check    # smaller; fails when a promise is broken

Figures are CPU seconds, child processes included, each of the best of a few runs in a fresh process; sheets
are seeded. What a reader of workbooks imports counts, for read_sheet imports it in a new process each time.
To measure another way, add a job; to promise something of it, add a promise.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import xlsxwriter

SEED = 11
ROUNDS = 3
WORKBOOK_SHARE = 5
"""A workbook has a fifth of the rows that the CSV file has: 200,000 of 1,000,000."""
COLUMNS = (
    *("id", "first name", "last name", "mobile", "email", "city", "postcode", "country", "consent", "joined"),
)

MEASURED = """
import json, os, sys
{setup}
source = sys.argv[1]
before = os.times()
{job}
after = os.times()
print(json.dumps(sum(after[:4]) - sum(before[:4])))
"""
PANDAS = "import pandas as pd"
OURS = "from dashboard.contacts import read_sheet"


class Job(NamedTuple):
    """One way to read: the sheet it reads, what is imported before the clock starts, and what is timed."""

    sheet: str
    setup: str
    code: str


class Promise(NamedTuple):
    """At most so many times the CPU of another job."""

    job: str
    times: float
    other: str


JOBS = {
    "read_sheet, CSV": Job("csv", OURS, "read_sheet(source)"),
    "pandas.read_csv(dtype=str)": Job("csv", PANDAS, "pd.read_csv(source, dtype=str)"),
    "read_sheet, XLSX": Job("xlsx", OURS, "read_sheet(source)"),
    "fastexcel": Job(
        "xlsx",
        "",
        "import fastexcel, pyarrow\n"
        "fastexcel.read_excel(source).load_sheet(0, header_row=None, dtypes='string').to_arrow()",
    ),
    "pandas.read_excel(openpyxl)": Job("xlsx", PANDAS, "pd.read_excel(source, engine='openpyxl', dtype=str)"),
}
PROMISES = (
    Promise("read_sheet, CSV", 1.3, "pandas.read_csv(dtype=str)"),
    Promise("read_sheet, XLSX", 1.5, "fastexcel"),
    Promise("read_sheet, XLSX", 1 / 5, "pandas.read_excel(openpyxl)"),
)


def contacts(rows: int) -> Iterator[tuple[str, ...]]:
    """Fictional people, every one with another number."""
    chance = random.Random(SEED)  # noqa: S311  a sheet, no secret
    first, last = ("Ann", "Zoë", "Bob", "Łukasz", "Maria"), ("Example", "Muster", "Sample", "Dupont")
    for row in range(rows):
        name = chance.choice(first)
        yield (
            str(100_000 + row),
            name,
            chance.choice(last),
            f"07{chance.randrange(4 * 10**8, 5 * 10**8):09}",
            f"person{row}@example.com",
            chance.choice(("York", "Leeds", "Bath", "Köln")),
            f"YO{chance.randrange(1, 40)} {chance.randrange(10)}AA",
            "GB",
            chance.choice(("yes", "no")),
            f"2026-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
        )


def write_sheets(folder: Path, rows: int) -> dict[str, Path]:
    """The same kind of people as CSV and, fewer of them, as a workbook."""
    sheets = {"csv": folder / "contacts.csv", "xlsx": folder / "contacts.xlsx"}
    pd.DataFrame(contacts(rows), columns=list(COLUMNS)).to_csv(sheets["csv"], index=False)
    with xlsxwriter.Workbook(sheets["xlsx"]) as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, COLUMNS)
        for row, cells in enumerate(contacts(rows // WORKBOOK_SHARE), start=1):
            for place, cell in enumerate(cells):
                sheet.write_string(row, place, cell)
    return sheets


def cpu_s(job: Job, sheet: Path) -> float:
    """CPU seconds of a job in a process of its own, children included."""
    command = [sys.executable, "-c", MEASURED.format(setup=job.setup, job=job.code), str(sheet)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(answer.stdout))


def main() -> int:
    """Measure and print; with --check return 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sheets = write_sheets(Path(folder), options.rows)
        taken: dict[str, float] = {}
        for _ in range(ROUNDS):
            for name, job in JOBS.items():
                taken[name] = min(taken.get(name, float("inf")), cpu_s(job, sheets[job.sheet]))
    print(f"{options.rows:,} rows of CSV, {options.rows // WORKBOOK_SHARE:,} rows of XLSX\n")
    print("| way | CPU s |\n|---|--:|")
    for name, seconds in taken.items():
        print(f"| {name} | {seconds:.2f} |")
    print("\n| | measured | wanted |\n|---|--:|--:|")
    is_broken = False
    for promise in PROMISES:
        times = taken[promise.job] / taken[promise.other]
        is_broken |= times > promise.times
        print(f"| {promise.job} / {promise.other} | {times:.2f} | at most {promise.times:.2f} |")
    return int(options.check and is_broken)


if __name__ == "__main__":
    sys.exit(main())
