"""What a new campaign must respect from the ledger: caps, the same people again, bills for links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pandas as pd

from dashboard.campaigns import (
    LearnedLinks,
    Prices,
    cap_frequency,
    learn_link_length,
)
from dashboard.contacts import Sheet
from dashboard.ledger import Caps, Ledger, StartedBy, TextsPerPerson
from dashboard.settings import Settings

SAME_WITHIN = timedelta(days=7)
SANDBOX = "sandbox"


def freeze_campaign(  # noqa: PLR0913 - what a campaign is made of
    ledger: Ledger,
    settings: Settings,
    name: str,
    messages: pd.DataFrame,
    *,
    prices: Prices | None,
    source: str | None,
    sheet: Sheet | None = None,
    audience: Mapping[str, Any] | None = None,
    scheduled_at: datetime | None = None,
    start: StartedBy | bool = False,
    token: str | None = None,
    again: bool,
    texts_per_person: TextsPerPerson | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> str:
    """Freeze a campaign under the configured caps; returns its id.

    `start` and `token` are as for `Ledger.create_campaign`. `again` says that somebody knows that the same
    people got the same text recently; `texts_per_person` is looked at once more, see `not_too_often`;
    `on_progress` is told the share of the messages that is written.

    Raises:
        CampaignError: There is nothing to send, a cap is reached, or as for `Ledger.create_campaign`.
        SentBeforeError: The same was sent recently, and `again` is not set.
        LedgerError: The ledger refused.
    """
    now = ledger.outbox.now()
    return ledger.create_campaign(
        name,
        messages,
        batch_size=settings.batch_size,
        prices=prices,
        currency=settings.currency,
        source=source,
        sheet=sheet,
        audience=audience,
        scheduled_at=scheduled_at,
        start=start,
        token=token,
        service=service_name(settings),
        unless_sent_since=None if again else now - SAME_WITHIN,
        caps=caps_on(settings, scheduled_at or now),
        texts_per_person=texts_per_person,
        on_progress=on_progress,
    )


def service_name(settings: Settings) -> str:
    """Which service messages go to; what one bills says nothing about another."""
    address = settings.sms_base_url
    return SANDBOX if address is None else urlsplit(address).netloc


def learned_links(ledger: Ledger, settings: Settings) -> LearnedLinks | None:
    """What the service's answers revealed about its short links; None before the first."""
    answers = ledger.answers_about_links(service_name(settings))
    return None if answers.empty else learn_link_length(answers)


def caps_on(settings: Settings, at: datetime) -> Caps:
    """The caps on credits, with the day (UTC) on which a campaign starts."""
    start = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return Caps(
        per_campaign=settings.credits_per_campaign,
        per_day=settings.credits_per_day,
        day_from=start,
        day_to=start + timedelta(days=1),
    )


def texts_per_person(settings: Settings) -> TextsPerPerson | None:
    """The cap on texts per person, if there is one."""
    if settings.texts_per_person is None:
        return None
    return TextsPerPerson(settings.texts_per_person, timedelta(days=settings.texts_within_days))


def not_too_often(
    ledger: Ledger,
    settings: Settings,
    messages: pd.DataFrame,
    now: datetime,
    *,
    at: datetime | None = None,
) -> pd.DataFrame:
    """Leave out people who would get more texts than the cap, including those of other campaigns.

    Args:
        ledger: Knows the other campaigns.
        settings: Have the cap.
        messages: MESSAGES.
        now: The time.
        at: When the whole campaign starts; None for now.
    """
    cap = texts_per_person(settings)
    if cap is None:
        return messages
    texts = ledger.texts_since(now - cap.within)
    start = now if at is None else max(at, now)
    return cap_frequency(messages, texts, at_most=cap.at_most, within=cap.within, now=start)


def same_lately(ledger: Ledger, messages: pd.DataFrame) -> pd.DataFrame:
    """Recent campaigns with the same texts for the same people; see `Ledger.same_campaigns`."""
    return ledger.same_campaigns(messages, since=ledger.outbox.now() - SAME_WITHIN)
