"""The inner loop: one row's bytes to its verdict, as `phonenumbers` would judge it.

The steps and their order are those of `phonenumbers.parse`, `is_valid_number`, `number_type` and
`region_code_for_number`. A docstring that begins with a name in back-quotes stands for that function of the
library.

    bytes ──read_text──▶ digits ──parse──▶ calling code, national number ──judge──▶ line type, country

Numba compiles this file to machine code (110 ns a row). Where Numba is missing, or with NUMBA_DISABLE_JIT=1,
the same code runs as plain Python (8,500 ns a row, still four times faster than the library): set a
breakpoint anywhere and step through a number.

A number in here is a span of `Scratch.digits`, from `start` to `stop`. To strip a prefix is to move `start`;
a rewritten number is written behind the number it came from. So nothing is ever copied back.

Four rules of this file, each learned the hard way:

- Every compiled function and every constant lives here. Numba's cache looks at the time stamp of this file
  only: a constant imported from elsewhere would stay frozen in the cached machine code.
- Tables come in as arguments. A global array would be frozen too, and outlive an upgrade of `phonenumbers`.
- `_nrt=False` switches reference counting off: to count every array of `Tables` up and down at each call
  takes 700 ns a row instead of 110. So nothing may be allocated here; `Scratch` brings the room needed.
  `forceinline` makes one function of all; without it a row takes 300 ns.
- Bounds are checked. A corrupt Arrow buffer raises IndexError instead of reading wild memory; without the
  checks a row would take 83 ns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

try:
    import numba
except ImportError:
    COMPILED = False
else:
    COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # set from the environment

# ── What becomes of a row ─────────────────────────────────────────────────────────────────────────
# The first five are the library's parse errors, in its numbering; an INVALID number parses, but belongs to
# nobody. They are indices into words.PROBLEMS. UNDECIDED rows are left to the library itself.
NO_PROBLEM = -1
(
    INVALID_COUNTRY_CODE,
    NOT_A_NUMBER,
    TOO_SHORT_AFTER_IDD,
    TOO_SHORT_NSN,
    TOO_LONG,
    INVALID,
    UNDECIDED,
) = range(7)

# ── Limits, with the library's names for them ─────────────────────────────────────────────────────
SHORTEST_NUMBER = 2  # _MIN_LENGTH_FOR_NSN
LONGEST_NUMBER = 17  # _MAX_LENGTH_FOR_NSN
LONGEST_CALLING_CODE = 3  # _MAX_LENGTH_COUNTRY_CODE
LETTERS_OF_A_VANITY_NUMBER = 3  # _VALID_ALPHA_PHONE_PATTERN
LONGEST_E164 = 1 + LONGEST_CALLING_CODE + LONGEST_NUMBER  # "+" and all digits
LONGEST_TEXT = 200  # bytes; longer ones are UNDECIDED (the library itself refuses 250 characters)

# ── Codes in the tables ───────────────────────────────────────────────────────────────────────────
NOWHERE = -1  # no plan, no country, no match
UNREAD = -2  # a text that is left to the library
UNKNOWN = 10  # the line type of what is not valid, an index into words.LINE_TYPES

PUNCTUATION, PLUS, OTHER = 16, 17, 32  # in byte_kinds; 0 to 9 are the digits

DEAD, START = 0, 1  # states of an automaton: nothing can match any more; where a text automaton starts
ACCEPTS = 127  # column of a text automaton: 1 when the text may end in this state
DIGITS = 10  # columns of the number automaton

TAKE, TRY, JUMP, MARK, AT_END, DONE = range(6)  # operations of a prefix program, explained in programs.py
MAX_GROUPS = 3
MARKS = 2 * (MAX_GROUPS + 1)  # start and end of groups 1 to 3, at 2g and 2g + 1
MAX_TRIES = 128
GROUP = 100  # in a rewrite rule: 0 to 9 is a digit, GROUP + g is group g
REWRITE_ITEMS = 12
MASK_BITS = 62  # a mask of lengths has a bit for 0 to 60; bit 61 stands for everything longer

PLAN = np.dtype(
    [
        ("calling_code", np.int64),
        ("country", np.int64),  # index into plans.country_names()
        ("general_start", np.int64),  # where the number automaton reads this plan's general description
        ("accepted_lengths", np.int64),  # bit n: n digits are enough for the national prefix to be stripped
        ("too_long_lengths", np.int64),  # bit n: n digits are more than the plan knows
        ("international_prefix", np.int64),  # program
        ("international_first_digits", np.int64),  # bit d: digit d can begin the prefix
        ("national_prefix", np.int64),
        ("national_first_digits", np.int64),
        ("national_last_group", np.int64),
        ("rewrites", np.int64),  # 1 when `rewrite` says what takes the national prefix's place
        ("rewrite", np.int64, (REWRITE_ITEMS,)),  # ends with NOWHERE
    ]
)
CALLING_CODE = np.dtype(
    [
        ("start", np.int64),  # where the number automaton reads this code's national numbers
        ("main_plan", np.int64),  # or NOWHERE: this is not a calling code
        ("only_plan", np.int64),  # or NOWHERE: countries share it, as they do 1, 7 and 44
    ]
)
CHARACTER_CLASS = np.dtype(
    [
        ("can_start", np.int8),  # _VALID_START_CHAR: a plus sign or a digit
        ("is_plus", np.int8),
        ("is_cut_at_end", np.int8),  # _UNWANTED_END_CHARS
        ("is_letter", np.int8),  # A to Z, a to z
        ("digit", np.int8),  # 0 to 9 of any script, or NOWHERE
        ("keypad_digit", np.int8),  # in a vanity number: of an ASCII digit or a letter, or NOWHERE
    ]
)

Array: TypeAlias = NDArray[Any]


class Tables(NamedTuple):
    """What the metadata of `phonenumbers` says, ready for the kernel. Built by `tables.build_tables`."""

    byte_kinds: Array  # [256] uint8
    character_classes: Array  # [65536] uint8: class of a code point
    classes: Array  # [class] of CHARACTER_CLASS
    viable: Array  # [state, class] uint8: _VALID_PHONE_NUMBER_PATTERN, read forwards
    extension: Array  # [state, class] uint8: _EXTN_PATTERN, read backwards from the end
    calling_codes: Array  # [1000] of CALLING_CODE
    plans: Array  # [plan] of PLAN: one for each country, then one for each code without a country
    programs: Array  # [instruction, 3] int32: every prefix pattern, one behind the other
    numbers: Array  # [DIGITS * state + digit] uint16, the next state: every national number pattern in one
    labels: Array  # [state] uint16: what has matched there, 0 for nothing
    plan_of: Array  # [label, length] int16: the plan that a number belongs to, or NOWHERE
    line_type_of: Array  # [label, length] int8: its line type, or UNKNOWN when it is not valid


class Texts(NamedTuple):
    """Some rows of an Arrow string column, and the plan that each is dialled from."""

    rows: int
    data: Array  # uint8: UTF-8 of all texts
    offsets: Array  # [rows + 1] int64: text i is data[offsets[i]:offsets[i + 1]]
    validity: Array  # uint8: Arrow's bitmap; empty when no text is missing
    first_bit: int  # the bit of text 0
    homes: Array  # int16: the plan that each text is dialled from, or one for all; NOWHERE for none


class Scratch(NamedTuple):
    """Room to work in, one for each thread."""

    characters: Array  # uint16: code points of a text
    classes: Array  # uint8: their classes
    digits: Array  # uint8: a number, and numbers rewritten from it
    marks: Array  # [MARKS] int64
    tries: Array  # [MAX_TRIES, 2 + MARKS] int64: where to go on, from which digit, with which marks


class Verdicts(NamedTuple):
    """What the kernel found; it fills these arrays."""

    phones: Array  # uint8: E.164 texts of all rows
    phone_offsets: Array  # [rows + 1] int64
    problem: Array  # [rows] int8: NO_PROBLEM to UNDECIDED
    line_type: Array  # [rows] int8: index into words.LINE_TYPES
    country: Array  # [rows] int16: index into plans.country_names(), or NOWHERE


def new_scratch() -> Scratch:
    """Room for the longest text; a number can be rewritten twice, each time by a few digits."""
    return Scratch(
        characters=np.empty(LONGEST_TEXT, np.uint16),
        classes=np.empty(LONGEST_TEXT, np.uint8),
        digits=np.empty(4 * LONGEST_TEXT, np.uint8),
        marks=np.empty(MARKS, np.int64),
        tries=np.empty((MAX_TRIES, 2 + MARKS), np.int64),
    )


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function that Python calls; the machine code is kept for the next process."""
    try:
        return _compile(function, cache=True)
    except RuntimeError:  # there is no folder to keep it in
        return _compile(function)


