"""`forget`: says what it would delete, asks, and deletes only that."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import pandas as pd
import pytest
from command_line import open_ledger, run
from fixtures_ledger import ON_BOTH_DATABASES, file_of, messages_frame, report
from sqlalchemy import event, select

from dashboard.campaigns import write_messages
from dashboard.commands.steps.one_person import lists_with
from dashboard.ledger import Ledger
from dashboard.ledger.database import connections, schema
from dashboard.settings import load_settings


def test_old_campaigns_are_forgotten_after_a_question(tmp_path: Path) -> None:
    with open_ledger(tmp_path, now=lambda: datetime.now(UTC) - timedelta(days=40)) as ledger:
        campaign = ledger.create_campaign("Spring", messages_frame(5), batch_size=2)
        ledger.cancel(campaign)
        nothing = run(tmp_path, "forget", "--days", "50")
        assert "Nothing was deleted" in nothing.stdout
        unsure = run(tmp_path, "forget", "--days", "30")
        assert (unsure.returncode, "as nobody answered" in unsure.stderr) == (2, True)
        assert "5 messages in 1 campaign?" in unsure.stdout
        assert ledger.messages(campaign)["to"].ne("").all()
        done = run(tmp_path, "forget", "--days", "30", "--yes")
        assert (done.returncode, done.stderr) == (0, "")
        assert ledger.messages(campaign)["to"].eq("").all()
        assert ledger.campaign(campaign).cancelled == 5


def test_old_reports_about_unknown_messages_are_forgotten_as_well(tmp_path: Path) -> None:
    with open_ledger(tmp_path, now=lambda: datetime.now(UTC) - timedelta(days=40)) as ledger:
        theirs = ("+447400900001", "0044 7400 900001", 447400900001)
        others = ("+447500900001", None, "x" * 9_999)
        contact = {"contact_methods": [{"address": "447400-900001"}]}
        for about in (*({"to": phone} for phone in (*theirs, *others)), {"contact": contact}):
            ledger.record_reports([report(str(uuid4()), **about)])
        taken = run(tmp_path, "export", "out", "--person", "+447400900001")
        assert taken.stdout == "out/stray-reports.csv\n"
        assert len(pd.read_csv(tmp_path / "out" / "stray-reports.csv")) == 4
        assert "447500900001" not in (tmp_path / "out" / "stray-reports.csv").read_text("utf-8")
        both = run(tmp_path, "export", "other", "--person", "+447400900001", "--campaign", "any")
        assert (both.returncode, "either" in both.stderr) == (2, True)
        done = run(tmp_path, "forget", "--days", "30", "--yes")
        assert "Deleted the numbers and texts of 7 reports about unknown messages." in done.stdout
        assert ledger.stray_reports().empty


def test_what_a_reader_kept_in_the_log_goes_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EMPTY_WAIT_S", 0.01)
    then = datetime.now(UTC) - timedelta(days=40)
    with open_ledger(tmp_path, now=lambda: then) as ledger, ledger.database.read() as reader:
        ledger.cancel(ledger.create_campaign("Spring", messages_frame(3), batch_size=2))
        reader.execute(select(schema.campaign)).first()
        assert run(tmp_path, "forget", "--days", "30", "--yes").returncode == 0
        reader.rollback()
        files = [file_of(ledger), Path(f"{file_of(ledger)}-wal")]
        assert any(b"+447400900001" in file.read_bytes() for file in files)
        assert "There is no such campaign" in run(tmp_path, "forget", "--days", "30", "--yes").stdout
        assert not any(b"+447400900001" in file.read_bytes() for file in files)


def test_all_that_ended_is_forgotten_at_once(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        ended, going_on = (
            ledger.create_campaign(name, messages_frame(2, name), batch_size=2) for name in "AB"
        )
        ledger.cancel(ended)
        ledger.start(going_on)
        done = run(tmp_path, "forget", "--days", "0", "--yes")
        assert (done.returncode, done.stderr) == (0, "")
        assert ledger.messages(ended)["to"].eq("").all()
        assert ledger.messages(going_on)["to"].ne("").all()
    assert run(tmp_path, "forget", "--days", "-1").returncode == 2


def test_who_is_still_counted_is_not_forgotten(tmp_path: Path) -> None:
    cap = {"DASHBOARD_TEXTS_PER_PERSON": "2", "DASHBOARD_TEXTS_WITHIN_DAYS": "9"}
    refused = run(tmp_path, "forget", "--days", "8", "--yes", **cap)
    assert refused.returncode == 2
    assert "--days 9 or more" in refused.stderr


@ON_BOTH_DATABASES
def test_a_list_saved_again_while_it_is_searched_is_named_as_it_was(ledger: Ledger) -> None:
    """The number is in the file of one version and among the corrections of the other."""
    number, how = "07400 123450", {"source": "a.csv", "who": "ann"}
    found, began = ledger.lists.save("A", BytesIO(f"Mobile\n{number}\n".encode()), **how), list[bool]()

    def save_again(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "saved_list.choices" in statement and not began:
            began.append(True)
            sheet, choices = BytesIO(b"Mobile\nnope\n"), {"fixes": {"2": number}}
            other.lists.save("A", sheet, source="a.csv", who="ann", choices=choices, replacing=found)

    with Ledger.open(ledger.database.url) as other:
        event.listen(ledger.database.engine, "after_cursor_execute", save_again)
        assert lists_with(ledger, number, "GB") == ["A"]
        event.remove(ledger.database.engine, "after_cursor_execute", save_again)
    assert began
    assert lists_with(ledger, number, "GB") == ["A"]


def test_one_person_is_taken_along_and_forgotten(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        campaign = ledger.create_campaign("Spring", messages_frame(3), batch_size=2)
        ledger.create_campaign(
            "Birthday of 07400-900001", messages_frame(1, "Birthday of 07400-900001"), batch_size=2
        )
        ledger.library.save("Reply", "Call 07400 900001", who="ann")
        ledger.library.save("Reply", "Call us", who="ann")
        ledger.library.save("Other", "Call 07400 900002", who="ann")
        ledger.library.delete(ledger.library.save("Gone", "Call 07400 900001", who="ann").id, who="ann")
        people = pd.DataFrame({"phone": ["+447400900009"], "first_name": ["Ann"]})
        for name, text in (("Text", "Call 07400 900001"), ("Other text", "Call 07400 900002")):
            written = write_messages(people, f"Hi {{{{ first_name }}}}. {text}", campaign=name)
            ledger.create_campaign(name, written, batch_size=2)
        phone = str(ledger.messages(campaign)["to"].iloc[1])
        ledger.add_opt_outs([phone], reason="STOP", source="test")
        ledger.add_opt_outs(["+541123456789"], reason="Wrote to us", source="test")
        ledger.settings.change({"country": "AR"}, who="ann", given=load_settings())
        national = f"0{phone.removeprefix('+44')}"
        for name, number in (
            *(("Old", national), ("New", "07400 555555"), ("Of +447400900001", "07400 555555")),
            ("Arabic", "".join(chr(0x660 + int(one)) for one in national)),
        ):
            sheet = BytesIO(f"Mobile\n{number}\n".encode())
            ledger.lists.save(name, sheet, source="list.csv", who="ann")
        for name, number in (("Workbook", national), ("New workbook", "07400 555555")):
            with pd.ExcelWriter(book := BytesIO()) as writer:
                for worksheet, cell in (("First", "07400 555556"), ("Second", number)):
                    pd.DataFrame({"Mobile": [cell]}).to_excel(writer, sheet_name=worksheet, index=False)
            book.seek(0)
            ledger.lists.save(name, book, source="list.xlsx", who="ann")
        corrected, titled = BytesIO(b"Mobile\nnope\n"), BytesIO(f"{national}\n07400 555555\n".encode())
        ledger.lists.save(
            "Corrected", corrected, source="a.csv", who="ann", choices={"fixes": {"2": national}}
        )
        ledger.lists.save("Titled", titled, source="a.csv", who="ann")
        taken = run(tmp_path, "export", "out", "--person", national, "--country", "GB")
        assert taken.returncode == 0, taken.stderr
        files = {file.name: file.read_text("utf-8") for file in (tmp_path / "out").iterdir()}
        assert set(files) == {"messages.csv", "opt-outs.csv"}
        assert all(phone in text.replace("'", "") for text in files.values())
        other = run(tmp_path, "export", "out", "--person", "+447400123499")
        assert (other.returncode, "Name a new one" in other.stderr) == (2, True), "or they would get these"
        spelled = run(tmp_path, "export", "mobile", "--person", "011 15 2345-6789")
        assert spelled.returncode == 0
        assert "Wrote to us" in (tmp_path / "mobile" / "opt-outs.csv").read_text("utf-8")
        nobody = run(tmp_path, "export", "new", "--person", "+447400123499")
        assert (nobody.returncode, nobody.stdout) == (
            0,
            "There are no messages, opt-outs, rows or reports of this number.\n",
        )
        for wrong in ((), ("--days", "9", "--person", phone)):
            assert run(tmp_path, "forget", *wrong).returncode == 2
        unsure = run(tmp_path, "forget", "--person", phone)
        assert (unsure.returncode, len(ledger.person(phone))) == (2, 1)
        done = run(tmp_path, "forget", "--person", national, "--country", "GB", "--yes")
        assert (done.returncode, done.stderr) == (0, "")
        assert "1 message" in done.stdout
        assert "number: “Titled”, “Corrected”, “Workbook”, “Arabic”, “Of …”, “Old”. Delete" in done.stdout
        assert "typed the number: “Text”, “Birthday of …”, “Reply”, “Gone”. What" in done.stdout
        assert not re.search(f"New|Other|{national[1:]}", done.stdout)
        assert ledger.person(phone).empty
        assert phone not in ledger.opt_out_history()["phone"].tolist()
