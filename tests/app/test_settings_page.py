"""The page of settings: what is shown, checked and kept, and for whom it is locked."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest
from wizard_steps import labelled

from dashboard.app import people, runtime
from dashboard.app.own_settings.changes import in_words
from dashboard.app.own_settings.prices import COUNTRY, PRICE, edited, price_list
from dashboard.app.runtime import Runtime
from dashboard.contacts import guess_columns, read_sheet
from dashboard.contacts.words.country_names import country_names
from dashboard.errors import SettingsError
from dashboard.settings import load_settings
from dashboard.settings.owned import LABELS, OWNED, stored


@pytest.fixture
def bare(wired: Runtime) -> Runtime:
    """A dashboard whose environment decides nothing that marketers own."""
    fresh = replace(wired, given=load_settings(data=wired.given.data, port=wired.given.port))
    runtime.use(fresh)
    return fresh


def save(page: AppTest, form: str) -> None:
    (button,) = [one for one in page.button if one.form_id == f"own-{form}"]
    button.click().run()


def test_what_is_saved_counts_at_once_and_says_who_changed_it(open_page: Open, bare: Runtime) -> None:
    page = open_page("settings")
    labelled(page.text_input, "Price per credit").set_value("0.0375")
    labelled(page.selectbox, "Currency").set_value("GBP")
    save(page, "prices")
    assert "Saved: Price per credit, Currency." in page.toast[0].value
    assert bare.prices is not None
    assert (bare.prices.elsewhere, bare.currency) == (Decimal("0.0375"), "GBP")
    labelled(page.text_input, "Credits per campaign").set_value("5000")
    save(page, "caps")
    labelled(page.toggle, "New campaigns keep quiet hours").set_value(True)
    save(page, "hours")
    labelled(page.text_input, "Line for opting out").set_value("Reply STOP to opt out")
    save(page, "texts")
    labelled(page.selectbox, "Reporting time zone").set_value("Asia/Tokyo")
    save(page, "reporting")
    settings = bare.settings
    assert (settings.credits_per_campaign, settings.opt_out_line) == (5000, "Reply STOP to opt out")
    assert str(settings.texting_hours) == "09:00-20:00"
    assert bare.time_zone.key == "Asia/Tokyo"
    told = words(page)
    for said in ("<td>local, ", "<td>Texting hours</td><td>09:00–20:00</td>", "<td>Asia/Tokyo</td>"):
        assert said in told
    changed = {"price_per_credit", "currency", "credits_per_campaign", "texting_hours", "opt_out_line"}
    assert set(bare.ledger.settings.decided()) == {*changed, "time_zone"}


def test_what_was_decided_can_be_given_up(open_page: Open, bare: Runtime) -> None:
    page = open_page("settings")
    zone, country = ("Reporting time zone", "reporting", "time_zone"), ("Country", "texts", "country")
    for (label, form, name), value in ((zone, "UTC"), (zone, ""), (country, "GB"), (country, "")):
        labelled(page.selectbox, label).set_value(value)
        save(page, form)
        assert set(bare.ledger.settings.decided()) == ({name} if value else set())
        assert labelled(page.selectbox, label).value == value


def test_a_mistake_is_said_beside_its_form_and_nothing_is_changed(open_page: Open, bare: Runtime) -> None:
    page = open_page("settings")
    labelled(page.text_input, "Price per credit").set_value("0,0375")
    labelled(page.selectbox, "Currency").set_value("GBP")
    save(page, "prices")
    assert (
        page.error[0].value
        == "Price per credit: write a price from 0 to 1,000,000 with a point, such as 0.045."
    )
    assert bare.ledger.settings.changes() == []
    labelled(page.text_input, "Price per credit").set_value("0.0375")
    save(page, "prices")
    assert not page.error
    assert bare.currency == "GBP"
    for typed, cap in (("0", 0), ("700", 700), ("", None), ("1.5", None)):
        labelled(page.text_input, "Credits per day").set_value(typed)
        save(page, "caps")
        assert bare.settings.credits_per_day == cap
    assert page.error[0].value == "Credits per day: write a whole number."


def test_what_the_environment_sets_is_shown_and_locked(open_page: Open, wired: Runtime) -> None:
    page = open_page("settings")
    price = labelled(page.text_input, "Price per credit")
    assert (price.value, price.disabled) == ("0.045", True)
    assert labelled(page.selectbox, "Currency").disabled  # a price says nothing without its currency
    assert labelled(page.selectbox, "Country").disabled
    assert not labelled(page.text_input, "Line for opting out").disabled
    assert "Set by whoever runs this dashboard: Price per credit, Currency." in words(page)
    labelled(page.text_input, "Line for opting out").set_value("Reply STOP to opt out")
    save(page, "texts")
    assert set(wired.ledger.settings.decided()) == {"opt_out_line"}


def test_a_sender_sees_the_settings_and_changes_none(
    open_page: Open, bare: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "LOCAL", people.Person("local", "sender"))
    page = open_page("settings")
    assert not [one for one in page.button if one.label == "Save"]
    open_ones = [one.label for one in (*page.text_input, *page.selectbox) if not one.disabled]
    assert open_ones == ["Your language"]
    assert "An administrator changes them" in words(page)


def test_nobody_overwrites_what_somebody_else_changed_without_hearing_of_it(
    open_page: Open, bare: Runtime
) -> None:
    page = open_page("settings")
    bare.ledger.settings.change({"currency": "SEK"}, who="ann@example.com", given=bare.given)
    labelled(page.text_input, "Price per credit").set_value("0.5")  # of a euro
    save(page, "prices")
    assert "Somebody else has just changed this: Currency." in page.error[0].value
    assert (bare.currency, bare.prices) == ("SEK", None)
    assert labelled(page.selectbox, "Currency").value == "SEK"
    save(page, "prices")
    assert not page.error
    assert bare.prices is not None
    assert (bare.currency, bare.prices.elsewhere) == ("SEK", Decimal("0.5"))


def test_what_somebody_else_changed_meanwhile_stays(open_page: Open, bare: Runtime) -> None:
    page = open_page("settings")
    bare.ledger.settings.change({"country": "GB"}, who="ann@example.com", given=bare.given)
    labelled(page.text_input, "Line for opting out").set_value("Reply STOP to opt out")
    save(page, "texts")
    assert (bare.settings.country, bare.settings.opt_out_line) == ("GB", "Reply STOP to opt out")
    assert labelled(page.selectbox, "Country").value == "GB"


ROWS = st.lists(st.tuples(st.sampled_from(sorted(country_names().values())), st.just("0.04")), max_size=6)


@given(ROWS, st.data())
def test_edits_of_the_table_become_what_the_table_shows(rows: list[Any], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.integers(0, max(len(rows) - 1, 0)))) if rows else set()
    changed = {
        place: {data.draw(st.sampled_from([COUNTRY, PRICE])): data.draw(st.sampled_from(["France", "1"]))}
        for place in (data.draw(st.sets(st.integers(0, len(rows) - 1))) if rows else set())
    }
    added = [{COUNTRY: "Spain", PRICE: "0.05"}, {}, {COUNTRY: None}]
    shown = [list(row) for row in rows]
    for place, change in changed.items():
        for column, cell in change.items():
            shown[place][column == PRICE] = cell
    expected = [tuple(row) for place, row in enumerate(shown) if place not in gone] + [("Spain", "0.05")]
    edits = {"edited_rows": changed, "added_rows": added, "deleted_rows": sorted(gone)}
    assert edited(rows, edits) == expected


def test_prices_by_country_are_read_by_name_and_each_mistake_is_named() -> None:
    read = price_list([("United Kingdom", "0.0375"), ("Germany", " 0.1 ")])
    assert stored("price_list", read) == {"GB": "0.0375", "DE": "0.1"}
    assert price_list([]) is None
    for rows, says in (
        ([("Germany", None)], "write a price beside Germany"),
        ([(None, "0.1")], "choose the country of the price 0.1"),
        ([("Germany", "0.1"), ("Germany", "0.2")], "Germany is listed twice"),
    ):
        with pytest.raises(SettingsError, match=says):
            price_list(rows)
    with pytest.raises(SettingsError, match="write a price from 0 to 1,000,000"):
        stored("price_list", price_list([("Germany", "NaN")]))


@each(
    "name, value, said",
    [
        ("price_list", {"GB": "0.04"}, "United Kingdom 0.04"),
        (
            "texting_hours",
            {"start": "09:00:00", "end": "18:30:00", "days": [0, 4]},
            "09:00–18:30 Mon and Fri",
        ),
        ("credits_per_day", 0, "0"),
        ("senders", ["ACME", "Shop"], "ACME, Shop"),
        ("country", None, "Not set"),
    ],
)
def test_every_setting_of_marketers_has_a_name_and_its_value_words(
    name: str, value: object, said: str
) -> None:
    assert set(LABELS) == set(OWNED)
    assert in_words(name, value) == said


@each("value", [None, True, 7, "tlh", "x,y", [1, None], [], {}, {"GB": 1}, {"start": "x"}])
@each("name", [*OWNED, "colour"])
def test_whatever_another_version_kept_is_shown(name: str, value: object) -> None:
    assert in_words(name, value) or value == []


def test_remembered_answers_are_listed_and_forgotten_one_by_one(open_page: Open, wired: Runtime) -> None:
    page = open_page("settings")
    assert "Nothing is remembered yet." in words(page)
    for title in ("MKT_SUPP_IND", "VIP"):
        asking = read_sheet(f"Mobile,{title}\n07400 123450,Y\n07400 123451,N\n07400 123452,\n".encode())
        columns = guess_columns(asking).answered({title: {"Y": "must_not", "N": "nothing"}})
        wired.ledger.column_answers.remember(asking, columns, who="ann@example.com")
    told = words(page.run())
    for said in ("**MKT_SUPP_IND** · Y · Must not", "4 answers", "for sheets with the same columns only"):
        assert said in told
    assert told.index("**VIP** · Y · Must not") < told.index("**MKT_SUPP_IND** · N · Says nothing")
    (first, *_others) = [one for one in page.button if one.label == "Forget…"]
    first.click().run()
    assert len(wired.ledger.column_answers.all()) == 4, "it is asked first"
    button(page, "Forget it").click().run()
    told = words(page)
    assert "**MKT_SUPP_IND** · Y" not in told
    assert "3 answers" in told
    assert [one.value for one in wired.ledger.column_answers.all()] == ["N", "N", "Y"]
