"""Small marked-up parts that Streamlit has no element for. Every value is escaped; nothing runs scripts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape

import streamlit as st

from dashboard.app.standing.stages import HEAPS
from dashboard.words import _, count


def strip(lead: str, sentence: str) -> None:
    """Draw a slim band with a remark that applies to the whole page."""
    st.html(f'<div class="strip" role="note"><b>{escape(lead)}</b> {escape(sentence)}</div>')


def step_mark(number: int, name: str, *, is_open: bool) -> None:
    """Draw a step of a wizard that is open, or to which nobody has come yet."""
    here = ' aria-current="step"' if is_open else ""
    st.html(
        f'<span class="step"{here}><i aria-hidden="true">{number}</i><b>{escape(name)}</b></span>',
        width="content",
    )


def heap_bar(counts: Mapping[str, int], *, legend: bool = True) -> None:
    """Draw how many messages are in each heap: one bar, and the same in words and numbers.

    Without the legend the words are the bar's accessible name.
    """
    shown = [(HEAPS[name], number) for name, number in counts.items() if number]
    bar = "".join(
        f'<span style="flex:{number} 1 0;background:{stage.color}"></span>' for stage, number in shown
    )
    words = ", ".join(f"{_(stage.label)} {count(number)}" for stage, number in shown)
    if not legend:
        named = f'<div class="bar" role="img" aria-label="{escape(words)}">{bar}</div>'
        st.html(f'<div class="stages small">{named}</div>')
        return
    items = "".join(
        f'<li style="--mark:{stage.color}">{escape(_(stage.label))} <b>{count(number)}</b></li>'
        for stage, number in shown
    )
    st.html(f'<div class="stages"><div class="bar" aria-hidden="true">{bar}</div><ul>{items}</ul></div>')


def bubble(sender: str | None, body: str, *, missing: bool = False, follows: str | None = None) -> None:
    """Draw a message as it arrives on a phone, each paragraph from the side on which its language begins.

    Args:
        sender: Who it is from; without one, the service's default is named.
        body: What it says.
        missing: Whether it will not be sent.
        follows: The key of the editor that writes into it while somebody types, if one does.
    """
    sender = sender or _("The account's default sender")
    kind = "bubble missing" if missing else "bubble"
    editor = "" if follows is None else f' data-follows="{escape(follows)}"'
    st.html(
        f'<div class="phone"><header>{escape(sender)}</header>'
        f'<div class="{kind}" dir="auto"{editor}>{escape(body)}</div></div>'
    )


def facts(pairs: Mapping[str, str], *, in_line: bool = False) -> None:
    """Draw terms with their values, one pair per line; `in_line` leaves room for a button beside it."""
    kind = "facts line" if in_line else "facts"
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(value)}</dd>" for term, value in pairs.items())
    st.html(f'<dl class="{kind}">{rows}</dl>')


def funnel(steps: Iterable[tuple[str, int, str, float, str]]) -> None:
    """Draw shrinking counts: (name, count, how many fewer in words, share of the first, colour)."""
    rows = "".join(
        f'<div><span class="label"><span>{escape(name)}</span><span><i>{escape(lost)}</i> '
        f"<b>{count(number)}</b></span></span>"
        f'<span class="track" style="--mark:{color}"><span style="width:{100 * share:.2f}%">'
        "</span></span></div>"
        for name, number, lost, share, color in steps
    )
    st.html(f'<div class="funnel">{rows}</div>')


def bars(rows: Iterable[tuple[str, int, str]], *, color: str) -> None:
    """Draw named counts as bars relative to the largest: (name, count, what to write at the end)."""
    rows = list(rows)
    largest = max((row[1] for row in rows), default=0)
    drawn = "".join(
        f'<div><span class="name">{escape(name)}</span><span class="track" style="--mark:{color}">'
        f'<span style="width:{100 * number / max(largest, 1):.2f}%"></span></span>'
        f'<span class="end">{escape(end)}</span></div>'
        for name, number, end in rows
    )
    st.html(f'<div class="bars">{drawn}</div>')


def counted_reasons(reasons: Iterable[tuple[int, str]], name: str) -> None:
    """Draw sentences, each with its number of rows; `name` is for people who cannot see the list."""
    items = "".join(
        f"<li><b>{count(number)}</b><span>{escape(sentence)}</span></li>" for number, sentence in reasons
    )
    st.html(f'<ul class="reasons" aria-label="{escape(name)}">{items}</ul>')


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, name: str, figures: Collection[str] = ()
) -> None:
    """Draw a few rows of words.

    Args:
        head: Titles of the columns.
        rows: Their cells.
        name: What the table is, for people who cannot see it.
        figures: Titles of the columns that hold numbers.
    """
    kinds = [' class="number"' if title in figures else "" for title in head]
    titles = "".join(
        f'<th scope="col"{kind}>{escape(title)}</th>' for title, kind in zip(head, kinds, strict=True)
    )
    body = "".join(
        "".join(["<tr>", *(f"<td{kind}>{escape(cell)}</td>" for cell, kind in zip(row, kinds, strict=True))])
        for row in rows
    )
    st.html(
        f'<table class="rows" aria-label="{escape(name)}"><thead><tr>{titles}</thead><tbody>{body}</table>'
    )


def side_by_side(names: Sequence[str], rows: Mapping[str, Sequence[str]], *, name: str) -> None:
    """Draw figures of several things: a line per figure, a column per thing; narrow screens scroll it.

    Args:
        names: What the things are called.
        rows: What each figure is for each of them.
        name: What the table is, for people who cannot see it.
    """
    titles = "".join(f'<th scope="col">{escape(one)}</th>' for one in names)
    body = "".join(
        f'<tr><th scope="row">{escape(figure)}</th><td>{"</td><td>".join(map(escape, values))}</td></tr>'
        for figure, values in rows.items()
    )
    st.html(
        f'<div class="beside" role="region" tabindex="0" aria-label="{escape(name)}"><table class="rows">'
        f"<thead><tr><td></td>{titles}</tr></thead><tbody>{body}</tbody></table></div>"
    )
