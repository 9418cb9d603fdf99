"""What somebody agreed to is what is sent: whatever changed between the question and the click is noticed."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from each import each
from page_reading import Open, button, on_page, words
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest
from test_people import locked
from wizard_steps import started

from dashboard.app import people, runtime, starting
from dashboard.app.as_seen import Seen, version_of
from dashboard.app.audience import DraftAudience
from dashboard.app.drafts import Columns, Draft, DraftHours, DraftVariant
from dashboard.app.four_eyes import needs_approval
from dashboard.app.people import Person
from dashboard.app.prepare import capped_of
from dashboard.app.runtime import Runtime
from dashboard.errors import CampaignError
from dashboard.jobs.guards import same_lately
from dashboard.ledger import Ledger

PHONES = [f"+4479110{number:05d}" for number in range(1, 5)]
SHEET = ("First name,Mobile\n" + "".join(f"Ann,{phone}\n" for phone in PHONES)).encode()
CHANGED = "has changed since you looked"

Between = Callable[[Runtime, Draft], object]


def asked_and_clicked(app: Runtime, draft: Draft, between: Between) -> str | None:
    """As a page draws the question, and takes the click later."""
    written = capped_of(draft, app.now().replace(second=0, microsecond=0))
    again = int(same_lately(app.ledger, written.messages)["messages"].sum())
    seen = Seen(written, version_of(draft), needs_approval(written.estimate.messages), again)
    between(app, draft)
    try:
        return starting.start_campaign(draft, seen).result(PATIENCE_S)
    except CampaignError as error:
        return str(error)


@pytest.fixture
def click(wired: Runtime, save_draft: Callable[..., Draft]) -> Callable[[Between], str]:
    def clicked(between: Between, app: Runtime = wired, **choices: object) -> str:
        texts = {"name": "Spring", "template": "Hi {{ First name }}! {{ Mobile }}"}
        draft = save_draft(SHEET, step=5, country="GB", **texts | choices)
        runtime.use(app)
        said: str = on_page(partial(asked_and_clicked, app, draft, between))
        return said

    return clicked


def changing(**fields: object) -> Between:
    return lambda app, draft: app.drafts.change(draft.id, draft.owner, **fields)


def a_list(*, leaves_out: bool) -> Between:
    fewer = f"Mobile\n{PHONES[0]}\n".encode()
    return lambda app, draft: app.drafts.add_list(draft, "b.csv", io.BytesIO(fewer), leaves_out=leaves_out)


def another_sheet(app: Runtime, draft: Draft) -> None:
    app.drafts.replace_sheet(draft, "b.csv", io.BytesIO(SHEET.rsplit(b"Ann", 1)[0]))


def another_line(app: Runtime, _draft: Draft) -> None:
    app.ledger.settings.change({"opt_out_line": "Reply STOP"}, who="ann@example.com", given=app.given)


def a_price(app: Runtime, _draft: Draft) -> None:
    runtime.use(replace(app, given=app.given.model_copy(update={"price_per_credit": Decimal(9)})))


@each(
    "between",
    [
        changing(template="Something else"),
        changing(when="later", send_at=datetime.now(UTC) + timedelta(days=1)),
        changing(sender="Other"),
        changing(fixes={2: "+447911099999"}),
        changing(variants=(DraftVariant(template="Hi!"), DraftVariant(template="Hello!"))),
        changing(shorten_links=False),
        changing(tracking="spring"),
        changing(name="Summer"),
        changing(keep="last"),
        changing(approved={3: "a"}),
        changing(audience=DraftAudience(sample=2)),
        changing(keep_hours=True),
        changing(handover="service"),
        changing(columns=Columns(phones=("Mobile",))),
        changing(header_row=1),
        a_list(leaves_out=True),
        a_list(leaves_out=False),
        another_sheet,
        another_line,
        a_price,
    ],
)
def test_what_changed_since_it_was_seen_is_not_sent(
    wired: Runtime, click: Callable[[Between], str], between: Between
) -> None:
    assert CHANGED in click(between)
    assert wired.ledger.campaigns().empty


def an_opt_out(app: Runtime, _draft: Draft) -> None:
    app.ledger.add_opt_outs(PHONES[:1])


@each(
    "between, texted",
    [(changing(), 4), (changing(step=4, told=frozenset({"name"}), typed={2: "0"}), 4), (an_opt_out, 3)],
)
def test_what_is_as_it_was_seen_is_sent_without_those_who_opted_out(
    wired: Runtime, click: Callable[[Between], str], between: Between, texted: int
) -> None:
    assert wired.ledger.campaign(click(between)).recipients == texted


def at_clock(app: Runtime, at: datetime) -> Runtime:
    """The same process by a clock that stands."""
    return replace(app, ledger=Ledger(app.ledger.database, now=lambda: at))


def another_texts(people: int, **more: Any) -> Between:
    def between(app: Runtime, draft: Draft) -> str:
        messages = capped_of(draft, app.now()).messages.head(people)
        return app.ledger.create_campaign(draft.name, messages, batch_size=9, **more)

    return between


def another_is_cancelled(app: Runtime, draft: Draft) -> None:
    app.ledger.cancel(another_texts(4)(app, draft))


def test_what_another_campaign_has_sent_since_it_was_seen_is_sent_only_to_who_was_told(
    wired: Runtime, click: Callable[..., str]
) -> None:
    for number, (between, same) in enumerate(
        [
            (another_texts(4), False),
            (another_texts(2), False),
            (another_texts(1), False),
            (another_texts(4, scheduled_at=datetime.now(UTC) + timedelta(days=1)), False),
            (another_is_cancelled, True),
        ]
    ):
        texts = {"name": f"Spring {number}", "template": f"Hi {number} {{{{ Mobile }}}}"}
        said = click(between, **texts)
        assert ("Another campaign has texted these people the same" in said) is not same, said
        again = click(lambda *_: None, **texts)  # it is looked at again, and the page says so
        assert wired.ledger.campaign(again).recipients == 4


def test_another_campaign_that_was_made_while_this_one_was_prepared_is_noticed(
    wired: Runtime, click: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check = starting.check_as_seen

    def and_then(*seen: Any) -> None:
        check(*seen)
        another(wired, seen[0])

    def another(app: Runtime, seen: Seen) -> None:
        app.ledger.create_campaign("Spring", seen.written.messages, batch_size=9)

    monkeypatch.setattr(starting, "check_as_seen", and_then)
    assert "4 of these 4 messages are the same text" in click(lambda *_: None)
    assert len(wired.ledger.campaigns()) == 1


FIRST = datetime(2090, 3, 1, tzinfo=UTC)  # a Wednesday, in Britain's winter time
DAYTIME = {"keep_hours": True, "hours": DraftHours(start=time(9), end=time(20))}
OFFICE = {"keep_hours": True, "hours": DraftHours(start=time(9), end=time(20), days=frozenset({2}))}
AT_TEN = {"when": "local", "local_at": (FIRST + timedelta(hours=10)).replace(tzinfo=None)}
AT_NOON = {"when": "later", "send_at": FIRST + timedelta(hours=12)}
BY_THEM = AT_NOON | {"handover": "service"}


@each(
    "choices, asked, clicked, same",
    [
        ({}, "13:00:10", "23:59:59", True),
        (DAYTIME, "19:59:40", "20:00:01", False),
        (DAYTIME, "20:30:00", "23:30:00", True),
        (DAYTIME, "08:00:00", "08:59:59", True),
        (DAYTIME, "08:59:50", "09:00:40", True),
        (DAYTIME, "08:30:00", "11:00:00", False),
        (OFFICE, "19:59:00", "20:00:00", False),
        (AT_TEN, "09:00:00", "09:59:59", True),
        (AT_TEN, "09:59:50", "10:00:01", False),
        (AT_NOON | DAYTIME, "08:00:00", "11:59:59", True),
        (BY_THEM, "08:00:00", "11:59:59", True),
    ],
)
def test_nobody_is_texted_at_another_time_than_was_seen(
    wired: Runtime,
    click: Callable[..., str],
    choices: dict[str, Any],
    asked: str,
    clicked: str,
    same: bool,
) -> None:
    then, now = (datetime.combine(FIRST, time.fromisoformat(at), UTC) for at in (asked, clicked))
    before = len(wired.ledger.campaigns())
    by_then = at_clock(wired, then)
    said = click(lambda *_: runtime.use(at_clock(wired, now)), by_then, **choices, name=f"{then} {now}")
    assert ("other times than you saw" in said) is not same, said
    assert len(wired.ledger.campaigns()) - before == same


@each(
    "limits, same",
    [
        ((2, 2), True),
        ((2, 3), True),
        ((2, 4), False),
        ((2, None), False),
        ((9, 4), True),
        ((4, 3), False),
        ((None, 1), False),
    ],
)
def test_an_approval_that_was_asked_for_is_asked_for_and_a_start_is_a_start(
    wired: Runtime,
    click: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    limits: tuple[int | None, int | None],
    same: bool,
) -> None:
    who = f"{limits}"  # who has started nothing yet
    monkeypatch.setattr(people, "visitor", lambda: Person(who, "sender"))
    then, now = (locked(wired, approve_above=limit) for limit in limits)
    before = len(wired.ledger.campaigns())
    said = click(lambda *_: runtime.use(now), then, name=who, owner=who)
    assert ("needs somebody's approval has changed" in said) is not same, said
    assert len(wired.ledger.campaigns()) - before == same
    if same:
        asks = limits[0] is not None and limits[0] < len(PHONES)
        assert (wired.ledger.campaign(said).state == "draft") is asks


def beside_the_button(page: AppTest) -> str:
    """What is said at the foot of the page, which stays in sight wherever it is scrolled."""
    return " ".join(one.value for one in page.main.get_by_key("step-foot").warning)


def test_a_click_on_what_another_tab_has_changed_asks_to_look_again_and_then_sends_that(
    save_draft: Callable[..., Draft], open_page: Open, wired: Runtime
) -> None:
    draft = save_draft(SHEET, step=5, name="Spring", template="Hi {{ First name }}!")
    page, other = (open_page("new", draft=draft.id) for _tab in range(2))
    for text in ("Something else", "Something else again"):
        wired.drafts.change(draft.id, draft.owner, template=text)
        page.button(key="send").click().run()
        assert CHANGED in beside_the_button(page)
        assert words(page).count(CHANGED) == 1
        assert text in words(page)
        assert "confirm-send" not in [one.key for one in page.button]
    page.run()
    assert CHANGED not in words(page)
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    (campaign,) = wired.ledger.campaigns()["campaign"]
    assert set(wired.ledger.messages(campaign)["body"]) == {"Something else again"}
    other.button(key="send").click().run()
    assert "Nothing is sent twice" in words(other)
    assert button(other, "Start another")


def test_a_click_on_what_another_campaign_has_sent_meanwhile_asks_to_look_again(
    save_draft: Callable[..., Draft], open_page: Open, wired: Runtime
) -> None:
    draft = save_draft(SHEET, step=5, name="Spring", template="Hi {{ First name }}!")
    page, other = (open_page("new", draft=draft.id) for _tab in range(2))
    other.button(key="send").click().run()
    started(save_draft(SHEET, name="Other", template="Hi {{ First name }}!"))
    page.button(key="send").click().run()
    other.button(key="send").click()
    other.button(key="confirm-send").click().run()
    for tab in (page, other):
        assert "Another campaign has texted these people the same" in beside_the_button(tab)
        assert "4 of these 4 people got, or will get, the same text" in words(tab)
        assert "confirm-send" not in [one.key for one in tab.button]
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    assert wired.ledger.campaigns()["recipients"].tolist() == [4, 4]
