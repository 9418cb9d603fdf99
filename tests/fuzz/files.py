"""Files as people upload them, and what chance makes of them; one seed is one file."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from random import Random

import pandas as pd
import workbooks
import xlsxwriter

ROWS = [
    ("phone", "first name", "consent", "joined", "note"),
    ("07400 666777", "Zoë", "yes", "2026-01-31", 'said "call me", twice'),
    ("+44 7400 666778", "Łukasz", "no", "31/01/2026", "=1+1"),
    ("07400666779; 07400666780", "李雷", "", "46053", "two\nlines"),
    ("not a number", "", "STOP", "", "\u202e\ufeff"),
]
REPORT = {"uuid": "00000000-0000-4000-8000-000000000001", "status": "delivered", "to": "+447400666777"}
NASTY = (
    *(b"\x00", b'"', b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n\n", b"\t", b";", b",", b"=", b"'", b"\x1a"),
    *(b"\xed\xa0\x80", b"<", b"</c>", b"&#0;", b"]]>", b"<!ENTITY a 'b'>", b'r="XFD1048576"', b"-1"),
    *(b"1e309", b"99999999999999999999", b"NaN", b"[" * 200, b"{" * 200, b'{"a":' * 200),
    *(b"BEGIN:VCARD\n", b"END:VCARD\n", b"TEL:", b"PK\x03\x04", b"PAR1", b"=\n" * 50),
)
MOST_CHANGES = 6


def delimited(rng: Random) -> bytes:
    mark = rng.choice(",;\t|")
    lines = [mark.join(f'"{cell}"' if rng.random() < 0.5 else cell for cell in row) for row in ROWS]
    text = rng.choice(("\n", "\r\n", "\r")).join(lines * rng.randint(1, 9))
    return text.encode(
        rng.choice(("utf-8", "utf-8-sig", "utf-16", "cp1252", "utf-16-le", "gb18030")), "replace"
    )


def xlsx(rng: Random) -> bytes:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        for number in range(rng.randint(1, 2)):
            sheet = workbook.add_worksheet(f"Sheet {number}")
            for place, row in enumerate(ROWS):
                sheet.write_row(place, 0, row)
            if rng.random() < 0.3:
                sheet.merge_range(5, 0, 6, 2, "merged")

    return workbooks.xlsx(fill)


def xls(_rng: Random) -> bytes:
    return workbooks.xls_of([[*row] for row in ROWS])


def ods(_rng: Random) -> bytes:
    return workbooks.ods([[*row] for row in ROWS])


def records(rng: Random) -> bytes:
    people = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
    if rng.random() < 0.3:
        return "\n".join(map(json.dumps, people)).encode()
    return json.dumps(rng.choice((people, {"contacts": people}, {"a": {"b": people}}))).encode()


def parquet(_rng: Random) -> bytes:
    return pd.DataFrame(ROWS[1:], columns=list(ROWS[0])).to_parquet()


def cards(rng: Random) -> bytes:
    return "\n".join(
        f"BEGIN:VCARD\nVERSION:{rng.choice(('2.1', '3.0', '4.0'))}\nFN:{row[1]}\n"
        f"TEL;TYPE=CELL:{row[0]}\nNOTE:a\n b\nEND:VCARD"
        for row in ROWS[1:]
    ).encode()


def reports(rng: Random) -> bytes:
    several = [REPORT | {"status": status} for status in ("sent", "failed", "delivered")]
    if rng.random() < 0.3:
        return "\n".join(
            ["uuid,status,sent_at", *[f"{REPORT['uuid']},sent,2026-01-01T00:00:00Z"] * 3]
        ).encode()
    lines = "\n".join(map(json.dumps, several))
    return rng.choice((json.dumps({"data": several}), lines, json.dumps(several))).encode()


def prices(_rng: Random) -> bytes:
    return b"country,price\nGB,0.04\nDE,0.07\n*,0.10\n"


MAKERS: tuple[Callable[[Random], bytes], ...]
MAKERS = (delimited, xlsx, xls, ods, records, parquet, cards, reports, prices)


def bent(content: bytes, rng: Random) -> bytes:
    """The file with a few bytes changed; of a zipped one, mostly within one of its parts."""
    if content.startswith(b"PK") and rng.random() < 0.7:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = sorted(archive.namelist())
        content = workbooks.bend(content, rng.choice(parts), lambda old: changed(old, rng))
        return workbooks.bend(content, rng.choice(parts), lambda _: None) if rng.random() < 0.1 else content
    return changed(content, rng)


def changed(content: bytes, rng: Random) -> bytes:
    """A few changes, each at a place of its own."""
    found = bytearray(content)
    for _ in range(rng.randint(0, MOST_CHANGES)):
        at, to = sorted((rng.randint(0, len(found)), rng.randint(0, len(found))))
        to = min(to, at + rng.choice((1, 8, 300)))
        match rng.randrange(6):
            case 0:
                found[at:to] = rng.randbytes(to - at)
            case 1:
                del found[at:to]
            case 2:
                found[at:at] = rng.choice(NASTY)
            case 3:
                found[at:at] = found[at:to] * rng.choice((2, 50, 2000))
            case 4:
                del found[at:]
            case _:
                found[at:at] = found[: rng.randint(0, len(found))]
    return bytes(found[:2_000_000])


def file_of(seed: int) -> tuple[str, bytes]:
    """The name of what it was, and the file."""
    rng = Random(seed)
    maker = rng.choice(MAKERS)
    return maker.__name__, bent(maker(rng), rng)
