"""A long list, a page at a time."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import streamlit as st

from dashboard.app.widgets.page import table_key

WIDTH, WIDTH_OF = 330, {2: 190}
"""Said, because Streamlit shows as many numbers as there is room for: as wide as its content, one."""


@dataclass(frozen=True)
class Page:
    """The page of a list that is shown; `choose` draws the choice of another.

    Attributes:
        key: Where Streamlit keeps the number.
        number: Counts from 1.
        pages: How many there are; one if the list is empty.
        size: Rows on a page.
    """

    key: str
    number: int
    pages: int
    size: int

    @property
    def first(self) -> int:
        """How many rows come before the page."""
        return (self.number - 1) * self.size

    @property
    def rows(self) -> slice:
        """The page's rows, by place."""
        return slice(self.first, self.first + self.size)

    def choose(self) -> None:
        """Draw the choice of another page, if there are any."""
        if self.pages > 1:
            st.pagination(self.pages, key=self.key, width=WIDTH_OF.get(self.pages, WIDTH))

    def foot(self, said: str) -> None:
        """Draw how long the list is, in words, and beside it the choice of another page."""
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(said)
            self.choose()


def page_of(rows: int, size: int, key: str, *filters: Hashable) -> Page:
    """The page that was chosen last, of a list with this many rows; the last one if there are fewer now.

    With other filters it is another list, which begins with its first page.
    """
    key = table_key(key, filters) if filters else key
    pages = max(1, -(-rows // size))
    chosen = int(st.session_state.get(key) or 1)
    number = min(chosen, pages)
    if chosen > number:  # Streamlit would mark the first one
        st.session_state[key] = number
    return Page(key, number, pages, size)
