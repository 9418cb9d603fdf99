"""Figures that also show where no script runs.

Code hosts and mail strip scripts, so an interactive figure leaves a blank there, while an image stored next
to it in the notebook is shown. Bars are drawn here as SVG from their own numbers, each with its label, so
that no legend is needed. Other figures need a browser: name one in BROWSER_PATH, with kaleido installed, and
they are stored as PNG; otherwise only their sentence is.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape, unescape
from itertools import repeat
from typing import Any

import orjson
import plotly.graph_objects as go

from dashboard.reports.figures.look import TEXT, alt_text

_WIDTH, _LABELS, _NUMBERS = 720, 190, 90
_STEP, _THICK, _BASELINE = 26, 18, 14
_STYLE = f'font-family="sans-serif" font-size="13" fill="{TEXT}"'


@dataclass(frozen=True)
class Still:
    """A figure as the last line of a notebook cell: interactive where possible, else an image.

    Example:
        >>> Still(figures.by_country(messages))
    """

    figure: go.Figure

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {
            "application/vnd.plotly.v1+json": orjson.loads(self.figure.to_json()),
            **self._image(),
            "text/plain": alt_text(self.figure),
        }

    def _image(self) -> dict[str, str]:
        if all(trace.type == "bar" for trace in self.figure.data):
            return {"image/svg+xml": self.svg}
        if not os.environ.get("BROWSER_PATH"):
            return {}
        height = self.figure.layout.height or self.figure.layout.template.layout.height
        image = self.figure.to_image("png", width=_WIDTH, height=height)
        return {"image/png": b64encode(image).decode()}

    @property
    def svg(self) -> str:
        """A bar figure as an SVG image: its bars below each other, each with its label and number."""
        bars = list(_bars(self.figure))
        longest = max((length for _, length, _ in bars), default=0) or 1
        scale = (_WIDTH - _LABELS - _NUMBERS) / longest
        rows = (
            _row(place, label, length, length * scale, colour)
            for place, (label, length, colour) in enumerate(bars)
        )
        size = f'width="{_WIDTH}" height="{_STEP * len(bars)}" viewBox="0 0 {_WIDTH} {_STEP * len(bars)}"'
        title = f"<title>{escape(alt_text(self.figure))}</title>"
        return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}{"".join(rows)}</svg>'


def _bars(figure: go.Figure) -> Iterator[tuple[str, float, str]]:
    """Label, length and colour of every bar."""
    axis = figure.layout.yaxis
    written = dict(zip(axis.tickvals or (), axis.ticktext or (), strict=True))
    for trace in figure.data:
        labels, lengths = (trace.y, trace.x) if trace.orientation == "h" else (trace.x, trace.y)
        colour = trace.marker.color
        colours = repeat(colour) if isinstance(colour, str) else colour
        name = f", {trace.name.lower()}" if trace.name and len(figure.data) > 1 else ""
        for label, length, shade in zip(labels, lengths, colours, strict=False):
            yield f"{unescape(str(written.get(label, label)))}{name}", float(length), shade


def _row(place: int, label: str, length: float, width: float, colour: str) -> str:
    top, baseline = place * _STEP, place * _STEP + _BASELINE
    return (
        f'<text x="{_LABELS - 8}" y="{baseline}" text-anchor="end" {_STYLE}>{escape(label)}</text>'
        f'<rect x="{_LABELS}" y="{top}" width="{width:.1f}" height="{_THICK}" '
        f'fill="{colour}" stroke="{TEXT}"/>'
        f'<text x="{_LABELS + width + 6:.1f}" y="{baseline}" {_STYLE}>{length:,.10g}</text>'
    )
