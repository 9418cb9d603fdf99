"""Opt-outs: nobody on the list is texted, also when the campaign was frozen before."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, claim, counts, messages_frame, report, running, taken
from interleaved import waiting
from patience import wait_until

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger
from dashboard.ledger.database.locks import campaign_row
from dashboard.ledger.outbox.settle import Settlement


def phone(number: int) -> str:
    return f"+447400{900000 + number}"


@ON_BOTH_DATABASES
def test_the_list_says_who_why_and_since_when_and_counts_the_new_ones(ledger: Ledger) -> None:
    assert ledger.add_opt_outs([phone(1), phone(2), phone(1)], reason="STOP\0", source="\ud83d") == 2
    assert ledger.add_opt_outs([phone(2), phone(3)]) == 1
    listed = ledger.opt_outs()
    assert listed["phone"].tolist() == [phone(3), phone(2), phone(1)]
    assert listed["reason"].tolist()[1:] == ["STOP", "STOP"]
    assert listed["source"].tolist()[1:] == ["?", "?"], "what no database keeps costs nobody their refusal"
    assert listed["added_at"].notna().all()


def test_a_number_taken_off_the_list_can_be_texted_again_and_put_back(ledger: Ledger, clock: Clock) -> None:
    ledger.add_opt_outs([phone(1)], reason="STOP", source="reply")
    then = clock.advance(60)
    ledger.remove_opt_out(phone(1), who="Ann (+44 7400 155555)", reason="asked to be texted again")
    assert ledger.opt_outs().empty
    assert ledger.audit.entries(what="opt-out removal")["who"].tolist() == ["Ann (…)"]
    campaign = ledger.create_campaign("Spring", messages_frame(2), batch_size=2)
    assert counts(ledger, campaign) == {"ready": 2}
    assert ledger.add_opt_outs([phone(1)]) == 1
    history = ledger.opt_out_history().sort_values("removed_at")
    assert history["phone"].tolist() == [phone(1)] * 2
    told = history[["removed_at", "removed_by", "removed_why"]]
    assert told.iloc[0].tolist() == [then, "Ann (…)", "asked to be texted again"]
    assert told.iloc[1].isna().all()


def test_a_refusal_is_read_as_where_lists_are_cleaned(ledger: Ledger) -> None:
    """In all ways of test_opt_out_list.py, of which these are two."""
    written = ["\u202a+44 7400 123456\u202c", "4.47400123457E+11"]
    assert ledger.add_opt_outs(pd.DataFrame({"phone": written, "reason": "asked"})) == 2
    assert sorted(ledger.opt_outs()["phone"]) == ["+447400123456", "+447400123457"]


def test_mistakes_are_said_without_the_number(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match=r"1 opt-out is not .*: entry 2") as error:
        ledger.add_opt_outs([phone(1), "07700 900123"])
    assert "900" not in str(error.value)
    assert ledger.opt_outs().empty
    with pytest.raises(LedgerError, match="not on the list") as error:
        ledger.remove_opt_out(phone(1), who="Ann", reason="why")
    assert "900" not in str(error.value)
    with pytest.raises(LedgerError, match="Say who"):
        ledger.remove_opt_out(phone(1), who="", reason="why")


def test_everybody_of_a_large_list_is_dropped_whatever_the_size_of_batches(ledger: Ledger) -> None:
    one_each = running(ledger, 1_200, batch_size=1)
    many_each = ledger.create_campaign("Other", messages_frame(1_200, "Other"), batch_size=700)
    ledger.add_opt_outs([phone(number) for number in range(0, 12_000, 2)])
    for campaign in (one_each, many_each):
        assert counts(ledger, campaign) == {"ready": 600, "dropped": 600}


def test_each_says_the_text_it_came_after(ledger: Ledger, clock: Clock) -> None:

    def send(name: str, count: int, **columns: object) -> str:
        frame = messages_frame(count, name, template=f"{name} text", **columns)
        campaign = ledger.create_campaign(name, frame, batch_size=10)
        ledger.start(campaign)
        taken(ledger, campaign)
        clock.advance(3600)
        return campaign

    spring = send("Spring", 5)
    ledger.add_opt_outs([phone(0)])
    later = pd.Timestamp(clock() + timedelta(days=2)).as_unit("us")
    summer = send("Summer", 5, scheduled_at=pd.Series([pd.NaT, pd.NaT, later, pd.NaT, pd.NaT]))
    unsent = ledger.create_campaign("Autumn", messages_frame(5, "Autumn"), batch_size=10)
    failed = ledger.messages(summer).set_index("to").loc[phone(3), "uuid"]
    ledger.record_reports([report(failed, failure_reason="switched off")])
    ledger.add_opt_outs([phone(number) for number in (1, 2, 3, 99)])
    found = ledger.opt_outs(texts=True).set_index("phone")
    expected = {0: "Spring", 1: "Summer", 2: "Spring", 3: "Spring", 99: None}
    for number, name in expected.items():
        row = found.loc[phone(number)]
        if name is None:
            assert row[["campaign", "campaign_name", "template", "texted_at"]].isna().all()
            continue
        assert (row["campaign_name"], row["template"]) == (name, f"{name} text"), number
        assert row["campaign"] == {"Spring": spring, "Summer": summer}[name]
        assert row["texted_at"] <= row["added_at"]
    assert unsent not in set(found["campaign"])
    assert ledger.opt_outs()["phone"].tolist() == found.index.tolist()


def test_whom_the_service_left_alone_is_told_and_if_they_opted_out_here(ledger: Ledger, clock: Clock) -> None:
    campaign, other = running(ledger, 8), running(ledger, 1)
    got = taken(ledger, campaign)
    late = f"{'undelivered, ' * 20}unsubscribed"  # further on than reasons are counted by
    stop = ("opted out", "blocked", "07400 900002 replied STOP", late, "opted out", "DND", "opted out")
    said = zip(got.messages, stop, strict=False)
    failed = [report(message.uuid or "", failure_reason=one) for message, one in said]
    failed[4]["delivered_at"] = "2026-11-20T09:00:01.000000Z"  # and so it came
    ledger.add_opt_outs([phone(2), phone(6)])
    ledger.remove_opt_out(phone(6), who="ann", reason="asked for texts")
    clock.advance(60)
    ledger.record_reports(failed)
    clock.advance(60)
    ledger.add_opt_outs([phone(3)])
    ledger.remove_opt_out(phone(3), who="ann", reason="sent START")
    told = ledger.told_stop(campaign)
    assert told["phone"].tolist() == [phone(number) for number in (0, 2, 3, 5, 6)]
    assert told["reason"].tolist() == ["opted out", "… replied STOP", late, "DND", "opted out"]
    assert told["opted_out_at"].notna().tolist() == [False, True, True, False, False]
    assert ledger.told_stop(other).empty
    assert ledger.told_stop().equals(told)
    new = told.loc[told["opted_out_at"].isna(), "phone"]
    assert ledger.add_opt_outs(new, reason="told the service STOP") == 3
    assert ledger.told_stop(campaign)["opted_out_at"].notna().all()
    ledger.outbox.finish()
    ledger.forget_person(phone(0))
    assert ledger.told_stop(campaign)["phone"].tolist() == [phone(number) for number in (2, 3, 5, 6)]


def test_campaigns_of_which_some_were_sent_again_are_locked_in_one_order_with_those_that_run(
    postgresql_url: str, clock: Clock
) -> None:
    with Ledger.open(postgresql_url, now=clock) as ledger:
        again, runs = sorted(
            ledger.create_campaign(name, messages_frame(4, name), batch_size=4) for name in "AB"
        )
        ledger.start(again)
        ledger.outbox.settle(claim(ledger, again), Settlement("timed out", "unknown"))
        clock.advance(600)
        ledger.decide_all(again, "ready", "Ann", "the service has no trace of them")
        ledger.pause(again, "asked to")
        ledger.start(runs)
        adding = Thread(target=ledger.add_opt_outs, args=[["+447400900000"]])
        with ledger.database.write() as connection:
            campaign_row(connection, again, "change")
            adding.start()
            wait_until(lambda: waiting(ledger) > 0)
            campaign_row(connection, runs, "change")  # which it would hold if it had begun with that
        adding.join()
        assert ledger.opt_outs()["phone"].tolist() == ["+447400900000"]
