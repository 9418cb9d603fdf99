"""Variants: who gets which text, in what shares, and what their messages carry."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import Variant, write_messages
from dashboard.errors import CampaignError

A = Variant("A", "Hi {{first_name|there}}", tracking="spring-a", campaign_suffix="A")
B = Variant("B", "Hello{{#member}} again{{/member}}, {{first_name|there}}", weight=3)


def people(number: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "phone": [f"+4479111{place:05d}" for place in range(number)],
            "first_name": [f"N{place}" for place in range(number)],
            "member": ["yes", "no"] * (number // 2) + [""] * (number % 2),
        }
    )


def test_each_person_gets_the_text_of_one_variant() -> None:
    messages = write_messages(people(100), [A, B], campaign="Spring")
    assert messages["variant"].value_counts().to_dict() == {"A": 25, "B": 75}
    for message, name, member in zip(
        messages.itertuples(), people(100)["first_name"], people(100)["member"], strict=True
    ):
        again = " again" if member == "yes" else ""
        assert message.body == (f"Hi {name}" if message.variant == "A" else f"Hello{again}, {name}")
        assert message.characters == len(message.body)


def test_what_a_variant_adds_stands_in_columns() -> None:
    messages = write_messages(people(8), [A, B], campaign="Spring", tracking="spring")
    columns = messages[["variant", "campaign", "tracking", "template"]]
    assert sorted(columns.drop_duplicates().itertuples(index=False, name=None)) == [
        ("A", "Spring A", "spring-a", A.template),
        ("B", "Spring", "spring", B.template),
    ]


def test_the_split_is_the_same_in_any_order_and_on_every_machine_and_another_in_another_campaign() -> None:
    def split(contacts: pd.DataFrame, campaign: str) -> dict[str, str]:
        messages = write_messages(contacts, [A, B], campaign=campaign)
        return dict(zip(messages["to"], messages["variant"], strict=True))

    first = split(people(200), "Spring")
    assert split(people(200).sample(frac=1, random_state=1), "Spring") == first
    assert split(people(200), "Summer") != first
    messages = write_messages(people(10), [A, Variant("B", "x")], campaign="Spring")
    assert "".join(messages["variant"]) == "BBBBAAAAAB"


@given(st.lists(st.floats(0.01, 1000), min_size=1, max_size=6), st.integers(0, 300))
def test_shares_are_exact_to_within_one_message(weights: list[float], number: int) -> None:
    variants = [Variant(str(place), "x", weight) for place, weight in enumerate(weights)]
    got = write_messages(people(number), variants, campaign="x")["variant"].value_counts(sort=False)
    assert got.sum() == number
    for place, weight in enumerate(weights):
        assert abs(got[str(place)] - weight / sum(weights) * number) < 1


@each(
    "variants, choices, says",
    [
        ([], {}, "1 to 26 variants"),
        ([A, A], {}, "a name of its own"),
        ([Variant(" ", "x")], {}, "a name of its own"),
        ([Variant("A", "x", 0)], {}, "above 0"),
        ([Variant("A", "x", float("inf"))], {}, "above 0"),
        ([A, B], {"shorten_links": False}, "Leave shorten_links on"),
        ([Variant("A", "{{nme}}")], {}, "no column 'nme'"),
    ],
)
def test_what_is_no_test_is_refused(variants: list[Variant], choices: dict[str, bool], says: str) -> None:
    with pytest.raises(CampaignError, match=says):
        write_messages(people(4), variants, campaign="Spring", **choices)  # type: ignore[arg-type]
