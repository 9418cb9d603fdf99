"""Where drafts are: each in its own folder in the data folder, so a reload or restart loses nothing."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import time as unix_now
from typing import Any, BinaryIO
from uuid import uuid4

from pydantic import ValidationError

from dashboard.app.audience import DraftAudience, KeptList
from dashboard.app.drafts import (
    READING,
    Decide,
    Draft,
    DraftVariant,
    anew,
    moved,
    renumbered,
)
from dashboard.campaigns import SentText
from dashboard.contacts.row_numbers import BLOCK
from dashboard.errors import OutputError
from dashboard.ledger import Campaign
from dashboard.output import whole
from dashboard.words import _

log = logging.getLogger(__name__)
_DRAFT = "draft.json"
_ID = re.compile(r"[0-9a-f]{32}")
_CHUNK_BYTES = 1 << 20


class Drafts:
    """The drafts in a folder.

    Args:
        folder: Where they are.
        kept_days: How long `sweep` leaves those that nobody uses.
    """

    def __init__(self, folder: Path, kept_days: int = 14) -> None:
        self._folder = folder
        self._kept_days = kept_days
        self._changing = Lock()

    def begin(
        self,
        owner: str,
        file_name: str,
        content: BinaryIO,
        about_sheet: Mapping[str, Any] | None = None,
        draft: Draft | None = None,
    ) -> Draft:
        """Store a sheet on disk and begin a draft with it.

        Args:
            owner: Whose draft it is.
            file_name: Name of the sheet.
            content: The sheet.
            about_sheet: What was decided about it before, as `Draft.about_sheet` gave it.
            draft: One that has no sheet yet, to begin with instead of a new one.

        Raises:
            OutputError: The sheet cannot be stored; no new draft is left.
        """
        begun = draft or self._new(owner)
        try:
            stored = self.replace_sheet(begun, file_name, content)
        except OutputError:
            if draft is None:
                self.discard(begun)
            raise
        begun = Draft.model_validate(dict(stored) | dict(about_sheet or {}))
        return self.save(begun.model_copy(update={"recalled": begun.columns and begun.columns.answers}))

    def begin_again(
        self,
        owner: str,
        campaign: Campaign,
        texts: Sequence[SentText],
        audience: Mapping[str, Any] | None = None,
    ) -> Draft:
        """Begin a draft that says what an earlier campaign said; it has no sheet yet.

        Args:
            owner: Whose draft it is.
            campaign: The earlier one, for its name, sender and links.
            texts: Its texts; several are compared again, with equal shares.
            audience: Whom of which lists it was made for, as `kept_audience` gave it.
        """
        is_one, kept = len(texts) == 1, dict(audience or {})
        return self._new(
            owner,
            name=campaign.name,
            sender=campaign.sender or "",
            shorten_links=campaign.shorten_links,
            audience=DraftAudience.model_validate(kept.get("audience", {})),
            earlier_lists=tuple(map(KeptList.model_validate, kept.get("lists", ()))),
            template=texts[0].template,
            tracking=(texts[0].tracking or "") if is_one else "",
            variants=() if is_one else tuple(_variant(campaign.name, text) for text in texts),
        )

    def _new(self, owner: str, **fields: Any) -> Draft:
        draft = Draft(id=uuid4().hex, owner=owner, created_at=datetime.now(UTC), **fields)
        (self._folder / draft.id).mkdir(parents=True, mode=0o700)
        return self.save(draft)

    def add_list(
        self,
        draft: Draft,
        file_name: str,
        content: BinaryIO,
        about_sheet: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> Draft:
        """Store a further list for a draft; returns the list's own draft.

        Args:
            draft: The draft. If it is gone or sent by the time the sheet is stored, nothing is left of it.
            file_name: Name of the sheet.
            content: The sheet.
            about_sheet: What was decided about it before, as `Draft.about_sheet` gave it.
            fields: More fields of the list's draft, such as `leaves_out`.
        """
        one = self._new(draft.owner, part_of=draft.id, **fields)
        try:
            one = self.begin(draft.owner, file_name, content, about_sheet, one)
        except OutputError:
            self.discard(one)
            raise
        added = self.change(draft.id, draft.owner, lambda now: {"lists": (*now.lists, one.id)})
        if added is None:  # while the file was coming in
            self.discard(one)
        return one

    def lists(self, draft: Draft) -> list[Draft]:
        """The further lists of a draft, in order; without `lost_lists`."""
        return [one for one in map(self._read, draft.lists) if one is not None]

    def lost_lists(self, draft: Draft) -> list[str]:
        """The ids of those that cannot be read any more: nobody knows whom they leave out."""
        return [one for one in draft.lists if self._read(one) is None]

    def remove_list(self, draft: Draft, list_id: str) -> None:
        """Delete a further list; what was decided about rows of the lists after it moves with them."""
        self.change(draft.id, draft.owner, partial(self._without, list_id))
        shutil.rmtree(self._folder / list_id, ignore_errors=True)

    def _without(self, list_id: str, draft: Draft) -> dict[str, Any]:
        """What changes about a draft when one of its lists goes; nothing if another tab removed it."""
        if list_id not in draft.lists:
            return {}
        texted = [one.id for one in self.lists(draft) if not one.leaves_out]
        gone = texted.index(list_id) + 1 if list_id in texted else None
        changes: dict[str, Any] = {"lists": tuple(one for one in draft.lists if one != list_id)}
        if self._read(list_id) is None:  # nobody knows which rows were its
            return changes | renumbered(draft, lambda row: row if row < BLOCK else None)
        return changes | (renumbered(draft, partial(moved, gone=gone)) if gone else {})

    def replace_sheet(self, draft: Draft, file_name: str, content: BinaryIO) -> Draft:
        """Store another sheet for a draft; what was decided about the old one is dropped.

        Until the new sheet is stored as a whole, the draft keeps the old one.

        Returns:
            The draft as it is then; as it is without the sheet if it was sent meanwhile.

        Raises:
            OutputError: The sheet cannot be stored.
        """
        digest, size_bytes = sha256(), 0
        content.seek(0)
        target = self._folder / draft.id / f"sheet-{uuid4().hex}{_suffix(file_name)}"
        with _whole(target) as part, part.open("wb") as file:
            while chunk := content.read(_CHUNK_BYTES):
                file.write(chunk)
                digest.update(chunk)
                size_bytes += len(chunk)
        about = {"file_name": Path(file_name).name, "size_bytes": size_bytes, "digest": digest.hexdigest()}
        about |= {"stored_as": target.name, **dict.fromkeys(READING[:-1]), "hidden_rows": True}
        with self._changing:
            now = self._read(draft.id) or draft
            if now.campaign is None:
                now = anew(now) if now.file_name else now
                now = self.save(now.model_copy(update=about))
        for other in target.parent.glob("sheet*"):
            if other != self.sheet(now):
                other.unlink(missing_ok=True)
        return now

    def sheet(self, draft: Draft) -> Path:
        """Where the draft's sheet is."""
        return self._folder / draft.id / (draft.stored_as or f"sheet{_suffix(draft.file_name)}")

    def find(self, draft_id: str | None, owner: str) -> Draft | None:
        """The draft with this id, if it exists and belongs to this person, who uses it now: see `sweep`."""
        if not draft_id or not _ID.fullmatch(draft_id):
            return None
        draft = self._read(draft_id)
        if draft is None or draft.owner != owner:
            return None
        if draft.campaign is None:
            with suppress(OSError):  # deleted in another tab, or nothing can be written
                os.utime(self._folder / draft_id / _DRAFT)
        return draft

    def unreadable(self, owner: str) -> list[str]:
        """The ids of drafts that cannot be read, of this person or of nobody knows whom."""
        return [
            entry.name
            for entry in self._entries()
            if self._read(entry.name) is None and _owner(Path(entry.path) / _DRAFT) in {owner, None}
        ]

    def open_ones(self, owner: str) -> list[Draft]:
        """This person's unsent drafts, newest first."""
        mine = [
            draft
            for draft in self._all()
            if draft.owner == owner and draft.campaign is None and draft.part_of is None
        ]
        return sorted(mine, key=lambda draft: draft.created_at, reverse=True)

    def save(self, draft: Draft) -> Draft:
        """Write a draft; a crash leaves the old or the new one, never half of it.

        Raises:
            OutputError: It cannot be written; the old one stays.
        """
        with _whole(self._folder / draft.id / _DRAFT) as part:
            part.write_text(draft.model_dump_json(), "utf-8")
        return draft

    def change(
        self, draft_id: str, owner: str, decide: Decide | None = None, /, **changes: Any
    ) -> Draft | None:
        """Change fields of a person's draft as it is on disk now, whoever else changes it at this moment.

        If its sheet is read otherwise from then on, what was decided about its columns and rows is dropped.

        Args:
            draft_id: Which.
            owner: Whose.
            decide: Gives the changes from what the draft is now, if they depend on it.
            changes: The changes, if they do not.

        Returns:
            The draft as it is then; None if it is gone or sent, and nothing is changed.
        """
        with self._changing:
            draft = self.find(draft_id, owner)
            if draft is None or draft.campaign is not None:
                return None
            changed = draft.model_copy(update=changes if decide is None else decide(draft))
            if any(getattr(changed, field) != getattr(draft, field) for field in READING):
                self._tell_whole(changed)
                return self.save(anew(changed))
            return self.save(changed.model_copy(update={"reached": max(draft.furthest, changed.step)}))

    def _tell_whole(self, one: Draft) -> None:
        """Drop what was decided about the rows of a list in the draft that it is part of."""
        whole_draft = self._read(one.part_of) if one.part_of else None
        if whole_draft is not None and whole_draft.campaign is None and one.id in whole_draft.lists:
            texted = [each.id for each in self.lists(whole_draft) if not each.leaves_out]
            self.save(anew(whole_draft, texted.index(one.id) + 1 if one.id in texted else -1))

    def finish(self, draft: Draft, campaign: str) -> Draft:
        """Record what the draft became and delete its sheet: the campaign has everything it needs."""
        done = Draft(
            id=draft.id, owner=draft.owner, created_at=draft.created_at, name=draft.name, campaign=campaign
        )
        with self._changing:
            self.save(done)
        for left in self._folder.joinpath(draft.id).iterdir():
            if left.name != _DRAFT:
                left.unlink(missing_ok=True)
        self._delete_lists(draft)
        return done

    def discard(self, draft: Draft) -> None:
        """Delete a draft with its sheets."""
        self._delete_lists(draft)
        shutil.rmtree(self._folder / draft.id, ignore_errors=True)

    def sweep(self, *, now: float | None = None) -> int:
        """Delete drafts that nobody has used for too long, and what a crash left of others.

        Returns:
            How many drafts were deleted.
        """
        limit = (unix_now() if now is None else now) - self._kept_days * 86_400
        there, deleted = list(self._all()), 0
        for draft in there:
            if self._touched(draft) < limit:
                self.discard(draft)
                deleted += 1
        known = {draft.id for draft in there}
        for entry in self._entries():
            if entry.name not in known and entry.stat().st_mtime < limit:
                shutil.rmtree(entry.path, ignore_errors=True)
        return deleted

    def _touched(self, draft: Draft) -> float:
        """When a draft was last used; a list lives as long as the draft that it is part of."""
        return max(
            _touched(self._folder / one) for one in (draft.id, draft.part_of or draft.id, *draft.lists)
        )

    def _delete_lists(self, draft: Draft) -> None:
        for list_id in draft.lists:
            shutil.rmtree(self._folder / list_id, ignore_errors=True)

    def _all(self) -> Iterator[Draft]:
        for entry in self._entries():
            if (draft := self._read(entry.name)) is not None:
                yield draft

    def _entries(self) -> list[os.DirEntry[str]]:
        if not self._folder.is_dir():
            return []
        return [entry for entry in os.scandir(self._folder) if _ID.fullmatch(entry.name)]

    def _read(self, draft_id: str) -> Draft | None:
        with suppress(FileNotFoundError, ValidationError):
            draft = Draft.model_validate_json((self._folder / draft_id / _DRAFT).read_bytes())
            return draft if draft.id == draft_id else None
        return None


def _variant(name: str, text: SentText) -> DraftVariant:
    suffix = text.campaign.removeprefix(name).strip()
    return DraftVariant(template=text.template, tracking=text.tracking or "", suffix=suffix)


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A private file in the folder of a draft, as `output.whole` writes it."""
    try:
        with whole(target, private=True) as part:
            yield part
    except OutputError as error:
        log.warning("A draft cannot be stored: %s", error)
        raise OutputError(
            _(
                "This could not be stored, so nothing was changed: the dashboard's disk may be full. Tell "
                "whoever runs it, and try again."
            )
        ) from error


def _suffix(file_name: str) -> str:
    suffix = Path(file_name).suffix.lower()
    return suffix if re.fullmatch(r"\.[a-z0-9]{1,8}", suffix) else ""


def _owner(file: Path) -> str | None:
    """Whose draft it is that cannot be read; "" if there is none."""
    try:
        return str(json.loads(file.read_bytes())["owner"])
    except FileNotFoundError:
        return ""
    except (ValueError, LookupError, TypeError):
        return None


def _touched(folder: Path) -> float:
    with suppress(FileNotFoundError):
        return (folder / _DRAFT).stat().st_mtime
    return 0.0
