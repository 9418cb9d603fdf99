"""The opt-out list: every number that its entries may mean, however they were written.

A lost refusal means a text to somebody who said no. So an entry is read like a phone cell, with all the
repairs, and every reading of it counts; entries that cannot be read are reported by their place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.categories import numbers_of
from dashboard.contacts.e164 import E164
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.numbers.cells import numbers_in
from dashboard.contacts.numbers.split import FEWEST_DIGITS
from dashboard.contacts.problems import Problem
from dashboard.contacts.read.entities import decoded
from dashboard.contacts.read.sheet import Sheet, sheet_of_frame
from dashboard.contacts.renumberings import in_todays_spelling
from dashboard.contacts.words.headings import names_refusers
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.own_line import names_own_line
from dashboard.contacts.words.spelling import normalise
from dashboard.contacts.words.title import read_title
from dashboard.errors import OptOutError
from dashboard.phones import clean_phones
from dashboard.values import as_text, as_texts, whole_characters
from dashboard.words import N_, _, count, plural

__all__ = ["IS_FILE", "OptOuts", "ReadOptOuts", "numbers_of_opt_outs", "read_entries"]

Numbers = npt.NDArray[np.int64]
_LOST_PLUS = r"[1-9][0-9]{7,14}"
_NAMED = 5
_FEWEST_WITH_HEADING = 2
_DATED = re.compile(
    r"(?<![\d./+-])(?:(?:19|20)\d\d-\d\d?-\d\d?|\d\d?[./-]\d\d?[./-](?:19|20)\d\d)(?![\d./-])"
)
_COLONS = (":", "\uff1a")
_HEADS = (
    *("header_opt_out", "refused", "refusal", "refusal_alone"),
    *("header_phone", "header_mobile", "header_number", "header_number_noun", "header_owner"),
)
_HEADING = re.compile(r"(?!#\S)(?=.*[^\W\d_])(?:[^\d+]|(?<!\d)[1-9]\d{0,3}(?!\d))+")
"""Words, and digits only as in days and years: a number that lost some begins with a zero or is longer."""
IS_FILE = re.compile(r"[^\r\n@]*\.[A-Za-z]{2,7}")
"""One line that ends as files do; a number beside an e-mail address does so too."""
_READ_FIRST = N_("The opt-out list is a file or a sheet. Read it with read_opt_outs first.")


@dataclass(frozen=True)
class ReadOptOuts:
    """What an opt-out list says; `clean_contacts` and `Ledger.add_opt_outs` take it as their opt-outs.

    Attributes:
        numbers: Each number once; +447400123456 is 447400123456.
        unread: Places of the entries in which something cannot be read as a number, counted from 1; of a
            sheet, its row numbers.
        passed_over: Rows of people who did not refuse, in a sheet that says who did.
        columns: The columns that say this.
    """

    numbers: Numbers
    unread: tuple[int, ...]
    passed_over: int = 0
    columns: tuple[str, ...] = ()

    @property
    def phones(self) -> list[str]:
        """The numbers in E.164: a list to go on with where some entries cannot be read."""
        return [f"+{number}" for number in self.numbers.tolist()]

    def places(self) -> str:
        """The first of the unread places, in words."""
        more = ", …" if len(self.unread) > _NAMED else ""
        return ", ".join(count(place) for place in self.unread[:_NAMED]) + more


OptOuts = str | bytes | float | pd.DataFrame | ReadOptOuts | Iterable[object]
"""One text with an entry per line, one number, or any collection of entries: texts, numbers, a column of a
frame, or a frame with the column phone; or what `read_opt_outs` returned. Blank and missing entries do not
count."""


def numbers_of_opt_outs(opt_outs: OptOuts, country: str | None) -> Numbers:
    """The numbers of an opt-out list, as `subscribers_of` has them.

    Raises:
        OptOutError: Something in it cannot be read as a number; the message names the places.
    """
    if isinstance(opt_outs, Path | Sheet):
        raise OptOutError(_(_READ_FIRST))
    read = read_entries(opt_outs, country)
    if not read.unread:
        return np.unique(in_todays_spelling(read.numbers))
    if isinstance(opt_outs, str) and IS_FILE.fullmatch(opt_outs):
        raise OptOutError(_(_READ_FIRST))
    raise OptOutError(
        plural(
            len(read.unread),
            "{count} entry of the opt-out list cannot be read as a phone number: entry {places}. Write "
            "it with + and the country code, or remove it.",
            "{count} entries of the opt-out list cannot be read as phone numbers: entries {places}. "
            "Write them with + and the country code, or remove them.",
            places=read.places(),
        )
    )


def read_entries(opt_outs: OptOuts, country: str | None, *, trusts_e164: bool = True) -> ReadOptOuts:
    """Read an opt-out list like phone cells; several numbers in an entry all count.

    A first entry, perhaps with a date, is a heading if it ends in a colon or its words are known headings of
    lists of numbers or refusals; a date next to a number is not a number. Arguments as in `read_opt_outs`.
    """
    if isinstance(opt_outs, ReadOptOuts):
        return opt_outs
    texts = pd.Series([_text(entry) for entry in _entries(opt_outs)], dtype="str").str.strip()
    texts.index += 1
    texts = _without_dates(_below_heading(texts[texts != ""]))
    if texts.empty:
        return ReadOptOuts(np.empty(0, np.int64), ())
    literal = texts.str.fullmatch(E164) & trusts_e164
    home = pd.Series(pd.Categorical([country and whole_characters(country)] * len(texts)))
    found = numbers_in(texts.reset_index(drop=True), home)
    found = found[found["problem"] != Problem.NO_NUMBER.value]
    bare = found["digits"].str.fullmatch(_LOST_PLUS) & ~found["text"].str.contains("+", regex=False)
    plus_lost = clean_phones("+" + found["digits"][bare], None)
    believable = plus_lost["valid"] & plus_lost["line_type"].isin(TEXTABLE)
    lost = ~found["valid"] & ~believable.reindex(found.index, fill_value=False)
    unread = texts.index[np.unique(found["cell"][lost])].difference(texts.index[literal], sort=True)
    read = numbers_of(pd.concat([found["phone"][found["valid"]], plus_lost["phone"][believable]]))
    as_stored = numbers_of(texts[literal])
    unknown = as_stored[~np.isin(in_todays_spelling(as_stored), read)]
    return ReadOptOuts(np.union1d(read, unknown), tuple(unread.tolist()))


def _below_heading(texts: pd.Series) -> pd.Series:
    """The entries without a first one that says what they are: "phone", "Opt-outs as of 3 May", "Hull:".

    Other words may be somebody's name whose number is missing: they are told by their place, as everywhere.
    """
    if len(texts) < _FEWEST_WITH_HEADING:
        return texts
    first = _DATED.sub(" ", texts.iloc[0]).strip()
    return texts.iloc[1:] if _HEADING.fullmatch(first) and _names_a_list(first) else texts


def _names_a_list(text: str) -> bool:
    """Whether a text ends in a colon, or all its words are known to head a list of numbers or of refusals."""
    title = read_title(text)
    if text.endswith(_COLONS) or title.fields or normalise(text) in words("refused", "ended"):
        return True
    return names_refusers(title, *_HEADS) or (bool(title.says(*_HEADS)) and names_own_line(title))


def _without_dates(texts: pd.Series) -> pd.Series:
    """Entries without a date next to their number, since a date is not a number."""
    bare = texts.str.replace(_DATED, " ", regex=True).str.strip()
    return bare.where(bare.str.count(r"\d") >= FEWEST_DIGITS, texts)


def _entries(opt_outs: OptOuts) -> Iterable[object]:
    if isinstance(opt_outs, str | bytes):
        return as_text(opt_outs).splitlines()
    if isinstance(opt_outs, Real) and not math.isnan(opt_outs):
        return [opt_outs]
    if isinstance(opt_outs, pd.DataFrame):
        opt_outs = _phones_of(opt_outs)
    if isinstance(opt_outs, pd.Series | pd.Index):
        return as_texts(pd.Series(opt_outs))
    if isinstance(opt_outs, Iterable):
        return opt_outs
    raise OptOutError(
        _(
            "The opt-out list is not a collection of phone numbers. Give a list, a column of a frame, or one "
            "text with a number on each line; leave it out if nobody opted out."
        )
    )


def _phones_of(opt_outs: pd.DataFrame) -> pd.Series:
    if "phone" in opt_outs.index.names:
        opt_outs = sheet_of_frame(opt_outs).frame
    if "phone" in opt_outs.columns and opt_outs.columns.is_unique:
        return opt_outs["phone"]
    if opt_outs.shape[1] == 1:
        return opt_outs.iloc[:, 0]
    raise OptOutError(
        _(
            "The frame given as an opt-out list has no column phone. Give only the column that holds the "
            "numbers."
        )
    )


def _text(entry: object) -> str:
    """An entry as it would be in a cell; a number that a spreadsheet made a decimal is made whole again."""
    if entry is None or entry is pd.NA or entry is pd.NaT:
        return ""
    if isinstance(entry, Real) and math.isnan(entry):
        return ""
    return decoded(whole_characters(as_text(entry)))
