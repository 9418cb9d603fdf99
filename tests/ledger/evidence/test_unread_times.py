"""Reports with times that nobody can read: named, and not half taken."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pandas as pd
import phonenumbers
import pytest
from each import each
from fixtures_ledger import ON_BOTH_DATABASES, claim, counts, report, running, taken
from phone_samples import BUSY_COUNTRIES, spellings
from tiers import only_deep

from dashboard.ledger import Ledger, ReportResult
from dashboard.ledger.evidence.unread_times import example_of
from dashboard.ledger.outbox.settle import Settlement
from dashboard.reports import read_reports
from dashboard.service import read_message

READ = [  # half past ten on the day of the campaign
    *("2026-11-20T10:30:00Z", "2026-11-20 10:30:00", " 2026-11-20T11:30:00+01:00 ", "20261120T103000Z"),
    *("2026-11-20 10:30", "2026-11-20T10:30:00.000000", 1_795_170_600, "1795170600", "1795170600000"),
    *("1795170600.0", " 1795170600.000000", "1795170600000.0", 1_795_170_600.0),
]
BLANK = [None, "", " ", float("nan"), pd.NaT]
NO_TIME = [  # as programs write that there is none yet
    *(0, "0", "0.0", 0.0, "0001-01-01T00:00:00Z", "0001-01-01", "1970-01-01T00:00:00.000000Z"),
    *("1970-01-01 00:00", "1970-01-01T01:00:00+01:00", "1899-12-30", "1999-12-31T23:59:59Z"),
]
UNREAD = [
    *("20/11/2026 10:30", "11/20/2026 10:30 AM", "20.11.2026 10:30:00", "20 Nov 2026 10:30am", "10:30"),
    *("Fri, 20 Nov 2026 10:30:00 GMT", "2026-11-20 10:30 UTC", "yesterday", "0000-00-00 00:00:00", "-"),
    *("2026-11-20T25:00:00Z", "2026-13-20 10:30", "46346.4375", 46346.4375, "20261120103000", "NaT"),
    *("20261120.0", ".0", "00:00:00", "null", False, -1),
]


def file_of(reports: list[dict[str, Any]], kind: str) -> bytes:
    if kind == "json":
        return json.dumps(reports).encode()
    text = io.StringIO()
    names = dict.fromkeys(name for one in reports for name in one)
    table = csv.DictWriter(text, [*names])
    table.writeheader()
    table.writerows(reports)
    return text.getvalue().encode()


def told(ledger: Ledger, times: list[Any], kind: str) -> tuple[ReportResult, pd.DataFrame]:
    """A report for each of these times of delivery, each with a bill."""
    campaign = running(ledger, len(times), batch_size=len(times))
    got = taken(ledger, campaign)
    said = [
        {"uuid": message.uuid, "status": "delivered", "credits_used": 7, "delivered_at": time}
        for message, time in zip(got.messages, times, strict=True)
    ]
    result = ledger.record_reports(said if kind == "notebook" else read_reports(file_of(said, kind)))
    return result, ledger.messages(campaign)


@each("kind", ["notebook", "json", "csv"])
def test_times_in_other_spellings_are_read(ledger: Ledger, kind: str) -> None:
    result, messages = told(ledger, READ, kind)
    assert result == ReportResult(taken=len(READ))
    assert set(messages["delivered_at"]) == {pd.Timestamp("2026-11-20T10:30:00Z")}
    assert result.unread_words == ""


@each("kind, times", [("notebook", BLANK), ("json", BLANK[:3]), ("csv", BLANK[:3])])
def test_a_blank_time_is_none_and_its_report_is_taken(ledger: Ledger, kind: str, times: list[Any]) -> None:
    result, messages = told(ledger, times, kind)
    assert result == ReportResult(taken=len(times))
    assert messages["delivered_at"].isna().all()
    assert messages["credits_billed"].eq(7).all()


@each("kind", ["notebook", "json", "csv"])
def test_a_time_that_stands_for_none_is_blank(ledger: Ledger, kind: str) -> None:
    result, messages = told(ledger, NO_TIME, kind)
    assert result == ReportResult(taken=len(NO_TIME))
    assert messages["delivered_at"].isna().all()
    assert messages["credits_billed"].eq(7).all()


@each("none_yet", [0, "0001-01-01T00:00:00Z"])
def test_a_report_without_a_time_yet_proves_that_the_service_has_it(ledger: Ledger, none_yet: object) -> None:
    campaign = running(ledger, 1)
    got = claim(ledger, campaign)
    ledger.outbox.settle(got, Settlement("unknown", "unknown"))
    said = report(got.messages[0].uuid or "", status="sent", scheduled_at=none_yet, delivered_at=none_yet)
    assert ledger.record_reports([said]) == ReportResult(taken=1)
    assert counts(ledger, campaign) == {"accepted": 1}


@ON_BOTH_DATABASES
@each("kind", ["notebook", "json", "csv"])
def test_a_report_with_an_unread_time_is_not_half_taken_and_is_named(ledger: Ledger, kind: str) -> None:
    result, messages = told(ledger, [*UNREAD, READ[0]], kind)
    assert (result.taken, result.stale, result.unread_times) == (1, 0, len(UNREAD))
    assert messages["credits_billed"].isna().tolist() == [True] * len(UNREAD) + [False]
    assert messages["status"].tolist() == ["pending"] * len(UNREAD) + ["delivered"]
    assert f"delivered_at: {UNREAD[0]}" in result.unread_words
    assert f"{len(UNREAD)} reports were not taken" in result.unread_words


PHONES = [  # German ones without their zero, which look like times since 2017, and others
    *(["1712345678", "1512345678", READ[0]], ["1795170600", "4155550132"], [1_795_170_600, 7_911_123_456]),
    *(["1795170600", 1_605_550_132.0], ["1795170600000", "447911123456"], ["1795170600", "07911123456"]),
    *(["91234567", "1795170600"], ["1795170600", "2125550132"], ["1712345678"], [2_025_550_123]),
]


@pytest.mark.parametrize("kind", ["csv", *only_deep("notebook", "json")])
@each("times", PHONES)
def test_a_column_of_other_numbers_holds_no_times(ledger: Ledger, kind: str, times: list[Any]) -> None:
    numbers = [time for time in times if time != READ[0]]
    result, messages = told(ledger, times, kind)
    assert (result.taken, result.unread_times) == (len(times) - len(numbers), len(numbers))
    assert messages["delivered_at"].notna().tolist() == [time == READ[0] for time in times]
    assert "(delivered_at: …)" in result.unread_words


def test_reports_of_others_are_set_aside_as_they_are(ledger: Ledger) -> None:
    stranger = "00000000-0000-4000-8000-000000000001"
    assert ledger.record_reports([report(stranger, sent_at="yesterday")]).unknown_uuids == (stranger,)
    assert "yesterday" in ledger.stray_reports()["report"][0]


@each(
    "value, shown",
    [
        *((value, str(value)) for value in UNREAD if not str(value).startswith(("46346", "20261120"))),
        *((value, "…") for value in ("20261120103000", "46346.4375", 46346.4375)),  # or phone numbers
        *((value, "…") for value in ("+447400123456", "07400 123 456", "06/12/34/56/78", "06.12.34.56.78")),
        ("tel:+44-7400-123456", "tel:…"),
        ("sent 10:30 to 07400123456", "sent 10:30 to …"),
        ("20/11/2026 10:30 +49 1512 3456789", "20/11/2026 10:30 …"),
        ("ann@shop.example", "…"),
        ("a  b\n" + "c" * 99, "a b " + "c" * 36 + "…"),
        ({"at": 1}, "{'at': 1}"),
        (True, "True"),
    ],
)
def test_the_example_shows_a_time_and_never_a_phone_number(value: object, shown: str) -> None:
    message = read_message({"uuid": "u", "sent_at": value})
    assert message is not None
    assert example_of(message) == f"sent_at: {shown}"


def test_no_spelling_of_a_phone_number_is_shown() -> None:
    for country in BUSY_COUNTRIES:
        number = phonenumbers.example_number_for_type(country, phonenumbers.PhoneNumberType.MOBILE)
        for text, _country in spellings(number, country):
            message = read_message({"uuid": "u", "delivered_at": text})
            if message is not None and message.delivered_at is None:
                shown = example_of(message)
                assert len(re.findall(r"\d", shown)) < 3, shown
