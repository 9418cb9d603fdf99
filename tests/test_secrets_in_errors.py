"""No error, log or output holds a number, a name, a text or a key, a traceback with all its causes included.

Each case puts marks into the data of a call that fails. A case that does not fail any more is a mistake here.
"""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
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


def trigger(ledger: Ledger) -> None:
    ledger.create_campaign("Spring", messages_frame(1), batch_size=1)
    written(ledger, update(schema.message).values(to=PHONE, body=NAME))


def many_at_once(ledger: Ledger) -> None:
    columns = {"phone": [PHONE, PHONE], "added_at": [NOW, NOW], "reason": [NAME, NAME]}
    with ledger.database.write() as connection:
        insert_columns(connection, schema.opt_out, columns)


def naive_time(ledger: Ledger) -> None:
    written(ledger, insert(schema.opt_out).values(**opt_out(added_at=datetime(2026, 1, 1))))  # noqa: DTZ001


DATABASE: dict[str, Callable[[Ledger], object]] = {
    "the same key twice": lambda ledger: written(ledger, *[insert(schema.opt_out).values(**opt_out())] * 2),
    "many at once": many_at_once,
    "what never changes": trigger,
    "a missing value": lambda ledger: written(
        ledger, insert(schema.opt_out).values(phone=PHONE, reason=NAME, added_at=None)
    ),
    "a time without a zone": naive_time,
    "something that cannot be stored": lambda ledger: written(
        ledger, insert(schema.opt_out).values(**opt_out(source={NAME: PHONE}))
    ),
    "no such table": lambda ledger: written(
        ledger, text("INSERT INTO nowhere VALUES (:phone)").bindparams(phone=PHONE)
    ),
    "half a character": lambda ledger: written(
        ledger, insert(schema.opt_out).values(**opt_out(source=f"{NAME}\ud800"))
    ),
}
POSTGRESQL: dict[str, Callable[[Ledger], object]] = {
    "a text that is too long": lambda ledger: written(
        ledger, insert(schema.opt_out).values(**opt_out(phone=PHONE * 3))
    ),
    "a null": lambda ledger: written(ledger, insert(schema.opt_out).values(**opt_out(reason=f"{NAME}\x00"))),
    "a text that is no number": lambda ledger: written(
        ledger, text("SELECT CAST(:what AS BIGINT)").bindparams(what=f"{NAME} {PHONE}")
    ),
    "a text that is no JSON": lambda ledger: written(
        ledger, text("SELECT CAST(:what AS JSON)").bindparams(what=f"{NAME} {PHONE}")
    ),
}


@pytest.mark.parametrize("case", DATABASE)
def test_the_databases_refusals_hold_no_values(ledger: Ledger, case: str, caplog: Any, capfd: Any) -> None:
    assert_silent(lambda: DATABASE[case](ledger), caplog, capfd)


@pytest.mark.parametrize("case", POSTGRESQL)
def test_postgresqls_refusals_hold_no_values(postgresql_url: str, case: str, caplog: Any, capfd: Any) -> None:
    ledger = Ledger.open(postgresql_url)
    assert_silent(lambda: POSTGRESQL[case](ledger), caplog, capfd)
    ledger.close()


def test_the_engines_own_tables_refuse_without_values(ledger: Ledger, caplog: Any, capfd: Any) -> None:
    engine = system_engine(ledger.database)

    def fail() -> None:
        with engine.begin() as connection:
            connection.execute(insert(schema.opt_out).values(**opt_out()))
            connection.execute(insert(schema.opt_out).values(**opt_out()))

    assert_silent(fail, caplog, capfd)
    engine.dispose()


CONTACTS = pd.DataFrame({"phone": [PHONE, "+447400123456"], "name": [NAME, NAME], "row": [2, 3]})


def frame(**changes: Any) -> pd.DataFrame:
    return write_messages(CONTACTS, "Hi {{name}}", campaign="Spring").assign(**changes)


LEDGER: dict[str, Callable[[Ledger], object]] = {
    "a number that is none": lambda ledger: frozen(ledger, to=f"{PHONE}x"),
    "a text for two": lambda ledger: frozen(ledger, to=PHONE),
    "a long text": lambda ledger: frozen(ledger, body=NAME * 100),
    "half a character in a text": lambda ledger: frozen(ledger, body=f"{NAME}\ud800"),
    "rows that are names": lambda ledger: frozen(ledger, row=NAME),
    "credits that are names": lambda ledger: frozen(ledger, credits_low=NAME),
    "times that are names": lambda ledger: frozen(ledger, scheduled_at=NAME),
    "links that are names": lambda ledger: frozen(ledger, shorten_links=NAME),
    "senders that are names": lambda ledger: frozen(ledger, sender=[NAME, None]),
    "opt-outs that are none": lambda ledger: ledger.add_opt_outs([PHONE, NAME]),
    "an opt-out that is not listed": lambda ledger: ledger.remove_opt_out(PHONE, who=NAME, reason=NAME),
    "a column that is none": lambda ledger: ledger.campaign(PHONE),
}


