"""Everything a page can change, each change checked against the person's role at that moment.

Pages write through these functions only; `tests/app/test_people.py` checks that each one requires a role, and
`tests/app/test_audit_of_actions.py` that each one leaves one row in the audit trail.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import pandas as pd

from dashboard.app import runtime
from dashboard.app.draft_sheets import as_columns, columns_of, lists_of, names_of, sheet_of
from dashboard.app.drafts import DECIDED, Columns, Decide, Draft, DraftHours
from dashboard.app.four_eyes import alone_up_to, needs_approval
from dashboard.app.gathered import (
    all_applied,
    ask_ledger_again,
    checked_of,
    contacts_of,
    kept_audience,
    typed_of,
)
from dashboard.app.people import NotAllowedError, only, signed_in, still_may
from dashboard.app.prepare import Seen, capped_of, check_as_seen, version_of
from dashboard.app.runtime import Runtime
from dashboard.app.sample import COUNTRY, SHEET, is_sample
from dashboard.app.standing.follow_ups import COLUMNS, Group, chosen, people
from dashboard.app.starts import Start
from dashboard.app.timing import held_until
from dashboard.campaigns import trial_messages
from dashboard.campaigns.when.schedule import scheduled_time
from dashboard.contacts import guess_columns, header_signature, write_csv
from dashboard.contacts.read.sheet import sheet_of_frame
from dashboard.errors import CampaignError, DashboardError, LedgerError, OutputError
from dashboard.jobs.guards import freeze_campaign, texts_per_person
from dashboard.ledger import Listed, ReportResult, SavedText, SettingChange
from dashboard.ledger.audit.acting import acting
from dashboard.ledger.audit.chain import Detail
from dashboard.ledger.audit.verbs import Verb
from dashboard.ledger.database.states import Decision
from dashboard.service import NumberCheck
from dashboard.words import _

log = logging.getLogger(__name__)


class AlreadySentError(CampaignError):
    """The draft has already become a campaign, in this tab or another; `campaign` is its id."""

    def __init__(self, campaign: str) -> None:
        self.campaign = campaign
        super().__init__(_("This campaign had already been started. Nothing was sent twice."))


@only("sender")
def begin_draft(file_name: str, content: BinaryIO) -> Draft:
    """Store an uploaded sheet and begin a campaign with it."""
    draft = _begun(runtime.current().drafts.begin(signed_in().name, file_name, content))
    _tell("upload", draft.id, bytes=draft.size_bytes)
    return draft


def _tell(verb: Verb, about: str, **details: Detail) -> None:
    """Keep in the audit trail what was done to a draft, a file or a report; the ledger tells the rest."""
    runtime.current().ledger.audit.tell(verb, about, details)


def _begun(draft: Draft) -> Draft:
    """A new draft with the quiet hours that are usual here."""
    usual = runtime.current().settings.texting_hours
    if usual is None:
        return draft
    hours = DraftHours(start=usual.start, end=usual.end, days=usual.days)
    return runtime.current().drafts.change(draft.id, draft.owner, keep_hours=True, hours=hours) or draft


@only("sender")
def begin_sample() -> Draft:
    """Begin a campaign with the sample sheet, at the step in which its columns are matched.

    Raises:
        CampaignError: There is a real service.
    """
    app = runtime.current()
    _keep_sample_in_sandbox()
    with SHEET.open("rb") as content:
        draft = begin_draft(_("Sample sheet.csv"), content)
    chosen: dict[str, Any] = {"name": _("Sample – nobody is texted"), "country": COUNTRY, "step": 2}
    return app.drafts.change(draft.id, draft.owner, **chosen) or draft


def _keep_sample_in_sandbox() -> None:
    if not runtime.current().given.uses_sandbox:
        raise CampaignError(
            _(
                "The numbers of the sample sheet are made up and may belong to somebody, so they are texted "
                "only in the sandbox. Use a sheet of your own."
            )
        )


@only("sender")
def fill_sample_history() -> None:
    """Make a year of made-up campaigns to look at, in the background and in a ledger of their own.

    Raises:
        CampaignError: There is a real service, or a campaign.
    """
    app = runtime.current()
    _keep_sample_in_sandbox()
    if not app.ledger.campaigns().empty:
        raise CampaignError(_("There are campaigns already, so sample history is not shown beside them."))
    app.sample_history.fill(app.now(), app.currency)
    _tell("sample", "sample history", is_shown=True)


@only("sender")
def remove_sample_history() -> None:
    """Delete the made-up campaigns."""
    runtime.current().sample_history.remove()
    _tell("sample", "sample history", is_shown=False)


@only("sender")
def replace_sheet(draft: Draft, file_name: str, content: BinaryIO) -> Draft:
    """Store another sheet for a draft."""
    replaced = runtime.current().drafts.replace_sheet(draft, file_name, content)
    _tell("upload", draft.id, bytes=replaced.size_bytes)
    return replaced


@only("sender")
def add_list(draft_id: str, file_name: str, content: BinaryIO, *, leaves_out: bool) -> None:
    """Store a further list for a draft: of people to text, or of people to leave out."""
    app = runtime.current()
    draft = app.drafts.find(draft_id, signed_in().name)
    if draft is not None:
        added = app.drafts.add_list(draft, file_name, content, leaves_out=leaves_out)
        _tell("upload", draft.id, bytes=added.size_bytes, leaves_out=leaves_out)


@only("sender")
def add_saved_list(draft_id: str, list_id: str, *, leaves_out: bool) -> None:
    """Add a saved list to a draft, in the same way.

    Raises:
        LedgerError: It is no longer saved.
    """
    app = runtime.current()
    draft = app.drafts.find(draft_id, signed_in().name)
    if draft is not None:
        saved = app.ledger.lists.find(list_id)
        choices = dict(saved.choices) | {"saved_list": list_id}
        with _content(list_id) as content:
            app.drafts.add_list(draft, saved.source, content, choices, leaves_out=leaves_out, name=saved.name)
        _tell("edit", draft.id, list=list_id, leaves_out=leaves_out)


@only("sender")
def remove_list(draft_id: str, list_id: str) -> None:
    """Take a further list away from a draft."""
    app = runtime.current()
    draft = app.drafts.find(draft_id, signed_in().name)
    if draft is not None and list_id in draft.lists:
        app.drafts.remove_list(draft, list_id)
        _tell("edit", draft.id, changed=["lists"])


@contextmanager
def _content(list_id: str) -> Iterator[BinaryIO]:
    """The file of a saved list."""
    with TemporaryFile() as content:
        for part in runtime.current().ledger.lists.content(list_id):
            content.write(part)
        yield content


@only("sender")
def change_draft(drawn: Draft | str, decide: Decide | None = None, /, **changes: Any) -> None:
    """Change fields of the person's own draft as it is on disk now; do nothing if it is gone or sent.

    The audit trail is told of each field once: what somebody types is stored every second.

    Args:
        drawn: The draft as it was drawn, or its id. What is decided about rows that were drawn is not taken
            if the draft has others by now, because its sheet is read otherwise in another tab.
        decide: Gives the changes, if they depend on what the draft is now: another tab may be changing it.
        changes: The changes, if they do not.
    """
    edited: list[str] = []
    draft_id = drawn if isinstance(drawn, str) else drawn.id

    def deciding(now: Draft) -> dict[str, Any]:
        new = dict(changes if decide is None else decide(now))
        if isinstance(drawn, Draft) and not now.is_about_rows_of(drawn):
            new = {name: value for name, value in new.items() if name not in DECIDED}
        about = new.keys() - now.told - {"step"}  # which step is open says nothing of the campaign
        edited[:] = sorted(name for name in about if new[name] != getattr(now, name))
        return new | {"told": now.told.union(edited)}

    if runtime.current().drafts.change(draft_id, signed_in().name, deciding) is not None and edited:
        _tell("edit", draft_id, changed=edited)


@only("sender")
def change_variant(draft_id: str, place: int, **changes: Any) -> None:
    """Change fields of one of a draft's variants as they are on disk now; do nothing if it is gone."""

    def decide(now: Draft) -> dict[str, Any]:
        variants = list(now.variants)
        if place < len(variants):
            variants[place] = variants[place].model_copy(update=changes)
        return {"variants": tuple(variants)}

    change_draft(draft_id, decide)


