"""Time zones of numbers: the country's, then what the library says of every one, for whole columns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import pandas as pd
import phonenumbers
import pytest
from babel.core import get_global
from each import each
from phone_samples import metadata_examples, mixed_column
from phonenumbers import PhoneNumberType
from phonenumbers.timezone import UNKNOWN_TIMEZONE, time_zones_for_number

from dashboard.contacts import clean_phones
from dashboard.phones.zones import zones_of_phones

NOW = datetime.now(UTC)
SHARE = {"EH", "MF", "SJ"}
"""Regions whose numbers the library takes for their neighbours'."""


def by_library(phone: str) -> list[str]:
    zones = time_zones_for_number(phonenumbers.parse(phone))
    return [] if zones == (UNKNOWN_TIMEZONE,) else list(zones)


def by_country() -> dict[str, set[str]]:
    """The zones of each country, as Unicode's locale data lists them."""
    found: dict[str, set[str]] = {}
    for zone, country in get_global("zone_territories").items():
        if country != "001":
            found.setdefault(country, set()).add(zone)
    return found


@cache
def offsets(zone: str) -> tuple[timedelta | None, ...]:
    """How far a clock is from UTC, every six hours of the year to come."""
    clock = ZoneInfo(zone)
    return tuple((NOW + timedelta(hours=hour)).astimezone(clock).utcoffset() for hour in range(0, 8784, 6))


def examples() -> Iterator[tuple[str, str]]:
    """A number of every kind of every region, and the region that the library says it is of."""
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        for kind in PhoneNumberType.values():
            number = phonenumbers.example_number_for_type(region, kind)
            if number is not None and phonenumbers.region_code_for_number(number):
                phone = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
                yield phone, phonenumbers.region_code_for_number(number)


@each(
    "phone, zones",
    [
        ("+77012345678", "Asia/Almaty"),  # the library: 16, from Bucharest to Anadyr
        ("+77172123456", "Asia/Almaty"),  # a landline in Astana
        ("+447400123456", "Europe/London"),
        ("+447781123456", "Europe/Guernsey"),
        ("+447797712345", "Europe/Jersey"),
        ("+447924123456", "Europe/London"),  # the Isle of Man: the library cannot tell
        ("+4915123456789", "Europe/Berlin"),  # Busingen's clock says the same
        ("+4741234567", "Europe/Oslo"),
        ("+358412345678", "Europe/Helsinki"),
        ("+393123456789", "Europe/Rome"),
        ("+390669812345", "Europe/Vatican"),
        ("+262692123456", "Indian/Reunion"),
        ("+262639012345", "Indian/Mayotte"),
        ("+590690001234", "America/Guadeloupe"),
        ("+5993181234", "America/Kralendijk"),
        ("+59995181234", "America/Curacao"),
        ("+212650123456", "Africa/Casablanca"),
        ("+18764123456", "America/Jamaica"),
        ("+12423591234", "America/Nassau"),
        (
            "+5491123456789",
            "America/Argentina/Buenos_Aires",
        ),  # a name of now, where the library has an old one
        ("+380501234567", "Europe/Kyiv"),  # not Simferopol
        ("+38344123456", "Europe/Belgrade"),  # Kosovo: the database lists no zone, so the library's
        ("+34612345678", "Europe/Madrid Atlantic/Canary"),
        ("+34928123456", "Atlantic/Canary"),
        ("+351912345678", "Europe/Lisbon Atlantic/Azores"),
        ("+299221234", "America/Nuuk America/Scoresbysund America/Thule"),
        ("+12085550123", "America/Boise America/Los_Angeles"),
    ],
)
def test_the_country_of_a_number_says_which_clocks_it_may_have(phone: str, zones: str) -> None:
    (found,) = zones_of_phones(pd.Series([phone], dtype="str"))
    assert set(found.split()) == set(zones.split())


def test_no_number_of_any_region_is_in_a_zone_of_another_or_in_none() -> None:
    phones, regions = zip(*examples(), strict=True)
    assert {*regions, *SHARE} == phonenumbers.SUPPORTED_REGIONS
    listed = by_country()
    for phone, region, zones in zip(phones, regions, zones_of_phones(pd.Series(phones)), strict=True):
        assert isinstance(zones, str), phone
        own = listed.get(region, set(by_library(phone)))
        assert set(zones.split()) <= own, (phone, region, zones)
        assert len({*map(offsets, own)}) > 1 or len(zones.split()) == 1, (phone, region, zones)


@pytest.mark.parametrize(
    ("step", "many", "least"), [(6, 1_000, 2_500), pytest.param(1, 20_000, 20_000, marks=pytest.mark.deep)]
)
def test_of_a_countrys_zones_those_are_left_that_the_library_names(step: int, many: int, least: int) -> None:
    typed = [*list(metadata_examples())[::step], *mixed_column(many, 3)]
    samples = pd.DataFrame(typed, columns=["text", "country"])
    phones = clean_phones(samples["text"].astype("str"), samples["country"].astype("category"))["phone"]
    phones = phones.dropna().drop_duplicates()
    assert len(phones) > least
    found = zones_of_phones(phones)
    assert found.index.equals(phones.index)
    assert found.nunique() > 200
    listed = by_country()
    for phone, zones in zip(phones, found.astype(object).where(found.notna(), None), strict=True):
        named, ours = set(by_library(phone)), set(zones.split() if zones else ())
        own = listed.get(phonenumbers.region_code_for_number(phonenumbers.parse(phone)) or "", named)
        assert ours <= own
        if len({*map(offsets, own)}) > 1 and named <= get_global("zone_territories").keys():
            assert ours == own & named or {*map(offsets, ours)} == {*map(offsets, own)}


def test_a_number_of_no_place_has_no_zone() -> None:
    phones = pd.Series(["+12125550123", None, "+80012345678", "+4912"], index=[5, 6, 7, 8], dtype="str")
    zones = zones_of_phones(phones)
    assert zones.dropna().to_dict() == {5: "America/New_York"}
    assert zones_of_phones(pd.Series([], dtype="str")).empty
