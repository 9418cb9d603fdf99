"""How objects show themselves in a notebook: what they are, their figures with units, and what to do next.

HTML without colours of its own: text, lines and background are the notebook's, light or dark. Code hosts drop
all styles, and it still reads well. Every text is escaped: sheets and campaigns hold what anybody typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from numbers import Integral, Number

import pandas as pd

from dashboard.words import _, count, plural

MOST_ROWS = 8
"""A card is looked at, not read through; the object has the rest."""

_LEFT = "text-align:left;vertical-align:top;"
_RIGHT = "text-align:right;vertical-align:top;white-space:nowrap;"
_FAINT = "opacity:0.75;"


@dataclass(frozen=True)
class Card:
    """What a notebook shows of an object.

    Attributes:
        title: What it is.
        facts: Its figures with their units, a few words each.
        table: Its most telling rows.
        remarks: What else to know, in sentences.
        next_step: What it is for, as code.

    Example:
        >>> Card("Sheet", ("2 rows",), next_step="d.clean_contacts(sheet)").html()[:29]
        '<div><p><strong>Sheet</strong'
    """

    title: str
    facts: Sequence[str] = ()
    table: pd.DataFrame | None = None
    remarks: Sequence[str] = ()
    next_step: str = ""

    def html(self) -> str:
        """The card as HTML."""
        facts = " · ".join(escape(fact) for fact in self.facts)
        parts = [f"<p><strong>{escape(self.title)}</strong> {facts}</p>"]
        if self.table is not None and len(self.table):
            parts.append(_table(self.table))
        parts += [f'<p style="{_FAINT}">{escape(remark)}</p>' for remark in self.remarks]
        if self.next_step:
            step = _("Next: {code}").format(code=f"<code>{escape(self.next_step)}</code>")
            parts.append(f"<p>{step}</p>")
        return f"<div>{''.join(parts)}</div>"


def _table(table: pd.DataFrame) -> str:
    styles = [_RIGHT if _is_of_numbers(table[name]) else _LEFT for name in table]
    head = "".join(
        f'<th style="{style}">{escape(str(name).replace("_", " "))}</th>'
        for name, style in zip(table, styles, strict=True)
    )
    rows = "".join(
        _row(values, styles) for values in table.head(MOST_ROWS).itertuples(index=False, name=None)
    )
    left = len(table) - MOST_ROWS
    more = f'<p style="{_FAINT}">{escape(_more(left))}</p>' if left > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _is_of_numbers(column: pd.Series) -> bool:
    return all(isinstance(value, Number) for value in column.dropna())


def _row(values: Sequence[object], styles: Sequence[str]) -> str:
    cells = (
        f'<td style="{style}">{escape(_cell(value))}</td>'
        for value, style in zip(values, styles, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _cell(value: object) -> str:
    if value is None or value is pd.NA or value != value:  # noqa: PLR0124 - NaN is what differs from itself
        return ""
    return count(int(value)) if isinstance(value, Integral) else str(value)


def _more(rows: int) -> str:
    return plural(rows, "… and {count} more row", "… and {count} more rows")
