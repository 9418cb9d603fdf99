"""`settings` says where each value comes from, and every command uses what was decided on the dashboard."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from command_line import run
from fixtures_sandbox import SandboxPeer

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.gate import read_gate
from dashboard.settings import Settings, load_settings, variable

KEY = "fictional-key-4711"
SHEET = "phone,name\n07400123456,Ann\n07400123457,Bob\n"


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """A ledger in which Ann decided what credits cost, the country, the zone and a cap."""
    with Ledger.open(tmp_path / "data" / "ledger.sqlite") as ledger:
        values = {"price_per_credit": "0.0375", "currency": "GBP", "country": "GB", "time_zone": "Asia/Tokyo"}
        values |= {"credits_per_campaign": "5000"}
        ledger.settings.change(values, who="ann@example.com", given=load_settings())
    (tmp_path / "sheet.csv").write_text(SHEET)
    return tmp_path


def test_each_setting_is_told_with_where_it_comes_from(decided: Path) -> None:
    outside = {"DASHBOARD_COUNTRY": "DE", "SMS_BASE_URL": "http://127.0.0.1:9", "SMS_API_KEY": KEY}
    done = run(decided, "settings", "--json", **outside)
    told = json.loads(done.stdout)
    assert set(told) == {variable(name) for name in Settings.model_fields}
    assert told["DASHBOARD_COUNTRY"] == {"value": "DE", "from": "environment"}
    assert told["DASHBOARD_PRICE_PER_CREDIT"] == {"value": "0.0375", "from": "dashboard"}
    assert told["DASHBOARD_PORT"] == {"value": "8501", "from": "default"}
    assert told["DASHBOARD_OPT_OUT_LINE"] == {"value": None, "from": "default"}
    assert KEY not in done.stdout
    said = run(decided, "settings", **outside).stdout
    assert "GBP  (ann@example.com on the dashboard, " in said


def test_no_ledger_is_made_to_look_at_settings(tmp_path: Path) -> None:
    assert "DASHBOARD_CURRENCY" in run(tmp_path, "settings").stdout
    assert not list(tmp_path.rglob("*.sqlite"))


def test_commands_use_what_was_decided_on_the_dashboard(decided: Path) -> None:
    choices = ("--template", "Hello", "--campaign", "Spring", "--dry-run", "--json")
    told = json.loads(run(decided, "send", "sheet.csv", *choices).stdout)
    assert (told["messages"], told["cost_high"], told["currency"]) == (2, "0.0750", "GBP")
    assert json.loads(run(decided, "clean", "sheet.csv", "--json").stdout)["status"] == {"ok": 2}


@pytest.mark.usefixtures("soon")
def test_a_cap_that_was_changed_while_somebody_was_asked_counts(
    decided: Path, emptied_sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = {"SMS_BASE_URL": emptied_sandbox.base_url, "SMS_API_KEY": emptied_sandbox.api_key}
    words = ("send", "sheet.csv", "--template", "Hello", "--campaign", "Spring")
    given = load_settings()
    with Ledger.open(decided / "data" / "ledger.sqlite") as ledger:

        def change(question: str) -> bool:
            assert question == "Send 2 messages?"
            ledger.settings.change({"credits_per_campaign": 1}, who="ann@example.com", given=given)
            return True

        monkeypatch.setattr(click, "confirm", change)
        done = run(decided, *words, **service)
        with ledger.database.read() as connection:
            assert read_gate(connection).credits_per_campaign == 1
        assert done.returncode != 0
        assert list(ledger.campaigns()["accepted"]) in ([], [0])
    assert emptied_sandbox.messages() == []
