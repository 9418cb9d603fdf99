"""How fast `clean_phones` is beside other ways to judge the same column: the tables of docs/benchmarks.md.

    python tests/benchmarks/phones.py --rows 10000 100000 1000000 5000000
    python tests/benchmarks/phones.py --check        # 100,000 rows; fails when a promise is broken

Figures are CPU time over all threads, so other programs on the machine matter little, and ratios are of one
run. Peers come from tests/benchmarks/requirements.txt; those that are not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from types import ModuleType

sys.path.append(str(Path(__file__).parents[1]))

import pandas as pd
import pyarrow.csv
from clocks import in_turn
from phone_samples import Sample, mixed_column

from dashboard.phones import clean_phones

SEED = 7
DISTINCT_ROWS = 1_000_000  # longer columns repeat them: to make a text takes longer than to clean it
LOOP_ROWS = 20_000  # enough for those that take microseconds a row
TURN_ROWS = 50_000
LIBRARIES = ("phonenumbers", "rphonenumbers")
OURS, PARSE, PLAIN = "clean_phones", "pyarrow read_csv", "clean_phones, plain Python"

FIRST_CALL = """
import time
import clevercsv, fastexcel, pandas as pd, xlsxwriter  # what the rest of the room loads
began = time.process_time()
from dashboard.phones import clean_phones
clean_phones(pd.Series(["+44 20 7946 0991"]), "GB")
print(time.process_time() - began)
"""


def judge_one_by_one(library: ModuleType, samples: Iterable[Sample]) -> None:
    """What `clean_phones` answers, by a loop over a library's functions."""
    style = library.PhoneNumberFormat.E164
    for text, country in samples:
        try:
            number = library.parse(text or "", country)
        except library.NumberParseException:
            continue
        library.is_valid_number(number)
        library.number_type(number)
        library.region_code_for_number(number)
        library.format_number(number, style)


def compare(rows: int) -> dict[str, float]:
    """All ways on a column of so many rows, each with the country of its number."""
    samples = list(mixed_column(min(rows, DISTINCT_ROWS), SEED))
    part = pd.DataFrame(samples, columns=["phone", "country"]).astype({"phone": "str", "country": "category"})
    sheet = pd.concat([part] * (rows // len(samples)), ignore_index=True)
    csv = io.BytesIO()
    sheet[["phone"]].to_csv(csv, index=False)
    few = samples[:LOOP_ROWS]
    jobs: dict[str, tuple[int, Callable[[], object]]] = {
        OURS: (rows, lambda: clean_phones(sheet["phone"], sheet["country"])),
        PARSE: (rows, lambda: pyarrow.csv.read_csv(pyarrow.BufferReader(csv.getbuffer()))),
    }
    for name in LIBRARIES:
        library = optional(name)
        if library is not None:
            jobs[name] = (len(few), lambda library=library: judge_one_by_one(library, few))
    return in_turn(jobs, TURN_ROWS, median)


def optional(name: str) -> ModuleType | None:
    """A library, if it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def run_python(*arguments: str, **environment: str) -> str:
    """Run a Python of its own. -> what it prints."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **environment}
    ).stdout


def promises(
    figures: dict[str, float], without_numba: dict[str, float], first_call: float
) -> dict[str, tuple[float, str, float]]:
    """What is promised: figure, which way, limit."""
    kept = {
        "CPU ns a row": (figures[OURS], "<=", 150.0),
        "times as fast as phonenumbers": (figures["phonenumbers"] / figures[OURS], ">=", 200.0),
        "times the CPU of reading the column from a CSV": (figures[OURS] / figures[PARSE], "<=", 4.0),
        "times as fast as phonenumbers without Numba": (
            without_numba["phonenumbers"] / without_numba[OURS],
            ">=",
            3.5,
        ),
        "s for the first call in a process": (first_call, "<=", 0.5),
    }
    if "rphonenumbers" in figures:
        kept["times as fast as rphonenumbers"] = (figures["rphonenumbers"] / figures[OURS], ">=", 25.0)
    return kept


def main() -> int:
    """Measure and print; with --check return 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000])
    parser.add_argument("--check", action="store_true")
    parser.add_argument(
        "--json", action="store_true", help="print the figures of the first size, for programs"
    )
    options = parser.parse_args()
    clean_phones(pd.Series(["+44 20 7946 0991"]), "GB")
    if options.json:
        print(json.dumps(compare(options.rows[0])))
        return 0
    rows_without_numba = str(LOOP_ROWS)
    without_numba = json.loads(
        run_python(__file__, "--json", "--rows", rows_without_numba, NUMBA_DISABLE_JIT="1")
    )
    first_call = float(run_python("-c", FIRST_CALL))
    is_broken = False
    for rows in options.rows:
        figures = compare(rows) | {PLAIN: without_numba[OURS]}
        print(
            f"\n{rows:,} rows\n\n| way | CPU ns a row | clean_phones is so many times faster |\n|---|--:|--:|"
        )
        for name, taken in figures.items():
            print(f"| {name} | {taken:,.0f} | {taken / figures[OURS]:,.2f} |")
        for meaning, (figure, way, limit) in promises(figures, without_numba, first_call).items():
            is_kept = figure <= limit if way == "<=" else figure >= limit
            is_broken |= not is_kept
            print(f"{'kept  ' if is_kept else 'BROKEN'} {figure:10.2f} {way} {limit:g} {meaning}")
    return int(options.check and is_broken)


if __name__ == "__main__":
    sys.exit(main())
