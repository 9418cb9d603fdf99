"""A campaign that takes a while to be prepared: the page says how far it is, and can be left."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event, Thread

import pytest
from page_reading import words
from patience import wait_until
from streamlit.testing.v1 import AppTest

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime
from dashboard.app.starts import Start, Starts
from dashboard.app.wizard.start import confirm
from dashboard.errors import CampaignError

Open = Callable[..., AppTest]
SHEET = b"First name,Mobile\nAnn,07400900001\nBen,07400900002\n"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirm, "SOON_S", 0.2)


@pytest.fixture
def ready(wired: Runtime) -> Draft:
    """A draft at its last step."""
    begun = wired.drafts.begin("local", "contacts.csv", io.BytesIO(SHEET))
    choices = {"country": "GB", "step": 5, "name": "Spring sale", "template": "Hi {{ First name | there }}"}
    return wired.drafts.save(begun.model_copy(update=choices))


@pytest.fixture
def held(wired: Runtime) -> Iterator[Callable[[], None]]:
    """The ledger's only write lock is held, as by a long write, until this is called."""
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


def ask(page: AppTest) -> AppTest:
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    assert not page.exception, page.exception
    return page


def progress(page: AppTest) -> str:
    """The words at the bar, which AppTest knows only as what is sent to the browser."""
    (bar,) = page.get("progress")
    return str(bar.proto.text)


def errors(page: AppTest) -> str:
    return " ".join(each.value for each in page.error)


def sent(wired: Runtime, draft: Draft, open_page: Open) -> AppTest:
    """Ask for it, and see what became of it."""
    page = ask(open_page("new", draft=draft.id))
    start = wired.starts.find(draft.id)  # None once its campaign was opened
    if start is None:
        return page
    wait_until(lambda: start.is_over)
    return page.run()


def wait_over(wired: Runtime, draft: Draft) -> Start:
    start = wired.starts.find(draft.id)
    assert start is not None
    wait_until(lambda: start.is_over)
    return start


def test_the_page_says_how_far_it_is_and_then_opens_the_campaign(
    wired: Runtime, ready: Draft, open_page: Open, held: Callable[[], None]
) -> None:
    page = ask(open_page("new", draft=ready.id))
    assert progress(page) == "Preparing 2 messages: 0% done"
    assert "You can leave this page" in words(page)
    assert not [one for one in page.button if one.key == "send"]
    assert wired.ledger.campaigns().empty
    held()
    wait_over(wired, ready)
    page.run()
    assert page.title[0].value == "Spring sale"
    assert wired.ledger.campaigns()[["state", "recipients"]].to_numpy().tolist() == [["running", 2]]


def test_it_goes_on_when_the_page_is_left_and_shows_again_when_somebody_returns(
    wired: Runtime, ready: Draft, open_page: Open, held: Callable[[], None]
) -> None:
    ask(open_page("new", draft=ready.id))
    assert "Overview" in words(open_page("overview"))
    assert "Preparing 2 messages" in progress(open_page("new", draft=ready.id))
    held()
    wait_over(wired, ready)
    assert len(wired.ledger.campaigns()) == 1
    assert "Nothing is sent twice" in words(open_page("new", draft=ready.id))


@pytest.mark.deep
def test_a_second_tab_shows_the_same_and_makes_no_second_campaign(
    wired: Runtime, ready: Draft, open_page: Open, held: Callable[[], None]
) -> None:
    one, other = (open_page("new", draft=ready.id) for _ in range(2))
    other.button(key="send").click().run()
    ask(one)
    other.button(key="send").click()
    other.button(key="confirm-send").click().run()
    assert "Preparing 2 messages" in progress(other)
    held()
    wait_over(wired, ready)
    other.run()
    assert len(wired.ledger.campaigns()) == 1


def test_what_kept_it_from_being_made_is_said_and_the_draft_is_as_it_was(
    wired: Runtime, ready: Draft, open_page: Open, held: Callable[[], None]
) -> None:
    capped = replace(wired, given=wired.settings.model_copy(update={"credits_per_campaign": 1}))
    runtime.use(capped)
    page = ask(open_page("new", draft=ready.id))
    assert "Preparing 2 messages" in progress(page)
    held()
    wait_over(wired, ready)
    page.run()
    assert "credits" in page.error[0].value
    assert wired.ledger.campaigns().empty
    assert wired.drafts.find(ready.id, "local") == ready
    assert page.button(key="send")
    runtime.use(wired)
    page = ask(open_page("new", draft=ready.id))
    wait_until(lambda: len(wired.ledger.campaigns()) == 1)


