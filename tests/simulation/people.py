"""What people do, on pages and by commands: make campaigns, move them, decide, opt out, forget.

Each action gets the world and three numbers, and says what was done, or None if there was nothing to do.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from random import Random

from dashboard.campaigns import Prices, prices_from
from dashboard.errors import CampaignError, LedgerUnavailableError, SentBeforeError
from dashboard.ledger import Caps, forgetting
from dashboard.ledger.copies import doubt
from dashboard.ledger.database.states import Decision
from dashboard.ledger.freeze.freezing import Plan, freeze, prepare
from dashboard.ledger.freeze.one_time_token import asked_for
from dashboard.ledger.team.approvals import StartedBy, start_or_ask
from simulation.caps import limits
from simulation.model import Text
from simulation.promises import hold
from simulation.sheets import SHEETS, Sheet, sheet
from simulation.world import World

MOST_CAMPAIGNS = 3
PHONES = 30
HANDOVERS = {"times": (None, None, "hold", "hold", "hold"), "hours": (None, None, "hold", "service")}
DECISIONS: tuple[Decision, ...] = ("ready", "ready", "accepted", "abandoned")


def create(world: World, a: int, b: int, c: int) -> str | None:
    """Make a campaign, now and then twice with one token, or after a commit of which nobody knows."""
    if len(world.campaigns) >= MOST_CAMPAIGNS:
        return None
    rng = Random(a << 32 | b << 16 | c)
    given = _sheet(world, rng)
    later = world.has.kind in {"times", "hours", "copies"} and rng.random() < 0.4
    at = world.time + timedelta(minutes=rng.choice((5, 20, 90))) if later else None
    token = rng.choice((None, "one", "two"))
    plan = Plan(
        name="Sim",
        chosen=given.messages,
        sent=given.sent,
        batch_size=rng.randint(1, world.has.batch),
        prices=_prices(rng),
        currency="EUR",
        source=None,
        scheduled_at=at,
        token=token,
        caps=_caps(world) if rng.random() < 0.5 else None,
        unless_sent_since=world.time - timedelta(days=7)
        if world.has.kind == "pages" and c % 6 == 0
        else None,
    )
    if plan.unless_sent_since:
        return _unless_sent(world, plan, given)
    if world.fails_next:
        token = token or f"retried {a}"
    before = world.model.known.tokens.get(token) if token else None
    try:
        made = _freeze(world, plan, token, starts=c % 7 > 0)
    except CampaignError:
        if before is None:  # a cap
            raise
        return f"{before} is another"
    if before or made in world.model.known.rows:
        hold("once", made == before and _texts_of(world, made) == _pairs(given), "given again")
        return f"{made} again"
    _note(world, made, given, token, rng)
    return f"{made}: {len(given.messages)} messages"


def _sheet(world: World, rng: Random) -> Sheet:
    handover = rng.choice(HANDOVERS.get(world.has.kind, (None,)))
    start = world.began if handover else None
    size = 30 if world.has.batch == 1 else 20
    hours = rng.random() < world.has.hours
    return sheet(rng.randrange(SHEETS), size, start, handover or "", hours=hours)


def _texts_of(world: World, campaign: str) -> set[tuple[str, str]]:
    return {(text.to, text.body) for text in world.model.known.rows[campaign]}


def _pairs(given: Sheet) -> set[tuple[str, str]]:
    return set(zip(given.messages["to"], given.messages["body"], strict=True))


def _freeze(world: World, plan: Plan, token: str | None, *, starts: bool = False) -> str:
    """As `Ledger.create_campaign` does, but for what `sheet` has done already."""
    fingerprint = asked_for(plan.name, plan.chosen, plan.sent, plan.scheduled_at, b"simulated")
    mine = replace(plan, token=token, fingerprint=fingerprint)
    while True:
        try:
            with world.armed():
                ready = prepare(world.ledger.database, mine, world.time)
                if isinstance(ready, str):
                    return ready
                to_send = starts or plan.scheduled_at is not None
                with doubt.writing(world.ledger.database, starts=to_send) as connection:
                    made, is_new = freeze(connection, mine, ready, world.time)
                    if is_new and to_send:
                        start_or_ask(connection, made, StartedBy("", None), world.time)
                    return made
        except LedgerUnavailableError:
            world.hits["away"] += 1


def _note(world: World, made: str, given: Sheet, token: str | None, rng: Random) -> None:
    first, last, state = world.rows(
        f"SELECT first_message, last_message, state FROM campaign WHERE id = '{made}'"
    )[0]
    rows = world.rows(
        'SELECT id, uuid, "to", body, credits_low, credits_high FROM message '
        f"WHERE id BETWEEN {first} AND {last} ORDER BY id"
    )
    hold("frozen", len(rows) == len(given.messages), "not as many as were given")
    texts = [Text(row[0], row[1], made, *row[2:], given.awake.get(row[2])) for row in rows]
    world.model.frozen(made, state, texts)
    if token:
        world.model.known.tokens[token] = made
    world.campaigns.append(made)
    for text in texts:
        most = text.high if world.has.kind == "caps" else text.high + 2  # as an estimate may be too low
        world.service.costs[text.uuid] = 1 + text.id % most
        if rng.random() < world.has.bad:
            world.service.bad.add(text.uuid)


def _prices(rng: Random) -> Prices | None:
    one = Decimal(rng.randint(1, 9)) / 100
    listed = Prices({"DE": one * 2}, rng.choice((one, None)), "EUR")
    return rng.choice((None, prices_from(one, None), listed))


def _caps(world: World) -> Caps | None:
    if not any(world.caps):
        return None
    midnight = world.time.replace(hour=0, minute=0, second=0, microsecond=0)
    return Caps(*world.caps, midnight, midnight + timedelta(days=1))


def _unless_sent(world: World, plan: Plan, given: Sheet) -> str:
    """Refused if half of it was requested before, and not proved unsent, by campaigns not forgotten."""
    known = world.model.known
    theirs = {
        (text.to, text.body)
        for text in known.texts.values()
        if world.model.posts[text.uuid]
        and not known.free[text.uuid]
        and text.campaign not in known.forgotten
        and text.uuid in known.said
    }
    mine = list(zip(given.messages["to"], given.messages["body"], strict=True))
    again = sum(pair in theirs for pair in mine) * 2 >= len(mine)
    try:
        made = _freeze(world, plan, None)
    except SentBeforeError:
        return "refused: the same again"
    hold("again-sent", not again, "made again")
    _note(world, made, given, None, Random(0))
    return f"{made}, for nobody had it"


def start(world: World, a: int, _b: int, _c: int) -> str | None:
    return _move(world, a, "start", "running")


def pause(world: World, a: int, _b: int, _c: int) -> str | None:
    return _move(world, a, "pause", "paused")


def resume(world: World, a: int, _b: int, _c: int) -> str | None:
    return _move(world, a, "resume", "running", "scheduled")


def cancel(world: World, a: int, b: int, _c: int) -> str | None:
    return _move(world, a, "cancel", "cancelled") if b % 2 else None


def _move(world: World, a: int, verb: str, *to: str) -> str | None:
    one = world.pick(world.campaigns, a)
    if one is None:
        return None
    known, state = world.model.known, world.allow(one, *to)
    getattr(world.ledger, verb)(one, *(["stopped by a person"] if verb in {"pause", "cancel"} else []))
    if verb in {"pause", "cancel"}:
        known.stopped.add(one)
    else:
        known.stopped.discard(one)
    if verb == "resume" and state != "running":
        known.outcomes[one] = []
    return f"{one}, {state} before"


def schedule(world: World, a: int, b: int, _c: int) -> str | None:
    one = world.pick(world.campaigns, a)
    if one is None:
        return None
    world.allow(one, "scheduled")
    world.ledger.schedule(one, world.time + timedelta(minutes=b % 60))
    return one


def decide(world: World, a: int, b: int, _c: int) -> str | None:
    """Decide about a batch, now and then about one that is not unknown."""
    states = "state = 'unknown'" if a % 8 else "state <> 'split'"
    batch = world.pick(world.rows(f"SELECT id, campaign_id FROM batch WHERE {states} ORDER BY id"), a // 8)
    if batch is None:
        return None
    decision = DECISIONS[b % 4]
    open_ = _open_messages(world, [batch[0]])
    world.allow(batch[1], "running")
    world.ledger.decide(batch[0], decision, "Ann", "asked")
    world.model.decided(open_, decision)
    _run_again(world, batch[1], decision)
    return f"batch {batch[0]} is {decision}"


def decide_all(world: World, a: int, b: int, c: int) -> str | None:
    """Decide about all unknown batches of a campaign, or some."""
    one = world.pick(world.campaigns, a)
    if one is None:
        return None
    found = world.rows(f"SELECT id FROM batch WHERE campaign_id = '{one}' AND state = 'unknown' ORDER BY id")
    batches = [row[0] for row in found][: c % 5 or None]
    if not batches:
        return None
    decision, open_ = DECISIONS[b % 4], _open_messages(world, batches)
    world.allow(one, "running")
    decided = world.ledger.decide_all(one, decision, "Ann", "asked", batches=batches if c % 5 else None)
    hold("count", decided == len(batches), f"{decided} decided instead of {len(batches)}")
    world.model.decided(open_, decision)
    _run_again(world, one, decision)
    return f"{decided} batches of {one} are {decision}"


def _run_again(world: World, campaign: str, decision: str) -> None:
    """Whoever sends some of a campaign again that was done lets it go on, as one who resumes it does."""
    if decision == "ready" and world.model.known.campaigns[campaign] == "done":
        world.model.known.outcomes[campaign] = []


def _open_messages(world: World, batches: list[int]) -> list[str]:
    found = world.rows(
        "SELECT m.uuid FROM batch b JOIN message m ON m.id BETWEEN b.first_message AND b.last_message "
        "LEFT JOIN result r ON r.message_id = m.id "
        f"WHERE r.message_id IS NULL AND b.id IN ({', '.join(map(str, batches))})"
    )
    return [row[0] for row in found]


def phone(number: int) -> str:
    return f"+447400{900000 + number % PHONES}"


def opt_out(world: World, a: int, _b: int, c: int) -> str:
    phones = [phone(a + 7 * place) for place in range(1 + c % 3)]
    put_on_list(world, phones)
    return ", ".join(phones)


def put_on_list(world: World, phones: list[str]) -> None:
    known = world.model.known
    hit = _running_with(world, phones) if world.has.watches_opt_outs else []
    added = world.ledger.add_opt_outs(phones)
    for campaign in hit:
        hold("pauses", world.state(campaign) == "paused", "people still to be texted opted out")
    new = set(phones) - known.opted.keys()
    hold("opt-out", added == len(new), f"{added} new on the list instead of {len(new)}")
    known.opted |= dict.fromkeys(phones)
    known.ever |= set(phones)
    for one in phones:
        world.model.lost.pop(one, None)


def _running_with(world: World, phones: list[str]) -> list[str]:
    """The running campaigns that have something ready for these numbers."""
    numbers = ", ".join(f"'{one}'" for one in phones)
    found = world.rows(
        "SELECT DISTINCT c.id FROM campaign c JOIN batch b ON b.campaign_id = c.id "
        "JOIN message m ON m.id BETWEEN b.first_message AND b.last_message "
        "LEFT JOIN result r ON r.message_id = m.id WHERE c.state = 'running' AND b.state = 'ready' "
        f'AND r.message_id IS NULL AND m."to" IN ({numbers})'
    )
    return [row[0] for row in found]


def opt_in(world: World, a: int, _b: int, _c: int) -> str | None:
    one = world.pick([*world.model.known.opted], a)
    if one is None:
        return None
    world.ledger.remove_opt_out(one, who="Ann", reason="asked")
    del world.model.known.opted[one]
    return one


def forget(world: World, a: int, _b: int, _c: int) -> str | None:
    before = world.time - timedelta(minutes=(0, 30, 120)[a % 3])
    with world.database.read() as connection:
        gone = {one.id for one in forgetting.forgettable(connection, before)}
    if not gone and a % 4:
        return None
    world.ledger.forget(before=before)
    world.model.known.forgotten |= gone
    return f"{len(gone)} campaigns"


ACTIONS = {
    one.__name__: one
    for one in (
        *(create, start, pause, resume, cancel, schedule, decide, decide_all, opt_out, opt_in),
        *(limits, forget),
    )
}
