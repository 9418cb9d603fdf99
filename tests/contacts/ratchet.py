"""What becomes of every row that the vectors can make, and how that changed since it was frozen.

A letter stands for a row's status, a word of letters for the rows that a case has in a sheet. In each group
`tests/vectors/ratchet.json` lists the cases below their words, one for each sheet of a case. Cases go by
their text in the vector files: one more or one less moves no other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import pandas as pd
from vector_files import VECTORS

from dashboard.contacts import Sheet, clean_contacts
from dashboard.errors import ColumnError

FILE = VECTORS / "ratchet.json"
ANSWERED = ["consent_headers", "ended_consent_headers", "doubted_headers"]
ANSWERED += ["phone_headers", "offered_phone_headers", "never_phone_headers"]
"""Groups of headers, each over a column of a blank and all answers."""
LETTERS = {"ok": "o", "review": "r", "opted_out": "x", "invalid": "i", "duplicate": "d", "empty": "e"}
NO_PHONES = "n"
"""The letter of a sheet that cannot be cleaned, for it has no phone column."""
GONE = "-"
"""The letter of a row that is no longer there."""
EXCEPTIONS: dict[tuple[str, str, int], str] = {
    (group, header, row): "below a status “n/a” says nothing; its first letter was taken for a no"
    for group, header in [
        ("consent_headers", "Status"),
        ("consent_headers", "Lead status"),
        ("never_phone_headers", "Acil durum telefonu"),
    ]
    for row in [85, 109]
} | {
    ("layouts", "mailchimp.csv", row): "Mailchimp’s GMTOFF, hours from Greenwich, is asked about no more"
    for row in [0, 1]
}
"""Why a row of a case, by its group, text and place, may be ok from now on although it was not."""

Letters = dict[str, dict[str, list[str]]]
"""By group and case: a word of letters for each sheet of the case."""


@dataclass(frozen=True)
class Look:
    """A sheet, and whose row each of its rows is; a case may have several sheets, this is one of them."""

    cases: str | list[str]
    sheet: Sheet | pd.DataFrame
    number: int = 0
    country: str | None = "GB"
    how: dict[str, Any] = field(default_factory=dict)

    def words(self) -> dict[str, str]:
        """The letters of each case's rows."""
        rows = self.sheet.frame if isinstance(self.sheet, Sheet) else self.sheet
        cases = [self.cases] * len(rows) if isinstance(self.cases, str) else self.cases
        found = dict.fromkeys(cases, "")
        for case, letter in zip(cases, self._letters(len(rows)), strict=True):
            found[case] += letter
        return found

    def _letters(self, rows: int) -> Iterable[str]:
        try:
            cleaned = clean_contacts(self.sheet, country=self.country, **self.how)
        except ColumnError:
            return NO_PHONES * rows
        return cleaned.rows["status"].astype("str").map(LETTERS)


Looks = list[Callable[[], Look]]


def judged(looks: Looks) -> dict[str, dict[int, str]]:
    """The words of each case, by the number of the sheet."""
    found: dict[str, dict[int, str]] = {}
    for make in looks:
        look = make()
        for case, word in look.words().items():
            found.setdefault(case, {})[look.number] = word
    return found


class Change(NamedTuple):
    """What a row was and is; `of` are its group and case, its sheet among those of the case, its place."""

    of: tuple[str, str, int, int]
    before: str
    now: str

    @property
    def is_forbidden(self) -> bool:
        """Whether who was refused or held is ok, or is judged no more and might be ok at the next freeze."""
        passed = self.before in "xr" and self.now in {"o", NO_PHONES, GONE}
        group, case, _sheet, row = self.of
        return passed and (group, case, row) not in EXCEPTIONS

    def told(self, answers: list[str]) -> str:
        group, case, number, row = self.of
        where = repr(["", *answers][row]) if group in ANSWERED else f"row {row}"
        return f"{group} · {case!r}, sheet {number}, {where}: {self.before} → {self.now}"


def changes(group: str, frozen: dict[str, list[str]], now: dict[str, dict[int, str]]) -> Iterator[Change]:
    """The rows of a group that are not what they were; cases that are not frozen are not looked at."""
    for case, words in now.items():
        for number, word in words.items():
            before = dict(enumerate(frozen.get(case, []))).get(number, "")
            for row, (was, letter) in enumerate(zip(before, word.ljust(len(before), GONE), strict=False)):
                if was != letter:
                    yield Change((group, case, number, row), was, letter)


def report(found: list[Change], answers: list[str]) -> str:
    """How many rows of each group became what, and the first of those that must not become that."""
    counts = Counter((change.of[0], f"{change.before} → {change.now}") for change in found)
    lines = [f"{group}: {many} rows {what}" for (group, what), many in sorted(counts.items())]
    forbidden = [change.told(answers) for change in found if change.is_forbidden]
    return "\n".join(
        [*lines, f"{len(forbidden)} rows were refused or held and must stay so:", *forbidden[:20]]
    )


def digest(*of: object) -> str:
    return blake2b(repr(of).encode(), digest_size=4).hexdigest()


def load() -> dict[str, Any]:
    """The frozen file, its `groups` as Letters; where there is none, one that holds nothing."""
    if not FILE.exists():
        return {"score": {}, "answers": [], "groups": {}}
    frozen: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    for group, by_words in frozen["groups"].items():
        cases = ((case, words.split()) for words, of_words in by_words.items() for case in of_words)
        frozen["groups"][group] = dict(sorted(cases))
    return frozen


def save(score: dict[str, int], answers: list[str], groups: Letters) -> None:
    packed: dict[str, dict[str, list[str]]] = {}
    for group, cases in groups.items():
        by_words: dict[str, list[str]] = {}
        for case, words in sorted(cases.items()):
            by_words.setdefault(" ".join(words), []).append(case)
        packed[group] = dict(sorted(by_words.items()))
    whole = {"score": score, "answers": answers, "groups": packed}
    FILE.write_text(json.dumps(whole, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
