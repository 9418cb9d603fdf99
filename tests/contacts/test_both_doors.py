"""One judgement: a sheet and a big file give the same verdicts, and nobody who refused gets through either.

The oracle knows who is who because it made the sheet: it draws people's numbers, writes them as people and
programs do, and remembers which rows say no. It uses nothing of what it judges.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest
from doors import both_doors, comparable
from each import each
from one_sheet import asks_everybody, one_sheet, phones
from phone_samples import hostile_texts, mixed_column
from tiers import only_deep
from vector_files import vectors

from dashboard.contacts import ColumnMap, clean_contacts, guess_columns, read_sheet
from dashboard.contacts.stream import csv_file

PHONES = ("Mobile", "Phone", "Home phone")
CONSENTS = ("SMS consent", "Subscription status")
OPT_OUTS = ("Unsubscribed", "Do not text")
STATUS = ("Status",)
PREFERENCES = ("Preferred contact",)
FREE = ("Notes", "Tags", "Fax")
STATUSES = ("ok", "opted_out", "review")
STRANGER = "Emergency contact phone"
PIECES, LEAST_BYTES = 3, 600
"""In how many pieces a file comes, whatever its length: each costs 70 ms, of two rows or of two thousand."""
HEADER = [*PHONES, *CONSENTS, *OPT_OUTS, *STATUS, *PREFERENCES, *FREE, STRANGER]


def told_below() -> dict[str, list[dict[str, str]]]:
    """The cells of said_below.csv, by their header."""
    found: dict[str, list[dict[str, str]]] = {}
    for line in vectors("said_below.csv"):
        found.setdefault(line["header"], []).append(line)
    return found


TOLD = told_below()


def said_below(header: str) -> list[list[str]]:
    """Cells that say nothing or yes, those that refuse and those that are a question."""
    return [[line["cell"] for line in TOLD[header] if line["status"] == status] for status in STATUSES]


def answered(field: str) -> list[list[str]]:
    lines = vectors("answers.csv")
    return [[line["answer"] for line in lines if line[field] == status] for status in STATUSES]


SAYS_NOTHING = ["asked for an invoice", "Bus stop lane", "Stop & Shop", "2026-01-05", "Reply STOP to opt out"]
SAYS_NOTHING += ["not unsubscribed", "Robinson"]
SAID = {header: said_below(header) for header in (*STATUS, *PREFERENCES, "Notes")}
SAID["Notes"][0] += SAYS_NOTHING
CONSENT, OPT_OUT = answered("consent"), answered("opt_out")
REFUSING_LINES = ["Do not text:", "Opt-outs", "Unsubscribed", "Abgemeldet:", "STOP list", "--- DNC ---"]
REFUSING_LINES += [
    "Opted-out customers (12)",
    "Désabonnés :",
    "退订名单",
    "Do not contact (as of 2026-01-05):",
]
ENDING_LINES = ["Please text:", "Opt-ins"]
OTHER_LINES = ["Ann Example", "Hull branch"]
SPELLINGS = ["+44{n}", "0{n}", "0{a} {b}", "{n}", "44{n}.0", "0044 {n}", "+44 (0){n}", "'+44{n}"]
SPELLINGS += ["4.4{n}E+11", "tel:+44{n}", "0{n} ext 4", "mob 0{n}", "\u202a+44{n}\u202c", "ask Ann 0{n}"]
LANDLINE = "020 7946 0991"
JUNK = ["", "", "n/a", "nope", "4.47911E+11", "07400 12", "0.7400123456", "2026-01-05", "O7400 123456"]
JUNK += ["Total", "06 12 34 56 78", LANDLINE, "0000000000", "2025550123", "90090", "#N/A", "07911 12345"]


@dataclass
class Row:
    """Its cells, the numbers of whose it is and of others, what it says, and whether that reaches nobody."""

    cells: list[str] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    refuses: bool = False
    unclear: bool = False
    lost: bool = False

    def say(self, random: Random, kinds: list[list[str]], weights: tuple[float, ...]) -> None:
        """Write a cell that says nothing, refuses or is a question."""
        kind = random.choices((0, 1, 2), weights)[0]
        self.cells.append(random.choice(kinds[kind]))
        self.refuses |= kind == 1
        self.unclear |= kind == 2


def made(seed: int, rows: int = 60) -> tuple[list[Row], list[str]]:
    """People with one to three phones, many of them more than once, and a list of numbers that refused."""
    random, sheet, heading = Random(seed), list[Row](), Row()  # noqa: S311
    pool = [f"740{random.randrange(10**7):07d}" for _ in range(rows)]
    share_no = random.choice([0.02, 0.1, 0.3])
    for _ in range(rows):
        if random.random() < share_no / 3:
            heading = _line_of_its_own(random, heading)
            sheet.append(heading)
        row = Row(refuses=heading.refuses, unclear=heading.unclear)
        for _column in PHONES:
            numbers = random.sample(pool, random.choice([0, 0, 1, 1, 1, 2]))
            spelt = random.choice([" / ", "; ", "\n"]).join(_spelt(random, numbers))
            row.cells.append(spelt or random.choice(JUNK))
            row.numbers |= {*numbers} | {LANDLINE} & {row.cells[-1]}
        _answer(random, row, share_no)
        row.cells.append(_perhaps_a_number(random, pool, share_no))  # a refusal may be known by it
        if random.random() < share_no / 2:
            number = random.choice(pool)
            row.cells[len(PHONES) + len(CONSENTS)] = _written(random.choice(SPELLINGS[:3]), number)
            row.numbers, row.refuses = row.numbers | {number}, True
        if row.refuses:
            row.numbers |= _number_of_fax(row.cells[-1])
        row.cells.append(_perhaps_a_number(random, pool, share_no))
        row.others = _number_of_fax(row.cells[-1])
        row.lost = row.refuses and not row.numbers
        sheet.append(row)
    return sheet, random.sample(pool, 2)


def _line_of_its_own(random: Random, above: Row) -> Row:
    """A line of one cell, whose refusal or question holds below it until the next."""
    lines = random.choices((REFUSING_LINES, ENDING_LINES, OTHER_LINES), (5, 3, 2))[0]
    # Perhaps a heading, perhaps a name of one of those above: whoever stands below it is asked about.
    asks = lines is OTHER_LINES
    lost = asks and (above.refuses or above.lost)
    row = Row([""] * len(HEADER), refuses=lines is REFUSING_LINES, unclear=asks, lost=lost)
    column = random.randrange(len(PHONES))
    row.cells[column] = random.choice(lines)
    if lines is not OTHER_LINES and random.random() < 0.3:
        row.cells[(column + 1) % len(PHONES)] = random.choice(["(3)", "12", "as of May"])
    return row


def _answer(random: Random, row: Row, share_no: float) -> None:
    """Write the cells that are about consent."""
    for _column in CONSENTS:
        row.say(random, CONSENT, (1 - 1.3 * share_no, share_no, 0.3 * share_no))
    for _column in OPT_OUTS:
        row.say(random, OPT_OUT, (1 - share_no, share_no, 0))
    nothing, no, question = 1 - 0.7 * share_no, 0.4 * share_no, 0.3 * share_no
    row.say(random, SAID["Status"], (nothing, no, question))
    row.say(random, SAID["Preferred contact"], (nothing, 0, question))
    for _column in FREE[:2]:
        row.say(random, SAID["Notes"], (nothing, no, question))


def _number_of_fax(cell: str) -> set[str]:
    """The number of a cell that `SPELLINGS` wrote in one of its first ways."""
    return {cell.replace(" ", "")[-10:]} if cell else set()


def _perhaps_a_number(random: Random, pool: list[str], share: float) -> str:
    is_there = random.random() < share
    return _written(random.choice(SPELLINGS[:2]), random.choice(pool)) if is_there else ""


def _written(spelling: str, number: str) -> str:
    return spelling.format(n=number, a=number[:4], b=number[4:])


def _spelt(random: Random, numbers: list[str]) -> Iterator[str]:
    plain = SPELLINGS[:3] if len(numbers) > 1 else SPELLINGS
    for number in numbers:
        yield _written(random.choice(plain), number)


def through_both(lines: list[list[str]], header: list[str], **how: object) -> tuple[pd.DataFrame, int]:
    """The verdicts, the same of the sheet and of the big file, and how many refusals reach nobody."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "list.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows([header, *lines])
        hints = {"encoding": "utf-8", "delimiter": ",", "header_row": 1}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv_file, "_BLOCK_BYTES", max(LEAST_BYTES, path.stat().st_size // PIECES))
            patch.setattr(csv_file, "_BLOCKS_AT_ONCE", 1)
            contacts, streamed = both_doors(path, hints, **how)
    verdicts = comparable(contacts.rows)
    pd.testing.assert_frame_equal(streamed, verdicts)
    return verdicts, contacts.unreached


@pytest.mark.parametrize("seed", [3, *only_deep(0, 1, 2, *range(4, 12))])  # 3 has lines of every kind
def test_who_refused_gets_through_no_door(seed: int) -> None:
    rows, listed = made(seed)
    columns = ColumnMap(
        phones=PHONES, consents=CONSENTS, opt_outs=OPT_OUTS, statuses=STATUS, preferences=PREFERENCES
    )
    lines = [row.cells for row in rows]
    expected, unreached = through_both(lines, HEADER, country="GB", columns=columns, opt_outs=listed)
    assert unreached == sum(row.lost for row in rows)
    theirs = set(listed).union(*(row.numbers for row in rows if row.refuses))
    asked = set().union(*(row.numbers for row in rows if row.unclear))
    asked = asked.union(*(row.others for row in rows if row.refuses))
    status, refuses = expected["status"], pd.Series([row.refuses for row in rows])
    refused = refuses | pd.Series([bool(row.numbers & theirs) for row in rows])
    kept_out = refused | pd.Series([row.unclear or bool(row.numbers & asked) for row in rows])
    assert not (kept_out & (status == "ok")).any()
    assert status[refuses].isin(["opted_out", "empty"]).all()
    assert (refused | (status != "opted_out")).all(), "nobody else is refused"
    is_free = pd.Series([bool(row.numbers - {LANDLINE}) for row in rows])
    assert status[is_free & ~kept_out].isin(["ok", "duplicate", "review"]).all(), "nobody else is lost"


@pytest.mark.parametrize(
    ("country", "many"),
    [("GB", 200), *(pytest.param(one, 1_500, marks=pytest.mark.deep) for one in ("US", "GB", "DE", None))],
)
def test_any_text_gets_the_same_verdict_by_both_doors(country: str | None, many: int) -> None:
    texts = [text or "" for text, _ in [*mixed_column(many, seed=1), *hostile_texts(many, seed=2)]]
    lines = [
        [text.replace("\r", " ").replace("\0", ""), f"{place}", home]
        for place, (text, home) in enumerate(
            zip(texts, cycle(["", "GB", "France", "Atlantis"]), strict=False)
        )
    ]
    columns = ColumnMap(phones=("phone",), country="land")
    expected, _ = through_both(lines, ["phone", "id", "land"], country=country, columns=columns)
    assert (expected["status"] == "ok").sum() > many / 5


def test_a_later_row_beyond_doubt_is_kept_before_one_in_review() -> None:
    one, two = "07400 123456", "07400 123457"
    cells = [f"{one} ext 5", f"{two} ext 4", f"{one} ext 6", *["n/a"] * 30, one, f"{one} ext 7", one]
    lines = [[cell, "x" * 40] for cell in cells]
    expected, _ = through_both(lines, ["phone", "note"], country="GB")
    assert expected["duplicate_of"].tolist()[:3] == [35, "", 35]
    assert expected["status"].value_counts().to_dict() == {"empty": 30, "duplicate": 4, "review": 1, "ok": 1}


def test_what_only_the_last_rows_say_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "_SAMPLE_BYTES", 1_000)
    monkeypatch.setattr(csv_file, "_LARGER_SAMPLE_BYTES", 2_000)
    lines = [[phone, "active", "", ""] for phone in phones(120)]
    lines[-1][1], lines[-2][2], lines[-3][3] = "unsubscribed", "07400 123456", "yes"
    expected, _ = through_both(lines, ["phone", "Status", "second phone", "unsubscribed"], country="GB")
    assert expected["status"].tolist() == [*["ok"] * 117, "opted_out", "ok", "opted_out"]
    assert expected["other_phones"].iloc[-2] == "+447400123456"


