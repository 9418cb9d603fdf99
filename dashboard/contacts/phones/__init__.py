"""A column of texts to phone numbers, exactly as libphonenumber judges them.

Policy (letters, several numbers in a cell, lost digits, which line types to text) is not here:
see `dashboard.contacts.repair` and `dashboard.contacts.cleaning`.
"""

from __future__ import annotations

from dashboard.contacts.phones.clean import clean_phones

__all__ = ["clean_phones"]
