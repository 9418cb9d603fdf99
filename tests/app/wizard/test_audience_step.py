"""Whom a draft texts: several lists at once, lists to leave out, conditions, earlier recipients, a sample."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, BinaryIO

import pytest
from app_seeds import sent_campaign, started_campaign
from page_reading import Open, button, on_page, words
from sqlalchemy import event
from streamlit.testing.v1 import AppTest
from wizard_steps import draft_of, figures, labelled, started, stored

from dashboard.app import drafting, runtime
from dashboard.app.audience import DraftAudience, DraftCondition
from dashboard.app.draft_store import Drafts
from dashboard.app.drafts import STEPS, Columns, Draft
from dashboard.app.gathered import ask_ledger_again, contacts_of, kept_audience, typed_of
from dashboard.app.runtime import Runtime
from dashboard.contacts import rejects
from dashboard.contacts.row_numbers import BLOCK
from dashboard.errors import OutputError
from dashboard.ledger import Ledger

Save = Callable[..., Draft]
PHONES = [f"+4479110{number:05d}" for number in range(1, 7)]
PEOPLE = zip(PHONES, ("York", "Leeds", "York", ""), strict=False)
SHOP = "\n".join(["First name,Mobile,City", *(f"Ann,{phone},{city}" for phone, city in PEOPLE)]).encode()
FAIR = f"Vorname,Handy,Unsubscribed\nBen,{PHONES[3]},\nBen,{PHONES[4]},\nBen,{PHONES[0]},yes\n".encode()
STAFF = f"Phone\n{PHONES[1]}\nnope\n".encode()


@pytest.fixture
def drafted(save_draft: Save, wired: Runtime) -> Draft:
    """People of the shop and of the fair, without the staff."""
    draft = save_draft(SHOP, step=3)
    drafting.add_list(draft.id, "fair.csv", io.BytesIO(FAIR), leaves_out=False)
    drafting.add_list(draft.id, "staff.csv", io.BytesIO(STAFF), leaves_out=True)
    return stored(wired, draft)


def texted(draft: Draft) -> list[str]:
    """The phones of those who are texted."""
    phones = on_page(lambda: contacts_of(stored(runtime.current(), draft)).sendable["phone"])
    return sorted(phones)


def chosen(wired: Runtime, draft: Draft, **audience: object) -> Draft:
    kept = DraftAudience.model_validate(audience)
    changed = wired.drafts.change(draft.id, "local", audience=kept)
    assert changed is not None
    return changed


def test_lists_are_checked_as_one_and_a_list_is_left_out(open_page: Open, drafted: Draft) -> None:
    page = open_page("new", draft=drafted.id)
    assert "contacts.csv, fair.csv" in words(page)
    counts = figures(page)
    assert (counts["Ready to send"], counts["Duplicates"], counts["Opted out"]) == ("3", "1", "2")
    assert "**3 people** will be texted; 1 is not chosen." in words(page)
    assert "1 row of the list to leave out, “staff.csv”, has no readable number" in words(page)
    assert texted(drafted) == [PHONES[2], PHONES[3], PHONES[4]]
    page.segmented_control(key=f"fix-tab-{drafted.id}").set_value("duplicate").run()
    assert page.dataframe[-1].value["Same as row"].tolist() == ["5 of contacts.csv"]
    table = on_page(lambda: rejects(contacts_of(drafted), typed_of(drafted)))
    assert table["list"].tolist() == ["contacts.csv", "contacts.csv", "fair.csv", "fair.csv"]
    assert table["explanation"].notna().all()
    page.query_params["step"] = STEPS[1]
    page.run()
    assert page.segmented_control[0].options == ["contacts.csv", "fair.csv", "staff.csv"]
    page.segmented_control[0].set_value(drafted.lists[0]).run()
    assert page.multiselect[0].value == ["Handy"]
    page.multiselect[0].set_value([]).run()
    assert button(page, "Continue").disabled
    assert "fair.csv: Choose the phone column." in words(page)


def test_corrections_go_with_their_list_and_move_with_those_after_it(drafted: Draft, wired: Runtime) -> None:
    rows = {2: PHONES[2], 10_000_003: PHONES[5], 20_000_003: "still no number"}
    wired.drafts.change(drafted.id, "local", fixes=rows, typed=rows, approved=rows, ticked=rows)
    assert PHONES[5] in texted(drafted)
    drafting.remove_list(drafted.id, drafted.lists[0])
    left = stored(wired, drafted)
    moved = {2: PHONES[2], 10_000_003: "still no number"}
    assert left.fixes == left.typed == left.approved == left.ticked == moved
    assert texted(left) == [PHONES[2], PHONES[3]]
    assert not wired.drafts.sheet(left).parent.parent.joinpath(drafted.lists[0]).exists()


def test_a_condition_is_asked_for_and_counted(open_draft: Open) -> None:
    page = open_draft(SHOP, step=3)
    button(page, "Add a condition").click().run()
    assert button(page, "Continue").disabled
    assert "A condition has no value" in words(page)
    labelled(page.selectbox, "Column").set_value("City").run()
    labelled(page.selectbox, "Value").set_value("York").run()
    assert figures(page)["Ready to send"] == "2"
    assert "**2 people** will be texted; 2 are not chosen." in words(page)
    assert not button(page, "Continue").disabled
    labelled(page.selectbox, "Test").set_value("blank").run()
    assert figures(page)["Ready to send"] == "1"
    button(page, "Remove this condition").click().run()
    assert figures(page)["Ready to send"] == "4"


@pytest.mark.parametrize(
    "click",
    [
        lambda page: button(page, "Remove this condition").click(),
        lambda page: labelled(page.selectbox, "Value").set_value("Leeds"),
        lambda page: labelled(page.selectbox, "Test").set_value("blank"),
    ],
)
def test_a_tab_changes_no_other_condition_than_the_one_that_it_shows(
    open_draft: Open, wired: Runtime, click: Callable[[AppTest], object]
) -> None:
    city = DraftCondition(column="City", values=("York",))
    name = DraftCondition(column="First name", values=("Ann",))
    page = open_draft(SHOP, step=3, audience=DraftAudience(conditions=(city, name)))
    chosen(wired, draft_of(wired), conditions=(name,))  # the other tab removes the first
    click(page)
    page.run()
    assert draft_of(wired).audience.conditions == (name,)


def test_nothing_is_sent_while_a_condition_cannot_be_applied(save_draft: Save, wired: Runtime) -> None:
    for condition in (DraftCondition(column="City"), DraftCondition(column="Town", values=("York",))):
        draft = save_draft(SHOP, name="Spring", template="Hi")
        assert "complete it or remove it" in started(chosen(wired, draft, conditions=(condition,)))
    assert wired.ledger.campaigns().empty


def test_those_texted_lately_and_those_of_a_campaign_are_left_out(open_draft: Open, wired: Runtime) -> None:
    campaign = started_campaign(wired.ledger, "Winter", 3)
    half = sent_campaign(wired.ledger, "Half", delivered=2, failed=0, on_the_way=1)
    for cancelled in (half, started_campaign(wired.ledger, "Unsent", 4)):
        wired.ledger.cancel(cancelled)
    page = open_draft(SHOP, step=3)
    assert figures(page)["Ready to send"] == "4"
    leave_out = labelled(page.multiselect, "Leave out people who got")
    assert [name.partition(",")[0] for name in leave_out.options] == ["Half", "Winter"]
    leave_out.set_value([campaign]).run()
    assert figures(page)["Ready to send"] == "2"
    assert "This number is in an earlier campaign whose people are left out." in words(page)
    labelled(page.multiselect, "Leave out people who got").set_value([])
    labelled(page.number_input, "Not texted").set_value(30).run()
    assert figures(page)["Ready to send"] == "2"


def test_whoever_was_texted_since_the_page_was_drawn_is_left_out_at_the_start(
    save_draft: Save, wired: Runtime
) -> None:
    draft = chosen(wired, save_draft(SHOP, name="Spring", template="Hi"), not_texted_days=30)
    on_page(ask_ledger_again)  # what is kept for a minute may be another test's
    assert len(texted(draft)) == 4
    started_campaign(wired.ledger, "Meanwhile", 3)
    assert sorted(wired.ledger.messages(started(draft))["to"]) == PHONES[2:4]


def test_a_sample_stays_until_it_is_drawn_again(open_draft: Open, wired: Runtime) -> None:
    people = [f"+44740{place * 79_197 % 10_000_000:07d}" for place in range(60)]
    page = open_draft("\n".join(["Mobile", *people]).encode(), step=3)
    labelled(page.number_input, "At most").set_value(5).run()
    assert figures(page)["Ready to send"] == "5"
    first = texted(draft_of(wired))
    assert first == texted(draft_of(wired))
    button(page, "Draw again").click().run()
    assert texted(draft_of(wired)) != first


def assert_all_or_none(again: Draft, wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of the lists cannot be stored: a text to people of a list without the one to leave out."""
    replace_sheet = Drafts.replace_sheet
    for failing in ("shop.csv", "staff.csv"):

        def refuse(
            drafts: Drafts, draft: Draft, name: str, content: BinaryIO, failing: str = failing
        ) -> Draft:
            if name == failing:
                raise OutputError("full")
            return replace_sheet(drafts, draft, name, content)

        with monkeypatch.context() as full:
            full.setattr(Drafts, "replace_sheet", refuse)
            with pytest.raises(OutputError):
                drafting.use_earlier_lists(again.id)
        assert stored(wired, again).model_dump(exclude={"told"}) == again.model_dump(exclude={"told"})


