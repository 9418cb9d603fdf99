"""What counts as a URL, and how short links widen the cost."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import LinkLength, find_urls, write_messages
from dashboard.errors import CampaignError
from dashboard.sandbox.contract.links import shorten


@each(
    "text, urls",
    [
        ("See https://a.example/x?y=1&z=2#top", ["https://a.example/x?y=1&z=2#top"]),
        ("HTTP://A.example and https://b.example", ["HTTP://A.example", "https://b.example"]),
        ("(https://a.example/x), https://b.example.", ["https://a.example/x", "https://b.example"]),
        ("https://a.example/it_(novel)!", ["https://a.example/it_(novel)"]),
        ("“https://a.example”", ["https://a.example"]),
        ("https://a.example\u00a0now", ["https://a.example"]),
        ("https://a.example/ü", ["https://a.example/ü"]),
        ("www.a.example, a.example and mailto:ann@a.example", []),
        ("https:// alone", []),
    ],
)
def test_what_counts_as_a_url(text: str, urls: list[str]) -> None:
    assert find_urls(text) == urls


@given(
    st.text(st.sampled_from("ab/.,)( !?htps:\n"), max_size=40),
    st.text(st.sampled_from("ab/.,!? "), max_size=40),
)
def test_urls_are_those_that_the_sandbox_shortens(before: str, after: str) -> None:
    text = f"{before}https://a.example/{after}"
    shortened: list[str] = []
    shorten(text, lambda url: shortened.append(url) or "")  # type: ignore[func-returns-value]
    assert find_urls(text) == shortened


def credits_range(body: str, **choices: object) -> tuple[int, int]:
    people = pd.DataFrame({"phone": ["+447911123456"], "v": ["x"]})
    messages = write_messages(people, body, campaign="x", **choices)  # type: ignore[arg-type]
    return int(messages["credits_low"][0]), int(messages["credits_high"][0])


URL = "https://example.com/" + "p" * 40


@each(
    "body, expected",
    [
        ("a" * 124 + " " + URL, (1, 1)),  # 125 + 35 = 160
        ("a" * 125 + " " + URL, (1, 2)),  # 126 + 35 = 161
        ("a" * 144 + " " + URL, (1, 2)),  # 145 + 15 = 160
        ("a" * 145 + " " + URL, (2, 2)),  # 146 + 15 = 161
        ("a" * 88 + f" {URL} {URL}", (1, 1)),  # 90 + 70 = 160
        ("a" * 89 + f" {URL} {URL}", (1, 2)),
        ("a" * 124 + " " + URL + "{{v}}", (1, 1)),  # the value is part of the URL
        ("a" * 124 + " " + URL + " {{v}}", (1, 2)),  # and here it is not
    ],
)
def test_a_short_link_of_15_to_35_characters_gives_a_range(body: str, expected: tuple[int, int]) -> None:
    assert credits_range(body) == expected


def test_a_known_length_gives_one_number() -> None:
    assert credits_range("a" * 130 + " " + URL, short_link=LinkLength(29, 29)) == (1, 1)
    assert credits_range("a" * 130 + " " + URL, short_link=LinkLength(30, 30)) == (2, 2)


def test_full_links_are_counted_as_they_stand() -> None:
    assert credits_range("a" * 99 + " " + URL, shorten_links=False) == (1, 1)
    assert credits_range("a" * 100 + " " + URL, shorten_links=False) == (2, 2)


fragments = st.lists(
    st.sampled_from(["https://", "http:", "//", *"saé.,() \n?/", "{{v|}}", "{{w|}}"]), max_size=12
).map("".join)
cells = st.text(st.sampled_from("htps:/a1.,() é-\u0301"), max_size=10)


@given(fragments, st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_links_are_counted_as_in_the_whole_text(template: str, values: list[tuple[str, str]]) -> None:
    people = pd.DataFrame(values, columns=["v", "w"], dtype="str").assign(phone="+447911123456")
    messages = write_messages(people, "x" + template, campaign="x", short_link=LinkLength(1, 30))
    for message in messages.itertuples():
        urls = find_urls(message.body)
        fixed = message.characters - sum(map(len, urls))
        assert message.characters_low == fixed + len(urls)
        assert message.characters_high == fixed + 30 * len(urls)


@pytest.mark.parametrize(("low", "high"), [(0, 5), (9, 8), (-1, -1)])
def test_an_impossible_length_is_refused(low: int, high: int) -> None:
    with pytest.raises(CampaignError, match=re.escape("at least one character")):
        LinkLength(low, high)
