"""`audit verify` and `audit export`: what auditors and their scripts see."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import open_ledger, run
from fixtures_ledger import messages_frame


def test_a_trail_that_holds_prints_its_last_hash_to_be_kept(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        campaign = ledger.create_campaign("Spring", messages_frame(1), batch_size=1)
        last_hash = ledger.audit.verify().last_hash
        assert run(tmp_path, "cancel", campaign, "--who", "Ann", "--yes").returncode == 0
    checked = run(tmp_path, "audit", "verify", "--kept", last_hash)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith("2 rows hold. Last hash: ")
    strange = run(tmp_path, "audit", "verify", "--kept", "0" * 63 + "1")
    assert strange.returncode == 1
    assert "The hash you kept is not in the trail" in strange.stdout


def test_a_changed_row_is_named(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        for _ in range(3):
            ledger.audit.tell("edit", "draft")
        with ledger.database.write() as connection:
            connection.exec_driver_sql("DROP TRIGGER audit_no_UPDATE")
            connection.exec_driver_sql("UPDATE audit SET who = 'eve' WHERE number = 2")
    checked = run(tmp_path, "audit", "verify")
    assert checked.returncode == 1
    assert "1 row holds." in checked.stdout
    assert "Row 2 does not" in checked.stdout


def test_commands_are_told_with_the_systems_user(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        for words in (
            ["bar", "ann@example.com"],
            ["backup", "copy.sqlite"],
            ["export", "tables"],
            ["statement", "2026-11"],
            ["audit", "export", "trail.csv"],
            ["audit", "export", "trail.JSONL"],
        ):
            done = run(tmp_path, *words)
            assert (done.returncode, done.stderr) == (0, ""), words
        found = ledger.audit.entries().iloc[::-1]
        assert found["what"].tolist() == ["bar", "backup", *["export"] * 4]
        assert found["who"].str.startswith("system").all()
        assert ledger.audit.verify().holds
    lines = (tmp_path / "trail.JSONL").read_text("ascii").splitlines()
    assert [json.loads(line)["what"] for line in lines] == ["bar", "backup", *["export"] * 3]
    assert (tmp_path / "trail.csv").read_text("utf-8-sig").count("\n") == 5


def test_mistakes_are_said_and_leave_everything_as_it_is(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        for words in (["audit", "export", "trail.txt"], ["audit", "export", "data/ledger.sqlite"]):
            refused = run(tmp_path, *words)
            assert refused.returncode == 2
            assert refused.stderr.startswith("Error: ")
        assert ledger.audit.entries().empty
    assert run(tmp_path / "data", "audit", "verify").returncode == 2
