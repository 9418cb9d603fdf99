"""What the service answered and the ledger does not take: who was accepted is kept, the campaign pauses."""

from __future__ import annotations

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, counts, running
from senders import Service, walk
from tiers import only_deep

from dashboard.ledger import Ledger


def refuse(ledger: Ledger, table: str, when: str) -> None:
    """Let the database itself refuse such a row, on SQLite and PostgreSQL."""
    if ledger.database.is_sqlite:
        statements = [
            f"CREATE TRIGGER refuse BEFORE INSERT ON {table} WHEN {when} "
            "BEGIN SELECT RAISE(ABORT, 'no such row'); END"
        ]
    else:
        statements = [
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'no such row'; END $$",
            f"CREATE TRIGGER refuse BEFORE INSERT ON {table} FOR EACH ROW WHEN ({when}) "
            "EXECUTE FUNCTION refuse()",
        ]
    with ledger.database.write() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.mark.parametrize("when", ["NEW.status = 'poison'", *only_deep("NEW.credits_used = 13"), "NEW.echoed"])
def test_what_cannot_be_written_pauses_and_loses_no_evidence(ledger: Ledger, when: str) -> None:
    refuse(ledger, "result", when)
    campaign, other = running(ledger, 4, batch_size=2), running(ledger, 2)
    assert walk(ledger, campaign, Service(status="poison", credits_used=13)) == "paused"
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert "could not record everything the service answered" in (found.reason or "")
    kept = "unknown" if when == "NEW.echoed" else "accepted"
    assert counts(ledger, campaign) == {kept: 2, "ready": 2}
    assert ledger.campaign(other).state == "running", "the others go on"


@ON_BOTH_DATABASES
def test_a_claim_that_cannot_be_written_pauses_its_campaign(ledger: Ledger) -> None:
    refuse(ledger, "attempt", "NEW.event = 'claimed'")
    campaign = running(ledger, 4, batch_size=2)
    assert walk(ledger, campaign, Service(status="poison", credits_used=13)) == "refused"
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert "could not record that a batch goes out" in (found.reason or "")
    assert counts(ledger, campaign) == {"ready": 4}
