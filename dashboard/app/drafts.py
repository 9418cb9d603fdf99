"""A campaign being written: everything that its steps ask for; draft_store.py keeps it.

A draft belongs to the person who uploaded the sheet. The page's address and the session hold only its id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time
from hashlib import sha256
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AwareDatetime, Field, NaiveDatetime, field_validator

from dashboard.app.audience import DraftAudience, KeptList, OnDisk
from dashboard.contacts import Keep
from dashboard.contacts.columns.rules import Role
from dashboard.contacts.row_numbers import BLOCK

READING = ("worksheet", "encoding", "delimiter", "header_row", "hidden_rows")
ABOUT_SHEET = (*READING, "columns", "country", "fixes", "answers", "approved", "keep")
"""Fields of a draft that are kept with a saved list."""

STEPS = ("upload", "columns", "rows", "message", "review")
"""What each step is called in a page's address, in every language."""

_ABOUT_SHEET = ("columns", "columns_since", "recalled", "country", "keep", "saved_list")
DECIDED = frozenset({"fixes", "answers", "approved", "typed", "ticked", *_ABOUT_SHEET, "audience", "step"})
"""Fields that hold only for the rows, and how they were read, for which they were decided."""

_SAYS_NOTHING = {"step", "reached", "typed", "ticked", "set_aside", "saved_list", "recalled", "told"}
_LATEST = datetime(9998, 12, 31, tzinfo=UTC)  # later ones have no time in some zones
Moment = Annotated[AwareDatetime, Field(le=_LATEST)]

LocalTime = Annotated[NaiveDatetime, Field(le=_LATEST.replace(tzinfo=None))]

Country = Annotated[str, Field(pattern=r"^[A-Z]{2}$")]

Answers = dict[str, dict[str, Literal["may", "must_not", "nothing"]]]
"""What values say of people, by column and value."""


class Columns(OnDisk):
    """What each column of the sheet is, as the person confirmed it; phones in the order they are tried.

    Attributes:
        roles: What was said of whole columns, by column; the other columns are as guessed.
        answers: What values say of people, by column and value; None until what is remembered was looked up.
    """

    phones: tuple[str, ...]
    country: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    answers: Answers | None = None
    roles: dict[str, Role] = Field(default_factory=dict)


class DraftVariant(OnDisk):
    """One of the texts being compared. They are named A, B, C … in order.

    Attributes:
        template: Its text.
        weight: Its share of the people, in proportion to the others' weights.
        tracking: Its value of `svc_campaign`; the campaign's when empty.
        suffix: Added to the campaign's name, so that the service groups its messages separately.
    """

    template: str = ""
    weight: int = Field(1, ge=1)
    tracking: str = ""
    suffix: str = ""


class DraftHours(OnDisk):
    """Between which times people may be texted, on their own clock, and on which weekdays; Monday is 0."""

    start: time = time(9)
    end: time = time(20)
    days: frozenset[Annotated[int, Field(ge=0, le=6)]] = frozenset(range(7))


