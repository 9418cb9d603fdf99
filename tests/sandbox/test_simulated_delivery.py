"""Messages move on by themselves: pending, sent, delivered or failed, as the settings and the seed say."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from uuid import UUID, uuid4

from each import each
from fixtures_sandbox import HELD, QUICK, SandboxPeer
from patience import wait_until

from dashboard.sandbox.carriers.delivery import deliver
from dashboard.sandbox.contract.rules import Submitted
from dashboard.sandbox.simulation import Simulation, fate
from dashboard.sandbox.store import Store


def send(sandbox: SandboxPeer, count: int, **fields: object) -> str:
    campaign = str(uuid4())
    payload = [
        {"to": f"+1212{number:07d}", "body": "Hi", "uuid": str(uuid4()), "campaign": campaign, **fields}
        for number in range(count)
    ]
    sandbox.post_bulk(payload).raise_for_status()
    return campaign


def resolved(sandbox: SandboxPeer, campaign: str) -> bool:
    return not {"pending", "sent"} & set(sandbox.summary(campaign)["by_status"])


def test_every_message_ends_delivered_or_failed_with_a_reason(sandbox: SandboxPeer) -> None:
    sandbox.settings(**QUICK, delivered_share=0.5, failure_reasons=["unreachable"])
    campaign = send(sandbox, 400)
    wait_until(lambda: resolved(sandbox, campaign))
    messages = sandbox.messages(campaign)
    delivered = [message for message in messages if message["status"] == "delivered"]
    failed = [message for message in messages if message["status"] == "failed"]
    assert len(delivered) + len(failed) == 400
    assert 140 < len(delivered) < 260
    for message in delivered:
        assert message["failure_reason"] is None
        assert message["created_at"] <= message["sent_at"] <= message["delivered_at"]
    for message in failed:
        assert (message["failure_reason"], message["delivered_at"]) == ("unreachable", None)
        assert message["created_at"] <= message["sent_at"]


@each("later_us", [None, 60_000_000])
def test_delays_are_kept(tmp_path: Path, later_us: int | None) -> None:
    """From the answer or the schedule to the sending, from there to the delivery; on a clock of our own."""
    simulation = Simulation(send_delay_s=(0.5, 0.5), delivery_delay_s=(2, 2), delivered_share=1)
    message = Submitted("+447700900123", "Hi", str(uuid4()), "Shop", True, later_us, None, None)
    with closing(Store(tmp_path / f"{later_us}.sqlite")) as store:
        store.accept([message], now_us=0, simulation=simulation, link_root="")
        due_us = (later_us or 0) + 500_000
        assert deliver(store, simulation, now_us=due_us - 1) == 0
        late_us = due_us + 100_000  # as the next look may be
        assert [deliver(store, simulation, now_us=late_us) for _ in range(2)] == [1, 0]
        over_us = late_us + 2_000_000
        assert [deliver(store, simulation, now_us=at) for at in (over_us - 1, over_us, over_us)] == [0, 1, 0]
        ((kept,),) = store.messages()
        assert (kept.status, kept.sent_us, kept.delivered_us) == ("delivered", late_us, over_us)


def test_the_same_seed_gives_the_same_fate() -> None:
    uuids = [str(uuid4()) for _ in range(200)]
    first, again = ([fate(uuid, Simulation(seed=7)) for uuid in uuids] for _ in range(2))
    assert first == again
    assert first != [fate(uuid, Simulation(seed=8)) for uuid in uuids]


def test_the_defaults_suit_a_demonstration() -> None:
    fates = [fate(str(UUID(int=number)), Simulation()) for number in range(5000)]
    failed = [one for one in fates if one.failure_reason is not None]
    assert 0.04 < len(failed) / len(fates) < 0.06
    assert len({one.failure_reason for one in failed}) == 4
    assert max(one.send_delay_us + one.delivery_delay_us for one in fates) < 20_000_000


def test_the_export_keeps_order_and_knows_campaigns(sandbox: SandboxPeer) -> None:
    sandbox.settings(**HELD)
    campaign = send(sandbox, 2500)  # more than two pages
    messages = sandbox.messages(campaign)
    assert [message["to"] for message in messages] == [f"+1212{number:07d}" for number in range(2500)]
    assert sandbox.messages("no such campaign") == []
    assert sandbox.messages()[-2500:] == messages
    assert sandbox.summary(campaign)["credits_used"] == 2500


@each(
    "values, field",
    [
        ({"send_delay_s": [2, 1]}, ""),
        ({"send_delay_s": [-1, 1]}, "send_delay_s.0"),
        ({"failure_reasons": []}, "failure_reasons"),
        ({"speed": 2}, "speed"),
    ],
)
def test_settings_that_make_no_sense_change_nothing(
    sandbox: SandboxPeer, values: dict[str, object], field: str
) -> None:
    before = sandbox.http.get("/sandbox/settings").json()
    answer = sandbox.http.post("/sandbox/settings", json=values)
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == [field]
    assert sandbox.http.get("/sandbox/settings").json() == before
