"""The roles of columns in step 2: each is shown, given another one, and kept with what was chosen."""

from __future__ import annotations

import io

import pytest
from page_reading import Open, button, on_page, words
from streamlit.testing.v1 import AppTest
from wizard_steps import begun, choice, draft_of, labelled, onward, say, statuses, stored

from dashboard.app import drafting
from dashboard.app.runtime import Runtime
from dashboard.contacts.columns.rules import ROLES, Role

HEAD = "Mobile,Consent to SMS,Status,Preferred contact,Bounced,Email newsletter,MKT_SUPP_IND,Town"
ROWS = (
    "07400123450,yes,Active,SMS,,no,Y,Hull",
    "07400123451,yes,Gone,SMS,,yes,N,Leeds",
    "07400123452,yes,Unsubscribed,SMS,yes,yes,N,Hull",
    "07400123453,no,Active,post,,yes,N,Hull",
)
SHEET = "\n".join((HEAD, *ROWS)).encode()


@pytest.fixture
def page(open_page: Open) -> AppTest:
    """Step 2 of a sheet with a column of every kind."""
    return begun(open_page("new"), SHEET)


def roles_on(page: AppTest) -> dict[str, Role]:
    return {one.label: one.value for one in page.selectbox if one.label in HEAD and one.label != "Town"}


GUESSED = {
    "Consent to SMS": "consent",
    "Status": "status",
    "Preferred contact": "preference",
    "Bounced": "wrong number",
    "Email newsletter": "other channel",
}


def test_every_role_is_shown_changed_and_still_there_after_a_reload(
    page: AppTest, open_page: Open, wired: Runtime
) -> None:
    assert roles_on(page) == GUESSED
    assert labelled(page.selectbox, "Status").options == list(ROLES.values())
    say(page, "MKT_SUPP_IND", "refusal")
    assert "may say who must not be texted" not in words(page)
    assert statuses(wired) == ["opted_out", "ok", "opted_out", "opted_out"]
    say(page, "MKT_SUPP_IND", "doubt")
    say(page, "Bounced", "nothing")
    labelled(page.selectbox, "Add a column").select("Town").run()
    assert labelled(page.selectbox, "Town").value is None
    say(page, "Town", "nothing")
    assert labelled(page.selectbox, "Town").value == "nothing"
    say(page, "Town", "other channel")
    assert statuses(wired) == ["review", "ok", "opted_out", "opted_out"]
    changed = GUESSED | {"Bounced": "nothing", "MKT_SUPP_IND": "doubt"}
    again = open_page("new", draft=draft_of(wired).id, step="columns")
    for one in (page.run(), again):
        assert roles_on(one) == changed
        assert labelled(one.selectbox, "Town").value == "other channel"
        assert "3 columns say nothing about texts" in [each.label for each in one.expander]


def test_a_question_is_answered_as_a_whole_and_if_it_says_nothing_value_by_value(
    page: AppTest, open_page: Open, wired: Runtime
) -> None:
    other = open_page("new", draft=draft_of(wired).id, step="columns")
    say(page, "MKT_SUPP_IND", "consent")
    assert statuses(wired)[1] == "opted_out"
    say(page, "MKT_SUPP_IND", "other channel")
    choice(other, "Y · 1").set_value("must_not").run()  # asked before somebody said it
    assert statuses(wired)[0] == "ok"
    assert not page.run().button_group
    say(page, "MKT_SUPP_IND", "nothing")
    assert (choice(page, "Y · 1").value, choice(page, "N · 3").value) == ("nothing", "nothing")
    assert "MKT_SUPP_IND" in labelled(page.selectbox, "Add a column").options
    labelled(page.selectbox, "Add a column").select("MKT_SUPP_IND").run()
    assert labelled(page.selectbox, "MKT_SUPP_IND").value == "nothing"
    choice(page, "Y · 1").set_value("must_not").run()
    assert labelled(page.selectbox, "MKT_SUPP_IND").value is None
    assert statuses(wired)[0] == "opted_out"


def test_the_next_sheet_with_the_same_columns_has_the_roles_and_its_cells_count_for_the_others(
    page: AppTest, open_page: Open, wired: Runtime
) -> None:
    """A column that says nothing yet may refuse in the next sheet."""
    plain = HEAD.encode() + b"\n07400123450,yes,,,,,Y,Hull\n07400123451,yes,,,,,N,Hull\n"
    first = begun(open_page("new"), plain)
    assert "Status" not in roles_on(first)
    say(first, "MKT_SUPP_IND", "refusal")
    onward(first)
    page = begun(open_page("new"), SHEET)
    assert "Matched as in a sheet with the same columns" in words(page)
    assert roles_on(page) == GUESSED | {"MKT_SUPP_IND": "refusal"}
    button(page, "Guess again").click().run()
    assert roles_on(page) == GUESSED
    assert statuses(wired)[0] == "review"


def test_a_saved_list_and_each_of_several_lists_has_roles_of_its_own(page: AppTest, wired: Runtime) -> None:
    say(page, "MKT_SUPP_IND", "refusal")
    onward(page)
    on_page(lambda: drafting.save_list(draft_of(wired), "Customers"))
    (saved,) = wired.ledger.lists.all()["list"]
    rows = wired.ledger.lists.contacts(saved, country="GB").rows
    assert rows["status"].tolist() == ["opted_out", "ok", "opted_out", "opted_out"]
    draft = draft_of(wired)
    for leaves_out in (False, True):
        wired.drafts.add_list(draft, f"{leaves_out}.csv", io.BytesIO(SHEET), leaves_out=leaves_out)
    wired.drafts.change(draft.id, "local", step=2)
    button(page.run(), "Back").click().run()
    assert roles_on(page) == GUESSED | {"MKT_SUPP_IND": "refusal"}
    lists = page.button_group[0]
    lists.set_value(stored(wired, draft).lists[0]).run()
    assert roles_on(page) == GUESSED | {"MKT_SUPP_IND": "refusal"}, "as in the other sheet"
    say(page, "MKT_SUPP_IND", "wrong number")
    page.button_group[0].set_value(draft.id).run()
    assert roles_on(page)["MKT_SUPP_IND"] == "refusal"
    page.button_group[0].set_value(stored(wired, draft).lists[1]).run()
    assert roles_on(page) == {}, "every number of it is left out"
