"""Templates through the public door: what is accepted, and the sentence for what is not."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import parse_template, preview, write_messages
from dashboard.errors import TemplateError

PERSON = {"First Name": "Ann", "city": "York", "Blank": " "}


@pytest.mark.parametrize(
    ("template", "text"),
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
        ("No field, 100% (really) <3 [sic] {note}", "No field, 100% (really) <3 [sic] {note}"),
    ],
)
def test_a_field_is_filled_in(template: str, text: str) -> None:
    assert preview(template, PERSON) == text


@pytest.mark.parametrize(
    ("template", "says"),
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
        ("Hi {{ town }}", "The columns are First Name, city, Blank"),
        ("Hi {{ citi }}", "Did you mean {{ city }}?"),
        ("Hi {{ city | upper }}", "no filters"),
        ("Hi {{ city | default: 'x' | upcase }}", "more than one bar"),
        ("Hi {{#if city}}", "not a field"),
        ("Hi {{ city.__class__ }}", "not a field"),
        ("Hi {# city #}", "template engine"),
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


def test_two_columns_that_a_field_fits_are_told_apart_by_their_exact_name() -> None:
    row = {"First Name": "Ann", "first_name": "Bea"}
    assert preview("{{first_name}}", row) == "Bea"
    with pytest.raises(TemplateError, match="more than one column: First Name, first_name"):
        preview("{{firstname}}", row)


def test_fields_are_listed_once_in_order() -> None:
    assert parse_template("{{b}} {{a|x}} {{b}}").fields == ("b", "a")


def test_a_long_name_is_not_repeated_whole() -> None:
    with pytest.raises(TemplateError) as error:
        preview("{{" + "x" * 500 + "}}", PERSON)
    assert "x" * 41 not in str(error.value)


values = st.text(st.characters(exclude_categories=("Cs", "Cn")), max_size=20)


@given(values)
def test_a_value_is_never_read_as_a_template(value: str) -> None:
    once = preview("[{{v|-}}]", {"v": "{{v}}" + value})
    assert once.startswith("[{{v}}")


@given(st.lists(values, min_size=1, max_size=5))
def test_rows_do_not_influence_each_other(column: list[str]) -> None:
    people = pd.DataFrame({"phone": "+447911123456", "v": column})
    together = write_messages(people, "Hi {{v|there}}!", campaign="x")["body"].tolist()
    assert together == [preview("Hi {{v|there}}!", {"v": value}) for value in column]
