"""Read a template: text to pieces, in one pass from left to right. `template` says what may be written."""

from __future__ import annotations

import re

from dashboard.arguments import checks_arguments
from dashboard.campaigns.labels import NO_CHARACTER
from dashboard.campaigns.length.normal import normal_text
from dashboard.campaigns.text.other_syntax import refuse_block
from dashboard.campaigns.text.template import (
    Condition,
    Literal,
    MergeField,
    Piece,
    Template,
    field_key,
    shown,
)
from dashboard.errors import TemplateError
from dashboard.words import N_, _

_DEFAULT = re.compile(r"default\s*(?::\s*(?P<liquid>.*)|\(\s*(?P<jinja>.*)\))", re.IGNORECASE | re.DOTALL)
_QUOTES = {"'": "'", '"': '"', "“": "”", "”": "”", "„": "“", "\u2018": "\u2019", "\u2019": "\u2019"}
_FILTER = re.compile(
    r"[a-z_]+\s*(?::\s*['\"“\u2018\d]|\(|['\"]).*"  # truncate: 10, replace('a', 'b'), fallback "you"
    r"|(?:up|down|title|lower|upper|proper)_?case|capitali[sz]e\w*|titleize|title|upper|lower|[lr]?strip\w*|trim"
    r"|e|escape\w*|safe|raw|json|first|last|size|length|nofilter|urlencode|url_\w+|\w+_html|newline_to_br",
    re.IGNORECASE | re.DOTALL,
)
"""What other tools have after a bar."""
_OPENS, _OPENS_OPPOSITE, _CLOSES = "#^/"


@checks_arguments()
def parse_template(text: str) -> Template:
    """Read a template.

    Args:
        text: The template, as docs/messages.md says what it may hold.

    Raises:
        TemplateError: It is empty, contains half a character, or a field or a section is not closed or has
            no name. The sentence says at which character.

    Example:
        >>> parse_template("Hi {{ first_name | there }}!").pieces[1]
        MergeField(name='first_name', fallback='there', when=())
    """
    if not text.strip():
        raise TemplateError(_("The template is empty. Write the text of the message."))
    if NO_CHARACTER.search(text):
        raise TemplateError(
            _("The template contains a null or half a character, which cannot be sent. Remove it.")
        )
    reader = _Reader()
    position = 0
    while (start := text.find("{{", position)) >= 0:
        end = _closing(text, start)
        reader.literal(text[position:start])
        reader.tag(text[start + 2 : end], start + 1)
        position = end + 2
    reader.literal(text[position:])
    return Template(text, reader.finish())


class _Reader:
    """Collects pieces, and knows which sections are open, each with the character it begins at."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._open: list[tuple[Condition, int]] = []

    def literal(self, text: str) -> None:
        if "}}" in text:
            raise TemplateError(
                _("The template has }} without {{ before it. Write a field as {{ first_name }}.")
            )
        if text:
            self._pieces.append(Literal(normal_text(text), self._when))

    def tag(self, inside: str, start: int) -> None:
        inside = inside.strip()
        refuse_block(inside, start)
        mark, name = inside[:1], normal_text(inside[1:].strip())
        if mark not in (_OPENS, _OPENS_OPPOSITE, _CLOSES):
            self._pieces.append(_merge_field(inside, start, self._when))
        elif not name:
            raise TemplateError(_nameless(N_("section"), start, "{{#member}}"))
        elif mark == _CLOSES:
            self._close(name, start)
        else:
            self._open.append((Condition(name, opposite=mark == _OPENS_OPPOSITE), start))

    def finish(self) -> tuple[Piece, ...]:
        if self._open:
            condition, start = self._open[-1]
            raise TemplateError(
                _(
                    "The section {tag} that begins at character {start} is not closed. Write "
                    "{{{{/{name}}}}} where it ends."
                ).format(tag=_tag(condition), start=start, name=condition.name)
            )
        return tuple(self._pieces)

    @property
    def _when(self) -> tuple[Condition, ...]:
        return tuple(condition for condition, _ in self._open)

    def _close(self, name: str, start: int) -> None:
        if not self._open:
            raise TemplateError(
                _(
                    "{{{{/{name}}}}} at character {start} ends a section that was never opened. Write "
                    "{{{{#{name}}}}} before it, or remove it."
                ).format(name=name, start=start)
            )
        condition, began = self._open.pop()
        if field_key(condition.name) != field_key(name):
            raise TemplateError(
                _(
                    "{{{{/{name}}}}} at character {start} does not end the open section, {tag} from "
                    "character {began}. Write {{{{/{open}}}}} first."
                ).format(name=name, start=start, tag=_tag(condition), began=began, open=condition.name)
            )


def _tag(condition: Condition) -> str:
    return f"{{{{{_OPENS_OPPOSITE if condition.opposite else _OPENS}{condition.name}}}}}"


def _closing(text: str, start: int) -> int:
    end = text.find("}}", start + 2)
    another = text.find("{{", start + 2)
    if end < 0 or 0 <= another < end:
        raise TemplateError(
            _(
                "The field that begins at character {start} is not closed. Write }}}} after its name, as in "
                "{{{{ first_name }}}}."
            ).format(start=start + 1)
        )
    return end


def _merge_field(inside: str, start: int, when: tuple[Condition, ...]) -> MergeField:
    name, bar, rest = inside.partition("|")
    name = normal_text(name.strip())
    if not name or "{" in name:
        raise TemplateError(_nameless(N_("field"), start, "{{ first_name }}"))
    return MergeField(name, normal_text(_fallback(name, rest.strip())) if bar else None, when)


def _nameless(what: str, start: int, example: str) -> str:
    return _(
        "The {what} that begins at character {start} has no name. Write the name of a column between two "
        "pairs of braces, as in {example}."
    ).format(what=_(what), start=start, example=example)


def _fallback(name: str, written: str) -> str:
    default = _DEFAULT.fullmatch(written)
    if default:
        written = (default["liquid"] if default["liquid"] is not None else default["jinja"]).strip()
    elif _FILTER.fullmatch(written):
        raise TemplateError(
            _(
                "{written} after the bar would be sent as the fallback of {field}, because there are "
                "no filters. Leave it out, or put it in quotes if it is the fallback you want."
            ).format(written=repr(written), field=shown(name))
        )
    if "|" in written:
        raise TemplateError(
            _(
                "The field {field} has more than one bar. Write one fallback, without a bar in it, as "
                "in {{{{ first_name | there }}}}; there are no filters."
            ).format(field=shown(name))
        )
    if "{" in written or "}" in written:
        raise TemplateError(
            _(
                "The fallback of {field} has a brace in it. Write it without, as in "
                "{{{{ first_name | there }}}}; another field cannot be the fallback."
            ).format(field=shown(name))
        )
    if len(written) > 1 and _QUOTES.get(written[0]) == written[-1]:
        return written[1:-1]
    return written
