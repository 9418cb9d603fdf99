"""The lines of the tables in tests/vectors, each with its cells by their column."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent / "vectors"


def vectors(file: str) -> list[dict[str, str]]:
    return table(VECTORS / file)


def json_lines(file: str) -> list[Any]:
    """The values of a file of tests/vectors that has one on each line."""
    return [json.loads(line) for line in (VECTORS / file).read_text("utf-8").splitlines()]


def exported_headers() -> list[dict[str, str]]:
    """The headers of documented programs, and what they say of texting."""
    return table(Path(__file__).parents[1] / "dashboard" / "contacts" / "columns" / "headers.csv")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
