"""What the length of short links is learned from, how sure it is, and when the bills contradict it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pandas as pd
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import (
    Contradiction,
    Evidence,
    LinkLength,
    carrier_parts,
    count_credits,
    learn_link_length,
    write_messages,
)
from dashboard.campaigns.length.links import replace_urls

Bill = Callable[[pd.Series], list[int]]


def bodies(count: int, seed: int, letters: str = "abc ") -> pd.Series:
    """Texts of 60 to 420 characters with one link, sometimes two, of 30 to 80."""
    chance = random.Random(seed)  # noqa: S311 - seeded

    def text() -> str:
        words = "".join(chance.choices(letters, k=chance.randrange(60, 420)))
        links = [
            "https://a.example/" + "p" * chance.randrange(12, 62) for _ in range(chance.choice([1, 1, 1, 2]))
        ]
        return " ".join([words, *links])

    return pd.Series([text() for _ in range(count)], dtype="str")


def answered(texts: pd.Series, bill: Bill, sent: pd.Series | None = None) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "body": texts,
            "sent_body": pd.Series(None, texts.index, dtype="str") if sent is None else sent,
            "credits_billed": pd.array(bill(texts), dtype="Int64"),
        }
    )


def by_contract(length: int) -> Bill:
    return lambda texts: [count_credits(text) for text in replace_urls(texts, "x" * length)]


def by_original(texts: pd.Series) -> list[int]:
    return [count_credits(text) for text in texts]


def by_carriers(texts: pd.Series) -> list[int]:
    return carrier_parts(replace_urls(texts, "x" * 22))["carrier_parts"].tolist()


def test_three_hundred_bills_tell_the_length_to_within_one_mostly() -> None:
    wide = []
    for seed in range(0, 40, 4):
        length = 10 + seed
        learned = learn_link_length(answered(bodies(300, seed), by_contract(length)))
        assert (learned.evidence, learned.contradiction) == (Evidence.CREDITS, None)
        assert learned.length.low <= length <= learned.length.high
        wide.append(max(length - learned.length.low, learned.length.high - length))
    assert sum(error <= 1 for error in wide) >= 8
    assert max(wide) <= 3


@given(st.integers(10, 50), st.integers(0, 10_000), st.integers(1, 40))
def test_the_true_length_is_never_left_out_and_more_bills_never_widen(
    length: int, seed: int, first: int
) -> None:
    messages = answered(bodies(60, seed), by_contract(length))
    early = learn_link_length(messages.head(first))
    late = learn_link_length(messages.tail(-first), known=early)
    if 15 <= length <= 35:
        assert early.length.low <= late.length.low <= length <= late.length.high <= early.length.high
    assert late.contradiction is None


def test_one_returned_text_shows_the_length_and_the_host() -> None:
    texts = bodies(3, 1)
    sent = replace_urls(texts, "https://s.example/a1b2").where(texts.index < 2)
    learned = learn_link_length(answered(texts, by_contract(22), sent))
    assert (learned.length, learned.evidence, learned.answers) == (LinkLength(22, 22), Evidence.BODIES, 2)
    assert learned.host == "s.example"
    assert learned.sentence == "Short links have 22 characters, as 2 returned texts show."


def test_short_links_without_a_scheme_are_seen_too() -> None:
    texts = pd.Series(["Look at https://a.example/long/path/to/it."])
    sent = pd.Series(["Look at s.example/a1b2."])
    learned = learn_link_length(answered(texts, by_contract(14), sent))
    assert (learned.length, learned.host) == (LinkLength(14, 14), "s.example")


def test_nothing_is_known_before_an_answer_and_what_was_stays_without_new_ones() -> None:
    known = learn_link_length(answered(bodies(300, 1), by_contract(22)))
    assert learn_link_length(answered(bodies(0, 1), by_original), known=known) == known
    learned = learn_link_length(answered(bodies(0, 1), by_original))
    assert (learned.length, learned.evidence, learned.answers) == (LinkLength(15, 35), Evidence.ASSUMED, 0)
    assert "not known yet" in learned.sentence


def test_bills_that_agree_with_what_was_shown_leave_it_shown() -> None:
    texts = bodies(300, 1)
    shown = learn_link_length(answered(texts, by_contract(22), replace_urls(texts, "x" * 22)))
    later = learn_link_length(answered(texts, by_contract(22)), known=shown)
    assert (later.length, later.evidence) == (LinkLength(22, 22), Evidence.BODIES)
    changed = learn_link_length(answered(texts, by_contract(30)), known=shown)
    assert (changed.evidence, changed.contradiction) == (Evidence.CREDITS, None)
    assert changed.length.low <= 30 <= changed.length.high


@each(
    "letters, bill, contradiction, says",
    [
        ("abc ", by_original, Contradiction.ORIGINAL_TEXT, "bills the original text"),
        ("abł ", by_carriers, Contradiction.ENCODING, "bills by an encoding"),
        ("abc ", lambda texts: [7] * len(texts), Contradiction.UNEXPLAINED, "Ask the service"),
    ],
)
def test_bills_that_no_length_explains_are_named(
    letters: str, bill: Bill, contradiction: Contradiction, says: str
) -> None:
    learned = learn_link_length(answered(bodies(300, 2, letters), bill))
    assert learned.contradiction is contradiction
    assert says in learned.sentence


def test_returned_texts_and_bills_may_contradict_each_other() -> None:
    texts = bodies(300, 3)
    learned = learn_link_length(answered(texts, by_original, replace_urls(texts, "x" * 22)))
    assert learned.contradiction is Contradiction.ORIGINAL_TEXT
    assert (learned.length.low, learned.evidence) == (22, Evidence.BODIES)


def test_a_text_without_links_can_contradict_too() -> None:
    messages = answered(pd.Series(["ł" * 100]), lambda texts: [2])
    assert learn_link_length(messages).contradiction is Contradiction.ENCODING


def test_what_was_learned_makes_the_estimate_exact() -> None:
    texts = bodies(300, 2)
    learned = learn_link_length(answered(texts, by_original))
    people = pd.DataFrame({"phone": "+447911123456", "text": texts})
    messages = write_messages(people, "{{text}}", campaign="x", short_link=learned.length)
    exact = by_original(messages["body"])
    assert messages["credits_low"].tolist() == messages["credits_high"].tolist() == exact
