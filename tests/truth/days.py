"""What happens in the world: long ago, at the edge of two months, lately, and what is reported in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from asked import Asked
from tiers import only_deep
from world import World

CAMPAIGNS = (
    *("Forgotten", "Dollars", "Letters", "Links", "No price", "Trusted", "Later"),
    *("Cancelled", "Paused", "Draft"),
)
FIRST = ("Links", "No price")
EACH_CAMPAIGN = [*FIRST, *only_deep(*(one for one in CAMPAIGNS if one not in FIRST))]
MINUTE = timedelta(minutes=1)
LONG = "You are invited, with all your friends. " * 4
DELIVERING = {"send_delay_s": [0, 0], "delivery_delay_s": [0, 0], "delivered_share": 0.7}


def live(world: World) -> None:
    """Everything that happens."""
    world.peer.settings(**DELIVERING)
    for day in (_long_ago, _at_the_edge, _lately, _reported):
        day(world)
    world.clock.put(datetime.now(UTC))


def _long_ago(world: World) -> None:
    times, some = world.times, world.some
    world.clock.put(times.old)
    text = "Hi {{name}}: https://example.com/old " + "while it lasts " * 8
    world.make(Asked("Forgotten", some(40), {"": text}, Decimal("0.05"), link=(15, 20)))
    world.send("Forgotten")
    world.settled()
    world.tell("Forgotten", which=slice(5, None))
    who = some(100)
    world.opt_out(who[:3])
    dollars = Asked("Dollars", who, {"": "Hi {{name}}!"}, Decimal("0.0075"), currency="USD")
    world.make(dollars, start=False)
    world.opt_out(who[50:55])
    world.wire.barred |= {who[place].phone for place in (7, 33, 60, 61)}
    world.ledger.start(world.ids["Dollars"])
    world.send("Dollars", "", "", "wrong key", goes_on=False)
    world.clock.put(times.old + 75 * MINUTE)
    texts = {"A": "A: Hi, {{name}}", "B": "B: Hey, {{name}}", "C": f"C: {LONG}, {{{{name}}}}"}
    world.make(Asked("Letters", some(330), texts, Decimal("0.045")), batch_size=15)
    world.send(
        "Letters",
        "",
        "",
        "taken, connection broken",
        "",
        "connection broken",
        "",
        "taken, error",
        "too many",
        "not reached",
    )


def _at_the_edge(world: World) -> None:
    world.clock.put(world.times.edge)
    world.resume("Dollars")
    prices = {"GB": Decimal("0.042"), "DE": Decimal("0.079"), "FR": Decimal("0.0333")}
    who = world.some(200)
    text = "Hi {{name}}, see https://example.com/spring/sale?a=1 " + "and tell your friends about it " * 4
    world.make(Asked("Links", who, {"": text}, None, prices))
    world.send("Links", "half", "", "unbilled", "taken, connection broken", "connection broken")
    world.settled()
    world.tell("Links", which=slice(18, 24))


def _lately(world: World) -> None:
    times, some = world.times, world.some
    world.clock.put(times.recent)
    world.decide("Letters", "abandoned")
    unknown = world.ledger.messages(world.ids["Links"])
    away = set(unknown.loc[unknown["state"] == "unknown", "to"])
    world.opt_out([one for one in world.people_of("Links") if one.phone in away][:2])
    world.decide("Links", "ready")
    world.send("Links")
    world.make(Asked("No price", some(90), {"": LONG + "{{name}}"}))
    world.send("No price", "taken, connection broken", "unbilled", "connection broken")
    world.make(
        Asked("Trusted", world.people_of("Letters")[:30], {"": "Hi {{name}}"}, Decimal("2.5"), currency="JPY")
    )
    world.send("Trusted", "", "taken, connection broken")
    world.decide("Trusted", "accepted")
    world.make(Asked("Later", some(60), {"": "Soon, {{name}}"}, Decimal("0.045"), scheduled_at=times.to_come))
    world.send("Later")
    world.make(Asked("Cancelled", some(60), {"": "Hi {{name}}"}, Decimal("0.045")))
    world.send("Cancelled", "", "", "wrong key", goes_on=False)
    world.cancel("Cancelled")
    world.make(Asked("Paused", some(30), {"": "Hi {{name}}"}, Decimal("0.045")))
    world.send("Paused", "", "wrong key", goes_on=False)
    world.make(Asked("Draft", some(20), {"": "Hi {{name}}"}, Decimal("0.045")), start=False)


def _reported(world: World) -> None:
    """Reports that are late, repeated, contradicting, or do not come."""
    world.clock.put(datetime.now(UTC))
    world.settled()
    everyone: Sequence[Callable[[], None]] = (
        lambda: world.tell("Letters", which=slice(40, None)),
        lambda: world.tell("Letters", "sent", which=slice(30, 80)),
        lambda: world.tell("Letters", which=slice(60, 90)),
        lambda: world.tell("Dollars", "denied", which=slice(0, 10)),
        lambda: world.tell("Dollars"),
        lambda: world.tell("Dollars", "denied", which=slice(20, 40)),
        lambda: world.tell("Links", "sent"),
        lambda: world.tell("Links", which=slice(0, 120)),
        lambda: world.tell("No price", "sent", which=slice(4, 50)),
        lambda: world.tell("No price", which=slice(30, 40)),
        lambda: world.tell("Cancelled", which=slice(0, 5)),
    )
    for one in everyone:
        one()
    assert world.ledger.forget(before=world.times.old + 60 * MINUTE), "nothing was forgotten"
    world.tell("Forgotten")
