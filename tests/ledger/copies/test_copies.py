"""Copies of a ledger: taken while it is in use, trusted no further than they can be when back."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from fixtures_ledger import (
    Clock,
    claim,
    counts,
    file_of,
    gate_of,
    messages_frame,
    move_into_place,
    report,
    running,
    taken,
)
from tiers import only_deep

from dashboard.errors import CampaignStateError, LedgerError
from dashboard.ledger import Ledger, StartedBy
from dashboard.ledger.copies.copying import put_back
from dashboard.ledger.database.connections import Database
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.outbox.slots import take_slot
from dashboard.ledger.team.sign_ins import Account
from dashboard.settings import load_settings

HOUR = timedelta(hours=1)
NO_TRACE = ("ready", "Ann", "the service has no trace of them")


@pytest.fixture
def ledger_url(sqlite_url: str) -> str:
    return sqlite_url


def again(ledger: Ledger, clock: Clock) -> Ledger:
    """The same address, opened anew by a program that sends."""
    ledger.close()
    opened = Ledger.open(str(ledger.database.url), now=clock)
    opened.outbox.register(0)
    return opened


def restore(ledger: Ledger, clock: Clock, copy: Path) -> int | None:
    """As the command does, once nothing has the ledger open."""
    ledger.close()
    return put_back(copy, ledger.database, clock.time)


def put_by_hand(ledger: Ledger, copy: Path) -> None:
    """As somebody does who copies files, once nothing has the ledger open."""
    ledger.close()
    shutil.copy(copy, file_of(ledger))


def send_one(ledger: Ledger, campaign: str, owner: str | None = None) -> list[str]:
    """A batch, by a program that just began to send if no owner is given; the messages' uuids."""
    got = taken(ledger, campaign, owner or ledger.outbox.register(0))
    return [message.uuid or "" for message in got.messages]


