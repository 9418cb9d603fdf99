"""Whoever refuses in any cell of any column is not texted, and nobody is for words that only look like it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from each import each
from one_sheet import phones, statuses_in_one_sheet
from tiers import only_deep
from vector_files import vectors

from dashboard.contacts import clean_contacts, correct_phones
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.refusal import Refusal, refusal_in

DATA = Path(__file__).parents[3] / "data"
COLUMNS = [
    *("Notes", "Comments", "Remarks", "Tags", "Labels", "Groups", "List", "Segment", "Type", "Category"),
    *("Contact type", "Language", "Bemerkung", "Remarques", "Observaciones", "Note", "Uwagi", "Примечание"),
    *("备注", "メモ", "Full name", "City", "column 7", "x", "Anrede", "Company", "Source", "Last campaign"),
]
EVERY = [line["remark"] for line in vectors("refusing_remarks.csv")]
ALONE = ["{}", "{}!", " {} ", "({})", "**{}**", "VIP; {}", "{}, Newsletter", "VIP | {} | 2019"]
ALONE += ["{} 2026-01-05", "Ann Example ({})", "{} - {}", "VIP\n{}", "[{}]", "# {}", '"{}"']
AMONG = ["zork {} zork", "she said {} blorp", "{} perhaps zork"]


def statuses(column: str, cells: list[str]) -> pd.Series:
    rows = clean_contacts(pd.DataFrame({"Mobile": phones(len(cells)), column: cells}), country="GB").rows
    return rows["status"].astype("str").set_axis(cells)


def spelled(phrases: list[str], forms: list[str]) -> list[str]:
    cased = [str, str.upper, str.lower, str.title]
    found = [
        form.format(case(phrase), case(phrase)) for phrase in phrases for form in forms for case in cased
    ]
    return list(dict.fromkeys(text for text in found if "DONOTTEXT" not in text.upper() or "Text" in text))


def test_a_cell_that_refuses_refuses_whatever_its_column_is_called() -> None:
    random = Random(1)  # noqa: S311
    texts = spelled(EVERY, ALONE)
    said = [(column, text) for column in COLUMNS for text in random.sample(texts, 15)]
    found = statuses_in_one_sheet(said)
    assert [one for one, status in zip(said, found, strict=True) if status != "opted_out"] == []


@pytest.mark.deep
@each("column", COLUMNS)
def test_a_cell_that_refuses_refuses_in_a_column_of_such_cells(column: str) -> None:
    random = Random(column)  # noqa: S311
    found = statuses(column, random.sample(spelled(EVERY, ALONE), 400))
    assert found[found != "opted_out"].empty


def test_every_phrase_refuses_in_every_spelling() -> None:
    found = statuses("Notes", spelled(EVERY, ALONE))
    assert found[found != "opted_out"].empty


def test_a_refusal_among_other_words_is_left_to_a_person() -> None:
    found = statuses("Notes", spelled(EVERY, AMONG))
    assert found[~found.isin(["review", "opted_out"])].empty


WRONG_NUMBERS = ["Wrong number", "falsche Nummer", "faux numéro", "número equivocado", "numero sbagliato"]
WRONG_NUMBERS += ["verkeerd nummer", "zły numer", "número errado", "numara hatali", "fel nummer", "空号"]
WRONG_NUMBERS += ["number out of service", "number belongs to her ex", "not her number", "wrong person"]
DATED = ["STOP le 12/03", "Stop am 3.4.2023", "STOP on 5 May 2023", "stop 12/03/24", "Stopp den 3/4"]
JOINED = [sign.join(["do", "not", "text"]) for sign in ("_", "-", ".", "  ", "\u00a0", " _ ", "", "/")]


def remarks() -> Iterator[tuple[str, list[str]]]:
    yield "opted_out", [*DATED, *JOINED, "doNotText"]
    yield "opted_out", sorted(words("refused", "refusal_alone") - {"blacklist*"})
    yield "review", spelled(WRONG_NUMBERS, ["{}", "{}!!", "VIP; {}", "{} 2026-01-05", "called, {}"])
    yield "review", ["wrong-number", "VIP,wrong_number"]  # else a stranger is texted
    yield (
        "review",
        ["customer sent SMS STOP", "Inbound SMS STOP 2024-05-01", "Response: STOP"],
    )
    yield (
        "review",
        ["prefers that we did not text", "nicht angeschrieben werden", "Opt out: txt STOP"],
    )
    yield "ok", ["wrong size", "number of guests: 3", "changed her name", "Bus stop on 5th", "stop at 5"]
    yield "ok", ["Stop in London on 12/03"]


@each("status, texts", remarks())
def test_a_remark_is_heard_as_it_is_meant(status: str, texts: list[str]) -> None:
    found = statuses("Notes", texts)
    assert found[found != status].empty


def test_a_word_for_texts_and_any_that_negates_it_are_asked_about_in_a_long_column() -> None:
    short = ["dont", "Don't", "wouldnt", "WON\u2019T", "can t", "doesnt"]
    things = ["SMS", "kontakt", "смс"]
    texts = [f"zork {no} blorp {thing}" for no in [*short, *sorted(words("header_not"))] for thing in things]
    found = statuses("Notes", [*texts, *(f"contact {number}" for number in range(100))])
    assert found[found == "ok"].index.str.startswith("contact").sum() == 100
    assert set(found[texts]) == {"review"}


@pytest.mark.parametrize("part", ["a.", *only_deep("a@", "stop ", "a", "www.", "/a")])
def test_an_endless_cell_is_heard_at_once(part: str) -> None:
    """A search that looks from every letter to the end never came back from these."""
    assert refusal_in(part * 16_000 + " unsubscribe") is not Refusal.NONE


NUMBER_FORMS = ["{number} {words}", "{words} {number}", "{number}\n{words}"]
BESIDE = ["(do not text)", "(no sms)", "STOP", "- keine SMS", "désabonné", "退订"]


def test_a_refusal_beside_the_number_reaches_that_number_everywhere() -> None:
    said = [(form, beside) for form in NUMBER_FORMS for beside in BESIDE]
    pairs = zip(said, phones(len(said)), strict=True)
    cells = [
        cell for (form, words), number in pairs for cell in (form.format(number=number, words=words), number)
    ]
    rows = clean_contacts(pd.DataFrame({"phone": [*cells, "07400 123457"]}), country="GB").rows
    assert rows["status"].tolist() == ["opted_out"] * len(cells) + ["ok"]


QUESTIONS = ["SMS", "Text messages", "texts", "SMS consent", "Accepts SMS marketing", "opt-in", "Marketing"]
QUESTIONS += ["May we text you", "ok to text", "Subscribed", "Einwilligung", "consentement SMS", "смс"]
QUESTIONS += ["短信", "acepta SMS", "zgoda SMS", "SMS/email", "accepts_sms", "smsConsent", "SMS izni"]
QUESTIONS += ["toestemming"]
NOES = ["no", "No.", "NO", "n", "false", "off", "never", "nein", "non", "não", "nee", "nie", "hay\u0131r"]
NOES += ["нет", "ні", "nej", "ei", "nem", "ne", "nu", "όχι", "לא", "لا", "नहीं", "ไม่", "tidak", "không", "否"]
NOES += ["いいえ", "아니요", "no thanks", "revoked", "withdrawn", "❌", "✗", "disabled"]
SIGNS = ["{}: {}", "{}={}", "{} = {}", "{} - {}", "{}? {}", "{} ({})", "{} : {}", "{} – {}"]
OTHER_QUESTIONS = ["Gluten", "Newsletter", "E-mail", "Email consent", "VIP", "Paid", "Photo consent"]
OTHER_QUESTIONS += ["SMS sent", "Smoker", "Messages received", "Order", "Invoice", "Parking", "Opt-out"]
OTHER_QUESTIONS += ["Unsubscribed", "DNC"]


@pytest.mark.parametrize("step", [37, *only_deep(1)])
def test_a_question_about_texts_and_a_no_are_a_refusal_in_any_language(step: int) -> None:
    forms = [*SIGNS, *(f"VIP, {sign}" for sign in SIGNS), *(f"{sign}; Hull" for sign in SIGNS)]
    texts = [form.format(ask, no) for form in forms for ask in QUESTIONS for no in NOES][::step]
    found = statuses("Notes", texts)
    assert found[found != "opted_out"].empty


@pytest.mark.parametrize("step", [11, *only_deep(1)])
def test_other_questions_and_other_answers_refuse_nobody(step: int) -> None:
    texts = [sign.format(ask, no) for sign in SIGNS for ask in OTHER_QUESTIONS for no in NOES[:-6]][::step]
    yes = ("yes", "ja", "oui", "true", "да", "sí", "是", "ok", "weekly", "Ann")
    texts += [sign.format(ask, word) for sign in SIGNS for ask in QUESTIONS for word in yes][::step]
    found = statuses("Notes", texts)
    assert found[found == "opted_out"].empty
    about_refusing = found.index.str.contains("Opt-out|Unsub|DNC|SMS sent|Messages received")
    assert found[(found != "ok") & ~about_refusing].empty


WANTS = ["do not want", "don't want", "doesnt want", "no longer wants", "declined", "does not accept"]
WANTS += ["objects to", "is not interested in", "no permission for", "hates", "rejects", "opted out of"]
SMALL = ["", "any ", "any more ", "to get ", "to receive any of our ", "the "]
TEXTS = ["texts", "SMS", "messages", "text messages", "marketing", "msgs"]


@pytest.mark.parametrize("form", ["{}", "VIP; {}", *only_deep("she {}", "{} please", "{} 2026-01-05")])
def test_what_begins_a_refusal_and_names_texts_refuses_whatever_is_between(form: str) -> None:
    texts = [form.format(f"{wants} {small}{what}") for wants in WANTS for small in SMALL for what in TEXTS]
    found = statuses("Notes", texts)
    assert found[found != "opted_out"].empty
    others = [form.format(f"{wants} {small}cake") for wants in WANTS[:-1] for small in SMALL]
    found = statuses("Notes", others)
    assert found[found != "ok"].empty


NAMES = ["Ann", "Robinson", "Müller", "Stop & Shop", "Bus stop lane", "O'Brien", "Nix", "王小明", "Иван"]
NAMES += ["Łukasz"]
PLACES = ["Hull", "Stopford Road 3", "Baja California", "Dodge City", "1 Optical Way", "Contact House"]
PLACES += ["Nonthaburi"]
THINGS = [
    *("asked for an invoice", "prefers mornings", "no onions", "not in on Mondays", "contact again in May"),
    *("Reply STOP to opt out", "sends 3 orders a year", "called about the list", "Kundin seit 2019", "VIP"),
    *("texted back yes", "removed the old address", "blocked drain", "cancelled order 7"),
]


@pytest.mark.parametrize("many", [3_000, *only_deep(20_000)])
def test_ordinary_names_places_and_notes_and_the_sample_data_refuse_nothing(many: int) -> None:
    random = Random(3)  # noqa: S311
    pools = (NAMES, PLACES, THINGS)
    ordinary = [" ".join(random.choice(pool) for pool in random.sample(pools, 2)) for _ in range(many)]
    ordinary += [text for pool in pools for text in pool]
    sample = pd.read_csv(DATA / "contacts.csv", dtype="str", keep_default_na=False)
    ordinary += [text for name in sample if "opt out" not in name for text in sample[name]]
    found = statuses("Notes", list(dict.fromkeys(ordinary)))
    is_asked = found.index.str.contains("Contact House") & found.index.str.contains("not in")
    assert found[(found != "ok") & ~is_asked].empty
    assert set(found[is_asked]) == {"review"}


def test_an_opt_out_column_of_numbers_refuses_these_and_its_rows() -> None:
    sheet = pd.DataFrame(
        {
            "phone": ["07400 123456", "07400 223457", "07400 323458", "07400 423459", "07400 523451"],
            "opted out": ["07400 223457", "", "+447400323458 ", "", "no"],
        }
    )
    rows = clean_contacts(sheet, country="GB").rows
    assert rows["status"].tolist() == ["opted_out", "opted_out", "opted_out", "ok", "ok"]


OWN = ["Fax", "Old mobile", "Reference", "Landline", "Mobile 2", "Work phone", "Customer's phone", "x"]
OF_OTHERS = ["Emergency contact phone", "Assistant phone", "Mother's mobile", "Next of kin", "Nanny mobile"]
OF_OTHERS += ["Contact Person 2 mobile", "Notfallkontakt Telefon", "Téléphone de la mère", "紧急联系人电话"]


def beside_refusers(columns: list[str]) -> list[list[str]]:
    """For each column the problems of a refuser who has somebody's number in it, and of whose it is; at the
    end that of somebody else."""
    people = phones(2 * len(columns) + 1)
    frame = pd.DataFrame("", index=range(len(people)), columns=["Mobile", *columns, "opted out"], dtype="str")
    frame["Mobile"] = people
    for place, column in enumerate(columns):
        frame.loc[2 * place, [column, "opted out"]] = [people[2 * place + 1].replace("+44", "0044 "), "yes"]
    problems = clean_contacts(frame, country="GB").rows["problem"].astype("object").fillna("").tolist()
    return [problems[place : place + 2] for place in range(0, len(people), 2)]


def test_a_refusal_reaches_the_other_numbers_of_its_row_and_asks_about_those_of_somebody_else() -> None:
    assert beside_refusers(OWN) == [["opted_out", "opted_out"]] * len(OWN) + [[""]]
    assert beside_refusers(OF_OTHERS) == [["opted_out", "beside_refuser"]] * len(OF_OTHERS) + [[""]]


def test_a_number_below_the_name_of_somebody_else_is_theirs_and_they_may_refuse_as_well() -> None:
    lines = [
        ("07400 123456", "Bob", "0044 7400 223457", "yes", "opted_out"),
        ("07400 223457", "", "", "", "review"),
        ("07400 323458", "Cy", "07400 423459", "yes", "opted_out"),
        ("07400 423459", "", "", "yes", "opted_out"),
        ("07400 423459", "", "", "", "opted_out"),
    ]
    frame = pd.DataFrame(lines, columns=["Mobile", "Next of kin", "Mobile#2", "opted out", "expected"])
    found = clean_contacts(frame.drop(columns="expected"), country="GB").rows["status"]
    assert found.tolist() == frame["expected"].tolist()


def test_a_refusal_without_a_number_is_told() -> None:
    sheet = pd.DataFrame(
        {
            "Name": ["Ann", "Bob", "Cy", "Dee", "Eve", "Do not text:", "Flo", "Hal", "Gus"],
            "Mobile": ["07400 12", "", "07400 323458", "n/a", "", "", "07400 423459", "call him", ""],
            "Fax": ["", "", "", "020 7946 0991", "", "", "", "", ""],
            "Notes": ["do not text", "STOP", "DNC", "no SMS", "VIP", "", "", "VIP", ""],
        }
    )
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.unreached == len(["Ann", "Bob", "Hal", "Gus"])
    assert contacts.notes == (
        "4 rows refuse texts but have no readable number. Check whether these people are in the list under "
        "another number.",
    )
    assert correct_phones(contacts, {2: "07400 523451", 3: "07400 523452"}).unreached == len(["Hal", "Gus"])
    assert clean_contacts(sheet[4:5], country="GB").notes == ()
