"""The message editor: it answers while somebody types, completes fields, and keeps what is typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_BOTH, served, settled, visitor
from journey_steps import draft_at_message, message_box
from patience import PATIENCE_MS
from playwright.sync_api import Browser, Page, expect

from dashboard.app.draft_store import Drafts

pytestmark = pytest.mark.browser

Open = Callable[..., Page]


def wait_for_stored(folder: Path, page: Page, text: str) -> None:
    """Wait until this text is on disk; the page goes on meanwhile."""
    draft_id = parse_qs(urlsplit(page.url).query)["draft"][0]
    for _ in range(PATIENCE_MS // 100):
        draft = Drafts(folder / "data" / "drafts").find(draft_id, "local")
        if draft is not None and draft.template == text:
            return
        page.wait_for_timeout(100)
    pytest.fail("the text was not stored")


@pytest.fixture
def open_text(page: Page, dashboard: str, dashboard_folder: Path) -> Open:
    def open_(template: str = "") -> Page:
        page.goto(dashboard + draft_at_message(dashboard_folder, template))
        expect(message_box(page)).to_have_value(template)
        settled(page)
        return page

    return open_


@ON_BOTH
@pytest.mark.first
def test_everything_answers_while_somebody_types(open_text: Open, dashboard_folder: Path) -> None:
    page = open_text("Hi ")
    message_box(page).press("End")
    page.keyboard.type("{{ fi")
    expect(page.get_by_role("option")).to_have_text(["First name"])
    assert_accessible(page)
    page.keyboard.press("Enter")
    page.keyboard.type(" of {{ Town }}!")
    expect(message_box(page)).to_have_value("Hi {{ First name }} of {{ Town }}!")
    expect(page.locator(".marks .field")).to_have_text(["{{ First name }}"])
    expect(page.locator(".marks .wrong")).to_have_text(["{{ Town }}"])
    expect(page.get_by_text("Not in the sheet: Town")).to_be_visible()
    expect(page.get_by_text("There is no column 'Town'.")).to_be_visible()
    settled(page)
    assert_accessible(page)
    for _ in "Town }}!":
        page.keyboard.press("Backspace")
    page.keyboard.type("city")
    page.keyboard.press("Enter")
    page.keyboard.type("! ")
    search = page.get_by_role("combobox", name="Insert from the sheet")
    search.click()
    expect(page.get_by_role("option")).to_have_count(5)
    page.keyboard.type("vou")
    assert_accessible(page)
    page.keyboard.press("Enter")
    text = "Hi {{ First name }} of {{ City }}! {{ Voucher code }}"
    expect(message_box(page)).to_have_value(text)
    expect(message_box(page)).to_be_focused()
    expect(page.get_by_text("Characters: 19 of 1,024 · Credits: 1")).to_be_visible()
    expect(page.locator(".bubble")).to_have_text("Hi Ann of Leeds! A1")
    wait_for_stored(dashboard_folder, page, text)
    page.keyboard.press("Control+z")
    expect(message_box(page)).to_have_value("Hi {{ First name }} of {{ City }}! ")


def test_the_preview_and_the_count_wait_for_no_server(open_text: Open) -> None:
    page = open_text("Hi {{ First name }}!")
    expect(page.locator(".bubble")).to_have_text("Hi Ann!")
    page.route("**/*", lambda route: route.abort())
    page.context.set_offline(True)
    message_box(page).fill("Bye {{ First name }}, " + "see you. " * 20)
    expect(page.locator(".bubble")).to_contain_text("Bye Ann, see you.")
    expect(page.get_by_text("Characters: 189 of 1,024 · Credits: 2")).to_be_visible()
    message_box(page).fill("Now on: https://example.com/a-page-of-the-spring-sale!")
    expect(page.locator(".bubble")).to_have_text("Now on: [short link]!")


def test_continue_is_never_grey_for_what_was_typed_just_now(open_text: Open) -> None:
    page = open_text()
    button = page.get_by_role("button", name="Continue")
    button.click()
    expect(page.get_by_role("alert").get_by_text("Write the message.")).to_be_visible()
    message_box(page).fill("Doors open at ten.")
    expect(button).to_be_enabled()
    button.click()
    expect(page.get_by_text("The first message", exact=True)).to_be_visible()
    expect(page.locator(".bubble")).to_have_text("Doors open at ten.")


def test_a_reload_right_after_the_last_key_loses_nothing(open_text: Open, dashboard_folder: Path) -> None:
    page = open_text("Hi")
    message_box(page).press("End")
    page.keyboard.type(" there, doors open at ten")
    page.reload()
    expect(message_box(page)).to_have_value("Hi there, doors open at ten")
    wait_for_stored(dashboard_folder, page, "Hi there, doors open at ten")


def test_each_of_two_texts_keeps_what_was_typed_just_before_the_other_was_chosen(open_text: Open) -> None:
    two_texts_typed(open_text("Hi"))


def test_a_slow_server_does_not_put_one_text_into_the_box_of_the_other(
    chromium: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as server, visitor(chromium) as page:
        page.goto(server.address + draft_at_message(tmp_path, "Hi"))
        expect(message_box(page)).to_have_value("Hi")
        settled(page)
        with server.slowed():
            two_texts_typed(page)


def two_texts_typed(page: Page) -> None:
    page.get_by_text("Compare texts (A/B)").click()
    for name, words in (("A", " there"), ("B", " you")):
        page.get_by_role("radio", name=name, exact=True).click()
        text = page.get_by_role("textbox", name=f"Message {name}", exact=True)
        text.press("End")
        page.keyboard.type(words)
    page.get_by_role("radio", name="A", exact=True).click()
    expect(page.get_by_role("textbox", name="Message A", exact=True)).to_have_value("Hi there")
    expect(page.locator(".bubble")).to_have_text("Hi there")
    page.get_by_role("radio", name="B", exact=True).click()
    expect(page.get_by_role("textbox", name="Message B", exact=True)).to_have_value("Hi you")


def test_the_first_letters_do_not_move_the_box(open_text: Open, campaign: str) -> None:
    del campaign  # its text is offered
    page = open_text()
    expect(page.get_by_text("Start from an earlier text")).to_be_visible()  # it goes with the first letter
    place = message_box(page).bounding_box()
    message_box(page).click()
    page.keyboard.type("Doors")
    expect(page.get_by_text("Start from an earlier text")).to_have_count(0)
    settled(page)
    page.keyboard.type(" open")
    expect(message_box(page)).to_have_value("Doors open")
    assert message_box(page).bounding_box() == place


def test_what_is_changed_elsewhere_is_shown_and_not_undone(open_text: Open, dashboard_folder: Path) -> None:
    page = open_text("Our “sale”")
    page.get_by_role("button", name="Replace 2 characters").click()
    expect(message_box(page)).to_have_value('Our "sale"')
    message_box(page).press("End")
    page.keyboard.type("!")
    wait_for_stored(dashboard_folder, page, 'Our "sale"!')
    message_box(page).press("Control+z")
    message_box(page).press("Control+z")
    expect(message_box(page)).to_have_value("Our “sale”")
    wait_for_stored(dashboard_folder, page, "Our “sale”")


def test_what_is_typed_while_the_server_is_away_is_stored_when_it_is_back(
    chromium: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as server, visitor(chromium) as page:
        page.goto(server.address + draft_at_message(tmp_path, "Hi"))
        expect(message_box(page)).to_have_value("Hi")
        settled(page)
        server.kill()
        message_box(page).press("End")
        page.keyboard.type(" there")
        page.wait_for_timeout(500)  # longer than it takes to send it
        server.start()
        wait_for_stored(tmp_path, page, "Hi there")
        expect(message_box(page)).to_have_value("Hi there")
        expect(page.get_by_text("Row 2 · 8 characters of 1,024")).to_be_visible()


def test_a_slow_server_takes_nobody_for_somebody_else(chromium: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, visitor(chromium) as page:
        page.goto(server.address + draft_at_message(tmp_path, "Hi"))
        expect(message_box(page)).to_have_value("Hi")
        settled(page)
        message_box(page).press("End")
        for letter in " there, our sale starts today":
            with server.standing_still():
                page.keyboard.type(letter)
                page.wait_for_timeout(200)  # each is sent by itself
            page.wait_for_timeout(120)
        wait_for_stored(tmp_path, page, "Hi there, our sale starts today")
        settled(page)
        expect(message_box(page)).to_have_value("Hi there, our sale starts today")
        expect(page.get_by_text("changed elsewhere")).to_have_count(0)
