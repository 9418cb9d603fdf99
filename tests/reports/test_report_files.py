"""Delivery reports in files: every shape that is taken, and what is said of the others."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dashboard.errors import ReportFileError
from dashboard.reports import read_reports


@pytest.mark.parametrize(
    "content",
    [
        b'[{"uuid": "a", "credits_used": 2}, {"uuid": "b"}]',
        b'{"data": [{"uuid": "a", "credits_used": 2}, {"uuid": "b"}]}',
        b'{"uuid": "a", "credits_used": 2}\n\n{"uuid": "b"}\n',
        b"uuid,credits_used,failure_reason\na,2,\nb,,\n",
        b"\xef\xbb\xbfuuid;credits_used\na;2\nb;\n",
    ],
)
def test_delivery_reports_are_read_from_json_lines_and_csv(content: bytes) -> None:
    assert read_reports(content) == [{"uuid": "a", "credits_used": 2}, {"uuid": "b"}]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[1, 2]", "list of messages"),
        (b'{"uuid": "a"}\nnot json\n', "Line 2"),
        (b"name,phone\nAnn,1\n", "no column uuid"),
        (b'[{"status": "sent"}]', "No row has a uuid"),
    ],
)
def test_a_file_without_reports_is_refused_with_what_to_do(content: bytes, sentence: str) -> None:
    with pytest.raises(ReportFileError, match=sentence):
        read_reports(content)


def test_one_report_alone_is_a_file_too() -> None:
    assert read_reports(b'{"uuid": "a", "network": "x"}') == [{"uuid": "a", "network": "x"}]


def test_a_csv_keeps_unknown_columns_and_reads_the_contact() -> None:
    content = b'uuid,contact,network\na,"{""uuid"": ""c""}",x\nb,none,\n'
    assert read_reports(content) == [
        {"uuid": "a", "contact": {"uuid": "c"}, "network": "x"},
        {"uuid": "b", "contact": "none"},
    ]


def test_a_path_and_an_open_file_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    path.write_bytes(b"uuid,status\na,sent\n")
    expected = [{"uuid": "a", "status": "sent"}]
    assert read_reports(path) == read_reports(str(path)) == read_reports(io.BytesIO(path.read_bytes()))
    assert read_reports(path) == expected
    with pytest.raises(ReportFileError, match="cannot be opened"):
        read_reports(tmp_path / "none.csv")
