"""An administrator lets somebody in, gives them another role and removes them, each within seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import settled, visitor
from journey_steps import draft_to_send, head
from playwright.sync_api import Browser, Page, expect
from signed_in_place import Place, open_place
from test_first_sight import MOST_SHIFTED, SHIFTED

from dashboard.settings import load_settings

pytestmark = pytest.mark.browser
UNA, BOB = "una@example.com", "bob@example.com"


@pytest.fixture
def team(tmp_path: Path, chromium: Browser) -> Iterator[Place]:
    """A dashboard where people sign in, of whom the environment names one."""
    del chromium
    with open_place(tmp_path, DASHBOARD_PEOPLE=f"{UNA}=admin") as place:
        yield place


def enter(page: Page, team: Place, who: str, path: str) -> None:
    """Sign in as the ledger does it; test_sign_in.py signs in for real."""
    cookies = team.known(who)
    page.context.add_cookies(
        [{"name": name, "value": value, "url": team.address} for name, value in cookies.items()]
    )
    page.goto(team.address + path)
    settled(page)


def test_who_is_added_gets_in_and_who_is_removed_is_out(page: Page, team: Place, chromium: Browser) -> None:
    enter(page, team, UNA, "/people")
    page.get_by_label("E-mail address").fill(BOB)
    page.get_by_role("button", name="Add", exact=True).click()
    people = page.locator(".st-key-people")
    expect(people).to_contain_text("Viewer")
    settled(page)
    assert_accessible(page)
    with visitor(chromium) as other:
        enter(other, team, BOB, "/new")
        expect(other.get_by_text("This page needs the role Campaign sender")).to_be_visible()
        page.get_by_role("button", name="Change…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("Campaign sender", exact=True).click()
        assert_accessible(page)
        dialog.get_by_role("button", name="Save").click()
        expect(people).to_contain_text("Campaign sender")
        other.reload()
        expect(other.get_by_role("heading", name="New campaign")).to_be_visible()
        settled(other)
        page.get_by_role("button", name="Remove…").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove them").click()
        expect(people).not_to_contain_text(BOB.partition("@")[0])
        other.wait_for_url("**/sign-in?why=ended")


def test_a_campaign_too_large_for_one_person_is_approved_by_another(
    page: Page, chromium: Browser, tmp_path: Path
) -> None:
    people = f"{UNA}=admin,{BOB}=sender"
    with open_place(tmp_path, DASHBOARD_PEOPLE=people, DASHBOARD_APPROVE_ABOVE="2") as place:
        name = "Spring sale"
        enter(page, place, BOB, draft_to_send(tmp_path, name, 3, owner=BOB))
        page.get_by_role("button", name="Send 3 messages").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("more messages than you may start alone")
        assert_accessible(page)
        dialog.get_by_role("button", name="Ask for approval").click()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        settled(page)
        expect(page.get_by_role("button", name="Approve…")).to_have_count(0)
        assert_accessible(page)
        with visitor(chromium) as other:
            enter(other, place, UNA, "/")
            other.get_by_role("link", name=name).first.click()
            expect(other.get_by_role("heading", name=name)).to_be_visible()
            settled(other)
            other.get_by_role("button", name="Approve…").click()
            expect(other.get_by_role("dialog")).to_contain_text("Asked for by bob@")
            assert_accessible(other)
            other.get_by_role("dialog").get_by_role("button", name="Approve it").click()
            expect(head(other)).to_contain_text("Done")
        expect(head(page)).to_contain_text("Done")


def test_nothing_moves_while_the_page_comes(page: Page, team: Place) -> None:
    for number in range(12):
        team.ledger.people.add(
            f"colleague-{number}@example.com", "viewer", exports=False, who=UNA, given=load_settings()
        )
    page.add_init_script(SHIFTED)
    enter(page, team, UNA, "/people")
    expect(page.locator(".st-key-people")).to_contain_text("colleague-11")
    expect(page.get_by_test_id("stMain").get_by_test_id("stSkeleton")).to_have_count(0)
    assert page.evaluate("window.shifted") <= MOST_SHIFTED