class Draft(OnDisk):
    """Everything that the five steps of a new campaign ask for.

    Attributes:
        id: The name of its folder; also the one-time token with which the campaign is created.
        owner: Who uploaded the sheet.
        step: The last open step, 1 to 5.
        reached: The furthest step that was open; see `furthest`.
        file_name: What the sheet was called; empty as long as there is none.
        digest: SHA-256 of the sheet's bytes.
        stored_as: What its file is called in the draft's folder.
        readings: How often another sheet was chosen, or another way to read it; see `is_about_rows_of`.
        worksheet, encoding, delimiter, header_row: How to read the sheet; None means detect it.
        hidden_rows: Whether rows hidden in the spreadsheet are used.
        columns: None until the columns are chosen; until then the guess counts.
        columns_since: When these columns were confirmed in an earlier sheet; None if they do not come from
            one.
        recalled: Answers that came with the columns or were confirmed: none that somebody has given since.
        country: Country of numbers without a country code.
        fixes: Phone as corrected on the page, by the file's row number.
        answers: What a person said of the questions about this list alone; see `answer_questions`.
        approved: What was approved, by the file's row number, as `ContactList.approvals` gives it: it holds
            as long as nothing else is asked about the row.
        typed, ticked: The same two, as typed into the table of rows to fix and not checked yet.
        keep: Which of several rows with the same number is kept; "warn" leaves all of them to a person.
        saved_list: The saved list it was started from or saved as.
        lists: The drafts that hold further lists, by id, in order; see `part_of`.
        part_of: The draft that this one is only a list of. It has a sheet, columns and a name for the list.
        leaves_out: Whether the people on such a list are left out, instead of texted.
        audience: Whom of the checked rows to text.
        earlier_lists: The lists of the campaign that it says again, as long as it has no sheet.
        template: The text, while there is only one.
        variants: The texts being compared, two or more; empty while there is one text for everyone.
        set_aside: The variants as they were when comparing was last turned off.
        send_blank: Whether a message is sent even if a field without a fallback is empty.
        says_opt_out: Whether the line for opting out is added to a text that has none.
        when: At once, at `send_at`, or at `local_at` on each recipient's clock.
        send_at: One moment for everyone; None until "later" is chosen.
        local_at: A time on each recipient's own clock; None until "local" is chosen.
        keep_hours: Whether messages wait outside texting hours.
        hours: The texting hours.
        country_hours: Other texting hours in some countries, by ISO 3166 code.
        home: Time zone (IANA) of numbers whose zone is not known; None means the viewer's zone.
        handover: Whether messages wait for their time here or at the service.
        told: The fields of which the audit trail knows that they were changed.
        campaign: The campaign it became; after that the sheet is gone and nothing can be changed.
    """

    id: str
    owner: str
    created_at: Moment
    step: int = 1
    reached: int = 1
    file_name: str = ""
    size_bytes: int = 0
    digest: str = ""
    stored_as: str = Field("", pattern=r"^(sheet[-.a-z0-9]*)?$")
    readings: int = 0
    worksheet: str | None = None
    encoding: Annotated[str, Field(pattern=r"^[\w.:-]*$")] | None = None
    delimiter: str | None = None
    header_row: int | None = None
    hidden_rows: bool = True
    columns: Columns | None = None
    columns_since: Moment | None = None
    recalled: Answers | None = None
    country: str | None = None
    fixes: dict[int, str] = Field(default_factory=dict)
    answers: dict[str, Literal["may", "must_not"]] = Field(default_factory=dict)
    approved: dict[int, str] = Field(default_factory=dict)
    typed: dict[int, str] = Field(default_factory=dict)
    ticked: dict[int, str] = Field(default_factory=dict)
    keep: Keep = "first"
    saved_list: str | None = None
    lists: tuple[Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")], ...] = ()
    part_of: str | None = None
    leaves_out: bool = False
    audience: DraftAudience = DraftAudience()
    earlier_lists: tuple[KeptList, ...] = ()
    name: str = ""
    template: str = ""
    variants: tuple[DraftVariant, ...] = ()
    set_aside: tuple[DraftVariant, ...] = ()
    sender: str = ""
    shorten_links: bool = True
    tracking: str = ""
    send_blank: bool = False
    says_opt_out: bool = True
    when: Literal["now", "later", "local"] = "now"
    send_at: Moment | None = None
    local_at: LocalTime | None = None
    keep_hours: bool = False
    hours: DraftHours = DraftHours()
    country_hours: dict[Country, DraftHours] = Field(default_factory=dict)
    home: str | None = None
    handover: Literal["hold", "service"] = "hold"
    told: frozenset[str] = frozenset()
    campaign: str | None = None

    @field_validator("step", "reached")
    @classmethod
    def _there_is(cls, step: int) -> int:
        """The nearest step that there is: another version of this program may have more."""
        return min(max(step, 1), len(STEPS))

    @field_validator("home")
    @classmethod
    def _zone_there_is(cls, home: str | None) -> str | None:
        """The zone, if this machine knows it; otherwise the viewer's counts."""
        try:
            return home and ZoneInfo(home).key
        except (ZoneInfoNotFoundError, ValueError):
            return None

    @property
    def texts(self) -> tuple[str, ...]:
        """The text, or the texts being compared."""
        return tuple(variant.template for variant in self.variants) or (self.template,)

    @property
    def furthest(self) -> int:
        """The furthest step that may be opened without going through those before it."""
        return max(self.step, self.reached)

    def is_about_rows_of(self, seen: Draft) -> bool:
        """Whether its rows are still those of the draft as somebody saw it before, by the same numbers."""
        return self.readings == seen.readings and set(seen.lists) <= set(self.lists)

    def about_sheet(self) -> dict[str, Any]:
        """What was decided about the sheet, in a form that JSON can hold; `Drafts.begin` accepts it."""
        return self.model_dump(mode="json", include=set(ABOUT_SHEET))

    @property
    def says(self) -> str:
        """Digest of everything that decides who is texted what and when; not of what is not checked yet."""
        return sha256(self.model_dump_json(exclude=_SAYS_NOTHING).encode()).hexdigest()

    def fingerprint(self, *fields: str) -> str:
        """Digest of these fields' values, as a key for whatever was computed from them."""
        return sha256(self.model_dump_json(include=set(fields)).encode()).hexdigest()


Decide = Callable[[Draft], Mapping[str, Any]]
"""The changes to make, by what the draft is now."""


def address(draft_id: str, step: int = 1) -> dict[str, str]:
    """What names a draft and its step in a page's address."""
    return {"draft": draft_id, "step": STEPS[step - 1]}


def anew(draft: Draft, place: int = 0) -> Draft:
    """A draft whose sheet, or that of the list at this place, is read otherwise: what was decided goes.

    A list whose people are left out has the place -1: no row of it was decided about.
    """
    changes = renumbered(draft, lambda row: None if row // BLOCK == place else row)
    changes |= {"step": 1, "reached": 1, "readings": draft.readings + 1}
    if place >= 0:
        changes |= {"audience": draft.audience.model_copy(update={"conditions": ()})}
    if place == 0:
        changes |= {field: Draft.model_fields[field].default for field in _ABOUT_SHEET} | {"answers": {}}
    return draft.model_copy(update=changes)


def renumbered(draft: Draft, numbered: Callable[[int], int | None]) -> dict[str, Any]:
    """What was decided about rows, under their new numbers; without the rows that have none."""
    changes: dict[str, Any] = {}
    for field in ("fixes", "typed", "approved", "ticked"):
        kept = {numbered(row): text for row, text in getattr(draft, field).items()}
        changes[field] = {row: text for row, text in kept.items() if row is not None}
    return changes


def moved(row: int, gone: int | None) -> int | None:
    """The number of a row after a list was removed; None if it was a row of that list."""
    place = row // BLOCK
    return None if place == gone else row - BLOCK if gone is not None and place > gone else row
