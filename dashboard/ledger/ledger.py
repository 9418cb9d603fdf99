"""The ledger's front door: what happened to every message, and what may happen next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

import pandas as pd
import pyarrow as pa
from sqlalchemy import Connection

from dashboard.campaigns import Prices, learn_link_length, prices_from
from dashboard.contacts import ContactList
from dashboard.errors import CampaignError
from dashboard.ledger import control, copies, decisions, exports, frames, history, optouts, pausing, reports
from dashboard.ledger.campaign import Campaign
from dashboard.ledger.caps import Caps, credits_between
from dashboard.ledger.engine import Database
from dashboard.ledger.exports import Exported
from dashboard.ledger.freeze import Plan, freeze
from dashboard.ledger.hours import hours
from dashboard.ledger.lists import SavedLists
from dashboard.ledger.message_rows import Chosen
from dashboard.ledger.migrations import check_version, migrate
from dashboard.ledger.outbox import Outbox
from dashboard.ledger.recipients import recipients
from dashboard.ledger.reports import ReportResult
from dashboard.ledger.requests import TakenRequests
from dashboard.ledger.states import Decision
from dashboard.reports import Replay, replay


def utc_now() -> datetime:
    """The time, aware."""
    return datetime.now(UTC)


class Ledger:
    """Campaigns, messages and what the service said of them, on SQLite or PostgreSQL.

    Safe to share between threads.

    Attributes:
        lists: Saved contact lists.
        outbox: What the engine sends from.
        requests: Which signed requests were taken.

    Example:
        >>> ledger = Ledger.open("sqlite:///.dashboard/ledger.sqlite")
        >>> campaign = ledger.create_campaign("Spring", messages, batch_size=100)
        >>> ledger.start(campaign)
        >>> ledger.campaigns()[["name", "state", "accepted", "unknown"]]
    """

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self.database = database
        self.outbox = Outbox(database, now)
        self.lists = SavedLists(database, now)
        self.requests = TakenRequests(database, now)
        self._now = now

    @classmethod
    def open(cls, url: str, *, read_only: bool = False, now: Callable[[], datetime] = utc_now) -> Self:
        """Open a ledger, making it or bringing it up to date first.

        Args:
            url: SQLAlchemy address, `sqlite:///folder/ledger.sqlite` or `postgresql://user@host/database`.
            read_only: For analysis: changes nothing and makes nothing.
            now: Tells the time.

        Raises:
            LedgerError: The address cannot be used, or there is no ledger to read.
            LedgerVersionError: A newer program wrote it.
            LedgerUnavailableError: The database cannot be reached.
        """
        database = Database(url, read_only=read_only)
        try:
            check_version(database) if read_only else migrate(database)
        except BaseException:
            database.close()
            raise
        return cls(database, now)

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    def create_campaign(  # noqa: PLR0913 - a campaign is made of these
        self,
        name: str,
        messages: pd.DataFrame,
        *,
        batch_size: int,
        sender: str | None = None,
        shorten_links: bool | None = None,
        tracking: str | None = None,
        price_per_credit: Decimal | None = None,
        prices: Prices | None = None,
        currency: str = "EUR",
        source: str | None = None,
        scheduled_at: datetime | None = None,
        token: str | None = None,
        service: str | None = None,
        fingerprint: str | None = None,
        caps: Caps | None = None,
        now: datetime | None = None,
    ) -> str:
        """Freeze a campaign: uuids, texts and batches are fixed from here on.

        Args:
            name: Groups the messages at the service.
            messages: What `write_messages` made. Rows with a problem stay out; people who opted out since are
                frozen as `dropped`. Where its `attrs` say that messages are held here, each batch waits for
                the time of its messages.
            batch_size: Messages in one request.
            sender: An approved sender's name; as given to `write_messages` when absent.
            shorten_links: Whether the service replaces URLs; as given to `write_messages` when absent.
            tracking: Value of `svc_campaign` in short links; as given to `write_messages` when absent.
            price_per_credit: For estimates, bills and money at risk.
            prices: A price list by country; the one price counts where it has none. Then a batch holds only
                messages of one price.
            currency: ISO 4217; a price list has its own.
            source: What it was made from, such as a sheet's name.
            scheduled_at: When it starts by itself; without it the campaign is a draft until `start`.
            token: One-time token of the page or call. The same token gives the same campaign, so a double
                click or a second tab makes no second one.
            service: Names the service that it goes to, so that what one bills is not taken for another's.
            fingerprint: Who gets which text, see `content_fingerprint`.
            caps: Refuse it when it may cost more.
            now: The time, for tests.

        Returns:
            The campaign's id.

        Raises:
            CampaignError: There is nothing to send, the choices contradict each other, or a cap is reached.
        """
        written = messages.attrs
        links = shorten_links if shorten_links is not None else bool(written.get("shorten_links", True))
        known = prices_from(price_per_credit, prices)
        plan = Plan(
            name=name,
            batch_size=batch_size,
            sender=sender or written.get("sender"),
            shorten_links=links,
            tracking=tracking or written.get("tracking"),
            prices=known,
            currency=known.currency or currency if known else currency,
            source=source,
            scheduled_at=scheduled_at,
            token=token,
            service=service,
            fingerprint=fingerprint,
            caps=caps,
        )
        if not name.strip():
            raise CampaignError("Give the campaign a name; the service groups its messages by it.")
        if plan.tracking and not links:
            raise CampaignError("Tracking needs short links. Turn short links on, or leave the tracking out.")
        if scheduled_at is not None:
            _check_zone(scheduled_at)
        with self.database.write() as connection:
            return freeze(connection, plan, messages, now or self._now())

    def start(self, campaign: str) -> None:
        """Let a draft or scheduled campaign run now; does nothing to one that runs.

        Raises:
            UnknownCampaignError, CampaignStateError: As for all steps below.
        """
        with self.database.write() as connection:
            control.start(connection, campaign, self._now())

    def schedule(self, campaign: str, at: datetime) -> None:
        """Let a draft start by itself, or move a scheduled campaign to another time.

        Raises:
            CampaignError: The time has no zone.
        """
        _check_zone(at)
        with self.database.write() as connection:
            control.schedule(connection, campaign, at)

    def pause(self, campaign: str, reason: str) -> None:
        """Send no more until `resume`; batches on their way finish."""
        with self.database.write() as connection:
            control.pause(connection, campaign, reason)

    def resume(self, campaign: str) -> None:
        """Go on after a pause."""
        with self.database.write() as connection:
            control.resume(connection, campaign, self._now())

    def cancel(self, campaign: str, reason: str = "cancelled by a person") -> None:
        """Never send what is still ready; batches on their way finish."""
        with self.database.write() as connection:
            control.cancel(connection, campaign, reason, self._now())

    def decide(self, batch: int, decision: Decision, who: str, why: str) -> None:
        """Settle an unknown batch: `accepted`, `ready` (send again, same uuids) or `abandoned`.

        Raises:
            CampaignStateError: It is not unknown, its request may still be on its way (`resend_from` in
            `unknown()`),
                or its campaign was cancelled.
            LedgerError: There is no such batch, or nobody and no reason is named.
        """
        with self.database.write() as connection:
            decisions.decide(connection, batch, decision, who=who, why=why, now=self._now())

    def decide_all(self, campaign: str, decision: Decision, who: str, why: str) -> int:
        """Decide the same about every unknown batch of a campaign, each by itself; returns how many.

        Raises:
            CampaignStateError: As for `decide`, of the first that cannot be; those before it are decided.
        """
        batches = self.unknown(campaign)["batch"].tolist()
        for batch in batches:
            self.decide(int(batch), decision, who, why)
        return len(batches)

    def back_up(self, target: Path) -> None:
        """Copy a SQLite ledger to a new file, while it is in use. Nothing of a copy is sent unasked.

        Raises:
            LedgerError: It is on PostgreSQL, or the file cannot be written.
        """
        copies.back_up(self.database, target, self._now())

    def distrust(self) -> int:
        """Say that this ledger was put back from an older copy: all that is ready becomes unknown.

        Returns:
            How many batches became unknown.
        """
        with self.database.write() as connection:
            copies.mark_as_copy(connection)
            return copies.distrust_copy(connection, None, self._now())

    def record_reports(self, messages: Sequence[Mapping[str, Any]]) -> ReportResult:
        """Take delivery reports: Message objects of contract section 2.1, in any order, repeated or not."""
        result = reports.record_reports(self.database, messages, self._now())
        if result.taken and any(message.get("failure_reason") for message in messages):
            self._pause_failing()
        return result

    def _pause_failing(self) -> None:
        with self.database.read() as connection:
            failing = pausing.failing(connection)
        if failing:
            with self.database.write() as connection:
                pausing.pause_failing(connection, failing)

    def add_opt_outs(
        self, phones: Iterable[str], *, reason: str | None = None, source: str | None = None
    ) -> int:
        """Never text these phones (E.164) again; what is ready for them in any campaign is dropped.

        Where the limits say so, running campaigns that this hits pause.

        Returns:
            How many were new on the list.

        Raises:
            LedgerError: A phone is not E.164; nothing was added.
        """
        with self.database.write() as connection, pausing.watching_opt_outs(connection):
            return optouts.add_opt_outs(connection, phones, reason=reason, source=source, now=self._now())

    def remove_opt_out(self, phone: str, *, who: str, reason: str) -> None:
        """Take a phone off the list; who and why is kept. What was dropped stays dropped."""
        with self.database.write() as connection:
            optouts.remove_opt_out(connection, phone, who=who, reason=reason, now=self._now())

    def campaigns(self) -> pd.DataFrame:
        """One row per campaign, the newest first."""
        with self.database.read() as connection:
            return frames.campaigns(connection)

    def campaign(self, campaign: str) -> Campaign:
        """One campaign, with the columns of `campaigns()` as attributes.

        Raises:
            UnknownCampaignError: There is none with this id.
        """
        with self.database.read() as connection:
            control.found(connection, campaign)
            return Campaign.of_row(frames.campaigns(connection, campaign))

    def messages(
        self,
        campaign: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        states: Collection[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> pd.DataFrame:
        """One row per message, in the order of sending.

        Args:
            campaign: Of this one; of all campaigns when left out.
            columns: Only these, in this order; all when left out.
            states: Only messages in these.
            since: Only messages handed over to the service from then on.
            until: Only messages handed over before then.

        Raises:
            UnknownCampaignError: There is no such campaign.
            LedgerError: There is no such column or state.

        Example:
            >>> ledger.messages(states=["unknown"], columns=["campaign", "uuid", "credits_high"])
        """
        with self.database.read() as connection:
            return frames.messages(connection, _chosen(connection, campaign, states, since, until), columns)

    def recipients(
        self,
        campaign: str,
        *,
        stages: Collection[str] = (),
        digits: str = "",
        after: int = 0,
        limit: int = 1_000,
    ) -> pd.DataFrame:
        """A page of a campaign's messages, in the order of sending, without reading the others.

        Args:
            campaign: Its id.
            stages: Only at one of these, as `reports.stages` names them; any when empty.
            digits: Only with these digits in the number.
            after: The last `place` of the page before.
            limit: How many at most.

        Raises:
            UnknownCampaignError: There is no such campaign.
        """
        with self.database.read() as connection:
            found = control.found(connection, campaign)
            return recipients(connection, found, stages, digits, after=after, limit=limit, now=self._now())

    def hours(self, campaigns: Sequence[str], *, at_most: int = 100_000) -> pd.DataFrame:
        """When messages of these campaigns were sent and how many got through, by the quarter of an hour.

        Args:
            campaigns: Their ids.
            at_most: About how many messages are looked at; of more, some are picked evenly.
        """
        with self.database.read() as connection:
            return hours(connection, campaigns, at_most)

    def events(
        self, campaign: str | None = None, *, since: datetime | None = None, until: datetime | None = None
    ) -> pd.DataFrame:
        """One row per status that the service ever said of a message; the choices are those of `messages`."""
        with self.database.read() as connection:
            return frames.events(connection, _chosen(connection, campaign, None, since, until))

    def contacts(self) -> pd.DataFrame:
        """One row per number that was ever in a campaign, with what became of its messages."""
        with self.database.read() as connection:
            return frames.contacts(connection)

    def arrow(self, name: Exported, campaign: str | None = None) -> pa.Table:
        """One of the frames as an Arrow table, without a detour through pandas where it is large.

        Args:
            name: "messages", "events", "batches", "campaigns" or "contacts".
            campaign: Of this one; of all campaigns when left out. Contacts are of all.
        """
        with self.database.read() as connection:
            return exports.table(connection, name, _chosen(connection, campaign, None, None, None))

    def write_parquet(self, folder: Path, campaign: str | None = None) -> list[Path]:
        """Write these five tables as Parquet, for DuckDB, polars and others; in parts, so memory stays flat.

        Returns:
            The files: messages.parquet, events.parquet …, all as of one moment.

        Raises:
            LedgerError: The folder cannot be written.
        """
        with self.database.read() as connection:
            return exports.write_parquet(connection, folder, _chosen(connection, campaign, None, None, None))

    def replay(self, campaign: str, *, contacts: ContactList | None = None) -> Replay:
        """Make a campaign again from what is kept here, without the network, and say what would differ today.

        Numbers are judged again, opt-outs asked again and texts counted again, with what has been learned of
        the service's short links since.

        Args:
            campaign: Its id.
            contacts: Its sheet, cleaned again by today's rules; then texts and recipients are compared too.

        Example:
            >>> ledger.replay(campaign, contacts=clean_contacts(sheet, country="GB")).summary()
        """
        found, links = self.campaign(campaign), None
        if found.service and found.shorten_links:
            links = learn_link_length(self.answers_about_links(found.service)).length
        with self.database.read() as connection:
            templates = history.templates(connection, campaign)
        return replay(
            self.messages(campaign),
            shorten_links=found.shorten_links,
            short_link=links,
            opt_outs=self.opt_outs()["phone"].tolist(),
            contacts=contacts,
            templates=templates,
        )

    def stray_reports(self) -> pd.DataFrame:
        """Delivery reports about messages that were not sent from here, set aside; the newest first."""
        with self.database.read() as connection:
            return frames.stray_reports(connection)

    def batches(self, campaign: str | None = None) -> pd.DataFrame:
        """One row per batch, of a campaign or of all."""
        with self.database.read() as connection:
            if campaign is not None:
                control.found(connection, campaign)
            return frames.batches(connection, campaign)

    def unknown(self, campaign: str) -> pd.DataFrame:
        """The batches of a campaign that wait for a decision, with the money at risk."""
        with self.database.read() as connection:
            return frames.unknown(connection, control.found(connection, campaign))

    def attempts(self, campaign: str) -> pd.DataFrame:
        """Every attempt to send a batch of a campaign, as it went."""
        with self.database.read() as connection:
            return frames.attempts(connection, control.found(connection, campaign).id)

    def decisions(self, campaign: str) -> pd.DataFrame:
        """What people decided about a campaign's unknown batches."""
        with self.database.read() as connection:
            return frames.decisions(connection, control.found(connection, campaign).id)

    def opt_outs(self) -> pd.DataFrame:
        """Who must not be texted."""
        with self.database.read() as connection:
            return frames.opt_outs(connection)

    def opt_out_history(self) -> pd.DataFrame:
        """Who was ever on the list of opt-outs, with who took them off, when and why."""
        with self.database.read() as connection:
            return frames.opt_out_history(connection)

    def fingerprint_key(self) -> bytes:
        """This ledger's secret for `content_fingerprint`."""
        with self.database.write() as connection:
            return history.fingerprint_key(connection)

    def same_campaigns(self, fingerprint: str, *, since: datetime) -> pd.DataFrame:
        """Campaigns since then with the same texts for the same people, the newest first."""
        with self.database.read() as connection:
            return history.same_campaigns(connection, fingerprint, since)

    def texts(self) -> pd.DataFrame:
        """The templates of all campaigns, the newest first; each version once."""
        with self.database.read() as connection:
            return history.texts(connection)

    def texts_since(self, since: datetime) -> pd.DataFrame:
        """Who was texted since then, or will be, and when; for `cap_frequency`."""
        with self.database.read() as connection:
            return history.texts_since(connection, since)

    def credits_between(self, start: datetime, end: datetime) -> int:
        """Credits, at most, of what was handed over from `start` to `end`, or is ready to be until then."""
        with self.database.read() as connection:
            return credits_between(connection, start, end)

    def answers_about_links(self, service: str) -> pd.DataFrame:
        """Some messages with links that this service answered, for `learn_link_length`."""
        with self.database.read() as connection:
            return history.answers_about_links(connection, service)


def _chosen(
    connection: Connection,
    campaign: str | None,
    states: Collection[str] | None,
    since: datetime | None,
    until: datetime | None,
) -> Chosen:
    if campaign is not None:
        control.found(connection, campaign)
    for at in (since, until):
        if at is not None:
            _check_zone(at)
    return Chosen(campaign, states, since, until)


def _check_zone(at: datetime) -> None:
    if at.utcoffset() is None:
        raise CampaignError("Give the time with its time zone, for example datetime.now(UTC).")
