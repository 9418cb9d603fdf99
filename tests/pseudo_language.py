"""A language in which every message stands in brackets, so that words outside the catalogue show."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from dashboard import words

LANGUAGE = "de"  # any with its own way to write numbers: 1.000,5


@cache
def template() -> Catalog:
    """Every message of the interface, untranslated."""
    return read_po(io.BytesIO((words.FOLDER / "dashboard.pot").read_bytes()))


def write_language(folder: Path, **changed: str) -> Path:
    """Write the file of the language into a folder; `changed` are translations of some messages."""
    translated = Catalog(locale=LANGUAGE)
    for message in template():
        if isinstance(message.id, tuple):
            translated.add(message.id, tuple(f"⟦{text}⟧" for text in message.id))
        elif message.id:
            translated.add(message.id, changed.get(message.id, f"⟦{message.id}⟧"))
    file = folder / f"{LANGUAGE}.po"
    with file.open("wb") as target:
        write_po(target, translated)
    return file


def outside(text: str) -> str:
    """What of a text stands outside the brackets."""
    depth, left = 0, []
    for character in text:
        depth += {"⟦": 1, "⟧": -1}.get(character, 0)
        if not depth and character != "⟧":
            left.append(character)
    return "".join(left)
