"""The ledger's front door: what happened to every message, and what may happen next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pandas as pd
from sqlalchemy import URL, Connection

from dashboard.arguments import as_json, checks_arguments, checks_methods
from dashboard.campaigns import Prices, prices_from, sendable
from dashboard.campaigns.cost.prices import check_currency
from dashboard.campaigns.when.moments import Moment, moment
from dashboard.campaigns.when.schedule import refuse_no_time
from dashboard.campaigns.zones import check_zone
from dashboard.contacts import OptOuts, Sheet
from dashboard.errors import CampaignError
from dashboard.ledger import forgetting, optouts
from dashboard.ledger.audit.chain import Detail, append, minute
from dashboard.ledger.copies import copying, doubt
from dashboard.ledger.database import schema
from dashboard.ledger.database.clock import Clock, clock_of
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import campaign_row, lock_batches_where
from dashboard.ledger.database.said import without_numbers
from dashboard.ledger.database.secret import secret
from dashboard.ledger.database.states import Decision
from dashboard.ledger.evidence import reports
from dashboard.ledger.evidence.reports import ReportResult
from dashboard.ledger.evidence.taken_requests import TakenRequests
from dashboard.ledger.frames.person import number_of
from dashboard.ledger.freeze import freezing
from dashboard.ledger.freeze.again import FINGERPRINTS
from dashboard.ledger.freeze.caps import Caps
from dashboard.ledger.freeze.freezing import Plan, Progress
from dashboard.ledger.freeze.often import TextsPerPerson, writing_apart
from dashboard.ledger.freeze.one_time_token import asked_for
from dashboard.ledger.migrations import check_version, migrate
from dashboard.ledger.outbox import control, decisions, pausing
from dashboard.ledger.outbox.outbox import Outbox
from dashboard.ledger.readings import Readings
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.rolling_up import left_to_roll_up, roll_up
from dashboard.ledger.team.approvals import Approvals, StartedBy, put_back, start_or_ask
from dashboard.ledger.team.audit_trail import AuditTrail
from dashboard.ledger.team.column_answers import ColumnAnswers
from dashboard.ledger.team.kept_settings import KeptSettings
from dashboard.ledger.team.library import Library
from dashboard.ledger.team.lists import SavedLists
from dashboard.ledger.team.people import People
from dashboard.ledger.team.sign_ins import SignIns
from dashboard.service.values import is_blank
from dashboard.words import _


@checks_methods()
class Ledger(Readings):
    """Campaigns, messages and what the service said about them, on SQLite or PostgreSQL.

    Everything it can be asked is in `Readings`.

    Safe to share between threads.

    Attributes:
        approvals: What somebody may start alone, and what waits for somebody else.
        audit: Who did what and when.
        column_answers: What values of columns were said to mean, for the next sheets.
        library: Saved texts, in all their versions.
        lists: Saved contact lists.
        outbox: The part of the ledger the engine sends from.
        people: Who may sign in, and as what.
        requests: Which signed requests were taken.
        settings: What marketers decided, and the settings in force.
        sign_ins: Which browsers are signed in.

    Example:
        >>> ledger = Ledger.open("trial.sqlite")
        >>> campaign = ledger.create_campaign("Spring", messages, batch_size=100, start=True)
        >>> ledger.campaigns()[["name", "state", "accepted", "unknown"]]
    """

    def __init__(self, database: Database, now: Clock | None = None) -> None:
        now = now or clock_of(database)
        self.database = database
        self.outbox = Outbox(database, now)
        self.approvals = Approvals(database, now)
        self.column_answers = ColumnAnswers(database, now)
        self.library = Library(database, now)
        self.lists = SavedLists(database, now)
        self.requests = TakenRequests(database, now)
        self.settings = KeptSettings(database, now)
        self.people = People(database, now)
        self.sign_ins = SignIns(database, now)
        self.audit = AuditTrail(database, now)
        self._now = now

    @classmethod
    @checks_arguments()
    def open(
        cls, url: str | Path | URL | None = None, *, read_only: bool = False, now: Clock | None = None
    ) -> Self:
        """Open a ledger, creating it or bringing it up to date first.

        Args:
            url: SQLAlchemy address, `sqlite:///folder/ledger.sqlite` or `postgresql://user@host/database`; or
                the path of a SQLite ledger, or of the folder in which `ledger.sqlite` is. The one that the
                settings name, which is the dashboard's own, if left out.
            read_only: For analysis: changes and creates nothing.
            now: Tells the time, for tests; otherwise the machine's clock, or on PostgreSQL the database's.

        Raises:
            LedgerError: The address cannot be used, or there is no ledger to read.
            LedgerVersionError: A newer program wrote it, or one from longer before the first release.
            LedgerUnavailableError: The database cannot be reached.
            SettingsError: The settings cannot be used.

        Example:
            >>> with Ledger.open(read_only=True) as ledger:
            ...     campaigns = ledger.campaigns()
        """
        if url is None:
            url = _of_settings(read_only=read_only)
        database = Database(url, read_only=read_only)
        opened = cls(database, now)
        try:
            if read_only:
                check_version(database)
            else:
                migrate(database)
                opened.outbox.look_for_doubt()
        except BaseException:
            opened.close()
            raise
        return opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections; a ledger used in a `with` is closed at its end."""
        self.database.close()

    def create_campaign(  # noqa: PLR0913 - a campaign is made of these
        self,
        name: str,
        messages: pd.DataFrame,
        *,
        batch_size: int,
        price_per_credit: Decimal | float | str | None = None,
        prices: Prices | None = None,
        currency: str = "EUR",
        source: str | None = None,
        scheduled_at: datetime | None = None,
        start: StartedBy | bool = False,
        token: str | None = None,
        service: str | None = None,
        unless_sent_since: datetime | None = None,
        caps: Caps | None = None,
        texts_per_person: TextsPerPerson | None = None,
        sheet: Sheet | None = None,
        audience: Mapping[str, Any] | None = None,
        on_progress: Progress | None = None,
    ) -> str:
        """Freeze a campaign: uuids, texts and batches are fixed from here on. If refused, nothing is left.

        Args:
            name: Groups the messages at the service; the same name that `write_messages` was given.
            messages: What `write_messages` returned, with all its columns; they say what is sent, from the
                sender to the tracking. Rows with a problem stay out; people who opted out since are frozen as
                `dropped`. Where handover is "hold", each batch waits here for the time of its messages.
            batch_size: Messages in one request.
            price_per_credit: For estimates, bills and money at risk; a float counts as it prints.
            prices: A price list by country; the single price applies where it has none. A batch then holds
                only messages of one price.
            currency: ISO 4217; a price list has its own.
            source: What it was made from, such as a sheet's name.
            scheduled_at: When it starts by itself.
            start: Start it in the same step, or let it wait for its time; given who does, keep it a draft
                and ask if they need an approval. Without this and a time it is a draft until `Ledger.start`.
            token: One-time token of the page or call. The same token gives the same campaign as it stands by
                now, so a double click or a second tab does not make a second one; with another name, text,
                people or times it is refused, and so is `start` of a draft that it made without.
            service: The name of the service it goes to, so that one service's bills are not taken for
                another's.
            unless_sent_since: Refuse it if campaigns made since then together sent, or will send, at least
                half of these messages: the same text to the same person.
            caps: Refuse it if it may cost more.
            texts_per_person: Refuse it if somebody would get more texts than that; see `cap_frequency`, which
                leaves them out.
            sheet: What it was made from; the rows that become messages are kept as they were typed, for
                `sheet_rows`.
            audience: Whom of which lists it is made for, as JSON can represent it; for `audience`.
            on_progress: Called with the share of the messages that is written, from 0 to 1.

        Returns:
            The campaign's id.

        Raises:
            CampaignError: There is nothing to send, a message cannot be sent as it is, the frame lacks
                columns or mixes campaigns, a price or currency is none, a cap is reached, somebody would be
                texted too often, the token has made another campaign or a draft, or an approval is needed
                and not asked for.
            SentBeforeError: See `unless_sent_since`; of two processes at once only one makes the campaign.
            LedgerError: It would start, and opt-outs may be missing, see `missing_opt_outs`.
        """
        if not name.strip():
            raise CampaignError(_("Give the campaign a name; the service groups its messages by it."))
        if batch_size < 1:
            raise CampaignError(_("A batch holds at least one message. Set batch_size to 1 or more."))
        for at in (scheduled_at, unless_sent_since):
            if at is not None:
                check_zone(at)
        if scheduled_at is not None:
            refuse_no_time(scheduled_at)
        check_currency(currency)
        known = prices_from(price_per_credit, prices)
        chosen = sendable(messages)
        sent = freezing.of_campaign(name, chosen)
        plan = Plan(
            name=name,
            chosen=chosen,
            sent=sent,
            batch_size=batch_size,
            prices=known,
            currency=known.currency or currency if known else currency,
            source=source,
            scheduled_at=scheduled_at,
            token=token,
            starts=bool(start),
            service=service,
            fingerprint=asked_for(name, chosen, sent, scheduled_at, self.fingerprint_key()),
            unless_sent_since=unless_sent_since,
            caps=caps,
            texts_per_person=texts_per_person,
            sheet=sheet,
            audience=None if audience is None else as_json("audience", dict(audience)),
            on_progress=on_progress,
        )
        ready = freezing.prepare(self.database, plan, self._now())
        if isinstance(ready, str):
            return ready
        with doubt.writing(self.database, starts=bool(start or scheduled_at)) as connection:
            campaign, is_new = freezing.freeze(connection, plan, ready, self._now())
            if is_new:
                by = StartedBy("", None) if start is True else start or None
                self._begin(connection, campaign, len(chosen), scheduled_at, by)
            return campaign

    def _begin(
        self, connection: Connection, campaign: str, messages: int, at: datetime | None, by: StartedBy | None
    ) -> None:
        """Start a campaign that was just frozen, let it wait for its time, or leave it a draft."""
        if by:
            start_or_ask(connection, campaign, by, self._now())
            return
        told: dict[str, Detail] = {"messages": messages}
        if at:
            control.schedule(connection, campaign, at)
            told["at"] = minute(at)
        append(connection, "start" if at else "prepare", campaign, self._now(), details=told)

    def start(self, campaign: str, *, texts_per_person: TextsPerPerson | None = None) -> None:
        """Let a draft or scheduled campaign run now; does nothing if it is running already.

        Args:
            campaign: Its id.
            texts_per_person: Refuse it if somebody would get more texts than that, because of campaigns made
                or sent since it was frozen.

        Raises:
            CampaignError: Somebody would.
            UnknownCampaignError, CampaignStateError: As for all steps below.
            LedgerError: As for `schedule`, `resume` and sending again: opt-outs may be missing, see
                `missing_opt_outs`.
        """
        now = self._now()
        with writing_apart(self.database, texts_per_person, campaign, now, at=now) as connection:
            if control.start(connection, campaign, self._now()):
                append(connection, "start", campaign, self._now())

    def schedule(
        self, campaign: str, at: datetime, *, texts_per_person: TextsPerPerson | None = None
    ) -> None:
        """Let a draft start by itself, or move a scheduled campaign to another time.

        Args:
            campaign: Its id.
            at: When.
            texts_per_person: As for `start`, at that time.

        Raises:
            CampaignError: The time has no zone, or somebody would be texted too often.
        """
        check_zone(at)
        refuse_no_time(at)
        with writing_apart(self.database, texts_per_person, campaign, self._now(), at) as connection:
            control.schedule(connection, campaign, at)
            append(connection, "schedule", campaign, self._now(), details={"at": minute(at)})

    def pause(self, campaign: str, reason: str) -> None:
        """Send no more until `resume`; batches already on their way finish. Nothing if it is paused."""
        with self.database.write() as connection:
            if control.pause(connection, campaign, reason):
                append(connection, "pause", campaign, self._now())

    def resume(self, campaign: str) -> None:
        """Continue after a pause; does nothing if it is running already.

        One that was a draft when a copy of the ledger was taken is a draft again, which may need an approval.
        """
        with doubt.writing(self.database) as connection:
            if put_back(connection, campaign) or control.resume(connection, campaign, self._now()):
                append(connection, "resume", campaign, self._now())

    def cancel(self, campaign: str, reason: str = "cancelled by a person") -> None:
        """Never send what is still ready; batches already on their way finish."""
        with self.database.write() as connection:
            if control.cancel(connection, campaign, reason, self._now()):
                append(connection, "cancel", campaign, self._now())

    def decide(self, batch: int, decision: Decision, who: str, why: str) -> None:
        """Settle an unknown batch: `accepted`, `ready` (send again, same uuids) or `abandoned`.

        Raises:
            CampaignStateError: It is not unknown, its request may still be on its way (`resend_from` in
                `unknown()`), or its campaign was cancelled.
            LedgerError: There is no such batch, or the person or the reason is missing.
        """
        with self.database.read() as connection:
            campaign = decisions.campaign_of(connection, batch)
        self.decide_all(campaign, decision, who, why, batches=[batch])

    def decide_all(
        self,
        campaign: str,
        decision: Decision,
        who: str,
        why: str,
        *,
        batches: Collection[int] | None = None,
        as_of: Moment | None = None,
    ) -> int:
        """Decide the same about every unknown batch of a campaign, in one transaction; returns how many.

        Args:
            campaign: Its id.
            decision: As for `decide`.
            who: Who decides it.
            why: Why; kept with the decision.
            batches: Only these of its batches.
            as_of: Only what was unknown by then, such as `UnknownTotal.newest_at` of what somebody looked at.

        Raises:
            UnknownCampaignError: There is no such campaign.
            CampaignStateError: As for `decide`, if one of them cannot be decided; then nothing is decided.
            LedgerError: A batch is not one of this campaign's, or the person or the reason is missing.
        """
        by = None if as_of is None else moment("as_of", as_of)
        with doubt.writing(self.database, starts=decision == "ready") as connection:
            campaign_row(connection, campaign)
            decided = decisions.decide_all(
                connection, campaign, decision, who=who, why=why, now=self._now(), only=batches, as_of=by
            )
            if decided:
                told = {"decision": decision, "batches": decided}
                append(connection, "decision", campaign, self._now(), details=told)
            return decided

    def back_up(self, target: str | Path) -> None:
        """Copy a SQLite ledger to a new file, while it is in use. A copy never sends anything unasked.

        The ledger notes when, which is all that this changes, even in one that is open for reading only.

        Raises:
            LedgerError: It is on PostgreSQL, or the file cannot be written.
        """
        copying.back_up(self.database, Path(target), self._now())
        if not self.database.read_only:
            self.audit.tell("backup", "ledger")

    def distrust(self, *, opt_outs_kept: bool = False) -> int:
        """Declare that this ledger was restored from an older copy: everything that is ready becomes unknown.

        Args:
            opt_outs_kept: Whether it has the opt-outs that came in since, as after `put_back`. Otherwise
                `missing_opt_outs` says that they may be missing, until somebody acknowledges it.

        Returns:
            How many batches became unknown.
        """
        return self.outbox.distrust(opt_outs_kept=opt_outs_kept)

    def acknowledge_missing_opt_outs(self, who: str) -> None:
        """Declare that the opt-outs missing from an older copy were entered again; see `missing_opt_outs`.

        Raises:
            LedgerError: No person is named.
        """
        with self.database.write() as connection:
            doubt.acknowledge_missing_opt_outs(connection, who)
            append(connection, "opt-outs confirmed", "ledger", self._now(), who=without_numbers(who))

    def record_reports(self, messages: Sequence[object]) -> ReportResult:
        """Take delivery reports: Message objects of contract section 2.1, in any order, repeated or not.

        Whatever else is among them counts as unreadable.

        Raises:
            LedgerDamagedError: A campaign's figures are damaged; `mend` counts them anew.
        """
        result = reports.record_reports(self.database, messages, self._now())
        if result.taken and any(
            isinstance(one, Mapping) and not is_blank(one.get("failure_reason")) for one in messages
        ):
            pausing.pause_failing(self.database)
        return result

    @checks_arguments(phones=None)
    def add_opt_outs(self, phones: OptOuts, *, reason: str | None = None, source: str | None = None) -> int:
        """Never text these phones again; what is ready for them in any campaign is dropped.

        They are read like phone cells, but each needs its country code. If the limits say so, running
        campaigns that this affects pause.

        Returns:
            How many were new on the list.

        Raises:
            LedgerError: Something is not a phone in international format; nothing was added.
        """
        with self.database.write() as connection:
            with pausing.watching_opt_outs(connection):
                new = optouts.add_opt_outs(connection, phones, reason=reason, source=source, now=self._now())
            append(connection, "opt-out import", "opt-outs", self._now(), details={"new": new})
            return new

    def remove_opt_out(self, phone: str, *, who: str, reason: str) -> None:
        """Take a phone off the list, keeping who did it and why. Messages already dropped stay dropped."""
        with self.database.write() as connection:
            optouts.remove_opt_out(connection, phone, who=who, reason=reason, now=self._now())
            append(connection, "opt-out removal", "opt-outs", self._now(), who=without_numbers(who))

    def forget(self, *, before: Moment) -> int:
        """Forget whom campaigns that ended before then texted, and what; counts, credits and costs stay.

        Their numbers, texts, contact sheets and what the service said about the contacts are deleted for
        good; copies of the ledger made earlier still have them. Campaigns with messages awaiting a decision
        are left alone. Opt-outs and saved lists stay.

        Returns:
            How many messages were forgotten.
        """
        return forgetting.forget(self.database, moment("before", before), self._now())

    def forget_person(self, phone: str, *, country: str | None = None) -> int:
        """Forget one person in this ledger but for saved lists and what people typed; never text them again.

        Their number, what they were texted, their rows of contact sheets and their opt-outs are deleted for
        good; counts, credits and costs stay, and names of campaigns and texts. A hash of the number keeps
        them from being texted, until somebody takes the number off the opt-outs. What is still to be sent to
        them is dropped.

        Args:
            phone: The number, however it is typed.
            country: ISO 3166 country of a number without a country code.

        Returns:
            How many messages were forgotten.

        Raises:
            OptionError, CountryError: As for `person`.
            LedgerError: What became of a message to them has to be decided first; nothing was forgotten.
        """
        number = number_of(phone, country)
        with self.database.write() as connection:
            forgotten = forgetting.forget_person(connection, number, self._now())
        self.database.empty_log()
        return forgotten

    def mend(self, campaign: str) -> None:
        """Recount a campaign from its messages, whatever was counted before; see `recount`.

        Raises:
            UnknownCampaignError: There is no such campaign.
        """
        with self.database.write() as connection:
            campaign_row(connection, campaign, "change")
            lock_batches_where(connection, schema.batch.c.campaign_id == campaign)
            recount.mend(connection, campaign)
            append(connection, "recount", campaign, self._now())

    def roll_up(self, *, over_for: timedelta = timedelta(days=1)) -> int:
        """Sum up what campaigns that have been over for so long are counted by; returns how many these were.

        Nothing that can be read changes, but figures of very many batches are as quick as those of few.
        """
        before = self._now() - over_for
        with self.database.read() as connection:
            campaigns = left_to_roll_up(connection, before)
        for campaign in campaigns:
            with self.database.write() as connection:
                is_over = campaign_row(connection, campaign, "change").finished_at is not None
                lock_batches_where(connection, schema.batch.c.campaign_id == campaign)
                if is_over:  # nobody had some of it sent again meanwhile
                    roll_up(connection, campaign)
        return len(campaigns)

    def fingerprint_key(self) -> bytes:
        """This ledger's secret for `content_fingerprint`."""
        with self.database.write() as connection:
            return secret(connection, FINGERPRINTS)


def _of_settings(*, read_only: bool) -> str:
    """The address of the dashboard's own ledger, whose folder is made as the dashboard makes it."""
    from dashboard.settings import load_settings  # noqa: PLC0415 - most callers have an address

    settings = load_settings()
    if settings.database_url is None and not read_only:
        settings.make_data_folder()
    return settings.ledger_url
