import io
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest
from patience import PATIENCE_S

from dashboard.app.drafts import Columns, Draft, Drafts

SHEET = b"phone\n07911123456\n"
A_MOMENT_S = 0.3


@pytest.fixture
def drafts(tmp_path: Path) -> Drafts:
    return Drafts(tmp_path / "drafts")


def test_a_sheet_is_stored_as_it_came(drafts: Drafts) -> None:
    draft = drafts.begin("ann", "C:\\lists/../contacts.CSV", io.BytesIO(SHEET))
    assert drafts.sheet(draft).read_bytes() == SHEET
    assert (draft.file_name, draft.size_bytes) == ("contacts.CSV", len(SHEET))
    assert drafts.sheet(draft).suffix == ".csv"


def test_an_odd_file_name_never_leaves_the_folder(drafts: Drafts, tmp_path: Path) -> None:
    draft = drafts.begin("ann", "x./../../../evil", io.BytesIO(SHEET))
    assert drafts.sheet(draft).resolve().is_relative_to(tmp_path / "drafts")


def test_a_draft_is_found_again_by_its_owner_only(drafts: Drafts) -> None:
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    assert drafts.find(draft.id, "ann") == draft
    assert drafts.find(draft.id, "bob") is None


@pytest.mark.parametrize("wanted", [None, "", "../secrets", "0" * 32, "0" * 31, "A" * 32])
def test_nothing_else_is_found(drafts: Drafts, wanted: str | None) -> None:
    assert drafts.find(wanted, "ann") is None


def test_choices_survive_a_restart(drafts: Drafts, tmp_path: Path) -> None:
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    changed = draft.model_copy(
        update={
            "columns": Columns(phones=("phone",)),
            "fixes": {2: "1"},
            "approved": frozenset({3}),
            "step": 3,
        }
    )
    drafts.save(changed)
    assert Drafts(tmp_path / "drafts").find(draft.id, "ann") == changed


def test_changes_made_at_once_are_all_kept(drafts: Drafts) -> None:
    fields = ("name", "template", "sender", "tracking")
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    with ThreadPoolExecutor(len(fields)) as people:
        for number in range(50):
            together = Barrier(len(fields))

            def change(field: str, text: str = str(number), together: Barrier = together) -> None:
                together.wait()
                drafts.change(draft.id, "ann", **{field: text})

            list(people.map(change, fields))
            kept = drafts.find(draft.id, "ann")
            assert kept is not None
            assert {getattr(kept, field) for field in fields} == {str(number)}


def test_what_is_typed_into_one_table_in_two_tabs_at_once_is_all_kept(drafts: Drafts) -> None:
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    together = Barrier(2)

    def type_into(rows: range) -> None:
        together.wait()
        for row in rows:
            drafts.change(draft.id, "ann", lambda now, row=row: {"typed": now.typed | {row: f"07{row}"}})

    with ThreadPoolExecutor(2) as tabs:
        list(tabs.map(type_into, (range(100), range(100, 200))))
    kept = drafts.find(draft.id, "ann")
    assert kept is not None
    assert sorted(kept.typed) == list(range(200))


def test_lists_that_come_and_go_in_two_tabs_at_once_are_all_counted(drafts: Drafts) -> None:
    seen = drafts.begin("ann", "a.csv", io.BytesIO(b"Phone\n"))  # by both tabs
    added = [
        drafts.add_list(seen, name, io.BytesIO(b"Phone\n"), leaves_out=True) for name in ("b.csv", "c.csv")
    ]
    now = drafts.find(seen.id, "ann")
    assert now is not None
    assert now.lists == tuple(one.id for one in added)
    for one in added:
        drafts.remove_list(now, one.id)
    now = drafts.find(seen.id, "ann")
    assert now is not None
    assert now.lists == ()