@only("sender")
def recall_columns(draft: Draft) -> Draft:
    """Choose the columns that were confirmed in an earlier sheet with the same names, if there was one."""
    signature = header_signature(sheet_of(draft))
    found = runtime.current().ledger.lists.columns_for(signature) if signature else None
    if found is None:
        return draft
    recalled = {"columns": Columns.model_validate_json(found[0]), "columns_since": found[1]}
    changed = runtime.current().drafts.change(draft.id, draft.owner, **recalled)
    if changed is None:
        return draft
    _tell("edit", draft.id, changed=["columns"])
    return changed


@only("sender")
def confirm_columns(draft: Draft) -> None:
    """Keep the columns, and remember them for the next sheet with the same column names.

    The draft is read again: a choice made a moment ago may have come with the same click. Nothing is
    confirmed that was not drawn: another tab may have it read otherwise by now.
    """
    app = runtime.current()
    drawn, draft = draft, app.drafts.find(draft.id, signed_in().name) or draft
    if not draft.is_about_rows_of(drawn):
        return
    for one in [draft, *app.drafts.lists(draft)]:
        columns = as_columns(columns_of(one))
        change_draft(one, columns=columns, country=one.country or draft.country)
        if signature := header_signature(sheet_of(one)):
            app.ledger.lists.remember_columns(signature, columns.model_dump_json())


