"""Headers however they are spelled: real programs' phones, refusals, other people's lines, and no phones."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pandas as pd
import pytest
from each import each
from header_forms import forms, programmed
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from one_sheet import asks_everybody, statuses_in_one_sheet
from tiers import draws, only_deep

from dashboard.contacts import ColumnMap, clean_contacts, guess_columns
from dashboard.contacts.vocabulary.known_words import spelling
from dashboard.contacts.vocabulary.known_words.lexicon import fields_of, lexicon, spellings
from dashboard.contacts.vocabulary.known_words.spelling import joined
from dashboard.contacts.vocabulary.known_words.title import read_title

VECTORS = Path(__file__).parents[2] / "vectors"
VOCABULARY = Path(spelling.__file__).parent
PHONES = ["07911 123456", "07911 123457", "07911 123458"]
WITHOUT_SIGN = ["4155552671", "4155552672", "4155552673"]
ANSWERS = ["yes", "x", "1", "TRUE"]
CELLS = {
    "yes and no": ["yes", "no", "yes"],
    "numbers": ["0.0", "1.0", "0.0"],
    "dates": ["2026-01-05", "", "2026-02-05 10:00"],
    "words": ["Yes (web)", "asked by Ann", "see notes"],
    "statuses": ["subscribed", "unsubscribed", "never subscribed"],
    "blank": ["", "", ""],
}


def vectors(file: str) -> list[dict[str, str]]:
    with (VECTORS / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


PHONE_HEADERS = vectors("phone_headers.csv")
CONSENT_HEADERS = vectors("consent_headers.csv")
NEVER_HEADERS = vectors("never_phone_headers.csv")
OFFERED_HEADERS = vectors("offered_phone_headers.csv")
ENDED_HEADERS = vectors("ended_consent_headers.csv")


def guess(**columns: list[str]) -> ColumnMap:
    return guess_columns(pd.DataFrame(columns))


def fields_with(found: ColumnMap, header: str) -> set[str]:
    """The fields, of those that hold many columns, that a column was taken for."""
    many = ("phones", "offered", "consents", "opt_outs", "statuses", "preferences", "other_channels")
    return {field for field in many if header in getattr(found, field)}


@pytest.mark.parametrize("first", [0, *only_deep(1)])
@each("place, case", enumerate(PHONE_HEADERS))
def test_a_phone_header_of_a_real_program(place: int, case: dict[str, str], first: int) -> None:
    cells = (PHONES, WITHOUT_SIGN)[(first + place) % 2]
    assert guess(**{case["header"]: cells}).phones == (case["header"],), cells


@pytest.mark.parametrize("first", [0, *only_deep(*range(1, len(CELLS)))])
@each("place, case", enumerate(CONSENT_HEADERS))
def test_a_header_of_consent_is_taken_whatever_its_cells(
    place: int, case: dict[str, str], first: int
) -> None:
    header, field = case["header"], case["field"]
    kind = list(CELLS)[(first + place) % len(CELLS)]
    found = fields_with(guess(Mobile=PHONES, **{header: CELLS[kind]}), header)
    is_bare = kind in {"yes and no", "numbers"}
    if header in {"Status", "Lead status"} and kind == "statuses":
        assert found == {"statuses"}, kind  # a status of anything: its cells tell
    elif field == "opt_outs" and is_bare and header.lower().endswith("status"):
        assert found == {"consents"}, kind  # "SMS status: no" is no consent
    else:
        assert found == ({field} if field else set()), kind


ENDED = [case["header"] for case in ENDED_HEADERS]


def sheets_of_ended() -> Iterator[list[str]]:
    """Headers that share a sheet, and those that need one of their own."""
    alone = [header for header in ENDED if asks_everybody(header, ANSWERS)]
    yield [header for header in ENDED if header not in alone]
    yield from ([header] for header in alone)


@each("headers", sheets_of_ended())
def test_nobody_is_texted_whose_consent_has_ended(headers: list[str]) -> None:
    said = [(header, answer) for header in headers for answer in ANSWERS]
    *ended, other = statuses_in_one_sheet([*said, (headers[0], "")])
    assert [
        one for one, status in zip(said, ended, strict=True) if status not in {"opted_out", "review"}
    ] == []
    assert (other == "ok") != asks_everybody(headers[0], ANSWERS)


@pytest.mark.deep
@each("header", ENDED)
@each("answer", ANSWERS)
def test_nobody_is_texted_whose_consent_has_ended_in_any_sheet(header: str, answer: str) -> None:
    sheet = pd.DataFrame({"Mobile": PHONES, header: [answer, "", ""]})
    assert clean_contacts(sheet, country="GB").rows["status"][0] in {"opted_out", "review"}


@given(word=st.text("abcdefghijklmnoprstuwyz", min_size=4, max_size=12))
@settings(max_examples=draws(50))
def test_an_unknown_word_after_consent_leaves_open_what_a_yes_means(word: str) -> None:
    """It may be the one for "ended" in a language that is not listed."""
    assume(read_title(f"Consent {word}").words == ("consent", word) and word not in lexicon())
    found = guess(Mobile=PHONES, **{f"Consent {word}": ["yes", "no", "yes"]})
    assert (found.consents, found.opt_outs) == ((f"Consent {word}",),) * 2


@pytest.mark.parametrize("first", [0, *only_deep(1)])
@each("place, case", enumerate(NEVER_HEADERS))
def test_a_header_that_names_something_else_is_never_a_phone(
    place: int, case: dict[str, str], first: int
) -> None:
    beside = ({}, {"Mobile": PHONES})[(first + place) % 2]
    found = guess(**beside, **{case["header"]: PHONES})
    assert not fields_with(found, case["header"]), beside
    assert found.phones == tuple(beside)


@pytest.mark.parametrize("cells", [PHONES, *only_deep(WITHOUT_SIGN)])
@each("case", OFFERED_HEADERS)
def test_a_line_that_may_be_somebody_elses_is_never_used_unasked(
    case: dict[str, str], cells: list[str]
) -> None:
    header = case["header"]
    alone, beside = guess(**{header: cells}), guess(**{header: cells}, Mobile=["", "", ""])
    assert (alone.phones, beside.phones) == ((), ("Mobile",))
    if cells is PHONES:  # without a sign of a phone in them, cells alone tell nothing
        assert header in alone.offered
        assert header in beside.offered


OWN = [case["header"] for case in PHONE_HEADERS] + [*spellings()["mobile"], *spellings()["phone"]]
LETTERS = st.text(st.characters(categories=["Ll", "Lu", "Lo"], max_codepoint=0x0E7F), min_size=2, max_size=12)
LISTS = json.loads((VOCABULARY / "words.json").read_text("utf-8"))
del LISTS["_note"]
KNOWN = {joined(part) for listed in LISTS.values() for phrase in listed for part in phrase.split()}
KNOWN |= {part for header in OWN for part in read_title(header).words}
STEMS = tuple(joined(word) for listed in LISTS.values() for word in listed if word.endswith("*"))
PEOPLE = ["zorkmid", "beekeeper", "falconer", "Zwirbel", "кузнец", "μελισσα", "خباز", "אופה"]
JOINED = ["{own} {word}", "{word} {own}", "{own} - {word}", "{word}.{own}", "{own} ({word})", "{word}_{own}"]
JOINED += ["{word}'s {own}", "{own}/{word}", "{own}: {word}", "[{word}] {own}", "{own} of the {word}"]


@settings(deadline=None, max_examples=draws(1_000))
@given(
    own=st.sampled_from(OWN),
    word=LETTERS | st.sampled_from(PEOPLE),
    joined_by=st.sampled_from(JOINED),
    cells=st.sampled_from([PHONES, WITHOUT_SIGN]),
)
def test_a_phone_header_with_any_unknown_word_is_never_used_unasked(
    own: str, word: str, joined_by: str, cells: list[str]
) -> None:
    parts = read_title(word).words
    assume(parts and not any(part in KNOWN or part.startswith(STEMS) for part in parts))
    header = joined_by.format(own=own, word=word)
    assert guess(**{header: cells}).phones == ()
    assert guess(**{header: cells}, Phone=["", "", ""]).phones == ("Phone",)


@pytest.mark.parametrize("field", spellings())
def test_every_header_of_the_vocabulary_in_every_form(field: str) -> None:
    """One test a field, not one a word: thousands of tests cost more than what they ask."""
    for written in spellings()[field]:
        for form in forms(written):
            assert fields_of(form) == fields_of(written), form
            assert field in {name for name, _ in read_title(form).fields}, form


@pytest.mark.deep
def test_every_refusal_of_the_vocabulary_in_every_form() -> None:
    for form in (form for written in spellings()["consent_out"] for form in forms(written)):
        for cells in (CELLS["numbers"], CELLS["words"]):
            assert fields_with(guess(Mobile=PHONES, **{form: cells}), form) == {"opt_outs"}, form


REFUSALS = [case["header"] for case in CONSENT_HEADERS if case["field"] in {"consents", "opt_outs"}]
NEVER = [case["header"] for case in NEVER_HEADERS]


@settings(deadline=None, max_examples=draws(300))
@given(st.data())
def test_refusals_and_what_is_no_phone_are_known_in_every_form(data: st.DataObject) -> None:
    refusal = data.draw(st.sampled_from(REFUSALS).flatmap(lambda h: st.sampled_from([h, *programmed(h)])))
    never = data.draw(st.sampled_from(NEVER).flatmap(lambda h: st.sampled_from([h, *programmed(h)])))
    number = data.draw(st.sampled_from(["", "_2", " 1", "#2"]))
    cells = data.draw(st.sampled_from(list(CELLS.values())))
    columns = {"Mobile": PHONES, refusal + number: cells, never + number: PHONES}
    order = data.draw(st.permutations(list(columns)))
    found = guess(**{name: columns[name] for name in order})
    assert fields_with(found, refusal + number) & {"consents", "opt_outs"}
    assert not fields_with(found, never + number) & {"phones", "offered"}
    assert found.phones == ("Mobile",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("McDonald", ("mc", "donald")),
        ("eMail", ("email",)),
        ("WhatsApp", ("whatsapp",)),
        ("iPhone", ("iphone",)),
        ("GSM1", ("gsm",)),
        ("Mobile2", ("mobile",)),
        ("SMSOptOut", ("sms", "opt", "out")),
        ("SMSopt-out", ("sms", "opt", "out")),
        ("hasagreedtosms", ("has", "agreed", "to", "sms")),
        ("donation", ("do", "nation")),
        ("เบอร์มือถือ2", ("เบอร์มือถือ",)),
        ("SMSですか", ("sms", "ですか")),
    ],
)
def test_words_are_parted(text: str, words: tuple[str, ...]) -> None:
    assert read_title(text).words == words


def test_one_word_however_it_is_parted() -> None:
    spelled = ["SmsOptOut", "sms_opt_out", "SMS OPT-OUT", "smsoptout", "SMSOptOut", "Sms.Opt.Out"]
    assert {joined(text) for text in spelled} == {"smsoptout"}


def test_a_column_known_by_its_cells_is_only_offered_beside_one_named_as_a_phone() -> None:
    contacts = {"Reference": PHONES, "Column 3": PHONES}
    assert guess(**contacts).phones == ("Column 3",)
    found = guess(**contacts, Phone=["", "", ""])
    assert (found.phones, found.offered) == (("Phone",), ("Column 3",))
    rows = clean_contacts(pd.DataFrame({"Phone": ["", *PHONES[1:]], "Ring": PHONES}), country="GB").rows
    assert rows["status"].tolist() == ["empty", "ok", "ok"]


def test_parents_are_offered_on_a_schools_list_and_beside_the_persons_own_line() -> None:
    pupils = {"Mother's mobile": PHONES, "Guardian phone": PHONES}
    found = guess(**pupils)
    assert (found.phones, set(found.offered)) == ((), set(pupils))
    found = guess(**pupils, Mobile=PHONES)
    assert (found.phones, set(found.offered)) == (("Mobile",), set(pupils))


@pytest.mark.parametrize("header", ["Ring", "Nanny", "Witness", "Zorkmid", "Anna"])
def test_what_is_known_by_its_cells_alone_is_only_offered_under_an_unknown_name(header: str) -> None:
    found = guess(**{header: PHONES})
    assert (found.phones, found.offered) == ((), (header,))


@each(
    "header, cells, field",
    [
        ("Phone verified", PHONES, "phones"),
        ("Phone verified", ["yes", "no", ""], None),
        ("Mobile (opted in)", PHONES, "phones"),
        ("Mobile (opted in)", ["yes", "no", ""], "consents"),
        ("Do not call number", PHONES, "opt_outs"),
        ("Landline (no texts)", PHONES, "offered"),
        ("Contact", PHONES, "phones"),
        ("Contact", ["Ann", "Bob", "Eve"], None),
        ("Opt in / opt out", ["in", "out", "in"], "both"),
        ("SMS", ["yes", "no", ""], "consents"),
        ("SMS zork", ["yes", "no", ""], "both"),
        ("SMS & Email", ["yes", "no", ""], "consents"),
        ("Email/SMS marketing", ["yes", "no", ""], "consents"),
        ("Marketing", ["yes", "no", ""], "consents"),
        ("Marketing", ["Spring", "Ann", "Bob"], None),
        ("sms_marketing_consent.opt_in_level", ["single_opt_in", "confirmed_opt_in", ""], None),
        ("SMS sent", ["yes", "no", ""], None),
        ("SendPromotionalTexts", ["true", "false", ""], "consents"),
        ("Send account texts", ["yes", "no", ""], "consents"),
        ("SMS Notification", ["yes", "no", ""], "consents"),
        ("SMS appointment reminders", ["yes", "no", ""], "consents"),
        ("Can we send you text messages?", ["yes", "no", ""], "consents"),
        ("Send zork texts", ["yes", "no", ""], "both"),
        ("Never send texts", ["yes", "no", ""], "opt_outs"),
        ("Do not send texts", ["yes", "no", ""], "opt_outs"),
        ("Stop sending texts", ["yes", "no", ""], "opt_outs"),
        ("Text send failed", ["yes", "no", ""], None),
        ("last_keyword_subscribed_to", ["JOIN", "VIP", ""], None),
        ("Consent to track", ["yes", "no", ""], "other_channels"),
        ("Consent to text", ["yes", "no", ""], "consents"),
    ],
)
def test_where_a_header_may_mean_two_things_the_cells_decide(
    header: str, cells: list[str], field: str | None
) -> None:
    expected = {"consents", "opt_outs"} if field == "both" else {field} - {None}
    assert fields_with(guess(Name=["a", "b", "c"], **{header: cells}), header) == expected


def test_when_somebody_agreed_only_refuses_beside_whether_they_did() -> None:
    cells = CELLS["dates"]
    assert guess(**{"Consent date": cells}).consents == ("Consent date",)
    found = guess(**{"Consent date": cells, "Consent": CELLS["yes and no"]})
    assert (found.consents, found.statuses) == (("Consent",), ("Consent date",))
    dates = ["2026-01-05", "", "no", "0.0", "withdrawn"]
    sheet = pd.DataFrame(
        {"Mobile": [*PHONES, "07911 223458", "07911 323458"], "Consent": "yes", "Consent date": dates}
    )
    assert clean_contacts(sheet, country="GB").rows["status"].tolist() == ["ok"] * 2 + ["opted_out"] * 3


@pytest.mark.deep
def test_five_hundred_columns_are_guessed_at_once() -> None:
    headers = [f"{name} {n}" for n in range(4) for name in [*REFUSALS, *NEVER]][:500]
    frame = pd.DataFrame(
        {name: [f"{row % 97}{place % 89}{row}" for row in range(400)] for place, name in enumerate(headers)}
    )
    guess_columns(frame)
    read_title.cache_clear()
    start = process_time()
    guess_columns(frame)
    assert process_time() - start < 2  # half a second on a free core


@each("name", [name for name in LISTS if name.startswith(("header_", "title_", "channel_"))])
def test_every_phrase_looked_for_in_headers_is_found_in_every_form(name: str) -> None:
    """Whatever words there are in a phrase: three of eight were once never found."""
    lost = [
        form
        for phrase in LISTS[name]
        if not phrase.endswith("*") and any(map(str.isalpha, phrase))
        for form in (phrase, phrase.replace(" ", "_"), phrase.replace(" ", "-"), phrase.upper())
        if joined(phrase) not in read_title(form).says(name)
    ]
    assert lost == []
