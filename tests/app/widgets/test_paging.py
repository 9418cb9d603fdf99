"""A long list is shown page by page: every row on one page, whatever was chosen before it became shorter."""

from __future__ import annotations

import streamlit as st
from page_reading import on_page

from dashboard.app.widgets.paging import Page, page_of


def pages_of(*asked: tuple[int, int | None]) -> list[Page]:
    """The page of a list of so many rows that is shown once this one was chosen, of each."""

    def look() -> list[Page]:
        pages = []
        for rows, chosen in asked:
            st.session_state["place"] = chosen
            pages.append(page_of(rows, 200, "place"))
        return pages

    pages: list[Page] = on_page(look)
    return pages


def test_every_row_is_on_one_page() -> None:
    for rows, pages in ((0, 1), (1, 1), (199, 1), (200, 1), (201, 2), (450, 3)):
        shown = pages_of(*((rows, number + 1) for number in range(pages)))
        assert [row for page in shown for row in range(rows)[page.rows]] == list(range(rows))
        assert [page.first for page in shown] == list(range(0, max(rows, 1), 200))
        assert {page.pages for page in shown} == {pages}


def test_a_page_that_is_gone_is_the_last_one() -> None:
    assert [page.number for page in pages_of((450, None), (450, 3), (201, 3), (0, 3))] == [1, 3, 2, 1]
