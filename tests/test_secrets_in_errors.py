"""No error, log or output holds a number, a name, a text or a key, a traceback with all its causes included.

Each case puts marks into the data of a call that fails. A case that does not fail any more is a mistake here.
"""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pyarrow as pa
import pytest
from each import each
from fixtures_ledger import messages_frame, report
from pydantic import ValidationError
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError
from tiers import only_deep

import dashboard as d
from dashboard.app.drafts import Columns, Draft, DraftHours, DraftVariant
from dashboard.campaigns import (
    Schedule,
    cap_frequency,
    carrier_view,
    cheapest_edit,
    clock_table,
    trial_messages,
    write_messages,
)
from dashboard.errors import DashboardError, FrameError
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import insert_columns
from dashboard.ledger.frames.arrow.tables import read_parts
from dashboard.sending.lanes import system_engine
from dashboard.service import OutgoingMessage, SmsService
from dashboard.settings import load_settings

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


def in_the_engines_tables(ledger: Ledger) -> None:
    engine = system_engine(ledger.database)
    try:
        with engine.begin() as connection:
            connection.execute(added())
            connection.execute(added())
    finally:
        engine.dispose()


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
    "the engine's own tables": in_the_engines_tables,
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


def capped(messages: pd.DataFrame) -> pd.DataFrame:
    before = frame()[["to"]].assign(at=NOW)
    return cap_frequency(messages, before, at_most=1, within=timedelta(days=1))


def chosen(messages: pd.DataFrame) -> object:
    condition = d.Condition("name", "before", "2026-11-30")
    return d.choose_people(d.clean_contacts(CONTACTS, country="GB"), [condition], left_out=messages["to"])


FrameCall = Callable[[pd.DataFrame], object]
OF_MESSAGES: dict[str, FrameCall] = {
    "campaign_summary": d.campaign_summary,
    "clock_table": lambda f: clock_table(f, ZoneInfo("Europe/London")),
    "cap_frequency": capped,
    "estimate_credits": lambda f: d.estimate_credits(f, price_per_credit="0.07"),
    "learn_link_length": d.learn_link_length,
    "reconcile": d.reconcile,
    "replay": d.replay,
    "write_messages": lambda f: d.write_messages(f, "Hi", campaign="x"),
}
"""Each reads frames in a way of its own."""

OF_CAMPAIGNS: dict[str, FrameCall] = {
    "cost_by_campaign": d.cost_by_campaign,
    "monthly_statement": lambda f: d.monthly_statement(f, f, "2026-11"),
}
OF_ANY_SHEET: dict[str, FrameCall] = {
    "clean_contacts": lambda f: d.clean_contacts(f.astype("str"), country="GB"),
    "guess_columns": lambda f: d.guess_columns(d.read_sheet(f.to_csv(index=False).encode())),
    "read_sheet": d.read_sheet,
}
"""Whose columns have no types that a cell could lack."""

LIKE_OTHERS: dict[str, FrameCall] = {
    **{
        name: getattr(d, name)
        for name in (
            *("bill_missing", "bills", "counts", "course", "credits_histogram", "delivered_by_hour"),
            *("failure_reasons", "funnel_steps", "recipients", "stages", "standings", "status_over_time"),
            *("time_to_delivery", "trends", "worth"),
        )
    },
    **{
        f"figures.{name}": getattr(d.figures, name)
        for name in (
            *("by_country", "by_hour", "by_line_type", "cost_by_campaign", "credits_histogram"),
            *("failure_reasons", "funnel", "status_over_time"),
        )
    },
    "figures.failure_shares": lambda f: d.figures.failure_shares(f, "country"),
    "breakdown": lambda f: d.breakdown(f, "country"),
    "campaign_workbook": lambda f: d.campaign_workbook(f, f),
    "carrier_view": carrier_view,
    "cheapest_edit": cheapest_edit,
    "choose_people": chosen,
    "compare": lambda f: d.compare(f, "country", person="to"),
    "cost_by": lambda f: d.cost_by(f, ["country", "variant"]),
    "delivery_rates": lambda f: d.delivery_rates(f, "country"),
    "finals": lambda f: d.finals(f, ["country"]),
    "join_by_phone": lambda f: d.join_by_phone(f, f, right_on="to", country="GB"),
    "list_decay": lambda f: d.list_decay({"May": f.assign(phone=f["to"]), "June": f}),
    "list_overlap": lambda f: d.list_overlap({"May": f.assign(phone=f["to"]), "June": f}),
    "trial_messages": lambda f: d.trial_messages(f, 0, [PHONE]),
    "write_csv": lambda f: d.write_csv(f, BytesIO()),
    "write_xlsx": lambda f: d.write_xlsx(f, BytesIO()),
}
"""What shares its reading of frames with the others."""

