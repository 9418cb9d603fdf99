"""Whatever pandas does to MESSAGES before the freeze, what was estimated is sent, or it is refused."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pytest
from each import each
from fixtures_ledger import claim
from fixtures_sandbox import SandboxPeer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
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
from dashboard.ledger.database import schema

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
    "outer merge": lambda m: m.merge(pd.DataFrame({"row": range(2, 14)}), on="row", how="outer"),
    "concat of halves": lambda m: pd.concat([m.iloc[:5], m.iloc[5:]]),
    "concat of groups": lambda m: pd.concat([part for _, part in m.groupby("to")]),
    "groupby apply": lambda m: m.groupby("row", group_keys=False)[m.columns.tolist()].apply(
        lambda part: part
    ),
    "sort": lambda m: m.sort_values("to", ascending=False),
    "sample": lambda m: m.sample(frac=1, random_state=1),
    "reset_index": lambda m: m.reset_index(drop=True),
    "other index": lambda m: m.set_index(pd.Index([7] * len(m))),
    "copy": lambda m: m.copy(),
    "assign": lambda m: m.assign(note="x"),
    "objects": lambda m: m.astype(dict.fromkeys(["sender", "tracking", "campaign", "variant"], object)),
    "pickle": lambda m: pickle.loads(pickle.dumps(m)),  # noqa: S301 - our own
    "parquet": parquet,
    "csv": csv,
}

Wire = set[tuple[str, str, str | None, bool, str | None, str]]


def estimated(messages: pd.DataFrame) -> Wire:
    """What the frame of write_messages says that is sent."""
    sent = messages[messages["problem"].isna()].astype(object)
    sent = sent.assign(**{name: sent[name].replace("", None) for name in ("sender", "tracking")})
    columns = ("to", "body", "sender", "shorten_links", "tracking", "campaign")
    return set(zip(*(sent[name] for name in columns), strict=True))


def sent_by(ledger: Ledger, campaign: str, sandbox: SandboxPeer) -> Wire:
    """What the service was told, as it has it in its own books, the tracking and links as they left us."""
    ledger.start(campaign)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    with sandbox.service() as service:
        answers = {message.uuid: message for message in service.send_bulk(got.messages)}
    assert len(answers) == len(got.messages)
    for told in got.messages:
        kept = answers[told.uuid or ""]
        assert (kept.to, kept.sender, kept.campaign) == (told.to, told.sender or "Sandbox", told.campaign)
        assert (kept.body == told.body) is not told.shorten_links
        if told.shorten_links:
            link = kept.body[kept.body.index("http") :]
            assert sandbox.http.get(link).headers["Location"] == tracked(told.campaign_tracking)
    return {
        (m.to, m.body, m.sender, m.shorten_links, m.campaign_tracking, m.campaign or "") for m in got.messages
    }


def tracked(tracking: str | None) -> str:
    return "https://shop.example/sale" + (f"?svc_campaign={tracking}" if tracking else "")


@settings(max_examples=draws(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(CHOICES)), st.lists(st.sampled_from(sorted(KEEPING)), max_size=3))
def test_what_is_sent_is_what_was_estimated(sandbox: SandboxPeer, choice: str, steps: list[str]) -> None:
    written = write_messages(PEOPLE, **CHOICES[choice], campaign="Sale")
    messages = written
    for step in steps:
        messages = KEEPING[step](messages)
    assert messages.attrs == {}
    before, after = estimate_credits(written), estimate_credits(messages)
    assert (before.messages, before.credits_low, before.credits_high) == (
        after.messages,
        after.credits_low,
        after.credits_high,
    )
    with TemporaryDirectory() as folder:
        ledger = Ledger.open(f"sqlite:///{Path(folder) / 'ledger.sqlite'}")
        campaign = ledger.create_campaign("Sale", messages, batch_size=100)
        kept = ledger.campaign(campaign)
        assert (kept.recipients, kept.credits_low, kept.credits_high) == (
            before.messages,
            before.credits_low,
            before.credits_high,
        )
        assert sent_by(ledger, campaign, sandbox) == estimated(written)
        ledger.close()


def test_every_step_keeps_variants_and_times_on_both_databases(ledger: Ledger) -> None:
    at = pd.Timestamp("2090-01-01 09:00", tz="UTC")
    schedule = Schedule(at.to_pydatetime(), handover=Handover.HOLD)
    written = write_messages(PEOPLE, VARIANTS, campaign="Sale", sender="Shop", schedule=schedule)
    sent = written[written["problem"].isna()]
    for step, change in KEEPING.items():
        campaign = ledger.create_campaign("Sale", change(written), batch_size=100)
        kept = ledger.messages(campaign)
        assert set(zip(kept["to"], kept["body"], kept["variant"], strict=True)) == set(
            zip(sent["to"], sent["body"], sent["variant"], strict=True)
        ), step
        assert (kept["scheduled_at"] == at).all(), step
        with ledger.database.read() as connection:
            held = select(schema.batch.c.due_at).where(schema.batch.c.campaign_id == campaign)
            assert connection.execute(held).scalars().all() == [at], step
        assert ledger.campaign(campaign).sender == "Shop", step


NEEDED = [
    *("row", "to", "body", "characters", "credits_low", "credits_high", "scheduled_at", "problem"),
    *("country", "line_type", "variant", "sender", "shorten_links", "tracking", "campaign", "template"),
    "handover",
]


@pytest.mark.parametrize("column", NEEDED)
def test_a_column_that_is_gone_is_asked_for_and_not_guessed(sqlite_ledger: Ledger, column: str) -> None:
    messages = write_messages(PEOPLE, TEXT, campaign="Sale").drop(columns=column)
    sentence = f"lack the columns {column}. Use the frame as write_messages returns it"
    with pytest.raises(CampaignError, match=sentence):
        sqlite_ledger.create_campaign("Sale", messages, batch_size=10)
    with pytest.raises(CampaignError, match=sentence):
        estimate_credits(messages)


def test_hours_that_are_gone_are_not_taken_for_any_hour(sqlite_ledger: Ledger) -> None:
    """As in a file that was written before there were quiet hours in the frame."""
    messages = write_messages(PEOPLE, TEXT, campaign="Sale")
    older = messages.drop(columns="texting_hours")
    sentence = "lack the column texting_hours, .* an earlier version .* Write them again with write_messages"
    with pytest.raises(CampaignError, match=sentence):
        sqlite_ledger.create_campaign("Sale", older, batch_size=10)
    with pytest.raises(CampaignError, match=sentence):
        estimate_credits(older)
    with pytest.raises(CampaignError, match="lack the columns row, texting_hours"):
        estimate_credits(older.drop(columns="row"))
    assert sqlite_ledger.create_campaign("Sale", older.assign(texting_hours=""), batch_size=10)


def written(campaign: str = "Sale", **choices: Any) -> pd.DataFrame:
    return write_messages(PEOPLE, **{"template": TEXT, **choices}, campaign=campaign)


MIXED: dict[str, tuple[Callable[[], pd.DataFrame], str]] = {
    "two campaigns": (lambda: pd.concat([written().head(3), written("Autumn").tail(9)]), "several campaigns"),
    "two campaigns of variants": (
        lambda: pd.concat([written(template=VARIANTS).head(3), written("Autumn", template=VARIANTS).tail(9)]),
        "several campaigns",
    ),
    "another campaign's variant": (
        lambda: pd.concat(
            [
                written(template=VARIANTS).query("variant == 'A'"),
                written("Autumn", template=VARIANTS).query("variant == 'B'"),
            ]
        ),
        "another name",
    ),
    "another campaign": (lambda: written("Autumn"), "another name"),
    "two templates": (
        lambda: pd.concat([written().head(3), written(template="Hello {{name}}").tail(9)]),
        "several campaigns",
    ),
    "two senders": (
        lambda: pd.concat([written(sender="Shop").head(3), written().tail(9)]),
        "differ in sender",
    ),
    "some links shortened": (
        lambda: pd.concat([written(shorten_links=False).head(3), written().tail(9)]),
        "differ in shorten_links",
    ),
    "tracking without links": (
        lambda: written(tracking="x").assign(shorten_links=False),
        "needs short links",
    ),
    "a merge that found nothing": (
        lambda: (
            written()
            .drop(columns="shorten_links")
            .merge(pd.DataFrame({"row": [2], "shorten_links": [True]}), how="left")
        ),
        "shorten_links is blank",
    ),
    "links as words": (
        lambda: written().assign(shorten_links="False"),
        "something other than True and False",
    ),
    "no campaign": (lambda: written().assign(campaign=None), "campaign is blank"),
    "a merge that multiplied rows": (
        lambda: written().merge(pd.DataFrame({"row": [3, 3, 4]}), on="row", how="left"),
        "^Rows 3, 3: the same text goes to the same number twice",
    ),
    "a national number": (
        lambda: written().assign(to=lambda m: m["to"].mask(m["row"] == 5, "07911 123403")),
        "^Row 5: the number to text is not a valid number",
    ),
    "numbers as numbers": (
        lambda: written().assign(to=lambda m: m["to"].astype("int64").astype(object)),
        "^Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1 more: the number to text",
    ),
    "a number that is missing": (
        lambda: written().assign(to=lambda m: m["to"].mask(m["row"] == 2)),
        "^Row 2: the number to text",
    ),
    "a number that is too short": (
        lambda: written().assign(to=lambda m: m["to"].mask(m["row"] == 2, "+44791")),
        "^Row 2: the number to text",
    ),
    "a number that is too long": (
        lambda: written().assign(to=lambda m: m["to"].mask(m["row"] == 2, "+4479111234567890")),
        "^Row 2: the number to text",
    ),
    "digits of another script": (
        lambda: written().assign(to=lambda m: m["to"].mask(m["row"] == 2, "+٤٤٧٩١١١٢٣٤٠٠")),
        "^Row 2: the number to text",
    ),
    "an empty text": (
        lambda: written().assign(body=lambda m: m["body"].mask(m["row"] == 2, "")),
        "^Row 2: the text is empty",
    ),
    "a missing text": (
        lambda: written().assign(body=lambda m: m["body"].mask(m["row"] == 2)),
        "^Row 2: the text is empty",
    ),
    "a long text": (
        lambda: written().assign(body=lambda m: m["body"].mask(m["row"] == 2, "x" * 1025)),
        "^Row 2: the text is longer than 1,024 characters",
    ),
    "half a character": (
        lambda: written().assign(body=lambda m: m["body"].astype(object).mask(m["row"] == 2, "x\ud800")),
        "^Row 2: the text contains",
    ),
    "a null": (
        lambda: written().assign(body=lambda m: m["body"].mask(m["row"] == 2, "x\x00")),
        "^Row 2: the text contains",
    ),
    "a text changed after it was priced": (
        lambda: written().assign(body=lambda m: m["body"] + "!" * 500),
        "was changed after it was priced",
    ),
    "no credits": (lambda: written().assign(credits_high=None), "the credits are not whole numbers"),
    "credits of a shorter text": (
        lambda: written("Sale", template="x" * 1000).assign(credits_low=1, credits_high=1),
        "costs more credits than its row says",
    ),
    "credits beyond all texts": (lambda: written().assign(credits_high=2**62), "from 1 to 1,000"),
    "a column that is there twice": (
        lambda: pd.concat([written(), written()[["sender"]]], axis=1),
        "columns sender more than once",
    ),
    "countries as names": (lambda: written().assign(country="Britain"), "two-letter codes"),
    "countries as lists": (
        lambda: written().assign(country=[["GB"]] * 12),
        "country contains something other",
    ),
    "kinds of line as numbers": (lambda: written().assign(line_type=5), "line_type contains something other"),
    "kinds of line that are long": (
        lambda: written().assign(line_type="M" * 99),
        "line_type contains something",
    ),
    "a handover in capitals": (
        lambda: written().assign(handover="HOLD"),
        "something other than hold, service",
    ),
    "rows beyond all sheets": (lambda: written().assign(row=1e30), "row contains something other"),
    "times beyond the calendar": (
        lambda: written().assign(
            scheduled_at=pd.Series([pd.Timestamp("9999-12-31 23:59:59.5", tz="UTC")] * 12).dt.as_unit("us")
        ),
        "years 1970 to 9998",
    ),
    "free messages": (lambda: written().assign(credits_low=0), "the credits are not whole numbers"),
    "rows that are words": (lambda: written().assign(row="x"), "row contains something other"),
    "times without a zone": (
        lambda: written().assign(scheduled_at=pd.Timestamp("2090-01-01 09:00")),
        "times without a zone",
    ),
    "times as words": (lambda: written().assign(scheduled_at="2090-01-01 09:00"), "times without a zone"),
}


@each("mixture", MIXED)
def test_what_cannot_be_sent_as_one_campaign_is_refused(sqlite_ledger: Ledger, mixture: str) -> None:
    make, sentence = MIXED[mixture]
    with pytest.raises(CampaignError, match=sentence) as caught:
        sqlite_ledger.create_campaign("Sale", make(), batch_size=10)
    assert "7911" not in str(caught.value)
    assert sqlite_ledger.campaigns().empty


def test_what_is_wrong_with_rows_that_have_a_problem_does_not_matter(sqlite_ledger: Ledger) -> None:
    messages = written().assign(
        problem=lambda m: m["problem"].mask(m["row"] < 5, "too_often"),
        to=lambda m: m["to"].mask(m["row"] < 5, "nobody"),
    )
    campaign = sqlite_ledger.create_campaign("Sale", messages, batch_size=10)
    assert sqlite_ledger.messages(campaign)["row"].tolist() == list(range(5, 13))


SPELLINGS = (
    "+44{0}",
    "+440{0}",
    "+44 {0}",
    "+44{0}\n",
    "+44{1}",
    "+1000000000",
    "+{2}",
    "44{0}",
    "\u200b+44{0}",
)


@settings(max_examples=draws(60))
@given(st.integers(7911123400, 7911123499), st.sampled_from(SPELLINGS))
def test_only_the_one_spelling_of_a_valid_number_is_taken(national: int, spelling: str) -> None:
    """Another one would pass the opt-out list and the search for doubles, which compare letter by letter."""
    arabic = f"44{national}".translate({ord("0") + n: 0x660 + n for n in range(10)})
    to = spelling.format(national, str(national)[:-2], arabic)
    frame = written().assign(
        to=lambda m: m["to"].mask(m["row"] == 2, to).mask(m["row"] == 3, f"+44{national}")
    )
    alone = frame[frame["row"] == 2]
    if to == f"+44{national}":
        assert sendable(alone)["to"].tolist() == [to]
    else:
        with pytest.raises(CampaignError, match=r"^Row 2: the number to text is not a valid number"):
            sendable(alone)


LABELS = (
    "007",
    "1.10",
    "1e5",
    "NULL",
    "NA",
    "None",
    "nan",
    "",
    "True",
    "+447911123456",
    "0x1F",
    "1_0",
    "Shop",
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
def test_what_comes_back_from_csv_is_sent_as_it_was_or_refused(
    sender: str, tracking: str, reader: str
) -> None:
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


@pytest.fixture(scope="module")
def plain() -> pd.DataFrame:
    return written()


@each("column, unfit", product(["sender", "tracking", "campaign", "handover", "template"], UNFIT))
def test_a_label_that_is_no_plain_text_is_refused_by_its_column(
    ledger: Ledger, plain: pd.DataFrame, column: str, unfit: object
) -> None:
    if column == "template" and unfit in ("a\nb", "a\u2028b"):
        return  # a text may have lines
    frame = plain.assign(**{column: pd.Series([unfit] * 12, dtype=object)})
    with pytest.raises(CampaignError) as caught:
        ledger.create_campaign("Sale", frame, batch_size=10)
    assert column in str(caught.value)
    assert ledger.campaigns().empty


@pytest.mark.parametrize("name", ["sender", "tracking", "campaign"])
@pytest.mark.parametrize("unfit", ["   ", "a\nb", "a\x00b", "a\ud800", "\udcff"])
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


@pytest.fixture
def sqlite_ledger(sqlite_url: str) -> Any:
    ledger = Ledger.open(sqlite_url)
    yield ledger
    ledger.close()
