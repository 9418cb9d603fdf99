"""Headers however they are spelled: real programs' phones, refusals, other people's lines, and no phones."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from header_forms import forms, programmed
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tiers import draws, only_deep
from vector_files import vectors

from dashboard.contacts import ColumnMap, clean_contacts, guess_columns
from dashboard.contacts.words import lexicon
from dashboard.contacts.words.lexicon import fields_of, spellings
from dashboard.contacts.words.spelling import joined
from dashboard.contacts.words.title import read_title

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


PHONE_HEADERS = vectors("phone_headers.csv")
CONSENT_HEADERS = vectors("consent_headers.csv")
NEVER_HEADERS = vectors("never_phone_headers.csv")
OFFERED_HEADERS = vectors("offered_phone_headers.csv")
ENDED_HEADERS = vectors("ended_consent_headers.csv")


def guess(**columns: list[str]) -> ColumnMap:
    return guess_columns(pd.DataFrame(columns))


def fields_with(found: ColumnMap, header: str) -> set[str]:
    """The fields, of those that hold many columns, that a column was taken for, or that it asks."""
    many = ("phones", "offered", "consents", "opt_outs", "statuses", "preferences", "other_channels")
    asked = {"questions"} if header in [question.column for question in found.questions] else set()
    return {field for field in many if header in getattr(found, field)} | asked


@pytest.mark.parametrize("cells", [PHONES, WITHOUT_SIGN])
def test_phone_headers_of_real_programs(cells: list[str]) -> None:
    headers = [case["header"] for case in PHONE_HEADERS]
    assert set(guess(**dict.fromkeys(headers, cells)).phones) == {*headers}


DECIDED_BESIDE = {"Consent date", "Opted in at", "phone_subscription"}
"""Headers that mean something else where other columns ask for consent."""


@pytest.mark.parametrize("first", [0, *only_deep(*range(1, len(CELLS)))])
def test_headers_of_consent_are_taken_whatever_their_cells(first: int) -> None:
    """All in one sheet, but for those that mean something else beside others."""
    kinds = [list(CELLS)[(first + place) % len(CELLS)] for place in range(len(CONSENT_HEADERS))]
    said = {case["header"]: CELLS[kind] for case, kind in zip(CONSENT_HEADERS, kinds, strict=True)}
    together = guess(Mobile=PHONES, **{name: said[name] for name in said if name not in DECIDED_BESIDE})
    for case, kind in zip(CONSENT_HEADERS, kinds, strict=True):
        header, field = case["header"], case["field"]
        alone = header in DECIDED_BESIDE
        found = fields_with(guess(Mobile=PHONES, **{header: said[header]}) if alone else together, header)
        is_bare = kind in {"yes and no", "numbers"}
        if header in {"Status", "Lead status"} and kind == "statuses":
            assert found == {"statuses"}, (header, kind)  # a status of anything: its cells tell
        elif not field or (field == "questions" and kind in {"blank", "words"}):
            assert found <= {"questions"}, (header, kind)  # by its cells, as any other
        elif field == "opt_outs" and is_bare and header.lower().endswith("status"):
            assert found == {"consents"}, (header, kind)  # "SMS status: no" is no consent
        else:
            assert found == {field}, (header, kind)


def test_a_consent_that_has_ended_is_a_question() -> None:
    headers = [case["header"] for case in ENDED_HEADERS]
    found = guess(Mobile=["07911 123456"] * len(ANSWERS), **dict.fromkeys(headers, ANSWERS))
    assert {question.column for question in found.questions} == {*headers}


@given(word=st.text("abcdefghijklmnoprstuwyz", min_size=4, max_size=12))
@settings(max_examples=draws(50))
def test_an_unknown_word_after_consent_leaves_open_what_a_yes_means(word: str) -> None:
    """It may be the one for "ended" in a language that is not listed."""
    assume(read_title(f"Consent {word}").words == ("consent", word) and word not in lexicon.lexicon())
    found = guess(Mobile=PHONES, **{f"Consent {word}": ["yes", "no", "yes"]})
    assert [question.column for question in found.questions] == [f"Consent {word}"]


NEVER = [case["header"] for case in NEVER_HEADERS]


@pytest.mark.parametrize("beside", [{}, {"Mobile": PHONES}])
def test_headers_that_name_something_else_are_never_phones(beside: dict[str, list[str]]) -> None:
    found = guess(**beside, **dict.fromkeys(NEVER, PHONES))
    assert {header for header in NEVER if fields_with(found, header)} == set()
    assert found.phones == tuple(beside)


@pytest.mark.parametrize("beside", [{}, {"Mobile": ["", "", ""]}])
def test_a_line_that_may_be_somebody_elses_is_never_used_unasked(beside: dict[str, list[str]]) -> None:
    headers = [case["header"] for case in OFFERED_HEADERS]
    found = guess(**dict.fromkeys(headers, PHONES), **beside)
    assert (found.phones, set(found.offered)) == (tuple(beside), {*headers})
    assert guess(**dict.fromkeys(headers, WITHOUT_SIGN), **beside).phones == tuple(beside)


OWN = [case["header"] for case in PHONE_HEADERS] + [*spellings()["mobile"], *spellings()["phone"]]
LETTERS = st.text(st.characters(categories=["Ll", "Lu", "Lo"], max_codepoint=0x0E7F), min_size=2, max_size=12)
LISTS = lexicon._raw("words.json")
KNOWN = {joined(part) for listed in LISTS.values() for phrase in listed for part in phrase.split()}
KNOWN |= {part for header in OWN for part in read_title(header).words}
STEMS = tuple(joined(word) for listed in LISTS.values() for word in listed if word.endswith("*"))
PEOPLE = ["Uhp", "Ctel", "zorkmid", "beekeeper", "falconer", "Zwirbel", "кузнец", "μελισσα", "خباز", "אופה"]
JOINED = ["{own} {word}", "{word} {own}", "{own} - {word}", "{word}.{own}", "{own} ({word})", "{word}_{own}"]
JOINED += ["{word}'s {own}", "{own}/{word}", "{own}: {word}", "[{word}] {own}", "{own} of the {word}"]


@settings(max_examples=draws(1_000))
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


@each("field", spellings())
def test_every_header_of_the_vocabulary_in_every_form(field: str) -> None:
    for written in spellings()[field]:
        for form in forms(written):
            assert fields_of(form) == fields_of(written), form
            assert field in {name for name, _ in read_title(form).fields}, form


REFUSALS = [case["header"] for case in CONSENT_HEADERS if case["field"] in {"consents", "opt_outs"}]


@pytest.mark.deep
def test_refusals_say_the_same_where_they_are_numbered() -> None:
    """Repeated columns are, blank ones as well."""
    for refusal in REFUSALS:
        found = guess(**{"Mobile": PHONES, refusal: CELLS["blank"], f"{refusal}_2": CELLS["blank"]})
        once, again = fields_with(found, refusal), fields_with(found, f"{refusal}_2")
        assert again == once, refusal


@settings(max_examples=draws(300))
@given(st.data())
def test_refusals_and_what_is_no_phone_are_known_in_every_form(data: st.DataObject) -> None:
    refusal = data.draw(st.sampled_from(REFUSALS).flatmap(lambda h: st.sampled_from([h, *programmed(h)])))
    never = data.draw(st.sampled_from(NEVER).flatmap(lambda h: st.sampled_from([h, *programmed(h)])))
    number = data.draw(st.sampled_from(["", "_2", " 1", "#2"]))
    cells = data.draw(st.sampled_from(list(CELLS.values())))
    columns = {"Mobile": PHONES, refusal + number: cells, never + number: PHONES}
    order = data.draw(st.permutations(list(columns)))
    found = guess(**{name: columns[name] for name in order})
    assert fields_with(found, refusal + number) & {"consents", "opt_outs", "questions"}
    assert not fields_with(found, never + number) & {"phones", "offered"}
    assert found.phones == ("Mobile",)


PARTED = {
    "McDonald": "mc donald",
    "eMail": "email",
    "WhatsApp": "whatsapp",
    "consentementPerdu": "consentement perdu",
    "iPhone": "iphone",
    "GSM1": "gsm",
    "Mobile2": "mobile",
    "SMSOptOut": "sms opt out",
    "SMSopt-out": "sms opt out",
    "donation": "do nation",
    "hasagreedtosms": "has agreed to sms",
    "เบอร์มือถือ2": "เบอร์มือถือ",
    "SMSですか": "sms ですか",
}


def test_words_are_parted() -> None:
    assert {text: " ".join(read_title(text).words) for text in PARTED} == PARTED
    spelled = ["SmsOptOut", "sms_opt_out", "SMS OPT-OUT", "smsoptout", "SMSOptOut", "Sms.Opt.Out"]
    assert {joined(text) for text in spelled} == {"smsoptout"}


def test_a_column_known_by_its_cells_is_only_offered_beside_one_named_as_a_phone() -> None:
    contacts = {"Reference": PHONES, "Column 3": PHONES}
    assert guess(**contacts).phones == ("Column 3",)
    found = guess(**contacts, Phone=["", "", ""])
    assert (found.phones, found.offered) == (("Phone",), ("Column 3",))
    rows = clean_contacts(pd.DataFrame({"Phone": ["", *PHONES[1:]], "Ring": PHONES}), country="GB").rows
    assert rows["status"].tolist() == ["empty", "ok", "ok"]
    for header in ("Ring", "Nanny", "Witness", "Zorkmid", "Anna"):
        found = guess(**{header: PHONES})
        assert (found.phones, found.offered) == ((), (header,)), "an unknown name"


ANSWERED = ["yes", "no", ""]
ABOVE_PHONES = {
    "phones": ["Phone verified", "Mobile (opted in)", "Contact"],
    "opt_outs": ["Do not call number"],
    "offered": ["Landline (no texts)"],
}
ABOVE_ANSWERS = {
    "consents": [
        *("Mobile (opted in)", "SMS", "SMS & Email", "Email/SMS marketing", "Marketing", "Consent to text"),
        *("SendPromotionalTexts", "Send account texts", "SMS Notification", "SMS appointment reminders"),
        *("Can we send you text messages?", "SMS erlaubt"),
    ],
    "opt_outs": [
        "Do not send texts",
        *("SMS abbestellt", "SMS désabonné ?", "Cliente dado de baja"),
    ],
    "questions": [
        *("SMS zork", "Send zork texts", "SMS sent", "Text send failed", "Not opted out"),
        *("Never send texts", "Stop sending texts", "Room DND", "Consent withdrawn"),
        *("Do not contact for marketing or research", "Opt out of marketing and profiling"),
    ],
    "other_channels": [
        *("Consent to track", "Newsletter abbestellt", "Newsletter bestellt", "Email marketing"),
    ],
}
ABOVE_OTHERS = [
    ("Contact", ["Ann", "Bob", "Eve"], None),
    ("Opt in / opt out", ["in", "out", "in"], "questions"),
    ("Opt in/out", ["yes", "x", ""], "questions"),
    ("Opt-in or out", ["yes", "no", ""], "questions"),
    ("In/Out", ["08:15", "17:00", ""], None),
    ("Marketing", ["Spring", "Ann", "Bob"], None),
    ("Bus stop", ["High Street", "Mill Lane", "Station"], None),
    ("Baja California", ["Tijuana", "Mexicali", ""], None),
    ("sms_marketing_consent.opt_in_level", ["single_opt_in", "confirmed_opt_in", ""], "questions"),
    ("last_keyword_subscribed_to", ["JOIN", "VIP", ""], None),
    ("Consent source", ["web", "phone", "form"], None),
    ("Consent source", ["web", "refused", "phone"], "questions"),
    ("SMS frequency", ["weekly", "Never", "monthly"], "questions"),
    ("SMS sent count", ["0", "3", "12"], None),
    ("SMS prefs", ["Email & SMS", "SMS", "None"], "preferences"),
]


@each(
    "header, cells, field",
    [
        *((header, PHONES, field) for field, headers in ABOVE_PHONES.items() for header in headers),
        *((header, ANSWERED, field) for field, headers in ABOVE_ANSWERS.items() for header in headers),
        *ABOVE_OTHERS,
    ],
)
def test_where_a_header_may_mean_two_things_the_cells_decide(
    header: str, cells: list[str], field: str | None
) -> None:
    assert fields_with(guess(Name=["a", "b", "c"], **{header: cells}), header) == {field} - {None}


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
