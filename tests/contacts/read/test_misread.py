"""What a caller says about a file holds for it, or the file is refused."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

from dashboard.contacts import read_sheet, write_xlsx
from dashboard.errors import SheetError

CSV = b"phone,name\n07400 123456,Ann\n"
JSON = b'[{"phone": "07400 123456", "name": "Ann"}]'
CARD = b"BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nTEL:07400 123456\nEND:VCARD\n"
NO_DELIMITERS = [
    "§",
    "\u2603",
    "\U0001f600",
    "\u2028",
    "\x00",
    "\ud83d",
    "",
    ",,",
    "a",
    "7",
    "_",
    "+",
    '"',
    "\n",
    "é",
]


def workbook() -> bytes:
    target = io.BytesIO()
    write_xlsx(pd.DataFrame({"phone": ["07400 123456"], "name": ["Ann"]}), target)
    return target.getvalue()


@pytest.mark.parametrize("delimiter", NO_DELIMITERS)
def test_what_is_no_delimiter(delimiter: str) -> None:
    with pytest.raises(SheetError, match="A delimiter is one ASCII character"):
        read_sheet(CSV, delimiter=delimiter)
    if len(delimiter) == 1 and delimiter not in "\x00\n\ud83d":
        with pytest.raises(SheetError, match="A delimiter is one ASCII character"):
            read_sheet(f"sep={delimiter}\n".encode() + CSV)


@pytest.mark.parametrize("delimiter", [*",;\t|:^~#*/\\'&!$%", "\x1c", "\x1f", "\x01"])
def test_what_is_one(delimiter: str) -> None:
    assert read_sheet(CSV.replace(b",", delimiter.encode()), delimiter=delimiter).frame["name"][0] == "Ann"


@pytest.mark.parametrize(
    ("source", "given"),
    [
        (CSV, {"worksheet": "People"}),
        (JSON, {"worksheet": "People"}),
        (JSON, {"delimiter": ","}),
        (JSON, {"encoding": "utf-8"}),
        (CARD, {"worksheet": "People"}),
        (CARD, {"delimiter": ","}),
        (workbook(), {"delimiter": ","}),
        (workbook(), {"encoding": "utf-8"}),
        (pd.DataFrame({"phone": ["07400 123456"]}), {"worksheet": "People"}),
        (pd.DataFrame({"phone": ["07400 123456"]}), {"encoding": "utf-8"}),
    ],
)
def test_what_a_file_does_not_have(source: Any, given: dict[str, str]) -> None:
    with pytest.raises(SheetError, match=f"This kind of file has no {next(iter(given))}"):
        read_sheet(source, **given)  # type: ignore[arg-type]


def test_a_file_opened_as_text() -> None:
    with pytest.raises(SheetError, match='mode "rb"'):
        read_sheet(_Texts())  # type: ignore[arg-type]


class _Texts:
    """Text from something that `io` knows nothing of."""

    def read(self, size: int) -> str:
        return "phone\n07400 123456\n"[:size]


@pytest.mark.parametrize("path", ["a\x00b.csv", "a\ud83d.csv"])
def test_what_is_no_path(path: str) -> None:
    with pytest.raises(SheetError, match=r"not the path of a file|cannot be opened"):
        read_sheet(path)
