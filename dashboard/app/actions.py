"""What a page can change besides drafts and their start, each change checked against the person's role.

Pages write through these functions, and those of drafting.py and starting.py, only.
`tests/app/test_people.py` checks that each one requires a role, and `tests/app/test_audit_of_actions.py` that
each one leaves one row in the audit trail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from dashboard.app import runtime
from dashboard.app.four_eyes import alone_up_to
from dashboard.app.people import NotAllowedError, only, signed_in, still_may, tell
from dashboard.app.sample import keep_sample_in_sandbox
from dashboard.app.standing.attention import PAUSED_BY_A_PERSON
from dashboard.campaigns.when.schedule import scheduled_time
from dashboard.errors import CampaignError
from dashboard.jobs.guards import texts_per_person
from dashboard.ledger import Listed, ReportResult, SavedText, SettingChange
from dashboard.ledger.database.states import CampaignState, Decision
from dashboard.service import NumberCheck
from dashboard.words import _


@only("sender")
def fill_sample_history() -> None:
    """Make a year of made-up campaigns to look at, in the background and in a ledger of their own.

    Raises:
        CampaignError: There is a real service, or a campaign.
    """
    app = runtime.current()
    keep_sample_in_sandbox(app.given)
    if not app.ledger.campaigns().empty:
        raise CampaignError(_("There are campaigns already, so sample history is not shown beside them."))
    app.sample_history.fill(app.now(), app.currency)
    tell("sample", "sample history", is_shown=True)


@only("sender")
def remove_sample_history() -> None:
    """Delete the made-up campaigns."""
    runtime.current().sample_history.remove()
    tell("sample", "sample history", is_shown=False)


@only("sender")
def save_text(name: str, text: str) -> SavedText:
    """Save a text in the library: as a new version where a text has this name.

    Raises:
        LedgerError: The name or the text is missing.
    """
    return runtime.current().ledger.library.save(name, text, who=signed_in().name)


@only("sender")
def rename_text(text_id: str, name: str) -> None:
    """Give a saved text another name.

    Raises:
        LedgerError: Another text has it, it is missing, or the text is gone.
    """
    runtime.current().ledger.library.rename(text_id, name, who=signed_in().name)


@only("sender")
def restore_text(text_id: str, version: int) -> None:
    """Make an earlier version of a saved text the newest one.

    Raises:
        LedgerError: The text or the version is gone.
    """
    runtime.current().ledger.library.restore(text_id, version, who=signed_in().name)


@only("sender")
def forget_answer(key: str) -> None:
    """Forget what a value of a column was said to mean; do nothing if it is already forgotten."""
    runtime.current().ledger.column_answers.forget(key)


@only("sender")
def delete_text(text_id: str) -> None:
    """Delete a saved text."""
    runtime.current().ledger.library.delete(text_id, who=signed_in().name)


@only("sender")
def start_prepared(campaign: str, seen: CampaignState = "draft") -> None:
    """Start a campaign that was prepared and not started, or one that waits for its time.

    It asks for an approval if the person may not start it alone.

    Args:
        campaign: Its id.
        seen: Its state as the page showed it.

    Raises:
        CampaignError: People would be texted too often.
        CampaignStateError: It waits for its time by now, and was not seen to.
    """
    app = runtime.current()
    cap = texts_per_person(app.settings)
    app.ledger.approvals.start(
        campaign, who=signed_in().name, above=alone_up_to(), seen=seen, texts_per_person=cap
    )


@only("approver")
def approve_campaign(campaign: str) -> None:
    """Let a campaign go that somebody else may not start alone.

    Raises:
        CampaignStateError: It does not wait for an approval, or not any more.
        CampaignError: People would be texted too often.
        LedgerError: The person asked for it.
    """
    app = runtime.current()
    cap = texts_per_person(app.settings)
    app.ledger.approvals.approve(campaign, who=signed_in().name, texts_per_person=cap)


@only("sender")
def move_campaign(campaign: str, at: datetime) -> None:
    """Let a scheduled campaign start by itself at another time.

    Raises:
        CampaignError: The time has passed, the campaign does not wait for one any more, or people would be
            texted too often.
    """
    app = runtime.current()
    if app.ledger.campaign(campaign).state == "draft":
        raise CampaignError(_("This campaign does not wait for its time. Start it first."))
    cap = texts_per_person(app.settings)
    app.ledger.schedule(campaign, scheduled_time(at, now=app.now()), texts_per_person=cap)


@only("sender")
def pause_campaign(campaign: str) -> None:
    """Claim no more batches of a campaign; what is in flight is finished."""
    runtime.current().ledger.pause(campaign, f"{PAUSED_BY_A_PERSON}{signed_in().name}.")


@only("sender")
def resume_campaign(campaign: str) -> None:
    """Go on with a paused campaign."""
    runtime.current().ledger.resume(campaign)


@only("sender")
def cancel_campaign(campaign: str) -> None:
    """Send no more of a campaign, for good; what was handed over cannot be recalled."""
    runtime.current().ledger.cancel(campaign, f"Cancelled by {signed_in().name}.")


@only("sender")
def decide_batches(
    campaign: str,
    decision: Decision,
    why: str,
    *,
    only: Sequence[int] | None = None,
    as_of: datetime | None,
) -> None:
    """Decide what became of a campaign's batches that were unknown by then: all of them, or only these."""
    who = signed_in().name
    runtime.current().ledger.decide_all(campaign, decision, who, why, batches=only, as_of=as_of)


