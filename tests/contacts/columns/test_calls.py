"""Consent to calls beside consent to texts, as forms ask for each channel."""

from __future__ import annotations

import pandas as pd
import pytest
from tiers import only_deep

from dashboard.contacts import clean_contacts

PHONES = ["07400 123456", "07400 223457", "07400 323458"]


PAIRS = [
    ("Contact by SMS", "Contact by phone"),
    ("Consent - SMS", "Consent - Phone"),
    ("Text opt-in", "Phone opt-in"),
    ("General SMS", "Phone calls"),
    ("Einwilligung SMS", "Einwilligung Telefon"),
    ("Consentement SMS", "Consentement téléphone"),
    ("SMS consent", "WhatsApp consent"),
]


def statuses(**said: list[str]) -> list[str]:
    frame = pd.DataFrame(said)
    frame.insert(0, "Mobile", PHONES[: len(frame)])
    return clean_contacts(frame, country="GB").rows["status"].tolist()


@pytest.mark.parametrize(("texts", "calls"), PAIRS)
def test_whoever_wants_no_calls_may_want_texts(texts: str, calls: str) -> None:
    both = {texts: ["yes", "no", ""], calls: ["no", "yes", "yes"]}
    assert statuses(**both) == ["ok", "opted_out", "review"]


@pytest.mark.parametrize("calls", [PAIRS[0][1], *only_deep(*(calls for _, calls in PAIRS[1:]))])
def test_whoever_wants_no_calls_and_was_asked_nothing_else_wants_no_texts(calls: str) -> None:
    assert statuses(**{calls: ["no"]}) == ["opted_out"]


@pytest.mark.parametrize("texts", [PAIRS[0][0], *only_deep(*(texts for texts, _ in PAIRS[1:]))])
def test_whoever_is_not_to_be_called_gets_no_texts_that_they_want(texts: str) -> None:
    assert statuses(**{texts: ["yes"], "Do not call": ["yes"]}) == ["opted_out"]
