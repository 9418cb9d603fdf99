"""Consent to calls beside consent to texts, as forms ask for each channel."""

from __future__ import annotations

import pandas as pd
import pytest

from dashboard.contacts import clean_contacts

PHONES = ["07400 123456", "07400 223457", "07400 323458"]


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
    def statuses(**said: list[str]) -> list[str]:
        frame = pd.DataFrame(said)
        frame.insert(0, "Mobile", PHONES[: len(frame)])
        return clean_contacts(frame, country="GB").rows["status"].tolist()

    both = {texts: ["yes", "no", ""], calls: ["no", "yes", "yes"]}
    assert statuses(**both) == ["ok", "opted_out", "review"]
    assert statuses(**{calls: ["no"]}) == ["opted_out"]
    assert statuses(**{texts: ["yes"], "Do not call": ["yes"]}) == ["opted_out"]
