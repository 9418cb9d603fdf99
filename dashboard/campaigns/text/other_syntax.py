"""Merge fields as other tools write them: refused with a hint, so that they are never sent raw."""

from __future__ import annotations

import re
from collections.abc import Callable

from dashboard.errors import TemplateError
from dashboard.words import N_, _

_NAME = r"[\w .\-]+"
_ALWAYS = (
    (re.compile(rf"\*\|\s*({_NAME})[^|]*\|\*"), N_("Mailchimp's merge tag")),
    (re.compile(rf"\(\(\s*({_NAME})[^()]*\)\)"), N_("Notify's placeholder")),
    (re.compile(rf"\{{!\s*({_NAME})\}}"), N_("Salesforce's merge field")),
    (re.compile(r"\{%()"), N_("a template engine's block, which has no place here")),
    (re.compile(r"\{#()"), N_("a template engine's comment, which has no place here")),
    (re.compile(rf"\$\{{\s*({_NAME})\}}"), N_("a placeholder of another tool")),
)
# These may be meant literally ("[sic]", "<3"), so they count only if they contain the name of a column.
_WHEN_A_COLUMN = re.compile(
    rf"\{{({_NAME})\}}|\[\[?({_NAME})\]|<<?({_NAME})>|%%?({_NAME})%|@@({_NAME})@@|##?({_NAME})#|\$([A-Za-z_]\w*)",
    re.UNICODE,
)
# What Handlebars, Liquid and the like have between {{ and }} where we have sections.
_BLOCK = re.compile(r"[#^]?\s*(?:if|unless|with|each)\s+(?:\w+\.)*(?P<name>\w.*)", re.IGNORECASE | re.DOTALL)
_REST_OF_BLOCK = re.compile(r"[/^#]?\s*(?:else|elseif\b.*|if|unless|with|each|end|endif)", re.IGNORECASE)
_SIGNS = {">": N_("Partials"), "!": N_("Comments"), "&": N_("Raw fields")}
_SHOWN = 40


def refuse_other_syntax(literal: str) -> None:
    """Refuse anything that is another tool's merge field whatever the sheet contains.

    Raises:
        TemplateError: Names the tool's syntax and how to write the field here.
    """
    for pattern, whose in _ALWAYS:
        found = pattern.search(literal)
        if found:
            name = _tidy(found[1].rpartition(".")[2]) or "first_name"
            raise TemplateError(
                _(
                    "The template holds {whose}. Write a field as {{{{ {name} }}}}, or with a fallback as "
                    "{{{{ {name} | there }}}}."
                ).format(whose=_(whose), name=name)
            )


def refuse_block(inside: str, start: int) -> None:
    """Refuse other tools' conditions, loops, partials and comments between double braces.

    Args:
        inside: The text between the braces.
        start: The character at which the braces begin, counted from 1.

    Raises:
        TemplateError: Says how optional text is written here.
    """
    if inside[:1] in _SIGNS:
        raise TemplateError(
            _(
                "The text at character {start} is not a field. {these} from other tools do not work "
                "here; write the name of a column, as in {{{{ first_name }}}}."
            ).format(start=start, these=_(_SIGNS[inside[0]]))
        )
    block = _BLOCK.fullmatch(inside)
    if block or _REST_OF_BLOCK.fullmatch(inside):
        name = _tidy(block["name"]) if block else "member"
        raise TemplateError(
            _(
                "The text at character {start} is not a field but another tool's condition. Write "
                "optional text as {{{{#{name}}}}}…{{{{/{name}}}}}: it is sent where the column says "
                "yes, and {{{{^{name}}}}}…{{{{/{name}}}}} where it does not."
            ).format(start=start, name=name)
        )


def column_in_other_syntax(literal: str, is_column: Callable[[str], bool]) -> str | None:
    """The first name in another tool's brackets that is a column here, or None."""
    for found in _WHEN_A_COLUMN.finditer(literal):
        name = next(group for group in found.groups() if group is not None)
        if is_column(name):
            return name
    return None


def _tidy(name: str) -> str:
    return name.strip().lower().replace(" ", "_")[:_SHOWN]
