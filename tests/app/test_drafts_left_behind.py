"""Drafts that are taken up after the world went on: what no longer holds is said, and can be put right."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from each import each
from page_reading import Open, button, words
from tiers import only_deep
from wizard_steps import started, stored

from dashboard.app import runtime
from dashboard.app.drafts import Columns, Draft
from dashboard.app.runtime import Runtime
from dashboard.campaigns import Prices
from dashboard.contacts.row_numbers import BLOCK

Save = Callable[..., Draft]
Stands = Callable[[Save, Open, Runtime, dict[str, object]], None]

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
ODD: tuple[dict[str, object], ...] = (
    *({"step": step} for step in (6, 0, -1, 10**9, "3")),
    {"reached": 9},
    {"file_name": "../../etc/passwd"},
    {"size_bytes": 10**30},
    {"stored_as": "sheet-gone.csv"},
    {"worksheet": "Nope"},
    *({"encoding": encoding} for encoding in ("nonsense", "", "utf-16", "base64")),
    *({"delimiter": sign} for sign in ("", "ab", "\n", '"')),
    *({"header_row": row} for row in (-1, 10**40)),
    {"columns": {"phones": []}},
    {"columns": {"phones": ["Mobile", "Mobile"], "opt_outs": ["Mobile"]}},
    *({"country": country} for country in ("", "gb", "\U0001f600")),
    {"fixes": {"-1": "x", "99999999999999999999999": "1"}, "approved": {"-1": "a", "9" * 23: "b"}},
    {"audience": {"sample": 10**30, "seed": 10**40, "campaigns": ["gone"]}},
    *(
        {"audience": {"conditions": [{"column": "City", "test": test, "values": [value]}]}}
        for test, value in (("odd", "x"), ("after", "9999-12-31"), ("after", "0001-01-01"), ("less", "nan"))
    ),
    *({"template": text} for text in ("{{", "{% for %}", "\0", "x" * 5000)),
    {"variants": [{"template": "Hi"}]},
    {"variants": [{"template": "Hi", "weight": 10**30}] * 40},
    {"sender": "\0"},
    *({"when": when} for when in ("later", "local")),
    {"when": "later", "send_at": "0001-01-01T00:00:00Z"},
    {"keep_hours": True, "hours": {"start": "20:00", "end": "09:00"}},
    *({"home": zone, "keep_hours": True} for zone in ("", "/etc/passwd", "../x")),
    {"created_at": "0001-01-01T00:00:00Z"},
    {"unknown": 1},
)
UNREADABLE: tuple[dict[str, object], ...] = (
    *({"step": step} for step in (None, 2.5, "x")),
    *({"stored_as": name} for name in ("../x", "/etc/passwd", "draft.json")),
    {"encoding": "\0"},
    {"lists": ["../x"]},
    *({"columns": columns} for columns in ({}, [])),
    *({"audience": {"not_texted_days": days}} for days in (0, 10**6, 10**30)),
    {"when": "later", "send_at": "9999-12-31T23:59:59-12:00"},
    {"when": "local", "local_at": "9999-12-31T23:59:59"},
    *({"keep_hours": True, "hours": {"days": [day]}} for day in (-1, 7)),
    {"country_hours": {"": {}}},
    *({field: "9999-12-31T23:59:59Z"} for field in ("created_at", "columns_since")),
    {"id": "../../x"},
    {"name": "\ud800"},
)
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
        fixes={"99": "07911 123459"}, approved={"98": "a"}, typed={"97": "1"}
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


def opens(save_draft: Save, open_page: Open, wired: Runtime, odd: dict[str, object]) -> None:
    """A draft with odd content is opened at each step, and listed."""
    for step in (5, 4, 3, 2, 1):
        draft = save_draft(SHEET, **READY, step=step, reached=5)
        with_other_values(**odd)(wired, draft)
        assert "no longer exists" not in words(open_page("new", draft=draft.id))
        if step == 5:
            assert "Spring" in [one.label for one in open_page("new").button]
            assert "Spring" in [one.label for one in open_page("overview").get("page_link")]
        wired.drafts.discard(draft)


def is_named(
    save_draft: Callable[..., Draft], open_page: Open, wired: Runtime, odd: dict[str, object]
) -> None:
    """One that cannot be read is named with what to do, and nothing of it is lost."""
    draft = save_draft(SHEET, **READY)
    folder = wired.drafts.sheet(draft).parent
    with_other_values(**odd)(wired, draft)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    for where in ({}, {"draft": draft.id}, {"draft": draft.id, "step": "review"}):
        page = open_page("new", **where)
        assert "1 draft cannot be read" in words(page)
        assert "no longer exists" not in words(page)
    assert not open_page("overview").error
    assert wired.drafts.sweep() == 0
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    shutil.rmtree(folder)


@each("stands, odd", [(opens, ODD[0]), (is_named, UNREADABLE[0])])
def test_a_draft_with_odd_content_is_opened_or_named(
    save_draft: Save, open_page: Open, wired: Runtime, stands: Stands, odd: dict[str, object]
) -> None:
    stands(save_draft, open_page, wired, odd)


@pytest.mark.deep
@each("stands, odd", [*((opens, odd) for odd in ODD[1:]), *((is_named, odd) for odd in UNREADABLE[1:])])
def test_whatever_a_draft_holds_it_is_opened_or_named(
    save_draft: Save, open_page: Open, wired: Runtime, stands: Stands, odd: dict[str, object]
) -> None:
    stands(save_draft, open_page, wired, odd)


def test_files_of_drafts_that_are_no_drafts_are_named_to_those_whose_they_may_be(wired: Runtime) -> None:
    begun = wired.drafts.begin("eve@example.com", "contacts.csv", io.BytesIO(SHEET))
    stored = wired.drafts.sheet(begun).parent / "draft.json"
    for content, owners in (
        (b"", ["local", "eve@example.com"]),
        (b"{}", ["local", "eve@example.com"]),
        (b"[1]", ["local", "eve@example.com"]),
        (b"\xff", ["local", "eve@example.com"]),
        (b'{"owner": "eve@example.com"}', ["eve@example.com"]),
    ):
        stored.write_bytes(content)
        found = [one for one in ("local", "eve@example.com") if wired.drafts.unreadable(one)]
        assert found == owners


def test_a_list_that_can_no_longer_be_read_keeps_the_draft_from_being_sent_until_it_is_removed(
    save_draft: Callable[..., Draft], open_page: Open, wired: Runtime
) -> None:
    """It may be one of people to leave out."""
    for damage in (lambda file: file.write_bytes(b"{"), lambda file: file.unlink()):
        draft = save_draft(SHEET, **READY, step=5)
        for name in ("out.csv", "more.csv"):
            wired.drafts.add_list(draft, name, io.BytesIO(SHEET), leaves_out=name == "out.csv", country="GB")
        lists = stored(wired, draft).lists
        wired.drafts.change(draft.id, "local", approved={2: "a", BLOCK + 2: "b"})
        damage(wired.drafts.sheet(wired.drafts.lists(stored(wired, draft))[0]).parent / "draft.json")
        assert "can no longer be read" in started(draft)
        assert wired.ledger.campaigns().empty
        page = open_page("new", draft=draft.id, step="upload")
        assert "can no longer be read" in words(page)
        assert button(page, "Continue").disabled
        page.button(key=f"remove-{lists[0]}").click().run()
        assert "can no longer be read" not in words(page)
        assert stored(wired, draft).approved == {2: "a"}  # nobody knows which list the others were of
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
