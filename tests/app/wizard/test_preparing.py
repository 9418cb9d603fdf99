"""A campaign that takes a while to be prepared: the page says how far it is, and can be left."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event, Thread, Timer

import pytest
from app_seeds import prepared_campaign
from each import each
from page_reading import Open, words
from patience import PATIENCE_S, wait_until
from streamlit.testing.v1 import AppTest
from wizard_steps import ask_to_send, started, stored

from dashboard.app import drafting, runtime
from dashboard.app.draft_store import Drafts
from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime
from dashboard.app.starts import Starts
from dashboard.app.wizard.start import confirm
from dashboard.errors import LedgerUnavailableError
from dashboard.ledger import StartedBy

SHEET = b"First name,Mobile\nAnn,07400900001\nBen,07400900002\n"


@pytest.fixture
def ready(save_draft: Callable[..., Draft]) -> Draft:
    """A draft at its last step."""
    return save_draft(SHEET, step=5, name="Spring sale", template="Hi {{ First name | there }}")


@pytest.fixture
def held(wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """The ledger's only write lock is held, as by a long write, until this is called."""
    monkeypatch.setattr(confirm, "SOON_S", 0.2)
    holds, released = Event(), Event()

    def hold() -> None:
        with wired.ledger.database.write():
            holds.set()
            released.wait(60)

    holder = Thread(target=hold)
    holder.start()
    holds.wait(60)

    def release() -> None:
        released.set()
        holder.join()

    yield release
    release()
    wired.starts.close()


def progress(page: AppTest) -> str:
    """The words at the bar, which AppTest knows only as what is sent to the browser."""
    (bar,) = page.get("progress")
    return str(bar.proto.text)


def wait_over(wired: Runtime, draft: Draft) -> None:
    start = wired.starts.find(draft.id)
    assert start is not None
    wait_until(lambda: start.is_over)


def test_the_page_says_how_far_it_is_can_be_left_and_then_opens_the_campaign(
    wired: Runtime, ready: Draft, open_page: Open, held: Callable[[], None]
) -> None:
    page = ask_to_send(open_page("new", draft=ready.id))
    assert progress(page) == "Preparing 2 messages: 0% done"
    assert "You can leave this page" in words(page)
    assert not [one for one in page.button if one.key == "send"]
    assert wired.ledger.campaigns().empty
    assert "Preparing 2 messages" in progress(open_page("new", draft=ready.id))
    drafting.discard_draft(ready)  # not while it becomes a campaign
    held()
    wait_over(wired, ready)
    page.run()
    assert page.title[0].value == "Spring sale"
    assert wired.ledger.campaigns()[["state", "recipients"]].to_numpy().tolist() == [["running", 2]]
    assert stored(wired, ready).campaign == wired.ledger.campaigns()["campaign"].iloc[0]
    assert "Nothing is sent twice" in words(open_page("new", draft=ready.id))


def test_what_kept_it_from_being_made_is_said_in_every_tab_and_list_until_it_is_sent_again(
    wired: Runtime,
    ready: Draft,
    save_draft: Callable[..., Draft],
    open_page: Open,
    held: Callable[[], None],
) -> None:
    other = save_draft(SHEET, name="Summer")
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"credits_per_campaign": 1})))
    page = ask_to_send(open_page("new", draft=ready.id))
    assert "Preparing 2 messages" in progress(page)
    held()
    wait_over(wired, ready)
    begun = open_page("new")
    for tab in (begun, page.run(), open_page("new", draft=ready.id)):
        (said,) = tab.error
        assert "was not started" in said.value
        assert "a campaign may cost at most 1" in said.value
    assert not open_page("new", draft=other.id).error
    assert wired.ledger.campaigns().empty
    assert stored(wired, ready) == ready
    runtime.use(wired)
    ask_to_send(page)
    wait_until(lambda: len(wired.ledger.campaigns()) == 1)
    wired.starts.close()
    assert not begun.run().error


