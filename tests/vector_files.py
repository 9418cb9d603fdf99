"""The lines of the tables in tests/vectors, each with its cells by their column."""

from __future__ import annotations

import csv
from pathlib import Path

VECTORS = Path(__file__).parent / "vectors"


def vectors(file: str) -> list[dict[str, str]]:
    return table(VECTORS / file)


def exported_headers() -> list[dict[str, str]]:
    """The headers of documented programs, and what they say of texting."""
    return table(Path(__file__).parents[1] / "dashboard" / "contacts" / "columns" / "headers.csv")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
