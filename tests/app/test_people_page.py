"""The page on which administrators say who may sign in: at once, for everybody, and never for nobody."""

from __future__ import annotations

from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest
from test_people import locked, seat_at, visit

from dashboard.app.phrasing.roles import MEANINGS, NAMES
from dashboard.app.runtime import Runtime
from dashboard.app.widgets.plain import plain
from dashboard.settings import ROLES

UNA, BOB = "una@example.com", "bob@example.com"


def opened_by_una(wired: Runtime) -> tuple[Runtime, AppTest]:
    """The page for an administrator whom the environment names."""
    opened = locked(wired, people={UNA: "admin"})
    return opened, visit(opened, "people", who=UNA)


def add(page: AppTest, address: str, role: str) -> None:
    next(one for one in page.text_input if one.label == "E-mail address").set_value(address)
    next(one for one in page.selectbox if one.label == "Role").set_value(role)
    button(page, "Add").click().run()


def test_every_role_has_a_name_and_a_meaning() -> None:
    assert tuple(NAMES) == tuple(MEANINGS) == ROLES


def test_somebody_is_added_changed_and_removed(wired: Runtime) -> None:
    opened, page = opened_by_una(wired)
    assert "Named by whoever runs this dashboard" in words(page)
    assert "Change…" not in [one.label for one in page.button]
    add(page, "Bob@Example.com", "viewer")
    assert f"**{plain(BOB)}** · Viewer" in words(page)
    assert page.text_input[0].value == ""
    assert opened.desk is not None
    opened.desk.read()
    seat = seat_at(opened, BOB)
    button(page, "Change…").click().run()
    next(one for one in page.radio if one.label == "Role").set_value("sender")
    button(page, "Save").click().run()
    assert f"**{plain(BOB)}** · Campaign sender" in words(page)
    button(page, "Remove…").click().run()
    button(page, "Remove them").click().run()
    assert plain(BOB) not in words(page)
    opened.desk.read()
    assert not opened.desk.holds(seat)


def test_what_cannot_be_added_is_said_and_stays_typed(wired: Runtime) -> None:
    _, page = opened_by_una(wired)
    for address, said in (("bob", "not an e-mail address"), (UNA, "on the list already")):
        add(page, address, "viewer")
        assert said in words(page)
        assert page.text_input[0].value == address


def test_a_role_counts_from_the_next_look_at_the_ledger_and_opens_no_other_page(wired: Runtime) -> None:
    opened = locked(wired, people={UNA: "admin"})
    opened.ledger.people.add(BOB, "viewer", who=UNA, given=opened.given)
    assert opened.desk is not None
    opened.desk.read()
    page = visit(opened, who=BOB)
    assert "New campaign" not in [one.label for one in page.main.get("page_link")]
    opened.ledger.people.change(BOB, "sender", who=UNA, given=opened.given)
    opened.desk.read()
    assert "New campaign" in [one.label for one in page.run().main.get("page_link")]
    said = words(page.switch_page("views/people.py").run())
    assert "needs the role Administrator" in said
    assert plain(UNA) not in said


def test_where_nobody_signs_in_there_is_nobody_to_list(open_page: Open) -> None:
    page = open_page("people")
    assert "Nobody has to sign in here" in words(page)
    assert not page.text_input
