"""What a caller says about a file holds for it, or the file is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from each import each
from workbooks import xlsx_of

from dashboard.contacts import read_sheet
from dashboard.errors import SheetError

CSV = b"phone,name\n07400 123456,Ann\n"
JSON = b'[{"phone": "07400 123456", "name": "Ann"}]'
CARD = b"BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nTEL:07400 123456\nEND:VCARD\n"
NO_DELIMITERS = ["§", "\u2603", "\U0001f600", "\u2028", "\x00", "\ud83d", "", ",,", *'a7_+"\né']
PHONES = pd.DataFrame({"phone": ["07400 123456"]})


@each("delimiter", NO_DELIMITERS)
def test_what_is_no_delimiter(delimiter: str) -> None:
    with pytest.raises(SheetError, match="A delimiter is one ASCII character"):
        read_sheet(CSV, delimiter=delimiter)
    if len(delimiter) == 1 and delimiter not in "\x00\n\ud83d":
        with pytest.raises(SheetError, match="A delimiter is one ASCII character"):
            read_sheet(f"sep={delimiter}\n".encode() + CSV)


@each("delimiter", [*",;\t|:^~#*/\\'&!$%", "\x1c", "\x1f", "\x01"])
def test_what_is_one(delimiter: str) -> None:
    assert read_sheet(CSV.replace(b",", delimiter.encode()), delimiter=delimiter).frame["name"][0] == "Ann"


@each(
    "source, names",
    [
        (CSV, ["worksheet"]),
        (JSON, ["delimiter", "encoding"]),
        (CARD, ["worksheet", "delimiter"]),
        (xlsx_of([["phone", "name"], ["07400 123456", "Ann"]]), ["delimiter", "encoding"]),
        (PHONES, ["worksheet", "encoding"]),
    ],
)
def test_what_a_file_does_not_have(source: Any, names: list[str]) -> None:
    given = {"worksheet": "People", "delimiter": ",", "encoding": "utf-8"}
    for name in names:
        with pytest.raises(SheetError, match=f"This kind of file has no {name}"):
            read_sheet(source, **{name: given[name]})  # type: ignore[arg-type]


def test_a_file_opened_as_text() -> None:
    with pytest.raises(SheetError, match='mode "rb"'):
        read_sheet(_Texts())  # type: ignore[arg-type]


class _Texts:
    """Text from something that `io` knows nothing of."""

    def read(self, size: int) -> str:
        return "phone\n07400 123456\n"[:size]


@each("path", ["a\x00b.csv", "a\ud83d.csv"])
def test_what_is_no_path(path: str) -> None:
    with pytest.raises(SheetError, match=r"not the path of a file|cannot be opened"):
        read_sheet(path)