def test_blank_rows_and_repeated_headers_are_left_out_by_both_doors() -> None:
    people = phones(60)
    header = ["Group", "Mobile", ""]
    lines = [["", phone, ""] for phone in people]
    lines[40:40] = [["Please text", "", ""]]
    lines[20:20] = [["", "", ""], header, ["Do not text", "", ""], ["", "", ""], header]
    lines += [["", "", ""], header, ["", people[0], "note"], ["", "", ""]]
    expected, _ = through_both(lines, header, country="GB")
    assert len(expected) == len(people) + len(["Do not text", "Please text", "note"])
    assert expected["row"].iloc[20] == len(["header", *people[:20], "blank", "header", "Do not text"])
    assert set(expected["status"][21:40]) == {"opted_out"}


@pytest.mark.parametrize("far_in_header", [120, *only_deep(0, 300)])
@pytest.mark.parametrize("far", [(0, 0, 0, 7, 60, 120), *only_deep((0, 16_000), (0, 1), (300, 700))])
def test_blank_cells_far_to_the_right_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, far: tuple[int, ...], far_in_header: int
) -> None:
    monkeypatch.setattr(csv_file, "_BLOCK_BYTES", 100_000 if max(far) > 700 else 1_500)  # a row has to fit
    random = Random(5)  # noqa: S311
    plain = [f"Ann {place},{phone}" for place, phone in enumerate(phones(40))]
    plain[30] = "Ann 30,do not text"
    lines = ["Name,Mobile" + "," * far_in_header, *(line + "," * random.choice(far) for line in plain)]
    path = tmp_path / "list.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    contacts, streamed = both_doors(path, country="GB")
    expected = comparable(contacts.rows)
    pd.testing.assert_frame_equal(streamed, expected)
    path.write_text("\n".join(["Name,Mobile", *plain]), encoding="utf-8")
    pd.testing.assert_frame_equal(expected, comparable(clean_contacts(read_sheet(path), country="GB").rows))


