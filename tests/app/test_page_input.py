"""What people type and upload beside contact sheets: fixes, opt-outs, numbers."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from each import each

from dashboard import words
from dashboard.app.draft_sheets import as_columns, confirmed
from dashboard.app.drafts import Columns
from dashboard.app.phrasing.settings_table import settings_table
from dashboard.app.phrasing.zones import country_of_zone
from dashboard.app.sheets.column_overview import column_overview
from dashboard.app.sheets.elsewhere import valid_elsewhere
from dashboard.app.sheets.fix_table import (
    Edits,
    choose_rows,
    context_columns,
    fix_table,
    problem_counts,
    read_edits,
    with_edits,
)
from dashboard.app.sheets.guessed_country import guessed_country
from dashboard.app.sheets.left_out import left_out
from dashboard.app.sheets.likely_country import likely_country
from dashboard.app.sheets.number_reading import agrees, read_number
from dashboard.app.sheets.phone_lists import search
from dashboard.app.sheets.ready_table import ready_table
from dashboard.campaigns import write_messages
from dashboard.contacts import (
    ColumnMap,
    ContactList,
    choose_people,
    clean_contacts,
    guess_columns,
    read_sheet,
)
from dashboard.contacts.line_types import line_type_words
from dashboard.contacts.words.countries import country_codes
from dashboard.contacts.words.country_names import country_name, country_names
from dashboard.errors import CountryError
from dashboard.jobs.settings_told import told
from dashboard.service import NumberCheck
from dashboard.settings import load_settings

SHEET = read_sheet(
    b"Name,Mobile,City\nAnn,07911123456,Leeds\nBen,nope,York\nCleo,0207946000,Hull\nDev,,Hull\n"
)
NONE = Edits({}, {})
CONTACTS = clean_contacts(SHEET, country="GB")


def rows_to_fix(contacts: ContactList, status: str) -> pd.DataFrame:
    return fix_table(contacts, ("Mobile",), choose_rows(contacts, ("Mobile",), status))


def test_the_table_to_fix_shows_what_is_wrong_with_whom() -> None:
    table = rows_to_fix(CONTACTS, "invalid")
    assert table.index.tolist() == [3, 4]
    assert list(table.columns) == ["Phone", "What is wrong", "Name", "City"]
    assert table["Name"].tolist() == ["Ben", "Cleo"]


def test_where_the_reasons_say_to_look_stands_first_and_whoever_it_is_beside_it() -> None:
    sheet = read_sheet(
        b"Name,Town,Shop,Visit,Mobile,Notes\n"
        b"Ann,Hull,A,Monday,07400 123450,may want to opt out\nBen,Hull,B,Sunday,07400 123451,zork\n"
        b"x = do not text,,,,,\nCy,Hull,C,Friday,07400 123452 ext 7,\n"
    )
    contacts = clean_contacts(sheet, country="GB")
    table = rows_to_fix(contacts, "review")
    ours = ["Phone", "Approve", "What is wrong", "Read as"]
    assert list(table.columns) == [*ours, "Notes", "Name", "Town", "Shop"]
    assert table["Notes"].tolist()[0] == "may want to opt out"
    ready = context_columns(contacts, {"Mobile"})
    assert ready == ["Name", "Town", "Shop"]
    found = choose_rows(contacts, ("Mobile",), "review", words="want to")
    assert found["row"].tolist() == [2]


def test_edits_are_what_was_typed_over() -> None:
    before = rows_to_fix(CONTACTS, "invalid")
    edits = read_edits(before, {0: {"Phone": " 07911 123457 "}}, NONE, {})
    assert edits.fixes == {3: "07911 123457"}
    assert len(edits) == 1
    assert not read_edits(before, {}, NONE, {})
    assert not read_edits(before, {0: {"Phone": "nope "}}, edits, {})
    assert read_edits(before, {1: {"Phone": None}}, edits, {}).fixes == {3: "07911 123457", 4: ""}
    assert with_edits(before, edits)["Phone"].tolist() == ["07911 123457", "0207946000"]
    assert not edits.without(edits)


def test_approvals_are_read_beside_edits() -> None:
    contacts = clean_contacts(read_sheet(b"Mobile\n07911 123456 ext 12\n07911 123457 ext 3\n"), country="GB")
    before, asked = rows_to_fix(contacts, "review"), contacts.approvals([2, 3])
    edits = read_edits(before, {0: {"Approve": True}}, NONE, asked)
    assert edits.approved == {2: asked[2]}
    assert with_edits(before, edits)["Approve"].tolist() == [True, False]
    assert not read_edits(before, {0: {"Approve": False}}, edits, asked)
    assert not read_edits(before, {}, edits, asked | {2: "something else"})
    assert read_edits(before, {}, edits, {}) == edits  # ticked on another page of the table


def test_a_row_stays_who_it_is_whatever_is_typed_over_its_number() -> None:
    before = rows_to_fix(CONTACTS, "invalid")
    edits = read_edits(before, {0: {"_index": 9, "Phone": "07911 123457"}, 1: {"_index": 3}}, NONE, {})
    assert edits == Edits({3: "07911 123457"}, {})


def test_columns_of_the_sheet_that_are_called_as_ours_are_no_edits() -> None:
    names = "Mobile,Approve,What is wrong,Read as,Same as row,Row,Phone"
    cells = ",later,old,7,8,9,07911 123459"
    phones = ("nope", "07911 123456 ext 12", "07911 123451", "07911123451")
    sheet = read_sheet("\n".join([names, *(phone + cells for phone in phones)]).encode())
    columns = replace(guess_columns(sheet), phones=("Mobile",))
    contacts = clean_contacts(sheet, country="GB", columns=columns)
    tables = {status: rows_to_fix(contacts, status) for status in ("invalid", "review", "duplicate")}
    for status, table in tables.items():
        assert len(table) == 1
        assert table.columns.is_unique
        typed = dict.fromkeys(table.columns.difference(["Phone"]), "yes")
        edits = read_edits(table, {0: typed}, NONE, contacts.approvals(table.index))
        assert len(edits) == (status == "review")
    assert tables["duplicate"]["Same as row"].tolist() == [4]


def test_the_overview_of_columns_says_how_each_is_read() -> None:
    overview = column_overview(SHEET, guess_columns(SHEET)).set_index("Column")
    assert overview.loc["Mobile", "Read as"] == "Phone"
    assert overview.loc["City", "Examples"] == "Leeds · York · Hull"
    assert overview["Certainty"].isna().tolist()[2]


def test_reasons_for_leaving_out_cover_contacts_and_messages() -> None:
    messages = write_messages(CONTACTS, "Hi {{ Name }}" + "x" * 1100, campaign="Spring")
    reasons = left_out(CONTACTS, messages)
    assert int(reasons["rows"].sum()) == len(CONTACTS.rows)
    assert reasons["reason"].str.contains("longer than 1024").any()
    everyone = clean_contacts(read_sheet(b"Mobile\n07911123456\n"), country="GB")
    assert left_out(everyone, write_messages(everyone, "Hi", campaign="Spring")).empty


def test_rows_left_out_are_found_by_problem_and_by_words() -> None:
    assert problem_counts(CONTACTS, "invalid") == {"not_a_number": 1, "too_short": 1}
    by_problem = choose_rows(CONTACTS, ("Mobile",), "invalid", problem="too_short")
    assert by_problem["row"].tolist() == [4]
    assert choose_rows(CONTACTS, ("Mobile",), "invalid", words=" york")["row"].tolist() == [3]
    assert choose_rows(CONTACTS, ("Mobile",), "invalid", words="[").empty


def test_a_list_from_another_country_is_recognised() -> None:
    french = "Mobile\n" + "".join(f"06 12 34 5{n} 78\n" for n in range(9)) + "07911123456\n"
    assert likely_country(clean_contacts(read_sheet(french.encode()), country="GB")) == ("FR", 9)
    assert likely_country(clean_contacts(read_sheet(french.encode()), country="FR")) is None
    assert likely_country(CONTACTS) is None


BRITISH = ["07400 183645", "7400183646", "020 7946 0000", "x"]
GERMAN = ["0151 23456789", "+49 171 1234567", "0171/1234567"]


@each(
    "cells, usual, near, country",
    [
        (BRITISH, None, None, None),
        (BRITISH, None, "GB", "GB"),
        (BRITISH, "DE", "GB", "GB"),  # most of these are somebody's landline in Germany
        (BRITISH, "GB", "DE", "GB"),
        (GERMAN, "GB", None, "DE"),  # one of them says so
        (GERMAN, None, "GB", "DE"),
        (["+491711234567"], None, "GB", "DE"),
        (["+491711234567"], "GB", None, "GB"),
        (["12", "n/a"], "GB", "DE", "GB"),
        (["12", "n/a"], None, "DE", None),
        ([], None, "DE", None),
    ],
)
def test_the_country_is_guessed_from_what_speaks_for_one(
    cells: list[str], usual: str | None, near: str | None, country: str | None
) -> None:
    assert guessed_country(pd.Series(cells, dtype="str"), usual, near) == country


def test_a_zone_tells_its_country() -> None:
    zones = ("Europe/Berlin", "America/New_York", "UTC", "Nowhere")
    assert [country_of_zone(zone) for zone in zones] == ["DE", "US", None, None]


def test_who_is_chosen_does_not_change_where_a_list_is_from() -> None:
    mixed = (
        "Mobile\n"
        + "".join(f"06 12 34 5{n} 78\n" for n in range(4))
        + "".join(f"+44740012{n:04d}\n" for n in range(0, 8000, 997))
    )
    contacts = clean_contacts(read_sheet(mixed.encode()), country="GB")
    assert contacts.count("ok") > 4
    assert likely_country(choose_people(contacts, sample=1)) is None


def numbers_to_fix(cells: list[str]) -> pd.DataFrame:
    rows = clean_contacts(pd.DataFrame({"Mobile": cells}), country="GB").rows
    return rows[rows["status"] == "invalid"]


def test_each_other_country_of_those_to_fix_is_a_group_of_its_own() -> None:
    french, german = [f"06 12 34 5{n} 78" for n in range(5)], [f"0151 2345 67{n}1" for n in range(7)]
    own = ["07911 12", "07911 123456"]
    first, second = valid_elsewhere(numbers_to_fix([*french, *german, *own, *["nope"] * 9]))
    assert (first.country, len(first.fixes)) == ("DE", 7)
    assert second.country == "FR"
    assert second.fixes == {row: f"+3361234{48 + row}78" for row in range(2, 7)}
    assert not first.fixes.keys() & second.fixes.keys()


def test_a_few_numbers_that_happen_to_be_valid_elsewhere_prove_nothing() -> None:
    french = [f"06 12 34 5{n} 78" for n in range(5)]
    for cells in (french[:4], [*french, *["nope"] * 6], ["ask her"] * 9, []):
        assert valid_elsewhere(numbers_to_fix(cells)) == []


def test_a_message_that_is_not_sent_says_why_in_its_place() -> None:
    people = pd.DataFrame({"Name": ["Ann", ""], "Mobile": ["07400 123456", "07400 123457"]})
    contacts = clean_contacts(people, country="GB")
    messages = write_messages(contacts, "Hi {{ Name }}!", campaign="Spring")
    ready = choose_rows(contacts, ("Mobile",), "ok")
    table = ready_table(contacts, ("Mobile",), ready, messages)
    assert list(table.columns) == ["Name", "Message", "Number"]
    assert table["Message"][2] == "Hi Ann!"
    assert table["Message"][3].startswith("(A field of the template is empty")


def test_a_list_is_searched_by_digits_or_words() -> None:
    listed = pd.DataFrame(
        {
            "phone": ["+447911000001", "+4915112345678"],
            "reason": ["STOP reply", None],
            "source": ["List", "By hand"],
        }
    )
    assert search(listed, "0151 123")["phone"].tolist() == ["+4915112345678"]
    assert search(listed, "stop")["phone"].tolist() == ["+447911000001"]
    assert search(listed, "") is listed


@each(
    "text, valid, line_type",
    [("07911 123456", True, "MOBILE"), ("020 7946 0000", True, "FIXED_LINE"), ("12", False, None)],
)
def test_a_number_is_read_as_a_sheets_cell_is(text: str, valid: bool, line_type: str | None) -> None:
    reading = read_number(text, "GB")
    assert (reading.valid, reading.line_type) == (valid, line_type)
    assert reading.textable == (line_type == "MOBILE")
    assert bool(reading.explanation) == (line_type != "MOBILE")


def test_the_service_may_disagree() -> None:
    reading = read_number("07911 123456", "GB")
    assert agrees(reading, NumberCheck(valid_format=True, country="GB", line_type="MOBILE", raw={}))
    assert not agrees(reading, NumberCheck(valid_format=True, country="GB", line_type="VOIP", raw={}))
    assert not agrees(reading, NumberCheck(valid_format=False, country="GB", line_type="UNKNOWN", raw={}))


def test_line_types_and_countries_are_said_as_people_say_them() -> None:
    types = ("FIXED_LINE_OR_MOBILE", "VOIP", None)
    assert [line_type_words(one) for one in types] == ["Fixed line or mobile", "Internet phone (VoIP)", "–"]
    countries = [country_name(one) for one in ("GB", "XK", "XX", None)]
    assert countries == ["United Kingdom", "Kosovo", "XX", "Unknown country"]


def test_countries_are_chosen_in_the_order_of_their_names_without_accents() -> None:
    for language, in_order in (
        ("en", ["Afghanistan", "Åland Islands", "Albania", "Tunisia", "Türkiye", "Turkmenistan"]),
        ("de", ["Afghanistan", "Ägypten", "Ålandinseln", "Albanien", "Oman", "Österreich", "Pakistan"]),
        ("es", ["Bélgica", "Belice", "Benín", "Bermudas", "México", "Micronesia", "Mónaco", "Mongolia"]),
        ("fr", ["Danemark", "Djibouti", "Égypte", "Équateur", "Espagne", "États-Unis", "Éthiopie", "Fidji"]),
        ("nl", ["Afghanistan", "Åland", "Albanië", "Israël", "Italië"]),
        ("pl", ["Litwa", "Łotwa", "Luksemburg", "Słowacja", "Słowenia", "Somalia", "Sri Lanka"]),
    ):
        words.speak(language)
        named = [*country_names().values()]
        words.speak(None)
        assert [one for one in named if one in in_order] == in_order, language


def test_every_country_that_can_be_chosen_can_be_used_and_every_other_is_not_offered() -> None:
    assert {*country_names()} == country_codes()
    for country in ("AQ", "BV", "GS", "HM", "PN", "TF", "UM"):  # nobody has a number there
        with pytest.raises(CountryError):
            clean_contacts(pd.DataFrame({"Mobile": ["07911 123456"]}), country=country)
    for country in ("AC", "TA", "XK", "GB"):
        clean_contacts(pd.DataFrame({"Mobile": ["07911 123456"]}), country=country)


def test_the_settings_table_shows_no_secret() -> None:
    settings = load_settings(
        database_url="postgresql://ann:hidden@db.example/ledger",
        sms_base_url="https://sms.example",
        sms_api_key="hidden",
        webhook_secret="hidden-Zk8xTb1MnR6yHs2LpD5g",
        people={"ann@example.com": "admin"},
    )
    table = settings_table(told(settings, settings, {})).set_index("Setting")["Value"]
    assert not table.str.contains("hidden|ann@").any()
    assert table["DASHBOARD_DATABASE_URL"] == "postgresql://db.example/ledger"
    assert table["SMS_API_KEY"] == "Set"
    assert table["DASHBOARD_PEOPLE"] == "1 listed"
    assert table["DASHBOARD_OIDC_ISSUER"] == "Not set"


def test_stored_choices_of_columns_are_kept_as_made_and_what_is_not_stored_is_guessed() -> None:
    opt_outs = ("STOP", "Unsubscribed", "Consent?")
    guessed = ColumnMap(phones=("Mobile",), consents=("Opt in", "Consent?"), opt_outs=opt_outs)
    found = confirmed(guessed, Columns.model_validate_json('{"phones": ["Mobile"], "country": null}'))
    assert (found.consents, found.opt_outs) == (guessed.consents, guessed.opt_outs)
    changed = guessed.answered({"STOP": "doubt", "Opt in": "nothing"})
    found = confirmed(guessed, Columns.model_validate_json(as_columns(changed, guessed).model_dump_json()))
    assert found.roles == {"STOP": "doubt", "Unsubscribed": "refusal", "Consent?": "question"}
    assert "Consent?" in {*found.consents} & {*found.opt_outs}, "as guessed"