def inlined(function: Function) -> Function:
    """Compile a step into its caller."""
    return _compile(function, forceinline=True)


def _compile(function: Function, **options: bool) -> Function:
    if not COMPILED:
        return function
    jit: Any = numba.njit
    compile_function = jit(nogil=True, boundscheck=True, error_model="numpy", _nrt=False, **options)
    return cast(Function, compile_function(function))


# ── The loop ──────────────────────────────────────────────────────────────────────────────────────


@compiled
def clean_rows(texts: Texts, tables: Tables, scratch: Scratch, verdicts: Verdicts) -> int:
    """Judge every text.

    Returns:
        How many bytes of verdicts.phones are written.
    """
    written = 0
    verdicts.phone_offsets[0] = 0
    for row in range(texts.rows):
        line_type = UNKNOWN
        country = NOWHERE
        problem, code, start, stop = understand(texts, row, tables, scratch)
        if problem == NO_PROBLEM:
            written = write_e164(verdicts.phones, written, code, scratch.digits, start, stop)
            line_type, plan = judge(tables, code, scratch.digits, start, stop)
            if plan != NOWHERE:
                country = tables.plans[plan].country
            if line_type == UNKNOWN:
                problem = INVALID
        verdicts.phone_offsets[row + 1] = written
        verdicts.problem[row] = problem
        verdicts.line_type[row] = line_type
        verdicts.country[row] = country
    return written


