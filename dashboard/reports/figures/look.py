"""What all figures share: no background, quiet axes, a sentence for people who cannot see them."""

from __future__ import annotations

from html import escape
from typing import Any

import plotly.graph_objects as go

from dashboard.arguments import checks_arguments
from dashboard.words import number_signs

# A grey that is readable both on white and on the dark theme's near-black.
TEXT = "#78828F"
LINE = "rgba(120, 130, 143, 0.25)"
_CLEAR = "rgba(0, 0, 0, 0)"
_AXIS = {
    "gridcolor": LINE,
    "linecolor": LINE,
    "zeroline": False,
    "automargin": True,
    "ticks": "",
    "ticklabelstandoff": 6,
    "title": {"standoff": 8, "font": {"size": 13}},
}

TEMPLATE = go.layout.Template(
    layout={
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "font": {"color": TEXT, "size": 13},
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "height": 300,
        "bargap": 0.3,
        "legend": {
            "orientation": "h",
            "traceorder": "normal",
            "y": 1.02,
            "yanchor": "bottom",
            "x": 0,
            "title": None,
        },
        "hoverlabel": {"align": "left"},
        "xaxis": _AXIS,
        "yaxis": _AXIS,
    }
)


def figure(traces: list[Any], alt: str, **layout: Any) -> go.Figure:
    """A figure in our look, with its alternative text in `layout.meta["alt"]`."""
    shared = {"template": TEMPLATE, "meta": {"alt": alt}, "separators": number_signs()}
    return go.Figure(traces, layout=shared | layout)


def as_typed(text: object) -> str:
    """What people typed, for a place where plotly would interpret some HTML tags, including links."""
    return escape(str(text), quote=False)


def shortened(name: str, longest: int = 26) -> str:
    """A name with its middle left out: what tells names apart is at the beginning or at the end."""
    if len(name) <= longest:
        return name
    end = (longest - 1) // 2
    return f"{name[: longest - 1 - end].rstrip()}…{name[-end:].lstrip()}"


def empty(sentence: str) -> go.Figure:
    """A figure with nothing to show yet, which says what will appear."""
    note = {"text": sentence, "x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "showarrow": False}
    hidden = {"visible": False}
    return figure([], sentence, annotations=[note], xaxis=hidden, yaxis=hidden, height=160)


@checks_arguments()
def alt_text(shown: go.Figure) -> str:
    """The sentence that says what a figure of ours shows."""
    return str(shown.layout.meta["alt"])
