"""Campaigns drawn at random and really lived through, and what a recount in plain Python says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from typing import Any

import pandas as pd
from fixtures_ledger import Clock, accepted, messages_frame, report
from hypothesis import strategies as st

from dashboard.campaigns import Prices
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.settle import Settlement

LATER = pd.Timestamp("2090-01-01", tz="UTC")
_NAMES: dict[str | None, str] = {
    "GB": "United Kingdom",
    "DE": "Germany",
    "FR": "France",
    "IT": "Italy",
    "ES": "Spain",
    "NL": "Netherlands",
    "BE": "Belgium",
    "AT": "Austria",
    "CH": "Switzerland",
    "DK": "Denmark",
    "SE": "Sweden",
    "NO": "Norway",
    "FI": "Finland",
    "PL": "Poland",
    None: "Not known",
}
_WORDS: dict[str | None, str] = {"MOBILE": "Mobile", "FIXED_LINE_OR_MOBILE": "Fixed line or mobile"}
_WORDS |= {"VOIP": "Internet phone (VoIP)", None: "Not known"}
COUNTRIES, LINES = tuple(_NAMES), tuple(_WORDS)
REASONS = ("unreachable", "expired", "<b>barred</b>", "no such number")
ENDS = ("accepted", "partly", "refused", "unknown", "given up", "unsent", "untouched")
PRICES: tuple[dict[str, Any], ...] = (
    {},
    {"price_per_credit": Decimal("0.045")},
    {"prices": Prices({"DE": Decimal("0.079"), "GB": Decimal()}, None, "EUR")},
)
FIRST = count(step=40)

people = st.fixed_dictionaries(
    {
        "country": st.sampled_from(COUNTRIES),
        "line_type": st.sampled_from(LINES),
        "news": st.sets(st.sampled_from(["sent", "failed", "delivered", "billed"])),
        "reason": st.sampled_from(REASONS),
        "opts_out": st.integers(0, 9).map(lambda drawn: drawn == 0),
        "waits": st.integers(0, 5).map(lambda drawn: drawn == 0),
        "variant": st.sampled_from(["A", "B"]),
    }
)
lives = st.fixed_dictionaries(
    {
        "people": st.lists(people, min_size=1, max_size=36),
        "batch_size": st.integers(1, 6),
        "ends": st.lists(st.sampled_from(ENDS), min_size=36, max_size=36),
        "price": st.sampled_from(PRICES),
        "cancelled": st.booleans(),
    }
)


def lived(ledger: Ledger, clock: Clock, life: Mapping[str, Any]) -> str:
    """A campaign that was frozen, sent in batches that ended as drawn, opted out of and reported on."""
    who, first = life["people"], next(FIRST)
    frame = messages_frame(
        len(who),
        first=first,
        country=pd.Categorical([one["country"] for one in who]),
        line_type=pd.Categorical([one["line_type"] for one in who]),
        variant=pd.Categorical([one["variant"] for one in who]),
        scheduled_at=pd.Series([LATER if one["waits"] else None for one in who], dtype="datetime64[us, UTC]"),
    )
    campaign = ledger.create_campaign("Spring", frame, batch_size=life["batch_size"], **life["price"])
    ledger.start(campaign)
    phones = frame["to"].tolist()
    leaving = [phone for phone, one in zip(phones, who, strict=True) if one["opts_out"]]
    ledger.add_opt_outs(leaving[::2])
    _send(ledger, campaign, life["ends"])
    ledger.add_opt_outs(leaving)
    _tell(ledger, clock, campaign, dict(zip(phones, who, strict=True)))
    if life["cancelled"]:
        ledger.cancel(campaign)
    return campaign


def _send(ledger: Ledger, campaign: str, ends: Iterable[str]) -> None:
    """Claim batch after batch, each of which ends in its own way."""
    owner = ledger.outbox.register(0)
    for place, end in enumerate(ends):
        if ledger.campaign(campaign).state == "paused":
            ledger.resume(campaign)
        got = ledger.outbox.claim(campaign, owner=owner, ticket=f"{campaign}-{place}")
        if end == "untouched" or not isinstance(got, Claim):
            return
        ledger.outbox.settle(got, _settlement(got, end))
        if end == "given up":
            unknown = ledger.unknown(campaign)["batch"].tolist()
            ledger.decide_all(campaign, "abandoned", "ann", "asked the service", batches=unknown)


def _settlement(got: Claim, end: str) -> Settlement:
    if end == "accepted":
        return accepted(got)
    if end == "partly":
        return accepted(got, only=slice(0, 1))
    if end == "refused":
        return Settlement("rejected", "rejected", 400, "The service refused it.")
    if end == "unsent":
        return Settlement("not sent", "ready", None, "Not reached.")
    return Settlement("unknown", "unknown", None, "Nobody knows.")


def _tell(ledger: Ledger, clock: Clock, campaign: str, who: Mapping[str, Mapping[str, Any]]) -> None:
    """The service's reports, failures a day late."""
    told = ledger.messages(campaign)
    told = told[told["state"].isin(["accepted", "unknown", "abandoned"])]
    early, late = [], []
    for uuid, phone in zip(told["uuid"], told["to"], strict=True):
        news, fields = who[phone]["news"], {}
        if "sent" in news:
            fields["sent_at"] = "2026-11-20T09:00:10.000000Z"
        if "delivered" in news:
            fields["delivered_at"] = "2026-11-20T09:00:20.000000Z"
        if "billed" in news:
            fields["credits_used"] = 3
        early.append(report(uuid, **fields))
        if "failed" in news:
            late.append(report(uuid, **fields, failure_reason=who[phone]["reason"]))
    ledger.record_reports([one for one in early if len(one) > len(report(""))])
    clock.advance(86_400)
    ledger.record_reports(late)
    clock.advance(-86_400)