@only("sender")
def save_list(draft: Draft, name: str) -> None:
    """Save the draft's sheet with what was decided about it, under a name."""
    app = runtime.current()
    with app.drafts.sheet(draft).open("rb") as content:
        saved = app.ledger.lists.save(
            name,
            content,
            source=draft.file_name,
            who=signed_in().name,
            choices=draft.about_sheet(),
            counts=checked_of(draft).counts(),
            replacing=draft.saved_list,
        )
    change_draft(draft.id, saved_list=saved)


@only("sender")
def use_list(list_id: str, draft: Draft | None = None) -> Draft:
    """Begin a campaign with a saved list, or go on with a draft without a sheet; rows are checked again."""
    app = runtime.current()
    saved = app.ledger.lists.find(list_id)
    with _content(list_id) as content:
        begun = app.drafts.begin(signed_in().name, saved.source, content, saved.choices, draft)
    draft = begun if draft else _begun(begun)
    step = 3 if draft.columns else 2
    _tell("begin", draft.id, list=list_id)
    return app.drafts.change(draft.id, draft.owner, saved_list=list_id, step=step) or draft


@only("sender")
def use_texts(campaign_id: str) -> Draft:
    """Begin a campaign with what an earlier one said: its text or texts, its sender and its links."""
    app = runtime.current()
    campaign = app.ledger.campaign(campaign_id)
    kept = app.ledger.audience(campaign.campaign)
    texts = app.ledger.sent_texts(campaign_id)
    draft = _begun(app.drafts.begin_again(signed_in().name, campaign, texts, kept))
    _tell("begin", draft.id, campaign=campaign_id)
    return draft


@only("sender")
def follow_up(campaign_id: str, group: Group, days: int) -> Draft:
    """Begin a campaign for a group of an earlier one's people, with a sheet of their own; sends nothing.

    The text is the earlier one, except for people who have it already.

    Raises:
        CampaignError: Nobody is in this group.
    """
    app = runtime.current()
    now = app.now()
    campaign = app.ledger.campaign(campaign_id)
    messages = app.ledger.messages(campaign_id, columns=COLUMNS)
    found = people(messages[chosen(messages, group, days, now)], app.ledger.sheet_rows(campaign_id), now)
    if found.sheet.empty:
        raise CampaignError(_("Nobody is in this group. Choose another one, or look again later."))
    draft = _begun(app.drafts.begin_again(signed_in().name, campaign, app.ledger.sent_texts(campaign_id)))
    new: dict[str, Any] = (
        {} if group is Group.REJECTED else {"name": _("{name} – follow-up").format(name=campaign.name)}
    )
    if group is Group.DELIVERED:
        new |= {"template": "", "variants": ()}
    with TemporaryFile() as content:
        write_csv(found.sheet, content)
        draft = app.drafts.begin(draft.owner, f"{campaign.name}.csv", content, new, draft)
    guessed = guess_columns(sheet_of_frame(found.sheet))
    columns = as_columns(guessed.with_phones((found.phone,)))
    _tell("begin", draft.id, campaign=campaign_id, group=group.name.lower(), people=len(found.sheet))
    return app.drafts.change(draft.id, draft.owner, columns=columns, step=3) or draft


