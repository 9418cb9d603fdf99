"""Which column is taken for which, by header and by what is in it."""

from __future__ import annotations

import pandas as pd
from each import each

from dashboard.contacts import ColumnMap, clean_contacts, guess_columns
from dashboard.contacts.words.countries import country_of
from dashboard.contacts.words.lexicon import spellings

PHONE = "07911 123456"


def guess(*headers: str, **columns: list[str]) -> ColumnMap:
    """A guess on columns given by header only, whose cells are phones, or by header and cells."""
    return guess_columns(pd.DataFrame({header: [PHONE] for header in headers} | columns))


def guess_beside(cells: dict[str, str]) -> ColumnMap:
    return guess_columns(pd.DataFrame([cells]))


def test_every_phone_header_of_the_vocabulary() -> None:
    headers = {header.title() for header in [*spellings()["mobile"], *spellings()["phone"]]} - {"Cep"}
    assert set(guess(*headers).phones) == headers
    assert guess("Cep").phones == ("Cep",), "unless a sheet is Brazilian"


def test_headers_that_are_never_phones() -> None:
    others = ["Customer ID", "Order date", "Postcode", "Barcode", "Total", "Hotel", "Phone type", "Phone ID"]
    assert guess(*spellings()["phone_never"], *others).phones == ()


def test_phones_come_mobile_first_and_home_or_work_last() -> None:
    headers = ["Business Phone", "Contact point", "Phone", "Fax", "Mobile", "Phone#2"]
    found = guess(*headers)
    assert found.phones == ("Mobile", "Phone", "Phone#2", "Business Phone")
    assert found.offered == ("Contact point",)


def test_cells_without_a_sign_of_phones_are_none() -> None:
    assert guess(reference=[str(449_100_000_000 + n) for n in range(20)]).phones == ()
    assert guess("Number").phones == ("Number",)
    assert guess(Number=["1", "2", "3"]).phones == ()
    assert guess(Phone=["yes", "no", "no"] * 20).phones == ()


def test_a_country_column_holds_countries() -> None:
    assert guess_beside({"Land": "Österreich"}).country == "Land"
    assert guess_beside({"Country code": "44"}).country == "Country code"
    assert guess_beside({"Region code": "North East"}).country is None


COUNTRIES = {"the Netherlands": "NL", "Österreich": "AT", "日本": "JP", "المغرب": "MA", "+353": "IE"}
COUNTRIES |= {"1": "US"} | dict.fromkeys(["", "Atlantis", "N/A"])


def test_countries_by_name_and_calling_code() -> None:
    assert {text: country_of(text) for text in COUNTRIES} == COUNTRIES


def test_how_sure_a_guess_is() -> None:
    frame = pd.DataFrame({"Mobile": [PHONE], "Phone": ["n/a"], "Reach me at": [PHONE]})
    confidence = guess_columns(frame).confidence
    assert 1.0 == confidence["Mobile"] > confidence["Reach me at"] > 0
    assert confidence["Phone"] < 1.0


def test_a_sheet_without_rows_is_guessed_by_its_header() -> None:
    frame = pd.DataFrame({"Mobile": [], "Country": [], "SMS consent": []}, dtype="str")
    found = guess_columns(frame)
    assert (found.phones, found.country, found.consents) == (("Mobile",), "Country", ("SMS consent",))


@each("named", ["Next of kin", "Emergency contact name", "Parent name", "Partner", "Mother"])
@each("between", [[], ["Relationship"], ["Email"], ["Home phone"]])
def test_a_phone_after_somebody_elses_name_is_theirs(named: str, between: list[str]) -> None:
    headers = ["First name", "Last name", "Mobile", named, *between, "Phone"]
    found = guess_beside({name: PHONE if "hone" in name or name == "Mobile" else "Ann" for name in headers})
    assert found.phones == ("Mobile",)
    assert "Phone" in found.offered


WORKPLACES = ["Company", "Company name", "Employer", "School", "Firma", "Société", "会社", "Branch"]
OWN_BESIDE = ["Mobile phone", "Home phone", "Business phone"]


@each("workplace", WORKPLACES)
@each(
    "headers, phones, offered",
    [
        (["{}", "Phone", "Mobile"], ("Mobile", "Phone"), ()),
        (["{}", *sorted(OWN_BESIDE)], tuple(OWN_BESIDE), ()),
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


IN_CHARGE = ["Account owner", "Contact Owner", "Owner", "Sales rep", "Kontaktperson", "Personne de contact"]


@each("named", IN_CHARGE)
def test_the_phones_after_who_is_in_charge_are_the_contacts(named: str) -> None:
    """Unless the contact has a phone already."""
    found = guess_beside({named: "Sam", "Phone": "020 7946 0991", "Mobile": PHONE})
    assert (found.phones, found.offered) == (("Mobile", "Phone"), ())
    found = guess_beside({"Mobile": PHONE, named: "Sam", "Phone": PHONE})
    assert (found.phones, found.offered) == (("Mobile",), ("Phone",))


def test_a_contact_that_is_a_name_is_no_phone_beside_somebody_elses() -> None:
    frame = {"Contact": "Ann", "Next of kin": "Ben", "Phone": PHONE}
    assert guess_beside(frame).phones == ("Phone",)
    found = guess_beside({**frame, "Contact": PHONE})
    assert (found.phones, found.offered) == (("Contact",), ("Phone",))


@each(
    "cells, statuses",
    [
        (["0", "1", "no"], ["empty", "invalid", "empty"]),
        (["no", "no"], ["empty", "empty"]),
        (["07400 123456", "x"], ["ok", "empty"]),
        (["no", "07400 123456"], ["empty", "ok"]),
        (["x"], ["empty"]),
        (["no", "yes", "0", "1", "07400 123456"], ["empty", "invalid", "empty", "invalid", "ok"]),
    ],
)
def test_what_people_type_where_there_is_no_phone_keeps_its_column(
    cells: list[str], statuses: list[str]
) -> None:
    contacts = clean_contacts(pd.DataFrame({"Mobile": cells, "Name": "Ann"}), country="GB")
    assert contacts.how.columns.phones == ("Mobile",)
    assert contacts.rows["status"].tolist() == statuses
