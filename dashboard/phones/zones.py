"""The time zones that a number may be in: those of its country, as far as `phonenumbers.timezone` agrees.

The library knows zones by the first digits of a number where numbers belong to places (landlines, and mobiles
of a few countries); for others it knows those of the calling code, which countries share: every mobile of
Kazakhstan may be anywhere in Russia. So a country with one clock has that one, and of the zones of others
those are left that the library names. It takes 24 µs for one number; here a million numbers take 0.4 s.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneNumberType, is_number_type_geographical
from phonenumbers.tzdata import TIMEZONE_DATA, TIMEZONE_LONGEST_PREFIX

from dashboard.phones.clean import clean_phones
from dashboard.phones.clocks import clock_of_zone, clocks_of_country, countries_of_zones
from dashboard.phones.kernel import UNKNOWN, Array
from dashboard.phones.words import LINE_TYPES

_NO_ZONE, _BY_PLACE = -1, -2


def zones_of_phones(phones: pd.Series) -> pd.Series:
    """Look up the zones of a column of numbers.

    Args:
        phones: Numbers in E.164; missing ones have no zone.

    Returns:
        Category, index kept: IANA names joined by spaces ("Europe/London", "America/Boise America/Denver"),
        none of another country; missing for numbers of no country about which the library knows nothing.

    Example:
        >>> zones_of_phones(pd.Series(["+12125550123"])).tolist()
        ['America/New_York']
    """
    verdicts = clean_phones(phones, None)
    line_types = np.where(verdicts["valid"], verdicts["line_type"].cat.codes, UNKNOWN)
    digits = pc.fill_null(pc.utf8_slice_codeunits(pa.array(verdicts["phone"].array), 1), "")
    kinds, kind_of_row = np.unique(_calling_codes(digits) * len(LINE_TYPES) + line_types, return_inverse=True)
    codes = np.array([_zones_of_kind(*divmod(int(kind), len(LINE_TYPES))) for kind in kinds], np.int32)
    codes = codes[kind_of_row]
    rows = np.flatnonzero(codes == _BY_PLACE)
    codes[rows] = _zones_by_place(digits.take(pa.array(rows)))
    countries = verdicts["country"].where(verdicts["valid"]).cat
    width = len(_places_of_zones()) + 1
    pairs, pair_of_row = np.unique(
        (countries.codes.to_numpy(np.int64) + 1) * width + codes + 1, return_inverse=True
    )
    named, known, today = [None, *countries.categories], [None, *_places_of_zones()], datetime.now(UTC).date()
    zones = [_zones_in(named[pair // width], known[pair % width], today) for pair in pairs.tolist()]
    values = pd.Categorical(pd.Series(zones, dtype="str")).take(pair_of_row)
    return pd.Series(values, index=phones.index, name="zones")


def _zones_in(country: str | None, by_library: str | None, today: date) -> str | None:
    """The zones of a country's numbers, of which the library says that they are in these."""
    clocks = clocks_of_country(country, today) if country else {}
    if len(clocks) < 2:  # noqa: PLR2004
        return next(iter(clocks.values()), by_library)
    places, own = countries_of_zones("zone.tab"), []
    for zone in by_library.split() if by_library else ():
        if places.get(zone) == country:
            own.append(zone)
        elif zone not in places and (clock := clock_of_zone(zone, today)) in clocks:
            own.append(clocks[clock])  # the library knows it by a name of before, such as America/Godthab
    return " ".join(dict.fromkeys(own or clocks.values()))


@cache
def _places_of_zones() -> dict[str, int]:
    """Every set of zones that the library knows, joined, with its place."""
    return {zones: place for place, zones in enumerate(sorted(set(map(" ".join, TIMEZONE_DATA.values()))))}


def _place(prefix: str) -> int:
    return _places_of_zones()[" ".join(TIMEZONE_DATA[prefix])] if prefix in TIMEZONE_DATA else _NO_ZONE


def _calling_codes(digits: pa.ChunkedArray) -> Array:
    """The calling code of each number, 0 where there is none. No code is the beginning of another one."""
    codes = np.zeros(len(digits), np.int32)
    for length in (1, 2, 3):
        known = [code for code in COUNTRY_CODE_TO_REGION_CODE if len(str(code)) == length]
        found = _found(digits, [str(code) for code in known])
        codes = np.where(found >= 0, np.array(known, np.int32)[found], codes)
    return codes


def _zones_of_kind(calling_code: int, line_type: int) -> int:
    """The place of the zones of numbers with this code and type; _BY_PLACE if their first digits decide."""
    if line_type == UNKNOWN:
        return _NO_ZONE
    types = {PhoneNumberType.to_string(number): number for number in PhoneNumberType.values()}
    if is_number_type_geographical(types[LINE_TYPES[line_type]], calling_code):
        return _BY_PLACE
    code = str(calling_code)
    return _place(code) if code in TIMEZONE_DATA else _place(code[:2])


def _zones_by_place(digits: pa.ChunkedArray) -> Array:
    """The place of the zones of each number's longest known beginning."""
    places = np.full(len(digits), _NO_ZONE, np.int32)
    for length in range(1, TIMEZONE_LONGEST_PREFIX + 1):
        known = [prefix for prefix in TIMEZONE_DATA if len(prefix) == length]
        if known:
            found = _found(digits, known)
            places = np.where(found >= 0, np.array([_place(prefix) for prefix in known])[found], places)
    return places


def _found(digits: pa.ChunkedArray, beginnings: list[str]) -> Array:
    """Which of these beginnings, all of one length, each number has; -1 for none."""
    begun = pc.utf8_slice_codeunits(digits, 0, len(beginnings[0]))
    found = pc.index_in(begun, value_set=pa.array(beginnings, begun.type))
    places: Array = pc.fill_null(found, -1).to_numpy()
    return places