@only("sender", tells=["begin"])
def use_earlier_lists(draft_id: str) -> Draft | None:
    """Go on with a draft without a sheet, with those lists of the earlier campaign that are saved.

    Raises:
        LedgerError: One of them is no longer saved.
        OutputError: One of them cannot be stored.
    """
    draft = runtime.current().drafts.find(draft_id, signed_in().name)
    if draft is None or draft.file_name:
        return None
    saved = [one for one in draft.earlier_lists if one.saved_list]
    first, *others = sorted(saved, key=lambda one: one.leaves_out)
    before = draft.lists
    try:
        for one in others:
            add_saved_list(draft.id, str(one.saved_list), leaves_out=one.leaves_out)
        return use_list(str(first.saved_list), draft)  # last: without it the draft has no sheet yet
    except DashboardError:  # all or none: a list that leaves people out must not be missing
        now = runtime.current().drafts.find(draft_id, signed_in().name) or draft
        for added in set(now.lists) - set(before):
            runtime.current().drafts.remove_list(now, added)
        raise


@only("sender")
def delete_list(list_id: str) -> None:
    """Delete a saved list with its sheet."""
    runtime.current().ledger.lists.delete(list_id)


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
def delete_text(text_id: str) -> None:
    """Delete a saved text."""
    runtime.current().ledger.library.delete(text_id, who=signed_in().name)


@only("sender")
def discard_draft(draft: Draft) -> None:
    """Delete a draft with its sheet, unless it is just becoming a campaign."""
    app = runtime.current()
    running = app.starts.find(draft.id)
    if running is None or running.is_over:
        app.drafts.discard(draft)
        app.starts.forget(draft.id)
        _tell("delete", draft.id, kind="draft")


