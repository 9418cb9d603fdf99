"""Drafts on disk: found by their owner only, whole whatever happens at once, and gone once they are over."""

from __future__ import annotations

import errno
import io
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest
from patience import PATIENCE_S

from dashboard.app.draft_store import Drafts
from dashboard.app.drafts import Columns, Draft
from dashboard.errors import OutputError

SHEET = b"phone\n07911123456\n"
A_MOMENT_S = 0.3


@pytest.fixture
def drafts(tmp_path: Path) -> Drafts:
    return Drafts(tmp_path / "drafts")


@pytest.fixture
def draft(drafts: Drafts) -> Draft:
    """Ann's."""
    return drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))


def found(drafts: Drafts, draft: Draft) -> Draft:
    now = drafts.find(draft.id, "ann")
    assert now is not None
    return now


def test_a_sheet_is_stored_as_it_came_and_never_out_of_the_folder(drafts: Drafts, tmp_path: Path) -> None:
    draft = drafts.begin("ann", "C:\\lists/../contacts.CSV", io.BytesIO(SHEET))
    assert drafts.sheet(draft).read_bytes() == SHEET
    assert (draft.file_name, draft.size_bytes) == ("contacts.CSV", len(SHEET))
    assert drafts.sheet(draft).suffix == ".csv"
    draft = drafts.begin("ann", "x./../../../evil", io.BytesIO(SHEET))
    assert drafts.sheet(draft).resolve().is_relative_to(tmp_path / "drafts")


def test_a_draft_is_found_again_by_its_owner_only(drafts: Drafts, draft: Draft, tmp_path: Path) -> None:
    rows = {"fixes": {2: "1"}, "approved": {3: "f880825e6986c2db"}}
    changed = draft.model_copy(update={"columns": Columns(phones=("phone",)), "step": 3} | rows)
    drafts.save(changed)
    assert Drafts(tmp_path / "drafts").find(draft.id, "ann") == changed
    assert drafts.find(draft.id, "bob") is None
    for wanted in (None, "", "../secrets", "0" * 32, "0" * 31, "A" * 32):
        assert drafts.find(wanted, "ann") is None


def test_what_is_typed_into_one_table_in_two_tabs_at_once_is_all_kept(drafts: Drafts, draft: Draft) -> None:
    together = Barrier(2)

    def type_into(rows: range) -> None:
        together.wait()
        for row in rows:
            drafts.change(draft.id, "ann", lambda now, row=row: {"typed": now.typed | {row: f"07{row}"}})

    with ThreadPoolExecutor(2) as tabs:
        list(tabs.map(type_into, (range(100), range(100, 200))))
    assert sorted(found(drafts, draft).typed) == list(range(200))


def test_lists_that_come_and_go_in_two_tabs_at_once_are_all_counted(drafts: Drafts) -> None:
    seen = drafts.begin("ann", "a.csv", io.BytesIO(b"Phone\n"))  # by both tabs
    added = [
        drafts.add_list(seen, name, io.BytesIO(b"Phone\n"), leaves_out=True) for name in ("b.csv", "c.csv")
    ]
    now = found(drafts, seen)
    assert now.lists == tuple(one.id for one in added)
    for one in added:
        drafts.remove_list(now, one.id)
    assert found(drafts, seen).lists == ()


def test_a_list_that_comes_when_its_draft_has_gone_leaves_nothing(drafts: Drafts, tmp_path: Path) -> None:
    for end in (drafts.discard, lambda draft: drafts.finish(draft, "c1")):
        draft = drafts.begin("ann", "a.csv", io.BytesIO(b"Phone\n"))
        end(draft)
        drafts.add_list(draft, "b.csv", io.BytesIO(b"Phone\n"))
        assert not [path for path in tmp_path.rglob("sheet*") if path.is_file()]


def test_a_change_made_while_a_campaign_starts_does_not_bring_the_draft_back(tmp_path: Path) -> None:
    changing, finished = Event(), Event()

    class Halting(Drafts):
        def save(self, draft: Draft) -> Draft:
            if draft.step == 5:
                changing.set()
                finished.wait(A_MOMENT_S)
            return super().save(draft)

    drafts = Halting(tmp_path / "drafts")
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    with ThreadPoolExecutor(1) as person:
        changed = person.submit(drafts.change, draft.id, "ann", step=5)
        assert changing.wait(PATIENCE_S)
        drafts.finish(draft, "c1")
        finished.set()
        changed.result()
    assert found(drafts, draft).campaign == "c1"


def test_another_sheet_drops_what_was_decided_about_rows_but_keeps_the_message(
    drafts: Drafts, draft: Draft
) -> None:
    draft = drafts.save(draft.model_copy(update={"fixes": {2: "1"}, "template": "Hi!", "step": 4}))
    again = drafts.replace_sheet(draft, "other.xlsx", io.BytesIO(b"PK"))
    assert (again.fixes, again.template, again.step) == ({}, "Hi!", 1)
    assert [*drafts.sheet(again).parent.glob("sheet*")] == [drafts.sheet(again)]
    assert drafts.sheet(again).suffix == ".xlsx"


