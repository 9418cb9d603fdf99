"""A value that an argument cannot have is refused with those that it can, and taken for none of them."""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from each import each

import dashboard
import dashboard.campaigns
import dashboard.contacts
import dashboard.reports
from dashboard.campaigns import Prices, checks_frames, estimate_credits, write_messages
from dashboard.contacts import ColumnMap, clean_contacts, clean_csv_stream, read_sheet
from dashboard.errors import ColumnError, DashboardError, OptionError
from tests.reports.campaign_frames import DELIVERED, FAILED, campaigns, messages

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


@each("field", ["phones", "consents", "opt_outs", "statuses", "preferences", "offered"])
@each("columns", ["Mobile", "m", [1], ("Mobile", None)])
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


@pytest.mark.parametrize("field", ["phones", "consents", "opt_outs", "doubts", "wrong_numbers", "unread"])
def test_columns_may_come_from_a_generator(field: str) -> None:
    given: Any = (name for name in ("Mobile", "m"))
    assert getattr(ColumnMap(**{field: given}), field) == ("Mobile", "m")


FRAME = pd.DataFrame({"phone": ["+447400123456"], "first_name": ["Ann"]})
WRONG: dict[str, Any] = {
    "nothing": None,
    "a number": 7,
    "a fraction": 1.5,
    "a text": "§",
    "bytes": b"x",
    "a list": [1],
    "a dict": {"a": 1},
    "a frame": FRAME,
    "a column": pd.Series([1]),
    "an object": object(),
    "no time": pd.NaT,
}
ROOMS = (dashboard, dashboard.contacts, dashboard.campaigns, dashboard.reports, dashboard.figures)
MADE_BY_CALLING = {
    *(dashboard.ColumnMap, dashboard.Hours, dashboard.LinkLength, dashboard.Schedule, dashboard.TextingHours),
    *(dashboard.Variant, dashboard.SmsService, Prices, dashboard.Ledger.open),
}


def public_functions() -> dict[str, Callable[..., Any]]:
    named = {f"{room.__name__}.{name}": getattr(room, name) for room in ROOMS for name in room.__all__}
    functions = {name: f for name, f in named.items() if inspect.isfunction(f) and f is not checks_frames}
    functions |= {f"{one.__module__}.{one.__qualname__}": one for one in MADE_BY_CALLING}
    names = {
        function: name for name, function in functions.items()
    }  # a function that two rooms show comes once
    return {name: function for function, name in names.items()}


@cache
def good_values(room: str) -> dict[str, Any]:
    """A value that fits, by parameter."""
    people = pd.DataFrame({"phone": ["+447400123456"], "first_name": ["Ann"], "country": ["GB"]})
    written = write_messages(people, "Hi {{ first_name }}", campaign="Spring")
    now = datetime(2027, 3, 1, 12, tzinfo=UTC)
    return {
        "sheet_or_frame": SHEET,
        "country": "GB",
        "contacts": clean_contacts(SHEET, country="GB"),
        "sheet": read_sheet(SHEET),
        "fixes": {2: "07400 123457"},
        "source": b"phone,name\n07400 123456,Ann\n",
        "target": io.BytesIO(),
        "messages": written if room == "campaigns" else messages(DELIVERED, FAILED),
        "campaigns": campaigns({}),
        "campaign": campaigns({}) if room == "reports" else "Spring",
        "texts": pd.Series(["Hi"]),
        "text": "Hi",
        "template": "Hi",
        "code": "landline",
        "by": "country",
        "column": "country",
        "one": (1, 2),
        "other": (2, 3),
        "month": "2027-03",
        "row": {"name": "Ann"},
        "price_per_credit": "0.05",
        "prices": None,
        "key": b"secret",
        "templates": "Hi",
        "phones": ["+447400123456"],
        "sent": pd.DataFrame({"to": people["phone"], "at": pd.to_datetime([now])}),
        "at_most": 2,
        "within": timedelta(days=1),
        "moment": now,
        "home": ZoneInfo("UTC"),
        "place": 0,
        "credits_high": 10,
        "messages_per_second": 10.0,
        "handover": dashboard.campaigns.Handover.HOLD,
        "name": "A",
        "by_country": {},
        "elsewhere": None,
        "base_url": "http://127.0.0.1:9",
        "api_key": "key",
        "url": "sqlite:///misuse.sqlite",
    }


@pytest.mark.parametrize("name", sorted(public_functions()))
def test_a_value_of_any_kind_gives_a_result_or_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No error from somewhere inside: what is wrong is said with an error that is documented."""
    monkeypatch.chdir(tmp_path)
    function = public_functions()[name]
    good = good_values(name.split(".")[1])
    parameters = inspect.signature(function).parameters.values()
    needed = {p.name: good.get(p.name, FRAME) for p in parameters if p.default is p.empty}
    found = [
        f"{parameter.name} = {kind}: {said}"
        for parameter in parameters
        for kind, value in WRONG.items()
        if (said := misunderstood(function, {**needed, parameter.name: value}))
    ]
    assert not found


def misunderstood(function: Callable[..., Any], given: dict[str, Any]) -> str:
    """What was wrong with the way in which the call was answered."""
    try:
        answer = function(**given)
    except DashboardError as error:
        return (
            "" if re.fullmatch(r"(?!.*\{[a-z]).{10,}\.", str(error), re.DOTALL) else f"no sentence: {error}"
        )
    except ValueError as error:
        return "" if "ValueError:" in str(function.__doc__) else repr(error)
    except Exception as error:
        return repr(error)
    if hasattr(answer, "close"):
        answer.close()
    return ""


def test_what_is_wrong_is_named_with_what_is_right() -> None:
    with pytest.raises(
        OptionError, match=r"^sheet_or_frame takes Sheet / DataFrame, not str\. Read a file with"
    ):
        clean_contacts("people.csv", country="GB")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"^template takes str / Sequence\[Variant\], not list\[str\]\.$"):
        write_messages(PEOPLE, ["Hi"], campaign="Spring")  # type: ignore[list-item]
    with pytest.raises(OptionError, match=r"^prices takes Prices / None, not dict\[str, float\]\. Read"):
        estimate_credits(
            write_messages(PEOPLE, "Hi", campaign="Spring"),
            prices={"GB": 0.05},  # type: ignore[arg-type]
        )
