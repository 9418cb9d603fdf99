"""A number with one digit missing is too short: whose it would be elsewhere is nobody's business."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pandas as pd
import phonenumbers
from phonenumbers import PhoneNumberFormat, PhoneNumberType
from tiers import draws

from dashboard.contacts import ColumnMap, clean_contacts

# fmt: off
HOMES = (
    "GB", "US", "CA", "FR", "DE", "ES", "IT", "NL", "BE", "CH", "AT", "IE", "PT",
    "PL", "SE", "NO", "DK", "FI", "TR", "IN", "AU", "NZ", "ZA", "BR", "MX", "JP",
    "CN", "RU", "SG", "HK", "IL", "AE", "KE", "NG", "AR", "CO", "KR",
)
# fmt: on
COLUMNS = ColumnMap(phones=("phone",), country="country")
OF_EACH = draws(60, 20)


def mobiles(country: str, chance: random.Random) -> Iterator[str]:
    """Mobile numbers as they are dialled at home."""
    example = phonenumbers.example_number_for_type(country, PhoneNumberType.MOBILE)
    dialled = phonenumbers.format_number(example, PhoneNumberFormat.NATIONAL)
    digits = "".join(filter(str.isdigit, dialled))
    while True:
        number = f"{digits[:-6]}{chance.randrange(10**6):06d}"
        if phonenumbers.is_valid_number(phonenumbers.parse(number, country)):
            yield number


def test_a_missing_digit_never_makes_a_number_of_another_country() -> None:
    chance, rows = random.Random(7), []  # noqa: S311  a repeatable draw
    for country in HOMES:
        for number, _ in zip(mobiles(country, chance), range(OF_EACH), strict=False):
            lost = chance.randrange(len(number))
            rows.append((number[:lost] + number[lost + 1 :], country))
    frame = pd.DataFrame(rows, columns=["phone", "country"])
    judged = clean_contacts(frame, country=None, columns=COLUMNS, keep="warn").rows
    abroad = judged["problem"].isin(["other_country", "plus_guessed"])
    assert frame[abroad].to_numpy().tolist() == []
    stayed = judged["phone"].isna()
    assert (judged["problem"][stayed] == "too_short").mean() > 0.95  # e.g. Austria's differ in length


def test_a_list_of_another_country_still_says_which() -> None:
    """The hint is for a list: it is noted for every row, so that a page can offer the country."""
    chance = random.Random(5)  # noqa: S311
    for home, other in [("GB", "FR"), ("US", "GB"), ("ES", "FR"), ("FR", "GB"), ("GB", "DE")]:
        cells = [number for number, _ in zip(mobiles(other, chance), range(OF_EACH), strict=False)]
        rows = clean_contacts(
            pd.DataFrame({"phone": cells}), country=home, columns=ColumnMap(phones=("phone",))
        ).rows
        assert set(rows["problem"]) == {"other_country"}
        assert set(rows["repairs"]) == {f"valid_in_{other}"}
