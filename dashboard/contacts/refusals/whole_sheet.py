"""What is said of all people in a sheet: above its header, or in the name of its file or worksheet.

"Opted out of SMS" as a title refuses for everybody. A name is weaker, because it may be an old one or mean
something else: everybody waits for a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from dashboard.contacts.read.sheet import Sheet
from dashboard.contacts.refusals.heading_rows import usual_cells
from dashboard.contacts.refusals.sections import Below
from dashboard.contacts.words.headings import (
    Heading,
    is_remark,
    name_mentions_refusal,
    read_heading,
)
from dashboard.contacts.words.refusal import Refusal
from dashboard.words import N_, _

__all__ = ["OfAll", "said_of_all"]

_OF_FILE = N_(
    "The file’s name says that these people refused texts. Every row has to be looked at: approve only "
    "people who may be texted."
)
_OF_WORKSHEET = N_(
    "The worksheet’s name says that these people refused texts. Every row has to be looked at: approve only "
    "people who may be texted."
)


class OfAll(NamedTuple):
    """What applies to the first row of a sheet, and why, in sentences."""

    below: Below = Below()
    notes: tuple[str, ...] = ()


def said_of_all(sheet: Sheet) -> OfAll:
    """What is said of everybody in a sheet.

    Example:
        >>> said_of_all(read_sheet("data/contacts.csv")).below.heading
        <Refusal.NONE: 0>
    """
    said_by = [_said_by(cells) for cells in sheet.above]
    line = max(said_by, default=Refusal.NONE)
    notes = []
    if line is Refusal.SAID:
        notes.append(
            _(
                "A line above the header says that the people in this sheet refuse texts, so none of them is "
                "texted. If that is wrong, remove the line and upload the file again."
            )
        )
    elif line is Refusal.HELD:
        notes.append(
            _(
                "A line above the header mentions refusing texts. Every row has to be looked at: approve "
                "only people who may be texted."
            )
        )
    path = PurePath(sheet.name)
    of_file = [(part, _OF_FILE) for part in (*path.parent.parts, path.stem)]
    names = (*of_file, (sheet.worksheet, _OF_WORKSHEET))
    named = {text: note for text, note in names if text is not None and name_mentions_refusal(text)}
    above = tuple(" ".join(filter(None, cells)) for cells in sheet.above)
    lines = [text for text, said in zip(above, said_by, strict=True) if said]
    refusal = max(line, Refusal.HELD if named else Refusal.NONE)
    words = " · ".join([*lines, *named])
    below = Below(refusal, words=words, usual=usual_cells(sheet.frame), above=above)
    return OfAll(below, (*notes, *map(_, dict.fromkeys(named.values()))))


def _said_by(cells: Sequence[str]) -> Refusal:
    texts = [text for text in map(str.strip, cells) if text]
    headings = [read_heading(text) for text in texts]
    others = [text for text, heading in zip(texts, headings, strict=True) if heading is not Heading.REFUSES]
    if len(others) < len(texts):  # of all, or of the columns below it
        is_of_all = all(is_remark(text, of_people=False) for text in others)
        return Refusal.SAID if is_of_all else Refusal.HELD
    return Refusal.HELD if Heading.MENTIONS in headings else Refusal.NONE
