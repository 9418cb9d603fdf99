"""What never ends is not read: pipes that nobody writes to, and devices."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import dashboard as d
from dashboard.contacts import find_layout
from dashboard.errors import DashboardError

READERS: dict[str, Callable[[Path], object]] = {
    "sheet": d.read_sheet,
    "stream": find_layout,
    "prices": d.read_prices,
    "reports": d.read_reports,
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["pipe", "link to a pipe", "/dev/zero", "/dev/null"])
def test_what_may_never_end_is_refused_at_once(tmp_path: Path, reader: str, kind: str) -> None:
    path = Path(kind) if kind.startswith("/") else tmp_path / "pipe.csv"
    if "pipe" in kind:
        os.mkfifo(path)
    if kind.startswith("link"):
        path = tmp_path / "link.csv"
        path.symlink_to("pipe.csv")
    with pytest.raises(DashboardError):
        READERS[reader](path)


@pytest.mark.timeout(20)
def test_a_pipe_that_is_called_a_parquet_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.parquet")
    with pytest.raises(DashboardError, match="never end"):
        find_layout(tmp_path / "pipe.parquet")


def test_a_file_behind_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("phone\n+447400123456\n")
    (tmp_path / "b.csv").symlink_to("a.csv")
    assert len(d.read_sheet(tmp_path / "b.csv").frame) == 1
