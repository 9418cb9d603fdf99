"""What the campaign is, a line each, with the way back to where each line was decided."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from dashboard.app.drafts import Draft
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.marks import facts
from dashboard.app.wizard import steps
from dashboard.app.wizard.text.options import open_options


class Line(NamedTuple):
    """A line of the review.

    Attributes:
        term, value: What it says.
        change: What the button beside it says; empty if it follows from other lines.
        step: Where it was decided.
        is_option: Whether that is among the message's folded options.
    """

    term: str
    value: str
    change: str = ""
    step: int = 0
    is_option: bool = False


def draw(draft: Draft, lines: list[Line]) -> None:
    """Draw the lines."""
    with st.container(key="lines", gap=None):
        for line in lines:
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                _draw(draft, line)


def change(draft: Draft, label: str, step: int, *, is_option: bool = False) -> None:
    """Draw a button that leads back to a step."""
    st.button(
        label,
        type="tertiary",
        on_click=whole(_change),
        args=(draft, step, is_option),
        key=f"change-{label}",
    )


def _draw(draft: Draft, line: Line) -> None:
    facts({line.term: line.value}, in_line=True)
    if line.change:
        change(draft, line.change, line.step, is_option=line.is_option)


def _change(draft: Draft, step: int, is_option: bool) -> None:  # noqa: FBT001 - a button's arguments
    if is_option:
        open_options(draft.id)
    steps.go(draft, step)
