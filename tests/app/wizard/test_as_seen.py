"""What somebody agreed to is what is sent: whatever changed between the question and the click is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial

import pytest
from each import each
from page_reading import on_page
from patience import PATIENCE_S

from dashboard.app import actions, runtime
from dashboard.app.drafts import Draft
from dashboard.app.prepare import capped_of
from dashboard.app.runtime import Runtime
from dashboard.errors import CampaignError

PHONES = [f"+4479110{number:05d}" for number in range(1, 5)]
SHEET = ("First name,Mobile\n" + "".join(f"Ann,{phone}\n" for phone in PHONES)).encode()
CHANGED = "has changed since you looked"

Between = Callable[[Runtime, Draft], object]


def asked_and_clicked(app: Runtime, draft: Draft, between: Between) -> str | None:
    """As a page draws the question, and takes the click later."""
    seen = capped_of(draft, app.now())
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


@each("between, texted", [(changing(), 4), (changing(step=4, told=frozenset({"name"})), 4), (an_opt_out, 3)])
def test_what_is_as_it_was_seen_is_sent_without_those_who_opted_out(
    wired: Runtime, click: Callable[[Between], str], between: Between, texted: int
) -> None:
    assert wired.ledger.campaign(click(between)).recipients == texted
