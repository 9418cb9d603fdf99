"""The message editor: it counts as Python does, completes fields, and keeps what is typed."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from accessibility import assert_accessible
from dashboard_server import LOOKS, served, settled, visitor
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE_MS
from playwright.sync_api import Browser, Locator, Page, expect

from dashboard.app.drafts import Drafts
from dashboard.app.message_editor.mounting import component_name
from dashboard.app.wizard.text.live import RULE, aliases, person
from dashboard.campaigns import LinkLength, write_messages
from dashboard.campaigns.length.credits import credits_of
from dashboard.campaigns.length.links import URL_PATTERN
from dashboard.campaigns.text.template import field_key
from dashboard.contacts import ContactList, clean_contacts
from dashboard.errors import TemplateError

pytestmark = pytest.mark.browser

SHEET = """First name,Mobile,Member,City,Voucher code
Ann,07911 123451,yes,Leeds,A1
Ben,07911 123452,no,York,B2
"""
Open = Callable[..., Page]


def begin(folder: Path, template: str = "") -> str:
    """Leave a draft at the step with the text; returns its address."""
    drafts = drafts_in(folder)
    draft = drafts.begin("local", "people.csv", io.BytesIO(SHEET.encode()))
    drafts.save(draft.model_copy(update={"name": "Spring", "country": "GB", "template": template, "step": 4}))
    return f"/new?draft={draft.id}"


def drafts_in(folder: Path) -> Drafts:
    return Drafts(folder / "data" / "drafts")


def wait_for_stored(folder: Path, page: Page, text: str) -> None:
    """Wait until this text is on disk; the page goes on meanwhile."""
    draft_id = parse_qs(urlsplit(page.url).query)["draft"][0]
    for _ in range(PATIENCE_MS // 100):
        draft = drafts_in(folder).find(draft_id, "local")
        if draft is not None and draft.template == text:
            return
        page.wait_for_timeout(100)
    pytest.fail("the text was not stored")


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message", exact=True)


@pytest.fixture
def open_text(page: Page, dashboard: str, dashboard_folder: Path) -> Open:
    def open_(template: str = "") -> Page:
        page.goto(dashboard + begin(dashboard_folder, template))
        expect(box(page)).to_have_value(template)
        settled(page)
        return page

    return open_


@pytest.mark.parametrize("look", LOOKS, indirect=True, ids="-".join)
def test_everything_answers_while_somebody_types(open_text: Open, dashboard_folder: Path) -> None:
    page = open_text("Hi ")
    box(page).press("End")
    page.keyboard.type("{{ fi")
    expect(page.get_by_role("option")).to_have_text(["First name"])
    assert_accessible(page)
    page.keyboard.press("Enter")
    page.keyboard.type(" of {{ Town }}!")
    expect(box(page)).to_have_value("Hi {{ First name }} of {{ Town }}!")
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
    expect(box(page)).to_have_value(text)
    expect(box(page)).to_be_focused()
    expect(page.get_by_text("Characters: 19 of 1,024 · Credits: 1")).to_be_visible()
    expect(page.locator(".bubble")).to_have_text("Hi Ann of Leeds! A1")
    wait_for_stored(dashboard_folder, page, text)
    page.keyboard.press("Control+z")
    expect(box(page)).to_have_value("Hi {{ First name }} of {{ City }}! ")


def test_the_preview_and_the_count_wait_for_no_server(open_text: Open) -> None:
    page = open_text("Hi {{ First name }}!")
    expect(page.locator(".bubble")).to_have_text("Hi Ann!")
    page.route("**/*", lambda route: route.abort())
    page.context.set_offline(True)
    box(page).fill("Bye {{ First name }}, " + "see you. " * 20)
    expect(page.locator(".bubble")).to_contain_text("Bye Ann, see you.")
    expect(page.get_by_text("Characters: 189 of 1,024 · Credits: 2")).to_be_visible()


def test_continue_is_never_grey_for_what_was_typed_just_now(open_text: Open) -> None:
    page = open_text()
    button = page.get_by_role("button", name="Continue")
    button.click()
    expect(page.get_by_role("alert").get_by_text("Write the message.")).to_be_visible()
    box(page).fill("Doors open at ten.")
    expect(button).to_be_enabled()
    button.click()
    expect(page.get_by_text("The first message", exact=True)).to_be_visible()
    expect(page.locator(".bubble")).to_have_text("Doors open at ten.")


def test_a_reload_right_after_the_last_key_loses_nothing(open_text: Open, dashboard_folder: Path) -> None:
    page = open_text("Hi")
    box(page).press("End")
    page.keyboard.type(" there, doors open at ten")
    page.reload()
    expect(box(page)).to_have_value("Hi there, doors open at ten")
    wait_for_stored(dashboard_folder, page, "Hi there, doors open at ten")


def test_each_of_two_texts_keeps_what_was_typed_just_before_the_other_was_chosen(open_text: Open) -> None:
    page = open_text("Hi")
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
    place = box(page).bounding_box()
    box(page).click()
    page.keyboard.type("Doors")
    expect(page.get_by_text("Start from an earlier text")).to_have_count(0)
    settled(page)
    page.keyboard.type(" open")
    expect(box(page)).to_have_value("Doors open")
    assert box(page).bounding_box() == place


def test_what_is_changed_elsewhere_is_shown_and_not_undone(open_text: Open, dashboard_folder: Path) -> None:
    page = open_text("Our “sale”")
    page.get_by_role("button", name="Replace 2 characters").click()
    expect(box(page)).to_have_value('Our "sale"')
    box(page).press("End")
    page.keyboard.type("!")
    wait_for_stored(dashboard_folder, page, 'Our "sale"!')
    box(page).press("Control+z")
    box(page).press("Control+z")
    expect(box(page)).to_have_value("Our “sale”")
    wait_for_stored(dashboard_folder, page, "Our “sale”")


def test_what_is_typed_while_the_server_is_away_is_stored_when_it_is_back(
    chromium: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as server, visitor(chromium) as page:
        page.goto(server.address + begin(tmp_path, "Hi"))
        expect(box(page)).to_have_value("Hi")
        settled(page)
        server.kill()
        box(page).press("End")
        page.keyboard.type(" there")
        page.wait_for_timeout(500)  # longer than it takes to send it
        server.start()
        wait_for_stored(tmp_path, page, "Hi there")
        expect(box(page)).to_have_value("Hi there")
        expect(page.get_by_text("Row 2 · 8 characters of 1,024")).to_be_visible()


# What the browser counts, beside what Python counts.

PEOPLE = pd.DataFrame(
    {
        "Mobile": ["07400 183645", "07400 283646", "07400 383647", "07400 483648"],
        "First name": ["Ann", " Zoë\u0308 ", "", "\u0301x 👩‍👩‍👧"],
        "Member": ["yes", "no", "", "perhaps"],
        "Straße": ["a\r\nb", "https://example.com/", "ᄒ", "\u200b\u3000"],
        "city": ["Leeds", "|", "{{ Member }}", "x" * 160],
        "City": ["York", "€", "", "/a.b?c=d"],
    }
)
LINK = LinkLength(18, 40)
COUNT = """async ([folder, cases]) => {
    const { Columns, fill, scan } = await import(`${folder}/template.js`);
    const { measure } = await import(`${folder}/length.js`);
    return cases.map(([text, data]) => {
        const { body } = fill(text, scan(text), new Columns(Object.keys(data.cells), data.aliases), data);
        const { characters, low, high } = measure(body, data.rule, data.link);
        return [body, characters, low, high];
    });
}"""
KEYS = """async ([folder, letters]) => {
    const { fieldKey } = await import(`${folder}/template.js`);
    return letters.map(fieldKey);
}"""
NAMES = st.sampled_from(
    [
        "First name",
        "first_name",
        "FIRST\xa0NAME",
        "Member",
        "STRASSE",
        "straße",
        "city",
        "City",
        "phone",
        "Frist",
    ]
)
SPACES = st.sampled_from(["", "", " ", "\x1c", "\u3000", "\ufeff", "\n"])
WORDS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            "é",
            "e\u0301",
            "ᄒ",
            "ᅡ",
            "ᆫ",
            "👍🏽",
            "👩‍👩‍👧",
            "\u0301",
            "€",
            "’",
            "x" * 150,
            "}}",
            "{",
            "https://",
            "\u2028",
        ]
    ),
    st.sampled_from(
        [
            "https://example.com/a_(b)?c=d.",
            "HTTPS://x.example,",
            "http://ex",
            "www.example.com",
            "\u017f",
            "\u200b",
        ]
    ),
)
FALLBACKS = st.one_of(
    WORDS,
    st.sampled_from(
        ["'there'", "“there”", "default: 'you'", 'DEFAULT("you")', "default : ", '""', "'", "upper"]
    ),
)


@st.composite
def fields(draw: st.DrawFn) -> str:
    name = draw(SPACES) + draw(NAMES) + draw(SPACES)
    bar = "|" + draw(SPACES) + draw(FALLBACKS) + draw(SPACES) if draw(st.booleans()) else ""
    return "{{" + name + bar + "}}"


@st.composite
def sections(draw: st.DrawFn, inside: st.SearchStrategy[str]) -> str:
    name, mark, other = draw(NAMES), draw(st.sampled_from("#^")), draw(st.booleans())
    return "{{" + mark + name + "}}" + draw(inside) + "{{/" + (name.upper() if other else name) + "}}"


PIECES = st.recursive(
    WORDS | fields(),
    lambda inside: st.lists(inside | sections(inside), max_size=4).map("".join),
    max_leaves=8,
)
TEMPLATES = st.lists(st.lists(PIECES | sections(PIECES), max_size=6).map("".join), min_size=10, max_size=30)


@pytest.fixture(scope="module")
def asked(chromium: Browser, dashboard: str, dashboard_folder: Path) -> Iterator[Callable[..., Any]]:
    """Ask one open editor's modules."""
    with visitor(chromium) as page:
        page.goto(dashboard + begin(dashboard_folder))
        box(page).wait_for()
        folder = f"{dashboard}/_stcore/bidi-components/{component_name()}"
        yield lambda script, about: page.evaluate(script, [folder, about])


