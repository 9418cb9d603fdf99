"""Regular expressions to one minimised automaton: a text is judged by one table look-up per character.

The library tries about ten expressions on a number. Compiled together they become one table of next states;
the state after the last digit knows which of the expressions match. The way there is the textbook's:

    expression ──re's own parser──▶ Nfa ──subsets──▶ determinize ──Moore──▶ minimize ──▶ Automaton

Any construct that is not translated here raises NotImplementedError when tables are built, never when a
number is read: an upgrade of `phonenumbers` that needs more fails in the tests, loudly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial, reduce
from re import _constants as sre  # type: ignore[attr-defined]  # the parse tree of `re` has no public name
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

import numpy as np
from numpy.typing import NDArray

DEAD = 0  # the state from which nothing matches any more

Node = tuple[Any, Any]  # (operator, operand) of the parse tree
Symbols = tuple[int, ...]


def parse_tree(expression: str, flags: int = 0) -> Sequence[Node]:
    """The tree that `re` itself compiles, so that we cannot disagree about precedence or escapes."""
    return sre_parser.parse(expression, flags)  # type: ignore[no-any-return]


def is_leaf(node: Node) -> bool:
    """Does this node consume exactly one character?"""
    return node[0] in (sre.LITERAL, sre.IN)


def leaf_expression(node: Node) -> str:
    """A leaf as an expression again, so that `re` says which characters it takes (case, scripts and all)."""
    operator, operand = node
    if operator is sre.LITERAL:
        return re.escape(chr(operand))
    return "[" + "".join(map(_class_item, operand)) + "]"


def leaf_expressions(tree: Sequence[Node]) -> Iterator[str]:
    """Every leaf of a tree, as an expression."""
    for node in tree:
        operator, operand = node
        if is_leaf(node):
            yield leaf_expression(node)
        elif operator is sre.BRANCH:
            for branch in operand[1]:
                yield from leaf_expressions(branch)
        elif operator in (sre.SUBPATTERN, sre.MAX_REPEAT):
            yield from leaf_expressions(operand[-1])


def _class_item(node: Node) -> str:
    operator, operand = node
    if operator is sre.LITERAL:
        return re.escape(chr(operand))
    if operator is sre.RANGE:
        first, last = operand
        return f"{re.escape(chr(first))}-{re.escape(chr(last))}"
    if operator is sre.CATEGORY and operand is sre.CATEGORY_DIGIT:
        return r"\d"
    raise NotImplementedError(
        f"phonenumbers uses {operator} {operand} in a class; teach automaton.py about it."
    )


@dataclass
class Nfa:
    """Thompson's construction: each expression becomes states joined by free moves and symbol moves."""

    symbols_of: Callable[[str], Symbols]  # the symbols that a leaf's expression takes
    free_moves: list[list[int]] = field(default_factory=list)
    moves: list[tuple[Symbols, int] | None] = field(default_factory=list)
    tags: dict[int, Hashable] = field(default_factory=dict)  # final state -> what has matched there

    def new_state(self) -> int:
        """Add a state that leads nowhere yet."""
        self.free_moves.append([])
        self.moves.append(None)
        return len(self.moves) - 1

    def add(self, tree: Sequence[Node], tag: Hashable, *, then: Symbols = ()) -> int:
        """Add an expression; `then` is what may follow its match, any number of times.

        Returns:
            Its start state; wherever it matches, the automaton will know `tag`.
        """
        start = self.new_state()
        end = self._sequence(tree, start)
        final = self.new_state()
        self.free_moves[end].append(final)
        if then:
            self.moves[final] = (then, final)
        self.tags[final] = tag
        return start

    def _sequence(self, tree: Sequence[Node], state: int) -> int:
        for node in tree:
            state = self._node(node, state)
        return state

    def _node(self, node: Node, state: int) -> int:
        operator, operand = node
        if is_leaf(node):
            return self._symbol(self.symbols_of(leaf_expression(node)), state)
        if operator is sre.SUBPATTERN:
            return self._sequence(operand[-1], state)
        if operator is sre.BRANCH:
            return self._branch(operand[1], state)
        if operator is sre.MAX_REPEAT:
            return self._repeat(operand, state)
        raise NotImplementedError(f"phonenumbers uses {operator} in a pattern; teach automaton.py about it.")

    def _symbol(self, symbols: Symbols, state: int) -> int:
        here, after = self.new_state(), self.new_state()
        self.free_moves[state].append(here)
        self.moves[here] = (symbols, after)
        return after

    def _branch(self, branches: Sequence[Sequence[Node]], state: int) -> int:
        after = self.new_state()
        for branch in branches:
            here = self.new_state()
            self.free_moves[state].append(here)
            self.free_moves[self._sequence(branch, here)].append(after)
        return after

    def _repeat(self, operand: tuple[int, Any, Sequence[Node]], state: int) -> int:
        least, most, tree = operand
        for _ in range(least):
            state = self._sequence(tree, state)
        after = self.new_state()
        if most is sre.MAXREPEAT:
            here = self.new_state()
            self.free_moves[state].append(here)
            self.free_moves[self._sequence(tree, here)].append(here)
            self.free_moves[here].append(after)
            return after
        for _ in range(most - least):
            self.free_moves[state].append(after)
            state = self._sequence(tree, state)
        self.free_moves[state].append(after)
        return after

    def reversed(self, start: int) -> tuple[Nfa, list[int]]:
        """The same expressions read from their end, for a suffix that must be found from the right.

        Returns:
            The reversed automaton, whose only final state has the tag True, and its start states.
        """
        mirror = Nfa(self.symbols_of)
        for _ in self.moves:
            mirror.new_state()
        for state, targets in enumerate(self.free_moves):
            for target in targets:
                mirror.free_moves[target].append(state)
        for state, move in enumerate(self.moves):
            if move is not None:
                here = mirror.new_state()
                mirror.free_moves[move[1]].append(here)
                mirror.moves[here] = (move[0], state)
        mirror.tags[start] = True
        return mirror, list(self.tags)


