"""The service's texts in a form both databases can store: bounded, and without what PostgreSQL refuses.

The service's words may be of any length and contain anything. If something is cut, the stored text says so.
No table key contains such a text: a digest stands for it (events.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

LONGEST = {"status": 200, "failure_reason": 1_000, "contact_uuid": 100, "body": 4_096}
"""Characters kept of each; a text message has at most 1,024 (contract 8)."""

LONGEST_JSON = 10_000
LONGEST_VALUE = 500
"""Limits for fields that the contract does not name, in characters of JSON: for all together, and for one."""


def text(value: str | None, longest: int) -> str | None:
    """A text without NUL and half characters, cut if it is too long; None instead of an empty one."""
    if not value:
        return None
    if len(value) <= longest and value.isascii() and "\0" not in value:
        return value
    return cut(value.replace("\0", "").encode("utf-8", "replace").decode(), longest) or None


def cut(value: str, longest: int) -> str:
    """The beginning of a text that is too long, with its original length."""
    if len(value) <= longest:
        return value
    return f"{value[:longest]} … (the first {longest:,} of {len(value):,} characters)"


def as_json(fields: Mapping[str, Any], longest: int = LONGEST_JSON) -> str:
    """Fields as JSON in ASCII. Of those too long only the beginning is kept, in a text that says so."""
    whole = _dumped(fields)
    if whole is not None and len(whole) <= longest:
        return whole
    shorter = json.dumps({cut(str(name), LONGEST_VALUE): _short(value) for name, value in fields.items()})
    return shorter if len(shorter) <= longest else json.dumps({"…": cut(shorter, longest // 2)})


@lru_cache(maxsize=4096)
def digest(*words: str) -> int:
    """An eight-byte number that stands for these words in a key."""
    joined = "\0".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big", signed=True)


def _short(value: object) -> object:
    written = _dumped(value)
    if written is None:
        return f"… ({type(value).__name__} that cannot be written down)"
    return value if len(written) <= LONGEST_VALUE else cut(written, LONGEST_VALUE)


def _dumped(value: object) -> str | None:
    """As JSON; None for anything nested too deeply, or not JSON."""
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except (RecursionError, ValueError, TypeError):
        return None
