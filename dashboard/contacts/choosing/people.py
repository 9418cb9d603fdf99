"""`choose_people`: whom of a list to text; everybody else keeps a row that says why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.categories import PROBLEM_DTYPE, among, are_in, noted
from dashboard.contacts.choosing.conditions import Condition, meets
from dashboard.contacts.contact_list import OWN_FIELDS, ContactList
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.refusals.opt_out_list import OptOuts, numbers_of_opt_outs
from dashboard.contacts.rows.duplicates import with_duplicates
from dashboard.errors import OptionError
from dashboard.words import _

__all__ = ["choose_people", "with_choice"]

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
_OPEN = (Status.OK.value, Status.REVIEW.value)
_NONE = -1


@checks_arguments(left_out=None, in_campaigns=None, texted_lately=None)
def choose_people(
    contacts: ContactList,
    conditions: Sequence[Condition] = (),
    *,
    left_out: OptOuts = (),
    in_campaigns: OptOuts = (),
    texted_lately: OptOuts = (),
    sample: int | None = None,
    seed: int = 0,
) -> ContactList:
    """Choose whom of a list to text. Whoever could be texted and is not chosen gets the status not_chosen.

    Of several rows with the same number, one that meets the conditions counts, even if another one is kept
    in the whole list. Choosing again chooses among those who were chosen before; correct and join lists
    before.

    Args:
        contacts: A cleaned list; it is not changed. What was approved in it stays approved.
        conditions: All of which a row has to meet.
        left_out: Numbers of people to leave out, as `clean_contacts` takes opt-outs.
        in_campaigns: Numbers that an earlier campaign texted.
        texted_lately: Numbers that were texted lately, as `Ledger.texts_since(...)["to"]` has them.
        sample: At most this many of those who are ready, at random.
        seed: Another one draws another sample; the same one draws the same, however the sheet is sorted.

    Raises:
        OptionError: The sample is smaller than 1, or an argument is of another kind.
        ColumnError: A condition names a column that the list does not have.
        OptOutError: Numbers cannot be read.

    Example:
        >>> sheet = pd.DataFrame({"mobile": ["07400 123456", "07400 183645"], "City": ["York", "Leeds"]})
        >>> choose_people(clean_contacts(sheet, country="GB"), [Condition("City", "is", "York")])
        <ContactList: 1 ok, 1 not_chosen>
    """
    if sample is not None and sample < 1:
        raise OptionError(_("A sample has one person or more. Leave it out to text everybody chosen."))
    country = contacts.how.country
    out = {
        Problem.ON_LEFT_OUT_LIST: numbers_of_opt_outs(left_out, country),
        Problem.IN_EARLIER_CAMPAIGN: numbers_of_opt_outs(in_campaigns, country),
        Problem.TEXTED_LATELY: numbers_of_opt_outs(texted_lately, country),
    }
    return with_choice(contacts, conditions, out, sample, seed)


def with_choice(
    contacts: ContactList,
    conditions: Sequence[Condition],
    left_out: Mapping[Problem, Numbers],
    sample: int | None,
    seed: int,
) -> ContactList:
    """`choose_people` for numbers that were read before, by why their people are left out; each array sorted.

    Raises:
        ColumnError: A condition names a column that the list does not have.
    """
    number = contacts.judged["number"].to_numpy()
    before = among(contacts.rows["status"], (Status.NOT_CHOSEN.value,))
    open_ = among(contacts.alone["status"], _OPEN) & ~before
    why = _unmet(contacts, conditions)
    for problem, numbers in left_out.items():
        why[(why == _NONE) & are_in(number, numbers)] = _code(problem)
    why[~open_] = _NONE
    rows = _with_heirs(contacts, number, chosen=open_ & (why == _NONE))
    if sample is not None:
        ready = np.flatnonzero(among(rows["status"], (Status.OK.value,)) & (why == _NONE))
        order = np.argsort(_drawn(number[ready], seed), kind="stable")
        why[ready[order[sample:]]] = _code(Problem.NOT_IN_SAMPLE)
    return replace(contacts, rows=_not_chosen(rows, why), is_chosen=True)


def _code(problem: Problem) -> int:
    return PROBLEM_DTYPE.categories.tolist().index(problem.value)


def _unmet(contacts: ContactList, conditions: Sequence[Condition]) -> npt.NDArray[np.int16]:
    """For each row the place of the problem with its conditions, -1 if it meets them all."""
    why = np.full(len(contacts.rows), _NONE, np.int16)
    for condition in conditions:
        met, unclear = meets(_cells(contacts, condition.column), condition, contacts.how.country)
        why[~met & (why == _NONE)] = _code(Problem.NOT_MATCHING)
        why[unclear] = _code(Problem.NOT_COMPARABLE)
    return why


def _cells(contacts: ContactList, column: str) -> pd.DataFrame:
    """The column of this name in `ContactList.sendable`, for all rows."""
    if column in OWN_FIELDS:
        return contacts.rows[[column]].astype("str").fillna("")
    own = column.removesuffix("#2")
    return contacts.fields.rename(columns={own: column} if own in OWN_FIELDS else {})


def _with_heirs(contacts: ContactList, number: Numbers, chosen: Mask) -> pd.DataFrame:
    """The verdicts, in which a chosen row that repeats one which is not chosen takes its place."""
    rows = contacts.rows
    repeats = among(rows["problem"], (Problem.DUPLICATE.value,))
    theirs = are_in(number, np.unique(number[repeats & chosen])) & ~repeats & chosen
    heirs = np.flatnonzero(repeats & chosen & ~are_in(number, np.unique(number[theirs])))
    if not len(heirs):
        return rows
    alone = rows.iloc[heirs].assign(
        number=number[heirs],
        **{name: contacts.alone[name].iloc[heirs].array for name in ("status", "problem", "problems")},
    )
    again = with_duplicates(alone, contacts.how.keep)
    changed = {name: rows[name].copy() for name in ("status", "problem", "duplicate_of")}
    for name, column in changed.items():
        column.iloc[heirs] = again[name].array
    known = rows["problems"].cat.categories.union(again["problems"].cat.categories, sort=False)
    changed["problems"] = rows["problems"].cat.set_categories(known)
    changed["problems"].iloc[heirs] = again["problems"].cat.set_categories(known).array
    return rows.assign(**changed)


def _drawn(numbers: Numbers, seed: int) -> npt.NDArray[np.uint64]:
    """A number at random for each phone, always the same for the same seed (SplitMix64)."""
    start = np.uint64(0x9E3779B97F4A7C15 * (seed + 1) % 2**64)
    mixed = numbers.astype(np.uint64) + start
    with np.errstate(over="ignore"):
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _not_chosen(rows: pd.DataFrame, why: npt.NDArray[np.int16]) -> pd.DataFrame:
    out = why != _NONE
    if not out.any():
        return rows
    named = pd.Series(pd.Categorical.from_codes(why, dtype=PROBLEM_DTYPE), index=rows.index)
    problems = rows["problems"]
    for code in np.unique(why[out]):
        problems = noted(problems, pd.Series(why == code), PROBLEM_DTYPE.categories[code])
    return rows.assign(
        problems=problems,
        status=rows["status"].mask(out, Status.NOT_CHOSEN.value),
        problem=rows["problem"].astype(PROBLEM_DTYPE).mask(out, named),
        duplicate_of=rows["duplicate_of"].mask(out),
    )
