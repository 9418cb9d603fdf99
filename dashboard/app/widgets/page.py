"""The head of a page, and what it shows while it is empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.reports import figures


def head(title: str, caption: str = "") -> DeltaGenerator:
    """Draw the title with its caption; returns the place to its right for actions."""
    with st.container(
        key="page-head",
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="bottom",
        gap="medium",
    ):
        with st.container(width="content", gap=None):
            st.title(title, anchor=False)
            if caption:
                st.caption(caption)
        return st.container(horizontal=True, width="content", vertical_alignment="center")


def one_of(states: Iterable[object], current: object) -> DeltaGenerator:
    """The place where one of several states draws; anything another state had drawn there disappears at once.

    While a script is busy, elements of its last run stay wherever the new run has not drawn yet, so an old
    and a new state appear side by side. Here each state has its own place, and all other places are emptied.
    Call it for every changing part of a page before filling any of them.
    """
    places = {state: st.container() if state == current else st.empty() for state in states}
    return places[current]


def empty(
    sentence: str, *, page: str = "", action: str = "", icon: str = "", query: Mapping[str, str] | None = None
) -> DeltaGenerator:
    """Say what will appear here, and link to the next step; returns the place below for another one."""
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.space("small")
        st.markdown(sentence, text_alignment="center")
        if page:
            st.page_link(page, label=action, icon=icon or None, query_params=dict(query or {}))
        below = st.container(horizontal_alignment="center", gap="small")
        st.space("small")
    return below


def search_field(label: str, key: str, *, width: int, **how: Any) -> str:
    """Draw a search field; returns what was typed. `how` is passed on to Streamlit."""
    return (
        st.text_input(
            label,
            placeholder=label,
            key=key,
            icon=":material/search:",
            label_visibility="collapsed",
            width=width,
            **how,
        )
        or ""
    )


def table_key(name: str, rows: Iterable[object]) -> str:
    """The key of a table in which a row can be chosen; it changes as soon as the rows do.

    Streamlit stores a choice as a position in the table, so with a constant key the choice would pass to
    whatever moves to that position.
    """
    return f"{name}-{hash(tuple(rows))}"


def section(title: str, *, help: str | None = None) -> None:  # noqa: A002 - Streamlit's own word
    """Draw the heading of a section of a page."""
    st.header(title, anchor=False, help=help)


def chart(figure: go.Figure, key: str) -> None:
    """Draw one of our figures with its alternative text; if it has no data, draw only its sentence."""
    if not figure.data:
        st.caption(figures.alt_text(figure))
        return
    st.plotly_chart(
        figure,
        key=f"chart-{key}",  # whose place is kept until the program that draws it has arrived
        height=figure.layout.height or figure.layout.template.layout.height,
        config={"displayModeBar": False, "scrollZoom": False},
        alt=figures.alt_text(figure),
    )
