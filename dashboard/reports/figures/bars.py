"""A figure of bars as an SVG image that says the same: bars stacked, side by side or upon each other.

What an interactive figure tells under the pointer is written here: each number on its bar or behind it. Bars
lie, whichever way they stand in the figure, so that labels of any length can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from math import floor, log10
from typing import Any

import plotly.graph_objects as go

from dashboard.reports.figures.look import LINE, TEXT, alt_text
from dashboard.words import count, decimal

_WIDTH, _GAP, _LETTER = 720, 8, 7.2
"""Pixels: of the image, between things, and about a letter's width."""
_THICK, _THIN, _ROW_GAP, _LEGEND, _AXIS, _TITLE = 20, 16, 12, 28, 22, 20
_MOST_TICKS = 6
_LABEL_SHARE = 0.4
"""How much of the width labels may take."""
_ON_BARS = "#0f1620"
_STYLE = 'font-family="sans-serif" font-size="13"'


@dataclass(frozen=True)
class _Bar:
    """A bar of one row: where it begins and ends on the axis, its look and what is written for it."""

    start: float
    end: float
    fill: str
    edge: str
    said: str


@dataclass(frozen=True)
class _Drawn:
    """The figure's rows from top to bottom, and how its bars share a row."""

    rows: list[tuple[str, list[_Bar]]]
    mode: str

    def height(self, bars: list[_Bar]) -> int:
        """Of a row with these, without the gap after it."""
        return max(1, len(bars)) * _THIN if self.mode == "group" else _THICK


def bars_as_svg(figure: go.Figure) -> str:
    """The figure, all of whose traces are bars, as an SVG image with its alternative text as the title."""
    drawn = _read(figure)
    longest = max((bar.end for _label, bars in drawn.rows for bar in bars), default=0) or 1
    left = min(_WIDTH * _LABEL_SHARE, max((_wide(label) for label, _bars in drawn.rows), default=0)) + _GAP
    behind = max((_wide(_behind(bars, drawn.mode)) for _label, bars in drawn.rows), default=0)
    scale = (_WIDTH - left - behind - 2 * _GAP) / longest
    parts, top = [*_legend(figure)], _LEGEND if _has_legend(figure) else 0
    bottom = top + sum(drawn.height(bars) + _ROW_GAP for _label, bars in drawn.rows)
    parts += _axis(figure, [(tick, left + tick * scale) for tick in _ticks(longest)], top, bottom)
    for label, bars in drawn.rows:
        middle = top + drawn.height(bars) / 2
        parts.append(_text(_shortened(label, left), left - _GAP, middle, anchor="end"))
        parts += _row(bars, drawn.mode, (left, top), scale)
        top += drawn.height(bars) + _ROW_GAP
    height = bottom + _AXIS + (_TITLE if _unit(figure) else 0)
    size = f'width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}"'
    title = f"<title>{escape(alt_text(figure))}</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}{"".join(parts)}</svg>'


def _read(figure: go.Figure) -> _Drawn:
    axis = figure.layout.yaxis
    written = dict(zip(axis.tickvals or (), axis.ticktext or (), strict=True))
    order = [*(axis.categoryarray or ()), *(label for trace in figure.data for label in _sides(trace)[0])]
    mode = figure.layout.barmode or "group"
    mode = "overlay" if len(figure.data) == 1 else mode
    rows: dict[Any, list[_Bar]] = {label: [] for label in order}
    for trace in figure.data:
        labels, lengths = _sides(trace)
        colour = trace.marker.color
        fills = [colour] * len(labels) if isinstance(colour, str) else colour
        said = trace.hovertext if trace.hovertext is not None else trace.text
        said = [count(length) for length in lengths] if said is None else said
        said = [f"{trace.name} {words}" for words in said] if mode == "overlay" and trace.name else said
        for label, length, fill, words in zip(labels, lengths, fills, said, strict=True):
            start = rows[label][-1].end if mode == "stack" and rows[label] else 0.0
            edge = trace.marker.line.color or fill
            rows[label].append(_Bar(start, start + float(length), fill, edge, str(words)))
    return _Drawn([(unescape(str(written.get(label, label))), bars) for label, bars in rows.items()], mode)


def _sides(trace: go.Bar) -> tuple[Sequence[Any], Sequence[float]]:
    """Labels and lengths."""
    return (trace.y, trace.x) if trace.orientation == "h" else (trace.x, trace.y)


