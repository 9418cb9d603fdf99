"""One context of TLS for all clients here: to read the world's authorities takes longer than most tests."""

from __future__ import annotations

from functools import cache

import httpx
import pytest

create_ssl_context = cache(httpx.create_ssl_context)


@pytest.fixture(autouse=True)
def one_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(httpx, "create_ssl_context", create_ssl_context)
