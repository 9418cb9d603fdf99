"""The lines of the tables in tests/vectors, each with its cells by their column."""

from __future__ import annotations

import csv
from pathlib import Path

VECTORS = Path(__file__).parent / "vectors"


def vectors(file: str) -> list[dict[str, str]]:
    with (VECTORS / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
