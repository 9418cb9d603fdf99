"""Columns that may refuse, or speak against a number: nobody with a yes or a date there is texted unasked."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from one_sheet import asks_everybody, statuses_in_one_sheet
from tiers import draws, only_deep

from dashboard.contacts import clean_contacts, clean_csv_stream, guess_columns

VECTORS = Path(__file__).parents[2] / "vectors"
PHONES = ["07400 123456", "07400 223457", "07400 323458"]
with (VECTORS / "doubted_headers.csv").open(encoding="utf-8", newline="") as lines:
    CASES = list(csv.DictReader(lines))
YES = [
    "yes",
    "x",
    "1",
    "TRUE",
    "Ja",
    "oui",
    "✓",
    "2024-05-01",
    "01/05/24",
    "May 1, 2024",
    "2024-05-01T10:00:00Z",
]
NO = ["", "no", "0", "FALSE", "nein", "0.0"]


def cleaned(columns: dict[str, list[str]]) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    phones = [f"07400 {place * 137 + 100_000}" for place in range(rows)]
    return clean_contacts(pd.DataFrame({"Mobile": phones, **columns}), country="GB").rows


@pytest.mark.parametrize("other", ["", *only_deep("no")])
@pytest.mark.parametrize("first", [0, *only_deep(*range(1, len(YES)))])
def test_a_yes_or_a_date_below_such_a_header_is_never_ok(first: int, other: str) -> None:
    """A sheet with all of these columns, and a row for each of them; each column says yes in its own way."""
    headers = [form for case in CASES for form in (case["header"], case["header"].replace(" ", "_"))]
    headers = list(dict.fromkeys(headers))
    said = {header: YES[(first + place) % len(YES)] for place, header in enumerate(headers)}
    cells = {
        header: [yes if header == own else other for own in [*headers, ""]] for header, yes in said.items()
    }
    rows = cleaned(cells)
    passed = [header for header, status in zip(headers, rows["status"], strict=False) if status == "ok"]
    assert passed == []
    assert rows["status"].iloc[-1] == "ok"
    wrong = {case["header"] for case in CASES if case["kind"] == "wrong_numbers"}
    problems = {problem for header, problem in zip(headers, rows["problem"], strict=False) if header in wrong}
    assert problems == {"number_doubted"}, "no refusal"


@settings(max_examples=draws(20, 3), deadline=None)
@given(st.data())
def test_the_stream_asks_as_the_sheet_does(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    case = data.draw(st.sampled_from(CASES))
    cells = [data.draw(st.sampled_from([*YES, *NO, "by phone"])) for _ in PHONES]
    frame = pd.DataFrame({"Mobile": PHONES, case["header"]: cells})
    folder = tmp_path_factory.mktemp("stream")
    frame.to_csv(folder / "list.csv", index=False)
    clean_csv_stream(folder / "list.csv", folder / "list.parquet", country="GB")
    streamed = pd.read_parquet(folder / "list.parquet")
    rows = clean_contacts(frame, country="GB").rows
    assert streamed["status"].astype("str").tolist() == rows["status"].astype("str").tolist()
    assert (
        streamed["problem"].astype("object").fillna("").tolist()
        == rows["problem"].astype("object").fillna("").tolist()
    )


WHAT_CELLS_DO = [
    ("Refused", "by phone", "review"),
    ("Refused delivery", "3 parcels", "review"),
    ("Removed stitches", "by Ann", "review"),
    ("Total withdrawals", "200", "ok"),
    ("Removal company", "Acme", "ok"),
    ("Not refused", "yes", "ok"),
    ("Order refused", "yes", "ok"),
    ("Email bounced", "yes", "ok"),
    ("Cancelled at", "2024-05-01 10:00", "ok"),
    ("Past no-shows", "1", "ok"),
    ("Wrong number", "07400 923456", "ok"),
    ("Left", "2.5", "ok"),
    ("VIP", "yes", "ok"),
    ("Created", "2024-05-01 10:00", "ok"),
    ("Notes", "Refused delivery: 3 parcels", "ok"),
    ("Room DND", "yes", "review"),
    ("DND", "yes", "opted_out"),
    ("Nix-registrerad", "ja", "opted_out"),
    ("REPEP", "sim", "opted_out"),
    ("không nhận tin", "có", "opted_out"),
    ("İYS", "RET", "opted_out"),
    ("İYS", "ONAY", "ok"),
    ("İzin durumu", "Ret", "opted_out"),
    ("אישור דיוור", "לא", "opted_out"),
    ("אישור דיוור", "כן", "ok"),
    ("Opt", "Out", "opted_out"),
    ("Opt", "O", "opted_out"),
    ("Opt", "In", "ok"),
    ("In/Out", "Out", "opted_out"),
    ("In/Out", "08:15", "ok"),
    ("Opt in / opt out", "in", "ok"),
    ("Opt in / opt out", "out", "opted_out"),
    ("Subscription", "cancelled", "review"),
    ("Subscription", "unsubscribed", "opted_out"),
    ("Subscription", "Gold", "ok"),
    ("Abo", "gekündigt", "review"),
    ("Sales channel", "email", "ok"),
    ("Channel", "Facebook ads", "ok"),
]


def cases_by_sheet() -> Iterator[list[tuple[str, str, str]]]:
    """Cases that share a sheet, one for each header, and those that need one of their own."""
    sharing = {case[0]: case for case in WHAT_CELLS_DO if not asks_everybody(case[0], [case[1]])}.values()
    yield [*sharing]
    yield from ([case] for case in WHAT_CELLS_DO if case not in sharing)


@each("cases", cases_by_sheet())
def test_what_one_cell_does(cases: list[tuple[str, str, str]]) -> None:
    twice = [case for case in cases for _ in range(2)]
    found = statuses_in_one_sheet([(header, cell) for header, cell, _ in twice])
    assert [(case, status) for case, status in zip(twice, found, strict=True) if status != case[2]] == []


@pytest.mark.deep
@each("header, cell, status", WHAT_CELLS_DO)
def test_what_one_cell_does_alone(header: str, cell: str, status: str) -> None:
    assert cleaned({header: [cell, cell, ""]})["status"].tolist()[:2] == [status] * 2


CHANNELS = [
    "Channels",
    "Channel",
    "Allowed channels",
    "Marketing",
    "Notifications",
    "Notify by",
    "Contact by",
]
CHANNELS += [
    "Subscriptions",
    "Preferred channel",
    "Consented channels",
    "SMS subscription",
    "Kanäle",
    "Canaux",
]
WAYS = ['["email", "push"]', "email", "E-mail, post", "WhatsApp"]


@pytest.mark.parametrize("ways", [WAYS[0], *only_deep(*WAYS[1:])])
@each("header", CHANNELS)
def test_a_list_of_channels_without_texts_is_a_question(header: str, ways: str) -> None:
    contacts = clean_contacts(of_channels(header, ways), country="GB")
    assert contacts.rows["problem"].astype("object").fillna("").tolist() == [
        "other_channel_preferred",
        "",
        "",
    ]
    assert contacts.reasons()[0].endswith(f"Look in “{header}”.")


def of_channels(header: str, ways: str) -> pd.DataFrame:
    return pd.DataFrame({"Mobile": PHONES, header: [ways, f"SMS, {ways}", "SMS"]})


@pytest.mark.parametrize("ways", [WAYS[0], *only_deep(*WAYS[1:])])
@pytest.mark.parametrize("header", [CHANNELS[0], *only_deep(*CHANNELS[1:])])
def test_a_list_of_channels_in_a_big_file_is_a_question(tmp_path: Path, header: str, ways: str) -> None:
    of_channels(header, ways).to_csv(tmp_path / "list.csv", index=False)
    clean_csv_stream(tmp_path / "list.csv", tmp_path / "list.parquet", country="GB")
    streamed = pd.read_parquet(tmp_path / "list.parquet")
    assert streamed["status"].astype("str").tolist() == ["review", "ok", "ok"]


def test_answers_and_dates_that_are_read_as_nothing_are_named() -> None:
    columns = {
        "VIP": ["yes", "no", ""],
        "Signed up": ["1 May 2024", "2024-05-01", ""],
        "Town": ["Hull", "", "Leeds"],
    }
    found = guess_columns(pd.DataFrame({"Mobile": PHONES, **columns}))
    assert found.unread == ("VIP", "Signed up")
    beside = {"Consent": ["yes", "no", "yes"], "Consent date": ["2024-05-01", "", "2024-05-01"]}
    found = guess_columns(pd.DataFrame({"Mobile": PHONES, **beside}))
    assert (found.unread, found.statuses) == ((), ("Consent date",)), "a no in it refuses"


def test_every_yes_or_date_is_taken_for_something_or_named() -> None:
    """Whatever the header: either it counts, or a person is told that it does not."""
    for header in ("Zork", "Blorp on", "Flag 3", "Grunf", "Отзвук", "予約", "x"):
        for cells in (["yes", "no", ""], ["2024-05-01", "", ""], ["1", "0", "1"]):
            found = guess_columns(pd.DataFrame({"Mobile": PHONES, header: cells}))
            assert header in {*found.columns, *found.unread, *found.other_channels}, (header, cells)


def test_the_reason_names_the_column() -> None:
    frame = pd.DataFrame({"Mobile": PHONES, "Refused": ["x", "", ""], "Wrong number": ["", "1", ""]})
    reasons = clean_contacts(frame, country="GB").reasons()
    assert reasons[0].endswith("Look in “Refused”.")
    assert reasons[1].endswith("Look in “Wrong number”.")
    assert pd.isna(reasons[2])


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("SMS consent", ["perhaps", "yes", "yes"]),
        ("Opted out", ["no, see notes", "no", "no"]),
        ("SMS status", ["opt-in pending", "subscribed", "subscribed"]),
        ("SMS consent", ["email", "yes", "yes"]),
        ("Preferred channel", ["e-mail", "SMS", "any"]),
    ],
)
def test_the_reason_of_an_unclear_answer_names_its_column(header: str, cells: list[str]) -> None:
    frame = pd.DataFrame({"Name": ["Ann", "Bob", "Cy"], "Mobile": PHONES, header: cells})
    contacts = clean_contacts(frame, country="GB")
    assert contacts.rows["status"].tolist()[0] == "review"
    assert contacts.reasons()[0].endswith(f"Look in “{header}”.")


NEWSLETTER = [["yes", "no", ""], ["subscribed", "unsubscribed", ""], ["2024-05-01", "0", ""]]


@pytest.mark.parametrize("first", [0, *only_deep(1, 2)])
@each(
    "place, header",
    enumerate(["Newsletter", "newsletterOptIn", "Newsletter-Einwilligung", "Boletín", "メルマガ"]),
)
def test_a_newsletter_alone_is_a_question(place: int, header: str, first: int) -> None:
    cells = NEWSLETTER[(first + place) % len(NEWSLETTER)]
    contacts = clean_contacts(pd.DataFrame({"Mobile": PHONES, header: cells}), country="GB")
    assert contacts.rows["problem"].astype("object").tolist()[:2] == ["newsletter_only"] * 2
    assert contacts.rows["status"].tolist() == ["review", "review", "ok"]
    assert f"“{header}”" in contacts.reasons()[0]
    assert len(contacts.approve([2]).sendable) == 2


@pytest.mark.parametrize("beside", ["SMS consent", "Unsubscribed", "Do not text"])
def test_a_newsletter_beside_what_is_about_texts_is_no_question(beside: str) -> None:
    answer = "yes" if beside == "SMS consent" else "no"
    frame = pd.DataFrame({"Mobile": PHONES, "Newsletter": ["yes", "no", ""], beside: [answer] * 3})
    assert clean_contacts(frame, country="GB").rows["status"].tolist() == ["ok"] * 3


def test_a_newsletter_chosen_as_consent_answers_the_question() -> None:
    frame = pd.DataFrame({"Mobile": PHONES, "Newsletter": ["yes", "no", "yes"]})
    columns = replace(guess_columns(frame), consents=("Newsletter",))
    rows = clean_contacts(frame, country="GB", columns=columns).rows
    assert rows["status"].tolist() == ["ok", "opted_out", "ok"]


def test_the_reason_names_the_phone_column_if_there_are_several_and_the_country_column() -> None:
    frame = pd.DataFrame({"Mobile": ["", "07400 1"], "Phone": ["07400 12", ""], "Country": ["GB", "FR"]})
    contacts = clean_contacts(frame, country="GB")
    reasons = contacts.reasons()
    assert "column “Phone”" in reasons[0]
    assert "column “Mobile”" in reasons[1]
    abroad = pd.DataFrame({"Mobile": ["+447400123456", "415-555-2671"], "Country": ["GB", "GB"]})
    contacts = clean_contacts(abroad, country="US")
    assert contacts.rows["problem"][1] == "other_country"
    assert contacts.reasons()[1].endswith("The country is from the column “Country”.")
