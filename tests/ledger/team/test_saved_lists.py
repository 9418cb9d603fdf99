"""Saved lists: a sheet with its choices, to be used again; and columns remembered by their names."""

from __future__ import annotations

import io
import os
from contextlib import suppress
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from each import each
from fixtures_ledger import ON_BOTH_DATABASES, Clock
from sqlalchemy import event

from dashboard.app.drafts import Columns, Draft
from dashboard.contacts import guess_columns, read_sheet
from dashboard.errors import DashboardError, LedgerError
from dashboard.ledger import Ledger
from dashboard.ledger.team.lists import PART_BYTES

COUNTS = {"ok": 3, "review": 1, "invalid": 2, "duplicate": 1, "opted_out": 0, "empty": 1}


def saved(ledger: Ledger, content: bytes, **how: object) -> str:
    how = {"source": "contacts.csv", "who": "Ann"} | how
    return ledger.lists.save("Customers", io.BytesIO(content), **how)  # type: ignore[arg-type]


@each("size", [0, 5, PART_BYTES, 2 * PART_BYTES + 1])
def test_the_file_comes_back_byte_for_byte(ledger: Ledger, size: int) -> None:
    content = os.urandom(size)
    found = saved(ledger, content)
    assert b"".join(ledger.lists.content(found)) == content
    assert ledger.lists.find(found).digest == sha256(content).hexdigest()
    assert ledger.lists.all().set_index("list")["size_bytes"][found] == size


def test_lists_say_what_they_are_from_when_and_what_was_found(ledger: Ledger, clock: Clock) -> None:
    saved(ledger, b"a")
    clock.advance(60)
    saved(
        ledger,
        b"b",
        counts=COUNTS | {"ok": np.int64(3)},
        choices={"country": "GB", "fixes": {"5": "07911 123454"}},
    )
    lists = ledger.lists.all()
    assert lists["rows"].tolist() == [8, 0]
    assert {status: lists[status][0] for status in COUNTS} == COUNTS
    assert lists["saved_at"][0] == clock()
    assert lists[["name", "source", "saved_by"]].iloc[0].tolist() == ["Customers", "contacts.csv", "Ann"]
    assert ledger.lists.find(lists["list"][0]).choices["fixes"] == {"5": "07911 123454"}
    with pytest.raises(LedgerError, match="a name"):
        ledger.lists.save("  ", io.BytesIO(b""), source="a.csv", who="Ann")


def test_a_list_comes_back_with_its_columns_corrections_and_approvals(ledger: Ledger, clock: Clock) -> None:
    sheet = (
        b"Customers of 2026\nMobile;Old mobile;STOP\n07400 12345;07400 111111;\n07400 123457;;x\n"
        b"07400 123458;;\n07400123459 ext 5;;\nnope;07400 111112;\n07400 123459;;\n"
        b"07400123461 ext 7;;\n07400 123462 ext 8;;\n"
    )
    draft = Draft(
        id="a" * 32,
        owner="ann@example.com",
        created_at=clock(),
        delimiter=";",
        header_row=2,
        country="GB",
        columns=Columns(phones=("Mobile",), opt_outs=("STOP",)),
        fixes={3: "07400 123456"},
        keep="last",
    )
    ledger.add_opt_outs(["+447400123458"])
    asked = ledger.lists.contacts(saved(ledger, sheet, choices=draft.about_sheet())).approvals([9, 10])
    approved = draft.model_copy(update={"approved": asked | {10: "something else"}}).about_sheet()
    rows = ledger.lists.contacts(saved(ledger, sheet, choices=approved)).rows.set_index("row")
    known = ("ok", "opted_out", "opted_out", "duplicate", "invalid", "ok", "ok", "review")
    assert rows["status"].to_dict() == dict(enumerate(known, 3))
    assert rows["phone"][3] == "+447400123456"
    plain = ledger.lists.contacts(saved(ledger, b"phone\n07400 123456\n"), country="GB")
    assert plain.count("ok") == 1
    two = b"Mobile,Work,Consent,Country\n07400 123456,07400 123457,yes,GB\n07400 123450,07400 123458,no,GB\n"
    for columns, phones in (
        ({"phones": ["Work"]}, ["+447400123457", "+447400123458"]),
        ({"phones": ["Work"], "country": None}, ["+447400123457", "+447400123458"]),
        ({"country": None, "first_name": None}, ["+447400123456", "+447400123450"]),
        ({}, ["+447400123456", "+447400123450"]),
    ):
        part = ledger.lists.contacts(saved(ledger, two, choices={"country": "GB", "columns": columns}))
        assert part.rows["phone"].tolist() == phones, columns
        assert part.rows["status"][1] == "opted_out", columns
    with pytest.raises(LedgerError, match="no longer saved"):
        ledger.lists.contacts("b" * 32)


