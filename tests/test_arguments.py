"""A value that an argument cannot have is refused with those that it can, and taken for none of them.

Functions and methods: with a sentence, and no error from somewhere inside.
"""

from __future__ import annotations

import inspect
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from each import each

import dashboard
import dashboard.campaigns
import dashboard.contacts
import dashboard.reports
from dashboard import Ledger, SmsService
from dashboard.campaigns import (
    Prices,
    checks_frames,
    count_credits,
    estimate_credits,
    marketing_hints,
    write_messages,
)
from dashboard.contacts import ColumnMap, clean_contacts, clean_csv_stream, read_sheet
from dashboard.errors import ColumnError, DashboardError, OptionError
from dashboard.ledger.team.approvals import Approvals
from dashboard.ledger.team.audit_trail import AuditTrail
from dashboard.ledger.team.kept_settings import KeptSettings
from dashboard.ledger.team.library import Library
from dashboard.ledger.team.lists import SavedLists
from dashboard.ledger.team.people import People
from dashboard.ledger.team.sign_ins import Account, SignIns
from dashboard.reports import standings
from dashboard.service.models import OutgoingMessage
from tests.reports.campaign_frames import DELIVERED, FAILED, campaigns, messages

SHEET = pd.DataFrame({"Mobile": ["07400 123456", "07400 123456"], "m": ["x", "y"]})
PEOPLE = pd.DataFrame({"phone": ["+447400123456"], "first_name": [""]})
NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)


@each("keep", ["none", "FIRST", "", False, None, 1, "all"])
def test_which_row_is_kept(keep: Any) -> None:
    with pytest.raises(OptionError, match="keep must be 'first' / 'last' / 'warn'"):
        clean_contacts(SHEET, country="GB", keep=keep)


