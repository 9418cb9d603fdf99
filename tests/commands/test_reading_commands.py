"""`statement` and `export` on ledgers with nothing to say; what they say of messages is in tests/truth."""

from __future__ import annotations

from pathlib import Path

from command_line import open_ledger, run


def test_a_month_without_messages_is_a_workbook_too(tmp_path: Path) -> None:
    open_ledger(tmp_path).close()
    empty = run(tmp_path, "statement", "2026-10")
    assert (empty.returncode, empty.stderr) == (0, "")
    assert empty.stdout.startswith("0 messages")
    assert empty.stdout.endswith("\nNothing was billed.\n")
    assert (tmp_path / "statement-2026-10.xlsx").is_file()


def test_all_tables_are_exported(tmp_path: Path) -> None:
    open_ledger(tmp_path).close()
    done = run(tmp_path, "export", "tables")
    assert (done.returncode, done.stderr) == (0, "")
    assert {"messages.parquet", "events.parquet"} <= {file.name for file in (tmp_path / "tables").iterdir()}
