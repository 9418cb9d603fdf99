"""Freezing a large campaign: every value comes back, the lock is held shortly, and it says how far it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, messages_frame
from sqlalchemy import Connection, event

from dashboard.campaigns import Prices
from dashboard.errors import CampaignError, LedgerError, SentBeforeError
from dashboard.ledger import Ledger, StartedBy, TextsPerPerson
from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.freeze import freezing, layout
from dashboard.ledger.freeze.layout import new_uuids

ODD = [
    *("tab\there", "line\nbreak", "carriage\rreturn", "both\r\n", "back\\slash", "\\N", "\\.", "\\t", "NULL"),
    *("ÄÖ€😀", '"quoted"', "a,b", "'", "\u2028", "\x01"),
]


def held_frame(clock: Clock, count: int) -> pd.DataFrame:
    rows = np.arange(count)
    body = [f"{ODD[row % len(ODD)]} {row}" for row in rows]
    frame = messages_frame(
        count, body=body, country=pd.Categorical(np.array(["GB", "US", None], object)[rows % 3])
    )
    hours = pd.to_timedelta(rows % 5, unit="h")
    frame["scheduled_at"] = pd.Series(pd.Timestamp(clock()) + hours).dt.as_unit("us").where(rows % 7 > 0)
    return frame.assign(
        handover="hold", variant=pd.Categorical(np.array(["A", "B"])[rows % 2]), template="Hi"
    )


@ON_BOTH_DATABASES
def test_every_value_comes_back(ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "CHUNK", 100)
    monkeypatch.setattr(freezing, "CHUNK", 100)
    frame = held_frame(clock, 1_050)
    frame["campaign"] = pd.Categorical("Spring " + frame["variant"].astype(str))
    told: list[float] = []
    campaign = ledger.create_campaign("Spring", frame, batch_size=20, on_progress=told.append)
    kept = ledger.messages(campaign).sort_values("row", ignore_index=True)
    for name in ("row", "to", "body", "credits_low", "credits_high", "country", "variant", "line_type"):
        there, here = (each[name].astype(object).where(each[name].notna(), None) for each in (kept, frame))
        assert there.tolist() == here.tolist(), name
    pd.testing.assert_series_equal(kept["scheduled_at"], frame["scheduled_at"], check_dtype=False)
    assert told == sorted(told)
    assert (told[0], len(told)) == (0, 11)
    assert max(told) < 1


def test_a_batch_holds_messages_of_one_time_and_one_price(ledger: Ledger, clock: Clock) -> None:
    frame = held_frame(clock, 200).assign(variant=None, template="Hi", campaign="Spring")
    prices = Prices({"GB": 2, "US": 3}, None, "EUR")
    campaign = ledger.create_campaign("Spring", frame, batch_size=20, prices=prices)
    kept = ledger.messages(campaign)
    groups = Counter(zip(kept["scheduled_at"].astype(object), kept["country"].astype(object), strict=True))
    wanted = sorted(
        size for many in groups.values() for size in ([20] * (many // 20) + [many % 20] * (many % 20 > 0))
    )
    batches = ledger.batches(campaign)
    assert sorted(batches["messages"]) == wanted
    for _, of_batch in kept.groupby("batch"):
        assert len(of_batch[["scheduled_at", "country"]].drop_duplicates()) == 1


def test_the_uuids_are_random_ones_of_version_4() -> None:
    made = new_uuids(5_000)
    assert len(set(made)) == 5_000
    assert all(str(UUID(one)) == one and UUID(one).version == 4 and UUID(one).variant for one in made)
    assert new_uuids(0) == []
    digits = Counter(digit for one in made for digit in UUID(one).hex)
    assert min(digits.values()) > 0.8 * 30 * 5_000 / 16


def before_the_lock(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Let something happen once a campaign is laid out, before its freeze has the lock."""
    prepare = freezing.prepare

    def prepared(*arguments: Any) -> object:
        ready = prepare(*arguments)
        monkeypatch.setattr(freezing, "prepare", prepare)
        happens()
        return ready

    monkeypatch.setattr(freezing, "prepare", prepared)