@pytest.mark.parametrize("ends", ["discard", "finish"])
def test_a_list_that_comes_when_its_draft_has_gone_leaves_nothing(
    drafts: Drafts, tmp_path: Path, ends: str
) -> None:
    draft = drafts.begin("ann", "a.csv", io.BytesIO(b"Phone\n"))
    if ends == "discard":
        drafts.discard(draft)
    else:
        drafts.finish(draft, "c1")
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
    found = drafts.find(draft.id, "ann")
    assert found is not None
    assert found.campaign == "c1"


def test_another_sheet_drops_what_was_decided_about_rows_but_keeps_the_message(drafts: Drafts) -> None:
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    draft = drafts.save(draft.model_copy(update={"fixes": {2: "1"}, "template": "Hi!", "step": 4}))
    again = drafts.replace_sheet(draft, "other.xlsx", io.BytesIO(b"PK"))
    assert (again.fixes, again.template, again.step) == ({}, "Hi!", 1)
    assert [file.name for file in drafts.sheet(again).parent.glob("sheet*")] == ["sheet.xlsx"]


def test_a_finished_draft_keeps_its_campaign_and_no_personal_data(drafts: Drafts) -> None:
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    draft = drafts.save(draft.model_copy(update={"fixes": {2: "+447911123456"}, "template": "Hi!"}))
    done = drafts.finish(draft, "c1")
    assert drafts.find(draft.id, "ann") == done
    assert done.campaign == "c1"
    left = b"".join(file.read_bytes() for file in drafts.sheet(draft).parent.iterdir())
    assert b"7911" not in left
    assert drafts.open_ones("ann") == []


def test_old_drafts_are_swept_away_and_new_ones_stay(drafts: Drafts) -> None:
    old = drafts.begin("ann", "old.csv", io.BytesIO(SHEET))
    new = drafts.begin("ann", "new.csv", io.BytesIO(SHEET))
    long_ago = time.time() - 15 * 86_400
    folder = drafts.sheet(old).parent
    os.utime(folder / "draft.json", (long_ago, long_ago))
    assert drafts.sweep() == 1
    assert [draft.id for draft in drafts.open_ones("ann")] == [new.id]
    assert not folder.exists()


def test_what_a_crash_left_of_a_draft_is_swept_away_once_it_is_old(drafts: Drafts) -> None:
    folder = drafts.sheet(drafts.begin("ann", "half.csv", io.BytesIO(SHEET))).parent
    (folder / "draft.json").unlink()
    assert drafts.sweep() == 0
    assert folder.exists()
    drafts.sweep(now=time.time() + 15 * 86_400)
    assert not folder.exists()


def test_drafts_are_kept_as_long_as_the_operator_says(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path, kept_days=30)
    drafts.begin("ann", "sheet.csv", io.BytesIO(SHEET))
    assert drafts.sweep(now=time.time() + 29 * 86_400) == 0
    assert drafts.sweep(now=time.time() + 31 * 86_400) == 1


def test_fingerprints_change_with_what_they_cover_only(drafts: Drafts) -> None:
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    other = draft.model_copy(update={"template": "Hi!"})
    assert draft.fingerprint("digest", "fixes") == other.fingerprint("digest", "fixes")
    assert draft.fingerprint("template") != other.fingerprint("template")


def test_what_was_decided_about_a_sheet_is_taken_up_again(drafts: Drafts) -> None:
    draft = drafts.begin("ann", "contacts.csv", io.BytesIO(SHEET))
    decided = {"columns": Columns(phones=("phone",)), "fixes": {2: "1"}, "approved": frozenset({3})}
    draft = drafts.save(
        draft.model_copy(update={**decided, "country": "GB", "keep": "last", "name": "Spring"})
    )
    again = drafts.begin(
        "bob", "contacts.csv", io.BytesIO(SHEET), json.loads(json.dumps(draft.about_sheet()))
    )
    assert again.about_sheet() == draft.about_sheet()
    assert (again.owner, again.name, again.id == draft.id) == ("bob", "", False)
    assert drafts.find(again.id, "bob") == again
