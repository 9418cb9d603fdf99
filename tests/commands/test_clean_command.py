"""`python -m dashboard clean`."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from command_line import SAMPLES, run
from tiers import only_deep

from dashboard import Ledger, clean_contacts, read_sheet


def test_every_row_comes_back_with_its_verdict(tmp_path: Path) -> None:
    done = run(tmp_path, "clean", SAMPLES / "contacts.xlsx", "--country", "GB", "--out", "checked.xlsx")
    assert done.returncode == 0, done.stderr
    assert "1,900  ok" in done.stdout
    sheet = read_sheet(SAMPLES / "contacts.xlsx")
    verdicts = clean_contacts(sheet, country="GB").rows
    checked = read_sheet(tmp_path / "checked.xlsx").frame
    assert checked["row"].tolist() == verdicts["row"].astype(str).tolist()
    assert checked["status"].tolist() == verdicts["status"].astype(str).tolist()
    assert checked["phone"].tolist() == verdicts["phone"].fillna("").tolist()


def test_machines_get_one_object(tmp_path: Path) -> None:
    done = run(tmp_path, "clean", SAMPLES / "contacts.csv", "--json", DASHBOARD_COUNTRY="GB")
    found = json.loads(done.stdout)
    assert found["rows"] == sum(found["status"].values())
    assert found["status"]["ok"] == 1900


def test_a_phone_column_can_be_named(tmp_path: Path) -> None:
    sheet = tmp_path / "two.csv"
    sheet.write_text("name,ref,mobile\nAnn,07400123456,07400123457\n", encoding="utf-8")
    words = ["clean", sheet, "--country", "GB", "--phone", "ref", "--out", "out.csv"]
    assert run(tmp_path, *words).returncode == 0
    assert "+447400123456" in (tmp_path / "out.csv").read_text(encoding="utf-8")


def test_it_says_which_columns_were_used_and_which_were_not(tmp_path: Path) -> None:
    sheet = tmp_path / "two.csv"
    sheet.write_text(
        "Mobile,Ring,SmsOptOut,Do not call,Newsletter,SMS consent,VIP,Country,Removed on,Bounced\n"
        "07400123456,07400123457,no,no,yes,yes,yes,GB,,\n"
        "07400123458,07400123459,no,yes,yes,yes,no,GB,,\n",
        encoding="utf-8",
    )
    found = json.loads(run(tmp_path, "clean", sheet, "--country", "GB", "--json").stdout)
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
        "unread": ["VIP"],
    }
    assert found["status"] == {"ok": 1, "opted_out": 1}
    said = run(tmp_path, "clean", sheet, "--country", "GB").stdout
    for line in ("Phones: Mobile", "Who opted out: SmsOptOut, Do not call", "Not about texts: Newsletter"):
        assert line in said
    for line in ("Country: Country", "May refuse: Removed on", "nobody is left out for: VIP"):
        assert line in said
    named = run(tmp_path, "clean", sheet, "--country", "GB", "--phone", "Ring", "--json").stdout
    assert json.loads(named)["columns"]["offered"] == ["Mobile"]


def test_it_says_how_to_choose_a_line_that_may_be_somebody_elses(tmp_path: Path) -> None:
    sheet, out = tmp_path / "pupils.csv", tmp_path / "checked.parquet"
    sheet.write_text("Pupil,Mobile - Mum,Coach phone\nAnn,07400123456,07400123457\n", encoding="utf-8")
    refused = run(tmp_path, "clean", sheet, "--country", "GB")
    assert refused.returncode != 0
    for part in ("“Mobile - Mum”, “Coach phone”", "somebody else’s", '--phone "Mobile - Mum"'):
        assert part in refused.stderr
    assert not out.exists()
    chosen = run(tmp_path, "clean", sheet, "--country", "GB", "--phone", "Mobile - Mum", "--json")
    assert json.loads(chosen.stdout)["status"] == {"ok": 1}


def test_it_says_how_many_refusals_reach_nobody(tmp_path: Path) -> None:
    sheet = tmp_path / "list.csv"
    sheet.write_text("Name,Mobile,Notes\nAnn,07400 12,do not text\nBob,07400 123456,\n", encoding="utf-8")
    note = "1 row refuses texts but has no readable number. Check whether this person is in the list under"
    assert note in run(tmp_path, "clean", sheet, "--country", "GB").stdout
    (said,) = json.loads(run(tmp_path, "clean", sheet, "--country", "GB", "--json").stdout)["notes"]
    assert said.startswith(note)


def test_it_says_who_is_left_to_a_person_and_where_to_read(tmp_path: Path) -> None:
    sheet = tmp_path / "list.csv"
    sheet.write_text(
        "Name,Mobile,Remarks,Preferred contact\nAnn,07400 123456,says zork may opt out,SMS\n"
        "Ben,07400 223457,,Email\n",
        encoding="utf-8",
    )
    said = run(tmp_path, "clean", sheet, "--country", "GB", "--out", "out.xlsx").stdout
    assert "mentions refusing texts" in said
    assert "prefers something other than texts" in said
    found = json.loads(run(tmp_path, "clean", sheet, "--country", "GB", "--json").stdout)
    assert found["problem"] == {"refusal_noted": 1, "other_channel_preferred": 1}
    assert read_sheet(tmp_path / "out.xlsx").frame["explanation"][0].endswith("Look in “Remarks”.")


MISTAKES = {
    "no country": (["clean", SAMPLES / "contacts.csv"], "--country GB"),
    "not a country": (["clean", SAMPLES / "contacts.csv", "--country", "UKK"], "ISO 3166"),
    "no such column": (["clean", SAMPLES / "contacts.csv", "--country", "GB", "--phone", "Fone"], "Fone"),
    "no such file": (["clean", "nowhere.csv", "--country", "GB"], "does not exist"),
    "another kind of output": (
        ["clean", SAMPLES / "contacts.csv", "--out", "a.pdf"],
        ".xlsx, .csv, .parquet",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_ends_with_a_sentence(tmp_path: Path, mistake: str) -> None:
    words, sentence = MISTAKES[mistake]
    done = run(tmp_path, *words)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_setting_that_cannot_be_used_is_named_without_its_value(tmp_path: Path) -> None:
    words = ["clean", SAMPLES / "contacts.csv", "--country", "GB"]
    done = run(tmp_path, *words, SMS_API_KEY="fictional-key-4711")
    assert done.returncode == 2
    assert "SMS_BASE_URL" in done.stderr
    assert "fictional-key-4711" not in done.stderr + done.stdout


@pytest.mark.parametrize("megabytes", [2, *only_deep(100)])
def test_a_large_csv_is_checked_piece_by_piece(tmp_path: Path, megabytes: int) -> None:
    """Above 100 MB, or what the setting says."""
    limit = {} if megabytes == 100 else {"DASHBOARD_UPLOAD_MB": str(megabytes)}
    sheet, lines = tmp_path / "large.csv", megabytes * 1_050
    line = "Ann,+447400123456," + "x" * 1000 + "\n"
    sheet.write_text("name,mobile,note\nBob,+447400999999,\n" + line * lines, encoding="utf-8")
    words = "clean", sheet, "--country", "GB"
    refused = run(tmp_path, *words, "--out", "checked.csv", **limit)
    assert refused.returncode == 2
    assert f"up to {megabytes} MB can be read" in refused.stderr
    done = run(tmp_path, *words, "--out", "checked.parquet", "--json", **limit)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == {"duplicate": lines - 1, "ok": 2}
    checked = pd.read_parquet(tmp_path / "checked.parquet", columns=["row", "phone", "status"])
    assert checked.head(3).to_numpy().tolist() == [
        [2, "+447400999999", "ok"],
        [3, "+447400123456", "ok"],
        [4, "+447400123456", "duplicate"],
    ]


def test_where_nothing_can_be_written_is_said(tmp_path: Path) -> None:
    words = ["clean", SAMPLES / "contacts_clean.csv", "--country", "GB", "--out", "nowhere/checked.csv"]
    done = run(tmp_path, *words)
    assert done.returncode == 2
    assert "folder exists" in done.stderr


def test_the_limits_of_the_settings_hold(tmp_path: Path) -> None:
    sheet = tmp_path / "wide.csv"
    sheet.write_text("phone,name,town\n07911123456,Ann,Leeds\n")
    refused = run(tmp_path, "clean", sheet, "--country", "GB", DASHBOARD_SHEET_COLUMNS="1")
    assert refused.returncode != 0
    assert "at most 1 can be read" in refused.stderr


def test_a_ledger_that_cannot_be_looked_at_is_not_taken_for_none(tmp_path: Path) -> None:
    """Its opt-outs would be texted."""
    (tmp_path / "data").write_text("a file where the folder should be", encoding="utf-8")
    done = run(tmp_path, "clean", SAMPLES / "contacts.csv", "--country", "GB")
    assert done.returncode == 2
    assert "ok" not in done.stdout
    assert "Traceback" not in done.stderr


def test_opt_outs_of_the_ledger_are_marked(tmp_path: Path) -> None:
    sheet = tmp_path / "two.csv"
    sheet.write_text("Mobile\n07400123456\n07400123457\n", encoding="utf-8")
    words = ["clean", sheet, "--country", "GB", "--json"]
    assert json.loads(run(tmp_path, *words).stdout)["status"] == {"ok": 2}
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    with closing(Ledger.open(f"sqlite:///{(tmp_path / 'data' / 'ledger.sqlite').as_posix()}")) as ledger:
        ledger.add_opt_outs(["+447400123456"], reason="asked", source="by hand")
    assert json.loads(run(tmp_path, *words).stdout)["status"] == {"ok": 1, "opted_out": 1}
