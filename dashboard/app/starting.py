"""What starts: a draft becomes a campaign, or one of its messages a test; each checked against the role."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import pandas as pd

from dashboard.app import runtime
from dashboard.app.as_seen import Seen, check_as_seen, version_of
from dashboard.app.draft_sheets import lists_of, names_of
from dashboard.app.drafts import Draft
from dashboard.app.four_eyes import alone_up_to, needs_approval
from dashboard.app.gathered import all_applied, ask_ledger_again, kept_audience, typed_of
from dashboard.app.people import only, signed_in
from dashboard.app.prepare import capped_of
from dashboard.app.runtime import Runtime
from dashboard.app.sample import is_sample, keep_sample_in_sandbox
from dashboard.app.starts import Start
from dashboard.app.timing import held_until
from dashboard.campaigns import trial_messages
from dashboard.errors import CampaignError, LedgerError, OutputError
from dashboard.jobs.guards import freeze_campaign, same_lately, texts_per_person
from dashboard.ledger import StartedBy
from dashboard.ledger.audit.acting import acting
from dashboard.words import _

log = logging.getLogger(__name__)


class AlreadySentError(CampaignError):
    """The draft has already become a campaign, in this tab or another; `campaign` is its id."""

    def __init__(self, campaign: str) -> None:
        self.campaign = campaign
        super().__init__(_("This campaign had already been started. Nothing was sent twice."))


@only("sender")
def start_campaign(draft: Draft, seen: Seen | None = None) -> Start:
    """Make the draft a campaign that starts, or waits for its time or an approval, in the background.

    If that is refused, nothing is left but the draft. Its id is the ledger's one-time token: a second click,
    a second tab or a crash all lead to the same campaign. The draft is read again: it may have changed since.

    Args:
        draft: The draft.
        seen: What the person was shown of it when they agreed; without it, whatever it is now is sent.

    Raises:
        AlreadySentError: It has already been started.
        ChangedError: It is not what was seen.
        CampaignError: Nothing can be sent, or a choice has a mistake.
    """
    app = runtime.current()
    stored = _unsent(draft)
    if app.drafts.lost_lists(stored):
        raise CampaignError(
            _("A list of this draft can no longer be read. Go back to the first step, and remove it.")
        )
    running = app.starts.find(stored.id)
    if running is not None and not running.is_over:
        return running
    if any(map(is_sample, lists_of(stored))):
        keep_sample_in_sandbox(app.given)
    ask_ledger_again()
    if not all_applied(stored):
        raise CampaignError(
            _(
                "A condition in “Check rows” has no value, or no column of these lists. Go back, and "
                "complete it or remove it."
            )
        )
    now = app.now()
    written = capped_of(stored, now)
    if not written.estimate.messages:
        raise CampaignError(_("There is nobody to send to. Go back and correct the rows or the message."))
    made_of: dict[str, Any] = {
        "prices": app.prices,
        "source": ", ".join(names_of(lists_of(stored))),
        "sheet": typed_of(stored),
        "audience": kept_audience(stored),
        "scheduled_at": held_until(stored, now),
        "again": seen is None or seen.again > 0,  # what the page said, or another that starts meanwhile
    }
    waits = needs_approval(written.estimate.messages)
    if seen is not None:  # last: whatever other tabs change from here on is not in what is frozen
        version = version_of(app.drafts.find(stored.id, stored.owner) or stored)
        same = same_lately(app.ledger, written.messages)["messages"].sum()
        check_as_seen(seen, Seen(written, version, waits, int(same)), now)
    by = StartedBy(signed_in().name, 0 if waits else alone_up_to())  # 0: what was agreed to is to ask

    def work(on_progress: Callable[[float], None]) -> str:
        with acting(by.who):  # in a thread of its own
            return _start(app, stored, written.messages, made_of, by, on_progress)

    return app.starts.begin(stored.id, written.estimate.messages, work)


def _unsent(draft: Draft) -> Draft:
    """A draft as it is now; raises what `start_campaign` does if it is gone or sent."""
    stored = runtime.current().drafts.find(draft.id, draft.owner)
    if stored is None:
        raise CampaignError(
            _("This draft no longer exists, or it belongs to somebody else. Start a new one.")
        )
    stored = put_away(stored)
    if stored.campaign is not None:
        raise AlreadySentError(stored.campaign)
    return stored


def _start(
    app: Runtime,
    draft: Draft,
    messages: pd.DataFrame,
    made_of: Mapping[str, Any],
    by: StartedBy,
    on_progress: Callable[[float], None],
) -> str:
    campaign = freeze_campaign(
        app.ledger,
        app.settings,
        draft.name,
        messages,
        **made_of,
        start=by,
        token=draft.id,
        texts_per_person=texts_per_person(app.settings),
        on_progress=on_progress,
    )
    _finish(app, draft, campaign)
    return campaign


def _finish(app: Runtime, draft: Draft, campaign: str) -> Draft:
    """Put a draft away that became a campaign; if it cannot be now, `put_away` does it later."""
    try:
        return app.drafts.finish(draft, campaign)
    except (OutputError, OSError) as error:  # the campaign runs all the same
        log.warning(
            "Campaign %s was started, and its draft cannot be put away yet (%s).",
            campaign,
            type(error).__name__,
        )
        return draft.model_copy(update={"campaign": campaign})


@only("sender", tells=[])
def put_away(draft: Draft) -> Draft:
    """The draft, as one that was sent if it became a campaign before it could be marked, as after a crash."""
    app = runtime.current()
    if draft.campaign is None:
        with suppress(LedgerError):  # then it is found when it is sent
            campaign = app.ledger.made_with(draft.id)
            return draft if campaign is None else _finish(app, draft, campaign)
    return draft


@only("sender", tells=["start"])
def send_trial(draft: Draft, messages: pd.DataFrame, place: int, phones: Sequence[str]) -> str:
    """Send one of a draft's messages to the sender's own phones, as a separate campaign; returns its id.

    Raises:
        CampaignError: The message or a number cannot be used, a cap is reached, or the person may start no
            more alone.
        LedgerError: The ledger refused.
    """
    app = runtime.current()
    trial = trial_messages(messages, place, phones, country=draft.country)
    name = str(trial["campaign"].iloc[0])
    by = StartedBy(signed_in().name, alone_up_to(), asks=False)
    return freeze_campaign(
        app.ledger, app.settings, name, trial, prices=app.prices, source=None, start=by, again=True
    )
