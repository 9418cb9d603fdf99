"""How a phone is written: E.164 (ITU-T), a plus sign and at most fifteen digits, the country code first."""

from __future__ import annotations

E164 = r"\+[1-9][0-9]{1,14}"
"""A pattern for whole texts. Whether anybody has such a number is for `clean_phones` to say."""
