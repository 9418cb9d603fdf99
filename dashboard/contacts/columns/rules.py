"""From a header's words and what its cells look like to a role: the first rule that holds counts.

No rule says what a yes means where a header says two things, or one thing among unknown words: it asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dashboard.words import N_

__all__ = ["BY_CELLS", "FIELDS", "FINER", "GROUPS", "ROLES", "RULES", "Role", "Rule"]


class Role(StrEnum):
    """What a column says of texting people."""

    CONSENT = "consent"
    """A yes agrees."""
    CONSENT_DATE = "consent date"
    """When somebody agreed, beside the answer itself or instead of it."""
    REFUSAL = "refusal"
    """A yes refuses."""
    TEXTS_STATUS = "texts status"
    """Who gets texts and who refused them: "SMS status"."""
    STATUS = "status"
    """Some words of it refuse, others are no answer at all."""
    PREFERENCE = "preference"
    """How somebody likes to be reached, by text perhaps."""
    DOUBT = "doubt"
    """A yes or a date may refuse, or be about something else: a person has to look."""
    LIKELY_REFUSAL = "likely refusal"
    """Any words may refuse: "Removed on"."""
    WRONG_NUMBER = "wrong number"
    """A yes means that the number is wrong, or reaches nobody."""
    OTHER_CHANNEL = "other channel"
    """Consent or refusal of e-mail, post ...: nothing about texts."""
    QUESTION = "question"
    """It may say who must not be texted: a person says what its values mean."""
    NOTHING = "nothing"


FIELDS = {
    Role.CONSENT: "consents",
    Role.CONSENT_DATE: "consents",
    Role.REFUSAL: "opt_outs",
    Role.TEXTS_STATUS: "opt_outs",
    Role.STATUS: "statuses",
    Role.PREFERENCE: "preferences",
    Role.DOUBT: "doubts",
    Role.LIKELY_REFUSAL: "doubts",
    Role.WRONG_NUMBER: "wrong_numbers",
    Role.OTHER_CHANNEL: "other_channels",
    Role.QUESTION: "questions",
}
"""The field of `ColumnMap` that has the columns of a role."""
ROLES = {
    Role.CONSENT: N_("Who agreed"),
    Role.REFUSAL: N_("Who opted out"),
    Role.STATUS: N_("Only where it says no"),
    Role.PREFERENCE: N_("How people like to be reached"),
    Role.DOUBT: N_("May say no, so ask"),
    Role.WRONG_NUMBER: N_("Wrong numbers"),
    Role.OTHER_CHANNEL: N_("About another channel"),
    Role.NOTHING: N_("Says nothing"),
}
"""The roles that a person can give a column, in words."""


@dataclass(frozen=True)
class Rule:
    """What has to hold for a role; groups are separated by blanks.

    Attributes:
        role: The role.
        has: Groups of which the header has a phrase each; of "a|b" one of either.
        lacks: Groups of which it has none.
        only: Groups to which all of its words belong; any words do if there are none.
        cells: What the cells look like, as `Cells.are` knows it; "" for whatever they do.
    """

    role: Role
    has: str = ""
    lacks: str = ""
    only: str = ""
    cells: str = ""


GROUPS = {
    "asks": ("header_asks",),
    "asks_alone": ("header_asks_alone",),
    "beside": ("title_beside",),
    "both": ("header_marketing_too",),
    "calls": ("title_calls",),
    "channels": ("title_channels",),
    "consent": ("header_opt_in", "=consent_in"),
    "consent_phrase": ("consent_in",),
    "consent_weak": ("header_opt_in_weak", "consent_in"),
    "detail": ("header_detail",),
    "done": ("header_done",),
    "kinds": ("header_texts_kind",),
    "left": ("title_left",),
    "link": ("header_link",),
    "messages": ("header_messages",),
    "newsletter": ("header_newsletter",),
    "no_refusal": ("header_no_refusal",),
    "not": ("header_not",),
    "not_in_use": ("header_not_in_use",),
    "number": ("header_phone", "header_mobile", "header_number_noun", "header_number"),
    "other": ("header_other_channel", "=other_channels"),
    "people": ("harmless_people",),
    "perhaps_refusal": ("header_perhaps_out",),
    "phone": ("header_phone", "header_mobile"),
    "preference": ("header_preference",),
    "purpose": ("header_other_purpose",),
    "reach_you": ("title_reach_you",),
    "refusal": ("header_opt_out", "=consent_out"),
    "refusal_phrase": ("consent_out",),
    "refusal_weak": ("header_opt_out_weak",),
    "refused": ("title_refused",),
    "refused_first": ("^title_refused",),
    "refusing": ("header_opt_out", "refused"),
    "sent": ("header_sent",),
    "small": ("header_glue", "header_yes_or_no", "header_owner", "phone_neutral"),
    "spelled": ("=consent_in", "=consent_out"),
    "status": ("header_status",),
    "subscription": ("title_subscription",),
    "texts": ("header_texts",),
    "thing": ("header_thing",),
    "when": ("header_when",),
    "wrong_number": ("title_wrong_number", "title_number_wrong"),
    "status_of": ("header_status_of",),
}
"""Lists of words.json and fields of header_vocabulary.json.

