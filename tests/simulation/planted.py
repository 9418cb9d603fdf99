"""Faults planted in the ledger, one at a time, to see that the simulator finds each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from sqlalchemy import Row

from dashboard.ledger import optouts
from dashboard.ledger.copies import doubt
from dashboard.ledger.database import schema
from dashboard.ledger.evidence import merging
from dashboard.ledger.freeze import layout
from dashboard.ledger.outbox import claims, control, decisions, gate, hours, outbox, pausing, settle
from dashboard.ledger.tallies import counting
from dashboard.sending import outcomes

Wrong = Callable[[Any], Any]
"""Given what is right, makes what takes its place."""

DAY, YEAR = timedelta(days=1), timedelta(days=365)


@dataclass(frozen=True)
class Fault:
    """A mistake: what of which module or class is wrong, how, which worlds find it, and as what.

    `tried_first` is the number of a world that is known to find it.
    """

    name: str
    where: object
    attribute: str
    wrong: Wrong
    kind: str
    found: tuple[str, ...]
    tried_first: int = 0


def planted(fault: Fault) -> AbstractContextManager[object]:
    """What is wrong, in place of what is right."""
    return patch.object(fault.where, fault.attribute, fault.wrong(getattr(fault.where, fault.attribute)))


def always(value: object) -> Wrong:
    return lambda _: lambda *_, **__: value


def changed(row: Row[Any], **values: object) -> SimpleNamespace:
    return SimpleNamespace(**{**row._asdict(), **values})


def whatever_its_state(campaign_row: Wrong) -> Wrong:
    def read(*given: Any) -> Any:
        campaign = campaign_row(*given)
        return campaign if campaign.state == "draft" else changed(campaign, state="running")

    return read


def without_estimates(own: Wrong) -> Wrong:
    def write(*given: Any) -> Any:
        key, (used, _, difference) = own(*given)
        return key, (used, used, difference)

    return write


def without_resumed_at(change: Wrong) -> Wrong:
    def write(connection: Any, campaign: str, resumed_at: object = None, **values: Any) -> None:
        change(connection, campaign, **values)

    return write


FAULTS = (
    Fault(
        "a settlement without its compare-and-set",
        *(settle, "_is_ours", always(True)),
        *("crowd", ("twice", "move", "open", "count", "proof", "raised")),
    ),
    Fault(
        "late proof is thrown away",
        *(settle, "take_reports", lambda right: lambda at, _, **how: right(at, [], **how)),
        *("crowd", ("proof",), 24),
    ),
    Fault(
        "a claim that does not look at its campaign",
        *(claims, "campaign_row", whatever_its_state),
        *("plain", ("stopped",)),
    ),
    Fault(
        "a claim that does not look for its ticket",
        *(claims, "_HELD", lambda _: SimpleNamespace(first=lambda *_, **__: None)),
        *("crowd", ("once", "raised")),
    ),
    Fault(
        "a claim that does not look at the gate",
        *(gate.Gate, "opens_at", always(None)),
        *("pace", ("gate", "pace")),
    ),
    Fault("a cap that is never reached", claims, "over_cap", always(None), "caps", ("cap",)),
    Fault(
        "an engine takes away what marketers decided",
        *(gate, "_decided_caps", always({})),
        *("caps", ("cap",)),
    ),
    Fault(
        "opt-outs are not dropped from what is ready",
        *(optouts, "_drop", always(None)),
        *("plain", ("opt-out",)),
    ),
    Fault(
        "opt-outs are forgotten when a batch comes back",
        *(settle, "drop_listed", always(0)),
        *("plain", ("opt-out",)),
    ),
    Fault(
        "sent again while the first request is on its way",
        *(decisions, "RESEND_AFTER", lambda _: timedelta()),
        *("slow", ("early", "twice")),
    ),
    Fault(
        "a refusal of what is sent again is final",
        *(settle, "sent_again", always(set())),
        *("times", ("doubt",), 34),
    ),
    Fault(
        "the last report wins",
        *(merging, "_order", lambda _: lambda row: row["changed_at"]),
        *("plain", ("merged", "tallies")),
    ),
    Fault("what has no bill is free", counting, "_own", without_estimates, "plain", ("tallies",)),
    Fault(
        "a status is not kept",
        *(merging, "append_events", lambda right: lambda at, events: right(at, events[1:])),
        *("plain", ("history",)),
    ),
    Fault("an older copy is not noticed", doubt, "distrust_copy", always(0), "copies", ("copy", "twice")),
    Fault(
        "opt-outs missing from a copy are not said to be",
        *(doubt, "distrust_copy", lambda right: lambda *given, **_: right(*given, opt_outs_kept=True)),
        *("copies", ("copy",)),
    ),
    Fault("an older copy goes on", doubt, "lock_campaigns_where", always([]), "copies", ("copy",)),
    Fault(
        "done with something on its way",
        *(control, "OPEN", lambda _: ("ready",)),
        *("crowd", ("open", "move")),
    ),
    Fault(
        "a campaign starts early",
        control,
        "lock_campaigns_where",
        lambda right: lambda at, _: right(at, schema.campaign.c.state == "scheduled"),
        *("times", ("due",)),
    ),
    Fault(
        "held batches do not wait",
        *(claims, "_next_ready", lambda right: lambda at, campaign, now: right(at, campaign, now + YEAR)),
        *("times", ("due",)),
    ),
    Fault(
        "a claim that does not look at quiet hours",
        *(claims, "quiet_until", always(None)),
        *("hours", ("quiet",)),
    ),
    Fault(
        "half a batch has no hours",
        settle,
        "split",
        lambda right: lambda at, batch, firsts: right(at, changed(batch, texting_hours=None), firsts),
        *("hours", ("quiet",)),
    ),
    Fault(
        "people with other hours share a batch",
        *(layout, "_starts", lambda right: lambda marks, size: right(marks[:-1], size)),
        *("hours", ("quiet",)),
    ),
    Fault(
        "a request leaves after its people's hours",
        *(hours, "CLAIM_LIFE", lambda _: timedelta()),
        *("hours", ("quiet",)),
    ),
    Fault(
        "whoever is held back waits a day too long",
        *(claims, "hold", lambda right: lambda at, batch, until, now: right(at, batch, until + DAY, now)),
        *("hours", ("quiet",)),
    ),
    Fault(
        "a 5xx is taken for a refusal",
        outcomes,
        "_unknown",
        lambda right: lambda *given: replace(right(*given), event="not sent", state="ready"),
        *("plain", ("books", "early")),
    ),
    Fault(
        "what a dead worker had stays on its way",
        *(outbox, "make_unknown", always(0)),
        *("crowd", ("stuck",)),
    ),
    Fault(
        "five unclear answers do not pause",
        *(pausing, "_all_unknown", always(False)),
        *("refusals", ("pauses",)),
    ),
    Fault(
        "who resumes is stopped again",
        *(control, "_change", without_resumed_at),
        *("refusals", ("again",)),
    ),
)
