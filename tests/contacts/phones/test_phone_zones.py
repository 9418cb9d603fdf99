"""Time zones of numbers: what the library says of every one, for whole columns."""

from __future__ import annotations

import pandas as pd
import phonenumbers
import pytest
from phone_samples import metadata_examples, mixed_column
from phonenumbers.timezone import UNKNOWN_TIMEZONE, time_zones_for_number

from dashboard.contacts import clean_phones
from dashboard.contacts.phones.zones import zones_of_phones


def by_library(phone: str) -> str | None:
    zones = time_zones_for_number(phonenumbers.parse(phone))
    return None if zones == (UNKNOWN_TIMEZONE,) else " ".join(zones)


@pytest.mark.parametrize(
    ("step", "many", "least"), [(6, 1_000, 2_500), pytest.param(1, 20_000, 20_000, marks=pytest.mark.deep)]
)
def test_zones_are_those_of_the_library_for_examples_and_a_mixed_column(
    step: int, many: int, least: int
) -> None:
    typed = [*list(metadata_examples())[::step], *mixed_column(many, 3)]
    samples = pd.DataFrame(typed, columns=["text", "country"])
    phones = clean_phones(samples["text"].astype("str"), samples["country"].astype("category"))["phone"]
    phones = phones.dropna().drop_duplicates()
    assert len(phones) > least
    found = zones_of_phones(phones)
    ours = found.astype(object).where(found.notna(), None).tolist()
    assert ours == [by_library(phone) for phone in phones]
    assert found.index.equals(phones.index)
    assert found.nunique() > 200


def test_a_number_of_no_place_has_no_zone() -> None:
    phones = pd.Series(["+12125550123", None, "+80012345678", "+4912"], index=[5, 6, 7, 8], dtype="str")
    zones = zones_of_phones(phones)
    assert zones.dropna().to_dict() == {5: "America/New_York"}
    assert zones_of_phones(pd.Series([], dtype="str")).empty