"=field" is a header that spells one wholly, "^list" one that begins with a phrase of it.
"""

_CONSENTS = "consent|consent_weak|refusal|refusal_weak|refused|left|status|newsletter|wrong_number"
_OF_TEXTS = "texts kinds messages calls small"
_KNOWN = f"{_OF_TEXTS} other number"
_OTHERS = "texts phone both spelled"
_CHANNELS = "channels subscription texts messages consent_weak small"

RULES = (
    # what looks like a refusal and is none, and what is about e-mail, photos or a survey
    Rule(Role.NOTHING, "no_refusal"),
    Rule(Role.NOTHING, "perhaps_refusal", only="perhaps_refusal", cells="other words"),
    Rule(Role.OTHER_CHANNEL, f"other {_CONSENTS}", lacks=_OTHERS),
    Rule(Role.OTHER_CHANNEL, f"purpose {_CONSENTS}", lacks=f"{_OTHERS} messages refusal"),
    # whether texts arrive, and how people like to be reached
    Rule(Role.WRONG_NUMBER, "wrong_number", lacks="refusal consent refused status_of"),
    Rule(Role.PREFERENCE, "preference", lacks="refusal consent texts newsletter"),
    Rule(Role.PREFERENCE, "reach_you", lacks="refusal consent consent_weak", cells="channels"),
    # a refusal, and nothing that may turn it
    Rule(Role.NOTHING, "refusal link"),
    Rule(Role.QUESTION, "refusal", cells="on or off"),
    Rule(Role.REFUSAL, "refusal", lacks="consent", only=f"refusal when status detail beside {_KNOWN}"),
    Rule(Role.QUESTION, "refusal", cells="any"),
    Rule(
        Role.REFUSAL,
        "refusal_weak texts|messages",
        lacks="consent consent_weak",
        only=f"refusal_weak when status beside {_KNOWN}",
    ),
    Rule(Role.QUESTION, "refusal_weak texts|messages", cells="any"),
    # consent, and nothing that may turn it
    Rule(Role.QUESTION, "consent|texts|messages detail", lacks="status asks", cells="refusals"),
    Rule(Role.NOTHING, "consent detail", lacks="status asks", cells="no answers"),
    Rule(Role.CONSENT_DATE, "consent when", only=f"consent when {_KNOWN}"),
    Rule(Role.CONSENT, "consent", only=f"consent consent_weak status asks channels both {_KNOWN}"),
    Rule(Role.QUESTION, "consent"),
    Rule(Role.NOTHING, "consent_weak texts|messages detail", lacks="status asks", cells="no answers"),
    Rule(Role.CONSENT_DATE, "consent_weak texts|messages when", only=f"consent_weak when {_KNOWN}"),
    Rule(Role.CONSENT, "consent_weak texts|messages", lacks="status", only=f"consent_weak asks {_KNOWN}"),
    Rule(Role.CONSENT, "consent_weak texts|messages", cells="channels"),
    Rule(Role.QUESTION, "consent_weak texts|messages", lacks="status"),
    # the status of a subscription to texts, or of anything
    Rule(Role.PREFERENCE, "status texts", cells="channels"),
    Rule(Role.STATUS, "status status_of", lacks="texts messages", cells="paid"),
    Rule(Role.CONSENT, "status status_of|texts", cells="yes or no"),
    Rule(Role.REFUSAL, "status status_of|texts"),
    Rule(Role.STATUS, "status", lacks="thing", cells="consents"),
    # what is consent only above yes and no
    Rule(Role.CONSENT, "asks", cells="answers"),
    Rule(Role.CONSENT, "asks_alone", only="asks_alone consent_weak small", cells="answers"),
    Rule(Role.CONSENT, "both", cells="answers"),
    Rule(Role.REFUSAL, "refusal_phrase", only=f"refusal_phrase when {_KNOWN}", cells="answers"),
    Rule(Role.CONSENT, "consent_phrase", only=f"consent_phrase {_KNOWN}", cells="answers"),
    Rule(Role.CONSENT, "texts", lacks="sent detail done", only=f"{_OF_TEXTS} other", cells="answers"),
    Rule(Role.CONSENT, "messages", lacks="sent detail done", only=_OF_TEXTS, cells="answers"),
    Rule(Role.OTHER_CHANNEL, "other messages", lacks=_OTHERS, cells="answers"),
    Rule(
        Role.QUESTION,
        "texts|messages|consent_phrase|refusal_phrase",
        lacks="sent detail done",
        cells="answers",
    ),
    # what the cells say it is: ways of contact, or who left
    Rule(Role.PREFERENCE, "channels|subscription", only=_CHANNELS, cells="channels"),
    Rule(Role.STATUS, "subscription", only=_CHANNELS, cells="refusals"),
    # what may be about something else than texts
    Rule(Role.WRONG_NUMBER, "number not_in_use", only="number not_in_use when beside small"),
    Rule(Role.QUESTION, "refused not", cells="any"),
    Rule(Role.DOUBT, "refused", lacks="thing link"),
    Rule(Role.DOUBT, "left", lacks="thing link", only="left refused when beside small"),
)

BY_CELLS = (
    Rule(Role.OTHER_CHANNEL, "other", lacks=_OTHERS, cells="open"),
    Rule(Role.OTHER_CHANNEL, "purpose", lacks=f"{_OTHERS} messages", cells="open"),
    Rule(Role.QUESTION, cells="open"),
    Rule(Role.DOUBT, "left", lacks="thing link", only="left refused when beside small people"),
)
"""For columns that are nothing else, neither phones nor names: their cells ask, whatever the header says."""

FINER = (
    Rule(Role.CONSENT_DATE, "when", lacks="refusing"),
    Rule(Role.TEXTS_STATUS, "status", lacks="refusal refusal_weak"),
    Rule(Role.LIKELY_REFUSAL, "refused_first|when"),
)
"""What a header says more exactly than the field that has its column, by whoever's choice."""