OF_TABLES = {"compare_rates", "counted_over_time", "by_counted_hour", "estimate_to_bill", "list_health"}
OF_TABLES |= {"best_hour", "better_text", "compare_groups", "compare_checks"}
"""Made of tables that the calls above have made."""

FRAME_CALLS = OF_MESSAGES | OF_CAMPAIGNS | LIKE_OTHERS | OF_ANY_SHEET
ODD_CELLS = (PHONE, [PHONE], b"\xff" + PHONE.encode(), f"\ud800{PHONE}", f"{PHONE}\x00")


def test_every_public_function_that_takes_a_frame_is_asked() -> None:
    asked = {name.removeprefix("figures.") for name in FRAME_CALLS} | OF_TABLES
    for room in (d, d.figures):
        for name in room.__all__:
            function = getattr(room, name)
            if inspect.isfunction(function) and "DataFrame" in str(inspect.signature(function).parameters):
                assert name in asked, name


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    """The frames of a ledger in which something has happened."""
    with closing(Ledger.open(tmp_path_factory.mktemp("spring") / "ledger.sqlite")) as opened:
        campaign = opened.create_campaign("Spring", frame(), batch_size=2)
        uuid = opened.messages(campaign)["uuid"].iloc[0]
        opened.record_reports([report(uuid, status="failed", failure_reason="gone", credits_used=1)])
        return {"messages": opened.messages(), "campaigns": opened.campaigns()}


def with_odd(given: pd.DataFrame, columns: Iterable[str], cell: object = NAME) -> pd.DataFrame:
    odd = pd.Series([cell] * len(given), given.index, dtype=object)
    return given.assign(**dict.fromkeys(columns, odd))


@pytest.mark.parametrize("cells", [[NAME], *only_deep(ODD_CELLS)], ids=["name", "odd"])
@pytest.mark.parametrize("name", [*OF_MESSAGES, *OF_CAMPAIGNS])
def test_no_column_of_a_frame_is_quoted_by_whoever_cannot_read_it(
    spring: dict[str, pd.DataFrame], name: str, cells: list[object]
) -> None:
    assert quoted(spring, name, cells) == []


@pytest.mark.deep
@pytest.mark.parametrize("name", [*LIKE_OTHERS, *OF_ANY_SHEET])
def test_nor_by_whoever_reads_it_as_others_do(spring: dict[str, pd.DataFrame], name: str) -> None:
    assert quoted(spring, name, [NAME]) == []


def quoted(spring: dict[str, pd.DataFrame], name: str, cells: Sequence[object]) -> list[str]:
    """The columns of which a function says what is in a cell that it cannot read."""
    listed = name in OF_CAMPAIGNS or name == "figures.cost_by_campaign"
    given, call = spring["campaigns" if listed else "messages"], FRAME_CALLS[name]
    odd = [(column, with_odd(given, [column], cell)) for column in given.columns for cell in cells]
    return [column for column, bad in odd if any(mark in _said_by(call, bad) for mark in MARKS)]


@each("name", OF_ANY_SHEET)
def test_nor_are_columns_of_any_sheet(spring: dict[str, pd.DataFrame], name: str) -> None:
    odd = with_odd(spring["messages"], spring["messages"].columns)
    assert not any(mark in _said_by(OF_ANY_SHEET[name], odd) for mark in MARKS)


@each("column", ["credits_low", "credits_billed", "sent_at"])
def test_a_column_that_cannot_be_read_is_named(spring: dict[str, pd.DataFrame], column: str) -> None:
    with pytest.raises(FrameError, match=f"The column {column} contains something other"):
        d.campaign_summary(with_odd(spring["messages"], [column]))


def _said_by(call: FrameCall, given: pd.DataFrame) -> str:
    """What the error of a call and all that led to it say, without the program's lines; "" without one."""
    error: BaseException | None = None
    try:
        call(given)
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
    "a setting with a key": lambda _: load_settings(sms_api_key=KEY, sms_base_url="http://sms.example"),
    "settings with a key": lambda _: load_settings(sms_api_key=KEY, batch_size=KEY),
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
