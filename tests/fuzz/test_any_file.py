"""A few files that chance made, through every door; `python -m tests.fuzz` plays for as long as you like."""

from __future__ import annotations

import pytest

from fuzz.doors import DOORS, answer
from fuzz.files import file_of


@pytest.mark.deep
@pytest.mark.parametrize("door", DOORS)
def test_a_file_is_taken_or_refused_with_a_sentence(door: str) -> None:
    answers = {answer(door, file_of(seed)[1]) for seed in range(40)}
    assert len(answers) > 1
