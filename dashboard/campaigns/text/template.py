"""Templates: text with merge fields such as `{{ first_name | there }}` and optional text by a yes/no column.

The part before the bar names a column of the sheet; case, spaces and underscores do not matter. The part
after it is used where the cell is blank. Liquid's `default: 'there'` is understood too.

`{{#member}}…{{/member}}` is sent where the column says yes, `{{^member}}…{{/member}}` where it says no or
nothing. They may be nested.

There is nothing else: no filters, no loops, no template engine, so that a template cannot run forever or
reach into the program, and so that a million texts take just a few column-wise concatenations. A value is
inserted as it is and never interpreted again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from dashboard.campaigns.length.normal import normal_text

_CHARACTERS_SHOWN = 40


@dataclass(frozen=True)
class Condition:
    """Holds where the column `name` says yes; with `opposite`, where it says no or nothing."""

    name: str
    opposite: bool = False


@dataclass(frozen=True)
class Literal:
    """Text between fields, in NFC; sent where every condition of `when` holds."""

    text: str
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class MergeField:
    """A place that each row fills. `fallback` is None if none is written; "" means that blank is fine."""

    name: str
    fallback: str | None = None
    when: tuple[Condition, ...] = ()


Piece = Literal | MergeField


@dataclass(frozen=True)
class Template:
    """A template, read once. Make one with `reader.parse_template`."""

    text: str
    pieces: tuple[Piece, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields it inserts, as written, each once, in order."""
        return tuple(dict.fromkeys(p.name for p in self.pieces if isinstance(p, MergeField)))

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the yes/no columns it refers to, as written, each once, in order."""
        return tuple(dict.fromkeys(c.name for piece in self.pieces for c in piece.when))

    @cached_property
    def version(self) -> str:
        """An id of its content, 16 hexadecimal digits: the same words have the same id on every machine."""
        return sha256(normal_text(self.text).encode()).hexdigest()[:16]

    def where(self, yes: Iterable[str]) -> tuple[Piece, ...]:
        """The pieces for rows in which just these of `conditions` say yes; adjacent literals are joined."""
        said = frozenset(yes)
        kept: list[Piece] = []
        for piece in self.pieces:
            if any((condition.name in said) == condition.opposite for condition in piece.when):
                continue
            if isinstance(piece, Literal) and kept and isinstance(kept[-1], Literal):
                kept[-1] = Literal(normal_text(kept[-1].text + piece.text))
            else:
                kept.append(piece)
        return tuple(kept)


def field_key(name: str) -> str:
    """A column's name reduced to what matters: without case, spaces and underscores.

    Example:
        >>> field_key("First_Name") == field_key("first name")
        True
    """
    return re.sub(r"[\s_]+", "", normal_text(name)).casefold()


def shown(name: str) -> str:
    """A name as an error shows it: quoted, and cut if it is long."""
    return repr(name if len(name) <= _CHARACTERS_SHOWN else name[:_CHARACTERS_SHOWN] + "…")
