"""`python -m dashboard clean`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from command_line import SAMPLES, open_ledger, run
from tiers import only_deep
from xlsxwriter import Workbook

from dashboard import clean_contacts, read_sheet

GB = ("--country", "GB")
ANN, BEN = "07400 123456", "07400 123457"


def written(folder: Path, text: str) -> Path:
    """A sheet of these lines."""
    (folder / "sheet.csv").write_text(text, encoding="utf-8")
    return folder / "sheet.csv"


def told(folder: Path, sheet: Path, *words: str, **values: str) -> dict[str, Any]:
    """What machines get."""
    done = run(folder, "clean", sheet, "--json", *words, **values)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_row_comes_back_with_its_verdict(tmp_path: Path) -> None:
    phones = ["07400 123456", "+33 6 12 34 00 00", "020 7946 0991", "nonsense", "", "07400123456"]
    pd.DataFrame({"Name": [*"ABCDEF"], "Mobile": phones}).to_excel(tmp_path / "sheet.xlsx", index=False)
    found = told(tmp_path, tmp_path / "sheet.xlsx", "--out", "checked.xlsx", DASHBOARD_COUNTRY="GB")
    verdicts = clean_contacts(read_sheet(tmp_path / "sheet.xlsx"), country="GB").rows
    assert found["rows"] == len(phones)
    assert found["status"] == verdicts["status"].astype("str").value_counts().to_dict()
    checked = read_sheet(tmp_path / "checked.xlsx").frame
    assert checked["row"].tolist() == verdicts["row"].astype(str).tolist()
    assert checked["status"].tolist() == verdicts["status"].astype(str).tolist()
    assert checked["phone"].tolist() == verdicts["phone"].fillna("").tolist()


def test_a_refusal_in_a_hidden_row_keeps_the_shown_row_with_its_number_out(tmp_path: Path) -> None:
    with Workbook(tmp_path / "sheet.xlsx") as book:
        sheet = book.add_worksheet()
        for place, cells in enumerate((("Mobile", "Notes"), (ANN, "do not text"), (ANN, ""), (BEN, ""))):
            sheet.write_row(place, 0, cells)
        sheet.set_row(1, None, None, {"hidden": True})
    assert told(tmp_path, tmp_path / "sheet.xlsx", *GB)["status"] == {"opted_out": 2, "ok": 1}


def test_it_says_which_columns_were_used_and_which_were_not(tmp_path: Path) -> None:
    sheet = written(
        tmp_path,
        "Mobile,Ring,SmsOptOut,Do not call,Newsletter,SMS consent,Country,Removed on,Bounced\n"
        "07400123456,07400123457,no,no,yes,yes,GB,,\n"
        "07400123458,07400123459,no,yes,yes,yes,GB,,\n",
    )
    found = told(tmp_path, sheet, *GB)
    assert found["columns"] == {
        "phones": ["Mobile"],
        "opt_outs": ["SmsOptOut", "Do not call"],
        "consents": ["SMS consent"],
        "statuses": [],
        "preferences": [],
        "doubts": ["Removed on"],
        "wrong_numbers": ["Bounced"],
        "labels": [],
        "country": ["Country"],
        "offered": ["Ring"],
        "other_channels": ["Newsletter"],
    }
    assert found["status"] == {"ok": 1, "opted_out": 1}
    said = run(tmp_path, "clean", sheet, *GB).stdout
    for line in (
        "Phones: Mobile",
        "Who opted out: SmsOptOut, Do not call",
        "About another channel: Newsletter",
    ):
        assert line in said
    for line in ("Country: Country", "May say no, so ask: Removed on"):
        assert line in said
    assert told(tmp_path, sheet, *GB, "--phone", "Ring")["columns"]["offered"] == ["Mobile"]


ASKS = "Mobile,Zork,A:B\n07400123456,y,\n07400123458,n,x\n07400123461,,\n"


def asked_of(folder: Path, sheet: Path, *words: str, **values: str) -> dict[str, Any]:
    """What machines get while a question is open."""
    done = run(folder, "clean", sheet, *GB, "--json", *words, **values)
    assert (done.returncode, done.stderr) == (2, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_asks_what_columns_say_and_ends_with_2_until_somebody_says_it(tmp_path: Path) -> None:
    sheet = written(tmp_path, ASKS)
    done = run(tmp_path, "clean", sheet, *GB, "--out", "out.csv")
    assert done.returncode == 2
    for line in ("  Zork: y (1), n (1), (blank) (1)\n", "  A:B: (blank) (2), x (1)\n", '"Zork=consent"'):
        assert line in done.stdout
    assert read_sheet(tmp_path / "out.csv").frame["status"].tolist() == ["review"] * 3, "written nevertheless"
    assert asked_of(tmp_path, sheet)["questions"] == {"Zork": {"y": 1, "n": 1, "": 1}, "A:B": {"": 2, "x": 1}}
    some = asked_of(tmp_path, sheet, "--column", "Zork=refusal")
    assert (some["questions"], some["status"]) == ({"A:B": {"": 2, "x": 1}}, {"review": 2, "opted_out": 1})


def test_it_takes_answers_for_a_column_and_for_a_value_and_for_all_that_is_open(tmp_path: Path) -> None:
    sheet = written(tmp_path, ASKS)
    for words, expected in (
        (["--none-of-these"], {"ok": 3}),
        (["--column", "Zork=refusal", "--none-of-these"], {"ok": 2, "opted_out": 1}),
        (
            ["--column", "Zork:n=must_not", "--column", "A:B=nothing", "--none-of-these"],
            {"ok": 2, "opted_out": 1},
        ),
        (
            ["--column", "A:B:x=must_not", "--column", "A:B:=may", "--column", "Zork=nothing"],
            {"ok": 2, "opted_out": 1},
        ),
        (["--column", "Zork=wrong number", "--column", "A:B=other channel"], {"ok": 2, "review": 1}),
    ):
        found = told(tmp_path, sheet, *GB, *words)
        assert (found["status"], found["questions"]) == (expected, {})


def test_what_is_no_answer_is_refused_with_what_is_one(tmp_path: Path) -> None:
    sheet = written(tmp_path, ASKS)
    for answer, said in (
        ("Zrok=consent", 'no column "Zrok"'),
        ("Zork", '--column "Zork=consent"'),
        ("Zork=may", '--column "Zork:VALUE=may"'),
        ("Zork:y=consent", '--column "Zork=consent"'),
        ("Zork=question", "(one of consent, refusal, status, "),
    ):
        done = run(tmp_path, "clean", sheet, *GB, "--column", answer)
        assert (done.returncode, said in done.stderr) == (2, True), answer


def test_what_stands_only_further_down_a_large_csv_is_left_for_review(tmp_path: Path) -> None:
    """Its columns are guessed from the first 4 MB, some 10,000 of these rows."""
    line = "+4474{:08d},{},customer,{}\n"
    rows = [line.format(place * 7919 % 10**8, "yn"[place % 2], "z" * 370) for place in range(12_000)]
    sheet = written(tmp_path, "Mobile,Zork,Status,Note\n" + "".join(rows) + "+447400999999,maybe,,\n")
    piece_by_piece = {"DASHBOARD_UPLOAD_MB": "1"}
    asked = asked_of(tmp_path, sheet, "--out", "out.parquet", **piece_by_piece)["questions"]
    assert asked.keys() == {"Zork"}
    assert asked["Zork"].keys() == {"y", "n"}
    words = ["--column", "Zork:y=may", "--column", "Zork:n=must_not", "--out", "out.parquet"]
    found = told(tmp_path, sheet, *GB, *words, **piece_by_piece)
    assert (found["questions"], found["problem"]["column_unanswered"]) == ({}, 1)


def test_it_says_how_to_choose_a_line_that_may_be_somebody_elses(tmp_path: Path) -> None:
    sheet = written(tmp_path, "Pupil,Mobile - Mum,Coach phone\nAnn,07400123456,07400123457\n")
    refused = run(tmp_path, "clean", sheet, *GB, "--out", "checked.parquet")
    assert refused.returncode != 0
    for part in ("“Mobile - Mum”, “Coach phone”", "somebody else’s", '--phone "Mobile - Mum"'):
        assert part in refused.stderr
    assert not (tmp_path / "checked.parquet").exists()
    assert told(tmp_path, sheet, *GB, "--phone", "Mobile - Mum")["status"] == {"ok": 1}


def test_it_says_who_is_left_to_a_person_and_how_many_refusals_reach_nobody(tmp_path: Path) -> None:
    sheet = written(
        tmp_path,
        "Name,Mobile,Remarks,Preferred contact\nAnn,07400 123456,says zork may opt out,SMS\n"
        "Ben,07400 223457,,Email\nCy,07400 12,do not text,\n",
    )
    note = "1 row refuses texts but has no readable number. Check whether this person is in the list under"
    said = run(tmp_path, "clean", sheet, *GB, "--out", "out.xlsx").stdout
    for part in ("may mean no texts", "prefers something other than texts", note):
        assert part in said
    found = told(tmp_path, sheet, *GB)
    assert {"refusal_noted": 1, "other_channel_preferred": 1}.items() <= found["problem"].items()
    assert [one.startswith(note) for one in found["notes"]] == [True]
    assert read_sheet(tmp_path / "out.xlsx").frame["explanation"][0].endswith("Look in “Remarks”.")


@pytest.mark.parametrize("megabytes", [2, *only_deep(100)])
def test_a_large_csv_is_checked_piece_by_piece(tmp_path: Path, megabytes: int) -> None:
    """Above 100 MB, or what the setting says."""
    limit = {} if megabytes == 100 else {"DASHBOARD_UPLOAD_MB": str(megabytes)}
    sheet, lines = tmp_path / "large.csv", megabytes * 1_050
    line = "Ann,+447400123456," + "x" * 1000 + "\n"
    sheet.write_text("name,mobile,note\nBob,+447400999999,\n" + line * lines, encoding="utf-8")
    words = "clean", sheet, *GB
    refused = run(tmp_path, *words, "--out", "checked.csv", **limit)
    assert refused.returncode == 2
    assert f"up to {megabytes} MB can be read" in refused.stderr
    done = run(tmp_path, *words, "--out", "checked.parquet", **limit)
    assert done.returncode == 0, done.stderr
    assert f"{lines - 1:,}  duplicate" in done.stdout
    assert "2  ok" in done.stdout
    checked = pd.read_parquet(tmp_path / "checked.parquet", columns=["row", "phone", "status"])
    assert checked.head(3).to_numpy().tolist() == [
        [2, "+447400999999", "ok"],
        [3, "+447400123456", "ok"],
        [4, "+447400123456", "duplicate"],
    ]


def test_a_ledger_that_cannot_be_looked_at_is_not_taken_for_none(tmp_path: Path) -> None:
    """Its opt-outs would be texted."""
    (tmp_path / "data").write_text("a file where the folder should be", encoding="utf-8")
    done = run(tmp_path, "clean", SAMPLES / "contacts_clean.csv", *GB)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_opt_outs_of_the_ledger_are_marked(tmp_path: Path) -> None:
    sheet = written(tmp_path, "Mobile\n07400123456\n07400123457\n")
    assert told(tmp_path, sheet, *GB)["status"] == {"ok": 2}
    assert not (tmp_path / "data").exists()
    with open_ledger(tmp_path) as ledger:
        ledger.add_opt_outs(["+447400123456"], reason="asked", source="by hand")
    assert told(tmp_path, sheet, *GB)["status"] == {"ok": 1, "opted_out": 1}


def test_the_files_of_a_folder_are_one_list(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    for name, row in (("a.csv", f"Ann,{ANN},yes"), ("b.csv", f"Ann,{ANN},no\nBen,{BEN},yes")):
        (tmp_path / "lists" / name).write_text(f"Name,Mobile,SMS consent\n{row}\n")
    found = told(tmp_path, tmp_path / "lists", *GB, "--out", "checked")
    assert found["status"] == {"opted_out": 2, "ok": 1}
    assert pd.read_parquet(tmp_path / "checked")["status"].tolist() == ["opted_out", "opted_out", "ok"]
    again = run(tmp_path, "clean", tmp_path / "lists", *GB, "--out", "checked")
    assert (again.returncode, again.stderr.count("not an empty folder")) == (2, 1)
    assert "--out" in run(tmp_path, "clean", tmp_path / "lists", *GB).stderr
    assert (
        "--keep" in run(tmp_path, "clean", tmp_path / "lists", *GB, "--out", "two", "--keep", "last").stderr
    )
