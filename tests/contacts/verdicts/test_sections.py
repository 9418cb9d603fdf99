"""A line of its own that refuses speaks for the rows below it, wherever in the sheet people write it."""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from each import each
from one_sheet import phones
from tiers import only_deep, together

from dashboard.contacts import clean_contacts, correct_phones, read_sheet

VECTORS = Path(__file__).parents[2] / "vectors"
PHONES = phones(6)


def statuses(headings: list[str], endings: list[str], column: str = "Mobile") -> list[list[str]]:
    """Of two people above each heading, two below it and two below its ending; others may then be texted."""
    found, lines = iter(phones(6 * len(headings) * len(endings))), []
    for heading, ending in product(headings, endings):
        for text in ("Please text:", heading, ending):
            lines += [{column: text}, *({"Name": "Ann", "Mobile": next(found)} for _ in range(2))]
    frame = pd.DataFrame(lines[1:], columns=["Name", "Mobile", "Notes"], dtype="str").fillna("")
    status = ["", *clean_contacts(frame, country="GB").rows["status"].astype("str")]
    people = [status[place] for place in range(len(status)) if place % 3]
    return [people[start : start + 6] for start in range(0, len(people), 6)]


@pytest.mark.parametrize("column", ["Name", "Mobile"])
@pytest.mark.parametrize(
    "headings", together("do not text", "OPT OUTS:", "Keine SMS an:", "désabonnés", "Blacklist")
)
def test_people_below_it_are_opted_out_until_another_heading(headings: list[str], column: str) -> None:
    expected = ["ok"] * 2 + ["opted_out"] * 2 + ["ok"] * 2
    assert statuses(headings, ["Please text:"], column) == [expected] * len(headings)


def below_each(headings: list[str], ending: str) -> pd.DataFrame:
    """The status of somebody below each of the headings, and of somebody below the ending after it."""
    people = iter(phones(2 * len(headings)))
    lines = [line for heading in headings for line in (heading, next(people), ending, next(people))]
    names = ["" if place % 2 == 0 else "Ann" for place in range(len(lines))]
    frame = pd.DataFrame({"Name": names, "Mobile": lines})
    status = clean_contacts(frame, country="GB").rows["status"].astype("str")
    found = {"heading": headings, "below": status[1::4].tolist(), "after": status[3::4].tolist()}
    return pd.DataFrame(found)


FORMS = ["{}", "{}:", "{} :", "--- {} ---", "{} (12)", "{}: 2026-01-05"]


@pytest.mark.parametrize("first", [0, *only_deep(*range(1, len(FORMS)))])
def test_a_list_of_refusals_is_known_by_its_heading_in_any_language(first: int) -> None:
    with (VECTORS / "refusing_headings.csv").open(encoding="utf-8", newline="") as file:
        named = [line["heading"] for line in csv.DictReader(file)]
    cased = [case(name) for name in named for case in (str, str.upper, str.lower)]
    headings = [FORMS[(first + n) % len(FORMS)].format(name) for n, name in enumerate(dict.fromkeys(cased))]
    found = below_each(headings, "Please text:")
    assert found[(found["below"] != "opted_out") | (found["after"] != "ok")].empty


BESIDE = ["2", "(12)", "as of May", "2026-01-05", "May 2026", "3 contacts"]
PLACES = [("Mobile", ""), ("Notes", "3"), ("Mobile", "3"), ("Notes", "")]


@pytest.mark.parametrize("first", [0, *only_deep(1, 2, 3)])
@each("place, beside", enumerate(BESIDE))
def test_what_stands_beside_a_heading_does_not_matter(place: int, beside: str, first: int) -> None:
    column, number = PLACES[(first + place) % len(PLACES)]
    people = [{"#": f"{row}", "Name": "Ann", "Mobile": PHONES[row], "Notes": ""} for row in range(3)]
    headings = [{"#": number, "Name": text, column: beside} for text in ("Do not text:", "Please text:")]
    lines = [people[0], headings[0], people[1], headings[1], people[2]]
    frame = pd.DataFrame(lines, columns=["#", "Name", "Mobile", "Notes"]).fillna("").astype("str")
    contacts = clean_contacts(frame, country="GB")
    assert contacts.rows["status"].tolist()[::2] == ["ok", "opted_out", "ok"]
    assert not contacts.unreached


def test_a_heading_in_every_cell_of_its_row_counts() -> None:
    lines = [["Ann", PHONES[0], "Hull"], ["Opted out"] * 3, ["Bob", PHONES[1], "Hull"]]
    sheet = read_sheet("\n".join(map(",".join, [["Name", "Mobile", "City"], *lines])).encode())
    assert clean_contacts(sheet, country="GB").rows["status"].tolist()[::2] == ["ok", "opted_out"]


