"""Delivery reports out of a file: JSON, JSON lines or CSV, as Message objects (contract section 2.1)."""

from __future__ import annotations

import csv
import io
from typing import Any

import orjson

from dashboard.errors import DashboardError


class ReportFileError(DashboardError):
    """The file holds no delivery reports; the message says what was expected."""


def read_reports(content: bytes) -> list[dict[str, Any]]:
    """Read delivery reports, whatever the file is called.

    Args:
        content: A JSON array, `{"data": [...]}`, one JSON object a line, or a CSV with the columns of a
            Message.

    Returns:
        Message objects as they stand in the file; unknown fields are kept.

    Raises:
        ReportFileError: It is none of these, or no row names a message.
    """
    text = _decode(content).strip()
    if not text:
        raise ReportFileError("The file is empty. Export the delivery reports again.")
    reports = _read_json(text) if text[0] in "[{" else _read_csv(text)
    if not any(report.get("uuid") for report in reports):
        raise ReportFileError(
            "No row has a uuid, so nobody can tell which message it is about. Export it with the column uuid."
        )
    return reports


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReportFileError(
            "The file is not text in UTF-8. Save it as JSON, JSON lines or CSV (UTF-8)."
        ) from None


def _read_json(text: str) -> list[dict[str, Any]]:
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return [_read_line(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if isinstance(found, dict) and isinstance(found.get("data"), list):
        found = found["data"]
    rows = found if isinstance(found, list) else [found]
    if not all(isinstance(row, dict) for row in rows):
        raise ReportFileError('The JSON must be a list of messages, or {"data": [message, …]}.')
    return rows


def _read_line(number: int, line: str) -> dict[str, Any]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = None
    if not isinstance(row, dict):
        raise ReportFileError(
            f"Line {number} is not a JSON object. Nothing was taken; correct it and try again."
        )
    return row


def _read_csv(text: str) -> list[dict[str, Any]]:
    first = text.splitlines()[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    if "uuid" not in (rows.fieldnames or ()):
        raise ReportFileError(
            "The first line has no column uuid. Use the names of the service's fields: uuid, status, "
            "failure_reason, credits_used, sent_at, delivered_at."
        )
    return [_typed(row) for row in rows]


def _typed(row: dict[Any, Any]) -> dict[str, Any]:
    filled = {str(name): value for name, value in row.items() if name and value not in (None, "")}
    used = filled.get("credits_used")
    if isinstance(used, str) and used.isdecimal():
        filled["credits_used"] = int(used)
    return filled
