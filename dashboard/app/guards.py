"""What the ledger knows that a new campaign must heed: caps, the same people again, bills for links."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pandas as pd

from dashboard.app.runtime import Runtime
from dashboard.campaigns import LearnedLinks, content_fingerprint, learn_link_length
from dashboard.ledger import Caps

SAME_WITHIN = timedelta(days=7)
SANDBOX = "sandbox"


def service_name(app: Runtime) -> str:
    """Which service messages go to; what one bills says nothing about another."""
    address = app.settings.sms_base_url
    return SANDBOX if address is None else urlsplit(address).netloc


def learned_links(app: Runtime) -> LearnedLinks | None:
    """What the service's answers told about its short links; None before the first."""
    answers = app.ledger.answers_about_links(service_name(app))
    return None if answers.empty else learn_link_length(answers)


def caps_on(app: Runtime, at: datetime | None) -> Caps:
    """The caps on credits, with the day (UTC) on which a campaign starts."""
    start = (at or datetime.now(UTC)).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return Caps(
        per_campaign=app.settings.credits_per_campaign,
        per_day=app.settings.credits_per_day,
        day_from=start,
        day_to=start + timedelta(days=1),
    )


def fingerprint_of(app: Runtime, messages: pd.DataFrame) -> str:
    """The mark of who gets which text."""
    templates = [text["template"] for text in messages.attrs["templates"].values()]
    phones = messages.loc[messages["problem"].isna(), "to"]
    return content_fingerprint(phones, templates, key=app.ledger.fingerprint_key())


def same_lately(app: Runtime, messages: pd.DataFrame) -> pd.DataFrame:
    """Campaigns of the last days with the same texts for the same people; see `Ledger.same_campaigns`."""
    since = datetime.now(UTC) - SAME_WITHIN
    return app.ledger.same_campaigns(fingerprint_of(app, messages), since=since)
