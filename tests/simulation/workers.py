"""What workers do: register, claim, request, settle, die, find each other dead; and what a clock does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

from dashboard.errors import LedgerUnavailableError
from dashboard.ledger.outbox.claims import Claim, Nothing
from dashboard.ledger.outbox.hours import QUIET
from dashboard.sending.outcomes import classify
from dashboard.sending.sender import CLAIM_LIFE_S, STALE
from simulation.caps import bring
from simulation.chance import uuid_of
from simulation.model import UNKNOWN_IN_A_ROW, plain
from simulation.promises import hold
from simulation.quiet import check_claimed, check_held, check_requested
from simulation.world import Flight, Paced, Worker, World

LONGEST_PAUSE_S = 3600.0
JUDGED_LEAST = 20
MISSED_S = 15 * 60
RATES = (0.0, 0.0, 0.5, 2.0)
STEPS_S = (1, 1, 5, 31, 61, 130, 310, 310, 310, 1200)
SKEWS_S = (0, 0, 30, -30, 90, -90, 1000, -1000, 9000, -9000)


def boot(world: World, a: int, b: int, _c: int) -> str | None:
    """A worker that is down starts; now and then one that lives registers again, as after a restart."""
    down = [worker for worker in world.workers if worker.owner is None]
    worker = world.pick(down or (world.workers if b % 8 == 0 else []), a)
    if worker is None:
        return None
    if worker.owner is None:
        worker.ledger = world.open(lambda: worker.offset)
    register(world, worker)
    return f"worker {worker.slot}"


def register(world: World, worker: Worker) -> None:
    """What its predecessor in the slot had is nobody's now."""
    worker.owner = worker.ledger.outbox.register(worker.slot)
    worker.pending = None
    if world.has.kind == "caps":
        bring(world, worker)


def crash(world: World, a: int, _b: int, _c: int) -> str | None:
    worker = world.pick(alive(world), a)
    if worker is None:
        return None
    stop(worker)
    return f"worker {worker.slot}"


def stop(worker: Worker) -> None:
    worker.owner, worker.flights, worker.pending = None, [], None


def retire(world: World, a: int, b: int, _c: int) -> str | None:
    """The slots of the dead are found; now and then that of one who lives, whose database lost its locks."""
    dead = [worker.slot for worker in world.workers if worker.owner is None]
    living = [worker.slot for worker in alive(world, lambda one: bool(one.flights))]
    slots = dead if dead and b % 2 else living[a % len(living) :][:1] if living else dead
    if not slots:
        return None
    world.ledger.outbox.retire(slots)
    return f"slots {slots}"


def lane_dies(world: World, a: int, b: int, _c: int) -> str | None:
    worker = world.pick(alive(world, lambda one: bool(one.flights)), a)
    if worker is None:
        return None
    flight = worker.flights.pop(b % len(worker.flights))
    return f"batch {flight.claim.batch_id}"


def sweep(world: World, a: int, _b: int, _c: int) -> str | None:
    worker = world.pick(alive(world), a)
    if worker is None or worker.owner is None:
        return None
    lost = worker.ledger.outbox.give_up_lost(worker.owner, {one.claim.batch_id for one in worker.flights})
    return f"{lost} batches" if lost else None


def tick(world: World, a: int, _b: int, _c: int) -> str | None:
    """What a worker's supervisor does twice a second."""
    worker = world.pick(alive(world), a)
    if worker is None or worker.owner is None:
        return None
    outbox = worker.ledger.outbox
    if outbox.is_retired(worker.owner):
        register(world, worker)
    _start_due(world, worker)
    outbox.finish()
    return f"worker {worker.slot}"


def _start_due(world: World, worker: Worker) -> None:
    """What is scheduled starts when its time has come, and waits for a person when that was missed."""
    scheduled = world.rows("SELECT id, scheduled_at FROM campaign WHERE state = 'scheduled' ORDER BY id")
    worker.ledger.outbox.start_due()
    now = round((world.time + worker.offset).timestamp() * 1e6)
    for campaign, at in scheduled:
        state, late = world.state(campaign), now - at
        expected = "scheduled" if late < 0 else "paused" if late > MISSED_S * 1e6 else "running"
        hold("due", state == expected, f"{state}, {late / 1e6:.0f} s after its time")


