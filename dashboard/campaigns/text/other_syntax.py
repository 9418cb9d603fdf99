"""Merge fields as other tools write them: refused with ours, so that they are never sent raw."""

from __future__ import annotations

import re
from collections.abc import Callable
from unicodedata import category, normalize
from urllib.parse import unquote

from dashboard.contacts.read.entities import decoded
from dashboard.contacts.words.title import read_title
from dashboard.errors import TemplateError
from dashboard.words import N_, _

_USUAL = ("first_name", "last_name", "full_name", "email", "phone")
_NAME = r"([^\W\d_](?:[\w .:/\-]{0,60}\w)?)"
_WORD = r"([^\W\d_]\w{0,60})"
_ALWAYS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\{\{([^{}\n]{1,80})\}\}",  # ours, as an HTML editor keeps it
        r"<%(?=[=\-\s@A-Za-z])[=\-]*\s*([\w.@]*)(?:[^%\n]{0,80}%>)?|\{%(?!\d\w)()(?:[^%\n]{0,80}%\})?|\{#(?!\d)()",
        # ERB; Liquid, Jinja, Twig
        r"\*\|([^|\n]{1,80})(?:\|[^|\n]{0,80})?\|\*",  # Mailchimp, Mandrill
        r"%%(?![\s\d])([^%\n]{1,80})(?<!\s)%%",  # Salesforce Marketing Cloud, Pardot, SimpleTexting
        r"\{!([^{}\n]{1,80})\}",  # Salesforce, AWeber
        r"\$\{([^{}\n]{1,80})\}|\$\[([^\[\]\n]{1,80})\]\$",  # Zoho
        r"\{\$(?!\s*\d)([^{}\n]{1,80})\}",  # MailerLite, Smarty
        r"\$lookup\(([^()\n]{1,80})\)\$",  # Responsys
        r"\[\[(?!\s*\d)([^\[\]\n]{1,80})\]\]",  # GetResponse, Constant Contact, Mailjet
        r"\[([^\[\]\n,|]{1,60}?)\s*(?:,\s*fallback\s*=|\|\s*default\s*:)[^\[\]\n]{0,80}\]",
        # Campaign Monitor, Sendy; MailPoet
        r"\{([^\W\d_]+[=:]\w+)(?:\|[^{}\n]{0,80})?\}",  # Mautic, AcyMailing
        r"\(\(\s*(\w{2,}_\w+|[^()?\n]{1,60}(?=\?\?))[^()]{0,80}\)\)",  # GOV.UK Notify
        r"\({1,2}((?i:first|last|full)[ _]?(?i:name))\){1,2}",  # ClickSend
        r"~(?!\d)(\w+\.\w+)~",  # Keap
        r"\{([^\W\d_]{2,}_(?!\d+\})\w+|[a-z]{2,}[A-Z]\w*)\}",  # Attentive, Infobip, Newsletter
        # ActiveCampaign, Mailgun, Salesmsg; but not codes in addresses, such as /%C3%A9t%C3%A9 or /%DCbung%20
        r"(?<![\w%])%(?![0-9A-F]{2}[a-z%]|[0-9a-f]{2}%)([^\W\d_]\w*(?:[.:]\w+)*)(?:\|[^%\n]{0,80})?%(?!\w)",
    )
)
"""What nobody means literally, whatever the sheet contains."""
_WAY_OUT = re.compile(r"(?:unsub\w*|opt[ _-]?out)(?:[ _-]?(?:link|url))?", re.IGNORECASE)
"""Where other tools put a link to unsubscribe. "[Reply STOP]" is no such place."""
_AROUND_NAME = re.compile(
    r"^\W*(?:\w+[.:(=@]+)*(?:(?:your|insert|enter|mergefield)\s+)*|(?:\s+here)?\W*$", re.IGNORECASE
)
_PIECE = re.compile(r"&(?:amp;)*#?\w{2,32};|%(?:7[B-D]|5[BD])|.", re.DOTALL | re.IGNORECASE)
"""Characters, as HTML codes too, and the braces, bars and brackets of links as percent codes."""
_WIDE = re.compile(r"[\uff01-\uff5e]")
"""Letters and signs of East Asia: there, doubled brackets are no other tool's."""
_WORDS_TOO = ("first", "last")
"""Fields as well as words: "the [last] chance"."""
_IF_A_FIELD = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\{{\s*{_NAME}\s*(?:[|,\\][^{{}}\n]{{0,80}})?\}}",  # TextMagic, ClickSend, Drip, Word
        rf"\(\(\s*{_NAME}[^()]{{0,80}}\)\)",  # GOV.UK Notify
        rf"[\[【「『]\s*{_NAME}\s*(?:[|,][^\[\]\n]{{0,80}})?[\]】」』](?!(?:\[\])?=)",  # Ontraport, iContact
        r"\[([A-Z][A-Z\d_]{0,60})/[^\[\]\n]{0,80}\]",  # Mailtrain
        rf"<<?\s*{_NAME}\s*/?>>?|[«\u2039≪《〈]\s*{_NAME}\s*[»\u203a≫》〉]",  # Word and copies of it
        rf"(?<!\w)@@?{_NAME}@@?(?!\w)",  # Dotdigital
        rf"##?{_NAME}##?(?!\w)",  # Moosend
        rf"%{_NAME}(?:\|[^%\n]{{0,80}})?%",  # ActiveCampaign, with blanks
        rf"(?<![\w-])-{_WORD}-(?![\w-])",  # SendGrid
        rf"(?<!\w)__([^\W_](?:\w{{0,60}}[^\W_])?)__(?!\w)|\^{_NAME}\^|~{_NAME}~|\|{_NAME}\|",  # scripts
        rf"(?<![\w$])\$+{_WORD}\$?",  # scripts
        rf"\${_NAME}\$",  # Emarsys
        rf"(?<![\w@./])@(?:Model\.)?{_WORD}(?!\w|\.\w|@)",  # editors that complete @names; Razor
    )
)
"""What may be meant literally ("[sic]", "<3", "@shop"): it counts only if it names a field."""