def test_who_opts_out_once_it_is_laid_out_is_dropped(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = messages_frame(20)
    phone = frame["to"].iloc[3]
    before_the_lock(monkeypatch, lambda: ledger.add_opt_outs([phone]))
    campaign = ledger.create_campaign("Spring", frame, batch_size=5)
    assert ledger.messages(campaign, states=["dropped"])["to"].tolist() == [phone]


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
def test_earlier_messages_are_compared_before_a_lock(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a million messages of each of two campaigns that held the lock for eleven seconds."""
    read: list[bool] = []
    ledger.create_campaign("Spring", messages_frame(20), batch_size=5)

    @event.listens_for(ledger.database.engine, "before_cursor_execute")
    def note(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if "SELECT" in statement and "FROM message" in statement:
            read.append("ledger_writes" in connection.get_execution_options())

    lay_out, in_use = freezing.lay_out, list[int]()

    def noted(*arguments: Any, **options: Any) -> object:
        in_use.append(ledger.database.engine.pool.checkedout())  # type: ignore[attr-defined]
        return lay_out(*arguments, **options)

    monkeypatch.setattr(freezing, "lay_out", noted)
    others = messages_frame(20, first=15)
    ledger.create_campaign("Spring", others, batch_size=5, start=True, unless_sent_since=EPOCH)
    assert set(read) == {False}
    assert in_use == [0], "PostgreSQL ends a transaction that stands still meanwhile"


def test_what_another_made_meanwhile_is_compared_too(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    since = {"unless_sent_since": ledger.outbox.now() - timedelta(days=1)}
    ledger.create_campaign("Spring", messages_frame(4), batch_size=5)
    other = messages_frame(8, first=2)
    before_the_lock(monkeypatch, lambda: ledger.create_campaign("Spring", other, batch_size=5, **since))
    with pytest.raises(SentBeforeError, match=r"^10 of these 10 messages .* in 2 campaigns"):
        ledger.create_campaign("Spring", messages_frame(10), batch_size=5, **since)
    assert ledger.campaigns()["recipients"].tolist() == [8, 4]


@ON_BOTH_DATABASES
def test_what_fails_or_is_refused_until_it_has_started_leaves_nothing_and_its_token_free(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "CHUNK", 10)
    monkeypatch.setattr(freezing, "CHUNK", 10)
    other = messages_frame(2, "Other")
    ledger.create_campaign("Other", other, batch_size=5, start=True)
    ledger.distrust()  # so that opt-outs may be missing
    before, told = ledger.campaigns(), ledger.audit.count()

    def fail_half_way(share: float) -> None:
        if share > 0.4:
            raise KeyboardInterrupt("half way")

    def made(body: str = "Hi", **how: Any) -> str:
        frame = messages_frame(100, body=[f"{body} {number}" for number in range(100)])
        return ledger.create_campaign("Spring", frame, batch_size=5, token="once", **{"start": True} | how)

    def refused(error: type[BaseException], match: str, **how: Any) -> None:
        with pytest.raises(error, match=match):
            made(**how)
        pd.testing.assert_frame_equal(ledger.campaigns(), before)
        assert len(ledger.messages()) == 2
        assert ledger.audit.count() == told

    refused(LedgerError, "Opt-outs")
    ledger.acknowledge_missing_opt_outs("Ann")
    told += 1
    refused(KeyboardInterrupt, "half way", on_progress=fail_half_way)
    refused(CampaignError, "2 people would", texts_per_person=TextsPerPerson(1, timedelta(days=1)))
    refused(CampaignError, "start alone", start=StartedBy("Bob", above=99, asks=False))

    @event.listens_for(ledger.database.engine, "before_cursor_execute")
    def fail_at_the_start(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE campaign SET state"):
            raise KeyboardInterrupt("frozen")

    refused(KeyboardInterrupt, "frozen")
    event.remove(ledger.database.engine, "before_cursor_execute", fail_at_the_start)
    campaign = made("Corrected")
    found = ledger.campaign(campaign)
    assert (found.state, found.recipients) == ("running", 100)
