"""Templates through the public door: what is accepted, and the sentence for what is not."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.app.wizard.text.live import aliases
from dashboard.campaigns import LinkLength, parse_template, preview, write_messages
from dashboard.campaigns.text.template import field_key
from dashboard.contacts import clean_contacts, guess_columns
from dashboard.errors import TemplateError

PERSON = {"First Name": "Ann", "city": "York", "Blank": " ", "member": "yes", "paid": "No"}


@each(
    "template, text",
    [
        ("Hi {{first_name}}!", "Hi Ann!"),
        ("{{FIRST NAME}}{{ city }}", "AnnYork"),
        ("Hi {{ blank | there }}", "Hi there"),
        ("Hi {{ blank | dear customer }}", "Hi dear customer"),
        ("Hi {{ blank | default: 'there' }}", "Hi there"),
        ("Hi {{ blank | default('there') }}", "Hi there"),
        ('Hi {{ blank | "there" }}', "Hi there"),
        ("Hi {{ blank | 'upper' }}", "Hi upper"),
        ("Hi{{ blank | }}", "Hi"),
        ("Hi{{#member}}, member{{/member}}!", "Hi, member!"),
        ("Hi{{^member}}, guest{{/member}}!", "Hi!"),
        ("Hi{{^ Paid }}, please pay{{/ paid }}!", "Hi, please pay!"),
        ("Hi{{#blank}} never{{/blank}}!", "Hi!"),
        ("{{#member}}{{first_name}}{{#paid}} paid{{/paid}}{{^paid}} owes{{/paid}}{{/member}}", "Ann owes"),
        ("{{#member}}{{first_name}}{{/member}}{{^member}}{{blank}}{{/member}}", "Ann"),
        ("No field, 100% (really) <3 [sic] {note}", "No field, 100% (really) <3 [sic] {note}"),
    ],
)
def test_a_field_is_filled_in(template: str, text: str) -> None:
    assert preview(template, PERSON) == text


@each(
    "template, says",
    [
        ("", "Write the text"),
        ("   ", "Write the text"),
        ("Hi {{", "not closed"),
        ("Hi {{city", "character 4 is not closed"),
        ("Hi {{city {{ city }}", "not closed"),
        ("Hi {{city}", "not closed"),
        ("Hi }} there", "}} without {{"),
        ("Hi {{ }}", "has no name"),
        ("Hi {{ | there }}", "has no name"),
        ("Hi {{{city}}}", "has no name"),
        ("Hi {{ city | {name}}}", "The fallback of 'city' has a brace in it. Write it without, as in {{"),
        ("Hi {{ city | {there} }}", "has a brace in it"),
        ("Hi {{ city | 'a}' }}", "has a brace in it"),
        ("Hi {{ city | default: '{' }}", "has a brace in it"),
        ("Hi {{ town }}", "The columns are First Name, city, Blank"),
        ("Hi {{ contact.city }}", "Did you mean {{ city }}?"),
        ("Hi {{#membre}}x{{/membre}}", "Did you mean {{ member }}?"),
        ("Hi {{#member}}x", "{{#member}} that begins at character 4 is not closed. Write {{/member}}"),
        ("Hi {{^member}}x", "{{^member}} that begins at character 4"),
        ("Hi x{{/member}}", "{{/member}} at character 5 ends a section that was never opened"),
        ("{{#member}}{{#paid}}x{{/member}}{{/paid}}", "{{#paid}} from character 12. Write {{/paid}} first"),
        ("Hi {{#}}x{{/}}", "The section that begins at character 4 has no name"),
        ("Hi {{#if member}}x{{/if}}", "Write optional text as {{#member}}…{{/member}}"),
        ("Hi {{else}}", "another tool's condition"),
        ("Hi {{! secret }}", "Comments from other tools"),
        ("Hi {!Contact.City}", "Write {{ city }}, or"),
        ("Hi {!Contact.Citi}", "There is no column 'Citi'. Did you mean {{ city }}?"),
        ("Hi %VOUCHER%", "There is no column 'VOUCHER'. The columns are"),
        ("Hi @@city@@", "{{ city }}"),
        ("Hi #CITY#", "{{ city }}"),
        ("Hi {{ citi }}", "Did you mean {{ city }}?"),
        ("Hi {{ city | upper }}", "no filters"),
        ("Hi {{ city | default: 'x' | upcase }}", "more than one bar"),
        ("Hi {{#if city}}", "not a field"),
        ("Hi {{ city.__class__ }}", "not a field"),
        ("Hi {# city #}", "written for another tool"),
        ("Hi ${city}", "{{ city }}"),
        ("Hi {city}", "{{ city }}"),
        ("Hi [City]", "{{ city }}"),
        ("Hi <<first name>>", "{{ First Name }}"),
        ("Hi %FIRSTNAME%", "{{ First Name }}"),
        ("Hi $city", "{{ city }}"),
    ],
)
def test_a_mistake_gets_a_sentence_that_helps(template: str, says: str) -> None:
    with pytest.raises(TemplateError) as error:
        preview(template, PERSON)
    assert says in str(error.value)


def test_an_unknown_field_is_told_the_columns_of_the_sheet_before_those_that_every_list_has() -> None:
    row = {"row": "2", "phone": "+447400183645", "country": "GB", "line_type": "MOBILE", **PERSON}
    with pytest.raises(TemplateError, match="The columns are First Name, city, Blank, member, paid, row, "):
        preview("Hi {{ town }}", row)


def test_two_columns_that_a_field_fits_are_told_apart_by_their_exact_name() -> None:
    row = {"First Name": "Ann", "first_name": "Bea"}
    assert preview("{{first_name}}", row) == "Bea"
    with pytest.raises(TemplateError, match="more than one column: First Name, first_name"):
        preview("{{firstname}}", row)


SHORT = {
    "{{first_name}}": [
        *(
            "Name / First Name",
            "First name (required)",
            "first name *",
            "First Name / Prénom",
            "1. First name",
        ),
        *(
            "Vorname (optional)",
            "properties.firstname",
            "Attributes > FIRSTNAME",
            "Name / Vorname / First name",
        ),
        *(
            "Contact: Prénom*",
            "contact.properties.first_name",
            "First Name [REQUIRED]:",
            "Name / First Name#2",
        ),
    ],
    "{{ city }}": ["City *", "Customer: City", "contact.city", "1. City", "Contact » City", "Client – City"],
    "{{#vip}}Ann{{/vip}}": ["VIP (optional)", "Member | VIP", "Contact: VIP*"],
}


@each("template, column", [(template, column) for template, columns in SHORT.items() for column in columns])
def test_a_field_finds_a_column_whose_name_says_no_more(template: str, column: str) -> None:
    answer = "yes" if "#" in template else "Ann"
    assert preview(template, {column: answer}) == "Ann"
    frame = pd.DataFrame({"mobile": ["07400 123456"], column: [answer]})
    columns = guess_columns(frame).answered({}, none_of_these=True)
    people = clean_contacts(frame, country="GB", columns=columns)
    assert write_messages(people, template, campaign="Spring")["body"].tolist() == ["Ann"]
    assert aliases(people)[field_key(re.sub(r"[{}#]|Ann|/vip", "", template).strip())] == column


OF_OTHERS = [
    *("Spouse / First Name", "Emergency contact: First name", "First name (partner)", "Guest 2: First name"),
    *(
        "First name / Last name",
        "Name / Surname",
        "Contact 2: First name",
        "Mother: Prénom",
        "User: First name",
    ),
    *(
        "First Name (as on passport)",
        "Company: First Name",
        "Name / Partner's first name",
        "Driver > First name",
    ),
]


@each("column", OF_OTHERS)
def test_a_field_finds_no_column_that_may_be_of_somebody_else(column: str) -> None:
    for field in ("first_name", "last_name", "surname", "city"):
        with pytest.raises(TemplateError, match=f"There is no column '{field}'"):
            preview("{{ " + field + " }}", {column: "Ann", "Customer / City": "York"})


def test_a_field_that_fits_two_columns_alike_is_not_guessed() -> None:
    twice = {"Name / First Name": "Ann", "First name (required)": "Bea"}
    with pytest.raises(TemplateError, match="more than one column: Name / First Name, First name"):
        preview("{{first_name}}", twice)
    assert preview("{{first_name}}", {**twice, "First Name": "Cat"}) == "Cat"
    with pytest.raises(TemplateError, match=r"Did you mean.*Name / First Name"):
        preview("{{ firstnam }}", {"Name / First Name": "Ann"})


def test_fields_and_conditions_are_listed_once_in_order() -> None:
    assert parse_template("{{b}} {{a|x}} {{b}}").fields == ("b", "a")
    template = parse_template("{{#b}}{{x}}{{^a}}y{{/a}}{{/b}}{{#a}}z{{/a}}")
    assert (template.conditions, template.fields) == (("b", "a"), ("x",))


def test_a_long_name_is_not_repeated_whole() -> None:
    with pytest.raises(TemplateError) as error:
        preview("{{" + "x" * 500 + "}}", PERSON)
    assert "x" * 41 not in str(error.value)


values = st.text(st.characters(exclude_categories=("Cs", "Cn")), max_size=20)


@given(values)
def test_a_value_is_never_read_as_a_template(value: str) -> None:
    once = preview("[{{v|-}}]", {"v": "{{v}}" + value})
    assert once.startswith("[{{v}}")


def test_a_version_is_of_the_words_alone() -> None:
    version = parse_template("Caf\u00e9\n{{a}}").version
    assert version == parse_template("Cafe\u0301\r\n{{a}}").version
    assert version != parse_template("Cafe\n{{a}}").version
    assert len(version) == 16


ANSWERS = {"yes": True, "Ja": True, "1": True, "no": False, "": False, "0": False, "maybe": None}


@settings(max_examples=draws(100, 8))
@given(
    st.lists(st.tuples(st.sampled_from(list(ANSWERS)), st.sampled_from(list(ANSWERS)), values), max_size=8)
)
def test_optional_text_is_sent_where_the_column_says_yes(rows: list[tuple[str, str, str]]) -> None:
    people = pd.DataFrame(rows, columns=["a", "b", "v"], dtype="str").assign(phone="+447911123456")
    template = "{{v|-}}{{#a}} https://a.example/{{v|-}}{{^b}} x{{/b}}{{/a}}{{#b}}\u0301{{/b}}."
    messages = write_messages(people, template, campaign="x", short_link=LinkLength(20, 20))
    for (a, b, v), message in zip(rows, messages.itertuples(), strict=True):
        if ANSWERS[a] is None or ANSWERS[b] is None:
            assert message.problem == "unclear_answer"
            continue
        plain = "{{v|-}}" + (" https://a.example/{{v|-}}" + " x" * (not ANSWERS[b])) * bool(ANSWERS[a])
        plain += "\u0301" * bool(ANSWERS[b]) + "."
        one = pd.DataFrame({"phone": ["+447911123456"], "v": [v]})
        alone = write_messages(one, plain, campaign="x", short_link=LinkLength(20, 20)).iloc[0]
        for column in ("body", "characters", "characters_low", "carrier_parts", "carrier_encoding"):
            assert getattr(message, column) == alone[column], column