@compiled
def find_homes(texts: Texts, wanted: int, tables: Tables, scratch: Scratch, found: Array) -> None:
    """Note for each text the place of the first of texts.homes from which it is a number of a wanted kind.

    `wanted` has a bit for each line type. `found` gets NOWHERE where there is none, and UNREAD where only the
    library can tell.
    """
    for row in range(texts.rows):
        found[row] = NOWHERE
        if is_missing(texts, row):
            continue
        problem, count, has_plus = read_text(
            tables, texts.data, texts.offsets[row], texts.offsets[row + 1], scratch
        )
        if problem == UNDECIDED:
            found[row] = UNREAD
        if problem != NO_PROBLEM:
            continue
        for place in range(len(texts.homes)):
            problem, code, start, stop = parse(tables, count, has_plus, int(texts.homes[place]), scratch)
            if problem == NO_PROBLEM:
                line_type, _plan = judge(tables, code, scratch.digits, start, stop)
                if wanted >> line_type & 1:
                    found[row] = place
                    break


@inlined
def understand(texts: Texts, row: int, tables: Tables, scratch: Scratch) -> tuple[int, int, int, int]:
    """`parse`: one text to its number. -> (problem, calling code, start, stop)."""
    if is_missing(texts, row):
        return NOT_A_NUMBER, 0, 0, 0
    start = texts.offsets[row]
    stop = texts.offsets[row + 1]
    problem, count, has_plus = read_text(tables, texts.data, start, stop, scratch)
    if problem != NO_PROBLEM:
        return problem, 0, 0, 0
    home = int(texts.homes[min(row, len(texts.homes) - 1)])
    return parse(tables, count, has_plus, home, scratch)


@inlined
def is_missing(texts: Texts, row: int) -> bool:
    """Is the row null in Arrow's bitmap?"""
    bit = row + texts.first_bit
    return len(texts.validity) != 0 and not texts.validity[bit >> 3] >> (bit & 7) & 1


# ── Text to digits ────────────────────────────────────────────────────────────────────────────────


