"""What is said of a whole sheet, above its header or by its name, holds for everybody in it."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pandas as pd
import pytest
from doors import both_doors, comparable
from each import each
from one_sheet import phones
from vector_files import vectors

from dashboard.contacts import clean_contacts, correct_phones, read_sheet
from dashboard.contacts.refusals.whole_sheet import said_of_all
from dashboard.contacts.words.refusal import Refusal

PHONES = phones(6)
PEOPLE = [["Name", "Mobile", "City"], *(["Ann", phone, "Hull"] for phone in PHONES[:3])]


def through_both(lines: list[list[str]], path: Path) -> tuple[list[str], tuple[str, ...]]:
    """The statuses of a CSV file's rows and what is noted; the same by both doors."""
    path.write_text("\n".join(map(",".join, lines)), encoding="utf-8")
    contacts, streamed = both_doors(path, country="GB")
    assert comparable(contacts.rows).equals(streamed)
    return streamed["status"].tolist(), contacts.notes


REFUSING = [["Opted out of SMS", "", ""], ["DO NOT TEXT", "", ""], ["", "Do not text", ""]]
REFUSING += [["", "", "Bajas"], ["Opt-outs", "as of May", ""], ["Do not text:", "3", ""]]
REFUSING += [["1", "STOP list", ""], ["Unsubscribed (3)", "", "2026-01-05"]]
AROUND: list[list[list[str]]] = [[], [["", "", ""]], [["Exported by Ann", "", ""]]]
DOUBTFUL = [["* = do not text", "", ""], ["Red = do not text", "", ""], ["Customers", "", "Do not text"]]
DOUBTFUL += [["All customers without opt-outs", "", ""], ["Nobody here opted out", "", ""]]
DOUBTFUL += [["List", "Unsubscribed", ""], ["People who said no (3)", "", "2026-01-05"]]
OTHERS = [
    [title, "", ""] for title in ("Customers", "Hull branch", "May 2026", "Please text:", "Stop & Shop")
]
SAID = {"opted_out": REFUSING, "review": DOUBTFUL, "ok": OTHERS}


def titles(status: str) -> list[list[list[str]]]:
    """What may stand above a list and means this; a title that refuses has something around it in turn."""
    if status != "opted_out":
        return [[title] for title in SAID[status]]
    return [[*some, title, *some] for some, title in zip(cycle(AROUND), REFUSING, strict=False)]


REFUSALS = {"opted_out": Refusal.SAID, "review": Refusal.HELD, "ok": Refusal.NONE}


@each("status, lines", [(status, lines) for status in SAID for lines in titles(status)])
def test_what_a_title_says(status: str, lines: list[list[str]]) -> None:
    content = "\n".join(",".join(line) for line in [*lines, *PEOPLE])
    of_all = said_of_all(read_sheet(content.encode()))
    assert (of_all.below.heading, len(of_all.notes)) == (REFUSALS[status], status != "ok")


@pytest.mark.parametrize("status", SAID)
def test_what_a_title_says_holds_for_everybody_by_both_doors(status: str, tmp_path: Path) -> None:
    assert said_of_people(through_both([*titles(status)[0], *PEOPLE], tmp_path / "list.csv")) == status


def said_of_people(found: tuple[list[str], tuple[str, ...]]) -> str:
    """The one status of three people, of which one note tells unless they are ok."""
    statuses, notes = found
    assert len(statuses) == 3
    assert len(notes) == (statuses[0] != "ok")
    return " ".join({*statuses})


def test_a_title_holds_until_another_heading(tmp_path: Path) -> None:
    others = [["Please text", "", ""], PEOPLE[0], ["Bob", PHONES[5], "Hull"]]
    lines = [["DO NOT TEXT", "", ""], *PEOPLE, ["", "", ""], *others]
    status, _notes = through_both(lines, tmp_path / "list.csv")
    assert status == ["opted_out"] * 3 + ["empty", "ok"]


def test_a_title_above_a_header_that_was_chosen_counts() -> None:
    sheet = read_sheet(b"Do not text,\nName,Mobile\nAnn,07400 123456\n", header_row=2)
    assert clean_contacts(sheet, country="GB").rows["status"].tolist() == ["opted_out"]


LISTS_REFUSERS = {line["name"]: line["lists_refusers"] == "yes" for line in vectors("sheet_names.csv")}


def test_the_names_of_lists_of_refusers_are_known() -> None:
    sheet = read_sheet(b"Name,Mobile\nAnn,07400 123456\n")
    said = {name: said_of_all(replace(sheet, name=f"{name}.csv")) for name in LISTS_REFUSERS}
    held = {name: (of_all.below.heading is Refusal.HELD, len(of_all.notes)) for name, of_all in said.items()}
    assert held == {name: (lists_them, int(lists_them)) for name, lists_them in LISTS_REFUSERS.items()}


def test_a_name_that_refuses_leaves_everybody_to_a_person(tmp_path: Path) -> None:
    name = next(name for name, refuses in LISTS_REFUSERS.items() if refuses)
    assert said_of_people(through_both(PEOPLE, tmp_path / f"{name}.csv")) == "review"


def test_approved_people_of_such_a_file_are_texted_and_its_note_stays(tmp_path: Path) -> None:
    path = tmp_path / "opt-outs.csv"
    path.write_text("Name,Mobile\nAnn,07400 123456\nBob,07400 22345\n")
    contacts = clean_contacts(read_sheet(path), country="GB")
    assert contacts.sendable.empty
    corrected = correct_phones(contacts, {3: "07400 223457"})
    assert corrected.notes == contacts.notes
    assert corrected.sendable.empty
    assert len(corrected.approve([2, 3]).sendable) == len(["Ann", "Bob"])
    assert "may mean no texts" in corrected.reasons().iloc[0]


def test_the_name_of_the_worksheet_that_is_read_counts() -> None:
    target = io.BytesIO()
    with pd.ExcelWriter(target, engine="xlsxwriter") as writer:
        pd.DataFrame({"phone": ["07400 123456"]}).to_excel(writer, sheet_name="Do not text", index=False)
    contacts = clean_contacts(read_sheet(target.getvalue()), country="GB")
    assert contacts.rows["status"].tolist() == ["review"]
    assert len(contacts.notes) == 1