@only("sender")
def start_campaign(draft: Draft, seen: Seen | None = None) -> Start:
    """Freeze the draft's messages as a campaign and start or schedule it, in the background.

    The draft's id is the ledger's one-time token: a second click, a second tab or a crash after the freeze
    all lead to the same campaign, as long as the draft says the same. The draft is read again: it may have
    changed since.

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
        _keep_sample_in_sandbox()
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
    }
    waits = needs_approval(written.estimate.messages)
    if seen is not None:  # last: whatever other tabs change from here on is not in what is frozen
        version = version_of(app.drafts.find(stored.id, stored.owner) or stored)
        check_as_seen(seen, Seen(written, version, waits), now)
    above, who = 0 if waits else alone_up_to(), signed_in().name  # 0: what was agreed to is to ask

    def work(on_progress: Callable[[float], None]) -> str:
        with acting(who, ["start", "ask approval"]):  # in a thread of its own
            return _start(app, stored, written.messages, made_of, above, on_progress)

    return app.starts.begin(stored.id, written.estimate.messages, work)


def _unsent(draft: Draft) -> Draft:
    """A draft as it is on disk now; raises what `start_campaign` does if it is gone or sent."""
    stored = runtime.current().drafts.find(draft.id, draft.owner)
    if stored is None:
        raise CampaignError(
            _("This draft no longer exists, or it belongs to somebody else. Start a new one.")
        )
    if stored.campaign is not None:
        raise AlreadySentError(stored.campaign)
    return stored


def _start(
    app: Runtime,
    draft: Draft,
    messages: pd.DataFrame,
    made_of: Mapping[str, Any],
    above: int | None,
    on_progress: Callable[[float], None],
) -> str:
    campaign = freeze_campaign(
        app.ledger,
        app.settings,
        draft.name,
        messages,
        **made_of,
        waits=above is not None,
        token=draft.id,
        again=True,  # the page says so above its button
        texts_per_person=texts_per_person(app.settings),
        on_progress=on_progress,
    )
    found = app.ledger.campaign(campaign)
    if found.state == "cancelled":  # while its draft was still open; the sheet is kept
        raise CampaignError(
            _(
                "This draft became the campaign “{name}” ({campaign}), which was cancelled. Nothing more was "
                "sent. To send it after all, give the campaign another name first."
            ).format(name=found.name, campaign=campaign)
        )
    if found.state == "draft":
        app.ledger.approvals.start(campaign, who=draft.owner, above=above)
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
    if draft.campaign is not None:
        return draft
    with suppress(LedgerError):  # then it is found when it is sent
        campaign = app.ledger.made_with(draft.id)
        if campaign is not None and _was_let_go(app, campaign):
            return _finish(app, draft, campaign)
    return draft


def _was_let_go(app: Runtime, campaign: str) -> bool:
    """Whether a campaign was started, or waits for its time or an approval; not if that was refused."""
    found = app.ledger.campaign(campaign)
    return found.state not in {"draft", "cancelled"} or campaign in app.ledger.approvals.asked([campaign])


@only("sender", tells=["start"])
def send_trial(draft: Draft, messages: pd.DataFrame, place: int, phones: Sequence[str]) -> str:
    """Send one of a draft's messages to the sender's own phones, as a separate campaign; returns its id.

    Raises:
        CampaignError: The message or a number cannot be used, or a cap is reached.
        LedgerError: The ledger refused.
    """
    app = runtime.current()
    trial = trial_messages(messages, place, phones, country=draft.country)
    name = str(trial["campaign"].iloc[0])
    campaign = freeze_campaign(
        app.ledger, app.settings, name, trial, prices=app.prices, source=None, again=True
    )
    if not app.ledger.approvals.start(campaign, who=signed_in().name, above=alone_up_to(), ask=False):
        app.ledger.cancel(campaign, "It would have needed an approval.")
        raise CampaignError(
            _(
                "You have started as many messages today as you may start alone. Test messages count as "
                "well; send this one tomorrow, or ask for the campaign's approval without it."
            )
        )
    return campaign


@only("sender")
def start_prepared(campaign: str) -> None:
    """Start a campaign that was prepared and not started, or one that waits for its time.

    It asks for an approval if the person may not start it alone.

    Raises:
        CampaignError: People would be texted too often.
    """
    app = runtime.current()
    cap = texts_per_person(app.settings)
    app.ledger.approvals.start(campaign, who=signed_in().name, above=alone_up_to(), texts_per_person=cap)


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
    runtime.current().ledger.pause(campaign, f"Paused by {signed_in().name}.")


@only("sender")
def resume_campaign(campaign: str) -> None:
    """Go on with a paused campaign."""
    runtime.current().ledger.resume(campaign)


@only("sender")
def cancel_campaign(campaign: str) -> None:
    """Send no more of a campaign, for good; what was handed over cannot be recalled."""
    runtime.current().ledger.cancel(campaign, f"Cancelled by {signed_in().name}.")


@only("sender")
def decide_batches(campaign: str, decision: Decision, why: str, *, only: Sequence[int] | None = None) -> None:
    """Decide what became of a campaign's unknown batches: all of them, or only these."""
    runtime.current().ledger.decide_all(campaign, decision, signed_in().name, why, batches=only)


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
    _tell("upload", "delivery reports", taken=result.taken, stale=result.stale, unreadable=result.unreadable)
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


@only("sender", tells=[])
def rows_to_check(list_id: str) -> pd.DataFrame:
    """A saved list's numbers, each once, checked again: row, number, country, valid, line_type (ours).

    Raises:
        DashboardError: The list is gone, or can no longer be read.
    """
    draft = use_list(list_id)
    try:
        rows, home = contacts_of(draft).rows, draft.country
    finally:
        discard_draft(draft)
    valid = rows["phone"].notna()
    numbers = pd.DataFrame(
        {
            "row": rows["row"],
            "number": rows["phone"].astype("str").where(valid, rows["raw_phone"].astype("str")).str.strip(),
            "country": rows["country"].astype("str").fillna(home or ""),
            "valid": valid,
            "line_type": rows["line_type"].astype("str"),
        }
    )
    asked = numbers["number"].fillna("").ne("") & numbers["country"].ne("")
    return numbers[asked].drop_duplicates(["number", "country"], ignore_index=True)