def test_a_sheet_that_cannot_be_stored_leaves_the_old_one_with_all_that_was_decided(
    drafts: Drafts, draft: Draft, tmp_path: Path
) -> None:
    """A full disk, or an upload that breaks off."""
    draft = drafts.save(draft.model_copy(update={"fixes": {2: "1"}, "template": "Hi!", "step": 4}))

    class Breaking(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell():
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().read(1)

    before = sorted(tmp_path.rglob("*"))
    for store in (
        lambda: drafts.replace_sheet(draft, "other.csv", Breaking(SHEET)),
        lambda: drafts.replace_sheet(draft, "contacts.csv", Breaking(SHEET)),
        lambda: drafts.begin("ann", "other.csv", Breaking(SHEET)),
        lambda: drafts.add_list(draft, "other.csv", Breaking(SHEET)),
    ):
        with pytest.raises(OutputError, match="disk may be full"):
            store()
        assert found(drafts, draft) == draft
        assert drafts.sheet(draft).read_bytes() == SHEET
        assert sorted(tmp_path.rglob("*")) == before


def test_a_sheet_that_was_stored_when_the_process_died_is_not_the_drafts(
    drafts: Drafts, draft: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = drafts.save(draft.model_copy(update={"fixes": {2: "1"}}))

    def die(_draft: Draft) -> Draft:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(drafts, "save", die)
        with pytest.raises(KeyboardInterrupt):
            drafts.replace_sheet(draft, "contacts.csv", io.BytesIO(b"other"))
    assert found(drafts, draft) == draft
    assert drafts.sheet(draft).read_bytes() == SHEET
    assert drafts.sheet(drafts.replace_sheet(draft, "c.csv", io.BytesIO(b"third"))).read_bytes() == b"third"
    assert len([*drafts.sheet(draft).parent.glob("sheet*")]) == 1


def test_a_sheet_that_comes_when_its_draft_was_sent_or_changed_takes_nothing_back(
    drafts: Drafts, draft: Draft
) -> None:
    drafts.change(draft.id, "ann", template="Typed meanwhile")
    assert drafts.replace_sheet(draft, "b.csv", io.BytesIO(b"other")).template == "Typed meanwhile"
    done = drafts.finish(draft, "c1")
    assert drafts.replace_sheet(draft, "b.csv", io.BytesIO(b"other")) == found(drafts, draft) == done
    assert [one.name for one in drafts.sheet(draft).parent.iterdir()] == ["draft.json"]


def test_a_finished_draft_keeps_its_campaign_and_no_personal_data(drafts: Drafts, draft: Draft) -> None:
    draft = drafts.save(draft.model_copy(update={"fixes": {2: "+447911123456"}, "template": "Hi!"}))
    done = drafts.finish(draft, "c1")
    assert drafts.find(draft.id, "ann") == done
    assert done.campaign == "c1"
    left = b"".join(file.read_bytes() for file in drafts.sheet(draft).parent.iterdir())
    assert b"7911" not in left
    assert drafts.open_ones("ann") == []


def test_old_drafts_are_swept_away_and_new_ones_stay(drafts: Drafts, draft: Draft, tmp_path: Path) -> None:
    """Also what a crash left of one, and after as many days as the operator says."""
    day, now = 86_400, time.time()
    old, half = (drafts.begin("ann", name, io.BytesIO(SHEET)) for name in ("old.csv", "half.csv"))
    folder, rest = drafts.sheet(old).parent, drafts.sheet(half).parent
    os.utime(folder / "draft.json", (now - 15 * day, now - 15 * day))
    (rest / "draft.json").unlink()
    assert Drafts(tmp_path / "drafts", kept_days=16).sweep() == 0
    assert drafts.sweep() == 1
    assert drafts.open_ones("ann") == [draft]
    assert not folder.exists()
    assert rest.exists()
    assert Drafts(tmp_path / "drafts", kept_days=30).sweep(now=now + 29 * day) == 0
    drafts.sweep(now=now + 15 * day)
    assert not rest.exists()
    assert drafts.open_ones("ann") == []


def test_a_draft_that_is_open_is_not_swept_however_long_ago_it_was_changed(
    drafts: Drafts, draft: Draft, tmp_path: Path
) -> None:
    day, now = 86_400, time.time()
    drafts.add_list(draft, "more.csv", io.BytesIO(SHEET))
    for file in tmp_path.rglob("draft.json"):
        os.utime(file, (now - 15 * day, now - 15 * day))
    drafts.find(draft.id, "bob")
    drafts.open_ones("ann")
    assert Drafts(tmp_path / "drafts", kept_days=16).sweep() == 0
    opened = found(drafts, draft)
    assert drafts.sweep() == 0
    assert (found(drafts, draft), len(drafts.lists(opened))) == (opened, 1)
    assert drafts.sweep(now=now + 15 * day) == 2
    assert not [*(tmp_path / "drafts").iterdir()]


def test_fingerprints_change_with_what_they_cover_only(drafts: Drafts, draft: Draft) -> None:
    other = draft.model_copy(update={"template": "Hi!"})
    assert draft.fingerprint("digest", "fixes") == other.fingerprint("digest", "fixes")
    assert draft.fingerprint("template") != other.fingerprint("template")


def test_what_was_decided_about_a_sheet_is_taken_up_again(drafts: Drafts, draft: Draft) -> None:
    decided = {"columns": Columns(phones=("phone",)), "fixes": {2: "1"}, "approved": {3: "f880825e6986c2db"}}
    draft = drafts.save(
        draft.model_copy(update={**decided, "country": "GB", "keep": "last", "name": "Spring"})
    )
    again = drafts.begin(
        "bob", "contacts.csv", io.BytesIO(SHEET), json.loads(json.dumps(draft.about_sheet()))
    )
    assert again.about_sheet() == draft.about_sheet()
    assert (again.owner, again.name, again.id == draft.id) == ("bob", "", False)
    assert drafts.find(again.id, "bob") == again
