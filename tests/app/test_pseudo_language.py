"""Every page in a language in which each message stands in brackets: what stands outside them is data."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import pandas as pd
import pytest
from app_seeds import prepared_campaign, sent_campaign, unknown_campaign, waiting_campaign
from openpyxl import load_workbook
from page_reading import Open, button, elements, texts_of
from pseudo_language import LANGUAGE, outside
from streamlit.testing.v1 import AppTest
from tiers import only_deep

from dashboard import words
from dashboard.app.runtime import Runtime
from dashboard.app.standing.person import NUMBER
from dashboard.app.wizard.reading import ENCODINGS
from dashboard.contacts.words.country_names import country_names
from dashboard.reports import better_text, campaign_workbook
from dashboard.reports.figures import alt_text, delivery_rates
from dashboard.reports.files.campaign_page import campaign_page

SHEET = b"""First name,Mobile,City
Ann,07911 123451,Leeds
Ben,+44 7911 123452,York
Dev,nope,Hull
Eva,020 7946 0000,Hull
Ann again,07911123451,Leeds
Fay,07911 123454 ext 12,Hull
,,
"""
TEXT = "Hi {{ First name | there }}! https://a.example/spring \N{GRINNING FACE}"
_LABELS = re.compile(r'<[^>]*aria-label="([^"]*)"[^>]*>')
_MARKS = re.compile(
    r"<(style|script)\b.*?</\1>|<[^>]*>|:material/\w+:|:[\w-]+\[|https?://\S+|[A-Z]+(?:_[A-Z]+)+|\w+(?:/[\w+-]+)+",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
SPOKEN = {
    *("label", "help", "placeholder", "body", "alt", "heading", "content", "options", "title", "caption"),
    *("text", "delta", "tooltip", "aria_label", "nav_sections", "page_name", "sections"),
}
"""Fields of Streamlit's elements that hold what people read."""

DATA = {
    *("Spring", "sale", "Ann", "again", "Ben", "Dev", "Eva", "Fay", "Leeds", "York", "Hull", "nope", "ext"),
    *("First", "name", "Mobile", "City", "Hi", "there", "example", "spring", "handset", "switched", "off"),
    *("contacts", "csv", "Customers", "local", "Europe", "Berlin", "UTC", "GB", "XLSX", "CSV", "EUR"),
    "London",
}
"""Names, texts, columns, files, zones and codes: the same in every language."""

LOST = "ended while this batch was on its way"
"""The ledger keeps this sentence as it was written."""


@pytest.fixture
def pseudo(wired: Runtime, bracketed: Path) -> Runtime:
    words.use(LANGUAGE, bracketed)
    return wired


def spoken(page: AppTest) -> Iterator[str]:
    """Every text of a page that people read, as Streamlit hands it to the browser."""
    for node in elements(page._tree):
        yield from texts_of(node.proto, SPOKEN)
        if node.type == "plotly_chart":
            yield from _of_figure(json.loads(node.proto.spec))
        if node.type == "bidi_component":
            yield from json.loads(node.proto.json)["words"].values()
        if node.type in {"arrow_data_frame", "dataframe"}:
            configured = json.loads(node.proto.columns or "{}")
            labelled = [name for name, column in configured.items() if column and column.get("label")]
            yield from map(str, node.value.columns.difference(labelled))
            named = ((column, name) for column in configured.values() for name in ("label", "help"))
            yield from (column[name] for column, name in named if column and column.get(name))


def _of_figure(part: Any) -> Iterator[str]:
    """Names, titles and what is shown under the pointer; the labels of a campaign's bar are data."""
    if isinstance(part, list):
        for one in part:
            yield from _of_figure(one)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key in {"name", "title", "text", "hovertemplate"} and isinstance(value, str):
                yield re.sub(r"%\{[^}]*\}", "", value)
            elif key != "template":
                yield from _of_figure(value)


def strays(page: AppTest) -> dict[str, set[str]]:
    """Texts with words outside the brackets that are no data, each with those words."""
    left = {text: _words_outside(text) - known_words() for text in spoken(page)}
    return {text[:200]: found for text, found in left.items() if found}


@cache
def known_words() -> set[str]:
    """Data, and names that are translated elsewhere."""
    named = [*country_names().values(), *country_names(), *ENCODINGS, *words.weekdays()]
    named += [*available_timezones(), *words.currencies(), *words.currencies().values()]
    named += map(words.language_name, words.languages())
    return DATA | set(_WORD.findall(" ".join(named)))


def _words_outside(text: str) -> set[str]:
    return set(_WORD.findall(outside(_MARKS.sub(" ", _LABELS.sub(r" \1 ", text)))))


def test_pages_without_data_speak_the_language(pseudo: Runtime, open_page: Open) -> None:
    del pseudo
    some = ("overview", "campaigns", "campaign", "compare", "new", "contacts", "optouts", "person")
    for view in (*some, "check", "reports", "settings"):
        page = open_page(view)
        assert len(list(spoken(page))) > 3
        assert strays(page) == {}, view


