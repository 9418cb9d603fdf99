"""Which column is taken for which, by header and by what is in it."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each

from dashboard.contacts import ColumnMap, clean_contacts, guess_columns
from dashboard.contacts.vocabulary.countries.countries import country_of
from dashboard.contacts.vocabulary.known_words.lexicon import spellings

PHONE = "07911 123456"


def guess(*headers: str, **columns: list[str]) -> ColumnMap:
    """A guess on columns given by header only, whose cells are phones, or by header and cells."""
    return guess_columns(pd.DataFrame({header: [PHONE] for header in headers} | columns))


def guess_beside(cells: dict[str, str]) -> ColumnMap:
    return guess_columns(pd.DataFrame([cells]))


@each("header", [*spellings()["mobile"], *spellings()["phone"]])
def test_every_phone_header_of_the_vocabulary(header: str) -> None:
    assert guess(header.title()).phones == (header.title(),)


@each("header", spellings()["phone_never"])
def test_headers_that_are_never_phones(header: str) -> None:
    assert guess(header).phones == ()


@pytest.mark.parametrize(
    "header",
    ["Customer ID", "Order date", "Postcode", "Barcode", "Total", "Hotel", "Phone type", "Phone ID"],
)
def test_headers_that_are_not_phones_even_if_the_cells_look_like_it(header: str) -> None:
    assert guess(header).phones == ()


@pytest.mark.parametrize(
    "header",
    ["Kunden-Handy", "Mobile (preferred)", "Guest telephone", "Tel. 1", "Téléphone_portable", "ΚΙΝΗΤΌ"],
)
def test_longer_headers_are_read_by_their_words(header: str) -> None:
    assert guess(header).phones == (header,)


def test_phones_come_mobile_first_and_home_or_work_last() -> None:
    headers = ["Business Phone", "Contact point", "Phone", "Fax", "Mobile", "Phone#2"]
    found = guess(*headers)
    assert found.phones == ("Mobile", "Phone", "Phone#2", "Business Phone")
    assert found.offered == ("Contact point",)


def test_ids_are_no_phones_though_they_have_as_many_digits() -> None:
    ids = [str(449_100_000_000 + n) for n in range(20)]
    assert guess(reference=ids).phones == ()


def test_ambiguous_headers_count_when_the_cells_look_like_phones() -> None:
    assert guess("Number").phones == ("Number",)
    assert guess(Number=["1", "2", "3"]).phones == ()


@pytest.mark.parametrize(
    ("beside", "first", "last", "full"),
    [
        (["First name", "Last name", "Name"], "First name", "Last name", "Name"),
        (["Vorname", "Name"], "Vorname", "Name", None),
        (["Name"], None, None, "Name"),
        (["Prénom", "Nom"], "Prénom", "Nom", None),
        (["Nom"], None, None, "Nom"),
        (["Nombre", "Apellidos"], "Nombre", "Apellidos", None),
        (["Nombre"], None, None, "Nombre"),
        (["Nome", "Cognome"], "Nome", "Cognome", None),
        (["Nome"], None, None, "Nome"),
        (["Ad", "Soyad"], "Ad", "Soyad", None),
        (["Ad"], None, None, None),
    ],
)
def test_names_are_settled_by_the_columns_beside_them(
    beside: list[str], first: str | None, last: str | None, full: str | None
) -> None:
    found = guess_beside(dict.fromkeys(beside, "Ann"))
    assert (found.first_name, found.last_name, found.full_name) == (first, last, full)


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Accepts SMS Marketing", "consents"),
        ("SMS Opt-In (Y/N)", "consents"),
        ("Einwilligung", "consents"),
        ("SMS opt out", "opt_outs"),
        ("Opted out of texts?", "opt_outs"),
        ("Unsubscribed", "opt_outs"),
        ("Do not text", "opt_outs"),
    ],
)
def test_consent_and_its_opposite(header: str, field: str) -> None:
    found = guess_beside({header: "yes"})
    assert getattr(found, field) == found.columns == (header,)


@pytest.mark.parametrize(
    "header", ["Zgoda SMS", "SMS", "Receive SMS?", "Consentement téléphone", "Marketing permission (mobile)"]
)
def test_a_column_of_answers_is_consent_and_never_phones(header: str) -> None:
    frame = pd.DataFrame({"Telefon": ["512 345 678", "512 345 679", ""], header: ["tak", "nie", "tak"]})
    found = guess_columns(frame)
    assert (found.phones, found.consents) == (("Telefon",), (header,))


@pytest.mark.parametrize("header", ["mobile", "Phone", "Téléphone portable", "Handynummer"])
@pytest.mark.parametrize(
    "cells", [["07400 123456", "x"], ["none", "07400 123456", ""], ["no", "07400 123456"]]
)
def test_a_short_column_of_phones_may_hold_an_answer(header: str, cells: list[str]) -> None:
    assert guess_columns(pd.DataFrame({header: cells})).phones == (header,)


def test_consent_to_email_says_nothing_about_texts() -> None:
    assert guess_beside({"Email opt-in": "yes", "Email opt out": "no"}).columns == ()


def test_a_consent_column_holds_answers() -> None:
    assert guess_beside({"Newsletter": "Spring 2026"}).consents == ()


def test_a_country_column_holds_countries() -> None:
    assert guess_beside({"Land": "Österreich"}).country == "Land"
    assert guess_beside({"Country code": "44"}).country == "Country code"
    assert guess_beside({"Region code": "North East"}).country is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("GB", "GB"),
        ("gb", "GB"),
        ("GBR", "GB"),
        ("UK", "GB"),
        ("United Kingdom", "GB"),
        ("the Netherlands", "NL"),
        ("Deutschland", "DE"),
        ("Österreich", "AT"),
        ("España", "ES"),
        ("Россия", "RU"),
        ("日本", "JP"),
        ("المغرب", "MA"),
        ("NA", "NA"),
        ("+353", "IE"),
        ("0044", "GB"),
        ("1", "US"),
        ("", None),
        ("Atlantis", None),
        ("N/A", None),
    ],
)
def test_countries_by_code_name_and_calling_code(text: str, code: str | None) -> None:
    assert country_of(text) == code


def test_how_sure_a_guess_is() -> None:
    frame = pd.DataFrame({"Mobile": [PHONE], "Phone": ["n/a"], "Reach me at": [PHONE]})
    confidence = guess_columns(frame).confidence
    assert 1.0 == confidence["Mobile"] > confidence["Reach me at"] > 0
    assert confidence["Phone"] < 1.0


def test_a_sheet_without_rows_is_guessed_by_its_header() -> None:
    frame = pd.DataFrame({"Mobile": [], "Country": [], "SMS consent": []}, dtype="str")
    found = guess_columns(frame)
    assert (found.phones, found.country, found.consents) == (("Mobile",), "Country", ("SMS consent",))


@pytest.mark.parametrize(
    ("header", "cells", "field"),
    [
        ("SMS abbestellt", ["ja", "", "ja"], "opt_outs"),
        ("Newsletter abbestellt", ["ja", "", "ja"], "other_channels"),
        ("SMS désabonné ?", ["oui", "non", ""], "opt_outs"),
        ("Cliente dado de baja", ["si", "no", "no"], "opt_outs"),
        ("Newsletter bestellt", ["ja", "nein", "ja"], "other_channels"),
        ("Bus stop", ["High Street", "Mill Lane", "Station"], None),
        ("Baja California", ["Tijuana", "Mexicali", ""], None),
        ("SMS erlaubt", ["ja", "nein", "ja"], "consents"),
    ],
)
def test_a_longer_header_that_speaks_of_refusing_counts_with_yes_and_no(
    header: str, cells: list[str], field: str | None
) -> None:
    frame = pd.DataFrame({"Handy": ["0151 23456789", "0151 23456788", "0151 23456787"], header: cells})
    columns = guess_columns(frame)
    found = [name for name in ("consents", "opt_outs", "other_channels") if header in getattr(columns, name)]
    assert found == ([] if field is None else [field])


@pytest.mark.parametrize(
    "named", ["Next of kin", "Emergency contact name", "Parent name", "Partner", "Mother"]
)
@pytest.mark.parametrize("between", [[], ["Relationship"], ["Email"], ["Home phone"]])
def test_a_phone_after_somebody_elses_name_is_theirs(named: str, between: list[str]) -> None:
    headers = ["First name", "Last name", "Mobile", named, *between, "Phone"]
    found = guess_beside({name: PHONE if "hone" in name or name == "Mobile" else "Ann" for name in headers})
    assert found.phones == ("Mobile",)
    assert "Phone" in found.offered


@pytest.mark.parametrize(
    "headers",
    [
        ["First name", "Last name", "Mobile"],
        ["Name", "Phone", "Email", "City", "Mobile"],
        ["Pupil", "Mother", "Mobile"],
        ["Phone", "Contact owner", "Lead status", "Created", "Mobile"],
        ["Mobile", "Next of kin", "Customer phone"],
    ],
)
def test_a_phone_after_other_columns_is_the_persons_own(headers: list[str]) -> None:
    phones = {name for name in headers if name in {"Phone", "Mobile", "Customer phone"}}
    found = guess_beside({name: PHONE if name in phones else "Ann" for name in headers})
    assert set(found.phones) == phones


WORKPLACES = [
    "Company",
    "Company name",
    "Employer",
    "School",
    "Firma",
    "Société",
    "Empresa",
    "会社",
    "Branch",
]


@each("workplace", WORKPLACES)
@each(
    "headers, phones, offered",
    [
        (["{}", "Phone", "Mobile"], ("Mobile", "Phone"), ()),
        (
            ["{}", "Business phone", "Mobile phone", "Home phone"],
            ("Mobile phone", "Home phone", "Business phone"),
            (),
        ),
        (["Phone", "{}", "Mobile"], ("Mobile", "Phone"), ()),
        (["Mobile", "{}", "Phone"], ("Mobile",), ("Phone",)),
        (["Phone", "{} director", "Mobile"], ("Phone",), ("Mobile",)),
        (["{} director", "Phone", "Mobile"], ("Phone",), ("Mobile",)),
    ],
)
def test_beside_a_company_a_mobile_is_the_persons(
    workplace: str, headers: list[str], phones: tuple[str, ...], offered: tuple[str, ...]
) -> None:
    names = ["Name", *(header.format(workplace) for header in headers)]
    found = guess_beside({name: PHONE if "hone" in name or name == "Mobile" else "Ann" for name in names})
    assert (found.phones, found.offered) == (phones, offered)


@pytest.mark.parametrize(
    "named", ["Account owner", "Contact Owner", "Owner", "Sales rep", "Kontaktperson", "Personne de contact"]
)
def test_the_phones_after_who_is_in_charge_are_the_contacts(named: str) -> None:
    """Unless the contact has a phone already."""
    found = guess_beside({named: "Sam", "Phone": "020 7946 0991", "Mobile": PHONE})
    assert (found.phones, found.offered) == (("Mobile", "Phone"), ())
    found = guess_beside({"Mobile": PHONE, named: "Sam", "Phone": PHONE})
    assert (found.phones, found.offered) == (("Mobile",), ("Phone",))


@pytest.mark.parametrize(
    "aside", ["(Do Not Modify)", "(Nicht ändern)", "(Ne pas modifier)", "(No modificar)", "(请勿修改)"]
)
def test_what_says_not_to_edit_a_column_refuses_nobody(aside: str) -> None:
    frame = pd.DataFrame(
        {
            f"{aside} Contact": ["7f0c7d10-5b1c-ec11"],
            "Mobile": ["07400 123456"],
            f"{aside} Do not text": ["yes"],
        }
    )
    found = guess_columns(frame)
    assert (found.opt_outs, found.phones) == ((f"{aside} Do not text",), ("Mobile",))


@pytest.mark.parametrize(
    ("headers", "fields"),
    [
        (
            ["Donor's First Name", "Donor's Last Name", "Donor Email"],
            {"first_name": 0, "last_name": 1, "email": 2},
        ),
        (["Person - First name", "Person - Name"], {"first_name": 0, "full_name": 1}),
        (["Name", "Invitee Name"], {"full_name": 0}),
        (["Invitee Name", "Name"], {"full_name": 1}),
        (["Vorname des Kunden", "Kunden-E-Mail"], {"email": 1}),
        (["Customer country"], {"country": 0}),
        (["Home Country", "Name"], {"country": 0, "full_name": 1}),
        (["Email 2", "Email 1"], {"email": 1}),
        (
            [
                "User name",
                "Parent first name",
                "Guest 2 first name",
                "Company name",
                "Emergency contact name",
            ],
            {},
        ),
        (["Member", "Customer's", "Client ID", "Student status"], {}),
    ],
)
def test_a_name_of_the_rows_own_person(headers: list[str], fields: dict[str, int]) -> None:
    cells = {name: "France" if "ountry" in name else "Ann" for name in headers}
    found = guess_beside({**cells, "Mobile": PHONE})
    assert found.fields == {field: headers[place] for field, place in fields.items()}


def test_a_contact_that_is_a_name_is_no_phone_beside_somebody_elses() -> None:
    frame = {"Contact": "Ann", "Next of kin": "Ben", "Phone": PHONE}
    assert guess_beside(frame).phones == ("Phone",)
    found = guess_beside({**frame, "Contact": PHONE})
    assert (found.phones, found.offered) == (("Contact",), ("Phone",))


@pytest.mark.parametrize(
    ("cells", "statuses"),
    [
        (["0", "1", "no"], ["empty", "invalid", "empty"]),
        (["no", "no"], ["empty", "empty"]),
        (["x"], ["empty"]),
        (
            ["no", "yes", "0", "no", "1", "07400 123456"],
            ["empty", "invalid", "empty", "empty", "invalid", "ok"],
        ),
    ],
)
def test_what_people_type_where_there_is_no_phone_keeps_its_column(
    cells: list[str], statuses: list[str]
) -> None:
    frame = pd.DataFrame({"Mobile": cells, "Name": [f"Ann {place}" for place in range(len(cells))]})
    contacts = clean_contacts(frame, country="GB")
    assert contacts.how.columns.phones == ("Mobile",)
    assert contacts.rows["status"].tolist() == statuses


def test_many_answers_below_a_header_for_phones_are_no_phones() -> None:
    assert guess_columns(pd.DataFrame({"Phone": ["yes", "no", "no"] * 20})).phones == ()