def _row(bars: list[_Bar], mode: str, corner: tuple[float, float], scale: float) -> Iterator[str]:
    left, top = corner
    for place, bar in enumerate(bars):
        x, wide, thick = left + bar.start * scale, (bar.end - bar.start) * scale, _THICK
        y: float = top
        if mode == "group":
            y, thick = top + place * _THIN, _THIN - 1
        yield (
            f'<rect class="bar" x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{thick}" fill="{bar.fill}" '
            f'stroke="{bar.edge}"/>'
        )
        if mode == "group":
            yield _text(bar.said, x + wide + _GAP, y + thick / 2, kind="number")
        elif mode == "stack" and len(bars) > 1 and wide > _wide(bar.said) + _GAP:
            yield _text(bar.said, x + wide / 2, top + thick / 2, anchor="middle", fill=_ON_BARS, kind="part")
    if mode != "group" and (words := _behind(bars, mode)):
        end = max(bar.end for bar in bars)
        yield _text(words, left + end * scale + _GAP, top + _THICK / 2, kind="number")


def _behind(bars: list[_Bar], mode: str) -> str:
    """What stands behind a row's bars: a stack's sum, all that lie upon each other, the widest of a group."""
    if not bars:
        return ""
    if mode == "stack" and len(bars) > 1:
        whole = all(bar.end.is_integer() for bar in bars)
        return count(int(bars[-1].end)) if whole else decimal(bars[-1].end)
    said = [bar.said for bar in bars]
    return max(said, key=len) if mode == "group" else " · ".join(said)


def _has_legend(figure: go.Figure) -> bool:
    return len(figure.data) > 1 and figure.layout.showlegend is not False


def _legend(figure: go.Figure) -> Iterator[str]:
    if not _has_legend(figure):
        return
    x = 1.0
    for trace in figure.data:
        edge = trace.marker.line.color or trace.marker.color
        look = f'fill="{trace.marker.color}" stroke="{edge}"'
        yield f'<rect class="key" x="{x:.1f}" y="2" width="12" height="12" {look}/>'
        yield _text(trace.name, x + 12 + _GAP, 8)
        x += 12 + 3 * _GAP + _wide(trace.name)


def _axis(figure: go.Figure, ticks: list[tuple[float, float]], top: float, bottom: float) -> Iterator[str]:
    """Lines from top to bottom with their numbers, and the unit below."""
    for tick, x in ticks:
        yield f'<path d="M{x:.1f} {top}V{bottom - _ROW_GAP / 2}" stroke="{LINE}"/>'
        yield _text(_tick(tick), x, bottom + _GAP / 2, anchor="middle", kind="tick")
    if unit := _unit(figure):
        middle = (ticks[0][1] + ticks[-1][1]) / 2
        yield _text(unit, middle, bottom + _AXIS + _GAP / 2, anchor="middle", kind="unit")


def _unit(figure: go.Figure) -> str:
    """What the lengths are measured in, as the figure's axis says."""
    lying = all(trace.orientation == "h" for trace in figure.data)
    axis = figure.layout.xaxis if lying else figure.layout.yaxis
    return axis.title.text or ""


def _ticks(longest: float) -> list[float]:
    """Round numbers from 0 up to the longest bar, whole ones if it is not shorter than 1."""
    tenth = 10.0 ** floor(log10(longest / _MOST_TICKS))
    step = next(tenth * by for by in (1, 2, 5, 10) if tenth * by * _MOST_TICKS >= longest)
    step = max(step, 1.0) if longest >= 1 else step
    return [round(step * place, 10) for place in range(int(longest / step * (1 + 1e-9)) + 1)]


def _tick(tick: float) -> str:
    return count(int(tick)) if tick.is_integer() else f"{tick:g}"


def _wide(words: str) -> float:
    return len(words) * _LETTER


def _shortened(label: str, left: float) -> str:
    most = int(left / _LETTER)
    return label if len(label) <= most else f"{label[: most - 1].rstrip()}…"


def _text(
    words: str, x: float, middle: float, *, anchor: str = "start", fill: str = TEXT, kind: str = "label"
) -> str:
    where = f'x="{x:.1f}" y="{middle + 4.5:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {where} {_STYLE} fill="{fill}">{escape(words)}</text>'
