"""How long `clean_csv_stream` takes for a big file, and how much memory, beside pyarrow reading the file.

    python tests/benchmarks/stream.py --rows 5000000
    python tests/benchmarks/stream.py --check          # 500,000 rows; fails when a promise is broken

Each way runs in a process of its own, as it would for a user: filling memory for the first time is part of
its time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import pandas as pd
from phone_samples import mixed_column

SEED = 7
DISTINCT_ROWS = 500_000
MOST_MEGABYTES, MOST_BYTES_A_ROW = 500, 110

MEASURED = """
import json, resource, sys, time
from dashboard.phones import clean_phones
from dashboard.contacts.stream.files import clean_csv_stream
import pandas as pd, pyarrow.csv
source, target = sys.argv[1:]
clean_phones(pd.Series(["+44 20 7946 0991"]), "GB")
cpu, wall = time.process_time(), time.perf_counter()
{job}
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
print(json.dumps([cpu, wall, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
JOBS = {
    "pyarrow read_csv": "table = pyarrow.csv.read_csv(source)",
    "clean_csv_stream": "clean_csv_stream(source, target, country='GB')",
}


def write_sheet(path: Path, rows: int) -> None:
    """A contact sheet of so many rows, with a new number in each."""
    part = pd.DataFrame(list(mixed_column(min(rows, DISTINCT_ROWS), SEED)), columns=["phone", "country"])
    for first in range(0, rows, len(part)):
        part["email"] = [f"person{row}@example.com" for row in range(first, first + len(part))]
        sheet = part[["phone", "email"]].assign(first_name="Ann", last_name="Example", city="Springfield")
        sheet.to_csv(path, mode="a", header=first == 0, index=False)


def main() -> int:
    """Measure and print; with --check return 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    taken = {}
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "contacts.csv"), Path(folder, "cleaned.parquet")
        write_sheet(source, options.rows)
        print(f"{options.rows:,} rows, {source.stat().st_size / 1e6:,.0f} MB\n")
        print("| way | CPU s | wall s | most memory, MB |\n|---|--:|--:|--:|")
        for name, job in JOBS.items():
            command = [sys.executable, "-c", MEASURED.format(job=job), str(source), str(target)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True)
            cpu, wall, megabytes = taken[name] = json.loads(answer.stdout)
            print(f"| {name} | {cpu:.2f} | {wall:.2f} | {megabytes:,.0f} |")
    times_the_read = taken["clean_csv_stream"][0] / taken["pyarrow read_csv"][0]
    most = MOST_MEGABYTES + MOST_BYTES_A_ROW * options.rows / 1e6
    print(f"\n{times_the_read:.2f} times the CPU of the read; at most {most:,.0f} MB are promised")
    is_kept = taken["clean_csv_stream"][2] <= most
    return int(options.check and not is_kept)


if __name__ == "__main__":
    sys.exit(main())
