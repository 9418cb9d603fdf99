"""docs/contract.md is true: the tests it names exist, and every field of the contract is in it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from each import each

from dashboard.service import Contact, ContactMethod, Message, NumberCheck, OutgoingMessage

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "contract.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:\w+/)+\w+\.py)::(\w+)`", PAGE)))
OURS = {"extra", "raw", "line_type"}
ANSWERED = {field.name for model in (Message, Contact, ContactMethod, NumberCheck) for field in fields(model)}
SENT = set(
    OutgoingMessage(
        to="+447700900123",
        body="Hi",
        uuid="u",
        sender="s",
        shorten_links=True,
        scheduled_at=1,
        campaign="c",
        campaign_tracking="t",
    ).payload()
)


@each("file, test", NAMED)
def test_every_test_named_exists(file: str, test: str) -> None:
    assert f"\ndef {test}(" in (TESTS / file).read_text(encoding="utf-8")


@each("field", sorted((ANSWERED - OURS) | SENT | {"phoneNumber", "countryCode", "type"}))
def test_every_field_of_the_contract_is_covered(field: str) -> None:
    assert f"`{field}`" in PAGE
