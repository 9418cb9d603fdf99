"""Tables say what the expressions say, and their cache is never wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import only_deep

from dashboard.phones import kernel, tables
from dashboard.phones.build.automaton import Nfa, build_automaton, parse_tree
from dashboard.phones.build.national import digit_symbols
from dashboard.phones.build.programs import Programs, read_rewrite_rule
from dashboard.phones.kernel import Tables

leaves = st.sampled_from(["0", "1", "7", r"\d", "[0-4]", "[17]", r"[2-57\d]", "x"])
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
        st.tuples(inner, inner).map("(?:{0[0]}|{0[0]}{0[1]})".format),
        inner.map("(?:{})?".format),
        st.tuples(inner, st.integers(0, 2), st.integers(0, 2)).map(
            lambda parts: f"(?:{parts[0]}){{{parts[1]},{parts[1] + parts[2]}}}"
        ),
    ),
    max_leaves=6,
)
digits = st.text("012357", max_size=7)


def ends_in(nfa: Nfa, starts: list[int], text: Iterable[str]) -> bool:
    automaton = build_automaton(nfa, [starts], 10, label_of=bool)
    state = automaton.starts[0]
    for digit in text:
        state = automaton.next_states[state, int(digit)]
    return bool(automaton.labels[state])


@given(expressions, digits)
def test_an_automaton_matches_what_re_matches_also_beginnings_and_backwards(
    expression: str, text: str
) -> None:
    tree, nfa = parse_tree(expression), Nfa(digit_symbols)
    matches = bool(re.fullmatch(expression, text))
    assert ends_in(nfa, [nfa.add(tree, "match")], text) == matches
    begun = [nfa.add(tree, "match", then=tuple(range(10)))]
    assert ends_in(nfa, begun, text) == bool(re.match(expression, text))
    forward = Nfa(digit_symbols)
    mirror, ends = forward.reversed(forward.add(tree, "match"))
    assert ends_in(mirror, ends, reversed(text)) == matches


def test_two_expressions_can_be_matched_at_once() -> None:
    nfa = Nfa(digit_symbols)
    group = [nfa.add(parse_tree(r"1\d"), "ten"), nfa.add(parse_tree(r"\d2"), "two")]
    seen = []
    automaton = build_automaton(nfa, [group], 10, lambda tags: seen.append(tags) or len(tags))
    state = automaton.next_states[automaton.next_states[automaton.starts[0], 1], 2]
    assert automaton.labels[state] == 2
    assert frozenset({"ten", "two"}) in seen


@pytest.mark.parametrize("expression", ["a(?=1)", "1*?", r"(1)\1", "^1", r"\w", "[^1]"])
def test_what_is_not_translated_fails_loudly(expression: str) -> None:
    nfa = Nfa(digit_symbols)
    with pytest.raises(NotImplementedError, match="phonenumbers uses"):
        nfa.add(parse_tree(expression), "match")


prefixes = st.tuples(expressions, expressions, expressions).map("{0[0]}({0[1]})?{0[2]}".format)


@given(prefixes, st.text("012357", min_size=1, max_size=7))
def test_a_prefix_program_takes_what_re_takes(pattern: str, text: str) -> None:
    programs = Programs()
    prefix = programs.add(pattern)
    scratch = kernel.new_scratch()
    scratch.digits[: len(text)] = [int(digit) for digit in text]
    instructions = np.array(programs.instructions, np.int32)
    end = kernel.match_prefix(instructions, prefix.program, scratch.digits, 0, len(text), scratch)
    match = re.match(pattern, text)
    if match is None:
        assert end == kernel.NOWHERE
    else:
        assert (end, *scratch.marks[2:4]) == (match.end(), *match.span(1))
        assert prefix.first_digits >> int(text[0]) & 1


@pytest.mark.parametrize("pattern", ["0*", "(0)(1)(2)(3)", "(?=0)0", "0?" * 130])
def test_a_prefix_that_does_not_fit_the_kernel_fails_loudly(pattern: str) -> None:
    with pytest.raises(NotImplementedError, match="phonenumbers"):
        Programs().add(pattern)


def test_rewrite_rules() -> None:
    assert read_rewrite_rule(r"9\1", kernel.GROUP) == [9, kernel.GROUP + 1]
    assert read_rewrite_rule(r"\g<2>15\1", kernel.GROUP) == [kernel.GROUP + 2, 1, 5, kernel.GROUP + 1]
    assert read_rewrite_rule(None, kernel.GROUP) == []
    with pytest.raises(ValueError, match="invalid literal"):
        read_rewrite_rule("$1", kernel.GROUP)


@pytest.fixture(params=["loaded", *only_deep("anew")])
def built(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Tables:
    """What building gives: in the first tier what was loaded, for building takes seconds."""
    if request.param == "loaded":
        monkeypatch.setattr(tables, "build_tables", tables.load_tables)
    return tables.build_tables()


def assert_same(read: Tables | None, built: Tables) -> None:
    assert read is not None
    for name in built._fields:
        np.testing.assert_array_equal(getattr(read, name), getattr(built, name))


def test_tables_survive_the_cache(tmp_path: Path, built: Tables) -> None:
    file = tmp_path / "new" / "tables.npz"
    assert tables.write_cache(built, file)
    assert_same(tables.read_cache(file), built)
    assert [path.name for path in file.parent.iterdir()] == ["tables.npz"]


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 not a zip", b"\x93NUMPY", None])
def test_a_damaged_cache_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | None, built: Tables
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    file = tmp_path / f"phones-{tables.fingerprint()}.npz"
    tables.write_cache(built, file)
    file.write_bytes(file.read_bytes()[:-1000] if damage is None else damage)
    assert tables.read_cache(file) is None
    assert_same(tables._load.__wrapped__(), built)
    assert_same(tables.read_cache(file), built)


def test_without_a_folder_to_write_to_tables_are_built_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: Tables
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert_same(tables._load.__wrapped__(), built)


def test_an_upgrade_of_phonenumbers_needs_new_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    before = tables.fingerprint()
    monkeypatch.setattr(phonenumbers, "__version__", "0.0.0")
    assert tables.fingerprint() != before