# What Handlebars, Liquid and the like have between {{ and }} where we have sections.
_BLOCK = re.compile(r"[#^]?\s*(?:if|unless|with|each)\s+(?:\w+\.)*(?P<name>\w.*)", re.IGNORECASE | re.DOTALL)
_REST_OF_BLOCK = re.compile(r"[/^#]?\s*(?:else|elseif\b.*|if|unless|with|each|end|endif)", re.IGNORECASE)
_SIGNS = {">": N_("Partials"), "!": N_("Comments"), "&": N_("Raw fields")}
_SHOWN = 40
HIDDEN_SIGNS = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
)
"""What nobody sees beside the signs of category Cf, written as within the brackets of a pattern."""
_HIDDEN = re.compile(f"[{HIDDEN_SIGNS}]")


def other_field(text: str, is_column: Callable[[str], bool]) -> tuple[str, str] | None:
    """The first field in a text that is written as another tool has it: as written, and the name in it.

    Args:
        text: What is sent literally: between our own fields, or a fallback.
        is_column: Whether a name is a column.
    """

    def is_field(name: str) -> bool:
        is_usual = name.lower() not in _WORDS_TOO and usual_field(name) is not None
        return is_column(name) or is_usual or is_way_out(name)

    pieces = [(_plain(piece[0]), piece.span()) for piece in _PIECE.finditer(text)]
    plain = "".join(characters for characters, _span in pieces)
    typed = [span for characters, span in pieces for _character in characters]
    for pattern in (*_ALWAYS, *_IF_A_FIELD):
        for found in pattern.finditer(plain):
            written = text[typed[found.start()][0] : typed[found.end() - 1][1]]
            names = _names(found)
            field = next(filter(is_field, names), None)
            if field is not None or (pattern in _ALWAYS and not _WIDE.search(written)):
                return written, names[0] if field is None else field
    return None


def is_way_out(name: str) -> bool:
    """Whether a field is a link to unsubscribe."""
    return _WAY_OUT.fullmatch(name) is not None


def usual_field(name: str) -> str | None:
    """Which of the fields that every list has is spelled so: "FNAME" is first_name.

    Example:
        >>> usual_field("FNAME"), usual_field("voucher")
        ('first_name', None)
    """
    spelled = [field for field, _place in read_title(name).fields]
    return next((field for field in _USUAL if field in spelled), None)


def _plain(piece: str) -> str:
    """A piece without codes, wide letters and invisible signs, which would hide a field."""
    if piece[0] == "%":
        return unquote(piece)
    seen = _HIDDEN.sub("", decoded(piece))
    return "".join(sign for sign in normalize("NFKC", seen) if category(sign) != "Cf")


def _names(found: re.Match[str]) -> list[str]:
    """What may be the field between the signs: without owner, functions and fallback, or before a colon."""
    name = re.split(r"[|,]|\s+OR\s|:?[\"'“]", found[found.lastindex or 0])[0]
    own = _AROUND_NAME.sub("", name)
    return [own, name.partition(":")[0].strip()] if "{" in found[0] else [own]


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
        name = block["name"].lower().replace(" ", "_")[:_SHOWN] if block else "member"
        raise TemplateError(
            _(
                "The text at character {start} is not a field but another tool's condition. Write "
                "optional text as {{{{#{name}}}}}…{{{{/{name}}}}}: it is sent where the column says "
                "yes, and {{{{^{name}}}}}…{{{{/{name}}}}} where it does not."
            ).format(start=start, name=name)
        )
