"""Methods refuse what they do not take as functions do: with a sentence, and no error from inside."""

from __future__ import annotations

import inspect
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dashboard import Ledger, SmsService
from dashboard.campaigns import write_messages
from dashboard.errors import OptionError
from dashboard.service.models import OutgoingMessage
from tests.test_arguments import FRAME, WRONG, misunderstood

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
MESSAGES = write_messages(FRAME, "Hi {{ first_name }}", campaign="Spring")


def methods(kind: type) -> list[str]:
    return [
        name
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and len(inspect.signature(method).parameters) > 1
    ]


def misunderstandings(instance: Any, name: str, good: dict[str, Any]) -> list[str]:
    method = getattr(instance, name)
    parameters = inspect.signature(method).parameters.values()
    needed = {each.name: good[each.name] for each in parameters if each.default is each.empty}
    return [
        f"{each.name} = {kind}: {said}"
        for each in parameters
        for kind, value in WRONG.items()
        if (said := misunderstood(method, {**needed, each.name: value}))
    ]


@pytest.mark.parametrize("name", methods(Ledger))
def test_a_ledger_takes_what_it_says_or_refuses_it_in_a_sentence(name: str, tmp_path: Path) -> None:
    with closing(Ledger.open(f"sqlite:///{tmp_path / 'ledger.sqlite'}")) as ledger:
        campaign = ledger.create_campaign("Spring", MESSAGES, batch_size=10)
        good = {
            "campaign": campaign,
            "campaigns": [campaign],
            "name": "messages" if name == "arrow" else "Spring",
            "messages": [{"uuid": "x"}] if name == "record_reports" else MESSAGES,
            "batch_size": 10,
            "batch": 1,
            "decision": "accepted",
            "service": "http://127.0.0.1:9",
            "target": tmp_path / "copy.sqlite",
            "folder": tmp_path / "files",
            "phones": ["+447400123456"],
            "phone": "+447400123456",
            **dict.fromkeys(("who", "why", "reason"), "Ann asked for it"),
            **dict.fromkeys(("at", "since", "start", "end", "before"), NOW),
        }
        assert misunderstandings(ledger, name, good) == []


@pytest.mark.parametrize("name", methods(SmsService))
def test_a_service_takes_what_it_says_or_refuses_it_in_a_sentence(name: str) -> None:
    message = OutgoingMessage(to="+447400123456", body="Hi", campaign="Spring")
    with SmsService("http://127.0.0.1:9", "key") as service:
        good = {"messages": [message], "number": "07400 123456", "country": "GB"}
        assert misunderstandings(service, name, good) == []


def test_the_sentence_of_a_method_names_its_argument(tmp_path: Path) -> None:
    with closing(Ledger.open(f"sqlite:///{tmp_path / 'ledger.sqlite'}")) as ledger:
        with pytest.raises(OptionError, match=r"^batch_size takes int, not str\.$"):
            ledger.create_campaign("Spring", MESSAGES, batch_size="10")  # type: ignore[arg-type]
        with pytest.raises(OptionError, match=r"^campaign takes str, not None\.$"):
            ledger.start(None)  # type: ignore[arg-type]
        with pytest.raises(
            OptionError, match=r"^since takes datetime / date / Period / str / None, not Series\.$"
        ):
            ledger.messages(since=pd.Series([NOW]))  # type: ignore[arg-type]
