"""`ContactList`: the verdict on every row of a sheet, and the rows that can be texted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from numbers import Integral
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.categories import among, having
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.questions import answer_to, question_notes, question_table
from dashboard.contacts.problems import QUESTIONS, Status, explain
from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.sheet import Sheet
from dashboard.contacts.rows.asked import questions_in, with_answers
from dashboard.contacts.rows.sources import evidence_of, in_words
from dashboard.display import Card
from dashboard.errors import OptionError
from dashboard.words import _, count, plural

__all__ = [
    "OWN_FIELDS",
    "Cleaning",
    "ContactList",
    "Keep",
    "check_rows",
    "every_phone",
    "explained",
    "refusal_notes",
]

Keep = Literal["first", "last", "warn"]
"""Which of several rows with the same number is kept; "warn" keeps all for a person to look at."""

OWN_FIELDS = ("row", "phone", "country", "line_type")


@dataclass(frozen=True)
class Cleaning:
    """How a list was cleaned.

    Attributes:
        country: Country of numbers without a country code.
        columns: Which columns hold what.
        line_types: Line types to text.
        keep: Which of several rows with the same number is kept.
        opt_outs: Numbers that must not be texted; +447400123456 is 447400123456.
    """

    country: str | None
    columns: ColumnMap
    line_types: frozenset[str]
    keep: Keep
    opt_outs: npt.NDArray[np.int64] = field(repr=False)


class _Copied:
    """A frame of which everybody who asks gets a copy, so that changing it changes nobody's verdict.

    Until it is changed, the copy takes no memory (pandas' copy-on-write).
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, instance: object, owner: type) -> pd.DataFrame:
        if instance is None:
            raise AttributeError("a field without a default")  # dataclasses ask the class
        frame: pd.DataFrame = instance.__dict__[self._name]
        return frame.copy(deep=False)

    def __set__(self, instance: object, frame: pd.DataFrame) -> None:
        instance.__dict__[self._name] = frame.copy(deep=False)