def claim(world: World, a: int, b: int, _c: int) -> str | None:
    worker = world.pick(alive(world, lambda one: len(one.flights) < world.has.lanes), a)
    if worker is None:
        return None
    running = [one for one in world.campaigns if world.model.known.campaigns[one] == "running"]
    campaign = world.pick(running if b % 8 else world.campaigns, b // 8)
    if campaign is None and worker.pending is None:
        return None
    asked = worker.pending or (campaign or "", str(uuid_of(world.rng)), world.time)
    return _claim(world, worker, *asked)


def _claim(world: World, worker: Worker, campaign: str, ticket: str, asked_at: datetime) -> str | None:
    """Claim; after a commit of which nobody knows, the next claim is asked for with the same ticket."""
    worker.pending = None
    if campaign not in world.campaigns:
        return None
    state = world.state(campaign)
    try:
        with world.armed():
            got = worker.ledger.outbox.claim(campaign, owner=worker.owner or "", ticket=ticket)
    except LedgerUnavailableError:
        worker.pending = (campaign, ticket, asked_at)
        world.hits["away"] += 1
        _note_unseen(world, ticket, campaign, state)
        return "nobody knows whether it was written"
    if got == Nothing(QUIET):
        check_held(world, worker, campaign)
        return "held back by hours"
    if not isinstance(got, Claim):
        return None if world.state(campaign) == state else str(got)
    flight = Flight(got, asked_at)
    if not any(
        flight.claim.batch_id == one.claim.batch_id and one.claim.attempt == got.attempt
        for one in worker.flights
    ):
        worker.flights.append(flight)
    unseen = world.unseen.pop(ticket, None)
    if unseen is None or _without_news(world, unseen) != flight.uuids:
        given_up = _was_given_up(world, ticket, unseen or [])
        hold("once", given_up, "asked again, and given another batch")
        note_claim(world, campaign, state, flight.uuids)
        _check_due(world, got)
        check_claimed(world, got)
    return f"worker {worker.slot}: batch {got.batch_id}.{got.attempt}, {len(got.messages)} messages"


def _without_news(world: World, unseen: list[str]) -> list[str]:
    """Those of a claim about which no report came before it was asked for again: those are not sent."""
    listed = ", ".join(f"'{uuid}'" for uuid in unseen)
    found = world.rows(
        "SELECT m.uuid FROM message m LEFT JOIN result r ON r.message_id = m.id "
        f"WHERE m.uuid IN ({listed}) AND r.message_id IS NULL ORDER BY m.id"
    )
    return [row[0] for row in found]


def _was_given_up(world: World, ticket: str, unseen: list[str]) -> bool:
    """Whether a claim that nobody asked for again is no longer on its way: it was never requested."""
    return not unseen or not world.rows(
        "SELECT 1 FROM message m JOIN batch b ON m.id BETWEEN b.first_message AND b.last_message "
        f"WHERE m.uuid = '{unseen[0]}' AND b.state = 'sending' AND b.ticket = '{ticket}'"
    )


def _note_unseen(world: World, ticket: str, campaign: str, state: str) -> None:
    """A claim that was written though the worker does not know it."""
    if not _was_given_up(world, ticket, world.unseen.get(ticket, [])):
        return
    held = world.rows(
        "SELECT m.uuid FROM batch b JOIN message m ON m.id BETWEEN b.first_message AND b.last_message "
        "LEFT JOIN result r ON r.message_id = m.id "
        f"WHERE b.ticket = '{ticket}' AND b.state = 'sending' AND r.message_id IS NULL ORDER BY m.id"
    )
    if held:
        world.unseen[ticket] = [row[0] for row in held]
        note_claim(world, campaign, state, world.unseen[ticket])


def note_claim(world: World, campaign: str, state: str, uuids: list[str]) -> None:
    hold("open", uuids, "a claim of nothing")
    world.model.claimed(campaign, state, uuids)
    hold("copy", not world.missing, "claimed though opt-outs may be missing")
    if world.skewed:
        return
    hold("gate", world.time >= world.gate_until, f"claimed, closed until {world.gate_until}")
    paced = world.paced
    if paced.rate and paced.since:
        earliest = paced.since + timedelta(seconds=paced.messages / paced.rate - 0.11)
        hold("pace", world.time >= earliest, f"{paced.messages} messages since {paced.since}")
    if paced.rate:
        paced.since = paced.since or world.time
        paced.messages += len(uuids)


def _check_due(world: World, got: Claim) -> None:
    ((due_at, started_at),) = world.rows(
        "SELECT b.due_at, c.started_at FROM batch b JOIN campaign c ON c.id = b.campaign_id "
        f"WHERE b.id = {got.batch_id}"
    )
    now = round(got.claimed_at.timestamp() * 1e6)
    hold("due", due_at is None or due_at <= now, "a batch that is held")
    hold("due", world.skewed or started_at <= now, "a campaign that was not started")


def post(world: World, a: int, b: int, c: int) -> str | None:
    worker = world.pick(alive(world, lambda one: any(of.settlement is None for of in one.flights)), a)
    if worker is None:
        return None
    flight = world.pick([one for one in worker.flights if one.settlement is None], b)
    return None if flight is None else _post(world, worker, flight, c)


def _post(world: World, worker: Worker, flight: Flight, c: int) -> str:
    by_clock = (world.time + worker.offset - flight.claim.claimed_at).total_seconds()
    if max(by_clock, (world.time - flight.asked_at).total_seconds()) > CLAIM_LIFE_S:
        flight.settlement, flight.fault = STALE, "stale"
        return "held up: nothing requested"
    uuids, service = flight.uuids, world.service
    world.model.posted(uuids, set() if world.skewed else service.awaits())
    check_requested(world, flight)
    claimed = (flight.claim.claimed_at, flight.claim.campaign_id)
    flight.fault, answer = service.serve(uuids, claimed, world.time, Random(c))
    flight.settlement = classify(uuids, answer, world.rules)
    check_caps(world, flight)
    for uuid in uuids:
        hold("books", service.taken[uuid] <= 1 + world.model.again[uuid], f"{service.taken[uuid]} times")
    return f"{flight.fault}: {flight.settlement.event}"


def check_caps(world: World, flight: Flight) -> None:
    """What the service has written down, against the caps as they are: nobody lowers any in these worlds."""
    if world.model.restored_ever:
        return
    billed, day = world.service.billed, flight.claim.claimed_at.date()
    mine = sum(credits_ for _, campaign, credits_ in billed if campaign == flight.claim.campaign_id)
    today = sum(credits_ for at, _, credits_ in billed if at.date() == day)
    cap, day_cap = world.caps
    hold("cap", cap is None or mine <= cap, f"{mine} billed, {cap} allowed")
    hold("cap", day_cap is None or today <= day_cap, f"{today} today, {day_cap} allowed")


def settle(world: World, a: int, b: int, c: int) -> str | None:
    worker = world.pick(alive(world, lambda one: any(of.settlement for of in one.flights)), a)
    if worker is None:
        return None
    flight = world.pick([one for one in worker.flights if one.settlement], b)
    return None if flight is None else _settle(world, worker, flight, again=c % 14 == 0)


def _settle(world: World, worker: Worker, flight: Flight, *, again: bool) -> str:
    """Write an outcome down; now and then again, as after a commit of which nobody knows."""
    settlement = flight.settlement
    if settlement is None:
        return ""
    campaign = flight.claim.campaign_id
    before = world.model.known.campaigns[campaign]
    fails, unseen = world.fails_next, False
    try:
        with world.armed():
            ours = worker.ledger.outbox.settle(flight.claim, settlement)
    except LedgerUnavailableError:
        world.hits["away"] += 1
        if fails == "before":
            return "away: not written"
        unseen, ours = True, flight.written is None and not _moved_on(world, flight)
    hold("twice", not (flight.written is not None and ours), "settled twice")
    if flight.written is None:
        _note_outcome(world, flight, ours=ours)
        if ours and not world.skewed:
            _check_pause(world, flight, before)
    flight.written = ours
    if not (again or unseen):
        worker.flights.remove(flight)
    return f"batch {flight.claim.batch_id}.{flight.claim.attempt}: {settlement.event}, ours={ours}"


def _moved_on(world: World, flight: Flight) -> bool:
    """Whether somebody else moved the batch on before: the note of how it ended is not this outcome's."""
    found = world.rows(
        f"SELECT event FROM attempt WHERE batch_id = {flight.claim.batch_id} "
        f"AND attempt = {flight.claim.attempt} ORDER BY id"
    )
    return any(row[0] in {"lost", "doubtful"} for row in found)


def _note_outcome(world: World, flight: Flight, *, ours: bool) -> None:
    settlement, model = flight.settlement, world.model
    if settlement is None:
        return
    mine = set(flight.uuids)
    for message in settlement.echoed:
        if message.uuid.lower() in mine:
            model.heard(message.uuid.lower(), plain(message))
    if ours and settlement.state in {"ready", "split", "rejected"}:
        model.untaken(flight.uuids, requested=flight.fault != "stale")
    if settlement.closes_gate and settlement.retry_after_s:
        until = world.time + timedelta(seconds=min(settlement.retry_after_s, LONGEST_PAUSE_S))
        world.gate_until = max(world.gate_until, until)
    outcomes = model.known.outcomes[flight.claim.campaign_id]
    alone = settlement.event == "rejected" and settlement.state == "rejected"
    outcomes.append(("refused alone" if alone else settlement.event) if ours else "late")


def _check_pause(world: World, flight: Flight, before: str) -> None:
    campaign, settlement, model = flight.claim.campaign_id, flight.settlement, world.model
    if settlement is None or before != "running":
        return
    state = world.state(campaign)
    accepted = any(text.uuid in model.known.said for text in model.known.rows[campaign])
    must = model.must_pause(campaign, accepted) or ("asked to" if settlement.pauses else None)
    if settlement.event in {"rejected", "unknown", "partly accepted"} and _too_many_failed(world, campaign):
        must = must or "failures"
    hold("pauses", must is None or state != "running", f"{must}, and {state}")
    if state == "paused" and "in a row" in world.reason(campaign):
        unclear = model.known.outcomes[campaign].count("unknown")
        hold("again", unclear >= UNKNOWN_IN_A_ROW, f"paused after {unclear} unclear answers")


def _too_many_failed(world: World, campaign: str) -> bool:
    """Whether more than the share failed of what was answered last, since it was resumed."""
    if world.has.share is None:
        return False
    answered = world.rows(
        "SELECT b.id, b.state, b.messages, b.accepted, b.dropped, (SELECT count(*) FROM result r WHERE "
        "r.message_id BETWEEN b.first_message AND b.last_message AND r.failure_reason IS NOT NULL "
        "AND r.delivered_at IS NULL) FROM attempt a "
        "JOIN batch b ON b.id = a.batch_id JOIN campaign c ON c.id = b.campaign_id "
        f"WHERE c.id = '{campaign}' AND b.state <> 'split' AND a.at >= coalesce(c.resumed_at, c.created_at) "
        "AND a.event IN ('accepted', 'partly accepted', 'rejected', 'unknown') ORDER BY a.id DESC LIMIT 50"
    )
    batches = {row[0]: row for row in answered}.values()
    bad = sum(
        row[5] + (row[2] - row[3] - row[4] if row[1] in {"rejected", "unknown"} else 0) for row in batches
    )
    return len(batches) >= JUDGED_LEAST and bad > world.has.share * sum(row[2] for row in batches)


def send(world: World, a: int, b: int, c: int) -> str | None:
    """The usual: claim, request, settle, with nothing in between; who has its lanes full goes on with one."""
    living = alive(world)
    worker = world.pick(living, a)
    if worker is None:
        return boot(world, a, 1, c)
    got = None
    if len(worker.flights) < world.has.lanes:
        before = list(worker.flights)
        got = claim(world, [one for one in living if len(one.flights) < world.has.lanes].index(worker), b, c)
        new = [one for one in worker.flights if one not in before]
        if not new:
            return got
        flight = new[0]
    else:
        flight = worker.flights[0]
    posted = None if flight.settlement else _post(world, worker, flight, c)
    return f"{got}; {posted}; {_settle(world, worker, flight, again=c % 14 == 0)}"


def burst(world: World, a: int, b: int, c: int) -> str | None:
    """A dozen batches in a row."""
    done = [one for number in range(12) if (one := send(world, a, b | 1, c + 7 * number)) is not None]
    return "; ".join(done) or None


def away(world: World, a: int, _b: int, _c: int) -> str:
    """The database goes away with the next transaction of a worker, or of a page that can ask again."""
    world.fails_next = "after" if a % 2 else "before"
    return world.fails_next


def advance(world: World, a: int, _b: int, _c: int) -> str:
    seconds = STEPS_S[a % len(STEPS_S)]
    world.pass_time(seconds)
    return f"{seconds} s"


def jump(world: World, a: int, b: int, _c: int) -> str | None:
    """A machine's clock is set."""
    worker = world.workers[a % len(world.workers)]
    worker.offset = timedelta(seconds=SKEWS_S[b % len(SKEWS_S)])
    return f"worker {worker.slot}: {worker.offset}"


def pace(world: World, a: int, _b: int, _c: int) -> str:
    rate = RATES[a % len(RATES)]
    world.ledger.outbox.set_pace(rate)
    if rate != world.paced.rate:
        world.paced = Paced(rate)
    return f"{rate} messages a second"


def alive(world: World, which: Callable[[Worker], bool] = lambda _: True) -> list[Worker]:
    return [worker for worker in world.workers if worker.owner and which(worker)]


ACTIONS = {
    one.__name__: one
    for one in (
        *(boot, crash, retire, lane_dies, sweep, tick, claim, post, settle, send, burst),
        *(away, advance, jump, pace),
    )
}
