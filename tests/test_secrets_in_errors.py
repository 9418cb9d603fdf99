"""No error, log or output holds a number, a name, a text or a key, a traceback with all its causes included.

Each case puts marks into the data of a call that fails. A case that does not fail any more is a mistake here.
"""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from each import each
from fixtures_ledger import messages_frame, report
from pydantic import ValidationError
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError
from test_arguments import SHEET, good_values, public_functions
from tiers import only_deep

import dashboard as d
from dashboard.app.drafts import Columns, Draft, DraftHours, DraftVariant
from dashboard.campaigns import (
    Schedule,
    trial_messages,
    write_messages,
)
from dashboard.errors import DashboardError, FrameError
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import insert_columns
from dashboard.ledger.frames.arrow.tables import read_parts
from dashboard.service import OutgoingMessage, SmsService
from dashboard.settings import load_settings
from tests.reports.campaign_frames import DELIVERED, FAILED, messages

DIGITS = "7400666777"
PHONE, NAME, KEY = f"+44{DIGITS}", "Zebedee Markworthy", "key-9f3a-marked"
MARKS = (DIGITS, "Zebedee", "Markworthy", KEY)
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)

EXPECTED = (DashboardError, SQLAlchemyError, ValidationError, ValueError)


def assert_silent(call: Callable[[], object], caplog: Any, capfd: Any) -> None:
    """It fails, and nothing that it says anywhere holds a mark."""
    caplog.set_level(logging.DEBUG)
    with pytest.raises(EXPECTED) as caught:
        call()
    said = [
        "".join(capfd.readouterr()),
        caplog.text,
        str(caught.value),
        *traceback.format_exception(caught.value),
    ]
    found = [(mark, one) for one in said for mark in MARKS if mark in one]
    assert not found, found


def opt_out(**values: Any) -> dict[str, Any]:
    return {"phone": PHONE, "added_at": NOW, "reason": NAME, **values}


def written(ledger: Ledger, *statements: Any) -> None:
    with ledger.database.write() as connection:
        for statement in statements:
            connection.execute(statement)


def added(**values: Any) -> Any:
    return insert(schema.opt_out).values(**opt_out(**values))


def cast_to(kind: str) -> Any:
    return text(f"SELECT CAST(:what AS {kind})").bindparams(what=f"{NAME} {PHONE}")


def changed_message(ledger: Ledger) -> None:
    ledger.create_campaign("Spring", messages_frame(1), batch_size=1)
    written(ledger, update(schema.message).values(to=PHONE, body=NAME))


def many_at_once(ledger: Ledger) -> None:
    columns = {"phone": [PHONE, PHONE], "added_at": [NOW, NOW], "reason": [NAME, NAME]}
    with ledger.database.write() as connection:
        insert_columns(connection, schema.opt_out, columns)


def read_as_numbers(ledger: Ledger) -> None:
    with ledger.database.write() as connection:
        connection.execute(added())
        query = select(schema.opt_out.c.phone, func.coalesce(schema.opt_out.c.reason, "-"))
        list(read_parts(connection, [query], pa.schema([("phone", pa.int64()), ("reason", pa.string())])))


CONTACTS = pd.DataFrame({"phone": [PHONE, "+447400123456"], "name": [NAME, NAME], "row": [2, 3]})


def frame(**changes: Any) -> pd.DataFrame:
    return write_messages(CONTACTS, "Hi {{name}}", campaign="Spring").assign(**changes)


def a_campaign(ledger: Ledger, **changes: Any) -> None:
    ledger.create_campaign("Spring", frame(**changes), batch_size=2)


