"""`backup` and `restore`: a copy while it is in use, and its way back."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from command_line import run
from fixtures_ledger import messages_frame

from dashboard.ledger import Ledger
from dashboard.sending.slots import take_slot


def open_ledger(folder: Path) -> Ledger:
    (folder / "data").mkdir(exist_ok=True)
    return Ledger.open(f"sqlite:///{folder / 'data' / 'ledger.sqlite'}")


def test_a_copy_goes_out_and_comes_back(tmp_path: Path) -> None:
    with closing(open_ledger(tmp_path)) as ledger:
        campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
        slot = take_slot(ledger.database)
        copied = run(tmp_path, "backup", "copy.sqlite")
        assert (copied.returncode, copied.stderr) == (0, "")
        busy = run(tmp_path, "restore", "copy.sqlite")
        assert busy.returncode == 2
        assert "Stop it first" in busy.stderr
        slot.release()
        ledger.create_campaign("Summer", messages_frame(1, "Summer"), batch_size=1)
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert (restored.returncode, restored.stderr) == (0, "")
    assert restored.stdout.startswith("3 batches are unknown now")
    with closing(open_ledger(tmp_path)) as ledger:
        assert ledger.campaigns()["campaign"].tolist() == [campaign]
        assert ledger.campaign(campaign).unknown == 5
    assert list((tmp_path / "data").glob("ledger.sqlite.before-*")), "the present one is kept"


def test_opt_outs_since_the_copy_are_taken_over_or_said_to_be_missing(tmp_path: Path) -> None:
    with closing(open_ledger(tmp_path)) as ledger:
        run(tmp_path, "backup", "copy.sqlite")
        ledger.add_opt_outs(["+447700900001"])
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert "Opt-outs taken over from the ledger that was here, as the copy lacked them: 1." in restored.stdout
    with closing(open_ledger(tmp_path)) as ledger:
        assert ledger.opt_outs()["phone"].tolist() == ["+447700900001"]
        assert ledger.missing_opt_outs() is None
    for file in (tmp_path / "data").glob("ledger.sqlite*"):
        file.unlink()
    restored = run(tmp_path, "restore", "copy.sqlite")
    assert "Opt-outs are missing. This ledger is a copy of" in restored.stdout
    with closing(open_ledger(tmp_path)) as ledger:
        assert ledger.missing_opt_outs()


def test_nobody_is_texted_from_a_copy_put_back_by_hand_until_the_opt_outs_are_entered(tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("Phone,First name\n+447400123456,Ann\n+447400123457,Bo\n")
    ledger_file = tmp_path / "data" / "ledger.sqlite"
    open_ledger(tmp_path).close()
    shutil.copy(ledger_file, tmp_path / "raw")
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.add_opt_outs(["+447400123456"])
    shutil.copy(tmp_path / "raw", ledger_file)
    words = "send", "two.csv", "--template", "Hi {{first_name}}!", "--campaign", "Spring", "--country", "GB"
    for _ in range(2):
        sent = run(tmp_path, *words, "--yes")
        assert (sent.returncode, sent.stdout) == (2, "")
        assert "Nothing was sent." in sent.stderr
        assert "enter them again" in sent.stderr
    dry = run(tmp_path, *words, "--dry-run")
    assert (dry.returncode, "enter them again" in dry.stderr) == (0, True)
    with closing(open_ledger(tmp_path)) as ledger:
        assert ledger.campaigns().empty
        ledger.add_opt_outs(["+447400123456"])
        ledger.acknowledge_missing_opt_outs("Ann")
    sent = run(tmp_path, *words, "--yes")
    assert (sent.returncode, sent.stderr) == (0, "")
    with closing(open_ledger(tmp_path)) as ledger:
        assert ledger.messages()["to"].tolist() == ["+447400123457"]


def test_mistakes_are_said(tmp_path: Path) -> None:
    missing = run(tmp_path, "backup", "copy.sqlite")
    assert missing.returncode == 2
    assert "no ledger" in missing.stderr
    (tmp_path / "diary").write_text("Dear diary")
    odd = run(tmp_path, "restore", "diary")
    assert odd.returncode == 2
    assert "not a copy of a ledger" in odd.stderr
