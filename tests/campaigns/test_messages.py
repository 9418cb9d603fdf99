"""MESSAGES and its estimate: columns, problems, choices that are refused, money."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.campaigns import (
    Edit,
    MessageProblem,
    Schedule,
    TextingHours,
    Variant,
    cheapest_edit,
    count_credits,
    credits_histogram,
    estimate_credits,
    explain_message,
    name_hints,
    trial_messages,
    write_messages,
)
from dashboard.campaigns.schema import SCHEMAS
from dashboard.campaigns.when.schedule import scheduled_time
from dashboard.contacts import clean_contacts
from dashboard.errors import CampaignError

SENT_WITH = ("sender", "shorten_links", "tracking", "campaign", "template", "handover")
FAR = datetime(2090, 1, 1, tzinfo=UTC)
PEOPLE = pd.DataFrame(
    {
        "row": [2, 3, 5],
        "phone": ["+447911123456", "+4915123456789", "+447911123457"],
        "country": pd.Categorical(["GB", "DE", "GB"]),
        "line_type": pd.Categorical(["MOBILE", "MOBILE", "MOBILE"]),
        "first_name": ["Ann", "", "Bea"],
        "note": ["x", "y", "z" * 1024],
    }
)


def dtypes(frame: pd.DataFrame) -> dict[str, str]:
    return {str(name): str(dtype) for name, dtype in frame.dtypes.items()}


def test_a_row_per_contact_in_their_order_also_of_a_filtered_frame() -> None:
    messages = write_messages(PEOPLE.iloc[[2, 0, 1]], "Hi {{first_name|there}}", campaign="Spring")
    assert messages["row"].tolist() == [5, 2, 3]
    assert messages["to"].tolist() == PEOPLE["phone"].iloc[[2, 0, 1]].tolist()
    assert messages["body"].tolist() == ["Hi Bea", "Hi Ann", "Hi there"]
    assert messages["scheduled_at"].isna().all()


def test_what_is_sent_with_each_message_stands_in_columns() -> None:
    messages = write_messages(PEOPLE, "Hi", campaign="Spring", sender="Shop", tracking="spring")
    assert messages.attrs == {}
    (sent,) = messages[list(SENT_WITH)].drop_duplicates().to_dict("records")
    assert [*sent.values()] == ["Shop", True, "spring", "Spring", "Hi", "service"]
    plain = write_messages(PEOPLE, "Hi", campaign="Spring", shorten_links=False)
    assert plain[["sender", "tracking"]].eq("").all(axis=None)
    assert not plain["shorten_links"].any()


def test_whoever_changes_a_cell_changes_no_other() -> None:
    template = "Hi {{first_name|there}}"
    contacts = PEOPLE.copy(deep=True)
    before = write_messages(contacts, template, campaign="Spring")
    for column in before.columns:
        messages = write_messages(contacts, template, campaign="Spring")
        messages.loc[0, column] = 99 if messages[column].dtype == "int64" else messages.loc[1, column]
        others = [name for name in before.columns if name != column]
        pd.testing.assert_frame_equal(messages[others], before[others])
        pd.testing.assert_frame_equal(contacts, PEOPLE)


def test_no_contacts_give_no_messages() -> None:
    messages = write_messages(PEOPLE.head(0), "Hi {{first_name}}", campaign="Spring")
    assert dtypes(messages) == dtypes(write_messages(PEOPLE, "Hi", campaign="Spring"))
    assert estimate_credits(messages, price_per_credit="0.05").cost_high == Decimal(0)
    assert cheapest_edit(messages) is None
    assert credits_histogram(messages).empty


def test_problems_stay_in_the_frame_and_cost_nothing() -> None:
    messages = write_messages(PEOPLE, "Hi {{first_name}} {{note}}", campaign="Spring")
    assert messages["problem"].astype("str").fillna("").tolist() == ["", "empty_field", "text_too_long"]
    assert messages["credits_high"].tolist() == [1, 0, 0]
    estimate = estimate_credits(messages, price_per_credit=Decimal("0.05"))
    assert (estimate.messages, estimate.credits_low, estimate.credits_high) == (1, 1, 1)
    assert estimate.by_country["country"].tolist() == ["GB"]


def test_blank_fields_are_sent_when_asked_and_empty_texts_never() -> None:
    messages = write_messages(PEOPLE, "Hi {{first_name}}", campaign="Spring", empty_fields="send")
    assert messages["body"][1] == "Hi "
    nothing = write_messages(PEOPLE, "{{first_name|}}", campaign="Spring")
    assert nothing["problem"].astype("str").fillna("").tolist() == ["", "empty_text", ""]
    assert messages["problem"].isna().all()


def test_every_problem_has_a_sentence() -> None:
    assert all(explain_message(code).endswith(".") for code in MessageProblem)


def test_a_field_finds_the_column_that_means_it_of_text_or_not() -> None:
    people = pd.DataFrame(
        {"phone": ["+447911123456"] * 2, "Vorname": ["Ann", "Bo"], "Nom de famille": ["Quill"] * 2}
    ).assign(points=[10, 20], tier=pd.Categorical(["gold", None]))
    text = "Hi {{first_name}} {{last name}}: {{points}} {{tier|new}}"
    messages = write_messages(people, text, campaign="Spring")
    assert messages["body"].tolist() == ["Hi Ann Quill: 10 gold", "Hi Bo Quill: 20 new"]
    assert messages["row"].tolist() == [1, 2]


def test_a_cleaned_list_is_written_to_its_sendable_rows() -> None:
    sheet = pd.DataFrame(
        {
            "Mobile": ["07400 123456", "none", "07400123456", "+49 151 23456789"],
            "Name": ["Ann", "", "Al", "Bo"],
        }
    )
    messages = write_messages(clean_contacts(sheet, country="GB"), "Hi {{name}}", campaign="Spring")
    assert messages["to"].tolist() == ["+447400123456", "+4915123456789"]
    assert messages["body"].tolist() == ["Hi Ann", "Hi Bo"]
    assert messages["country"].tolist() == ["GB", "DE"]
    assert dtypes(messages) == {c.name: c.dtype for c in SCHEMAS["write_messages(...)"]}


@each(
    "choices, says",
    [
        ({"campaign": " "}, "no name"),
        ({"campaign": "x", "tracking": "spring", "shorten_links": False}, "Leave shorten_links on"),
        ({"campaign": "x", "schedule": datetime(2020, 1, 1, 9)}, "no time zone"),  # noqa: DTZ001 - refused
        ({"campaign": "x", "schedule": pd.Timestamp("2020-01-01 09:00")}, "no time zone"),
        ({"campaign": "x", "schedule": pd.NaT}, "not a date with a time of day"),
        ({"campaign": "x", "schedule": date(2090, 1, 1)}, "not a date with a time of day"),
        ({"campaign": "x", "schedule": ""}, "not a date with a time of day"),
        ({"campaign": "x", "schedule": 0}, "not a date with a time of day"),
        ({"campaign": "x", "schedule": datetime(2020, 1, 1, 9, tzinfo=UTC)}, "already passed"),
    ],
)
def test_choices_that_do_not_fit_are_refused(choices: dict[str, object], says: str) -> None:
    with pytest.raises(CampaignError, match=says):
        write_messages(PEOPLE, "Hi", **choices)  # type: ignore[arg-type]


def test_a_frame_without_phones_is_refused() -> None:
    with pytest.raises(CampaignError, match="exactly one column called phone"):
        write_messages(PEOPLE.drop(columns="phone"), "Hi", campaign="Spring")


GOOD = "+447400123456"
NO_NUMBERS = [
    *("07400 123456", "447400123456", "00447400123456", " +447400123456", "+447400123456 "),
    *("+44 7400 123456", "+4474001234567", "+44740012345", "+44", "+", "", "nobody"),
    *("+447400123456;ext=1", "tel:+447400123456", "\uff0b447400123456", "+٤٤٧٤٠٠١٢٣٤٥٦"),
    *("+447400123456\n", "+447400123456\u200b", "+44740012345\ud800", "+999123456"),
    *(447400123456, 447400123456.0, 7400123456, float("inf"), True, ["+447400123456"]),
]
MISSING = [None, float("nan"), pd.NA, pd.NaT]


def problems_of(phones: pd.Series, **choices: Any) -> list[str]:
    messages = write_messages(
        pd.DataFrame({"phone": phones, "name": "Ann"}), "Hi {{name}}", **choices, campaign="x"
    )
    assert dtypes(messages) == {c.name: c.dtype for c in SCHEMAS["write_messages(...)"]}
    left_out = messages["problem"].notna()
    assert (messages.loc[left_out, ["credits_low", "credits_high", "credits_utf16"]] == 0).all(axis=None)
    assert estimate_credits(messages).messages == (~left_out).sum()
    assert messages.loc[~left_out, "to"].isin([GOOD]).all()
    return messages["problem"].astype("str").fillna("").tolist()


BAD = [*((bad, "not_e164") for bad in NO_NUMBERS), *((bad, "no_phone") for bad in MISSING)]


def test_a_phone_that_is_no_valid_number_is_a_problem_of_its_row() -> None:
    phones = pd.Series([phone for bad, _ in BAD for phone in (bad, GOOD)], dtype=object)
    assert problems_of(phones) == [said for _, problem in BAD for said in (problem, "")]


@each(
    "phones",
    [
        pd.Series([447400123456.0, None]),
        pd.Series([447400123456, None], dtype="Int64"),
        pd.Series(pd.Categorical(["07400 123456", None])),
        pd.Series(["07400 123456", None], dtype="string"),
    ],
)
def test_a_column_of_any_type_that_holds_no_numbers_is_never_sent(phones: pd.Series) -> None:
    assert problems_of(phones) == ["not_e164", "no_phone" if phones.isna()[1] else "not_e164"]


def test_bad_phones_keep_nobody_else_from_variants_and_times() -> None:
    phones = pd.Series(["nobody", None, GOOD], dtype=object)
    at = datetime(2090, 1, 1, 9)  # noqa: DTZ001 - on each recipient's clock
    schedule = Schedule(at, hours=TextingHours(), home="Europe/London")
    assert problems_of(phones, schedule=schedule) == ["not_e164", "no_phone", ""]
    people = pd.DataFrame({"phone": phones})
    messages = write_messages(people, [Variant("A", "Hi"), Variant("B", "Hello")], campaign="x")
    assert messages["problem"].notna().tolist() == [True, True, False]


@settings(max_examples=draws(100, 10))
@given(
    st.lists(
        st.one_of(st.text(max_size=16), st.integers(), st.floats(), st.none(), st.just(GOOD)), min_size=1
    )
)
def test_whatever_a_phone_column_holds_only_valid_numbers_are_sent(cells: list[object]) -> None:
    got = problems_of(pd.Series(cells, dtype=object))
    assert [not problem for problem in got] == [cell == GOOD for cell in cells]


def test_a_schedule_is_kept_in_utc_and_whole_seconds() -> None:
    at = datetime(2090, 3, 1, 9, 0, 0, 700_000, tzinfo=timezone(timedelta(hours=1)))
    messages = write_messages(PEOPLE, "Hi", campaign="Spring", schedule=at)
    assert (messages["scheduled_at"] == pd.Timestamp("2090-03-01 08:00:00", tz="UTC")).all()


def test_the_present_is_not_a_time_to_schedule() -> None:
    now = datetime(2027, 3, 1, 9, tzinfo=UTC)
    assert scheduled_time(now + timedelta(seconds=1), now=now) == now + timedelta(seconds=1)
    with pytest.raises(CampaignError, match="01 Mar 2027, 09:00:00 UTC"):
        scheduled_time(now, now=now)


def test_money_is_exact() -> None:
    messages = write_messages(PEOPLE, "a" * 161, campaign="Spring")
    for price in (Decimal("0.1"), "0.1", 0.1):
        estimate = estimate_credits(messages, price_per_credit=price)
        assert estimate.cost_low == estimate.cost_high == Decimal("0.6")
        assert estimate.price_per_credit == Decimal("0.1")
    assert estimate_credits(messages).cost_low is None


@each("price", ["-1", "free", "NaN", float("inf")])
def test_a_price_that_is_none_is_refused(price: object) -> None:
    with pytest.raises(CampaignError, match="price of a credit"):
        estimate_credits(write_messages(PEOPLE, "Hi", campaign="x"), price_per_credit=price)  # type: ignore[arg-type]


@settings(max_examples=draws(100, 8))
@given(st.lists(st.text(st.sampled_from("aé😀 ht"), max_size=400), min_size=1, max_size=8))
def test_the_estimate_is_the_sum_of_its_messages(notes: list[str]) -> None:
    people = pd.DataFrame({"phone": "+447911123456", "note": notes, "country": "GB"})
    messages = write_messages(people, "Hi {{note|-}} https://a.example", campaign="x")
    estimate = estimate_credits(messages, price_per_credit="0.03")
    assert estimate.credits_low == sum(count_credits("x" * n) for n in messages["characters_low"])
    assert estimate.credits_high == estimate.by_country["credits_high"].sum()
    assert estimate.cost_high == estimate.credits_high * Decimal("0.03")
    spread = credits_histogram(messages)
    assert (spread["credits"] * spread["messages_high"]).sum() == estimate.credits_high
    assert (spread["credits"] * spread["messages_low"]).sum() == estimate.credits_low


def test_the_cheapest_edit_is_named() -> None:
    people = pd.DataFrame({"phone": ["+447911123456"] * 4, "v": ["", "", "", "x" * 20]})
    messages = write_messages(people, "a" * 164 + "{{v|}}", campaign="x")
    assert cheapest_edit(messages) == Edit(characters=4, credits=3)
    assert cheapest_edit(messages, at_most=3) is None


def test_a_message_goes_to_ones_own_phones_on_trial() -> None:
    schedule = Schedule(FAR, hours=TextingHours())
    messages = write_messages(PEOPLE, "Hi {{first_name}}", campaign="Spring", schedule=schedule)
    trial = trial_messages(messages, 2, ["+447400123456", "+4915123456789"])
    assert trial["body"].tolist() == ["Hi Bea", "Hi Bea"]
    assert trial["to"].tolist() == ["+447400123456", "+4915123456789"]
    assert trial["country"].tolist() == ["GB", "DE"]
    assert trial["scheduled_at"].isna().all()
    assert set(trial["texting_hours"]) == {""}, "one's own phones ring at once"
    assert dtypes(trial) == dtypes(messages)
    assert estimate_credits(trial).credits_high == 2
    assert trial["campaign"].tolist() == ["Test: Spring"] * 2
    assert set(messages["campaign"]) == {"Spring"}
    assert trial_messages(messages, 2, ["07400 123456"], country="GB")["to"].tolist() == ["+447400123456"]


@each(
    "place, phones, says",
    [
        (1, ["+447400123456"], "cannot be sent. A field of the template is empty"),
        (0, ["+447400123456", "07400 123456"], "with + and the country code"),
        (0, [], "with + and the country code"),
    ],
)
def test_what_cannot_go_on_trial_is_refused(place: int, phones: list[str], says: str) -> None:
    messages = write_messages(PEOPLE, "Hi {{first_name}}", campaign="Spring")
    with pytest.raises(CampaignError, match=re.escape(says)):
        trial_messages(messages, place, phones)


@each("name", [0, None, date(2026, 11, 22)])
def test_a_column_may_be_called_anything(name: Any) -> None:
    people = pd.DataFrame([["+447400123456", "Ann", "Hull"]], columns=["phone", name, "town"])
    for contacts in (people, clean_contacts(people, country="GB")):
        messages = write_messages(contacts, "Hi {{ town }}", campaign="Spring")
        assert messages["body"].tolist() == ["Hi Hull"]
        assert name_hints(contacts, "Hi {{ town }}") == ()
    if name == 0:
        assert write_messages(people, "Hi {{ 0 }}", campaign="Spring")["body"].tolist() == ["Hi Ann"]


@each("twins", [["name", "name"], ["row", "row"], ["country", "country"], [0, "0"]])
def test_two_columns_of_one_name_are_not_guessed_between(twins: list[Any]) -> None:
    people = pd.DataFrame([["+447400123456", 7, 8]], columns=["phone", *twins])
    with pytest.raises(CampaignError, match=f"the columns {twins[1]} more than once"):
        write_messages(people, "Hi", campaign="Spring")
    with pytest.raises(CampaignError, match=f"the columns {twins[1]} more than once"):
        name_hints(people, f"Hi {{{{{twins[1]}}}}}")
