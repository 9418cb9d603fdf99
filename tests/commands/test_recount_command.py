"""`recount`: says whether figures agree with the messages, and mends only when told to."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import open_ledger, run
from fixtures_ledger import messages_frame
from sqlalchemy import delete, update

from dashboard.ledger.tallies.tables import tally


@pytest.mark.parametrize("damage", [update(tally).values(messages=tally.c.messages + 1), delete(tally)])
def test_figures_that_do_not_agree_are_named_and_mended(tmp_path: Path, damage: object) -> None:
    with open_ledger(tmp_path) as ledger:
        campaign, other = (
            ledger.create_campaign(name, messages_frame(5, name), batch_size=2) for name in ("One", "Two")
        )
        agrees = run(tmp_path, "recount")
        assert (agrees.returncode, agrees.stderr) == (0, "")
        assert "2 campaigns were recounted. All figures agree" in agrees.stdout
        with ledger.database.write() as connection:
            connection.execute(damage)  # type: ignore[call-overload]
        found = run(tmp_path, "recount")
        assert found.returncode == 1
        assert f"{campaign}: does not agree (tally)." in found.stdout
        assert f"{other}: does not agree (tally)." in found.stdout
        assert ledger.recount(campaign) == ["tally"]
        mended = run(tmp_path, "recount", "--mend")
        assert (mended.returncode, mended.stderr) == (0, "")
        assert ledger.recount(campaign) == ledger.recount(other) == []
        assert ledger.counts()["messages"].sum() == 10
