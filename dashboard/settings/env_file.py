"""The file `.env`, in whatever encoding an editor saved it, with no line silently dropped."""

from __future__ import annotations

import codecs
import io
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import Binding, parse_stream

from dashboard.errors import SettingsError
from dashboard.settings.names import OURS

NAME = ".env"
LINE_END = b"\n"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_env_file(path: Path) -> dict[str, str]:
    """The values of a file by their names; none when there is no file.

    Raises:
        SettingsError: It cannot be read; names the file and the line, never its content.
    """
    if not path.exists():
        return {}
    try:
        raw = path.read_bytes()
    except OSError:
        raise SettingsError(f"The file {path.name} cannot be read. Let its owner read it.") from None
    text = _decoded(raw, path.name)
    _refuse_what_would_be_lost(text, path.name)
    values = dotenv_values(stream=io.StringIO(text))
    return {name: value for name, value in values.items() if value is not None}


def _decoded(raw: bytes, name: str) -> str:
    encoding = next((encoding for mark, encoding in _MARKS if raw.startswith(mark)), "utf-8")
    where = name
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding.startswith("utf-8"):
            where = f"{name}, line {1 + raw[: error.start].count(LINE_END)},"
    else:
        if "\0" not in text:  # UTF-16 without its mark
            return text
    raise SettingsError(
        f"The file {where} is not in UTF-8. Save it as UTF-8 (in Notepad: Save as, Encoding: UTF-8)."
    )


def _refuse_what_would_be_lost(text: str, name: str) -> None:
    """Lines that a parser would skip: without a =, with an open quote, or overwritten further down."""
    seen: dict[str, int] = {}
    for binding in parse_stream(io.StringIO(text)):
        line, key = _line_of(binding), (binding.key or "").upper()
        if binding.error:
            raise SettingsError(
                f"The file {name}, line {line}, cannot be read. Write NAME=value, and close what is quoted."
            )
        if not key.startswith(OURS):
            continue
        if binding.value is None:
            raise SettingsError(f"The file {name}, line {line}, has no =. Write {key}=value.")
        if key in seen:
            raise SettingsError(f"The file {name} sets {key} in lines {seen[key]} and {line}. Remove one.")
        seen[key] = line


def _line_of(binding: Binding) -> int:
    """Where a binding's text begins; a binding includes the blank lines before it."""
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")
