"""One person's history: the messages to a number, however it is typed; nothing of it in errors or logs."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from each import each
from fixtures_ledger import Clock, claim, messages_frame, report, running, taken
from sqlalchemy import Connection, Select, event

from dashboard.errors import CountryError, OptionError
from dashboard.ledger import Ledger
from dashboard.ledger.frames.arrow import tables
from dashboard.ledger.frames.messages import message_rows
from dashboard.ledger.frames.person import number_of
from dashboard.ledger.outbox.settle import Settlement

SPELLINGS = ("+447400900001", "07400 900001", "0044 7400 900001", "(0)7400-900001", "447400900001")


@pytest.fixture(scope="module")
def lived(lasting: tuple[Ledger, Clock]) -> Ledger:
    """Three campaigns to the same people: two batches answered, one split, some people dropped."""
    ledger, clock = lasting
    first = running(ledger, 10, batch_size=3)
    for _ in range(2):
        taken(ledger, first, credits_used=1)
        clock.advance(60)
    ledger.outbox.settle(claim(ledger, first), Settlement("too large", "split", 413))
    uuids = ledger.messages(first)["uuid"]
    ledger.record_reports(
        [
            report(uuids[1], sent_at="2026-11-20T09:00:05Z", delivered_at="2026-11-20T09:00:09Z"),
            report(uuids[2], failure_reason="unreachable"),
        ]
    )
    running(ledger, 10)
    ledger.add_opt_outs(["+447400900007"])
    ledger.create_campaign("Draft", messages_frame(10, "Draft"), batch_size=1, price_per_credit="0.045")
    clock.advance(60)
    ledger.add_opt_outs(["+447400900001", "+447400900004"])
    ledger.remove_opt_out("+447400900001", who="Ann", reason="asked for it")
    return ledger


def test_it_is_what_the_ledger_says_of_all_messages(lived: Ledger) -> None:
    every, contacts = lived.messages(), lived.contacts().set_index("phone")
    for phone in ("+447400900001", "+447400900004", "+447400900007"):
        expected = every[every["to"] == phone]
        found = lived.person(phone)
        opted_out = contacts.loc[phone, "opted_out_at"]
        assert set(found["opted_out_at"].dropna()) == ({opted_out} - {pd.NaT})
        assert found["opted_out_at"].notna().all() == pd.notna(opted_out)
        assert lived.opted_out_since(phone) == (None if pd.isna(opted_out) else opted_out)
        plain = {name: "str" for name in every if every[name].dtype == "category"}
        pd.testing.assert_frame_equal(
            found.drop(columns="opted_out_at").astype(plain), expected.reset_index(drop=True).astype(plain)
        )


@each("typed", SPELLINGS)
def test_a_number_is_found_however_it_is_typed(typed: str) -> None:
    assert number_of(typed, "GB") == "+447400900001"


def test_a_number_that_no_country_has_any_longer_is_taken_as_it_stands_in_the_ledger() -> None:
    gone = "+449999999999"
    assert number_of(gone, None) == number_of(gone, "GB") == gone
    assert number_of("+1 912 345 6789", "IN") == "+19123456789", "a + needs no country"


@each("typed", ["09999 999999", "", " ", "7400900001x", "Ann", "+44 7400 90", "0' OR '1'='1"])
def test_unread_numbers_are_not_repeated(lived: Ledger, typed: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(OptionError, match="not a phone number") as said:
        lived.person(typed, country="GB")
    assert "7400" not in f"{said.value}{caplog.text}"
    with pytest.raises(OptionError, match="several numbers") as said:
        lived.person("07400 900001 / 07400 900002", country="GB")
    assert "7400" not in f"{said.value}{caplog.text}"


def test_a_number_without_a_plus_needs_a_country_that_is_one(lived: Ledger) -> None:
    with pytest.raises(OptionError, match="not a phone number"):
        lived.person("07400 900001")
    with pytest.raises(CountryError):
        lived.person("07400 900001", country="uk")


def test_the_number_stands_in_no_statement(lived: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    @event.listens_for(lived.database.engine, "before_cursor_execute")
    def listen(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        said.append(statement)

    def spy(connection: Connection, queries: Iterable[Select[Any]], types: pa.Schema) -> Iterator[pa.Table]:
        every = list(queries)
        said.extend(str(query.compile(connection, compile_kwargs={"literal_binds": True})) for query in every)
        return tables.read_parts(connection, every, types)

    monkeypatch.setattr(message_rows, "read_parts", spy)
    assert len(lived.person("+447400900001")) == 3
    assert len(said) > 3
    assert "900001" not in "".join(said)
