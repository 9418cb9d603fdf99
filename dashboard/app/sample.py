"""A small sheet of fictional people with the usual mess, to try the dashboard with.

Their numbers are made up and may belong to somebody, so it goes nowhere but to the sandbox.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from dashboard.app.drafts import Draft
from dashboard.errors import CampaignError
from dashboard.settings import Settings
from dashboard.words import _

SHEET = Path(__file__).parent / "samples" / "contacts.csv"
COUNTRY = "GB"


def is_sample(draft: Draft) -> bool:
    """Whether a draft's sheet is the sample, however it came there."""
    return draft.digest == _digest()


def keep_sample_in_sandbox(given: Settings) -> None:
    """Refuse it where there is a real service."""
    if not given.uses_sandbox:
        raise CampaignError(
            _(
                "The numbers of the sample sheet are made up and may belong to somebody, so they are texted "
                "only in the sandbox. Use a sheet of your own."
            )
        )


@cache
def _digest() -> str:
    return sha256(SHEET.read_bytes()).hexdigest()