def test_campaigns_speak_the_language(pseudo: Runtime, open_page: Open) -> None:
    sent = sent_campaign(pseudo.ledger, delivered=90, failed=25, on_the_way=5)
    over = sent_campaign(pseudo.ledger, on_the_way=0)
    unknown = unknown_campaign(pseudo.ledger, minutes_ago=6)
    waiting = waiting_campaign(pseudo.ledger, "⟦as the ledger says⟧")
    at = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=3)
    timed = prepared_campaign(pseudo.ledger, scheduled_at=at)
    for view in ("overview", "campaigns"):
        assert strays(open_page(view)) == {}
    page = open_page("campaign", id=sent)
    assert strays(page) == {}
    page.text_input[0].set_value("999").run()
    assert strays(page) == {}
    assert strays(open_page("campaign", id=waiting)) == {}
    for campaign, asks in (
        (waiting, "⟦Cancel…⟧"),
        (timed, "⟦Change the time…⟧"),
        (timed, "⟦Send now…⟧"),
        (over, "⟦Follow up…⟧"),
    ):
        page = open_page("campaign", id=campaign)
        button(page, asks).click().run()
        assert strays(page) == {}
    page = open_page("campaign", id=unknown)
    assert [text for text in strays(page) if LOST not in text] == []
    button(page, "⟦Send them again⟧").click().run()
    assert [text for text in strays(page) if LOST not in text] == []
    assert strays(open_page("compare", ids=f"{over},{sent}")) == {}
    page = open_page("person")
    for number in ("+447911000003", "99"):
        page.text_input(key=NUMBER).set_value(number).run()
        assert strays(page) == {}


Choices = dict[str, object]
EACH_STEP: list[Choices] = [{"step": step, "name": "Spring", "template": TEXT} for step in range(1, 6)]
TWO_TEXTS = {"step": 4, "name": "Spring", "variants": [{"template": TEXT}, {"template": "Hi", "suffix": "B"}]}
OWN_CLOCKS = {
    "step": 5,
    "name": "Spring",
    "template": TEXT,
    "when": "local",
    "local_at": "2099-03-01T09:00",
    "keep_hours": True,
    "country_hours": {"DE": {}},
    "home": "Europe/Berlin",
}
OTHERS: list[Choices] = [
    {"step": 3, "keep": "warn", "fixes": {4: "07911 123459"}, "approved": [7]},
    {"step": 3, "country": "FR"},
    {"step": 4, "name": "Spring", "template": "Hi {{ nobody }}"},
    {"step": 4, "name": "Spring", "template": ""},
    {"step": 5, "name": "Spring", "template": TEXT, "when": "later", "send_at": "2099-03-01T09:00Z"},
]


@pytest.mark.parametrize("drafts", [[*EACH_STEP, TWO_TEXTS, OWN_CLOCKS], *only_deep(OTHERS)])
def test_a_new_campaign_speaks_the_language(pseudo: Runtime, open_draft: Open, drafts: list[Choices]) -> None:
    del pseudo
    for choices in drafts:
        assert strays(open_draft(SHEET, **choices)) == {}, choices


def test_the_last_question_speaks_the_language(pseudo: Runtime, open_draft: Open) -> None:
    del pseudo
    page = open_draft(SHEET, **EACH_STEP[-1])
    page.button(key="send").click().run()
    assert page.button(key="confirm-send").label == "⟦Send now⟧"
    assert strays(page) == {}


def test_a_sheet_that_cannot_be_read_is_refused_in_the_language(pseudo: Runtime, open_draft: Open) -> None:
    del pseudo
    page = open_draft(b"%PDF-1.7", step=1)
    assert page.error[0].value.startswith("contacts.csv: ⟦This is ⟦a PDF document⟧")
    assert strays(page) == {}


def test_opt_outs_and_a_checked_number_speak_the_language(pseudo: Runtime, open_page: Open) -> None:
    pseudo.ledger.add_opt_outs(["+447911123451", "+447911123452"], reason="⟦asked⟧", source="⟦page⟧")
    pseudo.ledger.remove_opt_out("+447911123452", who="local", reason="⟦came back⟧")
    page = open_page("optouts")
    assert strays(page) == {}
    button(page, "⟦Add numbers⟧").click().run()
    assert strays(page) == {}
    page = open_page("check")
    page.text_input[0].set_value("020 7946 0000")
    button(page, "⟦Check⟧").click().run()
    assert strays(page) == {}


def test_saved_lists_speak_the_language(pseudo: Runtime, open_draft: Open, open_page: Open) -> None:
    page = open_draft(SHEET, step=3)
    button(page, "⟦Save the list…⟧").click().run()
    assert strays(page) == {}
    counts = dict.fromkeys(("review", "invalid", "duplicate", "opted_out", "empty"), 0) | {"ok": 2}
    known = {"source": "contacts.csv", "who": "local", "choices": {}, "counts": counts}
    pseudo.ledger.lists.save("Customers", io.BytesIO(SHEET), **known)
    for view in ("contacts", "check"):
        assert strays(open_page(view)) == {}


def test_a_report_speaks_the_language(pseudo: Runtime) -> None:
    name = sent_campaign(pseudo.ledger)
    campaigns, messages = pseudo.ledger.campaigns(), pseudo.ledger.messages(name)
    page = campaign_page(campaigns, messages).decode()
    assert _words_outside(page) - DATA == set()
    book = load_workbook(io.BytesIO(campaign_workbook(campaigns, messages)))
    heads = [cell.value for sheet in book for cell in next(sheet.iter_rows())]
    assert [text for text in (*book.sheetnames, *heads) if outside(text)] == []
    rates = pd.DataFrame(
        {"value": ["A", "B"], "messages": 1000, "delivered": [950, 800], "share": [0.95, 0.8]}
        | {"low": [0.93, 0.77], "high": [0.96, 0.82], "final": True}
    )
    said = [better_text(rates), better_text(rates.assign(delivered=900, share=0.9))]
    assert [outside(text) for text in (*said, alt_text(delivery_rates(rates)))] == ["", "", ""]
