"""Delivery reports from a file or a request: Message objects of contract section 2.1.

Provisional by nature: the contract announces reports (sections 4.1 and 6) without describing them. So any
sensible shape is accepted: one object, a list, events with either as their `data`, one object per line, or a
CSV with those columns.
"""

from __future__ import annotations

import csv
import io
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from dashboard.arguments import checks_arguments
from dashboard.errors import ReportFileError
from dashboard.lenient_json import read_json
from dashboard.own_connections import content

Report = dict[str, Any]

_OBJECTS = ("contact",)
"""CSV columns whose cells hold JSON."""


@checks_arguments()
def read_reports(source: str | Path | bytes | BinaryIO) -> list[Report]:
    """Read delivery reports, whatever the file is called.

    Args:
        source: A path, the content or a binary file: a JSON object or array, `{"data": …}` of either, one
            JSON object per line, or a CSV with the columns of a Message; a cell of `contact` contains JSON.

    Returns:
        Message objects as they are in the file; unknown fields are kept.

    Raises:
        ReportFileError: It is none of these, or no row names a message.

    Example:
        >>> read_reports(b'{"data": [{"uuid": "5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1", "status": "sent"}]}')
        [{'uuid': '5d0c6a5c-5ab7-4c0f-8d5f-27a8a4f4a0f1', 'status': 'sent'}]
    """
    text = _decode(_content(source)).strip()
    if not text:
        raise ReportFileError("The file is empty. Export the delivery reports again.")
    reports = _read_json(text) if text[0] in "[{" else _read_csv(text)
    if not any(report.get("uuid") for report in reports):
        raise ReportFileError(
            "No row has a uuid, so nobody can tell which message it is about. Export it with the column uuid."
        )
    return reports


def reports_in(value: object) -> list[Report] | None:
    """The reports in a JSON value: one, a list, or events with either as their `data`; None if it is neither.

    What is no object among those that are stands as an empty one, and counts as unreadable.
    """
    if isinstance(value, dict):
        inner = _data_of(value)
        value = [value] if inner is None and "uuid" in value else inner
    if not isinstance(value, list) or (value and not any(isinstance(one, dict) for one in value)):
        return None
    each = ((isinstance(one, dict) and _data_of(one)) or [one] for one in value)
    return [one if isinstance(one, dict) else {} for one in chain.from_iterable(each)]


def _data_of(event: dict[Any, Any]) -> list[Any] | None:
    """What an event is about; None if it is a report itself, or about nothing that could be one."""
    data = event.get("data")
    inner = [data] if isinstance(data, dict) and data.get("uuid") else data
    if "status" in event or not isinstance(inner, list):
        return None
    are_reports = any(isinstance(one, dict) and one.get("uuid") for one in inner)
    return inner if are_reports or "uuid" not in event else None


def _content(source: str | Path | bytes | BinaryIO) -> bytes:
    if isinstance(source, bytes):
        return source
    if isinstance(source, str | Path) and Path(source).exists() and not Path(source).is_file():
        raise ReportFileError("This is not a file but a folder, a pipe or a device. Give the path of a file.")
    try:
        return content(Path(source)) if isinstance(source, str | Path) else source.read()
    except OSError as error:
        raise ReportFileError(
            f"The file cannot be opened: {error.strerror}. Check its path and permissions."
        ) from None


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReportFileError(
            "The file is not text in UTF-8. Save it as JSON, JSON lines or CSV (UTF-8)."
        ) from None


def _read_json(text: str) -> list[Report]:
    found = read_json(text)
    if found is None:
        found = [_read_line(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    reports = reports_in(found)
    if reports is None:
        raise ReportFileError('The JSON must be a list of messages, or {"data": [message, …]}.')
    return reports


def _read_line(number: int, line: str) -> Report:
    row = read_json(line)
    if not isinstance(row, dict):
        raise ReportFileError(
            f"Line {number} is not a JSON object. Nothing was taken; correct it and try again."
        )
    return row


def _read_csv(text: str) -> list[Report]:
    first = text.splitlines()[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        if "uuid" not in (rows.fieldnames or ()):
            raise ReportFileError(
                "The first line has no column uuid. Use the names of the service's fields: uuid, status, "
                "failure_reason, credits_used, sent_at, delivered_at."
            )
        return [_typed(row) for row in rows]
    except csv.Error as error:
        raise ReportFileError(f"Line {rows.reader.line_num} cannot be read as CSV: {error}.") from None


def _typed(row: dict[Any, Any]) -> Report:
    filled: Report = {str(name): value for name, value in row.items() if name and value not in (None, "")}
    for name in _OBJECTS:
        if name in filled:
            filled[name] = _object(filled[name])
    return filled


def _object(cell: str) -> object:
    found = read_json(cell)
    return cell if found is None else found