def test_a_group_goes_on_in_the_next_batch() -> None:
    lines = [["", phone, "x" * 20] for phone in phones(80)]
    lines[0][0], lines[25][0], lines[60][0] = "Customers", "Opted out", "Leads"
    expected, _ = through_both(lines, ["Group", "Mobile", "Note"], country="GB")
    assert expected["status"].value_counts().to_dict() == {"ok": 45, "review": 34, "opted_out": 1}


REMARKS = [("(no SMS)", "ok"), ("no texts", "ok"), ("keine SMS", "ok"), ("opted out", "review")]
FORMS = ["{number} {words}", "{words}: {number}", "{number} - {words}"]


@pytest.mark.parametrize("first", [0, *only_deep(1, 2)])
def test_what_stands_beside_a_number_is_said_of_that_number(first: int) -> None:
    """A landline without texts refuses nobody; a mobile does wherever it is the one that would be texted."""
    lines, wanted, refused = [], [], "opted_out"
    for place, (words, person) in enumerate(REMARKS):
        form = FORMS[(first + place) % len(FORMS)]
        landline, mobile = f"020 7946 09{place}1", f"07400 52{place}451"
        remarks = [form.format(number=number, words=words) for number in (landline, mobile)]
        lines += [
            [f"07400 12{place}456", remarks[0]],
            [f"07400 22{place}457", remarks[1]],
            [mobile, ""],
            [remarks[1], f"07400 32{place}458"],
            [f"07400 42{place}459", words],
            [f"07400 62{place}451", ""],
            [form.format(number="07400 12345", words=words), f"07400 72{place}451"],
        ]
        wanted += [person, person, refused, person, refused, "ok", refused]
    expected, _ = through_both(lines, ["Mobile", "Home phone"], country="GB")
    assert expected["status"].tolist() == wanted


