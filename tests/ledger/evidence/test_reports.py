"""Delivery reports: any order, any number of times, about anything."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from itertools import permutations
from typing import Any

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, accepted, claim, counts, messages_frame, report, running, taken
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.ledger import Ledger, ReportResult
from dashboard.reports import read_reports

SENT = {"status": "sent", "sent_at": "2026-11-20T09:00:05.000000Z"}
FAILED = {**SENT, "status": "failed", "failure_reason": "absent subscriber"}
DELIVERED = {**SENT, "status": "delivered", "delivered_at": "2026-11-20T09:00:09.000000Z"}


@pytest.fixture
def sent(ledger: Ledger) -> str:
    """A campaign of four messages that the service accepted."""
    campaign = running(ledger, 4)
    taken(ledger, campaign, credits_used=1)
    return campaign


def as_csv(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.read_csv(StringIO(frame.to_csv(index=False)), dtype="str", keep_default_na=False)


def uuids(ledger: Ledger, campaign: str) -> list[str]:
    found: list[str] = ledger.messages(campaign, columns=["uuid"])["uuid"].tolist()
    return found


@ON_BOTH_DATABASES
def test_reports_move_messages_and_sums_on_and_each_counts_once(ledger: Ledger, sent: str) -> None:
    first, second, third, _ = uuids(ledger, sent)
    reports = [report(first, **DELIVERED), report(second, **FAILED), report(third, **SENT)]
    assert ledger.record_reports(reports + reports) == ReportResult(taken=3, stale=3)
    assert ledger.record_reports(reports) == ReportResult(stale=3)
    messages = ledger.messages(sent)
    assert messages["status"].tolist() == ["delivered", "failed", "sent", "pending"]
    assert messages["failure_reason"].dropna().tolist() == ["absent subscriber"]
    assert messages["delivered_at"].notna().tolist() == [True, False, False, False]
    found = ledger.campaign(sent)
    assert (found.sent, found.delivered, found.failed) == (3, 1, 1)
    assert counts(ledger, sent) == {"accepted": 4}


@ON_BOTH_DATABASES
def test_a_report_of_a_nanosecond_is_taken_once(ledger: Ledger, sent: str) -> None:
    """The ledger keeps microseconds; a frame's times may be finer."""
    at = pd.Timestamp("2026-11-20T09:00:09.000000999Z")
    reports = [{"uuid": uuids(ledger, sent)[0], "status": "delivered", "delivered_at": at}]
    results = [ledger.record_reports(reports) for _again in range(2)]
    assert results == [ReportResult(taken=1), ReportResult(stale=1)]


def test_a_report_before_the_answer_is_not_undone_by_the_answer(ledger: Ledger) -> None:
    campaign = running(ledger, 2)
    got = claim(ledger, campaign)
    first = got.messages[0].uuid or ""
    ledger.record_reports([report(first.upper(), **DELIVERED)])
    assert counts(ledger, campaign) == {"accepted": 1, "sending": 1}
    ledger.outbox.settle(got, accepted(got, credits_used=1))
    messages = ledger.messages(campaign)
    assert messages["status"].tolist() == ["delivered", "pending"]
    assert messages["credits_billed"].tolist() == [1, 1]
    assert messages["echoed"].tolist() == [True, True]
    assert counts(ledger, campaign) == {"accepted": 2}


def test_an_answer_pauses_also_when_reports_about_all_its_messages_came_first(ledger: Ledger) -> None:
    campaign = running(ledger, 12)
    got = claim(ledger, campaign)
    ledger.record_reports([report(message.uuid or "", **DELIVERED) for message in got.messages])
    ledger.outbox.settle(got, replace(accepted(got), detail="Other numbers.", pauses=True))
    found = ledger.campaign(campaign)
    assert (found.state, found.reason) == ("paused", "Other numbers.")
    assert counts(ledger, campaign) == {"accepted": 10, "ready": 2}


def test_reports_about_others_messages_are_set_aside_and_counted_once(ledger: Ledger, sent: str) -> None:
    stranger = "00000000-0000-4000-8000-000000000001"
    result = ledger.record_reports([report(stranger), report(uuids(ledger, sent)[0], **SENT)])
    assert result == ReportResult(taken=1, unknown_uuids=(stranger,))
    ledger.record_reports([report(stranger)])
    stray = ledger.stray_reports()
    assert stray["uuid"].tolist() == [stranger]
    assert json.loads(stray["report"][0])["status"] == "pending"


@ON_BOTH_DATABASES
def test_reports_about_people_left_out_at_the_freeze_are_set_aside(ledger: Ledger) -> None:
    """No program of ours ever asked for these messages, so whoever reports them means others."""
    frame = messages_frame(6)
    ledger.add_opt_outs(frame["to"][4:].tolist())
    campaign = running(ledger, frame, batch_size=4)
    taken(ledger, campaign, credits_used=1)
    *_, fifth, last = uuids(ledger, campaign)
    told = [report(fifth, **DELIVERED), report(last, sent_at="yesterday")]
    assert ledger.record_reports(told) == ReportResult(unknown_uuids=(fifth, last))
    assert counts(ledger, campaign) == {"accepted": 4, "dropped": 2}
    assert sorted(ledger.stray_reports()["uuid"]) == sorted([fifth, last])
    assert ledger.campaign(campaign).credits_billed == 4
    assert ledger.recount(campaign) == []


