"""Drafts that are taken up after the world went on: what no longer holds is said, and can be put right."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from each import each
from page_reading import Open, button, words
from tiers import only_deep

from dashboard.app import runtime
from dashboard.app.drafts import Columns, Draft
from dashboard.app.runtime import Runtime
from dashboard.campaigns import Prices

SHEET = b"First name,Mobile,City\nAnn,07911 123451,Leeds\nBen,nope,York\nCleo,07911 123453,\n"
NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=9)
READY: dict[str, object] = {
    "name": "Spring",
    "template": "Hi {{ First name }}!",
    "columns": Columns(phones=("Mobile",)),
}
LATER: dict[str, object] = {"when": "later", "send_at": LONG_AGO}
LOCAL: dict[str, object] = {"when": "local", "local_at": LONG_AGO.replace(tzinfo=None)}
MORE = (
    *(LATER | {"handover": "service"}, LATER | {"keep_hours": True}, LOCAL | {"keep_hours": True}),
    LATER | {"send_at": NOW - timedelta(minutes=1)},
)


@pytest.mark.parametrize("choice", [LATER, LOCAL, *only_deep(*MORE)])
def test_a_time_that_has_passed_is_asked_for_anew_or_sent_now(
    open_draft: Open, wired: Runtime, choice: dict[str, object]
) -> None:
    page = open_draft(SHEET, step=5, **READY, **choice)
    (draft,) = wired.drafts.open_ones("local")
    when, field = f"when-{draft.id}", f"{[*choice][1]}-{draft.id}"

    def asks_anew() -> bool:
        asks = "has passed. Choose a new one" in words(page)
        assert asks is ("send" not in [one.key for one in page.button])
        return asks

    assert asks_anew()
    page.segmented_control(key=when).set_value("now").run()
    assert not asks_anew()
    assert "Send 2 messages" in [one.label for one in page.button]
    page.segmented_control(key=when).set_value(choice["when"]).run()
    assert asks_anew()
    assert page.datetime_input(key=field).value is None
    page.datetime_input(key=field).set_value(datetime.now(UTC).replace(tzinfo=None) + timedelta(days=3)).run()
    assert not asks_anew()
    assert "Schedule 2 messages" in [one.label for one in page.button]


def without_its_sheet(wired: Runtime, draft: Draft) -> None:
    wired.drafts.sheet(draft).unlink()


def with_no_sheet_at_all(wired: Runtime, draft: Draft) -> None:
    wired.drafts.sheet(draft).write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    wired.drafts.save(draft.model_copy(update={"digest": "0" * 64}))


def by_an_older_program(wired: Runtime, draft: Draft) -> None:
    """Fields that came later are missing, and one that there is no more is there."""
    stored = wired.drafts.sheet(draft).parent / "draft.json"
    known = {"id", "owner", "created_at", "step", "file_name", "digest", "columns", "country", "template"}
    fields = {name: value for name, value in json.loads(stored.read_text()).items() if name in known}
    stored.write_text(json.dumps(fields | {"subject": "Sale"}))


def under_a_new_price_list(wired: Runtime, draft: Draft) -> None:
    del draft
    runtime.use(replace(wired, listed=Prices({"FR": Decimal("0.1")}, None, "EUR")))


def with_other_values(**fields: object) -> Callable[[Runtime, Draft], None]:
    def change(wired: Runtime, draft: Draft) -> None:
        stored = wired.drafts.sheet(draft).parent / "draft.json"
        stored.write_text(json.dumps(json.loads(stored.read_text()) | fields))

    return change


NO_HOURS = {"days": []}
CHANGES = {
    "no sheet": without_its_sheet,
    "another file": with_no_sheet_at_all,
    "an older program": by_an_older_program,
    "a new price list": under_a_new_price_list,
    "columns that are gone": with_other_values(columns={"phones": ["Phone"], "country": "Land"}),
    "a list that is gone": with_other_values(saved_list="0" * 32),
    "a newer program": with_other_values(step=9),
    "unknown values": with_other_values(when="never", columns={"phones": "Mobile"}),
    "a zone that is gone": with_other_values(
        home="Mars/Base",
        keep_hours=True,
        when="local",
        local_at=f"{NOW + timedelta(days=2):%Y-%m-%dT%H:%M:%S}",
    ),
    "hours that are none": with_other_values(
        keep_hours=True, hours=NO_HOURS, country_hours={"ZZ": NO_HOURS}, country="ZZ"
    ),
    "a field of another sheet": with_other_values(template="Hi {{ Nickname }}!"),
    "rows of another sheet": with_other_values(
        fixes={"99": "07911 123459"}, approved=[98], typed={"97": "1"}
    ),
}


@pytest.mark.deep
@each("changed, step", [(changed, step) for changed in CHANGES for step in range(1, 6)])
def test_a_step_stands_whatever_changed_since(
    save_draft: Callable[..., Draft], open_page: Open, wired: Runtime, changed: str, step: int
) -> None:
    runtime.use(wired)
    draft = save_draft(SHEET, **READY, step=step)
    CHANGES[changed](wired, draft)
    page = open_page("new", draft=draft.id)  # that it is no exception is checked there
    assert page.button, words(page)  # and there is a way on
    wired.drafts.discard(draft)


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
    assert wired.ledger.lists.all()["name"].tolist() == ["Spring"]
