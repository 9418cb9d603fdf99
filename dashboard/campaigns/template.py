"""Templates: text with merge fields such as `{{ first_name | there }}`.

What stands before the bar names a column of the sheet; case, spaces and underscores do not matter. What
stands after it is used where the cell is blank. Liquid's `default: 'there'` is understood too. There is
nothing else: no filters, no conditions, no template engine, so that a template cannot loop or reach into
the program, and so that a million texts are a few column-wise concatenations. A value is inserted as it is
and never read again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dashboard.campaigns.normal import normal_text
from dashboard.campaigns.other_syntax import refuse_other_syntax
from dashboard.errors import TemplateError

_DEFAULT = re.compile(r"default\s*(?::\s*(?P<liquid>.*)|\(\s*(?P<jinja>.*)\))", re.IGNORECASE | re.DOTALL)
_QUOTES = {"'": "'", '"': '"', "“": "”", "”": "”", "„": "“", "\u2018": "\u2019", "\u2019": "\u2019"}
_FILTERS = frozenset(
    {"capitalize", "downcase", "e", "escape", "lower", "safe", "strip", "title", "trim", "upcase", "upper"}
)


@dataclass(frozen=True)
class Literal:
    """Text between fields, in NFC."""

    text: str


@dataclass(frozen=True)
class MergeField:
    """A place that each row fills. `fallback` is None when none is written; "" means that blank is fine."""

    name: str
    fallback: str | None = None


@dataclass(frozen=True)
class Template:
    """A template, read once. Make one with `parse_template`."""

    text: str
    pieces: tuple[Literal | MergeField, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of its fields as written, each once, in order."""
        return tuple(dict.fromkeys(p.name for p in self.pieces if isinstance(p, MergeField)))


def parse_template(text: str) -> Template:
    """Read a template.

    Raises:
        TemplateError: It is empty, a field is not closed or has no name, or it holds another tool's syntax.

    Example:
        >>> parse_template("Hi {{ first_name | there }}!").pieces
        (Literal(text='Hi '), MergeField(name='first_name', fallback='there'), Literal(text='!'))
    """
    if not text.strip():
        raise TemplateError("The template is empty. Write the text of the message.")
    pieces: list[Literal | MergeField] = []
    position = 0
    while (start := text.find("{{", position)) >= 0:
        end = _closing(text, start)
        pieces.extend(_literal(text[position:start]))
        pieces.append(_merge_field(text[start + 2 : end], start))
        position = end + 2
    pieces.extend(_literal(text[position:]))
    return Template(text, tuple(pieces))


def _closing(text: str, start: int) -> int:
    end = text.find("}}", start + 2)
    another = text.find("{{", start + 2)
    if end < 0 or 0 <= another < end:
        raise TemplateError(
            f"The field that begins at character {start + 1} is not closed. Write }}}} after its name, "
            "as in {{ first_name }}."
        )
    return end


def _literal(text: str) -> list[Literal]:
    if "}}" in text:
        raise TemplateError("The template has }} without {{ before it. Write a field as {{ first_name }}.")
    refuse_other_syntax(text)
    return [Literal(normal_text(text))] if text else []


def _merge_field(inside: str, start: int) -> MergeField:
    name, bar, rest = inside.partition("|")
    name = normal_text(name.strip())
    if not name or "{" in name:
        raise TemplateError(
            f"The field that begins at character {start + 1} has no name. Write the name of a column between "
            "two pairs of braces, as in {{ first_name }}."
        )
    return MergeField(name, normal_text(_fallback(name, rest.strip())) if bar else None)


def _fallback(name: str, written: str) -> str:
    default = _DEFAULT.fullmatch(written)
    if default:
        written = (default["liquid"] if default["liquid"] is not None else default["jinja"]).strip()
    elif written.lower() in _FILTERS:
        raise TemplateError(
            f"{written!r} after the bar would be sent as the fallback of {name!r}, for there are no filters. "
            "Leave it out, or put it in quotes if it is the fallback you want."
        )
    if "|" in written:
        raise TemplateError(
            f"The field {name!r} has more than one bar. Write one fallback, without a bar in it, "
            f"as in {{{{ {name} | there }}}}; filters do not exist here."
        )
    if len(written) > 1 and _QUOTES.get(written[0]) == written[-1]:
        return written[1:-1]
    return written