@only("sender")
def add_opt_outs(phones: list[str], *, reason: str, source: str) -> int:
    """Add phones (E.164) to the opt-out list; returns how many were new."""
    return runtime.current().ledger.add_opt_outs(phones, reason=reason, source=source)


@only("sender")
def add_who_told_stop(campaign: str) -> int:
    """Add those whom the service did not text because they told it STOP; returns how many were new."""
    ledger = runtime.current().ledger
    told = ledger.told_stop(campaign)
    phones = told.loc[told["opted_out_at"].isna(), "phone"].tolist()
    source = ledger.campaign(campaign).name
    return ledger.add_opt_outs(phones, reason=_("Told the service STOP"), source=source)


@only("sender")
def acknowledge_missing_opt_outs() -> None:
    """Record that the opt-outs missing from an older copy of the ledger have been entered again."""
    runtime.current().ledger.acknowledge_missing_opt_outs(signed_in().name)


@only("admin")
def remove_opt_out(phone: str, *, reason: str) -> None:
    """Take a phone off the opt-out list, and keep who did it and why."""
    runtime.current().ledger.remove_opt_out(phone, who=signed_in().name, reason=reason)


@only("sender")
def record_reports(messages: list[dict[str, Any]]) -> ReportResult:
    """Import delivery reports from an uploaded file into the ledger."""
    result = runtime.current().ledger.record_reports(messages)
    tell("upload", "delivery reports", taken=result.taken, stale=result.stale, unreadable=result.unreadable)
    return result


@only("admin")
def change_settings(
    values: Mapping[str, object], *, seen: Mapping[str, SettingChange] | None = None
) -> list[str]:
    """Change what marketers own about the dashboard; returns the names of what was different before.

    Args:
        values: The new values by name.
        seen: Who decided what by the time the person chose them.

    Raises:
        SettingsError: A value cannot be used, or somebody has changed what was seen.
    """
    app = runtime.current()
    return app.ledger.settings.change(values, who=signed_in().name, given=app.given, seen=seen)


@only("admin")
def add_person(address: str, role: str, *, exports: bool = False) -> None:
    """Let somebody sign in.

    Raises:
        SettingsError: The address cannot be used, or they are on the list already.
    """
    app = runtime.current()
    app.ledger.people.add(address, role, exports=exports, who=signed_in().name, given=app.given)


@only("admin")
def change_person(address: str, role: str, *, exports: bool = False, seen: Listed | None = None) -> None:
    """Give somebody another role, or the right to download files as a viewer.

    Args:
        address: Whom.
        role: What they may do from now on.
        exports: Whether they may download files as a viewer.
        seen: How they were listed when the person decided it.

    Raises:
        SettingsError: No administrator would be left, or somebody has changed what was seen.
    """
    app = runtime.current()
    app.ledger.people.change(address, role, exports=exports, who=signed_in().name, given=app.given, seen=seen)


@only("admin")
def remove_person(address: str, *, seen: Listed | None = None) -> None:
    """Sign somebody out everywhere and no longer let them in; arguments and errors as `change_person`."""
    app = runtime.current()
    app.ledger.people.remove(address, who=signed_in().name, given=app.given, seen=seen)


@only("viewer")
def choose_language(language: str | None) -> None:
    """Keep the language in which the person wants to read the pages; None for everybody's."""
    runtime.current().ledger.settings.choose_language(signed_in().name, language)


@only("viewer")
def check_number(number: str, country: str) -> NumberCheck:
    """Ask the service about a number; this may cost money, so only a signed-in person can."""
    return runtime.current().service.validate(number, country)


@only("viewer", tells=[])
def handed_out(make: Callable[[], bytes], about: str, kind: str) -> Callable[[], bytes]:
    """A file's maker that keeps in the audit trail who fetched it; to be called outside the session.

    Args:
        make: Makes the file.
        about: What it is about: the id of a campaign, a list or a draft, or a word of ours.
        kind: Which file, in a word of ours.

    Raises:
        NotAllowedError: The person may not download files; or, from the maker, no longer may.
    """
    audit, person = runtime.current().ledger.audit, signed_in()
    if not person.may_export:
        raise NotAllowedError(
            _("You may look at this, but not download it. Ask an administrator for the right.")
        )

    def made() -> bytes:
        if not still_may(person):
            raise NotAllowedError(_("What you may do has changed. Reload the page."))
        audit.tell("export", about, {"kind": kind}, who=person.name)
        return make()

    return made