def test_the_choice_is_kept_with_the_campaign_and_made_again(
    open_page: Open, wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists, how = wired.ledger.lists, {"who": "Ann", "choices": {"country": "GB"}}
    shop = lists.save("Shop", io.BytesIO(SHOP), source="shop.csv", **how)
    staff = lists.save("Staff", io.BytesIO(STAFF), source="staff.csv", **how)
    draft = drafting.use_list(shop)
    drafting.add_saved_list(draft.id, staff, leaves_out=True)
    drafting.add_list(draft.id, "fair.csv", io.BytesIO(FAIR), leaves_out=False)
    wired.drafts.change(draft.id, "local", name="Spring", template="Hi")
    condition = DraftCondition(column="City", test="is_not", values=("Leeds",))
    draft = chosen(wired, draft, conditions=(condition,), not_texted_days=3)
    kept = kept_audience(draft)
    assert [one["name"] for one in kept["lists"]] == ["Shop", "fair.csv", "Staff"]
    campaign = started(draft)
    assert wired.ledger.audience(campaign) == kept
    assert wired.ledger.campaign(campaign).source == "shop.csv, fair.csv"
    assert set(wired.ledger.sheet_rows(campaign)["list"]) <= {"shop.csv", "fair.csv"}
    again = drafting.use_texts(campaign)
    assert_all_or_none(again, wired, monkeypatch)
    page = open_page("new", draft=again.id)
    assert "fair.csv was uploaded, not saved: choose it again below." in words(page)
    button(page, "Use the same lists: Shop, without Staff").click().run()
    made = stored(wired, again)
    assert made.audience == draft.audience
    assert [one.leaves_out for one in wired.drafts.lists(made)] == [True]
    assert made.template == "Hi"


def test_a_saved_list_is_taken_into_a_draft_with_the_choices_about_that_file(wired: Runtime) -> None:
    """Whoever saves it again meanwhile."""

    def save(ledger: Ledger, country: str, content: bytes, **more: Any) -> str:
        how = {"source": "shop.csv", "who": "Ann", "choices": {"country": country}} | more
        return ledger.lists.save("Shop", io.BytesIO(content), **how)

    for add in (False, True):
        shop, again = save(wired.ledger, "GB", SHOP), list[str]()
        begun = drafting.use_list(shop)

        def save_again(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            if "FROM saved_list" in statement and not again:  # noqa: B023
                again.append(save(other, "US", STAFF, replacing=shop))  # noqa: B023

        with Ledger.open(wired.ledger.database.url) as other:
            event.listen(wired.ledger.database.engine, "after_cursor_execute", save_again)
            if add:
                drafting.add_saved_list(begun.id, shop, leaves_out=False)
                (taken,) = wired.drafts.lists(stored(wired, begun))
            else:
                taken = drafting.use_list(shop)
            event.remove(wired.ledger.database.engine, "after_cursor_execute", save_again)
        assert again
        assert (taken.country, wired.drafts.sheet(taken).read_bytes()) == ("GB", SHOP)


def test_a_list_lives_and_goes_with_its_draft_and_is_none_of_its_own(
    open_page: Open, drafted: Draft, wired: Runtime
) -> None:
    assert "This draft no longer exists" in words(open_page("new", draft=drafted.lists[0]))
    assert [one.id for one in wired.drafts.open_ones("local")] == [drafted.id]
    folder = wired.drafts.sheet(drafted).parent.parent
    in_a_week = folder.joinpath(drafted.id, "draft.json").stat().st_mtime + 7 * 86_400
    assert wired.drafts.sweep(now=in_a_week) == 0
    wired.drafts.discard(drafted)
    assert not any(folder.joinpath(one).exists() for one in (drafted.id, *drafted.lists))


def test_a_person_approved_in_each_of_two_lists_is_asked_about_where_the_lists_meet(
    save_draft: Save, wired: Runtime
) -> None:
    rows = f"First name,Mobile,Consent\nAnn,{PHONES[0]},perhaps\nBen,{PHONES[1]} ext 5,yes\n".encode()
    columns = Columns(phones=("Mobile",), roles={"Consent": "consent"})
    draft = save_draft(rows, step=3, keep="warn", columns=columns, approved={2, 3})
    assert texted(draft) == PHONES[:2]
    other = rows.splitlines(keepends=True)
    wired.drafts.add_list(draft, "b.csv", io.BytesIO(b"".join(other[:2])), draft.about_sheet(), country="GB")
    assert texted(draft) == [PHONES[1]]
    checked = on_page(lambda: contacts_of(stored(wired, draft)).rows)
    assert checked.loc[checked["status"] == "review", "row"].tolist() == [2, BLOCK + 2]
    wired.drafts.remove_list(draft, stored(wired, draft).lists[0])
    assert texted(draft) == PHONES[:2], "asked what was approved"