@each("line_types", ["MOBILE", [], ["mobile"], ["MOBILE", "SATELLITE"], None])
def test_which_lines_are_texted(tmp_path: Path, line_types: Any) -> None:
    file = tmp_path / "people.csv"
    SHEET.to_csv(file, index=False)
    with pytest.raises(OptionError, match=r"at least one of these: .*MOBILE"):
        clean_contacts(SHEET, country="GB", line_types=line_types)
    with pytest.raises(OptionError, match=r"at least one of these: .*MOBILE"):
        clean_csv_stream(file, tmp_path / "out.parquet", country="GB", line_types=line_types)
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@each(
    "argument, value, says",
    [
        *(
            ("empty_fields", value, "empty_fields must be 'skip' / 'send'")
            for value in ("keep", "", None, True)
        ),
        *(("shorten_links", value, "shorten_links must be True / False") for value in ("no", 1, None)),
    ],
)
def test_how_messages_are_written(argument: str, value: Any, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        write_messages(PEOPLE, "Hi {{ first_name }}", campaign="Spring", **{argument: value})


@each("field", ["phones", "consents", "opt_outs", "statuses", "preferences", "offered"])
@each("columns", ["Mobile", "m", [1], ("Mobile", None)])
def test_columns_of_a_field_that_takes_many(field: str, columns: Any) -> None:
    with pytest.raises(ColumnError, match=f"Write them as a tuple: {field}="):
        ColumnMap(**{field: columns})


def test_a_column_of_a_field_that_takes_one() -> None:
    with pytest.raises(ColumnError, match="by its title"):
        ColumnMap(phones=("Mobile",), country=3)  # type: ignore[arg-type]


@each("field", ["phones", "consents", "opt_outs", "doubts", "wrong_numbers"])
def test_columns_may_be_a_list_or_come_from_a_generator(field: str) -> None:
    for given in (["Mobile", "m"], (name for name in ("Mobile", "m"))):
        assert getattr(ColumnMap(**{field: given}), field) == ("Mobile", "m")


FRAME = pd.DataFrame({"phone": ["+447400123456"], "first_name": ["Ann"]})
WRONG: dict[str, Any] = {
    "nothing": None,
    "a number": 7,
    "a fraction": 1.5,
    "a text": "§",
    "a file's content": "phone,name\n" + "07400 123456,Ann\n" * 300,
    "what no path has": "a\0b.csv",
    "what no path has either": "a\ud83d.csv",
    "a name that is too long": Path("x" * 300),
    "bytes": b"x",
    "a list": [1],
    "a dict": {"a": 1},
    "a frame": FRAME,
    "a column": pd.Series([1]),
    "an object": object(),
    "no time": pd.NaT,
    "ages": timedelta.max,
    "less than no time": timedelta.min,
    "a time without a zone": datetime(2026, 1, 1),  # noqa: DTZ001 - which is what is refused
}
UNKEPT = {
    "half a character": "\ud83d",
    "texts with half a character": ["\ud83d"],
    "below nothing": -1,
    "NumPy's number inside": {"a": np.int64(1)},
    "NumPy's numbers inside": {"a": [np.float32(0.5), np.bool_(1)]},
    "an object inside": {"a": object()},
    "a time inside": {"a": NOW},
    "no number inside": {"a": float("nan")},
}
"""What no ledger keeps."""

ROOMS = (dashboard, dashboard.contacts, dashboard.campaigns, dashboard.reports, dashboard.figures)
MADE_BY_CALLING = {
    *(dashboard.ColumnMap, dashboard.Hours, dashboard.LinkLength, dashboard.Schedule, dashboard.TextingHours),
    *(dashboard.Variant, dashboard.SmsService, Prices, dashboard.Ledger.open),
}


def public_functions() -> dict[str, Callable[..., Any]]:
    named = {f"{room.__name__}.{name}": getattr(room, name) for room in ROOMS for name in room.__all__}
    functions = {name: f for name, f in named.items() if inspect.isfunction(f) and f is not checks_frames}
    functions |= {f"{one.__module__}.{one.__qualname__}": one for one in MADE_BY_CALLING}
    once = {function: name for name, function in functions.items()}  # two rooms may show the same
    return {name: function for function, name in once.items()}


@cache
def good_values(room: str) -> dict[str, Any]:
    """A value that fits, by parameter; a frame for those that are not named."""
    people = pd.DataFrame({"phone": ["+447400123456"], "first_name": ["Ann"], "country": ["GB"]})
    written = write_messages(people, "Hi {{ first_name }}", campaign="Spring")
    named = {
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
        "sent": pd.DataFrame({"to": people["phone"], "at": pd.to_datetime([NOW])}),
        "at_most": 2,
        "within": timedelta(days=1),
        "moment": NOW,
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
    return defaultdict(lambda: FRAME, named)


@pytest.mark.parametrize("name", sorted(public_functions()))
def test_a_value_of_any_kind_gives_a_result_or_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert misunderstandings(public_functions()[name], good_values(name.split(".")[1])) == []


def misunderstandings(
    function: Callable[..., Any], good: dict[str, Any], wrong: dict[str, Any] = WRONG
) -> list[str]:
    """What was not refused as documented, of every argument with every wrong value."""
    parameters = inspect.signature(function).parameters.values()
    needed = {p.name: good[p.name] for p in parameters if p.default is p.empty}
    return [
        f"{parameter.name} = {kind}: {said}"
        for parameter in parameters
        for kind, value in wrong.items()
        if value is not parameter.default
        if (said := misunderstood(function, {**needed, parameter.name: value}))
    ]


def misunderstood(function: Callable[..., Any], given: dict[str, Any]) -> str:
    """What was wrong with the way in which the call was answered."""
    try:
        answer = function(**given)
    except DashboardError as error:
        sentence = re.fullmatch(r"(?!.*\{[a-z]).{10,}\.", str(error), re.DOTALL)
        return "" if sentence else f"no sentence: {error}"
    except ValueError as error:
        return "" if "ValueError:" in str(function.__doc__) else repr(error)
    except Exception as error:
        return repr(error)
    if hasattr(answer, "close"):
        answer.close()
    return ""


def methods(kind: type) -> list[str]:
    return [
        name
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and len(inspect.signature(method).parameters) > 1
    ]


DOORS = [
    f"{door}.{name}"
    for door, kind in {
        "lists": SavedLists,
        "library": Library,
        "people": People,
        "settings": KeptSettings,
        "audit": AuditTrail,
        "approvals": Approvals,
        "sign_ins": SignIns,
    }.items()
    for name in methods(kind)
]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes, pd.DataFrame]:
    """A ledger's campaign, its file, and the messages that it was made of."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.sqlite"
    written = write_messages(FRAME, "Hi {{ first_name }}", campaign="Spring")
    with Ledger.open(path) as ledger:
        campaign = ledger.create_campaign("Spring", written, batch_size=10)
    return campaign, path.read_bytes(), written


@pytest.fixture
def ledger(
    started: tuple[str, bytes, pd.DataFrame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Ledger]:
    monkeypatch.chdir(tmp_path)  # any text is the name of a file there
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(started[1])
    with Ledger.open(path) as opened:
        yield opened


@pytest.mark.parametrize("name", [*methods(Ledger), *DOORS])
def test_a_ledger_takes_what_it_says_or_refuses_it_in_a_sentence(
    name: str, ledger: Ledger, started: tuple[str, bytes, pd.DataFrame], tmp_path: Path
) -> None:
    campaign, _, written = started
    good = {
        "campaign": campaign,
        "campaigns": [campaign],
        "name": "messages" if name == "arrow" else "Spring",
        "messages": [{"uuid": "x"}] if name == "record_reports" else written,
        "batch_size": 10,
        "batch": 1,
        "decision": "accepted",
        "service": "http://127.0.0.1:9",
        "target": tmp_path / "copy.sqlite",
        "folder": tmp_path / "files",
        "phones": ["+447400123456"],
        "token": "t",
        "phone": "+447400123456",
        **dict.fromkeys(("who", "why", "reason"), "Ann asked for it"),
        **dict.fromkeys(("at", "since", "start", "end", "before"), NOW),
        **dict.fromkeys(("list_id", "text_id", "about", "address", "session", "issuer", "person"), "x"),
        "content": io.BytesIO(b"Mobile"),
        "source": "x.csv",
        "text": "Hi",
        "version": 1,
        "role": "viewer",
        "sheet": read_sheet(SHEET),
        "columns": "{}",
        "verb": "start",
        "values": {"currency": "EUR"},
        "above": 1,
        "account": Account("ann@shop.example", "https://id.example", "x"),
        "lasting": timedelta(1),
        "language": "de",
    }
    assert misunderstandings(attrgetter(name)(ledger), good, WRONG | UNKEPT) == []


@each("name", methods(SmsService))
def test_a_service_takes_what_it_says_or_refuses_it_in_a_sentence(name: str) -> None:
    message = OutgoingMessage(to="+447400123456", body="Hi", campaign="Spring")
    with SmsService("http://127.0.0.1:9", "key") as service:
        good = {"messages": [message], "number": "07400 123456", "country": "GB"}
        assert misunderstandings(getattr(service, name), good) == []


def test_the_sentence_of_a_method_names_its_argument(ledger: Ledger) -> None:
    with pytest.raises(OptionError, match=r"^batch_size takes int, not str\.$"):
        ledger.create_campaign("Spring", FRAME, batch_size="10")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"^campaign takes str, not None\.$"):
        ledger.start(None)  # type: ignore[arg-type]
    with pytest.raises(
        OptionError, match=r"^since takes datetime / date / Period / str / None, not Series\.$"
    ):
        ledger.messages(since=pd.Series([NOW]))  # type: ignore[arg-type]

    for unkept in ("Spr\0ing", "Spring\ud83d"):  # the first of which SQLite would keep
        with pytest.raises(OptionError, match=r"^campaign has a character that cannot be kept"):
            ledger.start(unkept)
        with pytest.raises(OptionError, match=r"^numbers has a character that cannot be kept"):
            ledger.recipients("Spring", numbers=pd.Series(["900013", unkept], dtype="object"))
    assert ledger.record_reports(["\ud83d"]).unreadable == 1  # reports beside it are taken
    for name in ("limit", "after"):
        with pytest.raises(OptionError, match=f"^{name} must be 0 or more"):
            ledger.recipients("Spring", **{name: -1})


def test_what_is_missing_or_of_no_parameter_is_named(ledger: Ledger) -> None:
    calls: list[tuple[Callable[[], Any], str]] = [
        (
            lambda: clean_contacts(FRAME),
            r"clean_contacts needs country\. It takes sheet_or_frame, country=…, ",
        ),
        (clean_contacts, r"clean_contacts needs sheet_or_frame, country\. It takes"),
        (lambda: write_messages(PEOPLE, "Hi"), r"write_messages needs campaign\."),
        (lambda: ledger.create_campaign("Spring"), r"create_campaign needs messages, batch_size"),
        (lambda: ledger.start(), r"start needs campaign\. It takes campaign"),  # noqa: PLW0108
        (lambda: count_credits("Hi", 2), r"count_credits takes text, each once, and nothing else\."),
        (lambda: clean_contacts(FRAME, "GB"), r"clean_contacts needs country"),
        (lambda: clean_contacts(FRAME, land="GB"), r"clean_contacts needs country"),
        (lambda: clean_contacts(FRAME, country="GB", keeps="last"), r"takes sheet_or_frame, .*keep=…, each"),
        (lambda: marketing_hints("Hi", template="Hi"), r"takes template, sender=…, each once"),
        (lambda: standings(by="country"), r"standings needs frame\."),
        (lambda: ledger.campaigns("x"), r"^campaigns takes nothing\. Call it without"),
        (lambda: ledger.settings.changes(month="x"), r"^changes takes nothing\."),
    ]
    for call, says in calls:
        with pytest.raises(OptionError, match=says):
            call()


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