def _cost(rows: Sequence[Mapping[str, Any]]) -> Decimal | None:
    """The highest estimate in money of who was not left out; None where a price is not known."""
    kept = [row for row in rows if row["state"] != "dropped"]
    prices = {row["price_per_credit"] for row in rows}
    if prices == {None} or None in {row["price_per_credit"] for row in kept}:
        return None
    return sum((row["price_per_credit"] * row["credits_high"] for row in kept), Decimal())


@dataclass(frozen=True)
class Recount:
    """The ledger's rows counted in plain Python."""

    handed_over: int
    accepted: int
    sent: int
    delivered: int
    failed: int
    refused: int
    unknown: int
    reasons: Counter[str]
    charged: int
    countries: Counter[str]
    line_types: Counter[str]
    billed: int
    estimate: int
    bills_missing: int
    cost: Decimal | None

    @classmethod
    def of(cls, messages: pd.DataFrame) -> Recount:
        rows: list[dict[str, Any]] = messages.astype(object).where(messages.notna(), None).to_dict("records")  # type: ignore[assignment]
        taken = [row for row in rows if row["state"] == "accepted"]
        delivered = [row for row in taken if row["delivered_at"]]
        failed = [row for row in taken if row["failure_reason"] and not row["delivered_at"]]
        refused = [row for row in rows if row["state"] == "rejected"]
        unknown = [row for row in rows if row["state"] == "unknown"]
        given_up = [row for row in rows if row["state"] == "abandoned"]
        news = ("sent_at", "delivered_at", "failure_reason")
        return cls(
            handed_over=len(taken) + len(refused) + len(unknown) + len(given_up),
            accepted=len(taken),
            sent=sum(any(row[name] for name in news) for row in taken),
            delivered=len(delivered),
            failed=len(failed),
            refused=len(refused),
            unknown=len(unknown),
            reasons=Counter(row["failure_reason"] or "no reason given" for row in failed + refused),
            charged=sum(row["credits_billed"] or 0 for row in failed + refused),
            countries=Counter(_NAMES[row["country"]] for row in rows),
            line_types=Counter(_WORDS[row["line_type"]] for row in rows),
            billed=sum(row["credits_billed"] or 0 for row in rows),
            estimate=sum(row["credits_high"] for row in rows if row["state"] != "dropped"),
            cost=_cost(rows),
            bills_missing=sum(row["credits_billed"] is None for row in taken + unknown + given_up),
        )

    @property
    def funnel(self) -> list[int]:
        return [self.handed_over, self.accepted, self.sent, self.delivered]
