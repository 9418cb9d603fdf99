"""What the generators in this folder share: a file is written, or compared with what it would be."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def write_or_check(target: Path, document: Callable[[], str]) -> int:
    """Write the file, or with `--check` on the command line compare it; the exit code."""
    if sys.argv[1:] == ["--check"]:
        stale = not target.exists() or target.read_text(encoding="utf-8") != document()
        if stale:
            sys.stderr.write(f"{target.name} is stale: run python docs/{Path(sys.argv[0]).name}\n")
        return int(stale)
    target.write_text(document(), encoding="utf-8", newline="\n")
    return 0
