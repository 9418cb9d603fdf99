"""Numbering plans: one per country that `phonenumbers` knows, and one per calling code without a country.

A plan is the library's metadata in the words of the kernel: which prefixes people dial, which lengths count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from phonenumbers import (
    COUNTRY_CODE_TO_REGION_CODE,
    COUNTRY_CODES_FOR_NON_GEO_REGIONS,
    SUPPORTED_REGIONS,
    PhoneMetadata,
    ValidationResult,
    country_code_for_region,
)
from phonenumbers.phonenumberutil import _test_number_length

from dashboard.phones.build.programs import Programs, read_rewrite_rule
from dashboard.phones.kernel import (
    CALLING_CODE,
    GROUP,
    MASK_BITS,
    NOWHERE,
    PLAN,
    REWRITE_ITEMS,
)

WORLD = "001"  # the library's "country" of +800, +979 and other codes without a country
CALLING_CODES = 1000

# With a result in this set the library keeps a national prefix on the number.
TOO_SHORT_TO_STRIP = {
    ValidationResult.TOO_SHORT,
    ValidationResult.IS_POSSIBLE_LOCAL_ONLY,
    ValidationResult.INVALID_LENGTH,
}


@dataclass(frozen=True)
class Plan:
    """A numbering plan: its country (ISO 3166, or WORLD) and what the library knows about it."""

    country: str
    calling_code: int
    metadata: PhoneMetadata


def country_names() -> list[str]:
    """Every country that a number can have, WORLD last; `Plan` records hold indices into it."""
    return [*sorted(SUPPORTED_REGIONS), WORLD]


def read_plans() -> list[Plan]:
    """All plans: those of countries first, in the order of `country_names`."""
    PhoneMetadata.load_all()
    owners = [(country, country_code_for_region(country)) for country in sorted(SUPPORTED_REGIONS)]
    owners += [(WORLD, code) for code in sorted(COUNTRY_CODES_FOR_NON_GEO_REGIONS)]
    return [Plan(country, code, _metadata(country, code)) for country, code in owners]


def _metadata(country: str, code: int) -> PhoneMetadata:
    metadata = PhoneMetadata.metadata_for_region_or_calling_code(code, country)
    if metadata is None:
        raise LookupError(
            f"phonenumbers names {country} +{code}, but has no metadata for it; install it again."
        )
    return metadata


def plans_by_calling_code(plans: list[Plan]) -> dict[int, list[int]]:
    """For each calling code its plans, in the order in which the library asks them; the main one is first."""
    number_of = {(plan.calling_code, plan.country): i for i, plan in enumerate(plans)}
    return {
        code: [number_of[code, country] for country in countries]
        for code, countries in sorted(COUNTRY_CODE_TO_REGION_CODE.items())
    }


def plan_records(plans: list[Plan], general_starts: list[int], programs: Programs) -> NDArray[np.void]:
    """The kernel's table of plans; compiles each plan's prefixes into `programs`."""
    countries = country_names()
    records = np.zeros(len(plans), PLAN)
    for record, plan, general_start in zip(records, plans, general_starts, strict=True):
        metadata = plan.metadata
        international = programs.add(metadata.international_prefix)
        national = programs.add(metadata.national_prefix_for_parsing)
        rule = read_rewrite_rule(metadata.national_prefix_transform_rule, GROUP)
        if len(rule) >= REWRITE_ITEMS or (rule and not national.groups):
            raise NotImplementedError(
                "phonenumbers has a new kind of transform rule; teach the kernel about it."
            )
        record["calling_code"] = plan.calling_code
        record["country"] = countries.index(plan.country)
        record["general_start"] = general_start
        record["accepted_lengths"] = length_mask(accepted_lengths(metadata))
        record["too_long_lengths"] = length_mask(too_long_lengths(metadata))
        record["international_prefix"] = international.program
        record["international_first_digits"] = international.first_digits
        record["national_prefix"] = national.program
        record["national_first_digits"] = national.first_digits
        record["national_last_group"] = national.groups
        record["rewrites"] = bool(rule)
        record["rewrite"] = rule + [NOWHERE] * (REWRITE_ITEMS - len(rule))
    return records


def calling_code_records(plans_of_code: dict[int, list[int]], starts: list[int]) -> NDArray[np.void]:
    """The kernel's table of calling codes, 0 to 999."""
    records = np.zeros(CALLING_CODES, CALLING_CODE)
    records["main_plan"] = NOWHERE
    records["only_plan"] = NOWHERE
    for (code, plans), start in zip(plans_of_code.items(), starts, strict=True):
        records[code]["start"] = start
        records[code]["main_plan"] = plans[0]
        if len(plans) == 1:
            records[code]["only_plan"] = plans[0]
    return records


def length_results(metadata: PhoneMetadata) -> list[int]:
    """The library's opinion on each length that has a bit of its own in a mask."""
    return [_test_number_length("0" * length, metadata) for length in range(MASK_BITS)]


def accepted_lengths(metadata: PhoneMetadata) -> Iterable[int]:
    """Lengths that a number must have for its national prefix to be stripped; too long is long enough."""
    return (n for n, result in enumerate(length_results(metadata)) if result not in TOO_SHORT_TO_STRIP)


def too_long_lengths(metadata: PhoneMetadata) -> Iterable[int]:
    """Lengths at which a number must have begun with the calling code, typed without a plus sign."""
    return (n for n, result in enumerate(length_results(metadata)) if result == ValidationResult.TOO_LONG)


def length_mask(lengths: Iterable[int]) -> int:
    """A bit for each length."""
    return sum(1 << length for length in lengths)
