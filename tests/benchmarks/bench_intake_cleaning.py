"""What it costs to turn a CSV file into a ContactList, beside pandas reading the same file bare.

    python tests/benchmarks/bench_intake_cleaning.py --rows 1000000
    python tests/benchmarks/bench_intake_cleaning.py --check     # fails when a promise is broken

Each way runs in a process of its own, on the same file: ten columns, most phones national with blanks, some
E.164, 2 % odd. CPU time is of all threads and of children; memory is the most that is resident beyond what
the process took before it began.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SEED = 11
MOST_TIMES_THE_READ = 2.0
MOST_TIMES_THE_FILE = 6.0
HEADER = (
    *("Customer ID", "First name", "Last name", "Mobile", "Email"),
    *("Country", "City", "Voucher", "Notes", "SMS opt out"),
)
ODD = (
    *("07{}/07911 123456", "tel: 07{}", "07{} ext 12", "+44 (0)7{}", "447{}", "7{}", "'+447{}", "447{}.0"),
    *(
        "O7{}",
        "n/a",
        "",
        "4.4791E+11",
        "020 7946 0{:.3}",
        "06 12 {:.2} 34 56",
        "+33 6 12 {:.2} 34 56",
        "07{:.8}",
    ),
)

MEASURED = """
import json, resource, sys, time
import pandas as pd
from dashboard.contacts import clean_contacts, clean_phones, read_sheet
clean_phones(pd.Series(["+44 20 7946 0991"]), "GB")
def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in used)
with open("/proc/self/status") as status:
    before = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
source = sys.argv[1]
spent, wall = cpu(), time.perf_counter()
{job}
spent, wall = cpu() - spent, time.perf_counter() - wall
print(json.dumps([spent, wall, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024]))
"""
JOBS = {
    "pandas read_csv": "frame = pd.read_csv(source, dtype=str)",
    "read_sheet": "sheet = read_sheet(source)",
    "read_sheet, clean_contacts": "contacts = clean_contacts(read_sheet(source), country='GB')",
}


def write_sheet(path: Path, rows: int) -> None:
    """A contact sheet with a new number in each row."""
    draw = random.Random(SEED)  # noqa: S311  a sample, not a secret
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for row in range(rows):
            writer.writerow(
                (
                    f"C-{row:07d}",
                    draw.choice(("Ann", "Ben", "Chloé", "Dylan", "Elif", "")),
                    draw.choice(("Ashdown", "Czerny", "Dunmore", "Götze", "Hartwell")),
                    _phone(draw),
                    f"contact{row}@example.com",
                    draw.choice(("", "GB", "UK", "United Kingdom")),
                    draw.choice(("Bristol", "Cardiff", "Derby", "Exeter", "")),
                    f"SPRING-{draw.randrange(16**6):06X}",
                    draw.choice(("", "", "", "called twice", "prefers the morning, not Mondays")),
                    draw.choice(("", "", "", "no", "yes")) if draw.random() < 0.1 else "",
                )
            )


def _phone(draw: random.Random) -> str:
    digits = f"{draw.randrange(400, 600)}{draw.randrange(10**6):06d}"
    kind = draw.random()
    if kind < 0.02:
        return draw.choice(ODD).format(digits)
    return f"+447{digits}" if kind < 0.22 else f"07{digits[:3]} {digits[3:]}"


def main() -> int:
    """Measure and print; with --check return 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    taken = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "contacts.csv")
        write_sheet(source, options.rows)
        megabytes = source.stat().st_size / 2**20
        print(f"{options.rows:,} rows x {len(HEADER)}, {megabytes:,.0f} MB\n")
        print("| way | CPU s | wall s | most memory, MB | CPU, of the bare read | memory, of the file |")
        print("|---|--:|--:|--:|--:|--:|")
        for name, job in JOBS.items():
            command = [sys.executable, "-c", MEASURED.format(job=job), str(source)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True)
            cpu, wall, memory = taken[name] = json.loads(answer.stdout)
            times, of_file = cpu / taken["pandas read_csv"][0], memory / megabytes
            print(f"| {name} | {cpu:.2f} | {wall:.2f} | {memory:,.0f} | {times:.2f} | {of_file:.1f} |")
    cpu, _, memory = taken["read_sheet, clean_contacts"]
    is_kept = (
        cpu <= MOST_TIMES_THE_READ * taken["pandas read_csv"][0] and memory <= MOST_TIMES_THE_FILE * megabytes
    )
    print(f"\nwanted: at most {MOST_TIMES_THE_READ} times the CPU, {MOST_TIMES_THE_FILE} times the file")
    return int(options.check and not is_kept)


if __name__ == "__main__":
    sys.exit(main())