DATABASE: dict[str, Callable[[Ledger], object]] = {
    "the same key twice": lambda ledger: written(ledger, added(), added()),
    "many at once": many_at_once,
    "what never changes": changed_message,
    "a missing value": lambda ledger: written(ledger, added(added_at=None)),
    "a time without a zone": lambda ledger: written(ledger, added(added_at=datetime(2026, 1, 1))),  # noqa: DTZ001
    "something that cannot be stored": lambda ledger: written(ledger, added(source={NAME: PHONE})),
    "no such table": lambda ledger: written(
        ledger, text("INSERT INTO nowhere VALUES (:phone)").bindparams(phone=PHONE)
    ),
    "half a character": lambda ledger: written(ledger, added(source=f"{NAME}\ud800")),
    "what cannot be read back": read_as_numbers,
    "a number that is none": lambda ledger: a_campaign(ledger, to=f"{PHONE}x"),
    "a text for two": lambda ledger: a_campaign(ledger, to=PHONE),
    "a long text": lambda ledger: a_campaign(ledger, body=NAME * 100),
    "half a character in a text": lambda ledger: a_campaign(ledger, body=f"{NAME}\ud800"),
    "rows that are names": lambda ledger: a_campaign(ledger, row=NAME),
    "credits that are names": lambda ledger: a_campaign(ledger, credits_low=NAME),
    "times that are names": lambda ledger: a_campaign(ledger, scheduled_at=NAME),
    "links that are names": lambda ledger: a_campaign(ledger, shorten_links=NAME),
    "senders that are names": lambda ledger: a_campaign(ledger, sender=[NAME, None]),
    "opt-outs that are none": lambda ledger: ledger.add_opt_outs([PHONE, NAME]),
    "an opt-out that is not listed": lambda ledger: ledger.remove_opt_out(PHONE, who=NAME, reason=NAME),
    "a column that is none": lambda ledger: ledger.campaign(PHONE),
}
POSTGRESQL: dict[str, Callable[[Ledger], object]] = {
    "a text that is too long": lambda ledger: written(ledger, added(phone=PHONE * 3)),
    "a null": lambda ledger: written(ledger, added(reason=f"{NAME}\x00")),
    "a text that is no number": lambda ledger: written(ledger, cast_to("BIGINT")),
    "a text that is no JSON": lambda ledger: written(ledger, cast_to("JSON")),
}


@pytest.mark.parametrize("case", DATABASE)
def test_what_a_ledger_refuses_holds_no_values(ledger: Ledger, case: str, caplog: Any, capfd: Any) -> None:
    assert_silent(lambda: DATABASE[case](ledger), caplog, capfd)


def test_postgresqls_refusals_hold_no_values(postgresql_url: str, caplog: Any, capfd: Any) -> None:
    with closing(Ledger.open(postgresql_url)) as ledger:
        for call in POSTGRESQL.values():
            assert_silent(lambda call=call: call(ledger), caplog, capfd)  # type: ignore[misc]


