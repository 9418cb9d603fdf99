"""Whoever refuses in any column, in any type of cell, or on any list is never ok, by whichever door.

The oracle knows who refuses because it wrote the sheet: headers and answers are those of tests/vectors, which
say what each means; how headers are spelled, which types cells have and who refuses where is drawn.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import pandas as pd
import pytest
from each import each
from header_forms import programmed
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tiers import draws
from vector_files import vectors

from dashboard.contacts import Sheet, clean_contacts, clean_csv_stream, guess_columns, read_sheet
from dashboard.ledger import Ledger

ANSWERS = vectors("answers.csv")
SAYS_NO = [answer["answer"] for answer in ANSWERS if answer["consent"] == "opted_out"]
SAYS_YES = [answer["answer"] for answer in ANSWERS if answer["consent"] == "ok"]
SAYS_OUT = [answer["answer"] for answer in ANSWERS if answer["opt_out"] == "opted_out"]
SAYS_OUT_ANYHOW = [answer for answer in SAYS_OUT if answer in SAYS_NO]
SAYS_NOT_OUT = [answer["answer"] for answer in ANSWERS if answer["opt_out"] == "ok"]
OF_CALLS = "phone_subscription"
"""Consent to calls beside a column of consent to texts: who wants no calls may want texts."""
HEADERS = [
    case
    for case in vectors("consent_headers.csv")
    if case["field"] in {"consents", "opt_outs"} and case["header"] != OF_CALLS
]
BELOW = [
    case
    for case in vectors("said_below.csv")
    if case["status"] == "opted_out" and (case["header"], case["cell"]) != ("Status", "bounced")
]
"""A "Status" of which no cell says more than "bounced" may be that of an e-mail address."""
ENDED = vectors("ended_consent_headers.csv")
DAY = date(2026, 1, 5)
TYPED: dict[str, dict[str, tuple[list[object], list[object]]]] = {
    "opt_outs": {
        "text": ([*SAYS_OUT], [*SAYS_NOT_OUT]),
        "bool": ([True], [False]),
        "int": ([1], [0]),
        "float": ([1.0], [0.0, float("nan")]),
        "date": ([DAY, datetime(2026, 1, 5, 9, 12)], [None]),  # noqa: DTZ001
    },
    "consents": {
        "text": ([*SAYS_NO], [*SAYS_YES]),
        "bool": ([False], [True]),
        "int": ([0], [1]),
        "float": ([0.0], [1.0]),
    },
}
"""By field and type of cells: those that refuse, and those that do not."""


@dataclass(frozen=True)
class Column:
    """A column that may refuse: its name, a cell that does, and those of everybody else."""

    name: str
    refusing: object
    others: tuple[object, ...]


@st.composite
def columns(draw: st.DrawFn) -> Column:
    """A column of the vectors under a drawn spelling, or one whose cell and header are given together."""
    source = draw(st.sampled_from(["header"] * 4 + ["below", "ended"]))
    if source == "below":
        told = draw(st.sampled_from(BELOW))
        return Column(told["header"], told["cell"], ("",))
    if source == "ended":
        header = draw(st.sampled_from(ENDED))["header"]
        return Column(_spelled(draw, header), draw(st.sampled_from(["yes", "x", "1", "TRUE", True])), ("",))
    case = draw(st.sampled_from(HEADERS))
    of_types = TYPED[case["field"]]
    kind = draw(st.sampled_from(sorted(of_types)))
    refusing, others = of_types[kind]
    if case["header"].lower().endswith(("status", "state")):  # "SMS status: yes" is consent
        refusing, others = [*SAYS_OUT_ANYHOW], [""]
    rest = draw(st.lists(st.sampled_from(others), min_size=1, max_size=3))
    return Column(_spelled(draw, case["header"]), draw(st.sampled_from(refusing)), tuple(rest))


def _spelled(draw: st.DrawFn, header: str) -> str:
    return draw(st.sampled_from([header, *programmed(header)]))


@st.composite
def sheets(draw: st.DrawFn) -> tuple[pd.DataFrame, list[Column], list[str]]:
    """A sheet whose first rows refuse in one column each, those columns, and the last rows' numbers."""
    told = draw(st.lists(columns(), min_size=1, max_size=12, unique_by=lambda column: column.name.casefold()))
    told = [column for column in told if column.name.casefold() not in {"name", "mobile"}]
    people = len(told) + 4
    first = draw(st.integers(0, 60_000))
    phones = [f"74{(place * 77_773) % 10**8:08d}" for place in range(first, first + people)]
    cells: dict[str, list[object]] = {
        "Name": ["Ann"] * people,
        "Mobile": [f"+44{number}" for number in phones],
    }
    for place, column in enumerate(told):
        others = [column.others[row % len(column.others)] for row in range(people)]
        cells[column.name] = [*others[:place], column.refusing, *others[place + 1 :]]
    order = draw(st.permutations(list(cells)))
    return pd.DataFrame({name: cells[name] for name in order}), told, phones[-2:]