def test_what_a_copy_calls_ready_is_unknown_later(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    campaign, owner = running(ledger, 40), ledger.outbox.register(0)
    send_one(ledger, campaign, owner)
    ledger.back_up(tmp_path / "copy")
    sent_after = send_one(ledger, campaign, owner)
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    with closing(Ledger.open(f"sqlite:///{tmp_path / 'copy'}", read_only=True)) as copy:
        assert counts(copy, campaign) == {"accepted": 10, "ready": 30}
        assert copy.campaign(campaign).state == "running"
    restore(ledger, clock, tmp_path / "copy")
    restored = again(ledger, clock)
    assert counts(restored, campaign) == {"accepted": 10, "unknown": 30}
    found = restored.campaign(campaign)
    assert found.state == "paused"
    assert "a copy of 2026-11-20 09:00 UTC" in (found.reason or "")
    assert restored.attempts(campaign)["event"].tolist() == ["claimed", "accepted", *["doubtful"] * 3]
    # What the service says later still settles by itself what it names.
    restored.record_reports([report(uuid) for uuid in sent_after])
    assert counts(restored, campaign) == {"accepted": 20, "unknown": 20}
    with pytest.raises(CampaignStateError, match="may still be on its way"):
        restored.decide_all(campaign, *NO_TRACE)
    clock.advance(300)
    assert restored.decide_all(campaign, *NO_TRACE) == 2
    once_more = again(restored, clock)
    assert counts(once_more, campaign) == {"accepted": 20, "ready": 20}, "it is the ledger now, no copy"
    once_more.close()


def test_a_program_goes_on_with_what_was_put_back(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    """A notebook, say: whom it adds to the list of opt-outs is on the list of the ledger that is there."""
    campaign = running(ledger, 20)
    ledger.back_up(tmp_path / "copy")
    ledger.audit.count()
    move_into_place(tmp_path / "copy", ledger)
    ledger.add_opt_outs(["+447400900003"])
    ledger.outbox.register(0)
    assert counts(ledger, campaign) == {"unknown": 19, "dropped": 1}
    with closing(Ledger.open(str(ledger.database.url), now=clock)) as restored:
        assert restored.opt_outs()["phone"].tolist() == ["+447400900003"]
        assert counts(restored, campaign) == {"unknown": 19, "dropped": 1}


def test_a_copy_of_what_was_put_back_may_lack_opt_outs(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    """A restore that was killed left it; what came in after the copy of it is not in that copy."""
    ledger.back_up(tmp_path / "copy")
    restore(ledger, clock, tmp_path / "copy")
    ledger.back_up(tmp_path / "again")
    put_by_hand(ledger, tmp_path / "again")
    assert again(ledger, clock).missing_opt_outs()


def test_what_may_have_been_started_is_doubtful(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    later = messages_frame(5, "Later")
    campaigns = {
        "draft": ledger.create_campaign("Draft", messages_frame(5, "Draft"), batch_size=5),
        "later": ledger.create_campaign("Later", later, batch_size=5, scheduled_at=clock.time + HOUR),
        "done": running(ledger, 5),
        "cancelled": running(ledger, 5),
    }
    send_one(ledger, campaigns["done"])
    ledger.outbox.finish()
    ledger.cancel(campaigns["cancelled"])
    ledger.back_up(tmp_path / "copy")
    restore(ledger, clock, tmp_path / "copy")
    with closing(again(ledger, clock)) as restored:
        states = {name: restored.campaign(campaign).state for name, campaign in campaigns.items()}
        assert states == {"draft": "paused", "later": "paused", "done": "done", "cancelled": "cancelled"}
        assert counts(restored, campaigns["draft"]) == {"unknown": 5}
        assert counts(restored, campaigns["cancelled"]) == {"cancelled": 5}


def test_what_was_on_its_way_becomes_unknown_and_what_was_unknown_stays_as_it_was(
    ledger: Ledger, clock: Clock, tmp_path: Path
) -> None:
    campaign = running(ledger, 4, batch_size=2)
    ledger.outbox.settle(claim(ledger, campaign), Settlement("timed out", "unknown"))
    clock.advance(40 * 86_400)
    claim(ledger, campaign)
    ledger.back_up(tmp_path / "copy")
    unknown = ledger.unknown(campaign)
    clock.advance(40 * 86_400)
    restore(ledger, clock, tmp_path / "copy")
    with closing(Ledger.open(str(ledger.database.url), now=clock)) as restored:
        assert restored.distrust(opt_outs_kept=True) == 1
        assert counts(restored, campaign) == {"unknown": 4}
        assert restored.unknown(campaign).head(1).equals(unknown)


def test_what_waited_for_an_approval_waits_for_it_again(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    bob = StartedBy("bob", above=1)
    asked, approved = (
        ledger.create_campaign(name, messages_frame(4, name), batch_size=4, start=bob) for name in "AB"
    )
    prepared = ledger.create_campaign("C", messages_frame(4, "C"), batch_size=4)
    ledger.back_up(tmp_path / "copy")
    ledger.approvals.approve(approved, who="ann")
    restore(ledger, clock, tmp_path / "copy")
    with closing(Ledger.open(str(ledger.database.url), now=clock)) as restored:
        restored.distrust(opt_outs_kept=True)
        clock.advance(600)
        for campaign in (asked, approved, prepared):
            restored.decide_all(campaign, *NO_TRACE)
            restored.resume(campaign)
        assert restored.campaign(approved).state == "running"
        assert [restored.campaign(one).state for one in (asked, prepared)] == ["draft", "draft"]
        assert not restored.approvals.start(asked, who="bob", above=1)
        restored.approvals.approve(asked, who="ann")
        assert restored.campaign(asked).state == "running"


def test_what_the_copy_says_later_than_the_ledger_it_replaces_counts(
    ledger: Ledger, clock: Clock, tmp_path: Path
) -> None:
    given, older = load_settings(), tmp_path / "older.sqlite"
    with closing(Ledger.open(f"sqlite:///{older}", now=clock)) as stands:
        stands.settings.change({"credits_per_day": 10**6, "approve_above": 10**5}, who="ann", given=given)
        stands.people.add("dan@example.com", "sender", who="ann", given=given)
    clock.advance(86_400)
    ledger.settings.change({"credits_per_day": 100, "approve_above": 10}, who="ann", given=given)
    ledger.people.add("dan@example.com", "viewer", who="ann", given=given)
    ledger.back_up(tmp_path / "copy")
    with closing(Database(f"sqlite:///{older}", unseen=True)) as database:
        put_back(tmp_path / "copy", database, clock.time)
    with closing(Ledger.open(f"sqlite:///{older}", now=clock)) as restored:
        now = restored.settings.now(given)
        assert (now.credits_per_day, now.approve_above, gate_of(restored).credits_per_day) == (100, 10, 100)
        assert restored.people.now(given) == ledger.people.now(given)


def test_what_was_decided_since_a_backup_still_counts(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    given = load_settings()
    ledger.settings.change({"credits_per_day": 10_000, "approve_above": 1_000}, who="ann", given=given)
    ledger.library.save("Reply", "Call us", who="ann")
    ledger.back_up(tmp_path / "copy")
    ledger.settings.change({"credits_per_day": 10, "approve_above": 1}, who="ann", given=given)
    ledger.library.save("Reply", "Write to us", who="ann")
    decided, texts = ledger.settings.changes(), ledger.library.every_version()
    restore(ledger, clock, tmp_path / "copy")
    with closing(Ledger.open(str(ledger.database.url), now=clock)) as restored:
        assert restored.settings.changes() == decided
        assert restored.settings.now(given).approve_above == 1
        assert restored.library.every_version() == texts
        assert gate_of(restored).credits_per_day == 10


def test_what_cannot_be_copied_or_put_back_is_said(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("a diary")
    for place, says in (
        (tmp_path / "there", "already exists"),
        (tmp_path / "no folder" / "copy", "cannot be written"),
        (Path(f"{file_of(ledger)}-journal"), "must not be changed"),
    ):
        with pytest.raises(LedgerError, match=says):
            ledger.back_up(place)
    for copy, says in (
        (file_of(ledger), "the ledger itself"),
        (tmp_path / "there", "not a copy of a ledger"),
    ):
        with pytest.raises(LedgerError, match=says):
            put_back(copy, ledger.database, clock.time)
    assert ledger.campaigns().empty, "the present ledger is where it was"
    assert not [file.name for file in tmp_path.iterdir() if "part" in file.name]


def test_on_postgresql_a_person_says_that_it_was_put_back(postgresql_url: str, clock: Clock) -> None:
    with closing(Ledger.open(postgresql_url, now=clock)) as ledger:
        with pytest.raises(LedgerError, match="pg_dump"):
            ledger.back_up(Path("copy"))
        campaign = running(ledger, 30)
        send_one(ledger, campaign)
        assert ledger.distrust() == 2
        assert counts(ledger, campaign) == {"accepted": 10, "unknown": 20}


def test_a_backup_put_back_by_hand_sends_nothing_unasked(
    ledger: Ledger, clock: Clock, tmp_path: Path
) -> None:
    campaign, waits, summer = running(ledger, 40), messages_frame(5, "Later"), messages_frame(5, "Summer")
    later = ledger.create_campaign("Later", waits, batch_size=5, scheduled_at=clock.time + HOUR)
    ledger.back_up(tmp_path / "copy")
    send_one(ledger, campaign)
    put_by_hand(ledger, tmp_path / "copy")
    restored = Ledger.open(str(ledger.database.url), now=clock)
    found = restored.campaign(campaign)
    assert (found.state, found.unknown) == ("paused", 40)
    assert "opt-outs made after that are not in it" in (found.reason or "")
    assert restored.campaign(later).state == "paused"
    assert "enter them again" in (restored.missing_opt_outs() or ""), "before anybody does anything"
    restored.outbox.register(0)
    clock.advance(600)
    new, at = restored.create_campaign("Summer", summer, batch_size=5), clock.time + HOUR
    one, *_ = restored.unknown(campaign)["batch"].tolist()
    for step in (
        lambda: restored.resume(campaign),
        lambda: restored.start(new),
        lambda: restored.schedule(new, at),
        lambda: restored.create_campaign("Summer", summer, batch_size=5, scheduled_at=at),
        lambda: restored.decide(one, *NO_TRACE),
        lambda: restored.decide_all(campaign, *NO_TRACE),
        lambda: restored.approvals.start(new, who="Ann", above=None),
        lambda: restored.approvals.approve(new, who="Ann"),
    ):
        with pytest.raises(
            LedgerError,
            match=r"enter them again before you send anything\. Then confirm it at the top of any page",
        ):
            step()
    restored.acknowledge_missing_opt_outs("Ann")
    assert restored.missing_opt_outs() is None
    restored.decide_all(campaign, *NO_TRACE)
    restored.resume(campaign)
    restored.start(new)
    restored.resume(later)
    assert restored.campaign(later).state == "scheduled", "its time has not come"
    with closing(again(restored, clock)) as once_more:
        assert counts(once_more, campaign) == {"ready": 40}, "what became of it is the ledger, and no copy"
        assert once_more.campaign(campaign).state == "running"


def test_a_file_that_no_backup_made_is_a_copy_if_restored(
    ledger: Ledger, clock: Clock, tmp_path: Path
) -> None:
    campaign = running(ledger, 40)
    ledger.close()
    shutil.copy(file_of(ledger), tmp_path / "raw")
    send_one(ledger, campaign)
    put_by_hand(ledger, tmp_path / "raw")
    ledger = again(ledger, clock)
    assert counts(ledger, campaign) == {"ready": 40}
    restore(ledger, clock, tmp_path / "raw")
    with closing(again(ledger, clock)) as restored:
        assert counts(restored, campaign) == {"unknown": 40}
        assert "a copy that is older" in (restored.campaign(campaign).reason or "")


def test_by_whatever_link_a_ledger_is_opened_its_locks_are_the_same(ledger: Ledger, tmp_path: Path) -> None:
    folder, link = tmp_path / "link", tmp_path / "link" / "other.sqlite"
    folder.mkdir()
    link.symlink_to(file_of(ledger))
    slot = take_slot(ledger.database)
    with closing(Ledger.open(f"sqlite:///{link}")) as linked:
        second = take_slot(linked.database)
        assert second.number != slot.number
        assert [file.name for file in folder.iterdir()] == ["other.sqlite"]
    slot.release()
    second.release()


def test_who_opted_out_since_a_backup_stays_opted_out(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    """Also who was taken off the list since: the copy does not have what that person knew."""
    campaign = running(ledger, 10)
    phones = [f"+44740090000{number}" for number in range(5)]
    ledger.add_opt_outs([phones[1], phones[2]], source="before")
    ledger.remove_opt_out(phones[2], who="Ann", reason="a mistake")
    ledger.back_up(tmp_path / "copy")
    clock.advance(60)
    ledger.add_opt_outs([phones[2], phones[3], phones[4]], source="since", reason="STOP")
    ledger.remove_opt_out(phones[1], who="Ann", reason="asked for it")
    ledger.remove_opt_out(phones[4], who="Ann", reason="another person")
    assert restore(ledger, clock, tmp_path / "copy") == 2
    restored = Ledger.open(str(ledger.database.url), now=clock)
    assert restored.distrust(opt_outs_kept=True) == 1
    assert restored.missing_opt_outs() is None
    reason = restored.campaign(campaign).reason or ""
    assert "Pauses and cancellations made after that are not in it" in reason
    sources = dict(restored.opt_outs()[["phone", "source"]].to_numpy().tolist())
    assert sorted(sources) == phones[1:4]
    assert sources[phones[1]] == "before"
    assert sources[phones[3]].startswith("since, taken over from the ledger that was replaced on 2026-11-20")
    history = restored.opt_out_history()
    assert history.loc[history["phone"] == phones[4], "removed_by"].tolist() == ["Ann"]
    clock.advance(600)
    restored.decide_all(campaign, *NO_TRACE)
    assert counts(restored, campaign) == {"ready": 7, "dropped": 2, "abandoned": 1}
    restored.close()


def test_a_copy_texts_nobody_who_was_forgotten_since_by_whichever_key(
    ledger: Ledger, clock: Clock, tmp_path: Path
) -> None:
    """After the restore of one that was taken before anybody was forgotten, there is another key."""
    first, second = "+447400900001", "+447400900002"
    campaign = running(ledger, 5)
    ledger.back_up(tmp_path / "early")
    ledger.forget_person(first)
    ledger.back_up(tmp_path / "late")
    file_of(ledger).unlink()
    for copy, is_lost in (("early", True), ("late", False)):
        assert (restore(ledger, clock, tmp_path / copy) is None) == is_lost
        ledger = again(ledger, clock)
        ledger.distrust(opt_outs_kept=not is_lost)
        clock.advance(600)
        if is_lost:
            ledger.acknowledge_missing_opt_outs("Ann")
        ledger.decide_all(campaign, *NO_TRACE)
        ledger.forget_person(second)
    assert counts(ledger, campaign) == {"ready": 3, "dropped": 1, "abandoned": 1}
    autumn = ledger.create_campaign("Autumn", messages_frame(5, "Autumn"), batch_size=5)
    assert ledger.messages(autumn, states=["dropped"])["to"].tolist() == [first, second]
    for phone in (first, second):
        ledger.remove_opt_out(phone, who="Ann", reason="they asked")
    ledger.close()


def test_a_copy_brings_nobody_back_who_has_gone_since(ledger: Ledger, clock: Clock, tmp_path: Path) -> None:
    """Nor any session. One whom both know to be barred does not keep the rest from being taken over."""
    given, lasting = load_settings(data="somewhere"), {"lasting": HOUR}
    ann, bob = (Account("https://id.example", name, f"{name}@example.com") for name in ("ann", "bob"))
    ledger.sign_ins.begin(bob, **lasting)
    ledger.sign_ins.bar("eve@example.com")
    ledger.people.add("cem@example.com", "viewer", who="ann", given=given)
    ledger.back_up(tmp_path / "copy")
    clock.advance(60)
    ledger.sign_ins.bar(ann.address)
    ledger.people.remove("cem@example.com", who="ann", given=given)
    ledger.people.add("dan@example.com", "sender", who="ann", given=given)
    ledger.forget_person("+447400900001")
    done = ledger.audit.entries()
    restore(ledger, clock, tmp_path / "copy")
    with closing(Ledger.open(str(ledger.database.url), now=clock)) as restored:
        assert restored.sign_ins.current("https://id.example") == []
        restored.distrust()
        trail = restored.audit.entries()
        assert (trail["what"][0], trail["hash"][1:].tolist()) == ("restore", done["hash"].tolist())
        assert restored.audit.verify().holds
        assert restored.sign_ins.begin(ann, **lasting) is None
        assert restored.sign_ins.begin(bob, **lasting)
        assert [*restored.people.now(given)] == ["dan@example.com"]
        campaign = restored.create_campaign("Autumn", messages_frame(3, "Autumn"), batch_size=3)
        assert restored.messages(campaign, states=["dropped"])["to"].tolist() == ["+447400900001"]


@pytest.mark.parametrize("unread", ["barred", "audit", "person", "secret"])
def test_what_cannot_be_read_of_the_present_ledger_keeps_nothing_else_from_being_taken_over(
    ledger: Ledger, clock: Clock, tmp_path: Path, unread: str
) -> None:
    given = load_settings(data="somewhere")
    ledger.back_up(tmp_path / "copy")
    ledger.sign_ins.bar("ann@example.com")
    ledger.people.add("dan@example.com", "sender", who="ann", given=given)
    ledger.add_opt_outs(["+447700900003"])
    path = Path(str(ledger.database.url.database))
    ledger.close()
    with closing(sqlite3.connect(path)) as present:
        present.execute(f"DROP TABLE {unread}")
    put_back(tmp_path / "copy", ledger.database, clock.time)
    with closing(sqlite3.connect(path)) as restored:
        found = [
            restored.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own words
            for table in ("barred", "audit", "person", "opt_out")
            if table != unread
        ]
    assert all(found), found


@pytest.mark.parametrize("before", ["lost", "by hand, never opened", *only_deep("by hand")])
def test_another_restore_does_not_say_that_no_opt_outs_are_missing(
    ledger: Ledger, clock: Clock, tmp_path: Path, before: str
) -> None:
    """What the first copy lacked, the second may lack as well; only a person knows."""
    ledger.back_up(tmp_path / "one")
    ledger.back_up(tmp_path / "two")
    ledger.add_opt_outs(["+447700900003"])
    if before == "lost":
        ledger.close()
        file_of(ledger).unlink()
        assert put_back(tmp_path / "one", ledger.database, clock.time) is None
    else:
        put_by_hand(ledger, tmp_path / "one")
    if before != "by hand, never opened":
        Ledger.open(str(ledger.database.url), now=clock).close()
    assert put_back(tmp_path / "two", ledger.database, clock.time) is None
    restored = again(ledger, clock)
    assert "a copy from 2026-11-20 09:00 UTC" in (restored.missing_opt_outs() or "")
    with pytest.raises(LedgerError, match="who entered"):
        restored.acknowledge_missing_opt_outs(" ")
    restored.acknowledge_missing_opt_outs("Ann")
    restored.back_up(tmp_path / "three")
    assert restore(restored, clock, tmp_path / "three") == 0
    restored = again(ledger, clock)
    assert restored.missing_opt_outs() is None, "once somebody has entered them, no restore asks again"
    restored.close()
