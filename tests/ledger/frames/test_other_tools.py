"""The ledger's files and frames in DuckDB, polars, pandas and Arrow: the same types, whatever is in them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from fixtures_ledger import Clock, messages_frame, report, running, taken

from dashboard.campaigns import Prices
from dashboard.campaigns.cost.money import MONEY
from dashboard.ledger import Ledger
from dashboard.ledger.frames.declared import SCHEMAS
from dashboard.ledger.frames.exports import EXPORTED
from dashboard.reports import stages

FRAMES = {
    "messages": "Ledger.messages(...)",
    "campaigns": "Ledger.campaigns()",
    "batches": "Ledger.batches(...)",
    "contacts": "Ledger.contacts()",
    "events": "Ledger.events(...)",
}


@pytest.fixture(scope="module")
def months(lasting: tuple[Ledger, Clock], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Exports of three months: of nothing, of prices by country, and of one price with opt-outs."""
    ledger, clock = lasting
    tmp_path = tmp_path_factory.mktemp("months")
    folders = [tmp_path / name for name in ("empty", "listed", "priced")]
    ledger.write_parquet(folders[0])
    lists = Prices({"GB": Decimal("0.0425")}, None, "EUR")
    for folder, options in zip(
        folders[1:], ({"prices": lists}, {"price_per_credit": Decimal("0.017")}), strict=True
    ):
        clock.advance(30 * 86_400)
        campaign = running(ledger, 4, batch_size=2, **options)
        taken(ledger, campaign, credits_used=2)
        ledger.write_parquet(folder, campaign)
    return folders


def test_no_type_depends_on_what_is_in_a_file(months: list[Path]) -> None:
    for name in EXPORTED:
        schemas = [pq.read_schema(folder / f"{name}.parquet").remove_metadata() for folder in months]
        assert schemas[0] == schemas[1] == schemas[2], name
        assert not any(pa.types.is_null(field.type) for field in schemas[0])
        assert schemas[0].names == [column.name for column in SCHEMAS[FRAMES[name]]]
    for column in ("price_per_credit", "cost_billed"):
        assert pq.read_schema(months[0] / "messages.parquet").field(column).type == MONEY


def test_money_is_added_up_exactly_by_everyone(lasting: tuple[Ledger, Clock], months: list[Path]) -> None:
    """2 messages × 2 credits, at 0.0425 and at 0.017."""
    files = [folder / "messages.parquet" for folder in months]
    expected = 4 * Decimal("0.0425") + 4 * Decimal("0.017")
    query = "SELECT sum(price_per_credit * credits_billed), sum(cost_billed) FROM read_parquet(?)"
    with duckdb.connect() as database:
        sums = database.execute(query, [[str(file) for file in files]]).fetchall()
    assert sums == [(expected, expected)]
    product = pl.col("price_per_credit") * pl.col("credits_billed")
    for frame in (pl.concat([pl.read_parquet(file) for file in files]), pl.scan_parquet(files).collect()):
        assert frame.select(product.sum(), pl.col("cost_billed").sum()).row(0) == (expected, expected)
    tables = [pq.read_table(file) for file in files]
    assert pa.concat_tables(tables).column("cost_billed").combine_chunks().sum().as_py() == expected
    assert ds.dataset(files).to_table(columns=["cost_billed"]).num_rows == 8
    read = pd.concat([pd.read_parquet(file, dtype_backend="pyarrow") for file in files])
    assert (read["price_per_credit"] * read["credits_billed"]).sum() == read["cost_billed"].sum() == expected
    frame = lasting[0].messages()  # goes straight into them, too
    assert (frame["price_per_credit"] * frame["credits_billed"]).sum() == frame["cost_billed"].sum()
    query = "SELECT campaign_name, currency, sum(price_per_credit * credits_billed) FROM frame GROUP BY ALL"
    with duckdb.connect() as database:
        by_duckdb = database.execute(query).fetchall()
    by_polars = pl.from_pandas(frame).group_by("campaign_name", "currency").agg(product.sum()).rows()
    assert by_duckdb == by_polars == [("Spring", "EUR", expected)]
    assert pl.from_pandas(lasting[0].campaigns())["cost_billed"].sum() == expected


def test_messages_say_their_stage_campaign_and_bill(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 4, batch_size=2, price_per_credit="0.045", currency="CHF")
    got = taken(ledger, campaign, credits_used=3)
    sent = clock().isoformat()
    ledger.record_reports([report(got.messages[0].uuid, sent_at=sent, delivered_at=sent)])
    found = ledger.messages(campaign)
    assert found["stage"].tolist() == ["delivered", "accepted", "not sent yet", "not sent yet"]
    assert found["stage"].cat.ordered
    pd.testing.assert_series_equal(found["stage"], stages(found, now=clock()))
    assert set(found["campaign_name"]) == {"Spring"}
    assert set(found["currency"]) == {"CHF"}
    assert found["cost_billed"].dropna().tolist() == [Decimal("0.135")] * 2
    own = ledger.messages(campaign, columns=["stage", "cost_billed"])
    pd.testing.assert_frame_equal(own, found[["stage", "cost_billed"]])
    at = pd.Timestamp(clock() + timedelta(hours=2)).as_unit("us")
    frame = messages_frame(1, scheduled_at=pd.Series([at]))
    timed = ledger.create_campaign("Spring", frame, batch_size=1)
    assert ledger.messages(timed)["stage"].tolist() == ["scheduled"]
    clock.advance(3 * 3600)
    assert ledger.messages(timed)["stage"].tolist() == ["not sent yet"], "that of the time of reading"
