"""What people write in consent, opt-out and country columns (answers.csv and country_names.csv)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from one_sheet import phones
from tiers import draws, only_deep
from vector_files import vectors

import dashboard
from dashboard.contacts import ColumnMap, clean_contacts
from dashboard.contacts.words import lexicon

PRODUCT = Path(dashboard.__file__).parent
ANSWERS = vectors("answers.csv")
NAMES = [
    (line["country"], name) for line in vectors("country_names.csv") for name in line["names"].split("|")
]
NATIONAL = {"DE": "0151 23456789", "FR": "06 12 34 56 78", "US": "(201) 555-0223", "GB": "07400 123456"}


@pytest.mark.parametrize(("purpose", "verdict"), [("consents", "consent"), ("opt_outs", "opt_out")])
def test_an_answer_in_a_consent_column_and_in_an_opt_out_column(purpose: str, verdict: str) -> None:
    found = verdicts(purpose, [case["answer"] for case in ANSWERS])
    assert found.to_dict() == {case["answer"]: case[verdict] for case in ANSWERS}


BESIDE = ["{} - {}", "{} ({})", "{}, {}", "{} [{}]", "{} {}", "{}: {}", "{} / {}", "{} {{{}}}", "{}; {}"]
BESIDE += ["{}\n{}"]
UNKNOWN = ["email only", "e-mail", "calls", "until 2023", "post", "deceased", "wants out", "but not sms"]
UNKNOWN += ["ask Ann", "changed mind", "see notes", "?", "2031-05-01", "99", "zork", "nur Post"]
UNKNOWN += ["uniquement par mail", "кроме смс"]
KNOWN = ["web form", "2024-05-01", "01/05/2023 10:30", "via website", "3 May 2023", "at checkout", "online"]


def every_answer(beside: list[str], first: str) -> list[str]:
    """Every answer of the vectors that means `first` in both kinds of column, with every rest beside it."""
    answers = [case["answer"] for case in ANSWERS if (case["consent"], case["opt_out"]) == BARE[first]]
    alone = [answer for answer in answers if answer.isalnum()]
    return [how.format(answer, rest) for answer in alone for rest in beside for how in BESIDE]


BARE = {"yes": ("ok", "opted_out"), "no": ("opted_out", "ok")}


def verdicts(purpose: str, answers: list[str]) -> pd.Series:
    frame = pd.DataFrame({"phone": phones(len(answers)), "said": answers})
    columns = ColumnMap(phones=("phone",), **{purpose: ("said",)})
    rows = clean_contacts(frame, country="GB", columns=columns).rows
    return rows["status"].astype("str").set_axis(answers)


@pytest.mark.parametrize(("purpose", "answer"), [("consents", "yes"), ("opt_outs", "no")])
@pytest.mark.parametrize("step", [17, *only_deep(1)])
def test_an_answer_lets_nobody_through_with_something_unknown_beside_it(
    purpose: str, answer: str, step: int
) -> None:
    found = verdicts(purpose, every_answer(UNKNOWN, answer)[::step])
    assert len(found) > 1_000 / step
    assert found[~found.isin(["review", "opted_out"])].empty


@pytest.mark.parametrize(("purpose", "answer"), [("consents", "yes"), ("opt_outs", "no")])
def test_when_and_where_an_answer_was_given_changes_nothing(purpose: str, answer: str) -> None:
    spaced = [text for text in every_answer(KNOWN, answer) if "\n" not in text and text.isascii()]
    found = verdicts(purpose, spaced[:: draws(1, 5)])
    assert found[found != "ok"].empty


def test_the_country_of_a_row_however_it_is_written() -> None:
    frame = pd.DataFrame([(NATIONAL[country], name) for country, name in NAMES], columns=["phone", "country"])
    columns = ColumnMap(phones=("phone",), country="country")
    rows = clean_contacts(frame, country="IT", columns=columns).rows
    assert rows["country"].tolist() == [country for country, _ in NAMES]
    assert set(rows["status"]) <= {"ok", "duplicate"}


def test_a_day_in_a_column_of_withdrawals_that_was_chosen_is_no_yes() -> None:
    columns = ColumnMap(phones=("phone",), consents=("Consent withdrawn date",))
    frame = pd.DataFrame({"phone": phones(1), "Consent withdrawn date": "2024-05-01"})
    assert clean_contacts(frame, country="GB", columns=columns).rows["status"].tolist() == ["review"]


def test_every_list_of_words_is_read_by_something() -> None:
    sources = "".join(path.read_text("utf-8") for path in PRODUCT.rglob("*.py"))
    assert [name for name in lexicon._raw("words.json") if f'"{name}"' not in sources] == []


TEXTS = ["sms", "SMS", "text", "Text message", "SMS marketing", "смс", "短信", "sms_marketing"]
OTHERS = ["email", "E-Mail", "Email marketing", "push", "WhatsApp", "Post", "Direct mail", "calls", "почта"]
LISTED = ["{}, {}", '["{}", "{}"]', "['{}', '{}']", "{};{}", "{} | {}", "{{{},{}}}", "{}\n{}", "{} and {}"]


@pytest.mark.parametrize("column", ["SMS consent", *only_deep("Consent", "Marketing consent", "Opt-in")])
def test_a_list_of_channels_agrees_to_texts_where_they_are_among_them(column: str) -> None:
    alone = ["{}", '["{}"]', "['{}']", " {} ", "[{}]", "{} only"]
    texts = [form.format(text) for form in alone for text in TEXTS]
    texts += [form.format(*pair) for form in LISTED for pair in zip(OTHERS, TEXTS, strict=False)]
    others = [form.format(other) for form in alone for other in OTHERS]
    others += [form.format(*pair) for form in LISTED for pair in pairwise(OTHERS)]
    unclear = ["", "[]", "sms?", "SMS ✗", "sms: 0", "sms, Ann", "email: yes", "not sms", "sms 2031"]
    expected = dict.fromkeys(texts, ("ok", "")) | dict.fromkeys(others, ("review", "other_channel_preferred"))
    cells = [*expected, *unclear]
    frame = pd.DataFrame({"phone": phones(len(cells)), column: cells})
    rows = clean_contacts(frame, country="GB").rows
    found = list(zip(rows["status"], rows["problem"].astype("object").fillna(""), strict=True))
    assert dict(zip(cells, found[: len(expected)], strict=False)) == expected
    assert {status for status, _ in found[len(expected) :]} <= {"review", "opted_out"}
