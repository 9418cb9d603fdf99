"""What a person does to the drafts of campaigns and to saved lists, each checked against their role."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import pandas as pd

from dashboard.app import runtime
from dashboard.app.draft_sheets import as_columns, columns_of, confirmed, guessed_of, lists_of, sheet_of
from dashboard.app.drafts import DECIDED, Columns, Decide, Draft, DraftHours
from dashboard.app.gathered import checked_of, contacts_of
from dashboard.app.people import only, signed_in, tell
from dashboard.app.sample import COUNTRY, SHEET, keep_sample_in_sandbox
from dashboard.app.standing.follow_ups import COLUMNS, Group, chosen, people
from dashboard.contacts import guess_columns, write_csv
from dashboard.contacts.read.sheet import sheet_of_frame
from dashboard.errors import CampaignError, DashboardError, SheetError
from dashboard.words import _


@only("sender")
def begin_draft(file_name: str, content: BinaryIO) -> Draft:
    """Store an uploaded sheet and begin a campaign with it."""
    draft = _begun(runtime.current().drafts.begin(signed_in().name, file_name, content))
    tell("upload", draft.id, bytes=draft.size_bytes)
    return draft


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
    keep_sample_in_sandbox(app.given)
    with SHEET.open("rb") as content:
        draft = begin_draft(_("Sample sheet.csv"), content)
    chosen: dict[str, Any] = {"name": _("Sample – nobody is texted"), "country": COUNTRY, "step": 2}
    return app.drafts.change(draft.id, draft.owner, **chosen) or draft


@only("sender")
def replace_sheet(draft: Draft, file_name: str, content: BinaryIO) -> Draft:
    """Store another sheet for a draft."""
    replaced = runtime.current().drafts.replace_sheet(draft, file_name, content)
    tell("upload", draft.id, bytes=replaced.size_bytes)
    return replaced


@only("sender")
def add_list(draft_id: str, file_name: str, content: BinaryIO, *, leaves_out: bool) -> None:
    """Store a further list for a draft: of people to text, or of people to leave out."""
    app = runtime.current()
    draft = app.drafts.find(draft_id, signed_in().name)
    if draft is not None:
        added = app.drafts.add_list(draft, file_name, content, leaves_out=leaves_out)
        tell("upload", draft.id, bytes=added.size_bytes, leaves_out=leaves_out)


@only("sender")
def add_saved_list(draft_id: str, list_id: str, *, leaves_out: bool) -> None:
    """Add a saved list to a draft, in the same way.

    Raises:
        LedgerError: It is no longer saved.
    """
    app = runtime.current()
    draft = app.drafts.find(draft_id, signed_in().name)
    if draft is not None:
        saved, content = app.ledger.lists.find_with_content(list_id)
        sheet, choices = BytesIO(content), {**saved.choices, "saved_list": list_id}
        app.drafts.add_list(draft, saved.source, sheet, choices, leaves_out=leaves_out, name=saved.name)
        tell("edit", draft.id, list=list_id, leaves_out=leaves_out)


@only("sender")
def remove_list(draft_id: str, list_id: str) -> None:
    """Take a further list away from a draft."""
    app = runtime.current()
    draft = app.drafts.find(draft_id, signed_in().name)
    if draft is not None and list_id in draft.lists:
        app.drafts.remove_list(draft, list_id)
        tell("edit", draft.id, changed=["lists"])


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
        about = new.keys() - now.told - {"step", "recalled"}  # these say nothing of the campaign
        edited[:] = sorted(name for name in about if new[name] != getattr(now, name))
        return new | {"told": now.told.union(edited)}

    if runtime.current().drafts.change(draft_id, signed_in().name, deciding) is not None and edited:
        tell("edit", draft_id, changed=edited)


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
    """Choose what was confirmed before, if anything was, unless somebody has chosen it by now.

    The columns come from an earlier sheet with the same names, the answers from any sheet: see
    `ColumnAnswers`.
    """
    if draft.columns is not None and draft.columns.answers is not None:
        return draft
    ledger, recalled = runtime.current().ledger, dict[str, Any]()
    columns, sheet = draft.columns, sheet_of(draft)
    if columns is None and (found := ledger.lists.columns_for(sheet)):
        columns = Columns.model_validate_json(found[0])
        recalled["columns_since"] = found[1]
    guessed = guessed_of(draft)
    answered = ledger.column_answers.recall(sheet, guessed, confirmed(guessed, columns))
    if not recalled and not answered.answers:
        return draft
    recalled["columns"] = as_columns(answered, guessed)
    recalled["recalled"] = recalled["columns"].answers
    changed = runtime.current().drafts.change(draft.id, draft.owner, **recalled)
    if changed is None:
        return draft
    tell("edit", draft.id, changed=["columns"])
    return changed


@only("sender")
def confirm_columns(draft: Draft) -> None:
    """Keep the columns, and remember them and the answers that were given here for the next sheets.

    The draft is read again: a choice made a moment ago may have come with the same click. Nothing is
    confirmed that was not drawn: another tab may have it read otherwise by now.
    """
    app = runtime.current()
    drawn, draft = draft, app.drafts.find(draft.id, signed_in().name) or draft
    if not draft.is_about_rows_of(drawn):
        return
    for one in [draft, *app.drafts.lists(draft)]:
        sheet, chosen = sheet_of(one), columns_of(one)
        columns = as_columns(chosen, guessed_of(one))
        country = one.country or draft.country
        change_draft(one, columns=columns, recalled=columns.answers, country=country)
        app.ledger.lists.remember_columns(sheet, columns.model_dump_json(exclude={"answers"}))
        app.ledger.column_answers.remember(sheet, chosen, who=signed_in().name, earlier=one.recalled)


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
    saved, content = app.ledger.lists.find_with_content(list_id)
    begun = app.drafts.begin(signed_in().name, saved.source, BytesIO(content), saved.choices, draft)
    draft = begun if draft else _begun(begun)
    tell("begin", draft.id, list=list_id)
    step = 2 if any(map(_is_asking, lists_of(draft))) else 3
    return app.drafts.change(draft.id, draft.owner, saved_list=list_id, step=step) or draft


def _is_asking(draft: Draft) -> bool:
    """Whether its columns are to be looked at: something is open, or was answered from memory just now."""
    if draft.columns is None:
        return True
    with suppress(SheetError):  # the next step says why
        recalled = recall_columns(draft)
        return recalled.recalled != draft.recalled or bool(columns_of(recalled).questions)
    return False


@only("sender")
def use_texts(campaign_id: str) -> Draft:
    """Begin a campaign with what an earlier one said: its text or texts, its sender and its links."""
    app = runtime.current()
    campaign = app.ledger.campaign(campaign_id)
    kept = app.ledger.audience(campaign.campaign)
    texts = app.ledger.sent_texts(campaign_id)
    draft = _begun(app.drafts.begin_again(signed_in().name, campaign, texts, kept))
    tell("begin", draft.id, campaign=campaign_id)
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
    guessed = guess_columns(sheet_of_frame(found.sheet)).with_phones((found.phone,))
    columns = app.ledger.column_answers.recall(sheet_of(draft), guessed)
    tell("begin", draft.id, campaign=campaign_id, group=group.name.lower(), people=len(found.sheet))
    kept = as_columns(columns, guessed)
    step = 2 if columns.questions or columns.answers else 3
    return app.drafts.change(draft.id, draft.owner, columns=kept, recalled=kept.answers, step=step) or draft


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
def discard_draft(draft: Draft) -> None:
    """Delete a draft with its sheet, unless it is just becoming a campaign."""
    app = runtime.current()
    running = app.starts.find(draft.id)
    if running is None or running.is_over:
        app.drafts.discard(draft)
        app.starts.forget(draft.id)
        tell("delete", draft.id, kind="draft")


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
