"""Consent to calls: it speaks of texts only where nothing else in the sheet does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dashboard.contacts.columns.claims import Claim
from dashboard.contacts.vocabulary.known_words.title import Title

__all__ = ["without_consent_to_calls"]


def without_consent_to_calls(claims: list[Claim], titles: Mapping[str, Title]) -> list[Claim]:
    """The claims of consent to calls as those of another channel, beside a column of consent to texts.

    Forms ask for each channel: "Contact by SMS", "Contact by phone". Whoever wants no calls may want texts. A
    refusal, "Do not call", counts all the same.

    Args:
        claims: What each column may be.
        titles: The headers as read, by column.
    """
    asked = {claim.column for claim in claims if claim.field == "consents"}
    of_texts = {column for column in asked if titles[column].says("channel_texts")}
    of_calls = {column for column in asked - of_texts if titles[column].says("title_calls", "header_phone")}
    if not of_texts:
        return claims
    moved = [
        replace(claim, field="other_channels") if claim.column in of_calls else claim for claim in claims
    ]
    return list(dict.fromkeys(moved))
