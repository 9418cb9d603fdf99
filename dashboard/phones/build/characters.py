"""Characters of every script, sorted into about 80 classes, and the two automata that read them.

Before there are digits, the library runs two long Unicode expressions over a text: is it viable as a number,
and does it end in an extension? Both only ask which sets a character is in: digits of some script, letters,
dashes, full-width signs, the letters of "ext" in several languages. Characters that are in the same sets can
share a class, so the automata need a column for each class, not for 65,536 characters.

Which characters a set holds is asked of `re` itself, so that case folding (U+017F is an "s") is its own.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from phonenumbers.phonenumberutil import (
    _ALPHA_PHONE_MAPPINGS,
    _EXTN_PATTERNS_FOR_PARSING,
    _PLUS_CHARS,
    _REGEX_FLAGS,
    _UNWANTED_END_CHAR_PATTERN,
    _VALID_PHONE_NUMBER_PATTERN,
    _VALID_PUNCTUATION,
    _VALID_START_CHAR,
)
from phonenumbers.unicode_util import digit as digit_value

from dashboard.phones.build.automaton import (
    Automaton,
    Nfa,
    build_automaton,
    leaf_expressions,
    parse_tree,
)
from dashboard.phones.kernel import (
    ACCEPTS,
    CHARACTER_CLASS,
    DEAD,
    NOWHERE,
    OTHER,
    PLUS,
    PUNCTUATION,
    START,
)

CHARACTERS = "".join(map(chr, range(1 << 16)))  # beyond U+FFFF the kernel leaves a row to the library
PLAIN_PUNCTUATION = " -.()[]/"
BYTE_VALUES = 256
MAX_STATES = 256
EXTENSION = parse_tree(_EXTN_PATTERNS_FOR_PARSING, _REGEX_FLAGS)
VIABLE = parse_tree(_VALID_PHONE_NUMBER_PATTERN.pattern, _REGEX_FLAGS)


class TextTables(NamedTuple):
    """What the kernel needs to turn a text into digits; see `kernel.Tables`."""

    byte_kinds: NDArray[np.uint8]
    character_classes: NDArray[np.uint8]
    classes: NDArray[np.void]
    viable: NDArray[np.uint8]
    extension: NDArray[np.uint8]


def build_text_tables() -> TextTables:
    """Sort the characters into classes, then compile both expressions over the classes."""
    sets = {leaf: members(leaf) for leaf in {*leaf_expressions(VIABLE), *leaf_expressions(EXTENSION)}}
    traits = character_traits()
    columns = np.column_stack([*sets.values(), *traits.values()])
    distinct, class_of = np.unique(columns, axis=0, return_inverse=True)
    if len(distinct) > ACCEPTS:
        raise NotImplementedError("phonenumbers needs over 127 character classes; widen the kernel's tables.")
    classes = np.zeros(len(distinct), CHARACTER_CLASS)
    for column, trait in enumerate(traits, start=len(sets)):
        classes[trait] = distinct[:, column]
    symbols = {leaf: tuple(np.flatnonzero(distinct[:, column]).tolist()) for column, leaf in enumerate(sets)}
    nfa = Nfa(symbols.__getitem__)
    viable_start = nfa.add(VIABLE, "viable")
    viable = build_automaton(nfa, [[viable_start]], len(distinct), label_of=bool)
    nfa = Nfa(symbols.__getitem__)
    backwards, ends = nfa.reversed(nfa.add(EXTENSION, "extension"))
    extension = build_automaton(backwards, [ends], len(distinct), label_of=bool)
    character_classes = class_of.ravel().astype(np.uint8)
    plain = character_classes[[ord(character) for character in PLAIN_PUNCTUATION + "0123456789+"]]
    if can_accept(extension, plain.tolist()):
        raise NotImplementedError("phonenumbers reads plain punctuation as an extension; adapt the kernel.")
    return TextTables(byte_kinds(), character_classes, classes, pack(viable), pack(extension))


def members(expression: str, flags: int = _REGEX_FLAGS) -> NDArray[np.int8]:
    """For each character 1 when the expression takes it, else 0."""
    found = np.zeros(len(CHARACTERS), np.int8)
    for run in re.finditer(f"(?:{expression})+", CHARACTERS, flags):
        found[run.start() : run.end()] = 1
    return found


def character_traits() -> dict[str, NDArray[np.int8]]:
    """The fields of CHARACTER_CLASS for every character."""
    traits = {
        "can_start": members(_VALID_START_CHAR, re.UNICODE),
        "is_plus": members(f"[{_PLUS_CHARS}]", re.UNICODE),
        "is_cut_at_end": np.array([bool(_UNWANTED_END_CHAR_PATTERN.match(c)) for c in CHARACTERS], np.int8),
        "is_letter": members("[A-Za-z]", re.UNICODE),
        "digit": np.array([digit_value(c, NOWHERE) for c in CHARACTERS], np.int8),
        "keypad_digit": np.array(
            [_ALPHA_PHONE_MAPPINGS.get(c.upper(), NOWHERE) for c in CHARACTERS], np.int8
        ),
    }
    return {name: traits[name] for name in CHARACTER_CLASS.names or ()}


def can_accept(automaton: Automaton, symbols: list[int]) -> bool:
    """Does the automaton accept any text made of these symbols only?"""
    reached: set[int] = set()
    todo = automaton.starts.tolist()
    while todo:
        state = todo.pop()
        if state not in reached:
            reached.add(state)
            todo += automaton.next_states[state, symbols].tolist()
    return bool(automaton.labels[list(reached)].any())


def pack(automaton: Automaton) -> NDArray[np.uint8]:
    """A text automaton as the kernel wants it: START is state 1, the column ACCEPTS holds the verdict."""
    count, symbol_count = automaton.next_states.shape
    if count > MAX_STATES:
        raise NotImplementedError("phonenumbers needs over 256 text states; widen the kernel's tables.")
    order = np.arange(count)  # swap the start with whichever state is number 1; its own inverse
    start = int(automaton.starts[0])
    order[[START, start]] = order[[start, START]]
    table = np.full((count, ACCEPTS + 1), DEAD, np.uint8)
    table[:, :symbol_count] = order[automaton.next_states[order]]
    table[:, ACCEPTS] = automaton.labels[order]
    return table


def byte_kinds() -> NDArray[np.uint8]:
    """What the quick reader makes of each byte: digits, plain punctuation, "+", or OTHER: look closer."""
    kinds = np.full(BYTE_VALUES, OTHER, np.uint8)
    for digit in range(10):
        kinds[ord(str(digit))] = digit
    for character in PLAIN_PUNCTUATION:
        if character not in _VALID_PUNCTUATION:
            raise NotImplementedError(f"phonenumbers refuses {character!r} in a number; adapt the kernel.")
        kinds[ord(character)] = PUNCTUATION
    kinds[ord("+")] = PLUS
    return kinds