@inlined
def read_text(tables: Tables, data: Array, start: int, stop: int, scratch: Scratch) -> tuple[int, int, bool]:
    """Read UTF-8 into scratch.digits. -> (problem, number of digits, did it begin with a plus sign)."""
    if stop - start > LONGEST_TEXT:
        return UNDECIDED, 0, False
    count, has_plus = read_plain_text(tables.byte_kinds, data, start, stop, scratch.digits)
    if count != NOWHERE:
        return NO_PROBLEM, count, has_plus
    return read_any_text(tables, data, start, stop, scratch)


@inlined
def read_plain_text(byte_kinds: Array, data: Array, start: int, stop: int, digits: Array) -> tuple[int, bool]:
    """Read digits and plain punctuation with at most one "+" before them, as in 9 rows of 10.

    Returns:
        (number of digits, was there a "+"), or (NOWHERE, False) when the text needs a closer look.
    """
    count = 0
    pluses = 0
    seen = 0
    for i in range(start, stop):
        kind = int(byte_kinds[data[i]])
        seen |= kind
        if kind == PLUS:
            pluses += 1 if count == 0 else 2
        if kind < PUNCTUATION:
            digits[count] = kind
            count += 1
    # Two digits are a number only when nothing else is there: "12" is one, "1 2" is none.
    is_viable = count > SHORTEST_NUMBER or (count == SHORTEST_NUMBER and stop - start == SHORTEST_NUMBER)
    if seen & OTHER or pluses > 1 or not is_viable:
        return NOWHERE, False
    return count, pluses == 1


@inlined
def read_any_text(
    tables: Tables, data: Array, start: int, stop: int, scratch: Scratch
) -> tuple[int, int, bool]:
    """Read a text with letters, an extension or digits of another script. -> as `read_text`."""
    classes = tables.classes
    text = scratch.classes
    count = decode(data, start, stop, scratch.characters)
    if count == NOWHERE or has_parameter(scratch.characters, count):
        return UNDECIDED, 0, False
    for i in range(count):
        text[i] = tables.character_classes[scratch.characters[i]]
    first, end = extract_possible_number(classes, text, scratch.characters, count)
    if not is_viable(tables.viable, text, first, end):
        return NOT_A_NUMBER, 0, False
    end = strip_extension(tables, text, first, end)
    has_plus = False
    while first < end and classes[text[first]].is_plus:
        has_plus = True
        first += 1
    return NO_PROBLEM, normalize(classes, text, first, end, scratch.digits), has_plus


@inlined
def decode(data: Array, start: int, stop: int, characters: Array) -> int:
    """Decode UTF-8 to code points. -> how many, or NOWHERE when one is beyond U+FFFF."""
    count = 0
    i = start
    while i < stop:
        lead = int(data[i])
        if lead < 0x80:  # noqa: PLR2004 - the numbers here are those of UTF-8's table, RFC 3629
            characters[count] = lead
            i += 1
        elif lead < 0xE0:  # noqa: PLR2004
            characters[count] = (lead & 0x1F) << 6 | int(data[i + 1]) & 0x3F
            i += 2
        elif lead < 0xF0:  # noqa: PLR2004
            middle = (int(data[i + 1]) & 0x3F) << 6
            characters[count] = (lead & 0x0F) << 12 | middle | int(data[i + 2]) & 0x3F
            i += 3
        else:
            return NOWHERE
        count += 1
    return count


@inlined
def has_parameter(characters: Array, count: int) -> bool:
    """Is there a ";p" or ";i", perhaps RFC 3966's ";phone-context=" or ";isub="?"""
    for i in range(count - 1):
        if characters[i] == ord(";") and (characters[i + 1] == ord("p") or characters[i + 1] == ord("i")):
            return True
    return False


@inlined
def extract_possible_number(classes: Array, text: Array, characters: Array, count: int) -> tuple[int, int]:
    """`_extract_possible_number`: from the first digit or plus sign to the last letter or digit."""
    first = 0
    while first < count and not classes[text[first]].can_start:
        first += 1
    end = count
    while end > first and classes[text[end - 1]].is_cut_at_end:
        end -= 1
    return first, cut_second_number(characters, first, end)


