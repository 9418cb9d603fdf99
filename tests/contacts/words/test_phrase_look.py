"""The quick filter for phrases names every text that has one, however many phrases there are."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import only_deep

from dashboard.contacts.columns.labelled import label_look, refused_by_label
from dashboard.contacts.words.headings import Heading, headings_look, read_heading
from dashboard.contacts.words.phrase_look import PhraseLook
from dashboard.contacts.words.refusal import (
    Refusal,
    refusal_in,
    refusal_phrases,
    refuses_alone,
)
from dashboard.contacts.words.spelling import bare

MANY = 40
"""So many texts are not simply all named."""
ALPHABETS = {"Latin": "abcdeiot", "accents": "aéßùñ", "Cyrillic": "абвгдеж", "Chinese": "退订短信不要"}


def looked_at(look: PhraseLook, texts: list[str]) -> list[bool]:
    padded = texts + ["-"] * MANY
    return look.may_hold(pa.chunked_array([padded], pa.large_string())).tolist()[: len(texts)]


@pytest.mark.parametrize("many", [600, *only_deep(4_000)])
@pytest.mark.parametrize("letters", ALPHABETS.values(), ids=ALPHABETS)
def test_of_many_phrases_each_is_found_and_nothing_else(letters: str, many: int) -> None:
    draw = random.Random(17)  # noqa: S311 - seeded on purpose
    word = lambda: "".join(draw.choices(letters, k=draw.randrange(5, 9)))  # noqa: E731
    phrases = [" ".join(word() for _ in range(draw.randrange(1, 4))) for _ in range(many)]
    spelled = [draw.choice(["{}", "Note: {}.", "x{}y"]).format(phrase) for phrase in phrases]
    spaced = [text.replace(" ", draw.choice([" ", "-", "", " / "])) for text in spelled]
    look = PhraseLook(map(bare, phrases))
    assert all(looked_at(look, spaced))
    assert all(looked_at(look, [text.upper() for text in spaced]))
    assert not any(looked_at(look, ["Ann 07400 123456", "", "Zoë", "москва", "東京", "x".join(letters)]))


@given(st.lists(st.text("ab ", max_size=6), max_size=8), st.text("ab -", max_size=8))
def test_leaving_out_phrases_that_hold_others_changes_nothing(listed: list[str], text: str) -> None:
    phrases = [" ".join(phrase.split()) for phrase in listed]
    alone = any(looked_at(PhraseLook([phrase]), [text]) == [True] for phrase in phrases if phrase)
    assert looked_at(PhraseLook(phrases), [text]) == [alone]


@pytest.mark.parametrize("case", [str.upper, *only_deep(str.lower, str.title)])
def test_every_refusal_is_found(case: object) -> None:
    phrases = sorted(set(refusal_phrases()))
    texts = [f"Ann, {case(phrase)}" for phrase in phrases]  # type: ignore[operator]
    refusing = [place for place, text in enumerate(texts) if refusal_in(text)]
    found = looked_at(headings_look(), texts)
    assert refusing
    assert all(found[place] for place in refusing)


@given(st.text([chr(code) for code in range(ord(" "), ord("9") + 1)], max_size=20))
def test_figures_say_nothing(text: str) -> None:
    assert refusal_in(text) is Refusal.NONE
    assert refused_by_label(text) is Refusal.NONE
    assert read_heading(text) is Heading.NOTHING
    assert not refuses_alone(text)


def test_an_answer_beside_its_question_is_found() -> None:
    assert looked_at(label_look(), ["SMS: no", "opt-in=false", "Nuts"]) == [True, True, False]