def test_what_is_no_message_is_counted_and_the_others_are_taken(ledger: Ledger, sent: str) -> None:
    failed = report(uuids(ledger, sent)[0], **FAILED)
    odd: list[Any] = [5, "x", None, [], [{}], {}, True, 1e400, {"status": "delivered"}]
    odd += [{"uuid": uuid} for uuid in (None, "7", 7, ["a"])]
    assert ledger.record_reports([*odd, failed, *odd]) == ReportResult(taken=1, unreadable=2 * len(odd))


def test_more_reports_than_fit_one_transaction(ledger: Ledger) -> None:
    campaign = running(ledger, 1200, batch_size=500)
    reports = [report(uuid, **DELIVERED) for uuid in uuids(ledger, campaign)]
    assert ledger.record_reports(reports * 2) == ReportResult(taken=1200, stale=1200)
    assert ledger.campaign(campaign).delivered == 1200


REPEATED = [  # when a message was said to be delivered; it was when that was first said to have been
    ["09:00:09", "10:00:09"],
    ["09:00:09", "09:00:09", "23:59:59"],
    ["09:00:09", "09:00:10", "09:00:08"],
    ["09:00:08.000001", "09:00:08"],
    ["09:00:09+00:00", "09:00:09-01:00"],  # an hour later
    ["09:00:09", "10:00:08+01:00"],  # a second earlier
    ["09:00:09", "1970-01-01T00:00:00Z"],  # the rest cannot be true
    ["09:00:09", "0001-01-01T00:00:00Z", "2026-11-18T09:00:00Z"],
    ["09:00:09", "2016-11-20T09:00:09Z", "12:00:00"],
    ["09:00:09", "2026-11-21T10:00:00Z", "9999-12-31T00:00:00Z"],
    ["2026-11-19T22:00:09", "09:00:09"],  # before it was handed over
    ["08:54:59.999999", "08:55:00"],  # by a clock that may be five minutes behind ours
    ["08:59:58", "10:00:09"],
    ["2026-11-19T09:00:01", "2026-11-18T09:00:00Z", "10:00:09"],
    ["08:00:09", "2026-11-20T23:00:00Z"],  # later than now, by a clock that is ahead of ours
    ["08:00:00", "07:00:00", "2016-11-20T09:00:09Z"],  # none since: its clock is behind ours
    [0, "09:00:09", 1_795_165_209],  # Unix seconds: 1970, and 09:00:09
]
FIRST = [9, 9, 8, 8, 9, 8, 9, 9, 9, 9, 9, -300, -2, 3609, 14 * 3600, -3600, 9]


@ON_BOTH_DATABASES
def test_a_delivery_was_when_it_was_first_said_to_have_been_in_whatever_order(ledger: Ledger) -> None:
    """A message for each order of each line, the whole line once more at the end."""
    told: list[list[Any]] = []
    expected = []
    for line, second in zip(REPEATED, FIRST, strict=True):
        for order in permutations(line):
            told.append([*order, *line])
            expected.append(pd.Timestamp("2026-11-20T09:00:00Z") + pd.Timedelta(seconds=second))
    campaign = running(ledger, len(told), batch_size=len(told))
    taken(ledger, campaign, credits_used=1)
    mine = uuids(ledger, campaign)
    for at in range(max(map(len, told))):
        turn = [(uuid, one[at]) for uuid, one in zip(mine, told, strict=True) if at < len(one)]
        said = [
            {
                "uuid": uuid,
                "status": f"delivered {at}",
                **dict.fromkeys(("sent_at", "delivered_at"), _full(time)),
            }
            for uuid, time in turn
        ]
        if at == len(REPEATED[0]):
            said = read_reports("\n".join(map(json.dumps, said)).encode())
        ledger.record_reports(said)
    messages = ledger.messages(campaign)
    assert messages["delivered_at"].tolist() == expected
    assert messages["sent_at"].tolist() == expected
    found = ledger.campaign(campaign)
    assert (found.sent, found.delivered) == (len(told), len(told))


def _full(time: str | int) -> str | int:
    return time if isinstance(time, int) or "T" in time else f"2026-11-20T{time}"


moments = st.none() | st.integers(0, 3).map(lambda second: f"2026-11-20T09:00:0{second}.000000Z")
moments |= st.sampled_from(["2001-01-01T00:00:00Z", "2026-11-18T09:00:00Z", "2026-11-22T09:00:00Z"])
moments |= st.sampled_from(["2026-11-19T09:00:01Z", "2026-11-20T08:54:59Z", "2026-11-20T23:00:00Z"])
words = st.none() | st.sampled_from(["", "pending", "queued", "sent", "delivered", "failed"])
any_report = st.fixed_dictionaries(
    {
        "status": words,
        "failure_reason": st.none() | st.sampled_from(["", "absent", "blocked"]),
        "created_at": moments,
        "sent_at": moments,
        "delivered_at": moments,
        "credits_used": st.none() | st.integers(0, 3),
        "body": st.sampled_from(["x", "Hello number 0", "other"]),
        "contact": st.none() | st.sampled_from([{"uuid": "a"}, {"uuid": "b"}]),
        "network": st.none() | st.sampled_from(["x", "y"]),
    }
)
SAME = ["state", "status", "failure_reason", "credits_billed", "created_at", "sent_at", "delivered_at"]
SAID = ["stage", "at", "status", "failure_reason"]


