"""The frames that go from step to step while a list is judged; those handed out are in `contacts/schema.py`.

`judge_cells` gives CELLS, a row for each phone cell, and `judge_rows` gives ROWS, one for each row of the
sheet. The steps after it change only the status and the problems, by what EVIDENCE says against texting,
until `clean_contacts` makes `ContactList.rows` of them.
"""

from __future__ import annotations

from dashboard.contacts.schema import Column

__all__ = ["CELLS", "EVIDENCE", "ROWS"]

_NUMBER = (
    Column(
        "phone", "str", "E.164", "The best number of the cell, or of the row; missing without a valid one."
    ),
    Column("country", "category", "ISO 3166", "Country of the number."),
    Column("line_type", "category", "contract 4.2", "What kind of line the number is; missing without one."),
)
_PROBLEM = Column("problem", "category", "", "Why it cannot be texted, as a code; missing when it can.")
_REPAIRS = Column(
    "repairs", "category", "codes", "A category for each combination of codes; empty when nothing."
)

CELLS = (
    *_NUMBER,
    Column("grade", "int64", "0 is best", "Place in GRADES, by which the best cell of a row is chosen."),
    _PROBLEM,
    _REPAIRS,
    Column("others", "str", "E.164", 'Other valid numbers of the cell, joined by "; ".'),
)

ROWS = (
    *_NUMBER,
    _PROBLEM,
    _REPAIRS,
    Column("raw_phone", "str", "", "The phone cell that was used, as it was typed."),
    Column("other_phones", "str", "E.164", 'Valid numbers of the row that are not used, joined by "; ".'),
    Column("status", "category", "", "ok, review, invalid or empty, in the order of `Status`."),
    Column("row", "int64", "row number", "The row that the spreadsheet program shows."),
    Column("number", "int64", "digits", "The phone as a number, in today's spelling; 0 where there is none."),
)

EVIDENCE = (
    Column("place", "int64", "position", "The row that it is about; -1 if only a number is known."),
    Column("number", "int64", "digits", "The number that it is about, if not the person; 0 for none."),
    Column("problem", "category", "", "What it means, as a code."),
    Column("source_row", "int64", "row number", "The row in which it stands; 0 if in none."),
    Column("column", "category", "", 'The column in which it stands; "" if in none.'),
    Column("words", "str", "", "The cell in which it stands."),
)
