"""A long list is shown page by page: every row on one page, whatever was chosen before it became shorter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st
from page_reading import on_page
from streamlit.testing.v1 import AppTest

from dashboard.app.widgets.page import table_key
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


def a_list() -> None:
    """A page with a list as long as its address says, which is filtered by a word."""
    page = page_of(int(st.query_params["rows"]), 10, "list", st.query_params["word"])
    st.caption(str(page.number))
    page.choose()
    if page.pages > 1:
        st.caption(str(st.session_state[page.key]))


def shown(looks: Sequence[tuple[int, str, int | None]]) -> list[list[str]]:
    """The page that is shown, and the one that is marked as chosen: of so many rows, filtered, turned to."""
    page, seen = AppTest.from_string("from test_paging import a_list\na_list()"), []
    for rows, word, turned_to in looks:
        page.query_params.update({"rows": str(rows), "word": word})
        if turned_to:
            page.session_state[table_key("list", (word,))] = turned_to
        seen.append([caption.value for caption in page.run().caption])
    return seen


def test_the_page_that_is_shown_is_the_one_that_is_marked() -> None:
    for rows, fewer, last in ((50, 40, "4"), (50, 21, "3"), (31, 20, "2"), (1000, 11, "2")):
        first, turned, after, later = shown(
            [(rows, "", None), (rows, "", -(-rows // 10)), (fewer, "", None), (fewer, "", None)]
        )
        assert first == ["1", "1"]
        assert turned == [str(-(-rows // 10))] * 2
        assert after == later == [last, last]


def test_another_filter_begins_with_the_first_page() -> None:
    for one, other in pairwise(("", "spring", "7400", "")):
        assert shown([(50, one, 3), (50, other, None)]) == [["3", "3"], ["1", "1"]]