def by_frame(sheet: pd.DataFrame | Sheet, _folder: Path, **how: object) -> list[str]:
    return clean_contacts(sheet, country="GB", **how).rows["status"].tolist()  # type: ignore[arg-type]


def by_sheet(frame: pd.DataFrame, folder: Path, **how: object) -> list[str]:
    return by_frame(read_sheet(frame.to_csv(index=False).encode()), folder, **how)


def by_stream(frame: pd.DataFrame, folder: Path, **how: object) -> list[str]:
    path, target = folder / "list.csv", folder / "cleaned.parquet"
    frame.to_csv(path, index=False)
    clean_csv_stream(path, target, country="GB", **how)  # type: ignore[arg-type]
    return pd.read_parquet(target)["status"].tolist()


def by_workbook(frame: pd.DataFrame, folder: Path, **how: object) -> list[str]:
    """With the cells' types: yes and no are booleans, dates are dates."""
    texts = {"options": {"strings_to_formulas": False, "strings_to_urls": False}}
    with pd.ExcelWriter(file := io.BytesIO(), engine="xlsxwriter", engine_kwargs=texts) as book:
        frame.to_excel(book, index=False)
    return by_frame(read_sheet(file.getvalue()), folder, **how)


DOORS = [by_frame, by_sheet, by_stream, by_frame, by_sheet, by_stream, by_workbook]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    opened = Ledger.open(f"sqlite:///{tmp_path_factory.mktemp('ledger') / 'ledger.sqlite'}")
    yield opened
    opened.close()


@settings(
    max_examples=draws(60, 6),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a failure names its column: no need to shrink
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(drawn=sheets(), door=st.sampled_from(DOORS), is_kept=st.booleans())
def test_no_row_that_refuses_is_ever_ok(
    drawn: tuple[pd.DataFrame, list[Column], list[str]],
    door: Callable[..., list[str]],
    is_kept: bool,
    ledger: Ledger,
    tmp_path: Path,
) -> None:
    frame, told, listed = drawn
    opt_outs = [f"0{number}" for number in listed]
    if is_kept:  # the ledger's own list
        ledger.add_opt_outs([f"+44{number}" for number in listed])
        opt_outs = list(ledger.opt_outs()["phone"])
    statuses = door(frame, tmp_path, opt_outs=opt_outs)
    assert len(statuses) == len(frame)
    assert statuses[-2:] == ["opted_out"] * 2
    texted = [column for column, status in zip(told, statuses, strict=False) if status == "ok"]
    assert texted == [], guess_columns(frame)


@each("door", dict.fromkeys(DOORS))
def test_nobody_else_is_kept_back(door: Callable[..., list[str]], tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "Mobile": [f"+4474{(place + 500) * 77_773 % 10**8:08d}" for place in range(5)],
            "SMS opt-out": [True, False, False, False, False],
            "hasAgreedToSms": [1.0, 0.0, 1.0, 1.0, 1.0],
            "unsubscribed_at": [None, None, DAY, None, None],
        }
    )
    statuses = door(frame, tmp_path, opt_outs=[frame["Mobile"][3]])
    assert statuses == ["opted_out"] * 4 + ["ok"]
