"""Credits as the contract bills them, and what carriers make of the same text."""

from __future__ import annotations

import unicodedata

import pandas as pd
import pytest
import smsutil
from each import each
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.campaigns import (
    carrier_parts,
    carrier_view,
    count_credits,
    outside_gsm,
    to_gsm,
    write_messages,
)
from dashboard.campaigns.schema import SCHEMAS
from dashboard.errors import MessageTooLongError


@each(
    "length, credits_",
    [
        *((0, 1), (1, 1), (160, 1), (161, 2), (306, 2), (307, 3), (612, 4), (613, 5), (765, 5), (766, 6)),
        *((918, 6), (919, 7), (1024, 7)),
    ],
)
def test_credits_step_up_where_the_contract_says(length: int, credits_: int) -> None:
    assert count_credits("a" * length) == credits_


def test_a_text_over_the_limit_is_refused_with_the_cut_it_needs() -> None:
    with pytest.raises(MessageTooLongError, match=r"1,030 characters, .* Shorten it by 6\."):
        count_credits("a" * 1030)


def test_characters_are_code_points_after_normalising() -> None:
    assert count_credits("😀" * 160) == 1
    assert count_credits("e\u0301" * 160) == 1
    assert count_credits("\r\n" * 160) == 1


texts = st.text(
    st.one_of(
        st.sampled_from("abc €[]{}~^|\\😀łé\u0301\r\n"),
        # Not the escape, which smsutil takes for a letter of the alphabet, nor a null, which is refused.
        st.characters(exclude_categories=("Cs", "Cn"), exclude_characters="\x1b\x00"),
    ),
    max_size=400,
)


@given(st.lists(texts, min_size=1, max_size=6), texts)
def test_a_column_is_counted_as_each_text_is(column: list[str], literal: str) -> None:
    people = pd.DataFrame({"phone": "+447911123456", "v": column})
    template = literal.translate(dict.fromkeys(map(ord, "{}[]<>%$*(")))
    messages = write_messages(people, template + "{{v|-}}!", campaign="x", shorten_links=False)
    for body, row in zip(messages["body"], messages.itertuples(), strict=True):
        assert unicodedata.is_normalized("NFC", body)
        assert "\r" not in body
        assert row.characters == len(body)
        if row.characters <= 1024:
            assert row.credits_low == row.credits_high == count_credits(body)
        assert row.carrier_parts == len(smsutil.split(body).parts)
        assert row.carrier_encoding == ("GSM-7" if smsutil.codecs.is_valid_gsm(body) else "UCS-2")


@given(st.lists(st.text(st.sampled_from("a€"), min_size=140, max_size=330), min_size=1, max_size=5))
@example(["a" * 152 + "€" + "a" * 152])
def test_extension_characters_are_never_torn(column: list[str]) -> None:
    counted = carrier_parts(pd.Series(column))["carrier_parts"].tolist()
    assert counted == [len(smsutil.split(text).parts) for text in column]


def test_the_index_of_the_texts_is_kept() -> None:
    assert carrier_parts(pd.Series(["a", None], index=[7, 3])).index.tolist() == [7, 3]


def test_the_characters_that_force_ucs_2_are_named_most_frequent_first() -> None:
    found = outside_gsm(["Łódź", "Łoś", "plain €"])
    assert found["character"].tolist() == ["Ł", "ó", "ś", "ź"]
    assert found["texts"].tolist() == [2, 1, 1, 1]
    assert found["name"][0] == "latin capital letter l with stroke"
    assert found["replacement"].isna().all()
    assert outside_gsm("plain €").empty


def test_a_campaign_as_carriers_see_it() -> None:
    people = pd.DataFrame({"phone": "+447911123456", "v": ["Łoś " * 20, "plain", "don’t", ""]})
    view = carrier_view(write_messages(people, "{{v}}", campaign="x"))
    assert (view.ucs_2, view.parts, view.dearer) == (2, 4, 1)
    assert view.characters["character"].tolist() == ["Ł", "ś", "’"]
    for found in (view.characters, outside_gsm("plain")):
        declared = {c.name: c.dtype for c in SCHEMAS["outside_gsm(...)"]}
        assert {str(name): str(dtype) for name, dtype in found.dtypes.items()} == declared


def test_one_click_replaces_typography_and_leaves_letters() -> None:
    text = to_gsm("It\u2019s “new” \u2013 see…\u00a0\tŁ\u200b👍")
    assert text.text == 'It\'s "new" - see...  Ł👍'
    assert text.replaced == 8
    assert text.left == ("Ł", "👍")


def test_names_of_columns_are_not_replaced() -> None:
    text = to_gsm("“{{ Kunde’s name | dear “friend” }}”")
    assert text.text == '"{{ Kunde’s name | dear "friend" }}"'
    assert (text.replaced, text.left) == (4, ())


@given(texts)
def test_replacing_twice_changes_nothing_more(text: str) -> None:
    once = to_gsm(text)
    again = to_gsm(once.text)
    assert again.text == once.text
    assert again.replaced == 0
