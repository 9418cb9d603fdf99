"""What it costs to load a room or to run a command, beyond the libraries that it cannot do without.

    python tests/benchmarks/bench_imports.py
    python tests/benchmarks/bench_imports.py --check    # fails when a promise is broken

CPU seconds of a process of its own, the median of five, after one that compiles what is not compiled yet.
What `import pandas, pyarrow, phonenumbers` takes in the same run is subtracted, and from `import dashboard`,
which loads none of them, what Python itself takes.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from clocks import ROUNDS

ROOT = Path(__file__).parents[2]
NEEDED = "import pandas, pyarrow, phonenumbers"
CLEAN = ("-m", "dashboard", "clean", "data/contacts.csv", "--country", "GB")
RUNS = {
    "import dashboard.contacts; clean_contacts": (
        "-c",
        f"{NEEDED}; from dashboard.contacts import clean_contacts",
    ),
    "import dashboard": ("-c", "import dashboard"),
    "python -m dashboard clean, no ledger yet": CLEAN,
    "python -m dashboard --help": ("-m", "dashboard", "--help"),
}
MOST_S = {"import dashboard": 0.2, "import dashboard.contacts; clean_contacts": 1.5}
ALONE = ("import dashboard",)
"""What needs none of these libraries; only what Python itself takes is subtracted."""


def cpu_s(*arguments: str) -> float:
    """CPU seconds of one run of Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, *arguments],
            check=True,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "DASHBOARD_DATA": str(Path(folder) / "data"), "PYTHONPATH": str(ROOT)},
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median_s(*arguments: str) -> float:
    cpu_s(*arguments)
    return statistics.median(cpu_s(*arguments) for _ in range(ROUNDS))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true")
    is_checked = parser.parse_args().check
    needed, python = median_s("-c", NEEDED), median_s("-c", "pass")
    print(f"{needed:6.2f} s  {NEEDED}")
    failures = []
    for name, arguments in RUNS.items():
        beyond = median_s(*arguments) - (python if name in ALONE else needed)
        print(f"{beyond:+6.2f} s  {name}")
        if beyond > MOST_S.get(name, float("inf")):
            failures.append(name)
    if is_checked and failures:
        print("Broken:", *failures, sep="\n  ")
    return int(is_checked and bool(failures))


if __name__ == "__main__":
    sys.exit(main())
