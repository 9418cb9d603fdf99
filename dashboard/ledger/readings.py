"""The reading side of the ledger: frames for pages and analysts, tables for other tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from sqlalchemy import Connection

from dashboard.arguments import checks_methods
from dashboard.campaigns import SentText, learn_link_length
from dashboard.campaigns.sent_with import require_columns
from dashboard.campaigns.when.moments import Moment, moment
from dashboard.contacts import ContactList
from dashboard.display import Card
from dashboard.errors import LedgerError
from dashboard.ledger import forgetting, history
from dashboard.ledger.campaign import Campaign, campaign_called
from dashboard.ledger.copies import doubt
from dashboard.ledger.database.connections import Database
from dashboard.ledger.frames import exports, of_rows
from dashboard.ledger.frames.card import card
from dashboard.ledger.frames.exports import Exported
from dashboard.ledger.frames.messages.message_rows import Chosen, span
from dashboard.ledger.frames.person import number_of, opted_out_since, person
from dashboard.ledger.frames.recipients import recipients
from dashboard.ledger.frames.sums import counted
from dashboard.ledger.frames.sums.campaign_rows import read_campaign
from dashboard.ledger.frames.sums.coming import coming
from dashboard.ledger.frames.told_stop import who_told_stop
from dashboard.ledger.freeze import again, sheets
from dashboard.ledger.outbox import decisions
from dashboard.ledger.outbox.decisions import Decided
from dashboard.ledger.outbox.risks import UnknownTotal, unknown_total
from dashboard.ledger.outbox.waiting import waiting_reasons
from dashboard.ledger.tallies import recount
from dashboard.reports import Replay, replay
from dashboard.reports.measures.counting import KEYS, Names, named
from dashboard.words import _


@checks_methods()
class Readings:
    """What a ledger can be asked. Each answer reflects one moment and changes nothing.

    A campaign is given by its id, or by its name if no other has the same. A time is an aware one; a day or a
    month (`"2026-10-31"`, `"2026-10"`, `date(2026, 10, 31)`, `pd.Period("2026-10")`) is its first moment, in
    UTC: from `since="2026-10"` until `until="2026-11"` is October.
    """

    database: Database
    _now: Callable[[], datetime]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.database.place}>"

    def _repr_html_(self) -> str:
        try:
            return card(self.database.place, self.campaigns()).html()
        except LedgerError as error:
            return Card("Ledger", [self.database.place], remarks=[str(error)]).html()

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """Have all that this thread reads within it reflect the same moment, however much is read.

        What is written meanwhile, by whomever, is not in it. Leave it soon: PostgreSQL ends it after a while
        in which nothing is asked.

        Example:
            >>> with ledger.one_moment():
            ...     campaign, counts = ledger.campaign(own), ledger.counts(own)
        """
        with self.database.one_moment():
            yield

    def campaigns(self) -> pd.DataFrame:
        """One row per campaign, the newest first."""
        with self.database.read() as connection:
            return of_rows.campaigns(connection)

    def campaign(self, campaign: str) -> Campaign:
        """One campaign, with the columns of `campaigns()` as attributes.

        Raises:
            UnknownCampaignError: There is none with this id.
        """
        with self.database.read() as connection:
            return read_campaign(connection, campaign_called(connection, campaign).id)

    def forgettable(self, *, before: Moment) -> pd.DataFrame:
        """The campaigns that `forget` would forget, with the columns of `campaigns()`."""
        at = moment("before", before)
        with self.database.read() as connection:
            ids = [found.id for found in forgetting.forgettable(connection, at)]
            campaigns = of_rows.campaigns(connection)
        return campaigns[campaigns["campaign"].isin(ids)].reset_index(drop=True)

    def messages(
        self,
        campaign: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        states: Collection[str] | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
    ) -> pd.DataFrame:
        """One row per message, in the order of sending.

        Args:
            campaign: Of this one; of all campaigns if left out.
            columns: Only these, in this order; all if left out.
            states: Only messages in these.
            since: Only messages handed over to the service at or after this time.
            until: Only messages handed over before this time.

        Raises:
            UnknownCampaignError: There is no such campaign.
            LedgerError: There is no such column or state.

        Example:
            >>> ledger.messages(states=["unknown"], columns=["campaign", "uuid", "credits_high"])
        """
        with self.database.read() as connection:
            chosen = _chosen(connection, campaign, states=states, since=since, until=until)
            return of_rows.messages(connection, chosen, columns, now=self._now())

    def person(self, phone: str, *, country: str | None = None) -> pd.DataFrame:
        """Everything that one person was texted, in all campaigns. This looks through all messages.

        Args:
            phone: The number, however it is typed.
            country: ISO 3166 country of a number without a country code.

        Returns:
            One row per message, in the order of sending: the columns of `messages()`, with the campaign's
            name, the text, times in UTC, stage, failure and cost, and opted_out_at, since when the person
            must not be texted. No rows if nobody was texted there, or if its campaigns were forgotten; an
            opt-out without any message is in `opt_outs()`, and one taken back in `opt_out_history()`.

        Raises:
            OptionError: This is not a phone number, or there are several.
            CountryError: The country is not a two-letter ISO 3166 code in upper case.

        Example:
            >>> history = ledger.person("07400 123456", country="GB")
            >>> history[["campaign_name", "body", "sent_at", "stage", "cost_billed", "opted_out_at"]]
        """
        number = number_of(phone, country)
        with self.database.read() as connection:
            return person(connection, number, now=self._now())

    def opted_out_since(self, phone: str) -> datetime | None:
        """Since when a number in E.164 must not be texted, in any spelling, in UTC; None if it may be."""
        with self.database.read() as connection:
            return opted_out_since(connection, phone)

    def sheet_rows(self, campaign: str, *, rows: Collection[int] | None = None) -> pd.DataFrame:
        """The rows of the contact sheet that became this campaign's messages, as they were typed.

        Args:
            campaign: Its id.
            rows: Only these row numbers; all if left out.

        Returns:
            row, then the sheet's columns as text (one that was called "row" is "row#2"). For a campaign that
            was not made from a sheet, or whose numbers and texts were deleted, only the column row, and no
            rows.

        Raises:
            UnknownCampaignError: There is no such campaign.

        Example:
            >>> recipients(ledger.messages(campaign), sheet_rows=ledger.sheet_rows(campaign))
        """
        with self.database.read() as connection:
            return sheets.kept(connection, campaign_called(connection, campaign).id, rows)

    def recipients(
        self,
        campaign: str,
        *,
        stages: Collection[str] = (),
        numbers: Collection[str] | None = None,
        after: int = 0,
        limit: int = 1_000,
    ) -> pd.DataFrame:
        """A page of a campaign's messages, in the order of sending, without reading the others.

        Args:
            campaign: Its id.
            stages: Only at one of these, as `reports.stages` names them; any when empty.
            numbers: Only to these in E.164, to those that begin like `+44*`, or with these digits in the
                number; to any if left out.
            after: The last `place` of the previous page.
            limit: How many at most.

        Raises:
            UnknownCampaignError: There is no such campaign.
        """
        with self.database.read() as connection:
            found = campaign_called(connection, campaign)
            return recipients(connection, found, stages, numbers, after=after, limit=limit, now=self._now())

    def events(
        self,
        campaign: str | None = None,
        *,
        stages: Collection[str] | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
    ) -> pd.DataFrame:
        """One row per status that the service ever reported for a message.

        Args:
            campaign: Of this one; of all campaigns if left out.
            stages: Only these: "accepted", "sent", "failed", "delivered".
            since: Only of messages handed over to the service at or after this time.
            until: Only of messages handed over before this time.

        Raises:
            UnknownCampaignError: There is no such campaign.
            LedgerError: There is no such stage.
        """
        with self.database.read() as connection:
            return of_rows.events(connection, _chosen(connection, campaign, since=since, until=until), stages)

    def counts(
        self,
        campaign: str | None = None,
        *,
        since: Moment | None = None,
        until: Moment | None = None,
        keys: Names = KEYS,
        now: datetime | None = None,
    ) -> pd.DataFrame:
        """Messages counted by everything that figures tell apart, at once at any size.

        Args:
            campaign: Of this one; of all campaigns if left out.
            since: Only messages handed over in a quarter of an hour that begins at or after this time.
            until: Only messages handed over in one that begins before this time.
            keys: What tells them apart, one or several keys of COUNTS; many campaigns are quicker by fewer.
            now: The time, which decides what is still scheduled.

        Raises:
            UnknownCampaignError: There is no such campaign.
            LedgerError: There is no such key.

        Example:
            >>> ledger.counts(campaign, keys="stage")
        """
        with self.database.read() as connection:
            chosen = _chosen(connection, campaign, since=since, until=until)
            at = self._now() if now is None else moment("now", now)
            return counted.counts(connection, chosen, named(keys), at)

    def course(self, campaign: str | None = None) -> pd.DataFrame:
        """When messages were sent, failed and delivered, counted by short spans of time.

        Args:
            campaign: Of this one; of all campaigns if left out.

        Raises:
            UnknownCampaignError: There is no such campaign.
        """
        with self.database.read() as connection:
            return counted.counted_course(connection, _chosen(connection, campaign).campaign)

    def coming(self, *, until: Moment | None = None) -> pd.DataFrame:
        """What goes out by itself: when, and how many messages of which campaign.

        A campaign that waits for its time is there with all its messages, even when that time has just
        passed; a running one with those whose own time is to come, held here or by the service. What the
        service has is there even if its campaign was paused or cancelled. A draft is not, nor a batch held
        over quiet hours that began meanwhile.

        Args:
            until: Only what goes out before this time, to the quarter of an hour, as `at` has it.

        Example:
            >>> ledger.coming().groupby("campaign")["at"].agg(["min", "max"])
        """
        before = None if until is None else moment("until", until)
        with self.database.read() as connection:
            return coming(connection, self._now(), before)

    def recount(self, campaign: str) -> list[str]:
        """Count a campaign's messages again: what `counts` and `course` add up that does not agree with that.

        Args:
            campaign: Its id.

        Returns:
            The tables of the ledger that are wrong, none if all is well; `Ledger.mend` puts them right.

        Raises:
            UnknownCampaignError: There is no such campaign.
        """
        with self.database.read() as connection:
            return recount.wrong(connection, campaign_called(connection, campaign).id)

    def contacts(self) -> pd.DataFrame:
        """One row per number that was ever in a campaign, with what became of its messages."""
        with self.database.read() as connection:
            return of_rows.contacts(connection)

    def arrow(self, name: Exported, campaign: str | None = None) -> pa.Table:
        """One of the frames as an Arrow table, without a detour through pandas where it is large.

        Args:
            name: "messages", "events", "batches", "campaigns" or "contacts".
            campaign: Of this one; of all campaigns if left out. Contacts are of all.
        """
        with self.database.read() as connection:
            return exports.table(connection, name, _chosen(connection, campaign), now=self._now())

    def write_parquet(self, folder: str | Path, campaign: str | None = None) -> list[Path]:
        """Write these five tables as Parquet, for DuckDB, polars and others; in parts, so memory stays flat.

        Returns:
            The files: messages.parquet, events.parquet …, all as of one moment.

        Raises:
            LedgerError: The folder cannot be written, or holds another file of one of these names.
        """
        with self.database.read() as connection:
            chosen = _chosen(connection, campaign)
            return exports.write_parquet(connection, Path(folder), chosen, now=self._now())

    def replay(self, campaign: str, *, contacts: ContactList | None = None) -> Replay:
        """Recalculate a campaign from what is kept here, without the network: what would differ today?

        Numbers are judged again, opt-outs checked again and texts counted again, with what has been learned
        about the service's short links since.

        Args:
            campaign: Its id.
            contacts: Its sheet, cleaned again by today's rules; then texts and recipients are compared too.

        Raises:
            UnknownCampaignError: There is no such campaign.
            LedgerError: Its numbers and texts were deleted.

        Example:
            >>> ledger.replay(campaign, contacts=clean_contacts(sheet, country="GB")).summary()
        """
        with self.database.one_moment():
            found, links = self.campaign(campaign), None
            if found.forgotten_at:
                raise LedgerError(
                    _("This campaign's numbers and texts were deleted, so it cannot be replayed.")
                )
            if found.service and found.shorten_links:
                links = learn_link_length(self.answers_about_links(found.service)).length
            messages, opt_outs = self.messages(found.campaign), self.opt_outs()["phone"].tolist()
            texts = self.sent_texts(found.campaign)
        return replay(
            messages,
            shorten_links=found.shorten_links,
            short_link=links,
            opt_outs=opt_outs,
            contacts=contacts,
            templates={text.variant: text.template for text in texts},
        )

    def stray_reports(self) -> pd.DataFrame:
        """Delivery reports about messages that were not sent from here, set aside; the newest first."""
        with self.database.read() as connection:
            return of_rows.stray_reports(connection)

    def batches(self, campaign: str | None = None) -> pd.DataFrame:
        """One row per batch, of a campaign or of all."""
        with self.database.read() as connection:
            return of_rows.batches(connection, _chosen(connection, campaign).campaign)

    def unknown(self, campaign: str, *, limit: int | None = None, skip: int = 0) -> pd.DataFrame:
        """The batches of a campaign that await a decision, with the money at risk.

        Args:
            campaign: Its id.
            limit: At most this many, newest first, without reading the others; all if left out.
            skip: How many of the newest to leave out.

        Example:
            >>> ledger.unknown(campaign, limit=100, skip=100)  # the second page
        """
        with self.database.read() as connection:
            found = campaign_called(connection, campaign)
            return of_rows.unknown(connection, found, limit=limit, skip=skip)

    def unknown_total(self, campaign: str) -> UnknownTotal:
        """What awaits a decision in a campaign, added up."""
        with self.database.read() as connection:
            return unknown_total(connection, campaign_called(connection, campaign))

    def decided(self, campaign: str) -> list[Decided]:
        """What people decided about unknown batches of a campaign, and why; the newest 50, in this order.

        Batches decided together are one entry; `decisions` has one for each.
        """
        with self.database.read() as connection:
            return decisions.decided(connection, campaign_called(connection, campaign).id)

    def waiting_reasons(self, campaign: str) -> list[str]:
        """Why batches of a campaign are waiting to be retried, a sentence each: say, the service was away."""
        with self.database.read() as connection:
            return waiting_reasons(connection, campaign_called(connection, campaign).id)

    def attempts(self, campaign: str) -> pd.DataFrame:
        """Every attempt to send a batch of a campaign, as it went."""
        with self.database.read() as connection:
            return of_rows.attempts(connection, campaign_called(connection, campaign).id)

    def decisions(self, campaign: str | None = None) -> pd.DataFrame:
        """What people decided about unknown batches, in order.

        Args:
            campaign: Of this one; of all campaigns if left out.

        Raises:
            UnknownCampaignError: There is no such campaign.
        """
        with self.database.read() as connection:
            return of_rows.decisions(connection, _chosen(connection, campaign).campaign)

    def opt_outs(self, *, texts: bool = False) -> pd.DataFrame:
        """People who must not be texted, one row each, the latest first.

        Args:
            texts: Whether to say the campaign and the text that each came after, where known: the last text
                that may have reached the person before. This looks through all messages.

        Example:
            >>> ledger.opt_outs(texts=True).groupby(["campaign_name", "template"], observed=True).size()
        """
        with self.database.read() as connection:
            return of_rows.opt_outs(connection, texts=texts)

    def told_stop(self, campaign: str | None = None) -> pd.DataFrame:
        """People whom the service did not text because they had told it STOP, each once.

        Args:
            campaign: Of this one; of all campaigns if left out.

        Returns:
            phone, reason (the service's words) and opted_out_at: since when they are on the list of opt-outs,
            missing where they are not. Whoever was taken off it since, counts as being on it.

        Raises:
            UnknownCampaignError: There is no such campaign.

        Example:
            >>> told = ledger.told_stop(campaign)
            >>> new = told.loc[told["opted_out_at"].isna(), "phone"]
            >>> ledger.add_opt_outs(new, reason="told the service STOP")
        """
        with self.database.read() as connection:
            found = None if campaign is None else campaign_called(connection, campaign)
            return who_told_stop(connection, found)

    def missing_opt_outs(self) -> str | None:
        """Why opt-outs may be missing from this ledger, as a sentence; None if they are all here."""
        with self.database.read() as connection:
            return doubt.missing_opt_outs(connection)

    def opt_out_history(self) -> pd.DataFrame:
        """Everyone who was ever on the opt-out list, with who took them off, when and why."""
        with self.database.read() as connection:
            return of_rows.opt_out_history(connection)

    def same_campaigns(self, messages: pd.DataFrame, *, since: Moment) -> pd.DataFrame:
        """Campaigns made since then that sent, or will send, some of these to the same people; newest first.

        Args:
            messages: MESSAGES; those with a problem are not counted.
            since: From when on.

        Raises:
            CampaignError: The frame lacks columns of MESSAGES.
        """
        require_columns(messages)
        compared = again.Comparison(messages[messages["problem"].isna()])
        with self.database.read() as connection:
            return compared.campaigns(connection, moment("since", since))

    def texts(self) -> pd.DataFrame:
        """The templates of all campaigns, the newest first; each version once."""
        with self.database.read() as connection:
            return history.texts(connection)

    def sent_texts(self, campaign: str) -> tuple[SentText, ...]:
        """The texts of a campaign as they were written, by variant, with how each is named and tracked.

        Args:
            campaign: Its id, or its name.

        Raises:
            UnknownCampaignError: There is no such campaign, or there are several of this name.

        Example:
            >>> ledger.sent_texts("Spring sale")[0].template
        """
        with self.database.read() as connection:
            return history.sent_texts(connection, campaign_called(connection, campaign).id)

    def audience(self, campaign: str) -> dict[str, Any] | None:
        """Whom of which lists a campaign was made for, as `create_campaign` was told; None if it was not.

        Args:
            campaign: Its id, or its name if no other has it.

        Raises:
            UnknownCampaignError: There is no such campaign, or there are several of this name.

        Example:
            >>> ledger.audience("Spring sale")["sample"]
        """
        with self.database.read() as connection:
            kept = campaign_called(connection, campaign).audience
        return None if kept is None else dict(json.loads(kept))

    def made_with(self, token: str) -> str | None:
        """The id of the campaign that a page's one-time token made, whatever became of it; None if none."""
        with self.database.read() as connection:
            return history.made_with(connection, token)

    def texts_since(self, since: Moment, *, campaigns: Collection[str] | None = None) -> pd.DataFrame:
        """Who was texted since then, or will be, and when; for `cap_frequency` and `choose_people`.

        Whoever waits for a time that has passed, or for a person, is texted now at the earliest.

        Args:
            since: From when on.
            campaigns: Only by these campaigns, by id.
        """
        with self.database.read() as connection:
            of = None if campaigns is None else set(campaigns)
            return history.texts_since(connection, moment("since", since), self._now(), campaigns=of)

    def forgotten_since(self, since: Moment, *, campaigns: Collection[str] | None = None) -> int:
        """How many campaigns that ended since then were forgotten: `texts_since` cannot name their people.

        Args:
            since: From when on.
            campaigns: Only of these campaigns, by id.
        """
        with self.database.read() as connection:
            return history.forgotten_since(connection, moment("since", since), campaigns)

    def answers_about_links(self, service: str) -> pd.DataFrame:
        """Some messages with links that this service answered, for `learn_link_length`."""
        with self.database.read() as connection:
            return history.answers_about_links(connection, service)


def _chosen(
    connection: Connection,
    campaign: str | None,
    *,
    states: Collection[str] | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
) -> Chosen:
    found = None if campaign is None else campaign_called(connection, campaign).id
    start = None if since is None else moment("since", since)
    end = None if until is None else moment("until", until)
    return Chosen(found, states, span(start, end))
