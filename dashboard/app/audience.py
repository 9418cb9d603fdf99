"""Whom of the checked rows a draft texts, as it is kept on disk and with the campaign."""

from __future__ import annotations

from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field

from dashboard.contacts import Condition
from dashboard.errors import OptionError

SEVERAL, NOTHING = ("one_of", "none_of"), ("blank", "not_blank")
"""Tests that compare with several texts, and with none."""

MOST_DAYS_BACK = 3650


class OnDisk(BaseModel):
    """What is kept on disk; numbers and texts in it stay out of errors."""

    model_config = ConfigDict(hide_input_in_errors=True)


class DraftCondition(OnDisk):
    """A condition on a column, as `Condition` has it; `values` holds one text, or several for "one_of"."""

    column: str
    test: str = "is"
    values: tuple[str, ...] = ()

    @property
    def condition(self) -> Condition | None:
        """The condition; None while its value is missing or makes no sense."""
        compared = self.values if self.test in SEVERAL else "".join(self.values[:1])
        with suppress(OptionError):
            if self.values or self.test in NOTHING:
                return Condition(self.column, self.test, compared)
        return None


class KeptList(OnDisk):
    """A list that a campaign was made from or left out, to be used again.

    Attributes:
        name: What it is called.
        saved_list: The saved list it was; None if it was uploaded, and is gone.
        leaves_out: Whether its people were left out.
    """

    name: str
    saved_list: str | None = None
    leaves_out: bool = False


class DraftAudience(OnDisk):
    """Whom of the checked rows to text.

    Attributes:
        conditions: All of which a row has to meet.
        not_texted_days: Leave out whoever was texted in this many days; None leaves out nobody.
        campaigns: Leave out whoever got one of these campaigns, by id.
        sample: At most this many people, at random; None for all.
        seed: Which sample.
    """

    conditions: tuple[DraftCondition, ...] = ()
    not_texted_days: int | None = Field(None, ge=1, le=MOST_DAYS_BACK)
    campaigns: tuple[str, ...] = ()
    sample: int | None = Field(None, ge=1)
    seed: int = 0

    @property
    def chosen(self) -> tuple[Condition, ...]:
        """The conditions that are complete."""
        return tuple(one.condition for one in self.conditions if one.condition is not None)
