"""A log that a killed program left is laid over its own file only, never over a copy put in its place."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from fixtures_ledger import Clock, accepted, claim, messages_frame, running
from tiers import only_deep

from dashboard.errors import LedgerDamagedError, LedgerError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.copies.copying import put_back
from dashboard.ledger.database.connections import Database
from dashboard.sending.lanes import system_engine

SUFFIXES = ("", "-wal", ".tide")


class Play:
    """A ledger and what is done with it, drawn from a seed; each close leaves a file that might be copied."""

    def __init__(self, folder: Path, clock: Clock, seed: int) -> None:
        self.draw, self.clock = Random(seed), clock  # noqa: S311 - a replayable draw
        self.file, self.copies = folder / "ledger.sqlite", folder / "copies"
        self.copies.mkdir()
        self.ledger = Ledger.open(f"sqlite:///{self.file}", now=clock)
        self.campaign = running(self.ledger, 100, batch_size=1)
        self.owner = self.ledger.outbox.register(0)

    def step(self) -> None:
        acts = [self._opt_out, self._freeze, self._send, self._limit, self._lanes, self._close]
        self.draw.choice(acts)()

    def _opt_out(self) -> None:
        self.ledger.add_opt_outs([f"+447700{901000 + self.draw.randrange(9000)}"])

    def _freeze(self) -> None:
        self.ledger.create_campaign("Spring", messages_frame(self.draw.choice([1, 300])), batch_size=50)

    def _send(self) -> None:
        got = claim(self.ledger, self.campaign, self.owner)
        self.ledger.outbox.settle(got, accepted(got))

    def _limit(self) -> None:
        self.ledger.outbox.set_limits(Limits(credits_per_day=self.draw.randrange(1000, 9000)))

    def _lanes(self) -> None:
        """What DBOS does with its own engine on this file."""
        engine = system_engine(self.ledger.database)
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS lane (name TEXT)")
            connection.exec_driver_sql("INSERT INTO lane VALUES ('a')")
        engine.dispose()

    def _close(self) -> None:
        self.ledger.close()
        shutil.copy(self.file, self.copies / f"{len(list(self.copies.iterdir())):03}")
        self.ledger = Ledger.open(f"sqlite:///{self.file}", now=self.clock)

    def kill(self, folder: Path) -> Path:
        """The files as a program that is killed now would leave them."""
        folder.mkdir()
        for suffix in SUFFIXES:
            shutil.copy(f"{self.file}{suffix}", folder / f"ledger.sqlite{suffix}")
        return folder / "ledger.sqlite"


def known(ledger: Ledger) -> tuple[list[str], int, int]:
    """Who opted out, how many messages there are, and how many were accepted."""
    campaigns = ledger.campaigns()
    return ledger.opt_outs()["phone"].tolist(), len(campaigns), int(campaigns["accepted"].sum())


@pytest.mark.parametrize("seed", [0, *only_deep(*range(1, 5))])
def test_a_log_is_laid_over_its_own_file_only(clock: Clock, tmp_path: Path, seed: int) -> None:
    play = Play(tmp_path, clock, seed)
    for _ in range(12):
        play.step()
    play._opt_out()  # so that there is a log
    expected, refused = known(play.ledger), 0
    for number, copy in enumerate([None, *sorted(play.copies.iterdir())]):
        left = play.kill(tmp_path / f"killed-{number}")
        before = left.read_bytes()
        if copy is not None:
            shutil.copy(copy, left)
        if left.read_bytes() == before:
            opened = Ledger.open(f"sqlite:///{left}", now=clock)
            assert known(opened) == expected
            opened.close()
            continue
        refused += 1
        with pytest.raises(LedgerDamagedError, match="whose last changes are still next to it"):
            Ledger.open(f"sqlite:///{left}", now=clock)
        assert left.read_bytes() == (copy or left).read_bytes(), "it was left as it is"
    play.ledger.close()
    states = {copy.read_bytes() for copy in play.copies.iterdir()}
    assert refused >= len(states) - 1, "of one state at most the log is its own"


def test_what_is_put_back_over_such_a_log_says_that_opt_outs_are_missing(
    clock: Clock, tmp_path: Path
) -> None:
    play = Play(tmp_path, clock, 0)
    play._close()
    play._opt_out()
    play._close()
    play._opt_out()
    play.ledger.back_up(tmp_path / "backup")
    left = play.kill(tmp_path / "killed")
    play.ledger.close()
    shutil.copy(play.copies / "000", left)
    url = f"sqlite:///{left}"
    with pytest.raises(LedgerError, match="restore FILE"):
        Ledger.open(url, now=clock)
    database = Database(url, unseen=True)
    assert put_back(tmp_path / "backup", database, clock.time) is None
    database.close()
    restored = Ledger.open(url, now=clock)
    assert len(restored.opt_outs()) == 2
    assert restored.missing_opt_outs()
    restored.close()