def test_what_kept_it_from_being_made_is_said_in_every_tab_and_list_until_it_is_sent_again_or_deleted(
    wired: Runtime, ready: Draft, open_page: Open, held: Callable[[], None]
) -> None:
    other = wired.drafts.begin("local", "contacts.csv", io.BytesIO(SHEET))
    other = wired.drafts.save(other.model_copy(update={"name": "Summer"}))
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"credits_per_campaign": 1})))
    ask(open_page("new", draft=ready.id))
    held()
    wait_over(wired, ready)
    for _ in range(2):
        begun = open_page("new")
        assert "was not started" in errors(begun)
        assert len(begun.error) == 1
        assert "was not started" in errors(open_page("new", draft=ready.id))
        assert not open_page("new", draft=other.id).error
    runtime.use(wired)
    assert sent(wired, ready, open_page).title[0].value == "Spring sale"
    assert not open_page("new").error


def test_a_failure_ends_with_its_draft_and_one_that_nobody_foresaw_is_said_without_its_words(
    wired: Runtime, ready: Draft, open_page: Open
) -> None:
    def fail(_tell: Callable[[float], None]) -> str:
        raise ValueError("+447400900001")

    wired.starts.begin(ready.id, 2, fail)
    wait_over(wired, ready)
    for page in (open_page("new"), open_page("new", draft=ready.id)):
        assert "unexpected" in errors(page)
        assert "900001" not in words(page)
    actions.discard_draft(ready)
    assert wired.starts.find(ready.id) is None
    assert not open_page("new").error


def test_a_draft_that_is_becoming_a_campaign_cannot_be_deleted(
    wired: Runtime, ready: Draft, open_page: Open, held: Callable[[], None]
) -> None:
    ask(open_page("new", draft=ready.id))
    actions.discard_draft(ready)
    held()
    wait_over(wired, ready)
    found = wired.drafts.find(ready.id, "local")
    assert found is not None
    assert found.campaign == wired.ledger.campaigns()["campaign"].iloc[0]


def refused(wired: Runtime, draft: Draft, open_page: Open) -> str:
    """The campaign of a draft that was frozen, but whose start was refused."""
    wired.ledger.distrust()
    assert "was not started" in errors(sent(wired, draft, open_page))
    wired.ledger.acknowledge_missing_opt_outs("Ann")
    (campaign,) = wired.ledger.campaigns()["campaign"]
    assert wired.ledger.campaign(campaign).state == "draft"
    return str(campaign)


def test_a_draft_changed_after_its_start_was_refused_is_sent_as_it_is_now(
    wired: Runtime, ready: Draft, open_page: Open
) -> None:
    before = refused(wired, ready, open_page)
    wired.drafts.save(ready.model_copy(update={"template": "Corrected"}))
    sent(wired, ready, open_page)
    campaigns = wired.ledger.campaigns().set_index("campaign")["state"]
    assert sorted(campaigns) == ["cancelled", "running"]
    assert campaigns[before] == "cancelled"
    (after,) = campaigns.index.difference([before])
    assert set(wired.ledger.messages(after)["body"]) == {"Corrected"}
    draft = wired.drafts.find(ready.id, "local")
    assert draft is not None
    assert draft.campaign == after


def test_a_draft_sent_again_as_it_was_starts_the_campaign_that_was_refused(
    wired: Runtime, ready: Draft, open_page: Open
) -> None:
    before = refused(wired, ready, open_page)
    sent(wired, ready, open_page)
    assert wired.ledger.campaigns()[["campaign", "state"]].to_numpy().tolist() == [[before, "running"]]


def test_a_draft_whose_refused_campaign_was_cancelled_keeps_its_sheet_and_says_what_to_do(
    wired: Runtime, ready: Draft, open_page: Open
) -> None:
    before = refused(wired, ready, open_page)
    wired.ledger.cancel(before)
    assert "another name" in errors(sent(wired, ready, open_page))
    assert wired.drafts.find(ready.id, "local") == ready
    wired.drafts.save(ready.model_copy(update={"name": "Spring sale 2"}))
    sent(wired, ready, open_page)
    assert sorted(wired.ledger.campaigns()["state"]) == ["cancelled", "running"]


def test_a_draft_that_was_sent_and_then_changed_is_not_sent_again(
    wired: Runtime, ready: Draft, open_page: Open
) -> None:
    """As after a crash between the start and the note in the draft."""
    before = refused(wired, ready, open_page)
    wired.ledger.start(before)
    wired.drafts.save(ready.model_copy(update={"template": "Corrected"}))
    assert f"({before}), which is running" in errors(sent(wired, ready, open_page))
    assert len(wired.ledger.campaigns()) == 1


def test_the_process_waits_for_what_is_being_prepared_and_tells_how_far_it_is() -> None:
    starts, going_on = Starts(), Event()

    def work(tell: Callable[[float], None]) -> str:
        tell(0.5)
        going_on.set()
        time.sleep(0.3)
        return "c1"

    start = starts.begin("d1", 10, work)
    assert starts.begin("d1", 10, work) is start
    going_on.wait()
    assert (start.share, start.result()) == (0.5, None)
    starts.close()
    assert start.result() == "c1"

    def fail(_tell: Callable[[float], None]) -> str:
        raise CampaignError("no")

    failed = starts.begin("d1", 10, fail)
    assert failed is not start
    with pytest.raises(CampaignError):
        failed.result(5)
