"""All national number patterns as one automaton, and what each of its labels says about a number.

`phonenumbers` holds about 1,400 patterns: for each numbering plan a general description, one per line type,
and leading digits where countries share a calling code. A number's country and line type follow from which of
them match, and from its length. So the kernel walks the automaton once, digit by digit; the last state has a
label for the set of patterns that match there, and `plan_of[label, length]` and `line_type_of[label, length]`
hold the library's answer.

27,447 states before minimizing, 14,719 after (phonenumbers 9.0.43).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from phonenumbers import PhoneMetadata

from dashboard.phones.build.automaton import Nfa, Symbols, build_automaton, parse_tree
from dashboard.phones.build.plans import Plan
from dashboard.phones.build.programs import digit_mask
from dashboard.phones.kernel import DIGITS, LONGEST_NUMBER, NOWHERE, UNKNOWN
from dashboard.phones.words import LINE_TYPES

ALL_DIGITS: Symbols = tuple(range(DIGITS))
MAX_STATES = 1 << 16

# The order in which _number_type_helper asks, before it comes to fixed line and mobile.
SPECIAL_TYPES = (
    "premium_rate",
    "toll_free",
    "shared_cost",
    "voip",
    "personal_number",
    "pager",
    "uan",
    "voicemail",
)
GENERAL = "general_desc"
LEADING_DIGITS = "leading_digits"
DESCRIPTIONS = (GENERAL, "fixed_line", "mobile", *SPECIAL_TYPES)
GENERAL_ALONE = "general description alone"  # tag of the automaton behind the kernel's `fits_plan`
GENERAL_ALONE_LABEL = 1


class Tag(NamedTuple):
    """A pattern that has matched: one of a plan's DESCRIPTIONS, or its LEADING_DIGITS."""

    plan: int
    pattern: str


class Answer(NamedTuple):
    """What the library says about a number: its plan, or NOWHERE, and its line type."""

    plan: int
    line_type: int


NO_ANSWER = Answer(NOWHERE, UNKNOWN)
NO_ANSWERS = (NO_ANSWER,) * (LONGEST_NUMBER + 1)  # by length


class NumberTables(NamedTuple):
    """The automaton for the kernel, its answers, and where to start in it."""

    numbers: NDArray[np.uint16]  # [DIGITS * state + digit] the next state
    labels: NDArray[np.uint16]  # [state]
    plan_of: NDArray[np.int16]  # [label, length]
    line_type_of: NDArray[np.int8]  # [label, length]
    code_starts: list[int]  # states that read the national numbers of each calling code
    general_starts: list[int]  # states that read the general description alone of each plan


def build_number_tables(plans: list[Plan], plans_of_code: dict[int, list[int]]) -> NumberTables:
    """Compile the patterns of all plans.

    Args:
        plans: Every numbering plan.
        plans_of_code: For each calling code its plans, in the order in which the library asks them.
    """
    nfa = Nfa(digit_symbols)
    starts = [_add_patterns(nfa, plans, indices) for indices in plans_of_code.values()]
    starts += [_add_general_description(nfa, plan.metadata) for plan in plans]
    labels = Labels(plans, plans_of_code)
    automaton = build_automaton(nfa, starts, DIGITS, labels.label_of)
    if len(automaton.labels) > MAX_STATES:
        raise NotImplementedError("phonenumbers needs over 65,536 states; widen the kernel's numbers table.")
    start_states = automaton.starts.tolist()
    return NumberTables(
        numbers=automaton.next_states.astype(np.uint16).ravel(),
        labels=automaton.labels.astype(np.uint16),
        plan_of=np.array([[answer.plan for answer in row] for row in labels.rows], np.int16),
        line_type_of=np.array([[answer.line_type for answer in row] for row in labels.rows], np.int8),
        code_starts=start_states[: len(plans_of_code)],
        general_starts=start_states[len(plans_of_code) :],
    )


@cache
def digit_symbols(expression: str) -> Symbols:
    """The digits that a leaf of a number pattern takes."""
    mask = digit_mask(expression)
    return tuple(digit for digit in ALL_DIGITS if mask >> digit & 1)


def _add_patterns(nfa: Nfa, plans: list[Plan], indices: list[int]) -> list[int]:
    """Add every pattern that decides about a calling code's numbers. -> their start states."""
    starts = []
    for index in indices:
        metadata = plans[index].metadata
        for name in DESCRIPTIONS:
            pattern = _national_number_pattern(metadata, name)
            if pattern:
                starts.append(nfa.add(parse_tree(pattern), Tag(index, name)))
        if metadata.leading_digits is not None:
            tag = Tag(index, LEADING_DIGITS)
            starts.append(nfa.add(parse_tree(metadata.leading_digits), tag, then=ALL_DIGITS))
    return starts


def _add_general_description(nfa: Nfa, metadata: PhoneMetadata) -> list[int]:
    pattern = _national_number_pattern(metadata, GENERAL)
    return [nfa.add(parse_tree(pattern), GENERAL_ALONE)] if pattern else []


def _national_number_pattern(metadata: PhoneMetadata, description: str) -> str | None:
    part = getattr(metadata, description)
    return part.national_number_pattern if part is not None else None


class Labels:
    """Numbers the states by what they answer: one label for each distinct row of answers by length."""

    def __init__(self, plans: list[Plan], plans_of_code: dict[int, list[int]]) -> None:
        self.rows = [NO_ANSWERS, NO_ANSWERS]  # of label 0, nothing matches, and of GENERAL_ALONE_LABEL
        self._label_of = {NO_ANSWERS: 0}
        self._plans = plans
        self._plans_of_code = plans_of_code

    def label_of(self, tags: frozenset[Hashable]) -> int:
        """The label of a state where these patterns match."""
        if GENERAL_ALONE in tags:
            return GENERAL_ALONE_LABEL
        matched = {tag for tag in tags if isinstance(tag, Tag)}
        row = tuple(self._answer(matched, length) for length in range(LONGEST_NUMBER + 1))
        if row not in self._label_of:
            self._label_of[row] = len(self.rows)
            self.rows.append(row)
        return self._label_of[row]

    def _answer(self, matched: set[Tag], length: int) -> Answer:
        """`region_code_for_number`, `number_type` of a number that matches these and has this length."""
        if not matched:
            return NO_ANSWER
        code = self._plans[next(iter(matched)).plan].calling_code
        indices = self._plans_of_code[code]
        for index in indices:
            line_type = self._line_type(matched, index, length)
            if len(indices) > 1 and self._plans[index].metadata.leading_digits is not None:
                if Tag(index, LEADING_DIGITS) in matched:
                    return Answer(index, line_type)
            elif line_type != UNKNOWN:
                return Answer(index, line_type)
        return NO_ANSWER

    def _line_type(self, matched: set[Tag], index: int, length: int) -> int:
        """`_number_type_helper`."""
        metadata = self._plans[index].metadata

        def fits(name: str) -> bool:
            if Tag(index, name) not in matched:
                return False
            lengths = getattr(metadata, name).possible_length
            return not lengths or length in lengths

        if not fits(GENERAL):
            return UNKNOWN
        for name in SPECIAL_TYPES:
            if fits(name):
                return LINE_TYPES.index(name.upper())
        if fits("fixed_line"):
            both = metadata.same_mobile_and_fixed_line_pattern or fits("mobile")
            return LINE_TYPES.index("FIXED_LINE_OR_MOBILE" if both else "FIXED_LINE")
        is_mobile = not metadata.same_mobile_and_fixed_line_pattern and fits("mobile")
        return LINE_TYPES.index("MOBILE") if is_mobile else UNKNOWN
