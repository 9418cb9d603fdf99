"""What stands in a column of names where there is no name: fillers such as N/A, which count as blank.

Only whole cells, and only in columns that hold names: "x" is a size elsewhere. Signs alone are fillers too,
such as the ???? that an encoding leaves of a name, and so is what nobody sees. Null, None, Nan, Na and X are
names of real people too: written like a name they stay, and `names.name_hints` counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from dashboard.campaigns.text.other_syntax import HIDDEN_SIGNS, usual_field
from dashboard.campaigns.text.short_names import by_short_name

_NAMES = ("first_name", "last_name", "full_name")

_WORDS = (
    *("n/a", "n / a", "#n/a", "n\\a", "n/k", "tbc", "tba", "tbd", "xx", "xxx", "xxxx", "0"),
    *("unknown", "undefined", "unnamed", "anonymous", "no name", "noname", "no-name", "no first name"),
    *("not available", "not applicable", "not given", "not provided", "not known", "not set", "none given"),
    *("keine angabe", "kein name", "ohne namen", "unbekannt", "onbekend", "geen naam"),
    *("inconnu", "inconnue", "sans nom", "desconocido", "sin nombre", "desconhecido", "sconosciuto"),
    *("#ref!", "#name?", "#value!", "#null!", "#div/0!", "#num!"),
)
_ALSO_NAMES = ("null", "none", "nil", "nan", "na", "x", "test")
"""In small letters or capitals they are fillers, written like a name they may be one."""
_IN_BRACKETS = (*_WORDS, *_ALSO_NAMES, "blank", "empty")
_INITIALS = ("n.a.", "n.a", "n. a.", "k.a.", "k. a.")
"""Fillers in small letters; in capitals they may be initials."""
_HIDDEN = rf"[\p{{Cf}}{HIDDEN_SIGNS}]"
_NO_LETTER = r"^[\p{P}\p{S}\s]+$"


def _twice(words: Iterable[str]) -> tuple[str, ...]:
    """The words, and each of them for a first and a last name in one cell."""
    return tuple(both for word in words for both in (word, f"{word} {word}"))


_FILLERS = pa.array(
    [
        *_twice(_WORDS),
        *(f"{left}{word}{right}" for word in _IN_BRACKETS for left, right in ("()", "[]", "{}", "<>")),
    ],
    pa.large_string(),
)
_AS_WRITTEN = pa.array(
    [form for word in _twice(_ALSO_NAMES) for form in (word, word.upper()) if form != "X"]
    + ["NaN", *_INITIALS],
    pa.large_string(),
)
MAY_BE_NAMES = (*_twice(_ALSO_NAMES), *_INITIALS)
"""Written otherwise than fillers."""


def holds_names(column: str, meaning: Mapping[str, str] | None = None) -> bool:
    """Whether a column holds names: it is called so, or somebody confirmed it.

    Example:
        >>> [holds_names(column) for column in ("Vorname", "Size", "Nom *")]
        [True, False, True]
    """
    confirmed = (field for field, known in (meaning or {}).items() if known == column)
    called = map(usual_field, (column, *by_short_name([column])))
    return any(field in _NAMES for field in (*confirmed, *called))


def plain_cells(texts: pa.Array) -> pa.Array:
    """The cells trimmed, without wide letters and hidden signs: what they are compared by."""
    seen = pc.replace_substring_regex(texts, _HIDDEN, "")
    return pc.utf8_trim_whitespace(pc.utf8_normalize(seen, form="NFKC"))


def are_fillers(texts: pa.Array) -> pa.Array:
    """Which of these cells, trimmed, hold no name, although they are not blank."""
    plain = plain_cells(texts)
    in_any_case = pc.is_in(pc.utf8_lower(plain), value_set=_FILLERS)
    as_written = pc.is_in(plain, value_set=_AS_WRITTEN)
    signs = pc.match_substring_regex(plain, _NO_LETTER)
    hidden = pc.and_(pc.equal(plain, ""), pc.not_equal(texts, ""))
    return reduce(pc.or_, (in_any_case, as_written, signs, hidden))


def without_fillers(texts: pa.Array) -> pa.Array:
    """The same cells with "" in place of fillers."""
    found = are_fillers(texts)
    return pc.if_else(found, "", texts) if pc.any(found).as_py() else texts
