"""Faults planted in the ledger, one at a time, to see that the simulator finds each."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dashboard.ledger import optouts
from dashboard.ledger.copies import doubt
from dashboard.ledger.evidence import attempts, events, merging
from dashboard.ledger.freeze import layout
from dashboard.ledger.outbox import claims, control, decisions, gate, pausing, quiet, settle, split
from dashboard.ledger.tallies import deltas
from dashboard.sending import outcomes


@dataclass(frozen=True)
class Fault:
    """A mistake in one function: what stands there, what is put there, which worlds find it, as what.

    `tried_first` is the number of a world that is known to find it.
    """

    name: str
    where: Callable[..., Any]
    old: str
    new: str
    kind: str
    found: tuple[str, ...]
    tried_first: int = 0


FAULTS = (
    Fault(
        "a settlement without its compare-and-set",
        settle.settle,
        'batch.state == "sending" and batch.attempt == claim.attempt',
        "True",
        "crowd",
        ("twice", "move", "open", "count", "proof", "raised"),
    ),
    Fault(
        "late proof is thrown away",
        settle.settle,
        "for piece in said.evidence]",
        "for piece in said.evidence if False]",
        "crowd",
        ("proof",),
    ),
    Fault(
        "a claim that does not look at its campaign",
        claims.claim_next,
        'campaign.state != "running"',
        'campaign.state == "draft"',
        "plain",
        ("stopped",),
    ),
    Fault(
        "a claim that does not look for its ticket",
        claims.claim_next,
        "if held := ",
        "if None and held and ",
        "crowd",
        ("once", "raised"),
    ),
    Fault(
        "a claim that does not look at the gate",
        gate.Gate.opens_at,
        "return at if at > now else None",
        "return None",
        "pace",
        ("gate", "pace"),
    ),
    Fault(
        "a cap that is never reached",
        pausing.over_cap,
        "+ takes > cap",
        "+ takes > cap * 99",
        "caps",
        ("cap",),
    ),
    Fault(
        "an engine takes away what marketers decided",
        gate.bring_limits,
        "values[name] = decided.get(name)",
        "pass",
        "caps",
        ("cap",),
    ),
    Fault(
        "opt-outs are not dropped from what is ready",
        optouts._drop,
        "if row.batch_id in ready",
        "if False",
        "plain",
        ("opt-out",),
    ),
    Fault(
        "opt-outs are forgotten when a batch comes back",
        optouts.drop_listed,
        "for row in rows]",
        "for row in rows[:0]]",
        "plain",
        ("opt-out",),
    ),
    Fault(
        "sent again while the first request is on its way",
        decisions._check_resend,
        "claimed_at + RESEND_AFTER",
        "claimed_at",
        "slow",
        ("early", "twice"),
    ),
    Fault(
        "a refusal of what is sent again is final",
        settle._move,
        "sent_again(connection, [batch.id])",
        "False",
        "times",
        ("doubt",),
        tried_first=191,
    ),
    Fault("the last report wins", merging._merged, "_order(new) > _order(old)", "True", "plain", ("merged",)),
    Fault("what has no bill is free", deltas._own, "used or high", "used", "plain", ("tallies",)),
    Fault(
        "a status is not kept", events.append_events, "if events", "if len(events) > 1", "plain", ("history",)
    ),
    Fault(
        "an older copy is not noticed",
        doubt.distrust_copy,
        "if copied_at is None:",
        "if True:",
        "copies",
        ("copy", "twice"),
    ),
    Fault(
        "opt-outs missing from a copy are not said to be",
        doubt.distrust_copy,
        "if not opt_outs_kept and",
        "if False and",
        "copies",
        ("copy",),
    ),
    Fault(
        "an older copy goes on",
        doubt._pause,
        'values(state="paused"',
        "values(state=campaign.state",
        "copies",
        ("copy",),
    ),
    Fault(
        "done with something on its way",
        control.over,
        "~left(*OPEN)",
        '~left("ready")',
        "crowd",
        ("open", "move"),
    ),
    Fault(
        "a campaign starts early",
        control.start_due,
        'is_due = (table.c.state == "scheduled") & (table.c.scheduled_at <= now)',
        'is_due = table.c.state == "scheduled"',
        "times",
        ("due",),
    ),
    Fault(
        "held batches do not wait",
        claims._next_ready,
        "now_=now",
        "now_=now.replace(year=now.year + 1)",
        "times",
        ("due",),
    ),
    Fault(
        "a claim that does not look at quiet hours",
        claims._claim_ready,
        "until := quiet_until(batch, times, now)",
        "until := None",
        "hours",
        ("quiet",),
    ),
    Fault(
        "half a batch has no hours",
        split.split,
        "texting_hours=batch.texting_hours",
        "texting_hours=None",
        "hours",
        ("quiet",),
    ),
    Fault(
        "people with other hours share a batch",
        layout.lay_out,
        "np.asarray(hours.codes)], batch_size",
        "np.asarray(price.codes)], batch_size",
        "hours",
        ("quiet",),
    ),
    Fault(
        "a request leaves after its people's hours",
        quiet.quiet_until,
        "(now, now + CLAIM_LIFE)",
        "(now,)",
        "hours",
        ("quiet",),
    ),
    Fault(
        "whoever is held back waits a day too long",
        quiet.quiet_until,
        "return max(opens)",
        "return max(opens) + _DAY",
        "hours",
        ("quiet",),
    ),
    Fault(
        "a 5xx is taken for a refusal",
        outcomes._unknown,
        '"unknown", "unknown", error.status',
        '"not sent", "ready", error.status',
        "plain",
        ("books", "early"),
    ),
    Fault(
        "what a dead worker had stays on its way",
        attempts.make_unknown,
        "chunks(locked)",
        "()",
        "crowd",
        ("stuck",),
    ),
    Fault(
        "five unclear answers do not pause",
        pausing._all_unknown,
        "return connection",
        "return False and connection",
        "refusals",
        ("pauses",),
    ),
    Fault(
        "who resumes is stopped again",
        pausing._all_unknown,
        "if since:",
        "if False:",
        "refusals",
        ("again",),
    ),
)


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """The function with the mistake, wherever it is known by."""
    function: Any = fault.where
    source = textwrap.dedent(inspect.getsource(function))
    if source.count(fault.old) != 1:
        raise ValueError(f"{fault.name}: {fault.old} is not there once")
    names = dict(function.__globals__)
    exec(compile(source.replace(fault.old, fault.new), "planted", "exec"), names)  # noqa: S102
    right, function.__code__ = function.__code__, names[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = right
