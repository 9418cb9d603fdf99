"""Which failures say that the person told the service to stop, so that it texts them no more.

Services say so in words of their own, and the contract names none. The phrases with which somebody refuses
in a sheet say it here as well; what only services say is listed here. So is what sounds alike and is none of
the person's doing: what networks, carriers and filters block, what is wrong with the number, and what the
account, the sender or the text lacks.
"""

from __future__ import annotations

import re

from dashboard.contacts.words.phrases import in_full, phrases
from dashboard.contacts.words.spelling import bare

_PERSON = r"(?:recipient|user|subscriber|customer|contact|handset)"
_OUTRIGHT = (
    r"\bopt(?:ed)? ?out|\bun ?subscribed|\b21610\b"  # Twilio's code, also without words
    r"|\b(?:replied|answered|responded|texted|sent)\W+(?:\w+\W+){0,2}?stop\b"
)
_BESIDES = (
    r"\bstop\W+(?:message|request|keyword|command|reply|received)\b"
    r"|(?<!reply )\b(?-i:STOP)\b(?! (?:to|processing))"
    rf"|\b{_PERSON} (?:is )?in ?black ?list|\bblocked by (?:the )?{_PERSON}\b(?!['’]s)"
    r"|\b(?:dnd|ndnc|requested not to)\b"
)
_OTHERS = (
    r"\b(?:network|carrier|operator|gateway|firewall|spam|filter\w*|invalid|duplicate|deceased"
    r"|stopped|temporar\w+|hours|window|mode|\d\d:\d\d|landline|not use"
    r"|no (?:sms|texts?|messages?|promo\w*))\b"
)
"""Who else blocks, and what else keeps a text away, unless the person said it outright."""
_OURS = (
    r"(?:^|[,;:.…(–] ?)(?:your |the |this )?"  # as the subject of a clause
    r"(?:account|campaign|sender|originator|brand|content|url|link|text|template|route|ip"
    r"|message (?:has|must|contains))\b"
    r"|\bblack ?listed (?:account|sender|content|url|link|word|keyword|ip)|\bunsubscribed (?:service|account)"
    r"|\b(?:missing|must|required|lacks|language|instructions?|reply stop to)\b"
    r"|\bno (?:\w+ )?(?:consent|opt ?out)\b"
    r"|\b(?:not|never|n['’]t) (?:\w+ )?(?:opted ?out|un ?subscribed)\b"
    r"|\bopt ?out (?:rates?|ratio|share|handling|check|lookup|service|filter)\b|\bcheck opt ?out\b"
    r"|\b(?:carrier|operator|network|route) (?:has |is )?(?:opted ?out|un ?subscribed)\b"
    r"|% of \w+ opted ?out\b|\bunsubscribed destination\b|\bstop rule\b"
)
_SAID, _SAID_OUTRIGHT, _NOT_SAID, _NOT_ABOUT_THEM = (
    re.compile(pattern, re.IGNORECASE) for pattern in (f"{_OUTRIGHT}|{_BESIDES}", _OUTRIGHT, _OTHERS, _OURS)
)
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")


def told_stop(reason: str) -> bool:
    """Whether a failure, in the service's words, says that the person told it STOP.

    Example:
        >>> told_stop("21610 Attempt to send to unsubscribed recipient"), told_stop("Blocked by the carrier")
        (True, False)
    """
    words = _JOINED.sub(" ", reason)
    if _NOT_ABOUT_THEM.search(words):
        return False
    if _NOT_SAID.search(words):
        return bool(_SAID_OUTRIGHT.search(words))
    return bool(_SAID.search(words)) or any(phrases("refusal").covered(in_full(bare(words).split())))
