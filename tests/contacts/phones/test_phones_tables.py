"""Tables say what the expressions say, and their cache is never wrong."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import only_deep

from dashboard.contacts.phones import kernel, tables
from dashboard.contacts.phones.build.automaton import Nfa, build_automaton, parse_tree
from dashboard.contacts.phones.build.national import digit_symbols
from dashboard.contacts.phones.build.plans import read_plans
from dashboard.contacts.phones.build.programs import Programs, read_rewrite_rule
from dashboard.contacts.phones.kernel import Tables

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


def ends_in(expression: str, text: str, *, then: tuple[int, ...] = ()) -> bool:
    nfa = Nfa(digit_symbols)
    automaton = build_automaton(
        nfa, [[nfa.add(parse_tree(expression), "match", then=then)]], 10, label_of=bool
    )
    state = automaton.starts[0]
    for digit in text:
        state = automaton.next_states[state, int(digit)]
    return bool(automaton.labels[state])


@settings(deadline=None)  # other work may hold the processor, and the first call compiles
@given(expressions, digits)
def test_an_automaton_matches_what_re_matches(expression: str, text: str) -> None:
    assert ends_in(expression, text) == bool(re.fullmatch(expression, text))


@settings(deadline=None)
@given(expressions, digits)
def test_an_automaton_can_go_on_after_a_match(expression: str, text: str) -> None:
    assert ends_in(expression, text, then=tuple(range(10))) == bool(re.match(expression, text))


@settings(deadline=None)
@given(expressions, digits)
def test_a_reversed_automaton_finds_suffixes(expression: str, text: str) -> None:
    nfa = Nfa(digit_symbols)
    mirror, ends = nfa.reversed(nfa.add(parse_tree(expression), "match"))
    automaton = build_automaton(mirror, [ends], 10, label_of=bool)
    state = automaton.starts[0]
    for digit in reversed(text):
        state = automaton.next_states[state, int(digit)]
    assert bool(automaton.labels[state]) == bool(re.fullmatch(expression, text))


def test_two_expressions_can_be_matched_at_once() -> None:
    nfa = Nfa(digit_symbols)
    group = [nfa.add(parse_tree(r"1\d"), "ten"), nfa.add(parse_tree(r"\d2"), "two")]
    seen = []
    automaton = build_automaton(nfa, [group], 10, lambda tags: seen.append(tags) or len(tags))
    state = automaton.next_states[automaton.next_states[automaton.starts[0], 1], 2]
    assert automaton.labels[state] == 2
    assert frozenset({"ten", "two"}) in seen


def test_states_that_behave_alike_become_one() -> None:
    nfa = Nfa(digit_symbols)
    start = nfa.add(parse_tree("(?:1234|5234|(?:6|7)2(?:34|3(?:4|4)))"), "match")
    automaton = build_automaton(nfa, [[start]], 10, label_of=bool)
    assert len(automaton.labels) == 6  # dead, and one for each of five lengths


@pytest.mark.parametrize("expression", ["a(?=1)", "1*?", r"(1)\1", "^1", r"\w", "[^1]"])
def test_what_is_not_translated_fails_loudly(expression: str) -> None:
    nfa = Nfa(digit_symbols)
    with pytest.raises(NotImplementedError, match="phonenumbers uses"):
        nfa.add(parse_tree(expression), "match")


prefixes = st.tuples(expressions, expressions, expressions).map("{0[0]}({0[1]})?{0[2]}".format)


@settings(deadline=None)
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


def test_a_pattern_that_plans_share_is_compiled_once() -> None:
    programs = Programs()
    assert programs.add("0(0|1)") is programs.add("0(0|1)")


def test_rewrite_rules() -> None:
    assert read_rewrite_rule(r"9\1", kernel.GROUP) == [9, kernel.GROUP + 1]
    assert read_rewrite_rule(r"\g<2>15\1", kernel.GROUP) == [kernel.GROUP + 2, 1, 5, kernel.GROUP + 1]
    assert read_rewrite_rule(None, kernel.GROUP) == []
    with pytest.raises(ValueError, match="invalid literal"):
        read_rewrite_rule("$1", kernel.GROUP)


def test_every_prefix_of_the_metadata_is_a_program() -> None:
    programs = Programs()
    for plan in read_plans():
        national = programs.add(plan.metadata.national_prefix_for_parsing)
        assert bool(plan.metadata.national_prefix_for_parsing) == bool(national.first_digits)


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


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 not a zip", b"\x93NUMPY"])
def test_a_damaged_cache_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes, built: Tables
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    file = tmp_path / f"phones-{tables.fingerprint()}.npz"
    file.write_bytes(damage)
    assert tables.read_cache(file) is None
    assert_same(tables._load.__wrapped__(), built)
    assert_same(tables.read_cache(file), built)


def test_a_cut_off_cache_is_not_trusted(tmp_path: Path) -> None:
    file = tmp_path / "tables.npz"
    tables.write_cache(tables.load_tables(), file)
    file.write_bytes(file.read_bytes()[:-1000])
    assert tables.read_cache(file) is None


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


def test_tables_are_loaded_once() -> None:
    assert tables.load_tables() is tables.load_tables()
    assert tables.are_tables_loaded()
