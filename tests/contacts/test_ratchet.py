"""Who was refused or held when `ratchet.json` was frozen is never ok since; who was ok may be held.

The first tier looks at one sheet of each group, `deep` at all.
"""

from __future__ import annotations

import pytest
from ratchet import EXCEPTIONS, Change, changes, judged, load, report
from ratchet_sheets import groups, score

FROZEN = load()
LOOKS = groups(FROZEN["answers"])


def assert_nobody_became_ok(found: list[Change]) -> None:
    if any(change.is_forbidden for change in found):
        pytest.fail(report(found, FROZEN["answers"]), pytrace=False)


def test_nobody_who_was_refused_or_held_is_ok_in_a_sheet_of_each_group() -> None:
    found: list[Change] = []
    for group, looks in LOOKS.items():
        one = judged([looks[len(looks) // 2]])
        assert one.keys() & FROZEN["groups"][group].keys()
        found += changes(group, FROZEN["groups"][group], one)
    assert_nobody_became_ok(found)


@pytest.mark.deep
@pytest.mark.parametrize("group", LOOKS)
def test_nobody_who_was_refused_or_held_is_ok(group: str) -> None:
    frozen, now = FROZEN["groups"][group], judged(LOOKS[group])
    assert_nobody_became_ok(list(changes(group, frozen, now)))
    gone = set() if group == "drawn" else frozen.keys() - now.keys()  # a new vector draws other sheets
    assert gone == set(), "freeze_ratchet.py says how to freeze anew"


@pytest.mark.deep
def test_no_more_invented_people_are_texted_against_their_will_or_held_without_need() -> None:
    found = score(judged(LOOKS["invented_sheets"]))
    assert {kind for kind, count in found.items() if count > FROZEN["score"][kind]} == set(), found


def test_every_exception_is_a_case_and_has_its_reason() -> None:
    for (group, case, _row), reason in EXCEPTIONS.items():
        assert case in FROZEN["groups"][group]
        assert reason
