"""Saved lists: from the wizard to the page Contacts and back into a campaign; and columns remembered."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.service import SmsService

SHEET = b"Name,Mobile,Work,City\nAnn,07911 123451,,Leeds\nBen,nope,07911 123452,York\nCy,nope,,Hull\n"


@pytest.fixture
def at_columns(open_page: Open) -> Open:
    def open_(content: bytes = SHEET) -> AppTest:
        page = open_page("new")
        page.file_uploader[0].upload("contacts.csv", content).run()
        return button(page, "Continue").click().run()

    return open_


def choose(page: AppTest, row: int) -> None:
    selected = {"selection": {"rows": [row], "columns": [], "cells": []}}
    page.session_state[page.dataframe[0].key] = selected


def save(page: AppTest, name: str) -> None:
    label = next(one.label for one in page.button if one.label.startswith("Save the list"))
    button(page, label).click().run()
    button(page, label).click()
    key = f"list-name-{page.query_params['draft']}"
    page.text_input(key=key).set_value(name).run()
    button(page, label).click()
    page.button(key="confirm-save-list").click().run()


def test_a_saved_list_is_used_again_with_what_was_decided(
    at_columns: Open, open_page: Open, wired: Runtime
) -> None:
    page = at_columns()
    page.multiselect[0].set_value(["Mobile"])  # chosen in the moment of going on
    button(page, "Continue").click().run()
    (draft,) = wired.drafts.open_ones("local")
    assert draft.columns is not None
    assert draft.columns.phones == ("Mobile",)
    save(page, "Customers")
    lists = wired.ledger.lists.all()
    assert lists[["name", "source", "rows", "ok", "invalid", "saved_by"]].iloc[0].tolist() == [
        *("Customers", "contacts.csv"),
        *(3, 1, 2, "local"),
    ]
    wired.ledger.add_opt_outs(["+447911123451"])
    contacts = open_page("contacts")
    assert contacts.dataframe[0].value["name"].tolist() == ["Customers"]
    choose(contacts, 0)
    contacts.run()
    button(contacts, "New campaign with it").click().run()
    again = open_page("new", draft=str(contacts.query_params["draft"]))
    figures = {metric.label: metric.value for metric in again.metric}
    assert figures["Ready to send"] == "0"
    assert figures["Opted out"] == "1"
    save(again, "Customers, checked")
    assert wired.ledger.lists.all()["name"].tolist() == ["Customers, checked"]


def test_after_a_deletion_nothing_is_chosen(open_page: Open, wired: Runtime) -> None:
    for name in ("Customers", "Staff"):
        wired.ledger.lists.save(name, io.BytesIO(SHEET), source="contacts.csv", who="local")
    page = open_page("contacts")
    assert page.dataframe[0].value["name"].tolist() == ["Staff", "Customers"]
    choose(page, 0)
    page.run()
    button(page, "Delete…").click().run()
    assert "deleted for everyone" in words(page)
    choose(page, 0)
    button(page, "Delete…").click()
    page.button(key="confirm-delete-list").click().run()
    assert page.dataframe[0].value["name"].tolist() == ["Customers"]
    assert "Delete…" not in [one.label for one in page.button]


def test_columns_are_remembered_for_the_next_sheet_like_it(at_columns: Open) -> None:
    page = at_columns()
    assert "Matched as in a sheet" not in words(page)
    guessed = page.multiselect[0].value
    page.multiselect[0].set_value(["Work"]).run()
    button(page, "Continue").click().run()
    other = at_columns(b"Mobile,Work,City\n07911 123455,07911 123456,Hull\n")
    assert "Matched as" not in words(other)
    again = at_columns(SHEET + b"Dev,,07911 123456,Hull\n")
    assert again.multiselect[0].value == ["Work"]
    assert "Matched as in a sheet with the same columns" in words(again)
    button(again, "Guess again").click().run()
    assert again.multiselect[0].value == guessed
    assert "Matched as" not in words(again)


def test_a_saved_list_is_compared_with_the_service(open_page: Open, wired: Runtime) -> None:
    choices = {"country": "GB", "columns": {"phones": ["Mobile"]}}
    sheet = io.BytesIO(b"Mobile\n07911 123461\n07911 123462\n")
    known = {"source": "staff.csv", "who": "local", "counts": {"rows": 2, "ok": 2}}
    wired.ledger.lists.save("Staff", sheet, choices=choices, **known)
    page = open_page("check")
    button(page, "Check 2 numbers").click().run()
    found = {"Agree": "2", "One says valid": "0", "Different line types": "0", "No answer": "0"}
    assert {one.label: one.value for one in page.metric} == found
    assert "agrees on all of them" in words(page)
    assert wired.drafts.open_ones("local") == []
    with SmsService("http://127.0.0.1:9", "key") as nobody:
        runtime.use(replace(wired, service=nobody))
        settings = open_page("settings")
        button(settings, "Test the connection").click().run()
        assert "cannot be reached" in settings.error[0].value
        page = open_page("check")
        button(page, "Check 2 numbers").click().run()
        assert {one.label: one.value for one in page.metric}["No answer"] == "2"
        page.text_input[0].set_value("07911 123456")
        button(page, "Check").click().run()
        assert "+447911123456" in words(page)
        assert len(page.error) == 1
