"""`bar` and `admit`: who is in is out, from another process, until somebody lets them in again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from command_line import open_ledger, run
from sign_in_settings import SIGN_IN

from dashboard.ledger.team.sign_ins import Account

ANN = Account(SIGN_IN["DASHBOARD_OIDC_ISSUER"], "sub-1", "ann@example.com")
HOUR = timedelta(hours=1)


def test_who_is_barred_is_out_until_admitted(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        assert ledger.sign_ins.begin(ANN, lasting=HOUR)
        barred = run(tmp_path, "bar", " Ann@Example.com ")
        assert (barred.returncode, barred.stderr) == (0, "")
        assert barred.stdout == "They were signed in at 1 browser. They are no longer let in.\n"
        assert ledger.sign_ins.current(ANN.issuer) == []
        assert "not signed in" in run(tmp_path, "bar", "ann@example.com").stdout
        assert ledger.sign_ins.begin(ANN, lasting=HOUR) is None
        assert "nobody has listed them" in run(tmp_path, "admit", "ann@example.com").stdout
        assert ledger.sign_ins.begin(ANN, lasting=HOUR)


def test_a_person_who_is_listed_is_let_in_again(tmp_path: Path) -> None:
    assert "let in again" in run(tmp_path, "admit", "ANN@example.com", **SIGN_IN).stdout
