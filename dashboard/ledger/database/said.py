"""Texts of the service's as both databases can store them: bounded, and without what PostgreSQL refuses.

The service's words may be of any length and hold anything. What is cut is said in the text that is kept. No
key of a table holds such a text: a digest stands for it (events.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

LONGEST = {"status": 200, "failure_reason": 1_000, "contact_uuid": 100, "body": 4_096}
"""Characters kept of each; a text message has 1,024 at most (contract 8)."""

LONGEST_JSON = 10_000
LONGEST_VALUE = 500
"""Of fields that the contract does not name, in characters of JSON: of all together, and of one."""


def text(value: str | None, longest: int) -> str | None:
    """A text without NUL and half characters, cut when it is longer; nothing instead of an empty one."""
    if not value:
        return None
    if len(value) <= longest and value.isascii() and "\0" not in value:
        return value
    return cut(value.replace("\0", "").encode("utf-8", "replace").decode(), longest) or None


def cut(value: str, longest: int) -> str:
    """The beginning of a text that is too long, with how long it was."""
    if len(value) <= longest:
        return value
    return f"{value[:longest]} … (the first {longest:,} of {len(value):,} characters)"


def as_json(fields: Mapping[str, Any], longest: int = LONGEST_JSON) -> str:
    """Fields as JSON in ASCII. Of those that are too long the beginning is kept, in a text that says so."""
    whole = _dumped(fields)
    if whole is not None and len(whole) <= longest:
        return whole
    shorter = json.dumps({cut(str(name), LONGEST_VALUE): _short(value) for name, value in fields.items()})
    return shorter if len(shorter) <= longest else json.dumps({"…": cut(shorter, longest // 2)})


@lru_cache(maxsize=4096)
def digest(*words: str) -> int:
    """A number that stands for these words in a key, of eight bytes."""
    joined = "\0".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big", signed=True)


def _short(value: object) -> object:
    written = _dumped(value)
    if written is None:
        return f"… ({type(value).__name__} that cannot be written down)"
    return value if len(written) <= LONGEST_VALUE else cut(written, LONGEST_VALUE)


def _dumped(value: object) -> str | None:
    """As JSON; None for what is nested too deep, or no JSON."""
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except (RecursionError, ValueError, TypeError):
        return None
