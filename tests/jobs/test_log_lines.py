"""Lines of the log, as text and as JSON: what is ours is said, what others quote is not."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest
from forked import Forked
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE_S
from test_secrets_in_errors import KEY, MARKS, NAME, PHONE
from uncaught import go_wrong

from dashboard.errors import LedgerError
from dashboard.jobs.logs import FIELDS, JsonLines, TextLines, request_id

FORMATS = (JsonLines(), TextLines())
OURS, THEIRS = "dashboard.sending.sender", "streamlit.runtime"


def record(name: str, said: str, *values: object, error: BaseException | None = None, **extra: Any) -> Any:
    made = logging.LogRecord(name, logging.WARNING, "file.py", 7, said, values, error and _info(error))
    vars(made).update(extra)
    return made


def _info(error: BaseException) -> Any:
    return type(error), error, error.__traceback__


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    try:
        raise error from cause  # noqa: TRY301 - for its traceback
    except BaseException as caught:
        return caught


def test_a_line_of_ours_is_an_object_with_the_fields_that_it_has() -> None:
    token = request_id.set("3f" * 16)
    said = record(OURS, "The outcome of batch %d waits.", 12, batch=12, campaign="5d0c", phone=PHONE)
    line = json.loads(JsonLines().format(said))
    request_id.reset(token)
    at = line.pop("at")
    assert at.endswith("+00:00")
    assert line == {
        "level": "warning",
        "logger": OURS,
        "where": "file:7",
        "message": "The outcome of batch 12 waits.",
        "request": "3f" * 16,
        "campaign": "5d0c",
        "batch": 12,
    }


def test_as_text_it_is_one_line() -> None:
    line = TextLines().format(record(OURS, "No claim: %s", "the ledger is away"))
    assert line.endswith(f" UTC WARNING {OURS}: No claim: the ledger is away")


@pytest.mark.parametrize("written", FORMATS)
@pytest.mark.parametrize(
    "error",
    [
        KeyError(PHONE),
        ValueError(f"{NAME} has no number"),
        raised(RuntimeError(KEY), ValueError(PHONE)),
        raised(LedgerError("It is away."), KeyError(f"{NAME} {PHONE} {KEY}")),
        ExceptionGroup(NAME, [ValueError(PHONE)]),
    ],
)
def test_of_an_error_the_kind_and_the_place_are_said(
    written: logging.Formatter, error: BaseException
) -> None:
    line = written.format(record(THEIRS, "Uncaught app execution", error=raised(error)))
    assert not [mark for mark in MARKS if mark in line]
    assert type(error).__name__ in line
    assert "jobs/test_log_lines.py:" in line
    assert str(Path(__file__).parents[2]) not in line
    assert ("It is away." in line) == isinstance(error, LedgerError)


@pytest.mark.parametrize("written", FORMATS)
def test_of_a_library_only_the_template_is_said(written: logging.Formatter) -> None:
    line = written.format(record(THEIRS, "Session for %s failed\n%s", NAME, KEY))
    assert "Session for %s failed" in line
    assert not [mark for mark in MARKS if mark in line]


@given(
    st.from_regex(r"\+?[1-9](?:[ ().\-/]{0,2}[0-9]){6,14}", fullmatch=True), st.sampled_from([OURS, THEIRS])
)
def test_no_number_is_in_a_line_however_it_is_grouped(number: str, name: str) -> None:
    digits = [letter for letter in number if letter.isdigit()]
    for written in FORMATS:
        line = written.format(record(name, f"Called {number} in vain"))
        left = line.partition("Called")[2].partition("in vain")[0]
        assert not [one for one in left if one.isdigit()], (digits, left)


def test_nothing_else_that_is_given_beside_a_sentence_is_written() -> None:
    given_ = {"to": PHONE, "body": NAME, "api_key": KEY, "path": PHONE}
    line = JsonLines().format(record(OURS, "A batch was tried.", **given_))
    assert not [mark for mark in MARKS if mark in line]
    assert not {"to", "phone", "body", "name", "key", "path", "query", "url"} & set(FIELDS)


def test_what_nothing_handled_is_a_line_as_well(tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    words = [f"{NAME} {PHONE} {KEY}"]
    program = Forked(go_wrong, words, folder=tmp_path, environment=os.environ, out=out, err=err)
    assert program.wait(PATIENCE_S) == 0
    said = err.read_text("utf-8")
    assert not [mark for mark in MARKS if mark in said + out.read_text("utf-8")]
    kinds = [json.loads(line).get("error", [""])[0] for line in said.splitlines()]
    assert kinds == ["KeyError", "", "", "ValueError", "ValueError"]
