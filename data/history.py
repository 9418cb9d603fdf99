"""Makes a ledger with half a year of fictional campaigns and lists, for the notebooks and for trying things.

    python data/history.py FOLDER       writes FOLDER/ledger.sqlite

Seeded: every figure is the same each time; only ids differ. A made-up service answers in this process, so
nothing is sent. Its short links have 23 characters; it bills the autumn campaign by the carriers' parts, and
now and then leaves a bill out.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import pandas as pd

from dashboard.campaigns import Variant, carrier_parts, count_credits, write_messages
from dashboard.campaigns.length.links import replace_urls
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim, Lane
from dashboard.ledger.outbox.settle import Settlement
from dashboard.service import read_message

SHEET = Path(__file__).with_name("contacts.csv")
SERVICE = "https://sms.example.com"
LINK = "https://s.example/" + "x" * 5
PRICE = Decimal("0.045")
SALE = (
    "Hi {{ first_name | there }}, our {season} sale starts on Friday at ten: new coats, boots and bags from "
    "all over Europe. "
)
LINKED = "Have a look at all of them: https://shop.example.com/{season}/sale"
PLAIN = "Come and see us in {{ city | town }}!"
CAMPAIGNS = (
    ("Spring", datetime(2026, 5, 8, 8, tzinfo=UTC), LINKED),
    ("Summer", datetime(2026, 7, 3, 12, tzinfo=UTC), LINKED),
    ("Late summer", datetime(2026, 8, 22, 20, tzinfo=UTC), LINKED),
    ("Autumn", datetime(2026, 10, 9, 9, tzinfo=UTC), PLAIN),
    ("Winter", datetime(2026, 11, 6, 10, tzinfo=UTC), ""),
)
REASONS = ("unreachable", "unreachable", "unknown subscriber", "blocked by carrier")
LISTS = ("webshop.csv", "fair.csv")
PEOPLE = 1_000
NOT_BILLED, FAILING, FAILING_AT_NIGHT, FAILING_WITH_LINK, EVENING = 0.01, 0.03, 0.05, 0.03, 20


class Clock:
    """The time of the made-up past."""

    def __init__(self) -> None:
        self.time = CAMPAIGNS[0][1] - timedelta(days=7)

    def __call__(self) -> datetime:
        """Now."""
        return self.time


def make_history(folder: str | Path) -> str:
    """Make the ledger; returns its address."""
    url = f"sqlite:///{Path(folder) / 'ledger.sqlite'}"
    clock, chance = Clock(), random.Random(7)  # noqa: S311 - seeded on purpose
    lines = SHEET.read_text("utf-8-sig").splitlines()
    contacts = clean_contacts(read_sheet("\n".join(lines[: PEOPLE + 1]).encode()), country="GB")
    with closing(Ledger.open(url, now=clock)) as ledger:
        _save_lists(ledger, clock, lines)
        owner = ledger.outbox.register(0)
        for name, at, ending in CAMPAIGNS:
            clock.time = at
            messages = write_messages(contacts, _texts(name, ending), campaign=name)
            campaign = ledger.create_campaign(
                name, messages, batch_size=100, price_per_credit=PRICE, source=SHEET.name, service=SERVICE
            )
            ledger.start(campaign)
            _send(ledger, campaign, owner, clock, chance)
            ledger.outbox.finish()
            _report(ledger, campaign, clock, chance)
        ledger.add_opt_outs(contacts.sendable["phone"].iloc[::400], reason="Replied STOP", source="service")
    return url


def _texts(name: str, ending: str) -> str | list[Variant]:
    start = SALE.replace("{season}", name.lower())
    if ending:
        return start + ending.replace("{season}", name.lower().replace(" ", "-"))
    linked = LINKED.replace("{season}", name.lower())
    return [Variant("with a link", start + linked), Variant("without a link", start + PLAIN)]


def _save_lists(ledger: Ledger, clock: Clock, lines: list[str]) -> None:
    """Exports of six months: the web shop checks numbers, at the fair they are written down by hand."""
    rows = clean_contacts(read_sheet(SHEET), country="GB").rows
    good, odd = (
        [lines[row - 1] for row in rows["row"][own]]
        for own in (rows["status"] == "ok", rows["status"] != "ok")
    )
    for month in range(5, 11):
        clock.time = datetime(2026, month, 1, 9, tzinfo=UTC)
        for place, source in enumerate(LISTS):
            start = month * 100
            mess = odd[month + place :: 4 - place][: 6 + place * 2 * month]
            kept = [lines[0], *good[start : start + 300 - place * 200], *mess]
            content = "\n".join(kept).encode()
            counts = clean_contacts(read_sheet(content), country="GB").counts()
            name = f"{clock.time:%Y-%m} {source}"
            ledger.lists.save(name, BytesIO(content), source=source, who="ann@example.com", counts=counts)


def _send(ledger: Ledger, campaign: str, owner: str, clock: Clock, chance: random.Random) -> None:
    lane = Lane(campaign, 0, 1)
    while isinstance(got := ledger.outbox.claim(lane, owner=owner, ticket=str(uuid4())), Claim):
        clock.time += timedelta(seconds=2)
        texts = pd.Series([message.body for message in got.messages])
        sent = replace_urls(texts, LINK)
        by_parts = got.messages[0].campaign == "Autumn"
        used = carrier_parts(texts)["carrier_parts"] if by_parts else sent.map(count_credits)
        answers = [
            _message(message.uuid, "pending", clock.time, body=body, **_bill(credits_, chance))
            for message, body, credits_ in zip(got.messages, sent, used, strict=True)
        ]
        echoed = [message for answer in answers if (message := read_message(answer))]
        ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=echoed))


def _bill(credits_: int, chance: random.Random) -> dict[str, int]:
    return {} if chance.random() < NOT_BILLED else {"credits_used": int(credits_)}


def _report(ledger: Ledger, campaign: str, clock: Clock, chance: random.Random) -> None:
    """What carriers made of it: evenings and texts with a link fare worse."""
    columns = ["uuid", "created_at", "variant"]
    reports: list[dict[str, object]] = []
    for uuid, created_at, variant in ledger.messages(campaign, columns=columns).itertuples(index=False):
        sent_at = created_at + timedelta(seconds=chance.uniform(1, 30))
        evening, linked = created_at.hour >= EVENING, variant != "without a link"
        fails = chance.random() < FAILING + FAILING_AT_NIGHT * evening + FAILING_WITH_LINK * linked
        end = {"failure_reason": chance.choice(REASONS)} if fails else {}
        if not fails:
            end = {"delivered_at": _time(sent_at + timedelta(seconds=chance.expovariate(1 / 40)))}
        status = "failed" if fails else "delivered"
        reports.append(_message(uuid, "sent", created_at, sent_at=_time(sent_at)))
        reports.append(_message(uuid, status, created_at, sent_at=_time(sent_at), **end))
    chance.shuffle(reports)
    clock.time += timedelta(hours=1)
    ledger.record_reports(_without_last(reports))


def _without_last(reports: Sequence[dict[str, object]]) -> Sequence[dict[str, object]]:
    """Some reports never come."""
    return reports[: len(reports) * 99 // 100]


def _message(uuid: object, status: str, created_at: datetime, **fields: object) -> dict[str, object]:
    return {"uuid": uuid, "status": status, "created_at": _time(created_at), **fields}


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S.%f}Z"


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    make_history(sys.argv[1])
