"""Whatever comes in by the one door says what it takes, gives and refuses, with an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from each import each
from fixtures_sandbox import SandboxPeer

import dashboard as d

ROOT = Path(__file__).parents[1]
DESCRIBED = [name for name in d.__all__ if not isinstance(getattr(d, name), tuple | frozenset)]
FUNCTIONS = [name for name in DESCRIBED if inspect.isfunction(getattr(d, name))]
TEXT = "Hi {{first_name|there}}, our sale starts: https://shop.example.com/sale"
COMMON = {
    **{name: getattr(d, name) for name in d.__all__},
    **{one.__name__: one for one in (datetime, timedelta, time, Decimal, Path, ZoneInfo)},
    "UTC": UTC,
    "pd": pd,
}


class Forgiving(doctest.OutputChecker):
    """Compares what an example shows; where it shows nothing, running without an error is enough."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return not want or super().check_output(want, got, optionflags)


@pytest.fixture(scope="module")
def seeded(history: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A sheet, its contacts and messages, and a ledger with a past, made once."""
    contacts = d.clean_contacts(sheet := d.read_sheet(ROOT / "data" / "contacts.xlsx"), country="GB")
    file = tmp_path_factory.mktemp("examples") / "ledger.sqlite"
    file.write_bytes(history.read_bytes())
    with d.Ledger.open(file) as ledger:
        yield {
            "sheet": sheet,
            "contacts": contacts,
            "messages": d.write_messages(contacts, TEXT, campaign="Spring"),
            "ledger": ledger,
            "campaign": ledger.campaigns()["campaign"][0],
        }


@pytest.fixture
def names(in_project: Path, seeded: dict[str, Any], sandbox: SandboxPeer) -> Iterator[dict[str, Any]]:
    """What examples take as given, beside the public names: what is seeded, and a service."""
    with sandbox.service() as service:
        yield {
            **COMMON,
            **seeded,
            "service": service,
            "base_url": sandbox.base_url,
            "api_key": sandbox.api_key,
        }


@pytest.mark.deep
@pytest.mark.parametrize("name", DESCRIBED)
def test_its_examples_run(name: str, names: dict[str, Any]) -> None:
    described = getattr(d, name)
    if isinstance(described, ModuleType):
        names |= vars(described)
    if getattr(described, "__module__", described.__name__).startswith("dashboard.reports"):
        names["messages"] = names["ledger"].messages(names["campaign"])
    text = inspect.getdoc(described) or ""
    found = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    assert found.examples, f"show with an example how {name} is used"
    said: list[str] = []
    doctest.DocTestRunner(Forgiving(), verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(
        found, out=said.append
    )
    assert not said, "".join(said)


@each("name", FUNCTIONS)
def test_a_function_says_what_it_takes_and_refuses_and_the_columns_that_it_gives(name: str) -> None:
    function, text = getattr(d, name), inspect.getdoc(getattr(d, name)) or ""
    assert "\nRaises:\n" in text
    called = inspect.signature(function)
    for parameter in called.parameters:
        assert re.search(rf"\b{parameter}\b", text), f"say what {parameter} is"
    if "DataFrame" in str(called.return_annotation):
        assert re.search(r"\nReturns:\n +\S", text) or "columns" in text