@pytest.mark.parametrize(
    "line",
    [
        {"Name": "Ann", "Notes": "do not text"},
        {"Name": "Ann", "Mobile": "opted out", "Notes": "Hull"},
        {"Name": "Ann", "Mobile": "n/a", "Status": "unsubscribed"},
        {"Name": "Ann Example", "Status": "Opted out", "Notes": "2"},
    ],
)
def test_somebody_without_a_number_refuses_for_nobody_else(line: dict[str, str]) -> None:
    people = [{"Name": "Ann", "Mobile": phone, "Status": "customer"} for phone in PHONES]
    frame = pd.DataFrame([*people[:3], line, *people[3:]]).fillna("").astype("str")
    status = clean_contacts(frame, country="GB").rows["status"].tolist()
    assert [*status[:3], *status[4:]] == ["ok"] * 6


@pytest.mark.parametrize(
    "line", [{"Mobile": "do not text", "Notes": "Hull"}, {"Name": "Stopp", "Notes": "Hull"}]
)
def test_what_may_be_a_heading_or_a_person_leaves_the_rest_to_a_person(line: dict[str, str]) -> None:
    people = [{"Name": "Ann", "Mobile": phone, "Notes": ""} for phone in PHONES[:2]]
    frame = pd.DataFrame([people[0], line, people[1]]).fillna("").astype("str")
    assert clean_contacts(frame, country="GB").rows["status"].tolist()[::2] == ["ok", "review"]


@pytest.mark.parametrize("endings", together("Hull:", "Maybe:", "Yeni müşteriler:", "Ann Example"))
def test_an_unknown_heading_after_one_that_refuses_leaves_the_rest_to_a_person(endings: list[str]) -> None:
    expected = ["ok"] * 2 + ["opted_out"] * 2 + ["review"] * 2
    assert statuses(["Do not text:"], endings) == [expected] * len(endings)


@pytest.mark.parametrize(
    "endings", together("Members:", "Customers:", "VIPs:", "New in 2026:", "Active:", "Everyone else:")
)
def test_a_heading_of_other_people_ends_one_that_refuses(endings: list[str]) -> None:
    expected = ["ok"] * 2 + ["opted_out"] * 2 + ["ok"] * 2
    assert statuses(["Do not text:"], endings) == [expected] * len(endings)


@pytest.mark.parametrize("headings", together("ohne Einwilligung:", "x = do not text"))
def test_a_heading_that_may_be_turned_around_leaves_the_rest_to_a_person(headings: list[str]) -> None:
    expected = ["ok"] * 2 + ["review"] * 2 + ["ok"] * 2
    assert statuses(headings, ["Please text:"]) == [expected] * len(headings)


def test_a_heading_that_says_there_is_no_consent_refuses() -> None:
    expected = ["ok"] * 2 + ["opted_out"] * 2 + ["ok"] * 2
    assert statuses(["Without consent"], ["Please text:"]) == [expected]


def test_a_group_named_in_its_first_row_only_holds_for_the_group() -> None:
    groups = ["Customers", "", "Do not text", "", "", "Leads"]
    frame = pd.DataFrame({"Group": groups, "Name": "Ann", "Mobile": PHONES})
    status = clean_contacts(frame, country="GB").rows["status"].tolist()
    assert status == ["ok", "ok", "opted_out", "review", "review", "ok"]


ORDINARY = ["Removals Ltd", "Stop & Shop", "Baja California", "Nix", "Engelliler", "Lemond", "Exclusive:"]
ORDINARY += ["Refugees", "Blockley branch", "Cancelled orders", "Bajamar", "Bloquet", "Retiro", "Kunden"]
ORDINARY += ["Clientes", "Liste 2", "Новые клиенты", "会员", "Yeni müşteriler:", "Stopford"]


def test_headings_and_names_that_look_like_one_refuse_nobody() -> None:
    found = below_each(ORDINARY, "Please text:")
    assert found[found["below"] != "ok"].empty


@pytest.mark.parametrize(
    "lines", together("n/a", "Mobile", "Phone number:", "Total", "ann@example.com", "07400 12")
)
def test_what_is_no_heading_ends_none(lines: list[str]) -> None:
    assert statuses(["Do not text:"], lines) == [["ok"] * 2 + ["opted_out"] * 4] * len(lines)


def test_below_what_may_be_a_name_a_person_is_asked() -> None:
    assert statuses(["Do not text:"], ["Ann Example"])[0][4:] == ["review", "review"]
    assert statuses(["do not text"], ["Please text:"], "Notes")[0][2:4] == ["review", "review"]


@pytest.mark.parametrize(
    "lines", together("Customers", "Hull:", "n/a", "Ann Example", "no number", "Stop & Shop")
)
def test_other_lines_refuse_nobody(lines: list[str]) -> None:
    assert statuses(lines, ["Please text:"]) == [["ok"] * 6] * len(lines)


def test_a_heading_that_is_corrected_into_a_number_still_holds() -> None:
    cells = ["07400 123456", "Opt-outs", "07400 223457"]
    contacts = clean_contacts(pd.DataFrame({"phone": cells}), country="GB")
    corrected = correct_phones(contacts, {3: "07400 323458"})
    again = correct_phones(corrected, {2: "07400 423459"})
    assert [found.rows["status"].iloc[2] for found in (contacts, corrected, again)] == ["opted_out"] * 3
