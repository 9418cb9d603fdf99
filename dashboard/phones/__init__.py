"""From a column of texts to phone numbers, exactly as libphonenumber judges them, 270 times faster.

Policy (letters, several numbers in a cell, lost digits, which line types to text) is not here:
see `dashboard.contacts.numbers.repair` and `dashboard.contacts.cleaning`.

    metadata of `phonenumbers`                                  a column of texts
      │ plans, programs, numbers, characters (automaton)          │ clean
      ▼                                                           ▼
    tables ──────────────────────────────────────────▶ kernel ◀─ column ──▶ a frame of verdicts

docs/phones.md follows one number from text to verdict.
"""

from __future__ import annotations

from dashboard.phones.clean import clean_phones, first_country
from dashboard.phones.readiness import is_ready, warm_up

__all__ = ["clean_phones", "first_country", "is_ready", "warm_up"]
