"""Whatever pandas does to MESSAGES before the freeze, what was estimated is sent, or it is refused."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pandas as pd
import pytest
from each import each
from fixtures_ledger import claim
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.campaigns import (
    Handover,
    Schedule,
    Variant,
    estimate_credits,
    sendable,
    sent_with,
    write_messages,
)
from dashboard.errors import CampaignError, TemplateError
from dashboard.ledger import Ledger

PEOPLE = pd.DataFrame(
    {
        "row": range(2, 14),
        "phone": [f"+4479111234{n:02d}" for n in range(12)],
        "country": pd.Categorical(["GB"] * 12),
        "line_type": pd.Categorical(["MOBILE"] * 12),
        "name": [*"abcdefghijk", ""],
    }
)
TEXT = "Hi {{name}}, https://shop.example/sale"
VARIANTS = [
    Variant("A", TEXT, tracking="sale-a", campaign_suffix="A"),
    Variant("B", "Hello {{name}}, https://shop.example/sale", weight=2),
]
CHOICES: dict[str, dict[str, Any]] = {
    "plain": {"template": TEXT},
    "full links": {"template": TEXT, "sender": "Shop", "shorten_links": False},
    "tracked": {"template": TEXT, "sender": "Shop", "tracking": "sale"},
    "variants": {"template": VARIANTS, "sender": "Shop", "tracking": "sale"},
}


def parquet(frame: pd.DataFrame) -> pd.DataFrame:
    written = io.BytesIO()
    frame.to_parquet(written)
    return pd.read_parquet(written)


def csv(frame: pd.DataFrame) -> pd.DataFrame:
    times = {"parse_dates": ["scheduled_at"]} if frame["scheduled_at"].notna().any() else {}
    texts = {"to": str, "sender": str, "tracking": str}
    file = io.StringIO(frame.to_csv(index=False))
    return pd.read_csv(file, dtype=texts, keep_default_na=False, **times)  # type: ignore[call-overload,no-any-return]


KEEPING: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "merge": lambda m: m.merge(pd.DataFrame({"row": range(2, 14), "region": "north"}), on="row"),
    "concat of halves": lambda m: pd.concat([m.iloc[:5], m.iloc[5:]]),
    "groupby apply": lambda m: m.groupby("row", group_keys=False)[m.columns.tolist()].apply(
        lambda part: part
    ),
    "sort": lambda m: m.sort_values("to", ascending=False),
    "other index": lambda m: m.set_index(pd.Index([7] * len(m))),
    "assign": lambda m: m.assign(note="x"),
    "objects": lambda m: m.astype(dict.fromkeys(["sender", "tracking", "campaign", "variant"], object)),
    "pickle": lambda m: pickle.loads(pickle.dumps(m)),  # noqa: S301 - our own
    "parquet": parquet,
    "csv": csv,
}

AT = pd.Timestamp("2090-01-01 09:00", tz="UTC")


@cache
def written(campaign: str = "Sale", **choices: Any) -> pd.DataFrame:
    return write_messages(PEOPLE, **{"template": TEXT, **choices}, campaign=campaign)


def in_variants(campaign: str = "Sale") -> pd.DataFrame:
    return write_messages(PEOPLE, VARIANTS, campaign=campaign)


@pytest.fixture(scope="module")
def timed() -> pd.DataFrame:
    """Messages of two variants that wait here for their time."""
    schedule = Schedule(AT.to_pydatetime(), handover=Handover.HOLD)
    return write_messages(PEOPLE, VARIANTS, campaign="Sale", sender="Shop", schedule=schedule)


@each("step", KEEPING)
def test_every_step_keeps_who_gets_what_when_under_which_name(timed: pd.DataFrame, step: str) -> None:
    frame, told = timed, ["to", "body", "variant", "scheduled_at", "credits_low", "credits_high"]
    changed = KEEPING[step](frame)
    assert changed.attrs == {}
    before, after = estimate_credits(frame), estimate_credits(changed)
    figures = (before.messages, before.credits_low, before.credits_high)
    assert (after.messages, after.credits_low, after.credits_high) == figures
    kept = sendable(changed)
    assert sent_with(kept) == sent_with(sendable(frame))
    expected = frame.loc[frame["problem"].isna(), told]
    assert {*kept[told].itertuples(index=False, name=None)} == {*expected.itertuples(index=False, name=None)}


@each("choice, step", [*product(CHOICES, ["csv"]), ("variants", "objects")])
def test_what_is_sent_is_what_was_estimated(ledger: Ledger, choice: str, step: str) -> None:
    frame = write_messages(PEOPLE, **CHOICES[choice], campaign="Sale")
    campaign = ledger.create_campaign("Sale", KEEPING[step](frame), batch_size=100)
    estimate, found = estimate_credits(frame), ledger.campaign(campaign)
    figures = (estimate.messages, estimate.credits_low, estimate.credits_high)
    assert (found.recipients, found.credits_low, found.credits_high) == figures
    ledger.start(campaign)
    got = claim(ledger, campaign)
    sent = frame[frame["problem"].isna()].astype(object)
    columns = ("to", "body", "sender", "shorten_links", "tracking", "campaign")
    expected = sent[[*columns]].replace("", None).itertuples(index=False, name=None)
    assert {
        (m.to, m.body, m.sender, m.shorten_links, m.campaign_tracking, m.campaign) for m in got.messages
    } == {*expected}


NEEDED = [
    *("row", "to", "body", "characters", "credits_low", "credits_high", "scheduled_at", "problem"),
    *("country", "line_type", "variant", "sender", "shorten_links", "tracking", "campaign", "template"),
    "handover",
]


@each("column", NEEDED)
def test_a_column_that_is_gone_is_asked_for_and_not_guessed(ledger: Ledger, column: str) -> None:
    sentence = f"lack the columns {column}. Use the frame as write_messages returns it"
    for taken in (estimate_credits, lambda frame: ledger.create_campaign("Sale", frame, batch_size=10)):
        with pytest.raises(CampaignError, match=sentence):
            taken(written().drop(columns=column))


def test_hours_that_are_gone_are_not_taken_for_any_hour(ledger: Ledger) -> None:
    """As in a file that was written before there were quiet hours in the frame."""
    older = written().drop(columns="texting_hours")
    sentence = "lack the column texting_hours, .* an earlier version .* Write them again with write_messages"
    for taken in (estimate_credits, lambda frame: ledger.create_campaign("Sale", frame, batch_size=10)):
        with pytest.raises(CampaignError, match=sentence):
            taken(older)
    with pytest.raises(CampaignError, match="lack the columns row, texting_hours"):
        estimate_credits(older.drop(columns="row"))
    assert ledger.create_campaign("Sale", older.assign(texting_hours=""), batch_size=10)


NO_NUMBERS = (
    *("07911 123403", None, "+44791", "+4479111234567890", "447911123499", "\u200b+447911123499"),
    *("+4407911123499", "+44 7911123499", "+447911123499\n", "+1000000000", "+٤٤٧٩١١١٢٣٤٩٩"),
)
CELLS = [
    *(("to", number, "^Row 2: the number to text is not a valid number") for number in NO_NUMBERS),
    *(("body", empty, "^Row 2: the text is empty") for empty in ("", None)),
    ("body", "x" * 1025, "^Row 2: the text is longer than 1,024 characters"),
    *(("body", odd, "^Row 2: the text contains") for odd in ("x\ud800", "x\x00")),
]
"""A column, what stands in it in row 2, and what is said of that: only one spelling of a number is compared
with opt-outs and searched for doubles.
"""

COLUMNS: list[tuple[str, Any, str]] = [
    ("shorten_links", "False", "something other than True and False"),
    ("campaign", None, "campaign is blank"),
    *(("credits_low", none, "the credits are not whole numbers") for none in (None, 0)),
    ("credits_high", 2**62, "from 1 to 1,000"),
    ("body", "x\x00", "contains a null"),
    ("country", "Britain", "two-letter codes"),
    ("country", [["GB"]] * 12, "country contains something other"),
    *(("line_type", odd, "line_type contains something other") for odd in (5, "M" * 99)),
    *(("template", blank, "template") for blank in ("   ", "\n")),
    ("handover", "HOLD", "something other than hold, service"),
    *(("texting_hours", odd, "texting_hours") for odd in ("09:00-20:00", "always", None, 9)),
    *(
        ("texting_hours", f"{hours} Europe/London", "texting_hours")
        for hours in ("20:00:00-09:00:00 1", "09:00:00-20:00:00 8", "09:00:00-10:00:00 1 Mars/Phobos")
    ),
    ("texting_hours", "09:00:00-10:00:00 1 Europe/London Pacific/Auckland", "texting_hours"),
    *(("row", odd, "row contains something other") for odd in (1e30, "x")),
    *(("scheduled_at", at, "times without a zone") for at in (AT.tz_localize(None), "2090-01-01 09:00")),
    ("scheduled_at", pd.Timestamp("9999-12-31 23:59:59.5", tz="UTC").as_unit("us"), "years 1970 to 9998"),
]
"""A column, what stands in all of it, and what is said of that."""


def halves(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([first.head(3), second.tail(9)])


def merged(frame: pd.DataFrame, **columns: Any) -> pd.DataFrame:
    rest = frame.drop(columns=[name for name in columns if name != "row"])
    return rest.merge(pd.DataFrame(columns), on="row", how="left")


def unfit() -> Iterator[tuple[str, pd.DataFrame, str]]:
    """Frames that cannot be sent as one campaign, and why."""
    plain = written()
    for column, cell, sentence in CELLS:
        values = plain[column].astype(object)
        values[plain["row"] == 2] = cell
        yield f"{column}: {cell!r}", plain.assign(**{column: values}), sentence
    for column, value, sentence in COLUMNS:
        yield f"{column}: {value!r}", plain.assign(**{column: value}), sentence
    a, b = (f"variant == {name!r}" for name in "AB")
    ours, theirs = in_variants(), in_variants("Autumn")
    yield "another campaign", written("Autumn"), "another name"
    yield "its variant", pd.concat([ours.query(a), theirs.query(b)]), "another name"
    yield "two campaigns", halves(plain, written("Autumn")), "several campaigns"
    yield "two of variants", halves(ours, theirs), "several campaigns"
    yield "two templates", halves(plain, written(template="Hello {{name}}")), "several campaigns"
    yield "two senders", halves(written(sender="Shop"), plain), "differ in sender"
    yield "some links", halves(written(shorten_links=False), plain), "differ in shorten_links"
    yield "no links", written(tracking="x").assign(shorten_links=False), "needs short links"
    yield "nothing found", merged(plain, row=[2], shorten_links=[True]), "shorten_links is blank"
    yield "twice", merged(plain, row=[3, 3, 4]), "^Rows 3, 3: the same text goes to the same number twice"
    lists = "^Rows 3 of list 1, 3 of list 2: the same text goes to the same number twice"
    second = plain[plain["row"] == 3].assign(row=10_000_003)
    yield "twice in two lists", pd.concat([plain, second]), lists
    spelled = pd.DataFrame({"row": [2, 3], "phone": ["+24107123456", "+24177123456"]})
    yield (
        "twice in two spellings",
        write_messages(spelled, "Hi", campaign="Sale"),
        "^Rows 2, 3: the same text",
    )
    many = "^Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1 more: the number to text"
    yield "numbers as numbers", plain.assign(to=plain["to"].astype("int64").astype(object)), many
    yield "other texts", plain.assign(body=plain["body"] + "!" * 500), "was changed after it was priced"
    short = written(template="x" * 1000).assign(credits_low=1, credits_high=1)
    yield "credits of a shorter text", short, "costs more credits than its row says"
    twice = pd.concat([plain, plain[["sender"]]], axis=1)
    yield "a column twice", twice, "columns sender more than once"


@each("what, messages, sentence", unfit())
def test_what_is_unfit_is_refused(ledger: Ledger, what: str, messages: pd.DataFrame, sentence: str) -> None:
    with pytest.raises(CampaignError, match=sentence) as caught:
        ledger.create_campaign("Sale", messages, batch_size=10)
    assert "7911" not in str(caught.value)
    with ledger.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM campaign").scalar_one() == 0, what


def test_what_is_wrong_with_rows_that_have_a_problem_does_not_matter(ledger: Ledger) -> None:
    messages = written().assign(
        problem=lambda m: m["problem"].mask(m["row"] < 5, "too_often"),
        to=lambda m: m["to"].mask(m["row"] < 5, "nobody"),
    )
    campaign = ledger.create_campaign("Sale", messages, batch_size=10)
    assert ledger.messages(campaign)["row"].tolist() == list(range(5, 13))


LABELS = (
    *("007", "1.10", "1e5", "NULL", "NA", "None", "nan", "", "True", "+447911123456", "0x1F", "1_0", "Shop"),
)
READERS: dict[str, Callable[[io.StringIO], pd.DataFrame]] = {
    "as it comes": pd.read_csv,
    "numbers as text": lambda file: pd.read_csv(file, dtype={"to": str}),
    "all as text": lambda file: pd.read_csv(file, dtype=str),
    "blanks kept": lambda file: pd.read_csv(file, keep_default_na=False),
    "labels as categories": lambda file: pd.read_csv(file, dtype={"sender": "category", "to": str}),
    "as the sentence says": lambda file: pd.read_csv(
        file, dtype={"to": str, "sender": str, "tracking": str}, keep_default_na=False
    ),
}


@settings(max_examples=draws(80))
@given(st.sampled_from(LABELS), st.sampled_from(LABELS), st.sampled_from(sorted(READERS)))
def test_what_comes_back_from_csv_is_sent_as_was_or_refused(sender: str, tracking: str, reader: str) -> None:
    before = written(sender=sender, tracking=tracking)
    after = READERS[reader](io.StringIO(before.to_csv(index=False)))
    try:
        sent = sent_with(sendable(after))
    except CampaignError:
        assert reader != "as the sentence says"
    else:
        assert (sent.sender, sent.tracking) == (sender or None, tracking or None)


UNFIT: tuple[Any, ...] = (7, 1.5, True, None, float("nan"), ["Shop"], {"a": 1}, b"Shop", "   ", "\n", "a\nb")
UNFIT = (*UNFIT, "a\u2028b", "a\x00b", "a\ud800")


@each("column, unfit", product(["sender", "tracking", "campaign", "handover", "template"], UNFIT))
def test_a_label_that_is_no_plain_text_is_refused_by_its_column(column: str, unfit: object) -> None:
    if column == "template" and unfit in ("a\nb", "a\u2028b", "   ", "\n"):
        return  # a text may have lines; that one is blank is said when it is read
    with pytest.raises(CampaignError) as caught:
        sent_with(written().assign(**{column: pd.Series([unfit] * 12, dtype=object)}))
    assert column in str(caught.value)


@each(
    "name, unfit", product(["sender", "tracking", "campaign"], ["   ", "a\nb", "a\x00b", "a\ud800", "\udcff"])
)
def test_a_label_is_refused_before_anything_is_written(name: str, unfit: str) -> None:
    with pytest.raises(CampaignError):
        write_messages(PEOPLE, TEXT, **{"campaign": "Sale", name: unfit})  # type: ignore[arg-type]


@pytest.mark.parametrize("unfit", ["Hi \udcff", "Hi \x00"])
def test_half_a_character_in_a_template_is_said(unfit: str) -> None:
    with pytest.raises(TemplateError, match="half a character"):
        written(template=unfit)


@settings(max_examples=draws(60))
@given(st.integers(1, 1024), st.integers(0, 3), st.booleans(), st.integers(1, 7), st.integers(0, 3))
def test_credits_are_never_fewer_than_the_text_costs(
    length: int, links: int, shorten: bool, low: int, more: int
) -> None:
    """Counted again here: 160 for one, else 153 each; a link that is shortened is one character at least."""
    link = "https://e.example/" + "y" * 60
    body = (" ".join([link] * links) + " " + "x" * length)[:1024].strip() or "x"
    frame = (
        written()
        .head(1)
        .assign(
            body=body, characters=len(body), shorten_links=shorten, credits_low=low, credits_high=low + more
        )
    )
    at_least = len(body)
    if shorten:
        at_least = len(re.sub(r"https://\S+", "_", body))
    least = 1 if at_least <= 160 else -(-at_least // 153)
    if low < least:
        with pytest.raises(CampaignError, match="costs more credits"):
            sendable(frame)
    else:
        assert sendable(frame)["credits_low"].tolist() == [low]


def test_a_number_of_no_country_is_kept_without_one(ledger: Ledger) -> None:
    people = PEOPLE.head(1).assign(phone="+883510000000001", country="001", line_type="VOIP")
    campaign = ledger.create_campaign("Sale", write_messages(people, TEXT, campaign="Sale"), batch_size=10)
    assert ledger.messages(campaign)["country"].isna().all()
