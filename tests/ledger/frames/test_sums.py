"""Whatever happens in whatever order: messages by state add up, and nothing is sent twice unasked."""

from __future__ import annotations

import tempfile
from uuid import uuid4

from fixtures_ledger import Clock, accepted, echo, messages_frame, report, tallied
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule
from tiers import draws

from dashboard.errors import CampaignStateError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim, Lane
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.tallies import recount

COUNT = 12
NEWS = ["sent_at", "failure_reason", "delivered_at"]


class LedgerMachine(RuleBasedStateMachine):
    """A campaign of a dozen messages and everything that can happen to it."""

    claims = Bundle("claims")
    settled = Bundle("settled")

    @initialize(size=st.integers(1, 5), opted_out=st.sets(st.integers(0, COUNT - 1), max_size=3))
    def freeze(self, size: int, opted_out: set[int]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.ledger = Ledger.open(f"sqlite:///{self.folder.name}/ledger.sqlite", now=self.clock)
        self.ledger.add_opt_outs([f"+447400{900000 + number}" for number in opted_out])
        self.campaign = self.ledger.create_campaign("Spring", messages_frame(COUNT), batch_size=size)
        self.ledger.start(self.campaign)
        self.owner = self.ledger.outbox.register(0)
        self.uuids = self.ledger.messages(self.campaign)["uuid"].tolist()
        self.posted: set[str] = set()
        self.allowed_again: set[str] = set()

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            self.ledger.close()
            self.folder.cleanup()

    @rule(target=claims)
    def post(self) -> Claim | None:
        got = self.ledger.outbox.claim(Lane(self.campaign, 0, 1), owner=self.owner, ticket=str(uuid4()))
        if not isinstance(got, Claim):
            return None
        uuids = {message.uuid or "" for message in got.messages}
        assert not uuids & (self.posted - self.allowed_again), "sent twice though nobody said so"
        self.posted |= uuids
        self.allowed_again -= uuids
        return got

    @rule(target=settled, got=consumes(claims), share=st.integers(0, 5), status=st.sampled_from([200, None]))
    def answer(self, got: Claim | None, share: int, status: int | None) -> Claim | None:
        if got:
            self.ledger.outbox.settle(got, accepted(got, only=slice(0, share), credits_used=1))
        return got

    @rule(
        target=settled,
        got=consumes(claims),
        event=st.sampled_from(
            [("not sent", "ready"), ("rejected", "split"), ("unknown", "unknown"), ("rejected", "rejected")]
        ),
    )
    def fail(self, got: Claim | None, event: tuple[str, str]) -> Claim | None:
        settlement = Settlement(*event, 400, "why")  # type: ignore[arg-type]
        if got and self.ledger.outbox.settle(got, settlement) and event[1] in {"ready", "split"}:
            self.allowed_again |= {message.uuid or "" for message in got.messages}
        return got

    @rule(got=settled)
    def answer_again(self, got: Claim | None) -> None:
        """A settlement repeated because nobody knew whether it was written, or one that comes too late."""
        if got:
            echoed = echo(got, credits_used=1)
            self.ledger.outbox.settle(got, Settlement("accepted", "accepted", 200, echoed=echoed))

    @rule(which=st.integers(0, COUNT - 1), how=st.sampled_from(["sent_at", "delivered_at", "failure_reason"]))
    def report(self, which: int, how: str) -> None:
        value = "blocked" if how == "failure_reason" else "2026-11-20T10:00:00Z"
        self.ledger.record_reports([report(self.uuids[which], **{how: value})])

    @rule(which=st.integers(0, COUNT - 1))
    def opt_out(self, which: int) -> None:
        self.ledger.add_opt_outs([f"+447400{900000 + which}"])

    @rule()
    def crash(self) -> None:
        self.owner = self.ledger.outbox.register(0)

    @rule(decision=st.sampled_from(["accepted", "ready", "abandoned"]))
    def decide(self, decision: str) -> None:
        self.clock.advance(600)
        for batch in self.ledger.unknown(self.campaign)["batch"].head(1):
            unknown = self.ledger.messages(self.campaign).query("state == 'unknown' and batch == @batch")[
                "uuid"
            ]
            try:
                self.ledger.decide(int(batch), decision, "Ann", "why")  # type: ignore[arg-type]
            except CampaignStateError:
                assert self.ledger.campaign(self.campaign).state == "cancelled"
            else:
                self.allowed_again |= set(unknown) if decision == "ready" else set()

    @rule()
    def pause_or_resume(self) -> None:
        state = self.ledger.campaign(self.campaign).state
        if state == "running":
            self.ledger.pause(self.campaign, "why")
        elif state == "paused":
            self.ledger.resume(self.campaign)

    @rule(really=st.sampled_from([True, False, False, False, False, False]))
    def cancel(self, really: bool) -> None:
        if really and self.ledger.campaign(self.campaign).state in {"running", "paused"}:
            self.ledger.cancel(self.campaign)

    @rule()
    def finish(self) -> None:
        self.ledger.outbox.finish()

    @invariant()
    def adds_up(self) -> None:
        if not hasattr(self, "campaign"):
            return
        now = self.ledger.campaign(self.campaign)
        messages = self.ledger.messages(self.campaign, columns=["uuid", "state", "credits_billed", *NEWS])
        found = tallied(now, messages)
        if now.state in {"done", "cancelled"}:
            assert not found.get("ready")
        if now.state == "done":
            assert not found.get("sending")
        assert messages["uuid"].tolist() == self.uuids
        news = messages[NEWS].notna()
        assert (now.sent, now.delivered) == (news.any(axis=1).sum(), news["delivered_at"].sum())
        failed = messages["failure_reason"].notna() & messages["delivered_at"].isna()
        assert now.failed == failed.sum()
        with self.ledger.database.read() as connection:
            assert recount.wrong(connection, self.campaign) == []


LedgerMachine.TestCase.settings = settings(
    max_examples=draws(15), stateful_step_count=draws(60), deadline=None
)
TestLedger = LedgerMachine.TestCase
