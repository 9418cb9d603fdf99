"""What the editor counts while somebody types, beside what Python counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from dashboard_server import visitor
from hypothesis import given, settings
from hypothesis import strategies as st
from journey_steps import draft_at_message, message_box
from playwright.sync_api import Browser
from tiers import draws

from dashboard.app.message_editor.mounting import component_name
from dashboard.app.wizard.text.live import RULE, aliases, person
from dashboard.campaigns import LinkLength, write_messages
from dashboard.campaigns.length.credits import credits_of
from dashboard.campaigns.length.links import URL_PATTERN
from dashboard.campaigns.text.template import field_key
from dashboard.contacts import ContactList, clean_contacts, guess_columns
from dashboard.errors import TemplateError

pytestmark = pytest.mark.browser

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
    ["First name", "first_name", "FIRST\xa0NAME", "Member", "STRASSE", "straße", "city", "City", "phone"]
)
SPACES = st.sampled_from(["", "", " ", "\x1c", "\u3000", "\n"])
ODD = "é e\u0301 ᄒ ᅡ ᆫ \U0001f44d\U0001f3fd \u0301 € ’ } https:// www.example.com \u200b"
LINKS = "https://example.com/a_(b)?c=d. HTTPS://x.example, http://ex http\u017f://s (https://e.example)"
WORDS = st.text(max_size=8) | st.sampled_from([*ODD.split(" "), *LINKS.split(" "), "x" * 130, "\u2028", " "])
FALLBACKS = st.sampled_from(
    ["there", "'there'", "“there”", "\u2018a\u2019", "„b“", "default: 'c'", 'DEFAULT ("d")', "default:", '""']
)


@st.composite
def fields(draw: st.DrawFn) -> str:
    name = draw(SPACES) + draw(NAMES) + draw(SPACES)
    fallback = draw(st.none() | FALLBACKS | FALLBACKS | WORDS)
    return "{{" + name + ("" if fallback is None else "|" + draw(SPACES) + fallback + draw(SPACES)) + "}}"


@st.composite
def sections(draw: st.DrawFn) -> str:
    name, mark = draw(NAMES), draw(st.sampled_from("#^"))
    close = name.upper() if draw(st.booleans()) else name
    return "{{" + mark + name + "}}" + draw(INSIDE) + "{{/" + close + "}}"


INSIDE = st.deferred(lambda: st.lists(WORDS | fields() | sections(), max_size=3).map("".join))
PIECES = st.one_of(WORDS, WORDS, fields(), fields(), fields(), sections())
TEMPLATES = st.lists(st.lists(PIECES, min_size=1, max_size=5).map("".join), min_size=10, max_size=30)


@pytest.fixture(scope="module")
def asked(chromium: Browser, dashboard: str, dashboard_folder: Path) -> Iterator[Callable[..., Any]]:
    """Ask one open editor's modules."""
    with visitor(chromium) as page:
        page.goto(dashboard + draft_at_message(dashboard_folder))
        message_box(page).wait_for()
        folder = f"{dashboard}/_stcore/bidi-components/{component_name()}"
        yield lambda script, about: page.evaluate(script, [folder, about])


@pytest.mark.first
def test_the_browser_counts_every_text_as_python_does(asked: Callable[..., Any]) -> None:
    columns = guess_columns(PEOPLE).answered({}, none_of_these=True)
    contacts = clean_contacts(PEOPLE, country="GB", columns=columns)
    link = {"pattern": URL_PATTERN.removeprefix("(?i)"), "low": LINK.low, "high": LINK.high}
    about = {"aliases": dict(aliases(contacts)), "rule": RULE, "link": link}
    people = [person(contacts, int(row)) | about for row in contacts.sendable["row"]]
    assert len(people) == len(PEOPLE)
    written = 0

    @settings(max_examples=draws(20), deadline=None)
    @given(TEMPLATES)
    def counts_agree(templates: list[str]) -> None:
        nonlocal written
        cases = [(text, count) for text in templates if (count := counted(text, contacts)) is not None]
        written += len(cases)
        said = asked(COUNT, [[text, one] for text, _ in cases for one in people])
        assert said == [row for _, count in cases for row in count]

    counts_agree()
    assert written > 5 * draws(20)


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