def test_a_failure_ends_with_its_draft_and_one_that_nobody_foresaw_is_said_without_its_words(
    wired: Runtime, ready: Draft, open_page: Open
) -> None:
    def fail(_tell: Callable[[float], None]) -> str:
        raise ValueError("+447400900001")

    wired.starts.begin(ready.id, 2, fail)
    wait_over(wired, ready)
    pages = [open_page("new"), open_page("new", draft=ready.id)]
    for page in pages:
        assert "unexpected" in " ".join(said.value for said in page.error)
        assert "900001" not in words(page)

    def lose_the_answer(_tell: Callable[[float], None]) -> str:
        """Of the commit with which it started."""
        raise LedgerUnavailableError("The ledger is away.")

    wired.starts.forget(ready.id)
    wired.starts.begin(ready.id, 2, lose_the_answer)
    wait_over(wired, ready)
    for page in pages:
        said = " ".join(error.value for error in page.run().error)
        assert "It is not known whether this campaign was started" in said
        assert "was not started" not in said
    drafting.discard_draft(ready)
    assert wired.starts.find(ready.id) is None
    assert not pages[0].run().error


def test_a_start_that_is_refused_leaves_only_the_draft_which_is_then_sent_as_it_is_now(
    wired: Runtime, ready: Draft
) -> None:
    wired.ledger.distrust()
    assert "enter them again" in started(ready)
    assert wired.ledger.campaigns().empty
    assert stored(wired, ready) == ready
    wired.ledger.acknowledge_missing_opt_outs("Ann")
    wired.drafts.save(ready.model_copy(update={"template": "Corrected"}))
    campaign = started(ready)
    assert wired.ledger.campaigns()[["campaign", "state"]].to_numpy().tolist() == [[campaign, "running"]]
    assert set(wired.ledger.messages(campaign)["body"]) == {"Corrected"}
    assert stored(wired, ready).campaign == campaign


def test_the_process_waits_for_what_is_being_prepared_and_tells_how_far_it_is() -> None:
    starts, going_on, may_end = Starts(), Event(), Event()

    def work(tell: Callable[[float], None]) -> str:
        tell(0.5)
        going_on.set()
        may_end.wait()
        return "c1"

    start = starts.begin("d1", 10, work)
    assert starts.begin("d1", 10, work) is start
    going_on.wait()
    assert (start.share, start.result()) == (0.5, None)
    Timer(0.3, may_end.set).start()
    starts.close()
    assert start.result() == "c1"


def cannot_finish(*_: object) -> Draft:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_campaign_that_started_is_never_said_not_to_have_although_its_draft_cannot_be_put_away(
    wired: Runtime, ready: Draft, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(Drafts, "finish", cannot_finish)
        full.setattr(confirm, "SOON_S", PATIENCE_S)
        page = ask_to_send(open_page("new", draft=ready.id))
        assert page.title[0].value == "Spring sale"
        assert not page.error
        (campaign,) = wired.ledger.campaigns()["campaign"]
        for where in ({"draft": ready.id}, {"draft": ready.id, "step": "message"}):
            again = open_page("new", **where)
            assert "Nothing is sent twice" in words(again)
            assert campaign in again.get("page_link")[-1].proto.query_string
        assert not open_page("new").error
    assert stored(wired, ready).campaign is None
    assert "Nothing is sent twice" in words(open_page("new", draft=ready.id))
    assert stored(wired, ready).campaign == campaign
    assert not wired.drafts.sheet(ready).exists()


@each("end", ["running", "scheduled", "asked", "cancelled"])
def test_a_draft_left_behind_by_a_crash_leads_to_its_campaign_though_it_was_changed(
    wired: Runtime, save_draft: Callable[..., Draft], open_page: Open, end: str
) -> None:
    drafts = [save_draft(SHEET, step=5, name=f"{end} {n}", template="{{ First name | Hi }}") for n in "AB"]
    later = {"scheduled_at": datetime.now(UTC) + timedelta(days=1)} if end == "scheduled" else {}
    by = StartedBy("bob@example.com", above=0 if end == "asked" else None)
    for draft in drafts:
        campaign = prepared_campaign(wired.ledger, end, token=draft.id, start=by, **later)
        if end == "cancelled":
            wired.ledger.cancel(campaign)
        if draft is drafts[0]:
            assert "Nothing was sent twice" in started(draft)
        else:
            assert "Nothing is sent twice" in words(open_page("new", draft=draft.id))
        assert stored(wired, draft).campaign == campaign


def test_a_draft_that_was_deleted_meanwhile_is_not_said_to_have_been_sent(
    wired: Runtime, ready: Draft, open_page: Open
) -> None:
    wired.drafts.discard(ready)
    assert "no longer exists" in started(ready)
    assert wired.ledger.campaigns().empty