def frozen(ledger: Ledger, **changes: Any) -> None:
    ledger.create_campaign("Spring", frame(**changes), batch_size=2)


@pytest.mark.parametrize("case", LEDGER)
def test_the_ledgers_refusals_hold_no_values(sqlite_url: str, case: str, caplog: Any, capfd: Any) -> None:
    ledger = Ledger.open(sqlite_url)
    assert_silent(lambda: LEDGER[case](ledger), caplog, capfd)
    ledger.close()


def test_what_cannot_be_read_back_is_not_shown(ledger: Ledger, caplog: Any, capfd: Any) -> None:
    import pyarrow as pa  # noqa: PLC0415

    def fail() -> None:
        with ledger.database.write() as connection:
            connection.execute(insert(schema.opt_out).values(**opt_out()))
            query = select(schema.opt_out.c.phone, func.coalesce(schema.opt_out.c.reason, "-"))
            list(read_parts(connection, [query], pa.schema([("phone", pa.int64()), ("reason", pa.string())])))

    assert_silent(fail, caplog, capfd)


def test_strange_reports_are_taken_or_refused_without_a_word_of_them(
    ledger: Ledger, caplog: Any, capfd: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    uuid = "0f0f0f0f-0000-4000-8000-000000000001"
    for odd in (NAME, 5, [PHONE], {NAME: PHONE}, f"{NAME}\x00", f"{PHONE}\ud800", 10**30, float("nan"), True):
        for field in (
            "uuid",
            "to",
            "body",
            "status",
            "failure_reason",
            "credits_used",
            "sent_at",
            "contact",
            NAME,
        ):
            try:
                ledger.record_reports([report(uuid) | {field: odd}])
            except EXPECTED as error:
                said = "".join(traceback.format_exception_only(error))
                assert not any(mark in said for mark in MARKS), said
    assert not any(mark in caplog.text + "".join(capfd.readouterr()) for mark in MARKS)


FRAMES: dict[str, Callable[[Ledger], tuple[pd.DataFrame, ...]]] = {
    "messages": lambda ledger: (frame(), ledger.messages()),
    "campaigns": lambda ledger: (ledger.campaigns(),),
}
FRAME_CALLS: dict[str, tuple[str, Callable[[pd.DataFrame], object]]] = {
    "bills": ("messages", d.bills),
    "campaign_summary": ("messages", d.campaign_summary),
    "clean_contacts": ("messages", lambda f: d.clean_contacts(f.astype("str"), country="GB")),
    "cost_by_campaign": ("campaigns", d.cost_by_campaign),
    "delivery_rates": ("messages", lambda f: d.delivery_rates(f, "country")),
    "estimate_credits": ("messages", lambda f: d.estimate_credits(f, price_per_credit="0.07")),
    "failure_reasons": ("messages", d.failure_reasons),
    "guess_columns": ("messages", lambda f: d.guess_columns(d.read_sheet(f.to_csv(index=False).encode()))),
    "learn_link_length": ("messages", d.learn_link_length),
    "monthly_statement": ("campaigns", lambda f: d.monthly_statement(f, f, "2026-11")),
    "read_sheet": ("messages", d.read_sheet),
    "reconcile": ("messages", d.reconcile),
    "replay": ("messages", d.replay),
    "write_messages": ("messages", lambda f: d.write_messages(f, "Hi", campaign="x")),
    "figures.by_country": ("messages", d.figures.by_country),
    "figures.by_hour": ("messages", d.figures.by_hour),
    "figures.by_line_type": ("messages", d.figures.by_line_type),
    "figures.cost_by_campaign": ("campaigns", d.figures.cost_by_campaign),
    "figures.credits_histogram": ("messages", d.figures.credits_histogram),
    "figures.failure_reasons": ("messages", d.figures.failure_reasons),
    "figures.failure_shares": ("messages", lambda f: d.figures.failure_shares(f, "country")),
    "figures.funnel": ("messages", d.figures.funnel),
    "figures.status_over_time": ("messages", d.figures.status_over_time),
    "carrier_view": ("messages", carrier_view),
    "cheapest_edit": ("messages", cheapest_edit),
    "clock_table": ("messages", lambda f: clock_table(f, ZoneInfo("Europe/London"))),
    "cap_frequency": (
        "messages",
        lambda f: cap_frequency(f, frame()[["to"]].assign(at=NOW), at_most=1, within=timedelta(days=1)),
    ),
}
OF_ANY_SHEET = ("clean_contacts", "guess_columns", "read_sheet")
"""Whose columns have no types that a cell could lack."""

LIKE_OTHERS = {*OF_ANY_SHEET, *(name for name in FRAME_CALLS if "." in name)}
OF_TABLES = {"compare_rates", "counted_over_time", "by_counted_hour", "delivery_rates", "estimate_to_bill"}
OF_TABLES |= {"list_health", "best_hour", "better_text", "compare_groups", "compare_checks"}
"""Made of tables that the calls above have made."""

BRIEFLY: dict[str, Callable[[pd.DataFrame], object]] = {
    **{
        name: getattr(d, name)
        for name in (
            *("bill_missing", "counts", "course", "credits_histogram", "delivered_by_hour", "funnel_steps"),
            *("recipients", "stages", "standings", "status_over_time", "time_to_delivery", "trends", "worth"),
        )
    },
    "breakdown": lambda f: d.breakdown(f, "country"),
    "campaign_workbook": lambda f: d.campaign_workbook(f, f),
    "choose_people": lambda f: d.choose_people(
        d.clean_contacts(CONTACTS, country="GB"),
        [d.Condition("name", "before", "2026-11-30")],
        left_out=f["to"],
    ),
    "compare": lambda f: d.compare(f, "country", person="to"),
    "cost_by": lambda f: d.cost_by(f, ["country", "variant"]),
    "finals": lambda f: d.finals(f, ["country"]),
    "join_by_phone": lambda f: d.join_by_phone(f, f, right_on="to", country="GB"),
    "list_decay": lambda f: d.list_decay({"May": f.assign(phone=f["to"]), "June": f}),
    "list_overlap": lambda f: d.list_overlap({"May": f.assign(phone=f["to"]), "June": f}),
    "trial_messages": lambda f: d.trial_messages(f, 0, [PHONE]),
    "write_csv": lambda f: d.write_csv(f, BytesIO()),
    "write_xlsx": lambda f: d.write_xlsx(f, BytesIO()),
}
"""What shares its reading of frames with the calls above, and is asked about one kind of odd cell only."""

ODD_CELLS = (PHONE, [PHONE], b"\xff" + PHONE.encode(), f"\ud800{PHONE}", f"{PHONE}\x00")


def test_every_public_function_that_takes_a_frame_is_asked() -> None:
    asked = {name.removeprefix("figures.") for name in FRAME_CALLS} | OF_TABLES | set(BRIEFLY)
    for room in (d, d.figures):
        for name in room.__all__:
            function = getattr(room, name)
            if inspect.isfunction(function) and "DataFrame" in str(inspect.signature(function).parameters):
                assert name in asked, name


@pytest.fixture
def spring(sqlite_url: str) -> Iterator[Ledger]:
    with closing(Ledger.open(sqlite_url)) as opened:
        campaign = opened.create_campaign("Spring", frame(), batch_size=2)
        uuid = opened.messages(campaign)["uuid"].iloc[0]
        opened.record_reports([report(uuid, status="failed", failure_reason="gone", credits_used=1)])
        yield opened


def with_odd(given: pd.DataFrame, columns: Iterable[str], cell: object = NAME) -> pd.DataFrame:
    odd = pd.Series([cell] * len(given), given.index, dtype=object)
    return given.assign(**dict.fromkeys(columns, odd))


@pytest.mark.parametrize("cells", [[NAME], *only_deep(ODD_CELLS)], ids=["name", "odd"])
@pytest.mark.parametrize(
    "name",
    [
        *(name for name in FRAME_CALLS if name not in LIKE_OTHERS),
        *only_deep(*(name for name in FRAME_CALLS if name in LIKE_OTHERS)),
    ],
)
def test_no_column_of_a_frame_is_quoted_by_whoever_cannot_read_it(
    spring: Ledger, name: str, cells: list[object]
) -> None:
    kind, call = FRAME_CALLS[name]
    for given in FRAMES[kind](spring):
        for column in given.columns:
            for cell in cells:
                odd = with_odd(given, [column], cell)
                said = _said_by(lambda call=call, odd=odd: call(odd))  # type: ignore[misc]
                assert not any(mark in said for mark in MARKS), column


@pytest.mark.parametrize("name", OF_ANY_SHEET)
def test_nor_are_columns_of_any_sheet(spring: Ledger, name: str) -> None:
    kind, call = FRAME_CALLS[name]
    for given in FRAMES[kind](spring):
        odd = with_odd(given, given.columns)
        assert not any(mark in _said_by(lambda odd=odd: call(odd)) for mark in MARKS)  # type: ignore[misc]


@pytest.mark.deep
@pytest.mark.parametrize("name", BRIEFLY)
def test_nor_is_one_by_whoever_reads_it_in_the_same_way(spring: Ledger, name: str) -> None:
    given = spring.messages()
    for column in given.columns:
        odd = with_odd(given, [column])
        said = _said_by(lambda odd=odd: BRIEFLY[name](odd))  # type: ignore[misc]
        assert not any(mark in said for mark in MARKS), column


@pytest.mark.parametrize("column", ["credits_low", "credits_billed", "sent_at"])
def test_a_column_that_cannot_be_read_is_named(spring: Ledger, column: str) -> None:
    odd = spring.messages().assign(**{column: pd.Series([NAME] * 2, dtype=object)})
    with pytest.raises(FrameError, match=f"The column {column} contains something other"):
        d.campaign_summary(odd)


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