@inlined
def cut_second_number(characters: Array, start: int, stop: int) -> int:
    r"""Find _SECOND_NUMBER_START, [\\/] *x, as in 555 0100 x12/x13. -> where it begins, or `stop`."""
    for i in range(start, stop):
        if characters[i] == ord("/") or characters[i] == ord("\\"):
            after = i + 1
            while after < stop and characters[after] == ord(" "):
                after += 1
            if after < stop and characters[after] == ord("x"):
                return i
    return stop


@inlined
def is_viable(viable: Array, text: Array, start: int, stop: int) -> bool:
    """`_is_viable_phone_number`."""
    if stop - start < SHORTEST_NUMBER:
        return False
    state = START
    for i in range(start, stop):
        state = viable[state, text[i]]
        if state == DEAD:
            return False
    return bool(viable[state, ACCEPTS])


@inlined
def strip_extension(tables: Tables, text: Array, start: int, stop: int) -> int:
    """`_maybe_strip_extension`: find the longest suffix that is one. -> where it begins, or `stop`."""
    state = START
    extension = stop
    i = stop
    while i > start and state != DEAD:
        i -= 1
        state = tables.extension[state, text[i]]
        if tables.extension[state, ACCEPTS]:
            extension = i
    return extension if is_viable(tables.viable, text, start, extension) else stop


@inlined
def normalize(classes: Array, text: Array, start: int, stop: int, digits: Array) -> int:
    """`_normalize`: digits of any script; with three letters or more, what is on the keypad. -> how many."""
    letters = 0
    for i in range(start, stop):
        letters += classes[text[i]].is_letter
    count = 0
    for i in range(start, stop):
        if letters >= LETTERS_OF_A_VANITY_NUMBER:
            digit = classes[text[i]].keypad_digit
        else:
            digit = classes[text[i]].digit
        if digit != NOWHERE:
            digits[count] = digit
            count += 1
    return count


# ── Digits to calling code and national number ────────────────────────────────────────────────────


@inlined
def parse(
    tables: Tables, count: int, has_plus: bool, home: int, scratch: Scratch
) -> tuple[int, int, int, int]:
    """`parse`, from the digits on. -> (problem, calling code, start, stop) of the national number."""
    if home == NOWHERE and not has_plus:
        return INVALID_COUNTRY_CODE, 0, 0, 0
    problem, code, start, stop = find_calling_code(tables, count, has_plus, home, scratch)
    if problem != NO_PROBLEM:
        return problem, 0, 0, 0
    if code == 0:
        plan = home
        code = tables.plans[home].calling_code
    else:
        plan = tables.calling_codes[code].main_plan  # of +44 1481 … too, which is Guernsey's
    if stop - start < SHORTEST_NUMBER:
        return TOO_SHORT_NSN, 0, 0, 0
    stripped_start, stripped_stop = strip_national_prefix(tables, plan, start, stop, scratch)
    if has_length(tables.plans[plan].accepted_lengths, stripped_stop - stripped_start):
        start = stripped_start
        stop = stripped_stop
    return check_length(stop - start), code, start, stop


@inlined
def check_length(length: int) -> int:
    """What is wrong with the length of a national number, or NO_PROBLEM."""
    if length < SHORTEST_NUMBER:
        return TOO_SHORT_NSN
    return TOO_LONG if length > LONGEST_NUMBER else NO_PROBLEM


@inlined
def has_length(mask: int, length: int) -> bool:
    """Is the bit of this length set?"""
    return bool(mask >> min(length, MASK_BITS - 1) & 1)


@inlined
def find_calling_code(
    tables: Tables, count: int, has_plus: bool, home: int, scratch: Scratch
) -> tuple[int, int, int, int]:
    """`_maybe_extract_country_code`, and again without the plus sign when no calling code follows it.

    Returns:
        (problem, calling code or 0, start, stop)
    """
    if has_plus:
        if count <= SHORTEST_NUMBER:
            return TOO_SHORT_AFTER_IDD, 0, 0, 0
        code, start = read_calling_code(tables.calling_codes, scratch.digits, 0, count)
        if code != 0:
            return NO_PROBLEM, code, start, count
        if home == NOWHERE:
            return INVALID_COUNTRY_CODE, 0, 0, 0
    after_prefix = skip_international_prefix(tables, home, count, scratch)
    if after_prefix != NOWHERE:
        if count - after_prefix <= SHORTEST_NUMBER:
            return TOO_SHORT_AFTER_IDD, 0, 0, 0
        code, start = read_calling_code(tables.calling_codes, scratch.digits, after_prefix, count)
        return (NO_PROBLEM if code != 0 else INVALID_COUNTRY_CODE), code, start, count
    code, start, stop = find_own_calling_code(tables, home, count, scratch)
    return (INVALID_COUNTRY_CODE if has_plus and code == 0 else NO_PROBLEM), code, start, stop


