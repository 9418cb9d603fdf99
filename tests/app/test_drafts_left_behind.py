"""Drafts that are taken up after the world went on: what no longer holds is said, and can be put right."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from page_reading import button, words
from streamlit.testing.v1 import AppTest
from tiers import only_deep

from dashboard.app import runtime
from dashboard.app.drafts import Columns, Draft, DraftHours
from dashboard.app.runtime import Runtime
from dashboard.campaigns import Prices

Open = Callable[..., AppTest]
SHEET = b"First name,Mobile,City\nAnn,07911 123451,Leeds\nBen,nope,York\nCleo,07911 123453,\n"
NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=9)
READY: dict[str, object] = {
    "name": "Spring",
    "template": "Hi {{ First name }}!",
    "columns": Columns(phones=("Mobile",)),
}
CHOICES: dict[str, dict[str, object]] = {
    "one time": {"when": "later", "send_at": LONG_AGO},
    "one time at the service": {"when": "later", "send_at": LONG_AGO, "handover": "service"},
    "one time in texting hours": {"when": "later", "send_at": LONG_AGO, "keep_hours": True},
    "a minute ago": {"when": "later", "send_at": NOW - timedelta(minutes=1)},
    "their clock": {"when": "local", "local_at": LONG_AGO.replace(tzinfo=None)},
    "their clock in texting hours": {
        "when": "local",
        "local_at": LONG_AGO.replace(tzinfo=None),
        "keep_hours": True,
    },
}

FIRST = ("one time", "their clock")
EACH_CHOICE = [*FIRST, *only_deep(*(choice for choice in CHOICES if choice not in FIRST))]


def draft_of(wired: Runtime) -> Draft:
    return wired.drafts.open_ones("local")[0]


@pytest.mark.parametrize("choice", EACH_CHOICE)
def test_a_time_that_has_passed_is_asked_for_anew(open_draft: Open, wired: Runtime, choice: str) -> None:
    page = open_draft(SHEET, step=5, **READY, **CHOICES[choice])
    assert "has passed. Choose a new one" in page.warning[0].value
    assert "send" not in [one.key for one in page.button]
    draft = draft_of(wired)
    key = f"{'send_at' if draft.when == 'later' else 'local_at'}-{draft.id}"
    assert page.datetime_input(key=key).value is None
    page.datetime_input(key=key).set_value(datetime.now(UTC).replace(tzinfo=None) + timedelta(days=3)).run()
    assert not page.exception, page.exception
    assert "has passed" not in words(page)
    assert "Schedule 2 messages" in [one.label for one in page.button]


@pytest.mark.parametrize("choice", EACH_CHOICE)
def test_what_was_too_late_is_sent_now_when_asked_to(open_draft: Open, wired: Runtime, choice: str) -> None:
    page = open_draft(SHEET, step=5, **READY, **CHOICES[choice])
    page.segmented_control(key=f"when-{draft_of(wired).id}").set_value("now").run()
    assert not page.exception, page.exception
    assert "has passed" not in words(page)
    assert "Send 2 messages" in [one.label for one in page.button]


@pytest.mark.deep
def test_a_time_that_passes_while_the_page_is_open_is_asked_for_anew(
    open_draft: Open, wired: Runtime
) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=5)
    page = open_draft(SHEET, step=5, **READY, when="later", send_at=soon)
    while datetime.now(UTC) <= soon:
        time.sleep(0.1)
    page.run()
    assert not page.exception, page.exception
    assert "has passed. Choose a new one" in page.warning[0].value
    assert "send" not in [one.key for one in page.button]


def without_its_sheet(wired: Runtime, draft: Draft) -> None:
    wired.drafts.sheet(draft).unlink()


def with_another_sheet(wired: Runtime, draft: Draft) -> None:
    """As after a program that reads the same bytes otherwise: the chosen columns are gone."""
    wired.drafts.save(draft.model_copy(update={"columns": Columns(phones=("Phone",), country="Land")}))


def with_no_sheet_at_all(wired: Runtime, draft: Draft) -> None:
    wired.drafts.sheet(draft).write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    wired.drafts.save(draft.model_copy(update={"digest": "0" * 64}))


def from_a_list_that_is_gone(wired: Runtime, draft: Draft) -> None:
    wired.drafts.save(draft.model_copy(update={"saved_list": "0" * 32}))


def written_by(wired: Runtime, draft: Draft, **fields: Any) -> None:
    stored = wired.drafts.sheet(draft).parent / "draft.json"
    stored.write_text(json.dumps(json.loads(stored.read_text()) | fields))


def by_an_older_program(wired: Runtime, draft: Draft) -> None:
    """Fields that came later are missing, and one that there is no more is there."""
    stored = wired.drafts.sheet(draft).parent / "draft.json"
    known = {"id", "owner", "created_at", "step", "file_name", "digest", "columns", "country", "template"}
    fields = {name: value for name, value in json.loads(stored.read_text()).items() if name in known}
    stored.write_text(json.dumps(fields | {"subject": "Sale"}))


def by_a_newer_program(wired: Runtime, draft: Draft) -> None:
    written_by(wired, draft, step=9)


def with_a_value_of_its_own(wired: Runtime, draft: Draft) -> None:
    written_by(wired, draft, when="never", columns={"phones": "Mobile"})


def in_a_zone_that_is_gone(wired: Runtime, draft: Draft) -> None:
    choices = {"home": "Mars/Base", "keep_hours": True, "when": "local"}
    written_by(wired, draft, **choices, local_at=f"{NOW + timedelta(days=2):%Y-%m-%dT%H:%M:%S}")


def with_hours_that_are_none(wired: Runtime, draft: Draft) -> None:
    hours = DraftHours(days=frozenset())
    kept = {"keep_hours": True, "hours": hours, "country_hours": {"ZZ": hours}, "country": "ZZ"}
    wired.drafts.save(draft.model_copy(update=kept))


def with_a_field_of_another_sheet(wired: Runtime, draft: Draft) -> None:
    wired.drafts.save(draft.model_copy(update={"template": "Hi {{ Nickname }}!"}))


def with_rows_of_another_sheet(wired: Runtime, draft: Draft) -> None:
    rows = {"fixes": {99: "07911 123459"}, "approved": frozenset({98}), "typed": {97: "1"}}
    wired.drafts.save(draft.model_copy(update=rows))


def under_a_new_price_list(wired: Runtime, draft: Draft) -> None:
    del draft
    runtime.use(replace(wired, listed=Prices({"FR": Decimal("0.1")}, None, "EUR")))


CHANGES = [
    without_its_sheet,
    with_another_sheet,
    with_no_sheet_at_all,
    from_a_list_that_is_gone,
    by_an_older_program,
    by_a_newer_program,
    with_a_value_of_its_own,
    in_a_zone_that_is_gone,
    with_hours_that_are_none,
    with_a_field_of_another_sheet,
    with_rows_of_another_sheet,
    under_a_new_price_list,
]


@pytest.mark.deep
@pytest.mark.parametrize("step", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_step_stands_whatever_changed_since(
    save_draft: Callable[..., Draft],
    open_page: Open,
    wired: Runtime,
    change: Callable[[Runtime, Draft], None],
    step: int,
) -> None:
    draft = save_draft(SHEET, **READY, step=step)
    change(wired, draft)
    page = open_page("new", draft=draft.id)  # that it is no exception is checked there
    assert page.button, words(page)  # and there is a way on


def test_a_list_that_is_gone_is_saved_as_a_new_one(open_draft: Open, wired: Runtime) -> None:
    page = open_draft(SHEET, step=3, **READY, saved_list="0" * 32)
    button(page, "Save the list again…").click().run()
    button(page, "Save the list again…").click()
    page.button(key="confirm-save-list").click().run()
    assert "Save it as a new one" in page.error[0].value
    page.run()
    button(page, "Save the list…").click().run()
    button(page, "Save the list…").click()
    page.button(key="confirm-save-list").click().run()
    assert not page.exception, page.exception
    assert wired.ledger.lists.all()["name"].tolist() == ["Spring"]
