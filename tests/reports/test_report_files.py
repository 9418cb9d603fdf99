"""Delivery reports in files: every shape that is taken, and what is said of the others."""

from __future__ import annotations

import io
from pathlib import Path

import orjson
import pytest
from each import each

from dashboard.errors import ReportFileError
from dashboard.reports import read_reports

TWO = [{"uuid": "a", "credits_used": 2}, {"uuid": "b"}]
AS_TEXT = [{"uuid": "a", "credits_used": "2"}, {"uuid": "b"}]


@each(
    "content, expected",
    [
        (b'[{"uuid": "a", "credits_used": 2}, {"uuid": "b"}]', TWO),
        (b'{"data": [{"uuid": "a", "credits_used": 2}, {"uuid": "b"}]}', TWO),
        (b'{"uuid": "an event", "data": [{"uuid": "a", "credits_used": 2}, {"uuid": "b"}]}', TWO),
        (b'{"type": "sent", "uuid": "an event", "data": {"uuid": "a"}}', [{"uuid": "a"}]),
        (b'{"type": "sent", "data": {"uuid": "a", "credits_used": 2}}\n{"data": {"uuid": "b"}}', TWO),
        (b'[{"uuid": "an event", "data": {"uuid": "a", "credits_used": 2}}, {"uuid": "b"}]', TWO),
        *(
            (orjson.dumps(report), [report])
            for report in (
                {"uuid": "a", "data": {"network": "x"}},
                {"uuid": "a", "data": [{"uuid": None}]},
                {"uuid": "a", "status": "sent", "data": {"uuid": "b"}},
            )
        ),
        (b'{"uuid": "a", "credits_used": 2}\n\n{"uuid": "b"}\n', TWO),
        (b'{"uuid": "a", "credits_used": 2}\n\xef\xbb\xbf{"uuid": "b"}\n', TWO),
        (b"uuid,credits_used,failure_reason\na,2,\nb,,\n", AS_TEXT),
        (b"\xef\xbb\xbfuuid;credits_used\na;2\nb;\n", AS_TEXT),
        (b"uuid,credits_used\na," + b"9" * 5000, [{"uuid": "a", "credits_used": "9" * 5000}]),
        (
            rb'[{"uuid": "a", "body": "cut \ud83d"}, {"uuid": "b", "credits_used": NaN}]',
            [{"uuid": "a", "body": "cut ?"}, {"uuid": "b", "credits_used": None}],
        ),
        (
            '{"uuid": "a", "body": "one\u2028two"}\r\n{"uuid": "b"}'.encode(),
            [{"uuid": "a", "body": "one\u2028two"}, {"uuid": "b"}],
        ),
        (b'{"uuid": "a", "network": "x"}', [{"uuid": "a", "network": "x"}]),
        (
            b'uuid,contact,network\na,"{""uuid"": ""c""}",x\nb,none,\n',
            [{"uuid": "a", "contact": {"uuid": "c"}, "network": "x"}, {"uuid": "b", "contact": "none"}],
        ),
    ],
)
def test_delivery_reports_are_read_from_json_lines_and_csv(
    content: bytes, expected: list[dict[str, object]]
) -> None:
    assert read_reports(content) == expected


@each(
    "content, sentence",
    [
        (b"", "empty"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[1, 2]", "list of messages"),
        (b'{"uuid": "a"}\nnot json\n', "Line 2"),
        (b"name,phone\nAnn,1\n", "no column uuid"),
        (b'uuid,"' + b"x" * 200_000, "Line 1 cannot be read"),
        (b'uuid,status\na,"' + b"x" * 200_000, "Line 2 cannot be read"),
        (b'[{"status": "sent"}]', "No row has a uuid"),
    ],
)
def test_a_file_without_reports_is_refused_with_what_to_do(content: bytes, sentence: str) -> None:
    with pytest.raises(ReportFileError, match=sentence):
        read_reports(content)


def test_a_path_and_an_open_file_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    path.write_bytes(b"uuid,status\na,sent\n")
    expected = [{"uuid": "a", "status": "sent"}]
    assert read_reports(path) == read_reports(str(path)) == read_reports(io.BytesIO(path.read_bytes()))
    assert read_reports(path) == expected
    with pytest.raises(ReportFileError, match="cannot be opened"):
        read_reports(tmp_path / "none.csv")
