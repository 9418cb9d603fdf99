"""Saved lists: from the wizard to the page Contacts and back into a campaign; and columns remembered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from page_reading import button, words
from streamlit.testing.v1 import AppTest

from dashboard.app.runtime import Runtime

Open = Callable[..., AppTest]
SHEET = b"Name,Mobile,Work,City\nAnn,07911 123451,,Leeds\nBen,nope,07911 123452,York\nCy,nope,,Hull\n"


@pytest.fixture
def at_columns(open_page: Open) -> Callable[..., AppTest]:
    def open_(content: bytes = SHEET) -> AppTest:
        page = open_page("new")
        page.file_uploader[0].upload("contacts.csv", content).run()
        return click(page, "Continue")

    return open_


def click(page: AppTest, label: str) -> AppTest:
    button(page, label).click().run()
    assert not page.exception, page.exception
    return page


def choose(page: AppTest, row: int) -> None:
    selected = {"selection": {"rows": [row], "columns": [], "cells": []}}
    page.session_state[page.dataframe[0].key] = selected


def delete(page: AppTest, row: int) -> None:
    choose(page, row)
    page.run()
    click(page, "Delete…")
    assert "deleted for everyone" in words(page)
    choose(page, row)
    button(page, "Delete…").click()
    page.button(key="confirm-delete-list").click().run()


def save(page: AppTest, name: str) -> None:
    label = next(one.label for one in page.button if one.label.startswith("Save the list"))
    click(page, label)
    button(page, label).click()
    key = f"list-name-{page.query_params['draft']}"
    page.text_input(key=key).set_value(name).run()
    button(page, label).click()
    page.button(key="confirm-save-list").click().run()
    assert not page.exception, page.exception


def test_a_saved_list_is_used_again_with_what_was_decided(
    at_columns: Callable[..., AppTest], open_page: Open, wired: Runtime
) -> None:
    page = at_columns()
    page.multiselect[0].set_value(["Mobile"]).run()
    click(page, "Continue")
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
    click(contacts, "New campaign with it")
    again = open_page("new", draft=str(contacts.query_params["draft"]))
    figures = {metric.label: metric.value for metric in again.metric}
    assert figures["Ready to send"] == "0"
    assert figures["Opted out"] == "1"
    save(again, "Customers, checked")
    assert wired.ledger.lists.all()["name"].tolist() == ["Customers, checked"]


def test_after_a_deletion_nothing_is_chosen(
    at_columns: Callable[..., AppTest], open_page: Open, wired: Runtime
) -> None:
    for name in ("Customers", "Staff"):
        save(click(at_columns(), "Continue"), name)
    page = open_page("contacts")
    assert page.dataframe[0].value["name"].tolist() == ["Staff", "Customers"]
    delete(page, 0)
    assert not page.exception
    assert page.dataframe[0].value["name"].tolist() == ["Customers"]
    assert "Delete…" not in [one.label for one in page.button]


def test_columns_are_remembered_for_the_next_sheet_like_it(at_columns: Callable[..., AppTest]) -> None:
    page = at_columns()
    assert "Matched as in a sheet" not in words(page)
    guessed = page.multiselect[0].value
    page.multiselect[0].set_value(["Work"]).run()
    click(page, "Continue")
    other = at_columns(b"Mobile,Work,City\n07911 123455,07911 123456,Hull\n")
    assert "Matched as" not in words(other)
    again = at_columns(SHEET + b"Dev,,07911 123456,Hull\n")
    assert again.multiselect[0].value == ["Work"]
    assert "Matched as in a sheet with the same columns" in words(again)
    click(again, "Guess again")
    assert again.multiselect[0].value == guessed
    assert "Matched as" not in words(again)


def test_columns_chosen_in_the_moment_of_going_on_count(
    at_columns: Callable[..., AppTest], wired: Runtime
) -> None:
    page = at_columns()
    page.multiselect[0].set_value(["Mobile"])
    click(page, "Continue")
    (draft,) = wired.drafts.open_ones("local")
    assert draft.columns is not None
    assert draft.columns.phones == ("Mobile",)


def test_a_saved_list_is_compared_with_the_service(
    at_columns: Callable[..., AppTest], open_page: Open, wired: Runtime
) -> None:
    save(click(at_columns(), "Continue"), "Staff")
    page = open_page("check")
    page.number_input[0].set_value(2).run()
    click(page, "Check 2 numbers")
    figures = {one.label: one.value for one in page.metric}
    assert figures == {"Agree": "2", "One says valid": "0", "Different line types": "0", "No answer": "0"}
    assert "agrees on all of them" in words(page)
    assert len(wired.drafts.open_ones("local")) == 1
