"""Consent to calls beside consent to texts, as forms ask for each channel."""

from __future__ import annotations

import pandas as pd
from each import each

from dashboard.contacts import guess_columns

PHONES = ["07400 123456", "07400 223457", "07400 323458"]
PAIRS = {
    "Contact by SMS": "Contact by phone",
    "Consent - SMS": "Consent - Phone",
    "Text opt-in": "Phone opt-in",
    "General SMS": "Phone calls",
    "Einwilligung SMS": "Einwilligung Telefon",
    "Consentement SMS": "Consentement téléphone",
    "SMS consent": "WhatsApp consent",
}


def people(**said: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"Mobile": PHONES, **said})


@each("texts, calls", PAIRS.items())
def test_consent_to_calls_counts_only_where_nobody_asked_about_texts(texts: str, calls: str) -> None:
    yes, no = ["yes", "no", ""], ["no", "yes", "yes"]
    both = guess_columns(people(**{texts: yes, calls: no}))
    assert (both.consents, both.opt_outs, both.other_channels) == ((texts,), (), (calls,))
    assert guess_columns(people(**{calls: no})).consents == (calls,)
    refused = guess_columns(people(**{texts: yes, "Do not call": no}))
    assert (refused.consents, refused.opt_outs) == ((texts,), ("Do not call",))
