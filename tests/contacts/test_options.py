"""A value that an argument cannot have is refused with those that it can, and taken for none of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dashboard.campaigns import write_messages
from dashboard.contacts import ColumnMap, clean_contacts, clean_csv_stream
from dashboard.errors import ColumnError, OptionError

SHEET = pd.DataFrame({"Mobile": ["07400 123456", "07400 123456"], "m": ["x", "y"]})
PEOPLE = pd.DataFrame({"phone": ["+447400123456"], "first_name": [""]})
LINE_TYPES: dict[str, Any] = {
    "one text": "MOBILE",
    "none": [],
    "small letters": ["mobile"],
    "one that there is not": ["MOBILE", "SATELLITE"],
    "nothing": None,
}


@pytest.mark.parametrize("keep", ["none", "FIRST", "", False, None, 1, "all"])
def test_which_row_is_kept(keep: Any) -> None:
    with pytest.raises(OptionError, match="keep must be 'first' / 'last' / 'warn'"):
        clean_contacts(SHEET, country="GB", keep=keep)


@pytest.mark.parametrize("given", LINE_TYPES)
def test_which_lines_are_texted(tmp_path: Path, given: str) -> None:
    file = tmp_path / "people.csv"
    SHEET.to_csv(file, index=False)
    with pytest.raises(OptionError, match=r"at least one of these: .*MOBILE"):
        clean_contacts(SHEET, country="GB", line_types=LINE_TYPES[given])
    with pytest.raises(OptionError, match=r"at least one of these: .*MOBILE"):
        clean_csv_stream(file, tmp_path / "out.parquet", country="GB", line_types=LINE_TYPES[given])
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("empty_fields", ["keep", "", None, True])
def test_what_becomes_of_blank_fields(empty_fields: Any) -> None:
    with pytest.raises(OptionError, match="empty_fields must be 'skip' / 'send'"):
        write_messages(PEOPLE, "Hi {{ first_name }}", campaign="Spring", empty_fields=empty_fields)


@pytest.mark.parametrize("shorten_links", ["no", 1, None])
def test_whether_links_are_shortened(shorten_links: Any) -> None:
    with pytest.raises(OptionError, match="shorten_links must be True / False"):
        write_messages(PEOPLE, "Hi", campaign="Spring", shorten_links=shorten_links)


@pytest.mark.parametrize("field", ["phones", "consents", "opt_outs", "statuses", "preferences", "offered"])
@pytest.mark.parametrize("columns", ["Mobile", "m", [1], ("Mobile", None)])
def test_columns_of_a_field_that_takes_many(field: str, columns: Any) -> None:
    with pytest.raises(ColumnError, match=f"Write them as a tuple: {field}="):
        ColumnMap(**{field: columns})


def test_a_column_of_a_field_that_takes_one() -> None:
    with pytest.raises(ColumnError, match="by its title"):
        ColumnMap(phones=("Mobile",), country=3)  # type: ignore[arg-type]


def test_columns_may_be_a_list() -> None:
    listed = ColumnMap(phones=["Mobile", "m"])  # type: ignore[arg-type]
    assert listed == ColumnMap(phones=("Mobile", "m"))
    assert clean_contacts(SHEET, country="GB", columns=listed).rows["phone"][0] == "+447400123456"