@inlined
def read_calling_code(calling_codes: Array, digits: Array, start: int, stop: int) -> tuple[int, int]:
    """`_extract_country_code`. -> (calling code or 0, where the rest begins)."""
    code = 0
    if digits[start] != 0:
        for i in range(start, min(stop, start + LONGEST_CALLING_CODE)):
            code = code * 10 + digits[i]
            if calling_codes[code].main_plan != NOWHERE:
                return code, i + 1
    return 0, start


@inlined
def skip_international_prefix(tables: Tables, home: int, count: int, scratch: Scratch) -> int:
    """`_parse_prefix_as_idd`: where the number goes on behind 00, 011 and the like, NOWHERE without them."""
    digits = scratch.digits
    plan = tables.plans[home]
    if not plan.international_first_digits >> digits[0] & 1:
        return NOWHERE
    end = match_prefix(tables.programs, plan.international_prefix, digits, 0, count, scratch)
    if end != NOWHERE and end < count and digits[end] == 0:  # no calling code begins with 0
        return NOWHERE
    return end


@inlined
def find_own_calling_code(tables: Tables, home: int, count: int, scratch: Scratch) -> tuple[int, int, int]:
    """The end of `_maybe_extract_country_code`: the home plan's own code, typed without a plus sign.

    It is taken for a code only if the number is too long with it, or fits the plan only without it.

    Returns:
        (calling code or 0, start, stop)
    """
    digits = scratch.digits
    plan = tables.plans[home]
    after_code = skip_calling_code(plan.calling_code, digits, count)
    if after_code == 0:
        return 0, 0, count
    start, stop = strip_national_prefix(tables, home, after_code, count, scratch)
    is_too_long = has_length(plan.too_long_lengths, count)
    if is_too_long or (
        fits_plan(tables, home, digits, start, stop) and not fits_plan(tables, home, digits, 0, count)
    ):
        return plan.calling_code, start, stop
    return 0, 0, count


@inlined
def skip_calling_code(calling_code: int, digits: Array, count: int) -> int:
    """Where the number goes on behind this calling code, or 0 when it does not begin with it."""
    length = 1 if calling_code < 10 else 2 if calling_code < 100 else 3  # noqa: PLR2004 - its digits
    if count < length:
        return 0
    code = 0
    for i in range(length):
        code = code * 10 + digits[i]
    return length if code == calling_code else 0


# ── National prefixes ─────────────────────────────────────────────────────────────────────────────


@inlined
def strip_national_prefix(
    tables: Tables, plan: int, start: int, stop: int, scratch: Scratch
) -> tuple[int, int]:
    """`_maybe_strip_national_prefix_carrier_code`. -> the number without its prefix, or as it was."""
    digits = scratch.digits
    rules = tables.plans[plan]
    if start == stop or not rules.national_first_digits >> digits[start] & 1:
        return start, stop
    after_prefix = match_prefix(tables.programs, rules.national_prefix, digits, start, stop, scratch)
    if after_prefix == NOWHERE:
        return start, stop
    new_start = after_prefix
    new_stop = stop
    if rules.rewrites and scratch.marks[2 * rules.national_last_group] != NOWHERE:
        new_start = stop
        new_stop = rewrite(rules.rewrite, digits, scratch.marks, after_prefix, stop)
    is_spoilt = not fits_plan(tables, plan, digits, new_start, new_stop)
    if is_spoilt and fits_plan(tables, plan, digits, start, stop):
        return start, stop
    return new_start, new_stop


