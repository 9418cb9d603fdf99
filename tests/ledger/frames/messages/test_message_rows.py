"""Messages out of the ledger: chosen in the database, typed as declared, for pandas, Arrow and Parquet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from each import each
from fixtures_ledger import Clock, report, running, taken

from dashboard.errors import CampaignError, LedgerError
from dashboard.ledger import Ledger
from dashboard.ledger.frames.arrow import tables
from dashboard.ledger.frames.declared import SCHEMAS
from dashboard.ledger.frames.exports import EXPORTED
from dashboard.ledger.frames.typed import with_all_words
from dashboard.reports.measures.causes import CAUSE_DTYPE
from dashboard.reports.measures.stages import STAGE_DTYPE, STATE_DTYPE


@pytest.fixture(scope="module")
def two(lasting: tuple[Ledger, Clock]) -> tuple[Ledger, str, str]:
    """Two campaigns, an hour apart; of the first a batch of three was accepted, the other seven wait."""
    ledger, clock = lasting
    first = running(ledger, 10, batch_size=3)
    got = taken(ledger, first, credits_used=1)
    uuid, sent, delivered = got.messages[0].uuid, "2026-11-20T09:00:05Z", "2026-11-20T09:00:09Z"
    ledger.record_reports([report(uuid, sent_at=sent, delivered_at=delivered)])
    clock.advance(3600)
    ledger.add_opt_outs(["+447400900004"])
    return ledger, first, running(ledger, 5)


def test_messages_are_those_of_all_campaigns_or_of_one(two: tuple[Ledger, str, str]) -> None:
    ledger, first, second = two
    messages = ledger.messages()
    assert messages["campaign"].value_counts().to_dict() == {first: 10, second: 5}
    for campaign in (first, second):
        own = messages[messages["campaign"] == campaign].reset_index(drop=True)
        assert own["uuid"].tolist() == ledger.messages(campaign)["uuid"].tolist()


@each("name, words", [("state", STATE_DTYPE), ("stage", STAGE_DTYPE), ("cause", CAUSE_DTYPE)])
def test_words_stand_in_their_order_even_if_all_of_them_occur(name: str, words: pd.CategoricalDtype) -> None:
    by_letter = pd.DataFrame({name: pd.Categorical(sorted(words.categories))})
    found = with_all_words(by_letter)[name].cat
    assert (list(found.categories), found.ordered) == (list(words.categories), words.ordered)


def test_states_and_times_are_chosen(two: tuple[Ledger, str, str], lasting: tuple[Ledger, Clock]) -> None:
    (ledger, _, second), now = two, lasting[1]()
    assert ledger.messages(states=["accepted"])["row"].tolist() == [2, 3, 4]
    assert ledger.messages(states=["dropped"])["to"].tolist() == ["+447400900004"] * 2
    assert len(ledger.messages(second, states=["ready"])) == 4
    assert ledger.messages(states=["unknown"]).empty
    assert ledger.messages(states=[]).empty
    assert ledger.events(stages=[]).empty
    assert len(ledger.messages(since=now - timedelta(hours=2), until=now)) == 3
    assert ledger.messages(since=now).empty
    assert len(ledger.events(until=now)) == len(ledger.events()) == 4
    for asked in (
        lambda: ledger.messages(since=now.replace(tzinfo=None)),
        lambda: ledger.counts(now=now.replace(tzinfo=None)),
    ):
        with pytest.raises(CampaignError, match="time zone"):
            asked()


def test_columns_come_in_the_order_asked_for(two: tuple[Ledger, str, str]) -> None:
    ledger, first, _ = two
    assert list(ledger.messages(first, columns=["to", "state", "uuid"])) == ["to", "state", "uuid"]
    assert list(ledger.messages(first, columns=["to", "state", "to"])) == ["to", "state"]
    assert list(ledger.messages(columns=[])) == []
    with pytest.raises(LedgerError, match="no column 'colour'"):
        ledger.messages(columns=["colour"])
    with pytest.raises(LedgerError, match="no state 'split'"):
        ledger.messages(states=["split"])


def test_contacts_are_the_numbers_with_what_became_of_their_messages(two: tuple[Ledger, str, str]) -> None:
    contacts = two[0].contacts().set_index("phone")
    assert (len(contacts), contacts["messages"].sum()) == (10, 15)
    first = contacts.loc["+447400900000"]
    assert (first["messages"], first["delivered"], first["credits_billed"]) == (2, 1, 1)
    assert contacts["opted_out_at"].notna().sum() == 1


def test_parquet_holds_the_same_as_the_frames(two: tuple[Ledger, str, str], tmp_path: Path) -> None:
    ledger, first, second = two
    (of_one, *_) = ledger.write_parquet(tmp_path / "export", first)
    assert len(pd.read_parquet(of_one)) == 10
    files = ledger.write_parquet(tmp_path / "export")  # replaces the one before
    assert [file.stem for file in files] == list(EXPORTED)
    read = {file.stem: pd.read_parquet(file) for file in files}
    for name in ("messages", "events", "batches"):
        expected = getattr(ledger, name)()
        assert read[name].astype(object).fillna("").equals(expected.astype(object).fillna(""))
        assert list(read[name]) == [column.name for column in SCHEMAS[f"Ledger.{name}(...)"]]
    schema = pq.read_schema(tmp_path / "export" / "messages.parquet")
    assert str(schema.field("delivered_at").type) == "timestamp[us, tz=UTC]"
    assert ledger.arrow("messages", second).num_rows == 5
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="cannot be written"):
        ledger.write_parquet(tmp_path / "file" / "export")


def test_parts_are_read_in_order_with_the_same_types(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.ledger.frames.messages.message_rows.ROWS_AT_ONCE", 4)
    campaign = running(ledger, 14, batch_size=3)
    messages = ledger.messages(campaign)
    assert messages["row"].tolist() == list(range(2, 16))
    ledger.record_reports([report(uuid, network="x") for uuid in messages["uuid"][2:12]])
    assert ledger.messages(campaign)["extra"].notna().sum() == 10
    assert ledger.events(campaign)["uuid"].tolist() == messages["uuid"][2:12].tolist()
    assert tables.ROWS_AT_ONCE > 4


IN_THE_WAY: dict[str, Callable[[Path, Path], object]] = {
    "a contact sheet": lambda path, _: pd.DataFrame({"phone": ["+447400900001"]}).to_parquet(path),
    "a text": lambda path, _: path.write_text("mine"),
    "nothing yet": lambda path, _: path.write_bytes(b""),
    "a folder": lambda path, _: path.mkdir(),
    "a link to the ledger": lambda path, ledger: path.symlink_to(ledger),
    "a hard link to the ledger": lambda path, ledger: path.hardlink_to(ledger),
    "a link to a file": lambda path, ledger: path.symlink_to(ledger.with_name("kept.txt")),
}


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
@each("what", IN_THE_WAY)
def test_an_export_replaces_nothing_but_exports(ledger: Ledger, tmp_path: Path, what: str) -> None:
    file = tmp_path / "ledger.sqlite"
    (tmp_path / "kept.txt").write_text("kept")
    for name in EXPORTED if what == "a text" else ("messages",):
        folder = tmp_path / f"{what}, {name}"
        folder.mkdir()
        in_the_way = folder / f"{name}.parquet"
        IN_THE_WAY[what](in_the_way, file)
        before = None if in_the_way.is_dir() else in_the_way.read_bytes()
        with pytest.raises(LedgerError, match="is not an export"):
            ledger.write_parquet(folder)
        assert [path.name for path in folder.iterdir()] == [in_the_way.name]
        assert before is None or in_the_way.read_bytes() == before
        assert file.read_bytes().startswith(b"SQLite format 3")


def test_a_price_from_before_prices_had_six_decimals_is_rounded(ledger: Ledger) -> None:
    campaign = running(ledger, 2, price_per_credit=Decimal("0.041235"))
    with ledger.database.write() as connection:
        connection.exec_driver_sql("UPDATE campaign SET price_per_credit = '0.0412345'")
    price = Decimal("0.041235")
    assert ledger.campaigns()["price_per_credit"].tolist() == [price]
    assert ledger.messages(campaign)["price_per_credit"].tolist() == [price, price]
    assert ledger.counts(campaign)["price_per_credit"].unique().tolist() == [price]
