"""Counts, money, times and places in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from each import each

from dashboard import formatting, words
from dashboard.app.phrasing.zones import place_of, zones_by_name

BERLIN = ZoneInfo("Europe/Berlin")
TEN_IN_BERLIN = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def test_counts_have_thousands_separators_and_their_noun() -> None:
    assert words.count(1_000_000) == "1,000,000"
    assert words.count(None) == "–"
    assert words.plural(1, "{count} message", "{count} messages") == "1 message"
    assert words.plural(501, "{count} message of {whole}", "{count} messages of {whole}", whole=9) == (
        "501 messages of 9"
    )


@each(
    "part, whole, text",
    [
        (1, 3, "33.3%"),
        (3, 3, "100%"),
        (0, 3, "0%"),
        (1, 100_000, "<0.1%"),  # not nothing
        (99_999, 100_000, "99.9%"),  # not everything
        (0, 0, "–"),
    ],
)
def test_a_share_never_claims_to_be_whole_when_it_is_not(part: int, whole: int, text: str) -> None:
    assert formatting.percent(part, whole) == text


def test_money_is_written_in_its_currency() -> None:
    assert formatting.money(Decimal("72500"), "EUR") == "€72,500.00"
    assert formatting.money(Decimal("-3.1"), "GBP") == "-£3.10"
    assert formatting.money(Decimal(5), "NOK") == "NOK 5.00"
    assert formatting.money(Decimal("1250.4"), "JPY") == "¥1,250"  # a currency without a smaller coin
    assert formatting.money(None, "EUR") == "–"


@each(
    "price, currency, text",
    [
        ("0.045", "EUR", "€0.045"),
        ("0.0400", "EUR", "€0.04"),
        ("0.5", "GBP", "£0.50"),
        ("7", "JPY", "¥7"),
        ("7.25", "JPY", "¥7.25"),
        ("1E+3", "EUR", "€1,000.00"),
    ],
)
def test_the_price_of_a_credit_keeps_every_decimal(price: str, currency: str, text: str) -> None:
    assert formatting.unit_price(Decimal(price), currency) == text


def test_a_range_collapses_when_both_bounds_are_equal() -> None:
    assert formatting.money_range(Decimal(1), Decimal(1), "EUR") == "€1.00"
    assert formatting.money_range(Decimal(1), Decimal(2), "EUR") == "€1.00–€2.00"
    assert formatting.credit_count(1, 1) == "1 credit"
    assert formatting.credit_count(501, 620) == "501–620 credits"


def test_a_time_is_written_on_the_viewers_clock_and_on_both() -> None:
    """With the day where it differs, and in UTC where the zone is unknown."""
    late = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    assert formatting.moment(TEN_IN_BERLIN, BERLIN) == "20 Nov 2026, 10:00 (Europe/Berlin)"
    assert formatting.moment(None, BERLIN) == "–"
    assert formatting.clocks(TEN_IN_BERLIN, BERLIN) == "20 Nov 2026, 10:00 (Europe/Berlin) · 09:00 UTC"
    assert formatting.clocks(late, BERLIN) == "21 Nov 2026, 00:30 (Europe/Berlin) · 20 Nov 2026, 23:30 UTC"
    assert formatting.zone_of("Nowhere/Land").key == formatting.zone_of(None).key == "UTC"
    assert formatting.clocks(TEN_IN_BERLIN, formatting.zone_of(None)) == "20 Nov 2026, 09:00 (UTC)"


def test_file_sizes_are_rounded_up_to_what_a_person_compares() -> None:
    for size, said, limit in (
        (12, "1 KB", "0 KB"),
        (812_000, "812 KB", "812 KB"),
        (4_100_000, "4.1 MB", "4.1 MB"),
        (812_001, "813 KB", "812 KB"),
        (4_100_001, "4.2 MB", "4.1 MB"),
        (4_149_999, "4.2 MB", "4.1 MB"),
        (100_000_001, "100.1 MB", "100.0 MB"),
        (999_000, "999 KB", "999 KB"),
        (999_001, "1.0 MB", "999 KB"),
        (999_999, "1.0 MB", "999 KB"),
        (1_000_000, "1.0 MB", "1.0 MB"),
    ):
        assert (formatting.file_size(size), formatting.file_size(size, is_limit=True)) == (said, limit)


def test_a_span_names_a_shared_day_once() -> None:
    hours = [TEN_IN_BERLIN + timedelta(hours=hours) for hours in (8, 20)]
    said = [formatting.span(TEN_IN_BERLIN, last, BERLIN) for last in hours]
    assert said == [
        "20 Nov 2026, 10:00 to 18:00 (Europe/Berlin)",
        "20 Nov 2026, 10:00 to 21 Nov 2026, 06:00 (Europe/Berlin)",
    ]


def test_how_long_something_takes_is_rounded_up() -> None:
    said = [formatting.duration(timedelta(seconds=lasts)) for lasts in (0.2, 119, 450, 3600, 11_041)]
    assert said == ["1 second", "119 seconds", "8 minutes", "1 hour", "3 hours 5 minutes"]


@each(
    "zones, text",
    [
        ("America/New_York", "New York"),
        ("Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London", "London"),
        ("America/Boise America/Denver", "Boise and Denver"),
        ("America/Adak America/Anchorage America/Boise", "Adak and 2 more"),
        ("Europe/Jersey", "Jersey"),
        ("", "Unknown"),
    ],
)
def test_zones_are_named_by_their_places(zones: str, text: str) -> None:
    assert place_of(zones) == text


def test_zones_to_choose_from_have_one_name_each() -> None:
    zones = zones_by_name("Asia/Calcutta")
    assert all(ZoneInfo(zone).key == zone for zone in zones)
    assert {"UTC", "Europe/Amsterdam", "Asia/Kolkata", "Asia/Calcutta"} <= set(zones)
    assert not {"GB", "US/Eastern", "Etc/GMT+1", "Europe/Belfast"} & set(zones)
