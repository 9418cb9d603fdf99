"""Merge fields as other tools write them: refused with ours, so that they are never sent raw."""

from __future__ import annotations

import re
from collections.abc import Callable

from dashboard.contacts.vocabulary.known_words.title import read_title
from dashboard.errors import TemplateError
from dashboard.words import N_, _

_USUAL = ("first_name", "last_name", "full_name", "email", "phone")
_NAME = r"([^\W\d_](?:[\w .:/\-]{0,60}\w)?)"
_WORD = r"([^\W\d_]\w{0,60})"
_ALWAYS = tuple(
    re.compile(pattern)
    for pattern in (
        r"<%(?=[=\-\s@A-Za-z])[=\-]*\s*([\w.@]*)(?:[^%\n]{0,80}%>)?|\{%()|\{#(?!\d)()",
        # ERB; Liquid, Jinja, Twig
        r"\*\|([^|\n]{1,80})(?:\|[^|\n]{0,80})?\|\*",  # Mailchimp, Mandrill
        r"%%(?![\s\d])([^%\n]{1,80})(?<!\s)%%",  # Salesforce Marketing Cloud, Pardot, SimpleTexting
        r"\{!([^{}\n]{1,80})\}",  # Salesforce, AWeber
        r"\$\{([^{}\n]{1,80})\}|\$\[([^\[\]\n]{1,80})\]\$",  # Zoho
        r"\{\$([^{}\n]{1,80})\}",  # MailerLite, Smarty
        r"\$lookup\(([^()\n]{1,80})\)\$",  # Responsys
        r"\[\[(?!\s*\d)([^\[\]\n]{1,80})\]\]",  # GetResponse, Constant Contact, Mailjet
        r"\[([^\[\]\n,|]{1,60}?)\s*(?:,\s*fallback\s*=|\|\s*default\s*:)[^\[\]\n]{0,80}\]",
        # Campaign Monitor, Sendy; MailPoet
        r"\{[^\W\d_]+[=:](\w+)(?:\|[^{}\n]{0,80})?\}",  # Mautic, AcyMailing
        r"\(\(\s*([\w .\-]{1,60})[^()]{0,80}\)\)",  # GOV.UK Notify
        r"\(((?i:first|last|full)[ _]?(?i:name))\)",  # ClickSend
        r"~(\w+\.\w+)~",  # Keap
        r"\{([^\W\d_]{2,}_(?!\d+\})\w+|[a-z]{2,}[A-Z]\w*)\}",  # Attentive, Infobip, Newsletter
        # ActiveCampaign, Mailgun, Salesmsg; but not codes in addresses, such as /%C3%A9t%C3%A9 or /%DCbung%20
        r"(?<![\w%])%(?![0-9A-F]{2}[a-z%]|[0-9a-f]{2}%)([^\W\d_]\w*(?:[.:]\w+)*)%(?!\w)",
    )
)
"""What nobody means literally, whatever the sheet contains."""
WAY_OUT = re.compile(r"[\[{<]\s*((?:unsub\w*|opt[ _-]?out)(?:[ _-]?(?:link|url))?)\s*[\]}>]", re.IGNORECASE)
"""Where other tools put a link to unsubscribe. "[Reply STOP]" is no such place."""
_WORDS_TOO = ("first", "last")
"""Fields as well as words: "the [last] chance"."""
_IF_A_FIELD = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\{{\s*{_NAME}\s*(?:[|,][^{{}}\n]{{0,80}})?\}}",  # TextMagic, ClickSend, Drip
        rf"\[\s*{_NAME}\s*(?:[|,][^\[\]\n]{{0,80}})?\]",  # Ontraport, iContact, SlickText
        rf"<<?\s*{_NAME}\s*>>?|[«\u2039]\s*{_NAME}\s*[»\u203a]",  # Word, and what people copy out of it
        rf"(?<!\w)@@?{_NAME}@@?(?!\w)",  # Dotdigital
        rf"##?{_NAME}##?",  # Moosend
        rf"%{_NAME}%",  # ActiveCampaign, with blanks
        rf"(?<![\w-])-{_WORD}-(?![\w-])",  # SendGrid
        rf"(?<!\w)__([^\W_](?:\w{{0,60}}[^\W_])?)__(?!\w)|\^{_NAME}\^|~{_NAME}~|\|{_NAME}\|",  # scripts
        rf"(?<![\w$])\$+{_WORD}",  # scripts
        rf"(?<![\w@./])@{_WORD}(?!\w|\.\w|@)",  # editors that complete @names
    )
)
"""What may be meant literally ("[sic]", "<3", "@shop"): it counts only if it names a field."""

# What Handlebars, Liquid and the like have between {{ and }} where we have sections.
_BLOCK = re.compile(r"[#^]?\s*(?:if|unless|with|each)\s+(?:\w+\.)*(?P<name>\w.*)", re.IGNORECASE | re.DOTALL)
_REST_OF_BLOCK = re.compile(r"[/^#]?\s*(?:else|elseif\b.*|if|unless|with|each|end|endif)", re.IGNORECASE)
_SIGNS = {">": N_("Partials"), "!": N_("Comments"), "&": N_("Raw fields")}
_SHOWN = 40


def other_field(text: str, is_column: Callable[[str], bool]) -> tuple[str, str] | None:
    """The first field in a text that is written as another tool has it: as written, and the name in it.

    Args:
        text: What is sent literally: between our own fields, or a fallback.
        is_column: Whether a name is a column.
    """
    for pattern in (*_ALWAYS, *_IF_A_FIELD):
        for found in pattern.finditer(text):
            name = _name(found[found.lastindex or 0])
            is_usual = name.lower() not in _WORDS_TOO and usual_field(name)
            if pattern in _ALWAYS or is_column(name) or is_usual:
                return found[0], name
    return None


def usual_field(name: str) -> str | None:
    """Which of the fields that every list has is spelled so: "FNAME" is first_name.

    Example:
        >>> usual_field("FNAME"), usual_field("voucher")
        ('first_name', None)
    """
    spelled = [field for field, _place in read_title(name).fields]
    return next((field for field in _USUAL if field in spelled), None)


def _name(inside: str) -> str:
    """The field in what stands between the signs, without its owner, functions and fallback."""
    name = re.split(r"[|,]|\s+OR\s|:?[\"'“]", inside)[0]
    return re.sub(r"^\W*(?:\w+[.:(=@]+)*|\W+$", "", name)


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
        name = tidy(block["name"]) if block else "member"
        raise TemplateError(
            _(
                "The text at character {start} is not a field but another tool's condition. Write "
                "optional text as {{{{#{name}}}}}…{{{{/{name}}}}}: it is sent where the column says "
                "yes, and {{{{^{name}}}}}…{{{{/{name}}}}} where it does not."
            ).format(start=start, name=name)
        )


def tidy(name: str) -> str:
    """A name as our own fields are written: "First Name" is first_name."""
    return name.strip().lower().replace(" ", "_")[:_SHOWN]
