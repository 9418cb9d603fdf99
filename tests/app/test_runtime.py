"""The process as it is wired: opened, healthy, its sandbox kept up, nothing left when it cannot be opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import wait_until

from dashboard.app.runtime import Runtime
from dashboard.errors import DashboardError, ServiceError
from dashboard.service import SmsService
from dashboard.settings import load_settings


def test_it_sends_once_open_and_shows_no_secret(process: Runtime) -> None:
    assert process.engine.is_running
    assert process.sandbox is not None
    for key in process.webhook_keys():
        assert key.decode() not in repr(process)
    assert process.webhook_keys()
    assert process.sandbox.api_key not in repr(process)


def test_a_sandbox_that_died_is_started_again_at_the_same_address(process: Runtime) -> None:
    sandbox = process.sandbox
    assert sandbox is not None
    assert sandbox._child is not None
    before = sandbox.base_url
    sandbox._child.kill()
    sandbox._child.wait()
    wait_until(lambda: answers(process.service))
    assert sandbox.base_url == before


def answers(service: SmsService) -> bool:
    try:
        return service.validate("07911 123456", "GB").valid_format
    except ServiceError:
        return False


def test_a_second_process_cannot_break_the_first(process: Runtime, tmp_path: Path) -> None:
    """One engine per process; whatever was opened for the second is closed again."""
    settings = load_settings(data=tmp_path, port=process.settings.port, sms_base_url=None, sms_api_key=None)
    with pytest.raises(DashboardError, match="already sending"):
        Runtime.open(settings)
    assert process.engine.is_running


def test_a_webhook_secret_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(DashboardError, match="DASHBOARD_WEBHOOK_SECRET"):
        Runtime.open(load_settings(data=tmp_path, webhook_secret="whsec_not base64!"))