@ON_BOTH_DATABASES
def test_a_list_saved_again_while_it_is_read_is_read_as_it_was(ledger: Ledger) -> None:
    """Else the row of one person would be corrected to the number of another."""
    found, began = saved(ledger, **saving(0)), list[bool]()

    def save_again(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "FROM saved_list" in statement and not began:
            began.append(True)
            saved(other, **saving(1), replacing=found)

    with Ledger.open(ledger.database.url) as other:
        event.listen(ledger.database.engine, "after_cursor_execute", save_again)
        then = ledger.lists.contacts(found).rows
        event.remove(ledger.database.engine, "after_cursor_execute", save_again)
    assert began
    now = ledger.lists.contacts(found).rows
    assert then["phone"].tolist() == ["+447400123450"]
    assert now["phone"].tolist() == ["+447400123451", "+447400123459"]


def saving(number: int) -> dict[str, Any]:
    content = (b"phone\nnope\n", b"phone\nnope\n+447400123459\n")[number]
    return {"content": content, "choices": {"fixes": {"2": f"+44740012345{number}"}}}


def test_a_deleted_list_is_gone_with_its_file(ledger: Ledger) -> None:
    found = saved(ledger, b"phone\n")
    ledger.lists.delete(found)
    ledger.lists.delete(found)
    assert ledger.lists.all().empty
    for gone in (ledger.lists.find, lambda one: list(ledger.lists.content(one))):
        with pytest.raises(LedgerError, match="no longer saved"):
            gone(found)
    with pytest.raises(LedgerError, match="deleted in the meantime"):
        saved(ledger, b"z", replacing=found)
    assert ledger.lists.all().empty


def test_a_list_saved_again_is_replaced_in_place_and_not_old(ledger: Ledger, clock: Clock) -> None:
    """Whoever deletes old lists looks first: one may be saved again before it is deleted."""
    made = saved(ledger, b"x" * (PART_BYTES + 1))
    before = clock.advance(60)
    assert saved(ledger, b"y", counts=COUNTS, replacing=made) == made
    assert not ledger.lists.delete(made, saved_before=before)
    assert b"".join(ledger.lists.content(made)) == b"y"
    assert ledger.lists.all()["rows"].tolist() == [8]
    clock.advance(60)
    assert ledger.lists.delete(made, saved_before=clock.time)
    assert not ledger.lists.delete(made)
    assert ledger.lists.all().empty


def test_columns_are_remembered_as_they_were_chosen_last(ledger: Ledger, clock: Clock) -> None:
    one, same, other, untitled = (
        read_sheet(f"{first}\n07400 123456,07400 123457\n".encode())
        for first in ("Mobile,Work", "Mobile,Work\n07400 123458,", "Mobile,Home", "07400 123459,07400 123458")
    )
    ledger.column_answers.remember(one, guess_columns(one), who="Ann")
    assert ledger.lists.columns_for(one) is None
    for phones in ("Mobile", "Work"):
        then = clock.advance(60)
        ledger.lists.remember_columns(one, f'{{"phones": ["{phones}"]}}')
        ledger.lists.remember_columns(untitled, "{}")
    assert ledger.lists.columns_for(same) == ('{"phones": ["Work"]}', then)
    assert ledger.lists.columns_for(other) is None
    assert ledger.lists.columns_for(untitled) is None


def test_columns_are_remembered_under_no_key_of_an_answer(ledger: Ledger) -> None:
    """Both are rows of one table."""
    with suppress(DashboardError):
        ledger.lists.remember_columns("=x", "y")  # type: ignore[arg-type]
    assert ledger.column_answers.all() == []
