"""Columns that may refuse, or speak against a number: nobody with a yes or a date there is texted unasked."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from each import each
from tiers import only_deep
from vector_files import vectors

from dashboard.contacts import clean_contacts, guess_columns

PHONES = ["07400 123456", "07400 223457", "07400 323458"]
CASES = vectors("doubted_headers.csv")
YES = ["yes", "x", "1", "TRUE", "Ja", "oui", "✓", "2024-05-01", "01/05/24", "May 1, 2024"]
YES += ["2024-05-01T10:00:00Z"]


def cleaned(columns: dict[str, list[str]]) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))
    phones = [f"07400 {place * 137 + 100_000}" for place in range(rows)]
    return clean_contacts(pd.DataFrame({"Mobile": phones, **columns}), country="GB").rows


@pytest.mark.parametrize("other", ["", *only_deep("no")])
@pytest.mark.parametrize("first", [0, *only_deep(*range(1, len(YES)))])
def test_a_yes_or_a_date_below_such_a_header_is_never_ok(first: int, other: str) -> None:
    """A sheet with all of these columns, and a row for each of them; each column says yes in its own way."""
    cases = [case for case in CASES if case["kind"] != "questions"]
    headers = [form for case in cases for form in (case["header"], case["header"].replace(" ", "_"))]
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


@each("header", ["Removal request", "Requested removal", "Delete requests", "Withdrawal asked"])
def test_a_yes_among_other_words_below_a_request_to_leave_is_asked(header: str) -> None:
    assert cleaned({header: ["yes - by phone", "", ""]})["status"].tolist() == ["review", "ok", "ok"]


PREFERENCES = {
    "ok": ["SMS or e-mail", "SMS preferred", "lieber SMS", "text please", "either text or call"],
    "review": ["anything but SMS", "SMS only in emergencies", "only text if urgent", "SMS as a last resort"],
}


@each("status", PREFERENCES)
def test_a_preference_that_names_texts_among_words_that_may_turn_it_is_asked(status: str) -> None:
    found = cleaned({"Preferred contact method": ["Email", *PREFERENCES[status]]})["status"]
    assert set(found[1:]) == {status}


CHANNELS = ["Channels", "Channel", "Allowed channels", "Marketing", "Notifications", "Notify by", "Kanäle"]
CHANNELS += ["Canaux", "Subscriptions", "Preferred channel"]
CONSENTED = ["Contact by", "Consented channels", "SMS subscription"]
WAYS = ['["email", "push"]', "email", "E-mail, post", "WhatsApp"]


def of_channels(header: str, ways: str) -> pd.DataFrame:
    return pd.DataFrame({"Mobile": PHONES, header: [ways, f"SMS, {ways}", "SMS"]})


@each("ways", WAYS)
def test_a_list_of_channels_is_known_as_one(ways: str) -> None:
    for header in CHANNELS:
        assert guess_columns(of_channels(header, ways)).preferences == (header,)
    for header in CONSENTED:
        assert guess_columns(of_channels(header, ways)).consents == (header,)


@pytest.mark.parametrize("header", [CHANNELS[0], CONSENTED[0], *only_deep(*CHANNELS[1:], *CONSENTED[1:])])
def test_a_list_of_channels_without_texts_is_a_question(header: str) -> None:
    contacts = clean_contacts(of_channels(header, WAYS[0]), country="GB")
    problems = contacts.rows["problem"].astype("object").fillna("").tolist()
    assert problems == ["other_channel_preferred", "", ""]
    assert contacts.reasons()[0].endswith(f"Look in “{header}”.")


@each(
    "header, cells",
    [
        ("SMS consent", ["perhaps", "yes", "yes"]),
        ("Opted out", ["no, see notes", "no", "no"]),
        ("SMS status", ["opt-in pending", "subscribed", "subscribed"]),
        ("SMS consent", ["email", "yes", "yes"]),
        ("Preferred channel", ["e-mail", "SMS", "any"]),
        ("Refused", ["x", "", ""]),
        ("Wrong number", ["1", "", ""]),
    ],
)
def test_the_reason_of_an_unclear_answer_names_its_column(header: str, cells: list[str]) -> None:
    frame = pd.DataFrame({"Name": ["Ann", "Bob", "Cy"], "Mobile": PHONES, header: cells})
    contacts = clean_contacts(frame, country="GB")
    assert contacts.rows["status"].tolist()[0] == "review"
    assert contacts.reasons()[0].endswith(f"Look in “{header}”.")
    assert pd.isna(contacts.reasons()[2])


NEWSLETTER = [["yes", "no", ""], ["subscribed", "unsubscribed", ""], ["2024-05-01", "0", ""]]


@each("header", ["Newsletter", "newsletterOptIn", "Newsletter-Einwilligung", "Boletín", "メルマガ"])
@each("cells", NEWSLETTER)
def test_a_newsletter_is_known_as_one(header: str, cells: list[str]) -> None:
    assert guess_columns(pd.DataFrame({"Mobile": PHONES, header: cells})).other_channels == (header,)


@each("cells", NEWSLETTER)
def test_a_newsletter_alone_is_a_question(cells: list[str]) -> None:
    contacts = clean_contacts(pd.DataFrame({"Mobile": PHONES, "Boletín": cells}), country="GB")
    assert contacts.rows["problem"].astype("object").tolist()[:2] == ["newsletter_only"] * 2
    assert contacts.rows["status"].tolist() == ["review", "review", "ok"]
    assert "“Boletín”" in contacts.reasons()[0]
    assert len(contacts.approve([2]).sendable) == 2


@each("beside, answer", [("SMS consent", "yes"), ("Unsubscribed", "no"), ("Do not text", "no")])
def test_a_newsletter_beside_what_is_about_texts_is_no_question(beside: str, answer: str) -> None:
    frame = pd.DataFrame({"Mobile": PHONES, "Newsletter": ["yes", "no", ""], beside: answer})
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