def test_strange_reports_are_taken_or_refused_without_a_word_of_them(
    ledger: Ledger, caplog: Any, capfd: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    uuid = "0f0f0f0f-0000-4000-8000-000000000001"
    fields = ("uuid", "to", "body", "status", "failure_reason", "credits_used", "sent_at", "contact", NAME)
    for odd in (NAME, 5, [PHONE], {NAME: PHONE}, f"{NAME}\x00", f"{PHONE}\ud800", 10**30, float("nan"), True):
        for field in fields:
            try:
                ledger.record_reports([report(uuid) | {field: odd}])
            except EXPECTED as error:
                said = "".join(traceback.format_exception_only(error))
                assert not any(mark in said for mark in MARKS), said
    assert not any(mark in caplog.text + "".join(capfd.readouterr()) for mark in MARKS)


LEDGERS = messages(DELIVERED, FAILED)
TAKING_FRAMES = {
    name: function
    for name, function in public_functions().items()
    if "DataFrame" in str(inspect.signature(function).parameters)
}
IN_A_WAY_OF_ITS_OWN = {
    *("cap_frequency", "clock_table", "estimate_credits", "learn_link_length", "write_messages"),
    *("campaign_summary", "cost_by_campaign", "monthly_statement", "reconcile", "replay"),
}
"""The others share their reading of frames with these."""

OWN = [name for name in TAKING_FRAMES if name.split(".", 2)[2] in IN_A_WAY_OF_ITS_OWN]
DEAREST = "dashboard.reports.monthly_statement"  # a whole statement of each of 33 columns
ODD_CELLS = ([PHONE], b"\xff" + PHONE.encode(), f"\ud800{PHONE}")


@pytest.mark.parametrize("cells", [[NAME], *only_deep(ODD_CELLS)], ids=["name", "odd"])
@pytest.mark.parametrize("name", [*(name for name in OWN if name != DEAREST), *only_deep(DEAREST)])
def test_no_column_of_a_frame_is_quoted_by_whoever_cannot_read_it(name: str, cells: list[object]) -> None:
    assert quoted(name, cells) == []


@pytest.mark.deep
@pytest.mark.parametrize("name", sorted({*TAKING_FRAMES} - {*OWN}))
def test_nor_by_whoever_reads_it_as_others_do(name: str) -> None:
    assert quoted(name, [NAME]) == []


def quoted(name: str, cells: Sequence[object]) -> list[str]:
    """The columns of which a function says what is in a cell that it cannot read."""
    function, good = TAKING_FRAMES[name], good_values(name.split(".")[1])
    good = good | dict.fromkeys(("messages", "frame", "left"), LEDGERS)
    good |= dict.fromkeys(("contacts", "sheet", "source"), SHEET)
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    given = {parameter.name: good[parameter.name] for parameter in needed}
    found = set()
    for parameter in needed:
        columns = given[parameter.name] if "DataFrame" in str(parameter.annotation) else ()
        for column, cell in product(columns, cells):
            odd: Any = with_odd(given[parameter.name], column, cell)
            odd = {"May": odd, "June": odd} if "Mapping" in str(parameter.annotation) else odd
            said = _said_by(partial(function, **{**given, parameter.name: odd}))
            if any(mark in said for mark in MARKS):
                found.add(f"{parameter.name}: {column}")
    return sorted(found)


def with_odd(given: pd.DataFrame, column: str, cell: object = NAME) -> pd.DataFrame:
    return given.assign(**{column: pd.Series([cell] * len(given), given.index, dtype=object)})


@each("column", ["credits_low", "credits_billed", "sent_at"])
def test_a_column_that_cannot_be_read_is_named(column: str) -> None:
    with pytest.raises(FrameError, match=f"The column {column} contains something other"):
        d.campaign_summary(with_odd(LEDGERS, column))


def _said_by(call: Callable[[], object]) -> str:
    """What the error of a call and all that led to it say, without the program's lines; "" without one."""
    error: BaseException | None = None
    try:
        call()
    except Exception as raised:
        error = raised
    said = ""
    while error is not None:
        said += "".join(traceback.format_exception_only(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return said


def service() -> SmsService:
    return SmsService("https://sms.example", KEY)


def decided(folder: Path, **values: Any) -> None:
    with Ledger.open(f"sqlite:///{folder / 'ledger.sqlite'}") as ledger:
        ledger.settings.change(values, who="ann", given=load_settings())


CALLS: dict[str, Callable[[Path], object]] = {
    "a field that is none": lambda _: write_messages(CONTACTS, "Hi {{nme}}", campaign="x"),
    "a trial to nobody": lambda _: trial_messages(frame(), 0, [f"{PHONE}9"]),
    "a price that is none": lambda _: d.estimate_credits(frame(), price_per_credit=NAME),
    "a time that is none": lambda _: Schedule(NAME),  # type: ignore[arg-type]
    "a message of nobody": lambda _: service().send_bulk([OutgoingMessage(f"{PHONE}x", NAME)]),
    "a message with half a character": lambda _: service().send_bulk(
        [OutgoingMessage(PHONE, f"{NAME}\ud800")]
    ),
    "a country that is none": lambda _: d.clean_phones(pd.Series([PHONE]), NAME),
    "countries that are none": lambda _: d.clean_phones(pd.Series([PHONE]), pd.Series([NAME])),
    "a CSV without phones": lambda _: d.clean_contacts(
        d.read_sheet(f"a,b\n{NAME},x\n".encode()), country="GB"
    ),
    "a row that is too wide": lambda _: d.read_sheet(
        b"phone,name\n" + f"{PHONE},{NAME}".encode() * 2000 + b"\n" + f"{PHONE},{NAME}\n".encode()
    ),
    "a workbook that is none": lambda _: d.read_sheet(b"PK\x03\x04" + f"{PHONE},{NAME}\n".encode() * 50),
    "JSON that is none": lambda _: d.read_sheet(('[{"phone": "' + PHONE + '", ' + NAME).encode()),
    "Parquet that is none": lambda _: d.read_sheet(b"PAR1" + f"{PHONE},{NAME}\n".encode() * 50 + b"PAR1"),
    "reports that are none": lambda _: d.read_reports(('{"uuid": "' + PHONE + '"}\n{' + NAME).encode()),
    "reports in JSON that are none": lambda _: d.read_reports(('["' + PHONE + '", "' + NAME + '"]').encode()),
    "a CSV of reports that is none": lambda _: d.read_reports(f"phone,name\n{PHONE},{NAME}\n".encode()),
    "a price list that is none": lambda _: d.read_prices(
        f"country,price_per_credit,currency\nGB,{NAME},EUR\n".encode()
    ),
    "a price that marketers decided": lambda folder: decided(folder, price_per_credit=f"{NAME} {PHONE}"),
    "prices of countries that are none": lambda folder: decided(folder, price_list={NAME: PHONE}),
    "a line with a break": lambda folder: decided(folder, opt_out_line=f"{NAME}\n{PHONE}"),
    "hours with a name": lambda folder: decided(folder, texting_hours={NAME: PHONE}),
    "an address of a ledger": lambda _: Ledger.open(f"postgresql://ann:{KEY}@host:port/ledger"),
    "an address with a slash in its key": lambda _: Ledger.open(f"postgresql://ann:x/{KEY}@host/ledger"),
    "an address with an at in its key": lambda _: Ledger.open(
        f"postgresql://ann:x@{KEY}@nowhere.invalid/ledger"
    ),
    "an address of another database": lambda _: Ledger.open(f"mysql://ann:{KEY}@host/ledger"),
    "an address with an option": lambda _: Ledger.open(f"postgresql://ann:{KEY}@/ledger?{KEY}=1"),
    "an address with a host that is none": lambda _: Ledger.open(f"postgresql://ann:{KEY}@db..com/ledger"),
    "an address of a file with a key": lambda _: Ledger.open(f"sqlite://ann:{KEY}@/ledger.sqlite?{KEY}=1"),
    "no server": lambda _: Ledger.open(f"postgresql://ann:{KEY}@127.0.0.1:1/ledger"),
    "a service with a key in its address": lambda _: d.SmsService(f"https://ann:{KEY}@sms.example", "x"),
    "a draft": lambda _: Draft.model_validate({"id": 1, "fixes": {2: [PHONE]}, "template": [NAME]}),
    "a draft on disk": lambda _: Draft.model_validate_json('{"fixes": {"x": "' + PHONE + '"}}'),
    "columns": lambda _: Columns.model_validate({"phones": NAME}),
    "hours": lambda _: DraftHours.model_validate({"start": NAME}),
    "a variant": lambda _: DraftVariant.model_validate({"template": [NAME]}),
}


@pytest.mark.parametrize("case", CALLS)
def test_errors_of_calls_hold_no_values(tmp_path: Path, case: str, caplog: Any, capfd: Any) -> None:
    assert_silent(lambda: CALLS[case](tmp_path), caplog, capfd)