def test_the_browser_counts_every_text_as_python_does(asked: Callable[..., Any]) -> None:
    contacts = clean_contacts(PEOPLE, country="GB")
    link = {"pattern": URL_PATTERN.removeprefix("(?i)"), "low": LINK.low, "high": LINK.high}
    about = {"aliases": dict(aliases(contacts)), "rule": RULE, "link": link}
    people = [person(contacts, int(row)) | about for row in contacts.sendable["row"]]
    assert len(people) == len(PEOPLE)
    written = 0

    @settings(max_examples=20, deadline=None)
    @given(TEMPLATES)
    def counts_agree(templates: list[str]) -> None:
        nonlocal written
        cases = [(text, count) for text in templates if (count := counted(text, contacts)) is not None]
        written += len(cases)
        said = asked(COUNT, [[text, one] for text, _ in cases for one in people])
        assert said == [row for _, count in cases for row in count]

    counts_agree()
    assert written > 50


def counted(template: str, contacts: ContactList) -> list[list[Any]] | None:
    """Body, characters and credits for each person; None if the template has a mistake."""
    try:
        messages = write_messages(contacts, template, campaign="Any", short_link=LINK, empty_fields="send")
    except TemplateError:
        return None
    credits_ = [credits_of(messages[f"characters_{end}"].to_numpy()) for end in ("low", "high")]
    is_sent = messages["problem"].isna()  # the others cost nothing
    assert messages["credits_low"][is_sent].tolist() == credits_[0][is_sent].tolist()
    columns = (messages["body"], messages["characters"], *credits_)
    return [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def test_names_of_columns_are_the_same_with_and_without_case_as_in_python(asked: Callable[..., Any]) -> None:
    letters = [letter for letter in map(chr, range(0x110000)) if letter.isprintable() or letter.isspace()]
    ours, theirs = defaultdict(set), defaultdict(set)
    for letter, key in zip(letters, asked(KEYS, letters), strict=True):
        ours[field_key(letter)].add(letter)
        theirs[key].add(letter)
    assert sorted(map(sorted, theirs.values())) == sorted(map(sorted, ours.values()))
