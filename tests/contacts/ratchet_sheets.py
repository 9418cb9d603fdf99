"""The sheets of the ratchet: groups of them, each made when it is looked at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
from header_forms import programmed, under
from one_sheet import phones
from ratchet import ANSWERED, Look, Looks, digest, load
from test_exports import EXPORTS, content
from vector_files import VECTORS, vectors

from dashboard.contacts import guess_columns, read_sheet

DATA = Path(__file__).parents[2] / "data"
INVENTED = json.loads((VECTORS / "invented_sheets.json").read_text("utf-8"))
"""Sheets in ten languages by somebody who did not write the code: `refuse` has the rows, from 0, of whoever
must not be texted, with why; `fine` those of whoever may be."""


def groups(answers: list[str]) -> dict[str, Looks]:
    """All looks by their group; each header stands over all of these answers and a blank."""
    answered = {file: _answered(file, ["", *answers]) for file in ANSWERED}
    return {**answered, **_told(), **_whole_files(), **_drawn(), "invented_sheets": _invented()}


def _answered(file: str, answers: list[str]) -> Looks:
    """A header of the file in two of its spellings, over a column of answers; when frozen, all agreed."""
    headers = dict.fromkeys(case["header"] for case in vectors(f"{file}.csv"))
    return [
        partial(_column, header, number, spelling, answers)
        for header in headers
        for number, spelling in enumerate([*dict.fromkeys([header, *programmed(header)])][:2])
    ]


def _column(case: str, number: int, header: str, cells: list[str]) -> Look:
    people = list(zip(phones(len(cells)), cells, strict=True))
    return Look(case, pd.DataFrame(people, columns=["Mobile", header]), number)  # "Mobile" may be there twice


def _told() -> dict[str, Looks]:
    told: dict[str, list[str]] = {}
    for line in vectors("said_below.csv"):
        told.setdefault(line["header"], []).append(line["cell"])
    headings = _with_frozen("refusing_headings", "heading")
    return {
        "said_below": [
            partial(_said_below, header, list(dict.fromkeys([*cells, ""]))) for header, cells in told.items()
        ],
        "refusing_remarks": [partial(_remarks, number) for number in range(len(REMARKED))],
        "refusing_headings": [
            *(
                partial(_lone_lines, headings[first : first + 12], n)
                for n in range(2)
                for first in range(0, len(headings), 12)
            ),
            *(partial(_line_above, heading) for heading in headings),
        ],
        "sheet_names": [
            partial(_named, name, number)
            for name in _with_frozen("sheet_names", "name")
            for number in range(2)
        ],
    }


def _with_frozen(group: str, column: str) -> list[str]:
    """The cases of a group that were frozen, and those of today's vectors, which are fewer."""
    now = [line[column] for line in vectors(f"{group}.csv")]
    return list(dict.fromkeys([*load()["groups"].get(group, {}), *now]))


def _said_below(header: str, cells: list[str]) -> Look:
    frame = pd.DataFrame({"Mobile": phones(len(cells)), header: cells})
    return Look([f"{header}: {cell}" for cell in cells], frame)


REMARKED = ["Notes", "Tags", "Full name", "", "Mobile"]
"""The columns that hold remarks: one without a name, and that of the numbers, beside these."""


def _remarks(number: int) -> Look:
    remarks = [line["remark"] for line in vectors("refusing_remarks.csv")]
    frame = pd.DataFrame({"Mobile": phones(len(remarks)), "City": "Hull"})
    beside = frame["Mobile"] + " " + pd.Series(remarks)
    said = frame.assign(**{REMARKED[number]: beside if REMARKED[number] == "Mobile" else remarks})
    return Look(remarks, read_sheet(said.to_csv(index=False).encode()), number)


PEOPLE = 3


def _lone_lines(headings: list[str], number: int) -> Look:
    """Lines in the first column or in that of the numbers, with people below each, and one texted above."""
    found = iter(phones(len(headings) * (PEOPLE + 1)))
    lines: list[list[str]] = []
    for heading in headings:
        lines += [["Please text:", ""], ["Ann", next(found)], ["", ""]]
        lines[-1][number] = heading
        lines += [["Ann", next(found)] for _ in range(PEOPLE)]
    cases = [heading for heading in headings for _ in range(PEOPLE + 3)]
    return Look(cases, pd.DataFrame(lines, columns=["Name", "Mobile"]), number)


def _line_above(heading: str) -> Look:
    lines = [
        [heading, "", ""],
        ["Name", "Mobile", "City"],
        *(["Ann", phone, "Hull"] for phone in phones(PEOPLE)),
    ]
    content = pd.DataFrame(lines).to_csv(index=False, header=False).encode()
    return Look(heading, read_sheet(content), len(["in the first column", "in that of the numbers"]))


def _named(name: str, number: int) -> Look:
    sheet = read_sheet(b"Name,Mobile\nAnn,07400 123456\n")
    named = replace(sheet, worksheet=name) if number else replace(sheet, name=f"{name}.csv")
    return Look(name, named, number)


def _whole_files() -> dict[str, Looks]:
    return {
        "header_rows": [partial(_header_row, line) for line in vectors("header_rows.csv")],
        "phone_cells": [partial(_phone_cell, line) for line in vectors("phone_cells.csv")],
        "phone_traps": [partial(_phone_trap, line) for line in vectors("phone_traps.csv")],
        "layouts": [partial(_file, VECTORS / "layouts" / line["file"]) for line in vectors("layouts.csv")],
        "exports": [partial(_export, place) for place in range(len(EXPORTS))],
        "data": [
            partial(_file, DATA / name) for name in ("contacts.csv", "contacts.xlsx", "contacts_clean.csv")
        ],
    }


