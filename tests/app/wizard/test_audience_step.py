"""Whom a draft texts: several lists at once, lists to leave out, conditions, earlier recipients, a sample."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial

import pandas as pd
import pytest
from app_seeds import sent_campaign, started_campaign
from page_reading import button, on_page, words
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest

from dashboard.app import actions, runtime
from dashboard.app.audience import DraftAudience, DraftCondition
from dashboard.app.drafts import Draft
from dashboard.app.gathered import contacts_of, kept_audience, typed_of
from dashboard.app.runtime import Runtime
from dashboard.contacts import rejects
from dashboard.errors import CampaignError

Open = Callable[..., AppTest]
Save = Callable[..., Draft]
PHONES = [f"+4479110{number:05d}" for number in range(1, 7)]
CITIES = ["York", "Leeds", "York", ""]
SHOP = "\n".join(
    [
        "First name,Mobile,City",
        *(f"Ann,{phone},{city}" for phone, city in zip(PHONES[:4], CITIES, strict=True)),
    ]
)
FAIR = f"Vorname,Handy,Unsubscribed\nBen,{PHONES[3]},\nBen,{PHONES[4]},\nBen,{PHONES[0]},yes\n"
STAFF = f"Phone\n{PHONES[1]}\nnope\n"


def file(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


@pytest.fixture
def drafted(save_draft: Save, wired: Runtime) -> Draft:
    """People of the shop and of the fair, without the staff."""
    draft = save_draft(SHOP.encode(), step=3)
    actions.add_list(draft.id, "fair.csv", file(FAIR), leaves_out=False)
    actions.add_list(draft.id, "staff.csv", file(STAFF), leaves_out=True)
    return stored(wired, draft)


def stored(wired: Runtime, draft: Draft) -> Draft:
    found = wired.drafts.find(draft.id, "local")
    assert found is not None
    return found


def texted(draft: Draft) -> list[str]:
    """The phones of those who are texted."""
    phones: list[str] = on_page(partial(_texted, draft.id))
    return phones


def _texted(draft_id: str) -> list[str]:
    draft = runtime.current().drafts.find(draft_id, "local")
    assert draft is not None
    return sorted(contacts_of(draft).sendable["phone"])


def _left_out(draft_id: str) -> pd.DataFrame:
    draft = runtime.current().drafts.find(draft_id, "local")
    assert draft is not None
    return rejects(contacts_of(draft), typed_of(draft))


def _started(draft_id: str) -> str | None:
    draft = runtime.current().drafts.find(draft_id, "local")
    assert draft is not None
    try:
        return actions.start_campaign(draft).result(PATIENCE_S)
    except CampaignError as error:
        return str(error)


def chosen(wired: Runtime, draft: Draft, **audience: object) -> Draft:
    kept = DraftAudience.model_validate(audience)
    changed = wired.drafts.change(draft.id, "local", audience=kept)
    assert changed is not None
    return changed


def shown(page: AppTest) -> dict[str, str]:
    assert not page.exception, page.exception
    return {metric.label: metric.value for metric in page.metric}


def test_lists_are_checked_as_one_and_a_list_is_left_out(open_page: Open, drafted: Draft) -> None:
    page = open_page("new", draft=drafted.id)
    assert "contacts.csv, fair.csv" in words(page)
    counts = shown(page)
    assert (counts["Ready to send"], counts["Duplicates"], counts["Opted out"]) == ("3", "1", "2")
    assert "**3 people** will be texted; 1 is not chosen." in words(page)
    assert "1 row of the list to leave out, “staff.csv”, has no readable number" in words(page)
    assert texted(drafted) == [PHONES[2], PHONES[3], PHONES[4]]
    table = on_page(partial(_left_out, drafted.id))
    assert table["list"].tolist() == ["contacts.csv", "contacts.csv", "fair.csv", "fair.csv"]
    assert table["explanation"].notna().all()


def test_a_draft_with_lists_that_is_not_uploaded_yet_asks_for_each_lists_columns(
    open_page: Open, drafted: Draft, wired: Runtime
) -> None:
    wired.drafts.change(drafted.id, "local", step=2)
    page = open_page("new", draft=drafted.id)
    assert page.segmented_control[0].options == ["contacts.csv", "fair.csv", "staff.csv"]
    page.segmented_control[0].set_value(drafted.lists[0]).run()
    assert page.multiselect[0].value == ["Handy"]
    page.multiselect[0].set_value([]).run()
    assert button(page, "Continue").disabled
    assert "fair.csv: Choose the phone column." in words(page)


def test_a_row_of_another_list_is_corrected_and_its_list_removed(drafted: Draft, wired: Runtime) -> None:
    fixes = {10_000_003: PHONES[5], 2: PHONES[2]}
    wired.drafts.change(drafted.id, "local", fixes=fixes)
    draft = stored(wired, drafted)
    assert PHONES[5] in texted(draft)
    actions.remove_list(draft.id, draft.lists[0])
    draft = stored(wired, drafted)
    assert draft.fixes == {2: PHONES[2]}
    assert texted(draft) == [PHONES[2], PHONES[3]]
    assert not wired.drafts.sheet(draft).parent.parent.joinpath(drafted.lists[0]).exists()


def test_corrections_move_with_the_lists_after_a_removed_one(save_draft: Save, wired: Runtime) -> None:
    draft = save_draft(SHOP.encode(), step=3)
    for name in ("one.csv", "two.csv"):
        actions.add_list(draft.id, name, file(FAIR), leaves_out=False)
    rows = {2: "a", 10_000_002: "b", 20_000_002: "c"}
    places = frozenset(rows)
    wired.drafts.change(draft.id, "local", fixes=rows, typed=rows, approved=places, ticked=places)
    actions.remove_list(draft.id, stored(wired, draft).lists[0])
    left = stored(wired, draft)
    assert left.fixes == left.typed == {2: "a", 10_000_002: "c"}
    assert left.approved == left.ticked == {2, 10_000_002}


def test_a_condition_is_asked_for_and_counted(open_draft: Open, wired: Runtime) -> None:
    page = open_draft(SHOP.encode(), step=3)
    button(page, "Add a condition").click().run()
    assert button(page, "Continue").disabled
    assert "A condition has no value" in words(page)
    column = next(one for one in page.selectbox if one.label == "Column")
    column.set_value("City").run()
    next(one for one in page.selectbox if one.label == "Value").set_value("York").run()
    assert shown(page)["Ready to send"] == "2"
    assert "**2 people** will be texted; 2 are not chosen." in words(page)
    assert not button(page, "Continue").disabled
    next(one for one in page.selectbox if one.label == "Test").set_value("blank").run()
    assert shown(page)["Ready to send"] == "1"
    button(page, "Remove this condition").click().run()
    assert shown(page)["Ready to send"] == "4"


def test_a_tab_changes_no_other_condition_than_the_one_that_it_shows(
    save_draft: Save, open_page: Open, wired: Runtime
) -> None:
    city = DraftCondition(column="City", values=("York",))
    name = DraftCondition(column="First name", values=("Ann",))
    draft = save_draft(SHOP.encode(), step=3)
    clicks: list[Callable[[AppTest], object]] = [
        lambda page: button(page, "Remove this condition").click().run(),
        lambda page: next(one for one in page.selectbox if one.label == "Value").set_value("Leeds").run(),
        lambda page: next(one for one in page.selectbox if one.label == "Test").set_value("blank").run(),
    ]
    for click in clicks:
        chosen(wired, draft, conditions=(city, name))
        page = open_page("new", draft=draft.id)
        chosen(wired, draft, conditions=(name,))  # the other tab removes the first
        click(page)
        assert not page.exception, page.exception
        assert stored(wired, draft).audience.conditions == (name,)


def test_nothing_is_sent_while_a_condition_cannot_be_applied(save_draft: Save, wired: Runtime) -> None:
    for condition in (DraftCondition(column="City"), DraftCondition(column="Town", values=("York",))):
        draft = save_draft(SHOP.encode(), name="Spring", template="Hi")
        draft = chosen(wired, draft, conditions=(condition,))
        assert "complete it or remove it" in on_page(partial(_started, draft.id))
    assert wired.ledger.campaigns().empty


def test_those_texted_lately_and_those_of_a_campaign_are_left_out(
    save_draft: Save, open_page: Open, wired: Runtime
) -> None:
    campaign = started_campaign(wired.ledger, "Winter", 3)
    sent_campaign(wired.ledger, "Spring", delivered=2, failed=0, on_the_way=0)
    draft = save_draft(SHOP.encode(), step=3)
    page = open_page("new", draft=draft.id)
    next(one for one in page.number_input if one.label.startswith("Not texted")).set_value(30).run()
    assert shown(page)["Ready to send"] == "2"
    page = open_page("new", draft=save_draft(SHOP.encode(), step=3).id)
    assert shown(page)["Ready to send"] == "4"
    page.multiselect[0].set_value([campaign]).run()
    assert shown(page)["Ready to send"] == "2"
    assert "This number is in an earlier campaign whose people are left out." in words(page)


def test_whoever_was_texted_since_the_page_was_drawn_is_left_out_at_the_start(
    save_draft: Save, wired: Runtime
) -> None:
    draft = save_draft(SHOP.encode(), name="Spring", template="Hi")
    draft = chosen(wired, draft, not_texted_days=30)
    assert len(texted(draft)) == 4
    started_campaign(wired.ledger, "Meanwhile", 3)
    campaign = on_page(partial(_started, draft.id))
    assert sorted(wired.ledger.messages(campaign)["to"]) == PHONES[2:4]


def test_people_of_a_campaign_that_was_cancelled_half_way_can_be_left_out(
    save_draft: Save, open_page: Open, wired: Runtime
) -> None:
    half = sent_campaign(wired.ledger, "Half", delivered=2, failed=0, on_the_way=10)
    unsent = started_campaign(wired.ledger, "Unsent", 3)
    for campaign in (half, unsent):
        wired.ledger.cancel(campaign)
    page = open_page("new", draft=save_draft(SHOP.encode(), step=3).id)
    (offered,) = [one for one in page.multiselect if one.label == "Leave out people who got"]
    assert [name.partition(",")[0] for name in offered.options] == ["Half"]


def test_a_list_of_a_draft_is_no_draft_of_its_own(open_page: Open, drafted: Draft) -> None:
    page = open_page("new", draft=drafted.lists[0])
    assert "This draft no longer exists" in words(page)


def test_a_sample_stays_until_it_is_drawn_again(save_draft: Save, open_page: Open, wired: Runtime) -> None:
    people = "\n".join(["Mobile", *(f"+44740{place * 79_197 % 10_000_000:07d}" for place in range(60))])
    draft = save_draft(people.encode(), step=3)
    page = open_page("new", draft=draft.id)
    next(one for one in page.number_input if one.label.startswith("At most")).set_value(5).run()
    assert shown(page)["Ready to send"] == "5"
    first = texted(draft)
    assert first == texted(draft)
    button(page, "Draw again").click().run()
    assert texted(draft) != first


def test_the_choice_is_kept_with_the_campaign_and_made_again(
    save_draft: Save, open_page: Open, wired: Runtime
) -> None:
    ledger = wired.ledger
    shop = ledger.lists.save("Shop", file(SHOP), source="shop.csv", who="Ann", choices={"country": "GB"})
    staff = ledger.lists.save("Staff", file(STAFF), source="staff.csv", who="Ann", choices={"country": "GB"})
    draft = actions.use_list(shop)
    actions.add_saved_list(draft.id, staff, leaves_out=True)
    actions.add_list(draft.id, "fair.csv", file(FAIR), leaves_out=False)
    conditions = (DraftCondition(column="City", test="is_not", values=("Leeds",)),)
    draft = chosen(wired, stored(wired, draft), conditions=conditions, not_texted_days=3)
    kept = kept_audience(draft)
    assert [one["name"] for one in kept["lists"]] == ["Shop", "fair.csv", "Staff"]
    wired.drafts.change(draft.id, "local", name="Spring", template="Hi")
    campaign = on_page(partial(_started, draft.id))
    assert ledger.audience(campaign) == kept
    assert wired.ledger.campaign(campaign).source == "shop.csv, fair.csv"
    rows = ledger.sheet_rows(campaign)
    assert set(rows["list"]) <= {"shop.csv", "fair.csv"}
    again = actions.use_texts(campaign)
    page = open_page("new", draft=again.id)
    assert "fair.csv was uploaded, not saved: choose it again below." in words(page)
    button(page, "Use the same lists: Shop, without Staff").click().run()
    assert not page.exception
    made = stored(wired, again)
    assert made.audience == draft.audience
    assert [one.leaves_out for one in wired.drafts.lists(made)] == [True]
    assert made.template == "Hi"


def test_a_list_lives_and_goes_with_its_draft(drafted: Draft, wired: Runtime) -> None:
    assert [one.id for one in wired.drafts.open_ones("local")] == [drafted.id]
    folder = wired.drafts.sheet(drafted).parent.parent
    in_a_week = folder.joinpath(drafted.id, "draft.json").stat().st_mtime + 7 * 86_400
    assert wired.drafts.sweep(now=in_a_week) == 0
    wired.drafts.discard(drafted)
    assert not any(folder.joinpath(one).exists() for one in (drafted.id, *drafted.lists))
