"""Consent to calls beside consent to texts, as forms ask for each channel."""

from __future__ import annotations

import pandas as pd
import pytest

from dashboard.contacts import clean_contacts

PHONE = "07400 123456"


@pytest.mark.parametrize(
    ("texts", "calls"),
    [
        ("Contact by SMS", "Contact by phone"),
        ("Consent - SMS", "Consent - Phone"),
        ("Text opt-in", "Phone opt-in"),
        ("General SMS", "Phone calls"),
        ("Einwilligung SMS", "Einwilligung Telefon"),
        ("Consentement SMS", "Consentement téléphone"),
        ("SMS consent", "WhatsApp consent"),
    ],
)
def test_whoever_wants_no_calls_may_want_texts(texts: str, calls: str) -> None:
    def status(**said: str) -> str:
        frame = pd.DataFrame({"Mobile": [PHONE], **{column: [cell] for column, cell in said.items()}})
        return str(clean_contacts(frame, country="GB").rows["status"][0])

    assert status(**{texts: "yes", calls: "no"}) == "ok"
    assert status(**{texts: "no", calls: "yes"}) == "opted_out"
    assert status(**{texts: "", calls: "yes"}) == "review"
    assert status(**{calls: "no"}) == "opted_out"
    assert status(**{texts: "yes", "Do not call": "yes"}) == "opted_out"
