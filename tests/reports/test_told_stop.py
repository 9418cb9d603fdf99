"""Which failures say that the person told the service STOP, in the words of many services."""

from __future__ import annotations

import pytest
from vector_files import vectors

from dashboard.ledger.database.said import impersonal
from dashboard.reports.measures.told_stop import told_stop

REASONS = vectors("failure_reasons.csv")


@pytest.mark.parametrize("spelled", ["{}", "… {}", "{}: …", "Error 1: {}", "{} (…)"])
def test_a_person_who_said_stop_is_heard_and_nothing_else(spelled: str) -> None:
    """However it is told, with or without whom it is about; see said.py."""
    heard = {row["reason"]: told_stop(spelled.format(row["reason"])) for row in REASONS}
    assert heard == {row["reason"]: row["told_stop"] == "yes" for row in REASONS}


def test_what_is_left_out_of_a_reason_tells_nothing_about_it() -> None:
    for row in REASONS:
        whole = f"{row['reason']} +44 7911 123456"
        assert told_stop(impersonal(whole) or "") == (row["told_stop"] == "yes"), row
