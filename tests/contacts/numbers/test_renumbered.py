"""One person in two spellings: what a renumbering made of numbers, and a +1 before those of a country."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from doors import both_doors, comparable
from phonenumbers import PhoneNumberType, number_type, parse
from renumbered_phones import LINES, examples

from dashboard.contacts import choose_people, clean_contacts, join_contacts

MOBILE = (PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE)
STATUS = {"certain": "ok", "ask": "review", "either": "review"}


def in_use(line: dict[str, str]) -> tuple[str, str]:
    """An old number of a line and what it became: one that somebody may have."""
    takes_both = line["reading"] == "either" and line["country"] != "AR"
    return next(
        (old, new)
        for old, new in examples(line)
        if number_type(parse(new)) in MOBILE and (number_type(parse(old)) in MOBILE or not takes_both)
    )


def doors(contacts: pd.DataFrame, folder: Path, **how: object) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The verdicts on a sheet, through either door."""
    contacts.to_csv(folder / "contacts.csv", index=False)
    whole, streamed = both_doors(folder / "contacts.csv", **how)
    return comparable(whole.rows), streamed


PAIRS = [in_use(line) for line in LINES]
OLD, NEW = ([pair[place] for pair in PAIRS] for place in (0, 1))


def sheet(*phones: list[str], **more: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"Name": "Ann", "Mobile": [one for some in phones for one in some], **more})


def test_an_old_number_is_todays_where_that_is_certain_and_a_question_elsewhere() -> None:
    rows = clean_contacts(sheet(OLD), country=None).rows
    for line, old, new, phone, status, problem, repairs in zip(
        LINES, OLD, NEW, *(rows[name] for name in ("phone", "status", "problem", "repairs")), strict=True
    ):
        is_landline = line["country"] == "AR"
        assert phone == (old if line["reading"] == "either" else new), line
        assert status == ("invalid" if is_landline else STATUS[line["reading"]]), line
        assert ("renumbered" in repairs) == (line["reading"] != "either"), line
        assert (problem == "renumbered") == (line["reading"] != "certain" and not is_landline), line


@pytest.mark.parametrize("first", ["old", "new"])
def test_who_has_one_number_in_two_spellings_is_texted_once(first: str, tmp_path: Path) -> None:
    both = [OLD, NEW] if first == "old" else [NEW, OLD]
    for rows in doors(sheet(*both), tmp_path, country=None):
        of_pair = rows["status"].astype("str").to_numpy().reshape(2, -1).T.tolist()
        for line, statuses in zip(LINES, of_pair, strict=True):
            left = [status for status in statuses if status in {"ok", "review"}]
            assert left == ["ok"], line


def test_lists_joined_and_lists_left_out_know_each_other_by_all_spellings() -> None:
    old, new = (clean_contacts(sheet(some), country=None) for some in (OLD, NEW))
    joined = join_contacts({"old": old, "new": new}).rows["status"].astype("str").to_numpy().reshape(2, -1)
    assert [sorted({*pair} & {"ok", "review"}) for pair in joined.T] == [["ok"]] * len(LINES)
    for contacts, others in ((old, NEW), (new, OLD)):
        assert choose_people(contacts, left_out=others).sendable.empty


@pytest.mark.parametrize("refused", ["old", "new"])
def test_a_refusal_in_one_spelling_holds_in_the_other(refused: str, tmp_path: Path) -> None:
    no, other = (OLD, NEW) if refused == "old" else (NEW, OLD)
    for rows in doors(sheet(other), tmp_path, country=None, opt_outs=no):
        assert set(rows["status"]) == {"opted_out"}, "the list's"
    said = {"SMS opt out": ["yes"] * len(no) + [""] * len(other)}
    for rows in doors(sheet(no, other, **said), tmp_path, country=None):
        assert set(rows["status"]) == {"opted_out"}, "a row's"


def test_a_plus_one_before_a_number_of_the_rows_own_country_is_a_question(tmp_path: Path) -> None:
    typed = [
        ("+1 7400 123456", "GB", "review", "+447400123456"),
        ("+1 07400 123457", "GB", "review", "+447400123457"),
        ("+1 912 345 6789", "IN", "review", "+19123456789"),
        ("+1 912 345 6780", "US", "ok", "+19123456780"),
        ("+1 876 345 6780", "CA", "ok", "+18763456780"),
        ("+1 415 555 2671", "GB", "ok", "+14155552671"),
        ("+1 912 345 6781", "", "ok", "+19123456781"),
    ]
    phones, countries, statuses, numbers = map(list, zip(*typed, strict=True))
    for rows in doors(sheet(phones, Country=countries), tmp_path, country=None):
        assert rows["status"].tolist() == statuses
        assert rows["phone"].tolist() == numbers
        assert set(rows["problem"][:3]) == {"plus_one"}
        assert rows["other_phones"][2] == "+919123456789"
    for rows in doors(sheet(["+19123456789"]), tmp_path, country="IN"):
        assert rows["problem"].tolist() == ["plus_one"], "the list's country, and in E.164"


def test_who_refuses_behind_a_plus_one_is_not_texted_without_it(tmp_path: Path) -> None:
    said = {"SMS opt out": ["yes", ""]}
    for rows in doors(sheet(["+1 912 345 6789", "9123456789"], **said), tmp_path, country="IN"):
        assert set(rows["status"]) == {"opted_out"}
    for rows in doors(sheet(["9123456789"]), tmp_path, country="IN", opt_outs=["+1 912 345 6789"]):
        assert set(rows["status"]) == {"opted_out"}


def test_a_mexican_list_keeps_american_numbers_that_lost_their_plus() -> None:
    rows = clean_contacts(sheet(["1 (714) 532-2671", "17145322672", "5217145322671"]), country="MX").rows
    assert (rows["status"] != "ok").tolist() == [True, True, False]
