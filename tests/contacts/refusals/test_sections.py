"""A line of its own that refuses speaks for the rows below it, wherever in the sheet people write it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from doors import both_doors, comparable
from one_sheet import phones
from tiers import only_deep
from vector_files import vectors

from dashboard.contacts import clean_contacts, correct_phones, read_sheet

PHONES = phones(6)
Line = dict[str, str]


def below(blocks: list[list[Line]], *, people: int = 1) -> list[list[str]]:
    """The statuses of so many people below each line of a block; before each block all may be texted."""
    found, lines = iter(phones(len(blocks) * people * 3)), []
    for block in blocks:
        for line in [{"Name": "Please text:"}, *block]:
            lines += [line, *({"Name": "Ann", "Mobile": next(found)} for _ in range(people))]
    frame = pd.DataFrame(lines, columns=["Name", "Mobile", "Notes", "Status", "#"], dtype="str").fillna("")
    status = clean_contacts(frame, country="GB").rows["status"].astype("str").tolist()
    said = [" ".join({*status[place : place + people]}) for place in range(1, len(status), people + 1)]
    spoken = iter(said)
    of_each = [[next(spoken) for _ in ("", *block)] for block in blocks]
    assert {first for first, *_ in of_each} == {"ok"}
    return [rest for _, *rest in of_each]


SAYS_NO = ["do not text", "OPT OUTS:", "Keine SMS an:", "désabonnés", "Blacklist", "Without consent"]
MAY_BE_TURNED_AROUND = ["ohne Einwilligung:", "x = do not text"]
GROUPS = ["Members:", "Customers:", "VIPs:", "New in 2026:", "Active:", "Everyone else:", "Exclusive:"]
GROUPS += ["Hull:", "Maybe:", "Yeni müşteriler:"]
NO_HEADINGS = [
    "STOP 06.12.34.56.78",
    "n/a",
    "Mobile",
    "Phone number:",
    "Total",
    "ann@example.com",
    "07400 12",
    "no number",
    "会员",
]
MAY_BE_PEOPLE = ["Customers", "Ann Example", "Removals Ltd", "Stop & Shop", "Baja California"]
MAY_BE_PEOPLE += ["Engelliler", "Lemond", "Refugees", "Blockley branch", "Cancelled orders", "Bajamar"]
MAY_BE_PEOPLE += ["Bloquet", "Retiro", "Kunden", "Clientes", "Liste 2", "Новые клиенты", "Stopford"]
HEADINGS = [
    *((heading, "Please text:", ["opted_out", "ok"]) for heading in SAYS_NO),
    *((heading, "Please text:", ["review", "ok"]) for heading in [*MAY_BE_TURNED_AROUND, *GROUPS]),
    *((heading, "Please text:", ["ok", "ok"]) for heading in NO_HEADINGS),
    *(("Do not text:", ending, ["opted_out", "review"]) for ending in [*GROUPS, *MAY_BE_PEOPLE]),
    *(("Do not text:", ending, ["opted_out", "opted_out"]) for ending in NO_HEADINGS),
]
"""A heading, another one below it, and what becomes of the people below each."""


@pytest.mark.parametrize(("column", "alone"), [("Mobile", "review"), ("Name", "ok")])
def test_what_a_heading_says_holds_until_another_one(column: str, alone: str) -> None:
    """What may be a person is a line in the column of the numbers."""
    told = [*HEADINGS, *((person, "Please text:", [alone, "ok"]) for person in MAY_BE_PEOPLE)]
    told = [line for line in told if column == "Mobile" or not {*line[:2]} & {*NO_HEADINGS}]
    found = below([[{column: heading}, {column: ending}] for heading, ending, _ in told], people=2)
    assert [(*line[:2], status) for line, status in zip(told, found, strict=True)] == told


FORMS = ["{}", "{}:", "{} :", "--- {} ---", "{} (12)", "{}: 2026-01-05"]


@pytest.mark.parametrize("first", [0, *only_deep(*range(1, len(FORMS)))])
def test_below_what_may_head_a_list_of_refusals_in_any_language_nobody_is_ok(first: int) -> None:
    named = [line["heading"] for line in vectors("refusing_headings.csv")]
    cased = dict.fromkeys(case(name) for name in named for case in (str, str.upper, str.lower))
    headings = [FORMS[(first + n) % len(FORMS)].format(name) for n, name in enumerate(cased)]
    found = below([[{"Name": heading}] for heading in headings])
    refused = [heading for heading, status in zip(headings, found, strict=True) if status == ["opted_out"]]
    assert [heading for heading, status in zip(headings, found, strict=True) if status == ["ok"]] == []
    assert 0 < len(refused) < len(headings)


LINES = ["Los que están hartos", "Sale 2024", "Youth volunteers", "Новые клиенты", "どなたも"]
LINES += ["SMS - NO", "Non vogliono SMS", "Number withheld"]
NO_LINES = ["Ann Example", "Total: 12", "Subtotal", "Page 2 of 3", "A", "Mobile", "May 2026"]
NO_LINES += ["ann@example.com"]


def test_where_rows_fill_several_cells_one_that_fills_a_single_one_is_a_line(tmp_path: Path) -> None:
    """A line needs no words that are known; each asks about the rows below it, by both doors."""
    found, rows, wanted = iter(phones(60)), [["Name", "Mobile", "City"]], []
    for line, status in [*((line, "review") for line in LINES), *((line, "ok") for line in NO_LINES)]:
        people = [["Ann", next(found), "Hull"] for _ in range(2)]
        rows += [["Please text:", "", ""], people[0], [line, "", ""], people[1]]
        wanted += ["ok", status]
    path = tmp_path / "list.csv"
    path.write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    contacts, streamed = both_doors(path, country="GB")
    assert comparable(contacts.rows).equals(streamed)
    assert contacts.rows.loc[contacts.rows["phone"].notna(), "status"].tolist() == wanted
    assert sorted(contacts.questions["words"]) == sorted(LINES)
    unknown = contacts.questions.set_index("words")["problem"].eq("below_line")
    assert unknown.to_dict() == {line: line != "SMS - NO" for line in LINES}


def test_each_line_asks_about_the_rows_below_it_and_one_that_refuses_about_all() -> None:
    """Who may be texted below "Leaders" says nothing of those who asked to be left alone."""
    refusing = "** DO NOT TEXT BELOW - they asked us to quit **"
    lines = [[one, "", ""] for one in ("Leaders", refusing, "Small group")]
    people = [["Ann", phone, "Hull"] for phone in PHONES[:3]]
    rows = [row for pair in zip(lines, people, strict=True) for row in pair]
    contacts = clean_contacts(pd.DataFrame(rows, columns=["Name", "Mobile", "City"]), country="GB")
    assert contacts.questions.set_index("words")["rows"].to_dict() == {"Leaders": 1, refusing: 2}


BESIDE = ["2", "(12)", "as of May", "2026-01-05", "May 2026", "3 contacts"]
PLACES = [("Mobile", ""), ("Notes", "3"), ("Mobile", "3"), ("Notes", "")]


@pytest.mark.parametrize("first", [0, *only_deep(1, 2, 3)])
def test_what_stands_beside_a_heading_does_not_matter(first: int) -> None:
    blocks = []
    for place, beside in enumerate(BESIDE):
        column, number = PLACES[(first + place) % len(PLACES)]
        texts = ("Do not text:", "Please text:")
        blocks.append([{"#": number, "Name": text, column: beside} for text in texts])
    assert below(blocks) == [["opted_out", "ok"]] * len(BESIDE)


def test_a_line_with_something_beside_it_is_a_person_or_may_be_one() -> None:
    """A person without a number refuses for nobody else; below what may be a heading people are asked."""
    people = [
        {"Name": "Ann", "Notes": "do not text"},
        {"Name": "Ann", "Mobile": "opted out", "Notes": "Hull"},
        {"Name": "Ann", "Mobile": "n/a", "Status": "unsubscribed"},
        {"Name": "Ann Example", "Status": "Opted out", "Notes": "2"},
    ]
    doubtful = [{"Mobile": "do not text", "Notes": "Hull"}, {"Name": "Stopp", "Notes": "Hull"}]
    doubtful += [{"Notes": "do not text"}]
    assert below([[line] for line in people]) == [["ok"]] * len(people)
    assert below([[line] for line in doubtful]) == [["review"]] * len(doubtful)


def test_a_heading_in_every_cell_of_its_row_counts() -> None:
    content = f"Name,Mobile,City\nAnn,{PHONES[0]},Hull\nOpted out,Opted out,Opted out\nBob,{PHONES[1]},Hull\n"
    contacts = clean_contacts(read_sheet(content.encode()), country="GB")
    assert contacts.rows["status"].tolist()[::2] == ["ok", "opted_out"]


def test_a_group_named_in_its_first_row_only_holds_for_the_group() -> None:
    groups = ["Customers", "", "Do not text", "", "", "Leads"]
    frame = pd.DataFrame({"Group": groups, "Name": "Ann", "Mobile": PHONES})
    status = clean_contacts(frame, country="GB").rows["status"].tolist()
    assert status == ["ok", "ok", "opted_out", "review", "review", "ok"]


def test_a_heading_that_is_corrected_into_a_number_still_holds() -> None:
    cells = ["07400 123456", "Opt-outs", "07400 223457"]
    contacts = clean_contacts(pd.DataFrame({"phone": cells}), country="GB")
    corrected = correct_phones(contacts, {3: "07400 323458"})
    again = correct_phones(corrected, {2: "07400 423459"})
    assert [found.rows["status"].iloc[2] for found in (contacts, corrected, again)] == ["opted_out"] * 3
