"""What objects show of themselves: a line in a log; in a notebook their figures, as text and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from each import each
from fixtures_ledger import Clock, accepted, claim

import dashboard as d
from dashboard.display import MOST_ROWS, Card

HOSTILE = "<script>alert(1)</script>\"&'<b>"
PHONE, NAME = "+447400123456", "Ann Example"
ALLOWED = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code"}


class Shown(HTMLParser):
    """The elements and the text of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        assert {name for name, _value in attrs} <= {"style"}
        assert not any("color" in (value or "") or "background" in (value or "") for _name, value in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """One of each, of people and campaigns with hostile names."""
    frame = pd.DataFrame({"Mobile": [PHONE, "nobody"], "First name": [NAME, HOSTILE], HOSTILE: ["p", "q"]})
    read = d.read_sheet(frame)
    contacts = d.clean_contacts(read, country="GB")
    messages = d.write_messages(contacts, "Hi {{first_name}}", campaign=HOSTILE)
    clock = Clock()
    with d.Ledger.open(tmp_path_factory.mktemp("objects") / "ledger.sqlite", now=clock) as ledger:
        campaign = ledger.create_campaign(HOSTILE, messages, batch_size=10, price_per_credit="0.05")
        ledger.start(campaign)
        got = claim(ledger, campaign, ledger.outbox.register(0))
        ledger.outbox.settle(got, accepted(got, credits_used=1))
        sent, campaigns = ledger.messages(), ledger.campaigns()
        yield {
            "Sheet": read,
            "ContactList": contacts,
            "Estimate": d.estimate_credits(messages, price_per_credit="0.05"),
            "Statement": d.monthly_statement(sent, campaigns, "2026-11"),
            "Replay": ledger.replay(campaign),
            "Ledger": ledger,
        }


UNITS: dict[str, Callable[[str], bool]] = {
    "Sheet": lambda text: "2 rows, 3 columns" in text and HOSTILE in text,
    "ContactList": lambda text: "2 rows · 1 ok · 1 invalid" in text and "This is not a phone number." in text,
    "Estimate": lambda text: "1 message · 1 credit · cost 0.05" in text,
    "Ledger": lambda text: "1 campaign · 1 message" in text and HOSTILE in text,
    "Statement": lambda text: "1 message · 1 credit billed · €0.05" in text and HOSTILE in text,
    "Replay": lambda text: "1 message · estimated then 1 credit · today 1 credit" in text,
}


@each("name", UNITS)
def test_in_a_log_it_is_one_short_line_without_people(objects: dict[str, Any], name: str) -> None:
    shown = repr(objects[name])
    assert shown.startswith(f"<{name}")
    assert "\n" not in shown
    assert len(shown) < 200
    assert not any(text in shown for text in (PHONE, PHONE[1:], "nobody", NAME, HOSTILE))


@each("name", UNITS)
def test_in_a_notebook_it_is_text_with_units_and_names_as_typed_that_says_what_is_next(
    objects: dict[str, Any], name: str
) -> None:
    shown = Shown(objects[name]._repr_html_())
    assert {*shown.tags} <= ALLOWED
    assert shown.open == []
    assert shown.text.startswith(name)
    assert "Next: " in shown.text
    assert PHONE[1:] not in shown.text
    assert UNITS[name](shown.text), shown.text


def test_a_long_table_is_cut_and_says_how_much_is_left() -> None:
    table = pd.DataFrame({"country": [f"C{row}" for row in range(20)], "credits_low": range(1000, 1020)})
    shown = Shown(Card("Estimate", table=table).html())
    assert shown.tags.count("tr") == 1 + MOST_ROWS
    assert "credits low" in shown.text
    assert "1,007" in shown.text
    assert "… and 12 more rows" in shown.text


def test_a_missing_value_is_an_empty_cell() -> None:
    table = pd.DataFrame({"problem": ["x", None], "rows": pd.array([1, None], dtype="Int64")})
    assert Shown(Card("ContactList", table=table).html()).text == "ContactList problemrowsx1"


def test_a_ledger_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with d.Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        with ledger.database.write() as connection:
            connection.exec_driver_sql("DROP TABLE campaign")
        shown = Shown(ledger._repr_html_())
    assert re.fullmatch(r"Ledger .*ledger\.sqlite[A-Z].+\.", shown.text), shown.text


def test_a_ledger_names_neither_its_user_nor_its_password(postgresql_url: str) -> None:
    with d.Ledger.open(postgresql_url) as ledger:
        place = ledger.database.place
        assert str(ledger.database.url.database) in place
        assert "@" not in place
        assert "://" not in repr(ledger)


def test_an_estimate_without_a_price_asks_for_one() -> None:
    people = pd.DataFrame({"phone": [PHONE], "at": [datetime(2026, 11, 1, tzinfo=UTC)]})
    estimate = d.estimate_credits(d.write_messages(people, "Hi https://a.example/x", campaign="x"))
    text = Shown(estimate._repr_html_()).text
    assert "price_per_credit=" in text
    assert "cost" not in text
