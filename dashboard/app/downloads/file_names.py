"""What downloads are called: names that people recognise, and that Windows and macOS can store. Pure."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from pathlib import Path

_FORBIDDEN = frozenset('<>:"/\\|?*')
"""On Windows; macOS forbids only some of them."""

_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³]) *(\.|$)", re.IGNORECASE)
"""What Windows takes for a device, whatever stands behind the dot."""

_MOST_BYTES = 160
"""Of a title in UTF-8, so that the whole name stays below the 255 that file systems take."""

_NOT_WRITTEN = ("C", "Zl", "Zp")
"""Unicode categories of characters that are not letters, signs or spaces: some turn a name around."""

_JOINERS = "\u200c\u200d"
"""Of the same categories; some scripts and emoji need them."""


def file_name(title: str, content: str, day: date, ending: str) -> str:
    """The name of a download.

    Args:
        title: What it is about, as people named it: a campaign's name. Empty if it is about nothing else.
        content: What is in it, in words.
        day: Of the download, on the clock by which the product reports.
        ending: Such as "xlsx".

    Example:
        >>> file_name("Spring sale", "recipients", date(2026, 11, 21), "xlsx")
        'Spring sale – recipients – 2026-11-21.xlsx'
    """
    parts = [part for part in (_safe(title), _safe(content), day.isoformat()) if part]
    return f"{' – '.join(parts)}.{ending}"


def title_of(file: str) -> str:
    """A file's name without its ending: "contacts" of "contacts.xlsx"."""
    return Path(file).stem


def _safe(text: str) -> str:
    """The text with a space for what file names cannot hold; with a dot in front, a file would be hidden."""
    kept = "".join(map(_or_space, unicodedata.normalize("NFC", text)))
    line = " ".join(kept.split())
    short = line.encode()[:_MOST_BYTES].decode(errors="ignore")
    name = short.strip(" .")
    return f"_{name}" if _DEVICE.match(name) else name


def _or_space(character: str) -> str:
    written = not unicodedata.category(character).startswith(_NOT_WRITTEN) or character in _JOINERS
    return character if written and character not in _FORBIDDEN else " "
