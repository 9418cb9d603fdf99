"""What is said about one person's messages, and where the session keeps the number. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dashboard.formatting import credit_count, money

NUMBER = "person-number"
"""The key of the field with the number: it is in the session until somebody leaves the page, never in an
address."""


def cost_words(message: Mapping[str, Any]) -> list[str]:
    """What a message cost, in credits and money; nothing as long as nobody knows."""
    if pd.isna(message["credits_billed"]):
        return []
    cost = message["cost_billed"]
    billed = credit_count(int(message["credits_billed"]))
    return [billed] if pd.isna(cost) else [billed, money(cost, str(message["currency"]))]
