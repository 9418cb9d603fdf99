"""Get ready in the background, so that nobody waits for a compiler.

The first call on a machine builds the tables (1.5 s) and compiles the kernel (7 s, and as much for its search
through countries); later processes load both from disk (0.3 s). The app calls `warm_up()` when it starts, and
asks `is_ready()` before it says "preparing".
"""

from __future__ import annotations

import threading

import pandas as pd

from dashboard.phones.clean import clean_phones, first_country
from dashboard.phones.kernel import COMPILED, clean_rows, find_homes
from dashboard.phones.tables import are_tables_loaded
from dashboard.phones.words import LINE_TYPES


def warm_up() -> threading.Thread:
    """Prepare in a separate thread. Call it as often as you like; it never delays the program's exit."""
    thread = threading.Thread(target=_clean_one_number, name="phones-warm-up", daemon=True)
    thread.start()
    return thread


def is_ready() -> bool:
    """Would `clean_phones` start at once?"""
    are_compiled = not COMPILED or all(getattr(one, "signatures", ()) for one in (clean_rows, find_homes))
    return are_compiled and are_tables_loaded()


def _clean_one_number() -> None:
    number = pd.Series(["+44 20 7946 0991"])
    clean_phones(number, None)
    first_country(number, ["GB"], LINE_TYPES)
