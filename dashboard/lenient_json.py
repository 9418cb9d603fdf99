"""JSON as other programs write it, which is not always JSON."""

from __future__ import annotations

import json
from typing import Any

import orjson

__all__ = ["read_json"]


def read_json(text: bytes | str) -> Any:
    """A value in JSON; None where there is none.

    Other programs cut texts within an emoji, leave line breaks in them, or write NaN and Infinity. That is no
    JSON, but what stands around it is read all the same; half of a character becomes ?, such a number None.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        said = text if isinstance(text, str) else text.decode("utf-8", "replace")
        whole = json.dumps(json.loads(said, strict=False), ensure_ascii=False).encode("utf-8", "replace")
        return json.loads(whole, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
