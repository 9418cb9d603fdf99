"""The acceptance cases of texts and merge fields, as data in tests/vectors/message_cases.csv."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from vector_files import vectors

from dashboard.campaigns import outside_gsm, to_gsm, write_messages
from dashboard.errors import CampaignError

CASES = vectors("message_cases.csv")
FIGURES = ("credits_low", "credits_high", "carrier_encoding", "carrier_parts", "body", "problem")


def write(case: dict[str, str]) -> pd.DataFrame:
    people = pd.DataFrame({"phone": ["+447911123456", "+447911123457"]})
    if case["column"]:
        people[case["column"]] = [case["value"], "Bea"]
    return write_messages(
        people,
        case["template"] * int(case["times"]),
        campaign="Spring",
        shorten_links=case["links"] == "short",
        tracking=case["tracking"] or None,
    )


@each("case", [c for c in CASES if not c["error_says"]])
def test_a_text_comes_out_as_the_case_says(case: dict[str, str]) -> None:
    written = write(case).iloc[0].fillna("").astype(str)
    stated = {name: case[name] for name in FIGURES if case[name]}
    assert written[list(stated)].to_dict() == stated
    assert written["problem"] == case["problem"]


@pytest.mark.parametrize("case", [c for c in CASES if c["error_says"]], ids=lambda c: f"{c['id']} {c['why']}")
def test_a_mistake_is_refused_with_a_hint(case: dict[str, str]) -> None:
    with pytest.raises(CampaignError) as error:
        write(case)
    assert case["error_says"] in str(error.value)


@pytest.mark.parametrize("case", [c for c in CASES if c["gsm_text"]], ids=lambda c: f"{c['id']} {c['why']}")
def test_one_click_replaces_what_it_can(case: dict[str, str]) -> None:
    plain = to_gsm(case["template"])
    assert (plain.text, str(plain.replaced), plain.left) == (case["gsm_text"], case["replaced"], ())
    named = outside_gsm(case["template"])
    assert named["texts"].sum() > 0
    assert named["replacement"].notna().all()
