"""A campaign before it is sent, as shown on the command line: verdicts, texts and cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.campaigns import (
    Estimate,
    Prices,
    estimate_credits,
    explain_hint,
    explain_message,
    marketing_hints,
    name_hints,
    prices_of,
    with_opt_out_line,
    write_messages,
)
from dashboard.commands.steps.intake import Reading, read_contacts, verdict_counts, verdict_lines
from dashboard.commands.steps.questions import answer_lines, question_lines, values_by_column
from dashboard.commands.steps.timing import Timing, timing_of
from dashboard.contacts import ContactList, Limits, Question, Sheet
from dashboard.errors import CampaignError, SentBeforeError
from dashboard.formatting import credit_count, money_range
from dashboard.jobs.guards import freeze_campaign, learned_links, not_too_often, same_lately, texts_per_person
from dashboard.ledger import Ledger, is_same, sent_before
from dashboard.settings import Settings
from dashboard.words import plural

_READING = (
    *("worksheet", "encoding", "delimiter", "header_row", "phones", "answers", "none_of_these", "keep"),
)


@dataclass(frozen=True)
class Prepared:
    """A campaign that could be sent.

    Attributes:
        name: Its name.
        sheet: The sheet, with what was noticed when it was read.
        contacts: A verdict on every row.
        messages: MESSAGES.
        estimate: What it will cost.
        prices: What credits cost; None if nobody has set it.
        settings: Batch size and currency.
        timing: When it is sent.
        earlier: Campaigns of the last days that sent, or will send, some of it; see `Ledger.same_campaigns`.
        hints: What to know about the text and the names in it, in sentences.
    """

    name: str
    sheet: Sheet
    contacts: ContactList
    messages: pd.DataFrame
    estimate: Estimate
    prices: Prices | None
    settings: Settings
    timing: Timing
    earlier: pd.DataFrame
    hints: tuple[str, ...]

    def lines(self) -> list[str]:
        """Verdicts and cost in words."""
        problems = self.messages["problem"].value_counts()
        return [
            *self.sheet.notes,
            *self.contacts.notes,
            *verdict_lines(self.contacts.sheet_name, self.contacts.summary()),
            *(
                f"{count:>10,}  not sent   {explain_message(str(code))}"
                for code, count in problems.items()
                if count
            ),
            *answer_lines(self.contacts.how.columns.answers),
            *question_lines(self.questions),
            *self.hints,
            *([] if self.earlier.empty else [str(self.sent_before())]),
            *([self.timing.sentence(self.messages)] if self.waits else []),
            self._cost(),
        ]

    def as_json(self) -> dict[str, Any]:
        """The same for machines; money as text, so that no digit is lost."""
        estimate = self.estimate
        return {
            "campaign_name": self.name,
            "notes": [*self.sheet.notes, *self.contacts.notes, *self.hints],
            **verdict_counts(self.contacts.summary()),
            "questions": values_by_column(self.questions),
            "answers": {column: dict(said) for column, said in self.contacts.how.columns.answers.items()},
            "messages": estimate.messages,
            "credits_low": estimate.credits_low,
            "credits_high": estimate.credits_high,
            "cost_low": None if estimate.cost_low is None else str(estimate.cost_low),
            "cost_high": None if estimate.cost_high is None else str(estimate.cost_high),
            "currency": estimate.currency,
            "same_campaigns": self.earlier["campaign"].tolist(),
            "same_messages": int(self.earlier["messages"].sum()),
            "scheduled_at": None if self.timing.held is None else self.timing.held.isoformat(),
        }

    @property
    def questions(self) -> tuple[Question, ...]:
        """What has to be said about the sheet before anything is sent."""
        return self.contacts.how.columns.questions

    @property
    def waits(self) -> bool:
        """Whether some of it is sent later than now."""
        return self.timing.waits(self.messages)

    def freeze(self, ledger: Ledger, *, again: bool) -> str:
        """Freeze the messages in the ledger and start them, unless all wait; returns the campaign's id.

        Raises:
            SentBeforeError: The same people got the same text recently, and `again` is not set.
        """
        return freeze_campaign(
            ledger,
            self.settings,
            self.name,
            self.messages,
            prices=self.prices,
            source=self.contacts.sheet_name or None,
            sheet=self.sheet,
            scheduled_at=self.timing.held,
            start=self.timing.held is None,
            again=again,
            texts_per_person=texts_per_person(self.settings),
        )

    def is_same(self) -> bool:
        """Whether `earlier` campaigns have so much of it that it is not sent without `again`."""
        return is_same(self.earlier, self.estimate.messages)

    def sent_before(self) -> SentBeforeError:
        """What `earlier` campaigns, if there are any, have of it."""
        return sent_before(self.earlier, self.estimate.messages)

    def _cost(self) -> str:
        """For example `1,900 messages, 1,900–2,439 credits, €85.50–€109.76`."""
        estimate = self.estimate
        parts = [
            plural(estimate.messages, "{count} message", "{count} messages"),
            credit_count(estimate.credits_low, estimate.credits_high),
        ]
        if estimate.cost_low is None:
            return ", ".join([*parts, "no price per credit set"])
        return ", ".join(
            [*parts, money_range(estimate.cost_low, estimate.cost_high, estimate.currency or "")]
        )


def prepare(sheet: Path, choices: Mapping[str, Any], settings: Settings, ledger: Ledger) -> Prepared:
    """Read, clean, write and estimate.

    Args:
        sheet: The contact sheet.
        choices: The options of `send`.
        settings: What is set outside.
        ledger: Knows what marketers decided, who must not be texted, who was texted recently, and how long
            short links are.

    Raises:
        DashboardError: Something in the sheet, the template or the choices has to be corrected first.
    """
    settings = ledger.settings.now(settings)
    how = Reading(
        country=choices["country"] or settings.country,
        limits=Limits.of(settings),
        **{name: choices[name] for name in _READING},
    )
    opt_outs = ledger.opt_outs()["phone"]
    read, contacts = read_contacts(sheet, how, opt_outs, ledger.column_answers.recall)
    links, now = learned_links(ledger, settings), ledger.outbox.now()
    timing = timing_of(choices, settings, now)
    line = None if choices["no_opt_out_line"] else settings.opt_out_line
    template = with_opt_out_line(choices["template"], line)
    messages = write_messages(
        contacts,
        template,
        campaign=choices["campaign"],
        sender=choices["sender"],
        shorten_links=not choices["no_short_links"],
        tracking=choices["tracking"],
        schedule=timing.schedule,
        short_link=links.length if links else None,
        now=now,
    )
    messages = not_too_often(ledger, settings, messages, now, at=timing.held)
    prices = prices_of(settings)
    estimate = estimate_credits(messages, prices=prices)
    earlier = same_lately(ledger, messages)
    amiss = map(explain_hint, marketing_hints(template, sender=choices["sender"]))
    hints = (*amiss, *name_hints(contacts, template))
    found = (read, contacts, messages, estimate, prices, settings, timing, earlier, hints)
    prepared = Prepared(choices["campaign"], *found)
    if estimate.messages == 0 and not prepared.questions:
        raise CampaignError(
            "No row of the sheet can be sent a message, so nothing was sent. What was found:\n"
            + "\n".join(prepared.lines()[:-1])
        )
    return prepared
