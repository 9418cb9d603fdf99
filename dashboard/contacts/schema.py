"""The columns of every frame that this room returns, declared once.

docs/columns.md is generated from it (`python docs/generate_columns.py`). Other rooms declare theirs the
same way: a `SCHEMAS` mapping from the frame's name to its columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["SCHEMAS", "Column"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a frame.

    Attributes:
        name: The column's name in the frame.
        dtype: Its pandas dtype, written as pandas prints it ("str", "int64", "category" ...).
        unit: What a value counts or how it is written ("E.164", "credits", "UTC"); "" where there is none.
        meaning: One sentence for whoever reads the frame.
    """

    name: str
    dtype: str
    unit: str
    meaning: str


_PHONES = (
    Column("phone", "str", "E.164", "The number as the library writes it; missing when it cannot be parsed."),
    Column("valid", "bool", "", "Whether the library calls the number valid."),
    Column("country", "category", "ISO 3166", 'Region of the number, "001" for numbers of no country.'),
    Column("line_type", "category", "contract 4.2", "One of the contract's 15 words, such as MOBILE."),
    Column("problem", "category", "", "Why it is not valid, in the library's words; missing when valid."),
)

_CONTACTS = (
    Column("row", "int64", "row number", "The row that the spreadsheet program shows."),
    Column(
        "raw_phone", "str", "", "The phone cell as it was typed; with several columns, the one that was used."
    ),
    Column("phone", "str", "E.164", "The number; missing when the row has no valid one."),
    Column("country", "category", "ISO 3166", "Country of the number."),
    Column("line_type", "category", "contract 4.2", "What kind of line the number is; missing without one."),
    Column("status", "category", "", "ok, review, invalid, duplicate, opted_out, empty or not_chosen."),
    Column("problem", "category", "", "Why the status is not ok, as a code; missing when it is ok."),
    Column(
        "problems",
        "category",
        "codes",
        'All that is said against the row or wrong with its number, joined by "; "; empty when nothing is.',
    ),
    Column(
        "repairs", "str", "codes", 'What was repaired or noticed, joined by "; "; empty when nothing was.'
    ),
    Column("duplicate_of", "Int64", "row number", "The row that was kept; missing unless a duplicate."),
    Column("other_phones", "str", "E.164", 'Valid numbers in the row that are not used, joined by "; ".'),
)

_EVIDENCE = (
    Column("row", "int64", "row number", "The row that it is about."),
    Column("kind", "str", "", "said: a refusal; ask: for a person to decide; number: about the phone."),
    Column("problem", "str", "", "What it means, as a code."),
    Column("column", "str", "", 'The column in which it stands; "" if in none.'),
    Column("source_row", "int64", "row number", "The row in which it stands; 0 if in none."),
    Column("words", "str", "", "The cell in which it stands, as it was read."),
)

_QUESTIONS = (
    Column("question", "str", "", "What is asked, to be answered with `answer_questions`."),
    Column("problem", "str", "", "What the cells may mean, as a code."),
    Column("column", "str", "", 'The column in which it stands; "" if in none.'),
    Column("line", "int64", "row number", "The row that says it of rows below it; 0 if each says it itself."),
    Column("words", "str", "", "One of the cells; the name of the file, say, where it stands in none."),
    Column("rows", "int64", "rows", "How many rows wait for the answer."),
)

_SENDABLE = (
    Column("row", "int64", "row number", "The row that the spreadsheet program shows."),
    Column("phone", "str", "E.164", "The number to text."),
    Column("country", "category", "ISO 3166", "Country of the number."),
    Column("line_type", "category", "contract 4.2", "What kind of line the number is."),
    Column("…", "str", "", "Every column of the sheet, as merge fields; a name already taken gets #2."),
)

_SUMMARY = (
    Column("status", "category", "", "ok, review, invalid, duplicate, opted_out, empty or not_chosen."),
    Column("problem", "category", "", "The code; missing for ok."),
    Column("rows", "int64", "rows", "How many rows have this status and problem."),
    Column("meaning", "str", "", "What it means and what to do, in words."),
)

_CHECKED = (
    Column("row", "int64", "row number", "The row that the spreadsheet program shows."),
    Column(
        "…", "str", "", "Every column of the sheet as it was read; a name below that it already uses gets #2."
    ),
    Column("phone", "str", "E.164", "The number; missing when the row has no valid one."),
    Column("country", "category", "ISO 3166", "Country of the number."),
    Column("line_type", "category", "contract 4.2", "What kind of line the number is; missing without one."),
    Column("status", "category", "", "ok, review, invalid, duplicate, opted_out, empty or not_chosen."),
    Column("problem", "category", "", "Why the status is not ok, as a code; missing when it is ok."),
    Column("explanation", "str", "", "What is wrong and what to do, in words; missing when it is ok."),
    Column("repairs", "str", "codes", "What was repaired or noticed."),
    Column("duplicate_of", "Int64", "row number", "The row that was kept; missing unless a duplicate."),
    Column("other_phones", "str", "E.164", 'Valid numbers in the row that are not used, joined by "; ".'),
)

_REJECTS = (
    Column("row", "int64", "row number", "The row that the spreadsheet program shows."),
    Column("…", "str", "", "Every column of the sheet as it was read."),
    Column(
        "status",
        "category",
        "",
        "Why it is here: review, invalid, duplicate, opted_out, empty or not_chosen.",
    ),
    Column("problem", "category", "", "The code."),
    Column("repairs", "str", "codes", "What was repaired or noticed."),
    Column("explanation", "str", "", "What is wrong and what to do, in words."),
)

SCHEMAS: Mapping[str, tuple[Column, ...]] = {
    "clean_phones(...)": _PHONES,
    "ContactList.rows": _CONTACTS,
    "ContactList.evidence": _EVIDENCE,
    "ContactList.questions": _QUESTIONS,
    "ContactList.sendable": _SENDABLE,
    "ContactList.summary()": _SUMMARY,
    "checked(...)": _CHECKED,
    "rejects(...)": _REJECTS,
}
