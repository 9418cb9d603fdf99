"""Guards: the same campaign twice, too many texts, and texts that nobody can stop."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import (
    Hint,
    Schedule,
    cap_frequency,
    content_fingerprint,
    estimate_credits,
    explain_hint,
    marketing_hints,
    parse_template,
    write_messages,
)
from dashboard.errors import CampaignError

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
KEY = b"a secret of this installation"
PHONES = pd.Series(["+447911123456", "+447911123457", "+447911123458"])


def test_the_same_people_and_text_have_the_same_fingerprint() -> None:
    mark = content_fingerprint(PHONES, "Hi {{name}}", key=KEY)
    assert mark == content_fingerprint(PHONES[::-1], "Hi {{name}}", key=KEY)
    assert mark == content_fingerprint(pd.concat([PHONES, PHONES]), "Hi {{name}}", key=KEY)
    assert content_fingerprint(PHONES, "a\r\nb", key=KEY) == content_fingerprint(PHONES, "a\nb", key=KEY)
    assert content_fingerprint(PHONES, ["A", "B"], key=KEY) == content_fingerprint(
        PHONES, ["B", "A"], key=KEY
    )


def test_anything_else_has_another_fingerprint() -> None:
    marks = {
        content_fingerprint(PHONES, "Hi", key=KEY),
        content_fingerprint(PHONES, "Hi", key=b"another"),
        content_fingerprint(PHONES, "Hi!", key=KEY),
        content_fingerprint(PHONES, ["Hi", "Hi!"], key=KEY),
        content_fingerprint(PHONES.head(2), "Hi", key=KEY),
        content_fingerprint(PHONES.head(0), "Hi", key=KEY),
    }
    assert len(marks) == 6
    assert all("7911" not in mark and len(mark) == 64 for mark in marks)


def sent(*texts: tuple[int, datetime]) -> pd.DataFrame:
    frame = pd.DataFrame(texts, columns=["person", "at"])
    at = pd.to_datetime(frame["at"], utc=True).astype("datetime64[us, UTC]")
    return pd.DataFrame({"to": frame["person"].map(PHONES).astype("str"), "at": at})


def test_a_scheduled_text_counts_at_its_time() -> None:
    at = datetime(2090, 1, 1, tzinfo=UTC)
    messages = write_messages(pd.DataFrame({"phone": PHONES}), "Hi", campaign="x", schedule=Schedule(at))
    before = sent((0, NOW), (1, at + timedelta(hours=1)))
    capped = cap_frequency(messages, before, at_most=1, within=timedelta(days=1), now=NOW)
    assert capped["problem"].notna().tolist() == [False, True, False]


def test_who_got_too_many_texts_costs_nothing_and_other_problems_stay() -> None:
    messages = write_messages(pd.DataFrame({"phone": PHONES, "v": ["", "a", "b"]}), "{{v}}", campaign="x")
    before = messages.copy()
    capped = cap_frequency(messages, sent((0, NOW), (1, NOW)), at_most=1, within=timedelta(days=1), now=NOW)
    assert capped["problem"].astype("str").fillna("").tolist() == ["empty_field", "too_often", ""]
    assert estimate_credits(capped).credits_high == 1
    assert capped.dtypes.equals(messages.dtypes)
    pd.testing.assert_frame_equal(messages, before)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(-400, 400)), max_size=30),
    st.integers(1, 5),
    st.integers(1, 200),
)
def test_the_cap_is_what_counting_one_by_one_gives(
    texts: list[tuple[int, int]], at_most: int, hours: int
) -> None:
    before = sent(*((person, NOW + timedelta(hours=offset)) for person, offset in texts))
    messages = write_messages(pd.DataFrame({"phone": PHONES}), "Hi", campaign="x")
    capped = cap_frequency(messages, before, at_most=at_most, within=timedelta(hours=hours), now=NOW)
    for person in range(3):
        near = sum(1 for other, offset in texts if other == person and abs(offset) < hours)
        assert (capped["problem"][person] == "too_often") == (near >= at_most)


def test_the_cap_counts_a_person_in_every_spelling_of_their_number() -> None:
    to = ["+24107123456", "+24177123456", "+5491123456789", "+447911123456", "n/a", None]
    earlier = ["+24177123456", "+541123456789", "+447911123457", "unknown", None]
    messages = write_messages(pd.DataFrame({"phone": to}), "Hi", campaign="x").assign(problem=None)
    before = pd.DataFrame({"to": earlier, "at": pd.Timestamp(NOW)})
    capped = cap_frequency(messages, before, at_most=1, within=timedelta(days=1), now=NOW)
    assert capped["problem"].notna().tolist() == [True, True, True, False, False, False]


def test_a_cap_of_none_is_refused() -> None:
    messages = write_messages(pd.DataFrame({"phone": PHONES}), "Hi", campaign="x")
    with pytest.raises(CampaignError, match="1 or more"):
        cap_frequency(messages, sent(), at_most=0, within=timedelta(days=1))


@each(
    "text, sender, hints",
    [
        ("Sale! Reply STOP to opt out", "+447911123456", ()),
        ("Sale! Text STOP to 60777", "Shop", ()),
        ("Sale! Abmelden: https://s.example/x", "Shop", ()),
        ("Soldes ! ARRÊT au 36180", "Shop", ()),
        ("Sale! Reply STOP to opt out", "Shop", (Hint.CANNOT_REPLY,)),
        ("Sale! Reply “stop” to end", None, ()),
        ("Sale! Stop by our shop", None, (Hint.NO_WAY_OUT,)),
        ("Sale today, non-stop", None, (Hint.NO_WAY_OUT,)),
        ("Sale {{stop}}", None, (Hint.NO_WAY_OUT,)),
        ("Unstoppable sale", None, (Hint.NO_WAY_OUT,)),
        ("Sale{{#member}}, STOP to end{{/member}}", None, (Hint.NOT_FOR_ALL,)),
    ],
)
def test_marketing_says_how_to_stop_it(text: str, sender: str | None, hints: tuple[Hint, ...]) -> None:
    assert marketing_hints(parse_template(text), sender=sender) == hints


def test_every_hint_has_a_sentence() -> None:
    assert all(explain_hint(code).endswith(".") for code in Hint)