@dataclass(frozen=True)
class Automaton:
    """Next states by state and symbol; state 0 is dead."""

    next_states: NDArray[np.int64]  # [state, symbol]
    labels: NDArray[np.int64]  # [state] what has matched, as the caller numbers it; 0 for nothing
    starts: NDArray[np.int64]  # one for each start asked for


def build_automaton(
    nfa: Nfa,
    starts: Iterable[Iterable[int]],
    symbol_count: int,
    label_of: Callable[[frozenset[Hashable]], int],
) -> Automaton:
    """Determinize and minimize.

    Args:
        nfa: The expressions.
        starts: Groups of expressions that are matched together, by their start states.
        symbol_count: Symbols are 0 to symbol_count - 1.
        label_of: The number for a set of tags that match at once; 0 when nobody will ask.
    """
    next_states, tag_sets, start_states = _determinize(nfa, starts, symbol_count)
    known = {tags: label_of(tags) for tags in set(tag_sets)}
    labels = np.array([known[tags] for tags in tag_sets], np.int64)
    return _minimize(next_states, labels, start_states)


def _determinize(
    nfa: Nfa, starts: Iterable[Iterable[int]], symbol_count: int
) -> tuple[NDArray[np.int64], list[frozenset[Hashable]], NDArray[np.int64]]:
    closure = cache(partial(_closure, nfa))
    empty: frozenset[int] = frozenset()
    subsets = [empty]
    number_of = {empty: DEAD}

    def number(subset: frozenset[int]) -> int:
        if subset not in number_of:
            number_of[subset] = len(subsets)
            subsets.append(subset)
        return number_of[subset]

    start_states = [number(reduce(frozenset.union, map(closure, group), empty)) for group in starts]
    rows: list[list[int]] = []
    for subset in subsets:  # grows while we walk it, until no new subset is reached
        targets: list[set[int]] = [set() for _ in range(symbol_count)]
        for state in subset:
            move = nfa.moves[state]
            if move is not None:
                for symbol in move[0]:
                    targets[symbol] |= closure(move[1])
        rows.append([number(frozenset(target)) for target in targets])
    tag_sets = [frozenset(nfa.tags[state] for state in subset if state in nfa.tags) for subset in subsets]
    return np.array(rows, np.int64), tag_sets, np.array(start_states, np.int64)


def _closure(nfa: Nfa, state: int) -> frozenset[int]:
    """The states reached by free moves that matter: those with a symbol move or a tag."""
    seen = {state}
    todo = [state]
    while todo:
        for target in nfa.free_moves[todo.pop()]:
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return frozenset(s for s in seen if nfa.moves[s] is not None or s in nfa.tags)


def _minimize(
    next_states: NDArray[np.int64], labels: NDArray[np.int64], starts: NDArray[np.int64]
) -> Automaton:
    """Moore's refinement: split blocks of states until all states of a block go to the same blocks."""
    blocks = labels
    count = 0
    while True:
        signatures = np.column_stack([blocks, blocks[next_states]]).astype(np.int32)
        rows = signatures.view(
            np.dtype((np.void, signatures[0].nbytes))
        ).ravel()  # 5 times faster than axis=0
        _, examples, refined = np.unique(rows, return_index=True, return_inverse=True)
        if len(examples) == count:
            break
        count, blocks = len(examples), refined
    return _in_walking_order(refined[next_states[examples]], labels[examples], refined[starts], refined[DEAD])


def _in_walking_order(
    next_states: NDArray[np.int64], labels: NDArray[np.int64], starts: NDArray[np.int64], dead: np.intp
) -> Automaton:
    """Number the dead state 0, the others as a walk meets them: depth first, the lowest symbol first.

    States that follow one another lie close in memory then, which makes the kernel 10 % faster.
    """
    order = {int(dead): DEAD}  # old number -> new number
    for start in starts.tolist():
        todo = [start]
        while todo:
            state = todo.pop()
            if state not in order:
                order[state] = len(order)
                todo += next_states[state, ::-1].tolist()
    old = np.fromiter(order, np.int64)
    new = np.empty_like(old)
    new[old] = np.arange(len(old))
    return Automaton(new[next_states[old]], labels[old], new[starts])
