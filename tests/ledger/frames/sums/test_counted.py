"""COUNTS by fewer keys: the same sums as of all of them."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, claim, messages_frame, report, taken

from dashboard.errors import LedgerError
from dashboard.ledger import Ledger
from dashboard.reports.measures.counting import KEYS, SUMS


def some_of_everything(ledger: Ledger) -> None:
    """Campaigns with messages that wait, are being sent, were delivered, and failed for reasons."""
    for first, price in ((0, Decimal("0.045")), (12, None), (24, Decimal("0.0450"))):
        countries = pd.Categorical(["GB", "DE", "FR"] * 4)
        frame = messages_frame(12, f"Campaign {first}", country=countries, first=first)
        campaign = ledger.create_campaign(f"Campaign {first}", frame, batch_size=3, price_per_credit=price)
        ledger.start(campaign)
        got = taken(ledger, campaign, credits_used=2)
        last, failed, other = (message.uuid or "" for message in got.messages)
        ledger.record_reports(
            [report(last, delivered_at="2026-11-20T10:00:00Z")]
            + [report(uuid, failure_reason=f"reason {uuid[0]}") for uuid in (failed, other)]
        )
        claim(ledger, campaign)


@ON_BOTH_DATABASES
def test_by_fewer_keys_the_same_messages_are_counted_together(ledger: Ledger) -> None:
    some_of_everything(ledger)
    whole = ledger.counts()
    for keys in ([], *([key] for key in KEYS), ["reason", "stage"], ["stage", "country", "currency"]):
        few = ledger.counts(keys=keys)
        assert list(few) == [*keys, *SUMS]
        assert few.dtypes.equals(whole.dtypes[[*keys, *SUMS]])
        assert by(few, keys) == by(whole, keys), keys
    assert len(ledger.counts(keys="price_per_credit")) == len({Decimal("0.045"), None})
    with pytest.raises(LedgerError, match="no key 'town'"):
        ledger.counts(keys=["town"])


def by(counts: pd.DataFrame, keys: list[str]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for row in counts.to_dict("records"):
        sums = found.setdefault(tuple(str(row[key]) for key in keys), [0] * len(SUMS))
        for place, name in enumerate(SUMS):
            sums[place] += int(row[name])
    return found