@settings(max_examples=draws(12, first=3), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(told=st.lists(st.lists(any_report, min_size=1, max_size=5), min_size=2, max_size=4), data=st.data())
def test_reports_in_any_order_and_repeated_end_the_same(
    ledger: Ledger, told: list[list[dict[str, Any]]], data: st.DataObject
) -> None:
    """Two messages each get the same reports, one in order, the other shuffled and repeated."""
    campaign = running(ledger, 2 * len(told), batch_size=2)
    mine = uuids(ledger, campaign)
    pairs = list(zip(mine[::2], mine[1::2], strict=True))
    for (first, second), fields in zip(pairs, told, strict=True):
        again = data.draw(st.permutations(fields + data.draw(st.lists(st.sampled_from(fields)))))
        ledger.record_reports([report(first, **one) for one in fields])
        for one in again:
            ledger.record_reports([report(second, **one)])
    messages = ledger.messages(campaign).set_index("uuid")[[*SAME, "contact_uuid", "extra"]]
    messages = messages.astype(object).fillna("")
    heard = ledger.events(campaign).astype(object).fillna("")
    for (first, second), fields in zip(pairs, told, strict=True):
        assert messages.loc[first].tolist() == messages.loc[second].tolist()
        for name in ("created_at", "sent_at", "delivered_at"):
            times = [one[name] for one in fields if one[name] and one[name] < "2026-11-22"]
            meant = min((at for at in times if at >= "2026-11-20T08:55"), default=max(times, default=""))
            assert messages.loc[first, name] == (meant and pd.Timestamp(meant))
        one, other = (heard.loc[heard["uuid"] == uuid, SAID] for uuid in (first, second))
        assert {*one.itertuples(index=False)} == {*other.itertuples(index=False)}
    counts(ledger, campaign)


@pytest.mark.parametrize(
    "how", [pd.DataFrame, pd.DataFrame.convert_dtypes, as_csv], ids=["frame", "NA", "CSV"]
)
def test_reports_kept_in_a_frame_or_by_it_as_csv_say_the_same(ledger: Ledger, sent: str, how: Any) -> None:
    """A column of numbers with a blank in it: pandas has 2.0 for 2, and NaN or NA for what is not said."""
    bill, failure, *_ = uuids(ledger, sent)
    told = [
        report(bill, **DELIVERED, credits_used=2),
        report(failure, **{**SENT, "status": 3, "failure_reason": 21610}),
    ]
    assert ledger.record_reports(how(pd.DataFrame(told)).to_dict("records")).taken == 2
    messages = ledger.messages(sent)
    assert messages["credits_billed"].tolist() == [2, 1, 1, 1]
    assert messages["failure_reason"].tolist()[1] in {"21610", "21610.0"}
    assert ledger.campaign(sent).failed == 1


FAR = "9999-12-31T00:00:00.000000Z"
TRUE = {**DELIVERED, "credits_used": 2, "failure_reason": "0"}
UNTRUE = [
    *({name: FAR} for name in ("created_at", "sent_at", "delivered_at", "scheduled_at")),
    {"sent_at": "2026-11-21T10:00:00.000000Z"},  # in 25 hours
    *({"credits_used": credits_} for credits_ in (2**31 - 1, 5_000, -1, 2.5, "two", [2])),
    *({name: [7]} for name in ("status", "failure_reason")),
]


def test_what_cannot_be_true_does_not_stand_in_the_way_of_what_is(ledger: Ledger) -> None:
    """A message for each that hears it before the truth, and one that hears the truth only."""
    count = len(UNTRUE) + 1
    campaign = running(ledger, count, batch_size=count)
    taken(ledger, campaign, credits_used=1)
    *told, _ = mine = uuids(ledger, campaign)
    ledger.record_reports([report(uuid, **{**TRUE, **odd}) for uuid, odd in zip(told, UNTRUE, strict=True)])
    for odd, extra in zip(UNTRUE, ledger.messages(campaign)["extra"], strict=False):
        assert str(*odd.values()) in str(extra), "nothing is dropped without a word"
    ledger.record_reports([report(uuid, **TRUE) for uuid in mine])
    columns = ["created_at", "sent_at", "delivered_at", "credits_billed", "status"]
    found = ledger.messages(campaign, columns=columns)
    assert found.astype(str).nunique().tolist() == [1] * len(columns)
    assert ledger.messages(campaign)["extra"].isna().tolist()[-1], "a reason 0 is no reason, and believed"
    sums = ledger.campaign(campaign)
    assert (sums.delivered, sums.credits_billed) == (count, 2 * count)
