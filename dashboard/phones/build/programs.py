"""Prefix patterns to little programs for the kernel's `match_prefix`.

International and national prefixes cannot be automata: which digits a prefix takes depends on the order in
which `re` tries alternatives, and its groups move into the rewritten number. Argentina's, for example, drops
carrier codes and turns the local mobile mark 15 into a 9 before the area code: 011 15-2345-6789 is
+54 9 11 2345 6789. So each pattern becomes a program for a machine that backtracks as `re` does:

    TAKE mask          the next digit must be one of the mask's
    TRY here, there    go on at `here`; when that fails, come back and go on at `there`
    JUMP there
    MARK n             remember the position: start (2g) or end (2g + 1) of group g
    AT_END             nothing may follow
    DONE               the prefix ends here
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from dashboard.phones.build.automaton import Node, is_leaf, leaf_expression, parse_tree
from dashboard.phones.kernel import AT_END, DONE, JUMP, MARK, MAX_GROUPS, MAX_TRIES, TAKE, TRY

ALL_DIGITS = (1 << 10) - 1


class Prefix(NamedTuple):
    """Where a pattern's program begins, and what can be known before it runs."""

    program: int
    first_digits: int  # bit d: a match can begin with digit d
    groups: int


NO_PREFIX = Prefix(program=0, first_digits=0, groups=0)  # never tried, because no digit can begin it


@dataclass
class Programs:
    """All programs behind one another; patterns that countries share are compiled once."""

    instructions: list[list[int]] = field(default_factory=list)
    known: dict[str, Prefix] = field(default_factory=dict)

    def add(self, pattern: str | None) -> Prefix:
        """Compile a pattern of the metadata."""
        if not pattern:
            return NO_PREFIX
        if pattern not in self.known:
            self.known[pattern] = self._compile(pattern)
        return self.known[pattern]

    def _compile(self, pattern: str) -> Prefix:
        start = len(self.instructions)
        self._sequence(parse_tree(pattern))
        self._emit(DONE)
        groups = re.compile(pattern).groups
        tries = sum(operation == TRY for operation, _, _ in self.instructions[start:])
        if groups > MAX_GROUPS or tries >= MAX_TRIES:
            raise NotImplementedError("phonenumbers has a longer prefix pattern; raise the kernel's limits.")
        return Prefix(start, self._first_digits(start), groups)

    def _emit(self, operation: int, first: int = 0, second: int = 0) -> int:
        self.instructions.append([operation, first, second])
        return len(self.instructions) - 1

    def _sequence(self, tree: Sequence[Node]) -> None:
        for node in tree:
            self._node(node)

    def _node(self, node: Node) -> None:
        operator, operand = node
        if is_leaf(node):
            self._emit(TAKE, digit_mask(leaf_expression(node)))
        elif operator is sre.SUBPATTERN:
            self._group(operand[0], operand[-1])
        elif operator is sre.BRANCH:
            self._branch(operand[1])
        elif operator is sre.MAX_REPEAT and operand[1] is not sre.MAXREPEAT:
            self._repeat(*operand)
        elif operator is sre.AT and operand is sre.AT_END:
            self._emit(AT_END)
        else:
            raise NotImplementedError(
                f"phonenumbers uses {operator} in a prefix; teach programs.py about it."
            )

    def _group(self, group: int | None, tree: Sequence[Node]) -> None:
        if group is None:
            self._sequence(tree)
        else:
            self._emit(MARK, 2 * group)
            self._sequence(tree)
            self._emit(MARK, 2 * group + 1)

    def _branch(self, branches: Sequence[Sequence[Node]]) -> None:
        jumps = []
        for branch in branches[:-1]:
            choice = self._emit(TRY, len(self.instructions) + 1)
            self._sequence(branch)
            jumps.append(self._emit(JUMP))
            self.instructions[choice][2] = len(self.instructions)
        self._sequence(branches[-1])
        for jump in jumps:
            self.instructions[jump][1] = len(self.instructions)

    def _repeat(self, least: int, most: Any, tree: Sequence[Node]) -> None:
        for _ in range(least):
            self._sequence(tree)
        choices = []
        for _ in range(most - least):
            choices.append(self._emit(TRY, len(self.instructions) + 1))
            self._sequence(tree)
        for choice in choices:
            self.instructions[choice][2] = len(self.instructions)

    def _first_digits(self, start: int) -> int:
        """The digits that a match can begin with; all of them if it can be empty."""
        mask = 0
        todo = [start]
        while todo:
            at = todo.pop()
            operation, first, second = self.instructions[at]
            if operation in (DONE, AT_END):
                return ALL_DIGITS
            if operation == TAKE:
                mask |= first
            elif operation == MARK:
                todo.append(at + 1)
            else:
                todo += [first, second] if operation == TRY else [first]
        return mask


@cache
def digit_mask(expression: str) -> int:
    """Bit d is set when the expression takes digit d."""
    compiled = re.compile(expression)
    return sum(1 << digit for digit in range(10) if compiled.fullmatch(str(digit)))


def read_rewrite_rule(rule: str | None, group_offset: int) -> list[int]:
    r"""A transform rule such as "9\\1": digits as they are, group g as `group_offset` + g."""
    items = []
    for group_a, group_b, digit in re.findall(r"\\(\d)|\\g<(\d)>|(\d)|.", rule or ""):
        if group_a or group_b:
            items.append(group_offset + int(group_a or group_b))
        else:
            items.append(int(digit))
    return items
