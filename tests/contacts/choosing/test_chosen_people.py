"""Whom of a list to text: nobody vanishes, nobody gets two, and nobody is texted who was left out."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.contacts import (
    ColumnMap,
    ContactList,
    Status,
    choose_people,
    clean_contacts,
    correct_phones,
    guess_columns,
    join_contacts,
    rejects,
)
from dashboard.contacts.choosing.conditions import Condition
from dashboard.contacts.read.sheet import sheet_of_frame
from dashboard.errors import ColumnError, OptionError

PHONES = [f"+4474001{place * 7919 % 100_000:05d}" for place in range(6)]
CITIES = ["York", " york", "Leeds", "", "New York"]
ROWS = st.lists(
    st.tuples(st.sampled_from([*PHONES, "nope", ""]), st.sampled_from(CITIES), st.sampled_from(["", "yes"])),
    min_size=1,
    max_size=12,
)


def listed(rows: list[tuple[str, str, str]], keep: str = "first") -> ContactList:
    frame = pd.DataFrame(rows, columns=["Mobile", "City", "SMS opt out"], dtype="str").assign(Name="Ann Lee")
    return clean_contacts(frame, country="GB", keep=keep)  # type: ignore[arg-type]  # drawn from the three


def people() -> ContactList:
    return listed([(PHONES[0], "York", ""), (PHONES[1], "Leeds", ""), (PHONES[2], "New York", "")])


def passes(cell: str, test: str, value: str) -> bool:
    """The oracle: one cell, in plain Python."""
    cell = cell.strip().lower()
    found = {"is": cell == value, "contains": value in cell, "blank": not cell}
    return found[test] if test in found else not found[test.replace("_not", "").replace("not_", "")]


@settings(max_examples=draws(60, 4))
@given(
    ROWS,
    st.sampled_from(["is", "is_not", "contains", "contains_not", "blank", "not_blank"]),
    st.lists(st.sampled_from(PHONES), max_size=3),
    st.sampled_from(["first", "last", "warn"]),
)
def test_exactly_those_who_match_and_are_not_left_out_are_texted_once(
    rows: list[tuple[str, str, str]], test: str, out: list[str], keep: str
) -> None:
    value = "" if "blank" in test else "york"
    contacts = listed(rows, keep)
    chosen = choose_people(contacts, [Condition("City", test, value)], left_out=out)
    refused = {phone for phone, _city, no in rows if no}
    wanted = {
        phone
        for phone, city, _no in rows
        if phone in PHONES and phone not in {*refused, *out} and passes(city, test, value)
    }
    assert sorted(chosen.sendable["phone"]) == sorted(wanted)
    assert len(chosen.rows) == len(rows)
    assert chosen.rows.loc[chosen.rows["status"] != "ok", "problem"].notna().all()
    assert len(rejects(chosen, sheet_of_frame(contacts.fields))) == len(rows) - chosen.count("ok")
    untouched = chosen.rows["status"].ne("not_chosen") & ~chosen.rows["problem"].eq("duplicate")
    was = contacts.rows["status"].where(contacts.rows["problem"].ne("duplicate"))
    assert (chosen.rows["status"].astype("str") == was.astype("str"))[untouched & was.notna()].all()


def test_each_reason_is_counted() -> None:
    chosen = choose_people(
        listed([(phone, "York", "") for phone in PHONES[:5]] + [(PHONES[5], "Leeds", "")]),
        [Condition("City", "one_of", ("york", "Bath"))],
        left_out=PHONES[:1],
        in_campaigns=PHONES[:2],
        texted_lately=PHONES[:3],
        sample=1,
    )
    reasons = ["in_earlier_campaign", "not_in_sample", "not_matching", "on_left_out_list", "texted_lately"]
    assert sorted(chosen.rows["problem"].dropna()) == reasons
    assert chosen.count(Status.NOT_CHOSEN) == 5
    assert chosen.summary()["meaning"].str.len().gt(0).all()


def test_a_sample_is_the_same_however_the_sheet_is_sorted_and_another_with_another_seed() -> None:
    rows = [(f"+44740{place * 79_197 % 10_000_000:07d}", "York", "") for place in range(60)]
    samples = []
    for seed, shuffled in ((1, False), (1, True), (2, False)):
        drawn = rows[::-1] if shuffled else rows
        sample = choose_people(listed(drawn), sample=15, seed=seed).sendable["phone"]
        assert len(sample) == 15
        samples.append(set(sample))
    assert samples[0] == samples[1] != samples[2]


def test_choosing_again_narrows_the_choice_and_what_was_approved_stays() -> None:
    rows = [(PHONES[0], "York", ""), ("07400 123456 ext 4", "York", ""), (PHONES[1], "Leeds", "")]
    contacts = listed(rows)
    row = int(contacts.rows.loc[contacts.rows["status"] == "review", "row"].iloc[0])
    york = choose_people(contacts, [Condition("City", "is", "York")])
    assert (york.count("ok"), york.count("review"), york.count("not_chosen")) == (1, 1, 1)
    leeds = choose_people(contacts, [Condition("City", "is", "Leeds")])
    assert (leeds.count("ok"), leeds.count("review"), leeds.count("not_chosen")) == (1, 0, 2)
    again = choose_people(york.approve([row]), left_out=[PHONES[0], PHONES[1]])
    assert again.sendable["row"].tolist() == [row]
    assert again.rows["problem"].astype("str").tolist()[::2] == ["on_left_out_list", "not_matching"]


def test_a_cell_that_is_no_date_is_left_out_for_that_reason() -> None:
    frame = pd.DataFrame({"mobile": PHONES[:4], "Joined": ["2026-01-31", "soon", "", "2027-01-01"]})
    columns = guess_columns(frame).answered({"Joined": "nothing"})
    contacts = clean_contacts(frame, country="GB", columns=columns)
    chosen = choose_people(contacts, [Condition("Joined", "before", "2026-12-31")])
    assert chosen.rows["problem"].astype("str").tolist()[1:] == [
        *("not_comparable", "not_matching", "not_matching")
    ]
    assert chosen.sendable["row"].tolist() == [2]


@pytest.mark.parametrize("test", ["before", "after", "less", "more"])
def test_what_is_compared_with_itself_is_neither_before_nor_after_it(test: str) -> None:
    frame = pd.DataFrame({"mobile": PHONES[:3], "Joined": ["30.12.2026", "31.12.2026", "01.01.2027"]})
    frame["Points"] = ["9", "10", "11"]
    column, value = ("Joined", "2026-12-31") if test in {"before", "after"} else ("Points", "10")
    chosen = choose_people(clean_contacts(frame, country="GB"), [Condition(column, test, value)])
    assert chosen.sendable["Points"].tolist() == ["9" if test in {"before", "less"} else "11"]


def test_the_number_and_the_country_can_be_asked_about() -> None:
    frame = pd.DataFrame({"mobile": [PHONES[0], "+33639980001"], "country": ["here", "there"]})
    contacts = clean_contacts(frame, country="GB", columns=ColumnMap(phones=("mobile",)))
    assert choose_people(contacts, [Condition("country", "is", "gb")]).sendable["row"].tolist() == [2]
    assert choose_people(contacts, [Condition("country#2", "is", "there")]).count("not_chosen") >= 1


@each(
    "test, value",
    [("like", "a"), ("is", ("a",)), ("one_of", "a"), ("before", "soon"), ("more", "1.234"), ("less", "")],
)
def test_a_condition_that_makes_no_sense_is_refused(test: str, value: str) -> None:
    with pytest.raises(OptionError):
        Condition("City", test, value)


def test_a_choice_is_not_undone_by_correcting_or_joining_afterwards() -> None:
    everybody = choose_people(people(), [Condition("City", "not_blank")])
    for chosen in (everybody, choose_people(people(), [Condition("City", "is", "York")])):
        with pytest.raises(OptionError, match="then choose"):
            correct_phones(chosen, {2: PHONES[3]})
        with pytest.raises(OptionError, match="then choose"):
            join_contacts({"One": chosen, "Two": people()})
        assert correct_phones(chosen, {}) is chosen


def test_a_column_that_is_gone_and_an_empty_sample_are_refused() -> None:
    with pytest.raises(ColumnError, match="Town"):
        choose_people(people(), [Condition("Town", "is", "York")])
    with pytest.raises(OptionError, match="one person or more"):
        choose_people(people(), sample=0)
