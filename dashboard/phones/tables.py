"""The kernel's tables: built from the installed `phonenumbers`, kept in a file, loaded once per process.

Building takes 1.5 s, loading 20 ms. The file is named after everything the tables depend on: the versions of
`phonenumbers` and Python (`re` and Unicode come with it) and the modules that build them. So an upgrade
builds new tables by itself, and the old file is never read again.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import phonenumbers

from dashboard.phones.build.characters import build_text_tables
from dashboard.phones.build.national import build_number_tables
from dashboard.phones.build.plans import (
    calling_code_records,
    plan_records,
    plans_by_calling_code,
    read_plans,
)
from dashboard.phones.build.programs import Programs
from dashboard.phones.kernel import Tables

_HERE = Path(__file__).parent
_loading = threading.Lock()


def load_tables() -> Tables:
    """The tables of the installed `phonenumbers`. Any thread may ask; one builds, the others wait for it."""
    with _loading:
        return _load()


def are_tables_loaded() -> bool:
    """Has some thread loaded the tables?"""
    return bool(_load.cache_info().currsize)


@cache
def _load() -> Tables:
    folders = cache_folders()
    name = f"phones-{fingerprint()}.npz"
    for folder in folders:
        tables = read_cache(folder / name)
        if tables is not None:
            return tables
    tables = build_tables()
    any(write_cache(tables, folder / name) for folder in folders)  # the first folder that can be written
    return tables


def cache_folders() -> list[Path]:
    """Where tables may be kept, best first: next to the code as Python does, else the user's own cache."""
    if os.environ.get("NUMBA_CACHE_DIR"):  # moving the machine code moves the tables with it
        return [Path(os.environ["NUMBA_CACHE_DIR"])]
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return [_HERE / "__pycache__", home / "campaign-dashboard"]


def fingerprint() -> str:
    """Everything that the tables depend on, in 16 hexadecimal digits."""
    facts = hashlib.sha256(f"{phonenumbers.__version__} {sys.version}".encode())
    for module in sorted(_HERE.rglob("*.py")):
        facts.update(module.read_bytes())
    return facts.hexdigest()[:16]


def read_cache(file: Path) -> Tables | None:
    """Tables from a cache file; None when there is none, or when it cannot be trusted."""
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            return Tables(*(arrays[name] for name in Tables._fields))
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def write_cache(tables: Tables, file: Path) -> bool:
    """Write to a temporary file, then rename it: a reader sees all of it or nothing. -> did it work?"""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".tmp", delete=False) as temporary:
            np.savez(temporary, **tables._asdict())
        Path(temporary.name).replace(file)
    except OSError:
        return False
    return True


def build_tables() -> Tables:
    """Compile the metadata of the installed `phonenumbers`."""
    plans = read_plans()
    plans_of_code = plans_by_calling_code(plans)
    numbers = build_number_tables(plans, plans_of_code)
    programs = Programs()
    plan_table = plan_records(plans, numbers.general_starts, programs)
    return Tables(
        **build_text_tables()._asdict(),
        calling_codes=calling_code_records(plans_of_code, numbers.code_starts),
        plans=plan_table,
        programs=np.array(programs.instructions, np.int32),
        numbers=numbers.numbers,
        labels=numbers.labels,
        plan_of=numbers.plan_of,
        line_type_of=numbers.line_type_of,
    )
