"""The words of a verdict. The kernel's codes are indices into these."""

from __future__ import annotations

from typing import Final

LINE_TYPES: Final = (  # the contract's, section 4.2
    "FIXED_LINE",
    "MOBILE",
    "FIXED_LINE_OR_MOBILE",
    "TOLL_FREE",
    "PREMIUM_RATE",
    "SHARED_COST",
    "VOIP",
    "PERSONAL_NUMBER",
    "PAGER",
    "UAN",
    "UNKNOWN",
    "EMERGENCY",
    "VOICEMAIL",
    "SHORT_CODE",
    "STANDARD_RATE",
)
PROBLEMS: Final = (  # the library's parse errors, and INVALID for texts that parse but are not valid numbers
    "INVALID_COUNTRY_CODE",
    "NOT_A_NUMBER",
    "TOO_SHORT_AFTER_IDD",
    "TOO_SHORT_NSN",
    "TOO_LONG",
    "INVALID",
)