@pytest.mark.parametrize(
    "other", ["Email consent", *only_deep("Newsletter", "Email Marketing Status", "Push")]
)
def test_whoever_left_another_channel_is_texted_if_they_agreed_to_texts(other: str) -> None:
    lines = [
        ["07400 123456", "UNSUBSCRIBED", "SUBSCRIBED"],
        ["07400 223457", "NEVER_SUBSCRIBED", "SUBSCRIBED"],
        ["07400 323458", "SUBSCRIBED", "UNSUBSCRIBED"],
        ["07400 423459", "do not text", "SUBSCRIBED"],
    ]
    expected, _ = through_both(lines, ["Mobile", other, "SMS consent"], country="GB")
    assert expected["status"].tolist() == ["ok", "ok", "opted_out", "opted_out"]


NEWSLETTERS = {"Newsletter", "Mailing list"}
"""They are a question only where nothing else was asked."""


def sheets_told_below() -> Iterator[list[str]]:
    """Headers that share a sheet, and those that need one of their own."""
    alone = {header for header in TOLD if asks_everybody(header, [line["cell"] for line in TOLD[header]])}
    alone |= NEWSLETTERS
    yield [header for header in TOLD if header not in alone]
    yield from ([header] for header in alone)


@pytest.mark.parametrize("by_both_doors", [False, *only_deep(True)])
@each("headers", sheets_told_below())
def test_a_cell_says_what_people_mean_by_it_below_its_header(
    headers: list[str], *, by_both_doors: bool
) -> None:
    lines = [line for header in headers for line in TOLD[header]]
    sheet = one_sheet((line["header"], line["cell"]) for line in lines)
    how: dict[str, Any] = {"country": "GB", "columns": guess_columns(sheet).answered({}, none_of_these=True)}
    if by_both_doors:
        found = through_both(sheet.to_numpy().tolist(), [*sheet], **how)[0]["status"]
    else:
        found = clean_contacts(sheet, **how).rows["status"]
    assert [{**line, "status": status} for line, status in zip(lines, found, strict=True)] == lines