@dataclass(frozen=True, kw_only=True, repr=False)
class ContactList:
    """What `clean_contacts` makes of a sheet.

    Its frames are copies: changing one changes no verdict. `approve` and `correct_phones` do.

    Attributes:
        rows: One row per sheet row, in the sheet's order; columns in docs/columns.md. On the index of the
            frame that was cleaned, or from 0 for a sheet.
        fields: The sheet's own columns for the same rows, as read, on the same index.
        how: How it was cleaned.
        judged: The verdicts before rows affected each other, counted from 0; for `correct_phones`.
        alone: The status and problems of each row apart from duplicates, counted from 0; for `choose_people`.
        said: What the sheet says against texting each row; `evidence` is made of it.
        told: The same by number.
        answers: What a person said, "may" or "must_not", by question; see `answer_questions`.
        sheet: The sheet it was cleaned from, as it was read; for `correct_phones`.
        unreached: How many rows refuse texts but have no readable number, so they keep nobody out.
        unreached_left_out: How many of these are hidden rows that were left out.
        of_all: What is said of all rows together, by the file's name for instance, in sentences.
        lists: The lists it was joined of, by name, as `join_contacts` got them; empty for a single list.
        is_chosen: Whether `choose_people` chose among its rows.

    Example:
        >>> clean_contacts(pd.DataFrame({"mobile": ["07400 123456", "07400"]}), country="GB")
        <ContactList: 1 ok, 1 invalid>
    """

    rows: _Copied = _Copied()
    fields: _Copied = _Copied()
    how: Cleaning
    judged: _Copied = _Copied()
    alone: _Copied = _Copied()
    said: _Copied = _Copied()
    told: _Copied = _Copied()
    sheet: Sheet
    answers: Mapping[str, str] = field(default_factory=dict)
    unreached: int = 0
    unreached_left_out: int = 0
    of_all: tuple[str, ...] = ()
    lists: Mapping[str, ContactList] = field(default_factory=dict)
    is_chosen: bool = False

    def __repr__(self) -> str:
        counts = ", ".join(f"{rows} {status}" for status, rows in self.counts().items() if rows)
        return f"<ContactList: {counts or 'no rows'}>"

    def _repr_html_(self) -> str:
        asked = self.how.columns.questions
        counts = [f"{count(rows)} {status}" for status, rows in self.counts().items() if rows]
        facts = [self.sheet_name, plural(len(self.rows), "{count} row", "{count} rows"), *counts]
        return Card(
            "ContactList",
            [fact for fact in facts if fact],
            question_table(asked) if asked else self.summary()[["status", "problem", "rows", "meaning"]],
            [*question_notes(asked), *self.notes],
            self._next_step(),
        ).html()

    def _next_step(self) -> str:
        if asked := self.how.columns.questions:
            step = 'd.clean_contacts(sheet, country="GB", columns=columns)'
            return f"columns = contacts.how.{answer_to(asked)}, then contacts = {step}"
        if self.count(Status.REVIEW):
            return "contacts.rows.query(\"status == 'review'\"), then contacts.approve(rows)"
        return 'messages = d.write_messages(contacts, "Hi {{first_name|there}}!", campaign="Spring")'

    @property
    def sheet_name(self) -> str:
        """Name of the file the contacts came from."""
        return self.sheet.name

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before texting the list, in sentences."""
        return (*self.of_all, *refusal_notes(self.unreached))

    @property
    def sendable(self) -> pd.DataFrame:
        """The rows with status ok: row, phone, country, line_type and the sheet's columns as merge fields.

        A column of the sheet whose name clashes with one of the first four gets a number, as in "phone#2".
        """
        ok = (self.rows["status"] == Status.OK).to_numpy()
        sendable = pd.concat([self.rows.loc[ok, list(OWN_FIELDS)], self.fields.loc[ok]], axis=1)
        return sendable.set_axis(unique_names(list(sendable.columns)), axis=1).reset_index(drop=True)

    def summary(self) -> pd.DataFrame:
        """Rows by status and problem with what each means; most frequent first within a status."""
        counts = (
            self.rows.groupby(["status", "problem"], dropna=False, observed=True)
            .size()
            .rename("rows")
            .reset_index()
        )
        return explained(counts)

    @property
    def questions(self) -> pd.DataFrame:
        """What a person is asked about the rows in review, each thing once, whatever number of rows waits.

        Several lists are asked about each by itself: the same remark may mean something else there.

        Example:
            >>> sheet = pd.DataFrame({"mobile": ["07400 123456"], "notes": ["may want to opt out"]})
            >>> clean_contacts(sheet, country="GB").questions["question"].tolist()
            ['refusal_noted | notes | opt out']
        """
        asked = self.asked()
        starts = pd.Series([f"{name} | " for name in self.lists] or [""], dtype="str")
        asked["question"] = starts.iloc[asked.pop("list")].array + asked["question"]
        return asked[~asked.pop("answered")].reset_index(drop=True)

    def asked(self) -> pd.DataFrame:
        """The same with what is `answered`; `list` is the place among `lists`, which no question names."""
        parts, first = [], 0
        for place, one in enumerate(self.lists.values() or [self]):
            status = self.rows["status"].iloc[first : first + len(one.rows)]
            rows = one.rows.assign(status=status.array).reset_index(drop=True)
            found = questions_in(one.said, rows, one.judged["number"].to_numpy(), one.answers)
            parts.append(found.assign(list=place, answered=found["question"].isin(one.answers)))
            first += len(one.rows)
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def heard(self) -> pd.DataFrame:
        """What the sheet says, as far as no answer has settled it; nobody may change it."""
        return with_answers(self.said, self.rows["row"], self.answers)

    @property
    def evidence(self) -> pd.DataFrame:
        """All that keeps rows from being texted as they are, one entry for each reason; see docs/columns.md.

        What one row says is an entry of every row with one of its numbers. Rows that merely were not chosen
        have none.

        Example:
            >>> sheet = pd.DataFrame({"mobile": ["07400 123456 ext 5"], "notes": ["may want to opt out"]})
            >>> clean_contacts(sheet, country="GB").evidence[["row", "kind", "problem", "column"]]
               row    kind            problem column
            0    2     ask     refusal_noted  notes
            1    2  number  extension_dropped
        """
        return self._evidence().drop(columns="place")

    def _evidence(self, wanted: npt.NDArray[np.bool_] | None = None) -> pd.DataFrame:
        rows, number = self.rows.reset_index(drop=True), self.judged["number"].to_numpy()
        if wanted is not None:
            rows, number = rows[wanted], number[wanted]
        return evidence_of(rows, number, self.heard, self.told, self.how.opt_outs)

    def reasons(self) -> pd.Series:
        """Why each row is not ok, in words, on the index of `rows`; missing where it is ok.

        Of a row to look at every reason is told, of one that is opted out every refusal. They name the
        columns to read, never what stands there.
        """
        rows = self.rows.reset_index(drop=True)
        evidence = self._evidence(among(rows["status"], (Status.REVIEW.value, Status.OPTED_OUT.value)))
        words = in_words(rows, evidence, self.fields.reset_index(drop=True), self.how.columns)
        return words.set_axis(self.rows.index)

    def with_index(self, index: pd.Index) -> ContactList:
        """The same list on another index: that of the frame it is about."""
        return replace(
            self, rows=self.rows.set_axis(index, axis=0), fields=self.fields.set_axis(index, axis=0)
        )

    @checks_arguments(rows=None)
    def approve(self, rows: Iterable[int] | Mapping[int, str] | None = None) -> ContactList:
        """The same list with rows in review accepted as ok.

        Args:
            rows: Row numbers to approve; others are not touched. Or what `approvals` gave for them, earlier
                or for another list of the same rows: those of which something else is asked by now stay in
                review. If left out, all rows are approved of which only the number is doubted: whether
                somebody may be texted is asked one by one.

        Raises:
            OptionError: The list has no row with one of these numbers.
        """
        approved = among(self.rows["status"], (Status.REVIEW.value,))
        if rows is None:
            approved &= ~having(self.rows["problems"], QUESTIONS)
        else:
            if not isinstance(rows, Iterable):
                raise OptionError(_("Give row numbers as a list, as in [2, 3]."))
            rows = rows if isinstance(rows, Mapping) else list(rows)
            check_rows(rows, self.rows["row"])
            approved &= self.rows["row"].isin(rows).to_numpy()
        if isinstance(rows, Mapping):
            still = {row for row, answered in self._approvals(approved).items() if rows[row] == answered}
            approved &= self.rows["row"].isin(still).to_numpy()
        accepted = self.rows.assign(
            status=self.rows["status"].mask(approved, Status.OK.value),
            problem=self.rows["problem"].mask(approved),
            problems=self.rows["problems"].mask(approved, ""),
        )
        return replace(self, rows=accepted)

    @checks_arguments()
    def approvals(self, rows: Iterable[int]) -> dict[int, str]:
        """An approval of each of these rows that are in review, to be kept: it names what it answers.

        Args:
            rows: Row numbers.

        Returns:
            By row number a digest of all that is asked about it, for `approve`.

        Raises:
            OptionError: The list has no row with one of these numbers.
        """
        rows = list(rows)
        check_rows(rows, self.rows["row"])
        in_review = among(self.rows["status"], (Status.REVIEW.value,))
        return self._approvals(in_review & self.rows["row"].isin(rows).to_numpy())

    def _approvals(self, wanted: npt.NDArray[np.bool_]) -> dict[int, str]:
        entries = self._evidence(wanted)[["row", "problem", "column", "source_row", "words"]]
        away = entries["source_row"] - entries["row"]
        entries["source_row"] = away.astype("str").where(entries["source_row"] != 0, "")
        of_rows = self.rows[wanted]
        asked = {
            row: [phone]
            for row, phone in zip(of_rows["row"].tolist(), of_rows["phone"].astype("str"), strict=True)
        }
        for row, *entry in entries.itertuples(index=False):
            asked[row].append("\n".join(map(str, entry)))
        texts = {row: "\n\n".join(sorted(some)).encode("utf-8", "replace") for row, some in asked.items()}
        return {row: sha256(text).hexdigest()[:16] for row, text in texts.items()}

    def counts(self) -> dict[str, int]:
        """How many rows have each status, including statuses that no row has."""
        return {status.value: self.count(status) for status in Status}

    def count(self, status: Status | str) -> int:
        """How many rows have this status."""
        return int((self.rows["status"] == Status(status)).sum())


def check_not_chosen(lists: Iterable[ContactList]) -> None:
    """Refuse lists among whose people somebody chose: judged again, they would all be texted.

    Raises:
        OptionError: There is one.
    """
    if any(one.is_chosen for one in lists):
        raise OptionError(
            _("People have already been chosen from this list. Correct and join lists first, then choose.")
        )


def check_rows(rows: Collection[object], known: pd.Series) -> None:
    """Refuse row numbers that a list does not have: another list may be meant, or places instead of rows.

    Raises:
        OptionError: There are some.
    """
    there = set(known)
    if not all(isinstance(row, Integral) and row in there for row in rows):
        raise OptionError(
            _("The list has no such row. Give whole numbers as they stand in its column row, not positions.")
        )


def every_phone(rows: pd.DataFrame) -> pd.Series:
    """Every valid number (E.164) of some rows of `ContactList.rows`, those that are not used included."""
    others = rows["other_phones"].str.split("; ").explode()
    phones: pd.Series = pd.concat([rows["phone"].dropna(), others[others != ""].astype("str")])
    return phones


def refusal_notes(unreached: int) -> tuple[str, ...]:
    """That some rows refuse and reach nobody, in a sentence; none where there is no such row."""
    if not unreached:
        return ()
    return (
        plural(
            unreached,
            "{count} row refuses texts but has no readable number. Check whether this person is in the list "
            "under another number.",
            "{count} rows refuse texts but have no readable number. Check whether these people are in the "
            "list under another number.",
        ),
    )


def explained(counts: pd.DataFrame) -> pd.DataFrame:
    """Counts (status, problem, rows) with their meaning, the most frequent first within a status."""
    ordered = counts.sort_values(["status", "rows"], ascending=[True, False], ignore_index=True)
    meanings = [_("Can be texted.") if pd.isna(code) else explain(code) for code in ordered["problem"]]
    return ordered.assign(meaning=pd.Series(meanings, dtype="str"))
