"""What somebody agreed to is what is sent: whatever changed between the question and the click is noticed."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial

import pytest
from each import each
from page_reading import Open, button, on_page, words
from patience import PATIENCE_S

from dashboard.app import actions, runtime
from dashboard.app.audience import DraftAudience
from dashboard.app.drafts import Columns, Draft, DraftVariant
from dashboard.app.prepare import Seen, capped_of, version_of
from dashboard.app.runtime import Runtime
from dashboard.errors import CampaignError

PHONES = [f"+4479110{number:05d}" for number in range(1, 5)]
SHEET = ("First name,Mobile\n" + "".join(f"Ann,{phone}\n" for phone in PHONES)).encode()
CHANGED = "has changed since you looked"

Between = Callable[[Runtime, Draft], object]


def asked_and_clicked(app: Runtime, draft: Draft, between: Between) -> str | None:
    """As a page draws the question, and takes the click later."""
    seen = Seen(capped_of(draft, app.now()), version_of(draft))
    between(app, draft)
    try:
        return actions.start_campaign(draft, seen).result(PATIENCE_S)
    except CampaignError as error:
        return str(error)


@pytest.fixture
def click(wired: Runtime, save_draft: Callable[..., Draft]) -> Callable[[Between], str]:
    def clicked(between: Between) -> str:
        texts = {"name": "Spring", "template": "Hi {{ First name }}! {{ Mobile }}"}
        draft = save_draft(SHEET, step=5, country="GB", **texts)
        said: str = on_page(partial(asked_and_clicked, wired, draft, between))
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
        changing(approved=frozenset({3})),
        changing(audience=DraftAudience(sample=2)),
        changing(keep_hours=True),
        changing(handover="service"),
        changing(columns=Columns(phones=("Mobile",), consents=())),
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


def test_a_click_on_what_another_tab_has_changed_asks_to_look_again_and_then_sends_that(
    save_draft: Callable[..., Draft], open_page: Open, wired: Runtime
) -> None:
    draft = save_draft(SHEET, step=5, name="Spring", template="Hi {{ First name }}!")
    page, other = (open_page("new", draft=draft.id) for _tab in range(2))
    for text in ("Something else", "Something else again"):
        wired.drafts.change(draft.id, draft.owner, template=text)
        page.button(key="send").click().run()
        assert CHANGED in words(page)
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