@inlined
def rewrite(rule: Array, digits: Array, marks: Array, after_prefix: int, stop: int) -> int:
    """Write the number with its prefix replaced by `rule` at `stop`, as re.sub would. -> where it ends."""
    end = stop
    for item in rule:
        if item == NOWHERE:
            break
        if item < GROUP:
            digits[end] = item
            end += 1
        else:
            end = copy_digits(digits, marks[2 * (item - GROUP)], marks[2 * (item - GROUP) + 1], end)
    return copy_digits(digits, after_prefix, stop, end)


@inlined
def copy_digits(digits: Array, start: int, stop: int, to: int) -> int:
    """Copy a span of digits. -> where the copy ends."""
    for i in range(start, stop):
        digits[to] = digits[i]
        to += 1
    return to


@inlined
def match_prefix(
    programs: Array, program: int, digits: Array, start: int, stop: int, scratch: Scratch
) -> int:
    """Run a prefix program on a number, trying alternatives in the order of `re.match`.

    Returns:
        Where the match ends, or NOWHERE. Group g is then marks[2 * g] to marks[2 * g + 1].
    """
    marks = scratch.marks
    tries = scratch.tries
    clear(marks)
    depth = 0
    position = start
    at = program
    while programs[at, 0] != DONE:
        operation = programs[at, 0]
        operand = programs[at, 1]
        if operation == JUMP:
            at = operand
        elif operation == MARK:
            marks[operand] = position
            at += 1
        elif operation == TRY:
            remember(tries, depth, programs[at, 2], position, marks)
            depth += 1
            at = operand
        elif operation == TAKE and position < stop and operand >> digits[position] & 1:
            position += 1
            at += 1
        elif operation == AT_END and position == stop:
            at += 1
        elif depth == 0:
            return NOWHERE
        else:
            depth -= 1
            at, position = recall(tries, depth, marks)
    return position


@inlined
def clear(marks: Array) -> None:
    """Forget all groups."""
    for i in range(MARKS):
        marks[i] = NOWHERE


@inlined
def remember(tries: Array, depth: int, at: int, position: int, marks: Array) -> None:
    """Note where to go on when the way chosen now fails."""
    tries[depth, 0] = at
    tries[depth, 1] = position
    for i in range(MARKS):
        tries[depth, 2 + i] = marks[i]


@inlined
def recall(tries: Array, depth: int, marks: Array) -> tuple[int, int]:
    """Go back to the last choice. -> (instruction, position)."""
    for i in range(MARKS):
        marks[i] = tries[depth, 2 + i]
    return tries[depth, 0], tries[depth, 1]


# ── The verdict ───────────────────────────────────────────────────────────────────────────────────


@inlined
def fits_plan(tables: Tables, plan: int, digits: Array, start: int, stop: int) -> bool:
    """`_match_national_number` with the plan's general description."""
    numbers = tables.numbers
    state = tables.plans[plan].general_start
    for i in range(start, stop):
        state = numbers[DIGITS * state + digits[i]]
        if state == DEAD:
            return False
    return bool(tables.labels[state])


@inlined
def judge(tables: Tables, code: int, digits: Array, start: int, stop: int) -> tuple[int, int]:
    """`number_type` and `region_code_for_number`. -> (line type, plan or NOWHERE)."""
    numbers = tables.numbers
    state = tables.calling_codes[code].start
    for i in range(start, stop):
        state = numbers[DIGITS * state + digits[i]]
    label = tables.labels[state]
    plan = tables.plan_of[label, stop - start]
    if plan == NOWHERE:
        plan = tables.calling_codes[code].only_plan
    return tables.line_type_of[label, stop - start], plan


@inlined
def write_e164(phones: Array, at: int, code: int, digits: Array, start: int, stop: int) -> int:
    """Write "+", calling code and national number into phones from `at` on. -> where they end."""
    phones[at] = ord("+")
    at += 1
    if code >= 100:  # noqa: PLR2004 - three digits
        phones[at] = ord("0") + code // 100
        at += 1
    if code >= 10:  # noqa: PLR2004 - two digits
        phones[at] = ord("0") + code // 10 % 10
        at += 1
    phones[at] = ord("0") + code % 10
    at += 1
    for i in range(start, stop):
        phones[at] = ord("0") + digits[i]
        at += 1
    return at
