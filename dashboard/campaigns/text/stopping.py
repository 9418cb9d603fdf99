"""Whether a marketing text says how to stop it, in a way that works, and a line for it; and its HTML codes.

Laws and carriers require it in nearly every country: the CTIA's Messaging Principles in the United States,
the ePrivacy directive (2002/58/EC, article 13) in Europe. This is only advice and blocks nothing.
"""

from __future__ import annotations

import re
from enum import StrEnum

from dashboard.arguments import checks_arguments
from dashboard.campaigns.text.reader import parse_template
from dashboard.campaigns.text.template import Literal, Template
from dashboard.contacts.read.entities import decoded
from dashboard.words import N_, _

# Words to reply with, in capitals: "stop by our shop" is not a way to opt out.
_COMMAND = r"\b(?:STOP|STOPP|STOPALL|ARRET|ARRÊT|BAJA|SAIR|PARAR|ANNULLA|AFMELD|AVSLUTT)\b"
_PHRASE = (
    r"(?i:\b(?:unsub|opt[ -]?out|abmeld|abbestell|désinscri|désabonn|darse de baja|cancelar suscri|disiscri|"
    r"afmeld|uitschrijv|avregistrer|avmeld|wypis|odhlási|dezabon)|"
    r"\b(?:reply|text|send|sms)\b[^.!?]{0,12}\bstop\b)"
)
_SAYS_STOP = re.compile(f"{_COMMAND}|{_PHRASE}")
_FIELD = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_ADDRESS = re.compile(r"https?://|\+?\d[\d ]{3,}\d", re.IGNORECASE)


class Hint(StrEnum):
    """What a marketing text lacks, or has by mistake."""

    HTML_CODE = "html_code"
    NO_WAY_OUT = "no_way_out"
    NOT_FOR_ALL = "not_for_all"
    CANNOT_REPLY = "cannot_reply"


_WORDING = {
    Hint.HTML_CODE: N_(
        "The text has an HTML code such as &amp; or &nbsp;, which people would see as it stands. Write the "
        "character itself."
    ),
    Hint.NO_WAY_OUT: N_(
        "The text does not say how to stop these messages. Most countries require it for marketing: "
        "add, for example, “Reply STOP to opt out”."
    ),
    Hint.NOT_FOR_ALL: N_(
        "Only optional text says how to stop these messages, so some people are not told. Put it outside the "
        "section."
    ),
    Hint.CANNOT_REPLY: N_(
        "People cannot reply to a sender that is a name. Give a number or an address for opting out, or send "
        "from a number."
    ),
}


@checks_arguments()
def explain_hint(code: str) -> str:
    """The sentence of a hint.

    Raises:
        ValueError: `code` is none of `Hint`.
    """
    return _(_WORDING[Hint(code)])


@checks_arguments()
def with_opt_out_line(text: str, line: str | None) -> str:
    r"""A template, with a line below it that says how to opt out, unless its text already does.

    Args:
        text: The template, as it was written; it may have mistakes.
        line: The line; without one, or without a text, nothing is added.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> with_opt_out_line("Sale today!", "Reply STOP to opt out")
        'Sale today!\nReply STOP to opt out'
        >>> with_opt_out_line("Sale today! STOP ends this.", "Reply STOP to opt out")
        'Sale today! STOP ends this.'
    """
    if not line or not text.strip() or line in text or any(map(_SAYS_STOP.search, _FIELD.split(text))):
        return text
    return f"{text}\n{line}"


@checks_arguments()
def marketing_hints(template: Template | str, *, sender: str | None = None) -> tuple[Hint, ...]:
    """What a marketing text lacks for people to be able to opt out, and HTML codes that they would see.

    Args:
        template: The text, as it was written or as `parse_template` read it.
        sender: The sender's name or number, if known.

    Returns:
        One hint for each of these things; none if nothing is amiss.

    Raises:
        OptionError: An argument is of another kind.
        TemplateError: The text has a mistake.

    Example:
        >>> marketing_hints("Sale! Reply STOP to opt out", sender="Shop")
        (<Hint.CANNOT_REPLY: 'cannot_reply'>,)
    """
    template = parse_template(template) if isinstance(template, str) else template
    literals = [piece for piece in template.pieces if isinstance(piece, Literal)]
    saying = [piece for piece in literals if _SAYS_STOP.search(piece.text)]
    hints = [Hint.HTML_CODE] if decoded(template.text) != template.text else []
    if not saying:
        return (*hints, Hint.NO_WAY_OUT)
    if all(piece.when for piece in saying):
        hints.append(Hint.NOT_FOR_ALL)
    text = "".join(piece.text for piece in literals)
    is_name = sender is not None and any(character.isalpha() for character in sender)
    if is_name and not _ADDRESS.search(text):
        hints.append(Hint.CANNOT_REPLY)
    return tuple(hints)
