"""What reading and checking a sheet costs, against the barest reader of the same file.

python tests/benchmarks/bench_intake.py                   the figures of docs/benchmarks.md, a few minutes
python tests/benchmarks/bench_intake.py --sheet listed    of a sheet with countries and opt-outs
python tests/benchmarks/bench_intake.py --sheet refusing --rows 500000    where most refuse
python tests/benchmarks/bench_intake.py --rows 50000      a short run

Ratios are of CPU time, that of child processes included, each step in a fresh process, the median of three.
Memory is the peak of the process tree above what the imports take.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

REPEATS = 3
SEED = 20261121
COLUMNS = (
    *("First name", "Last name", "Mobile", "E-mail", "City"),
    *("Postcode", "Joined", "Plan", "Points", "Notes"),
)
ODD_CELLS = (
    *("nope", "020 7946 0018", "07911 12345", "+33 6 12 34 56 78"),
    *("", "O7911 123456", "07911123456; 07911123457"),
)
LISTED_COLUMNS = (
    *("Customer ID", "First name", "Last name", "Mobile", "Email"),
    *("Country", "City", "Voucher", "Notes", "SMS opt out"),
)
REFUSING_COLUMNS = ("Name", "Mobile", "SMS opt out", "Consent", "Notes")
ODD_FORMS = (
    *("07{}/07911 123456", "tel: 07{}", "07{} ext 12", "+44 (0)7{}", "447{}", "7{}", "'+447{}", "447{}.0"),
    *("O7{}", "n/a", "", "4.4791E+11", "020 7946 0{:.3}"),
    *("06 12 {:.2} 34 56", "+33 6 12 {:.2} 34 56", "07{:.8}"),
)


def plain(count: int) -> Iterator[Sequence[str]]:
    """People as sheets have them: national numbers with blanks, some in E.164, 2 % odd."""
    chance = random.Random(SEED)  # noqa: S311 - seeded on purpose
    for number in range(count):
        kind = chance.random()
        yield [
            *(f"Ann{number % 977}", f"Smith{number % 7919}", phone(chance, kind), f"ann{number}@example.com"),
            *(f"Town {chance.randrange(400)}", f"AB{number % 90} {number % 9}CD", "2026-03-01"),
            *("gold" if kind > 0.7 else "basic", str(number % 5000)),
            "calls back on Tuesdays" if kind > 0.9 else "",
        ]


def phone(chance: random.Random, kind: float) -> str:
    if kind < 0.02:
        return chance.choice(ODD_CELLS)
    digits = f"7{chance.randrange(400, 999):03}{chance.randrange(1_000_000):06}"
    return f"+44{digits}" if kind < 0.3 else f"0{digits[:4]} {digits[4:]}"


def listed(count: int) -> Iterator[Sequence[str]]:
    """The same with countries and opt-outs, and odd in sixteen ways."""
    draw = random.Random(11)  # noqa: S311 - seeded on purpose
    for number in range(count):
        digits, kind = f"{draw.randrange(400, 600)}{draw.randrange(10**6):06d}", draw.random()
        odd = draw.choice(ODD_FORMS).format(digits)
        written = f"+447{digits}" if kind < 0.22 else f"07{digits[:3]} {digits[3:]}"
        yield (
            *(f"C-{number:07d}", draw.choice(("Ann", "Ben", "Chloé", "Dylan", "Elif", ""))),
            draw.choice(("Ashdown", "Czerny", "Dunmore", "Götze", "Hartwell")),
            *(odd if kind < 0.02 else written, f"contact{number}@example.com"),
            draw.choice(("", "GB", "UK", "United Kingdom")),
            draw.choice(("Bristol", "Cardiff", "Derby", "Exeter", "")),
            f"SPRING-{draw.randrange(16**6):06X}",
            draw.choice(("", "", "", "called twice", '"prefers the morning, not Mondays"')),
            draw.choice(("", "", "", "no", "yes")) if draw.random() < 0.1 else "",
        )


def refusing(count: int) -> Iterator[Sequence[str]]:
    """Something is said against most of them, and every note is another."""
    draw = random.Random(SEED)  # noqa: S311 - seeded on purpose
    for _ in range(count):
        yield (
            *(draw.choice(("Ann", "Bob", "Cy")), f"+4474{draw.randrange(10**8):08}"),
            *draw.choices(("yes", "no", ""), (1, 4, 5)),
            *(draw.choice(("yes", "no", "perhaps", "")), f"note {draw.randrange(10**6)}"),
        )


SHEETS = {
    "plain": (COLUMNS, plain),
    "listed": (LISTED_COLUMNS, listed),
    "refusing": (REFUSING_COLUMNS, refusing),
}


def write_csv(path: Path, count: int, sheet: str) -> None:
    columns, rows = SHEETS[sheet]
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        file.writelines(",".join(row) + "\n" for row in rows(count))


def write_xlsx(path: Path, count: int) -> None:
    import xlsxwriter  # noqa: PLC0415 - each step pays for its own imports, and only for these

    with xlsxwriter.Workbook(path) as workbook:  # with shared strings, as spreadsheet programs write
        sheet = workbook.add_worksheet()
        for place, row in enumerate([COLUMNS, *plain(count)]):
            sheet.write_row(place, 0, row)


def bare_csv(path: str) -> object:
    import pandas as pd  # noqa: PLC0415

    return pd.read_csv(path, dtype=str)


def our_sheet(path: str) -> object:
    from dashboard.contacts import read_sheet  # noqa: PLC0415

    return read_sheet(path)


def our_list(path: str) -> object:
    from dashboard.contacts import clean_contacts, read_sheet  # noqa: PLC0415

    return clean_contacts(read_sheet(path), country="GB")


def our_reasons(path: str) -> object:
    from dashboard.contacts import clean_contacts, read_sheet  # noqa: PLC0415

    contacts = clean_contacts(read_sheet(path), country="GB")
    return contacts, contacts.reasons()


def bare_xlsx(path: str) -> object:
    import fastexcel  # noqa: PLC0415

    return fastexcel.read_excel(path).load_sheet(0, dtypes="string").to_arrow()


def pandas_xlsx(path: str) -> object:
    import pandas as pd  # noqa: PLC0415

    return pd.read_excel(path, engine="openpyxl", dtype=str)


STEPS: dict[str, Callable[[str], object]] = {
    step.__name__: step for step in (bare_csv, our_sheet, our_list, our_reasons, bare_xlsx, pandas_xlsx)
}


def measure(step: str, warm: str, path: str) -> None:
    """In a process of its own: do the step once on a small file, then on the file; print what it took."""
    STEPS[step](warm)
    before, memory = _cpu_s(), _peak_kb()
    kept = STEPS[step](path)
    del kept
    print(json.dumps({"cpu_s": _cpu_s() - before, "peak_mb": (_peak_kb() - memory) / 1024}))


def _cpu_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _peak_kb() -> int:
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def median(step: str, warm: Path, path: Path, repeats: int = REPEATS) -> dict[str, float]:
    results = []
    for _ in range(repeats):
        command = [sys.executable, __file__, "--measure", step, str(warm), str(path)]
        results.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    return {name: statistics.median(result[name] for result in results) for name in results[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--workbook-rows", type=int)
    parser.add_argument("--sheet", choices=SHEETS, default="plain")
    parser.add_argument("--measure", nargs=3, metavar=("STEP", "WARM", "PATH"))
    args = parser.parse_args()
    if args.measure:
        measure(*args.measure)
        return
    print("| step | measured | against | ratio | wanted |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        compare_csv(Path(folder), args.rows, args.sheet)
        if args.sheet == "plain":
            compare_xlsx(Path(folder), args.workbook_rows or max(args.rows // 5, 1))


def compare_csv(folder: Path, rows: int, name: str) -> None:
    big, small = folder / "big.csv", folder / "small.csv"
    write_csv(big, rows, name)
    write_csv(small, 500, name)
    size_mb = big.stat().st_size / 2**20
    bare, sheet, checked = (median(step, small, big) for step in ("bare_csv", "our_sheet", "our_list"))
    _line("CSV to Sheet, CPU s", sheet["cpu_s"], "bare read_csv", bare["cpu_s"], "at most 1.3")
    _line("CSV to ContactList, CPU s", checked["cpu_s"], "bare read_csv", bare["cpu_s"], "at most 1.5")
    _line("CSV to ContactList, peak MB", checked["peak_mb"], "the file's size", size_mb, "at most 6")
    if name == "refusing":
        told = median("our_reasons", small, big)
        _line("with all reasons, CPU s", told["cpu_s"], "CSV to ContactList", checked["cpu_s"], "–")
        _line("with all reasons, peak MB", told["peak_mb"], "the same", checked["peak_mb"], "–")


def compare_xlsx(folder: Path, rows: int) -> None:
    big, small = folder / "big.xlsx", folder / "small.xlsx"
    write_xlsx(big, rows)
    write_xlsx(small, 500)
    fast, ours = (median(step, small, big) for step in ("bare_xlsx", "our_sheet"))
    slow = median("pandas_xlsx", small, big, repeats=1)
    _line("XLSX to Sheet, CPU s", ours["cpu_s"], "bare fastexcel", fast["cpu_s"], "at most 1.4")
    _line("read_excel with openpyxl, CPU s", slow["cpu_s"], "XLSX to Sheet", ours["cpu_s"], "at least 5")


def _line(step: str, value: float, against: str, other: float, wanted: str) -> None:
    print(f"| {step} | {value:.2f} | {against} | {value / other:.2f} | {wanted} |")


if __name__ == "__main__":
    main()