def _header_row(line: dict[str, str]) -> Look:
    return Look(line["columns"], under(line))


def _phone_cell(line: dict[str, str]) -> Look:
    text = line["input"].encode("ascii", "backslashreplace").decode("unicode_escape")
    frame = pd.DataFrame({"phone": [text], "country": [line["row_country"]]})
    return Look(line["id"], frame, country=line["country"] or None)


def _phone_trap(line: dict[str, str]) -> Look:
    case = digest(line["text"], line["country"])
    return Look(case, pd.DataFrame({"phone": [line["text"]]}), country=line["country"] or None)


def _file(path: Path) -> Look:
    return Look(path.name, read_sheet(path))


def _export(place: int) -> Look:
    return Look(EXPORTS[place]["program"], read_sheet(content(EXPORTS[place]).encode()))


def _drawn() -> dict[str, Looks]:
    return {
        "drawn": [partial(_drawn_sheet, seed) for seed in range(300)],
        "twins": [partial(_twins, seed) for seed in range(12)],
    }


def _pick(options: list[Any], *seed: object) -> Any:
    """One of the options; another one among them changes few of all picks."""
    return min(options, key=lambda option: digest(option, *seed))


def _drawn_sheet(seed: int) -> Look:
    """Twelve people, and one to five columns of the vectors with answers or cells of theirs, and remarks."""
    random = Random(seed)
    told = [(line["header"], line["cell"]) for line in vectors("said_below.csv")]
    headers = [line["header"] for file in ANSWERED[:3] for line in vectors(f"{file}.csv")]
    answers = [line["answer"] for line in vectors("answers.csv")]
    remarks = [line["remark"] for line in vectors("refusing_remarks.csv")]
    columns = {"Name": ["Ann"] * 12, "Mobile": phones(12)}
    for place in range(random.randint(1, 5)):
        chance = [random.random() for _ in range(12)]
        if random.random() < 0.3:
            header, cell = _pick(told, seed, place)
            columns[header] = [cell if one < 0.3 else "" for one in chance]
            continue
        header = _pick(headers, seed, place)
        few = [_pick(answers, seed, place, number) for number in range(3)]
        few += [random.choice(["", "yes", "no"])] * 12
        columns[random.choice([header, *programmed(header)])] = [few[int(one * len(few))] for one in chance]
    if random.random() < 0.5:
        columns["Notes"] = [_pick(remarks, seed, row) if random.random() < 0.2 else "" for row in range(12)]
    frame = pd.DataFrame(columns)[random.sample([*columns], len(columns))]
    return Look(f"{seed} {digest(frame.to_csv())}", frame)


WRITTEN = ["+44{}", "0{}", "0044 {}", "44{}", "'+44{}", "+44 (0){}"]


def _twins(seed: int) -> Look:
    """Rows that share numbers, of whom some refuse in a column, in a remark or on the list of opt-outs."""
    random = Random(seed)
    numbers = [phone.removeprefix("+44") for phone in phones(20)]
    of_rows = [random.choice(numbers) for _ in range(24)]
    frame = pd.DataFrame(
        {
            "Mobile": [random.choice(WRITTEN).format(number) for number in of_rows],
            "Phone 2": [f"0{random.choice(numbers)}" if random.random() < 0.1 else "" for _ in of_rows],
            "SMS opt-out": [random.choice(["", "", "", "", "", "", "no", "yes"]) for _ in of_rows],
            "SMS consent": [random.choice(["yes"] * 12 + ["no", ""]) for _ in of_rows],
            "Notes": [random.choice([""] * 12 + ["VIP", "do not text"]) for _ in of_rows],
        }
    ).iloc[:, : random.randint(3, 5)]
    how = {"keep": ["first", "last", "warn"][seed % 3], "opt_outs": [f"0{numbers[0]}", f"+44{numbers[1]}"]}
    return Look(str(seed), frame, how=how)


def _invented() -> Looks:
    return [partial(invented, place) for place in range(len(INVENTED))]


def invented(place: int) -> Look:
    """An invented sheet as read from its file; of phones that are only offered a person takes the first."""
    told = INVENTED[place]
    lines = pd.DataFrame([*told["above"], told["columns"], *told["rows"]]).fillna("")
    read = read_sheet(lines.to_csv(index=False, header=False).encode())
    sheet = replace(read, name=told["file"] or "", worksheet=told["worksheet"])
    columns = guess_columns(sheet)
    chosen = replace(columns, phones=columns.phones or columns.offered[:1])
    return Look(told["name"], sheet, country=told["country"], how={"columns": chosen})


def score(now: Mapping[str, Any]) -> dict[str, int]:
    """How many rows of invented sheets that refuse are ok, and how many that may be texted are not."""
    refusing = [now[told["name"]][0][int(row)] for told in INVENTED for row in told["refuse"]]
    fine = [now[told["name"]][0][row] for told in INVENTED for row in told["fine"]]
    return {
        "refusing": len(refusing),
        "refusing_ok": refusing.count("o"),
        "fine": len(fine),
        "fine_not_ok": len(fine) - fine.count("o"),
    }
