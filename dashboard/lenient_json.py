"""JSON as other programs write it, which is not always JSON."""

from __future__ import annotations

import json
from typing import Any

import orjson

__all__ = ["read_json"]

_MOST_DIGITS = 100


def read_json(text: bytes | str) -> Any:
    """A value in JSON; None where there is none.

    Other programs begin with a byte order mark, cut texts within an emoji, leave line breaks in them, or
    write NaN, Infinity and numbers without end. What stands around that is read all the same; half of a
    character becomes ?, such a number None.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        said = text if isinstance(text, str) else text.decode(json.detect_encoding(text), "replace")
        found = json.loads(said.removeprefix("\ufeff"), strict=False, parse_int=_whole)
        whole = json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")
        return json.loads(whole, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None
