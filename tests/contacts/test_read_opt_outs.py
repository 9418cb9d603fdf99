"""Whom a file, a sheet or typed lines say must not be texted."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tiers import only_deep

from dashboard.contacts import ReadOptOuts, clean_contacts, read_opt_outs, read_sheet, write_xlsx
from dashboard.errors import ColumnError, OptOutError, SheetError
from dashboard.ledger import Ledger


def test_typed_phones_are_read_as_cells_of_a_sheet_are() -> None:
    typed = ["07911 123456", "+44 7911 123456", "", "07911123457 / 07911123458", "nope"]
    found = read_opt_outs(typed, "GB", trusts_e164=False)
    assert found.phones == ["+447911123456", "+447911123457", "+447911123458"]
    assert found.unread == (5,)
    typed = ["447911123456", "4.47911E+11", "+44 7911 12345"]
    assert read_opt_outs(typed, "GB", trusts_e164=False).unread == (2, 3)


def test_who_shares_a_number_with_a_refusal_does_not_come_onto_the_list_with_another() -> None:
    sheet = read_sheet(
        b"Mobile,Home phone,Unsubscribed\n07911123456,020 7946 0991,yes\n"
        b"07911123457,020 7946 0991,\n07911123458,,no\nnope,,yes\n"
    )
    found = read_opt_outs(sheet, "GB")
    assert found.phones == ["+442079460991", "+447911123456"]
    assert (found.unread, found.passed_over, found.columns) == ((5,), 2, ("Unsubscribed",))


def test_phones_of_a_sheet_are_read_for_the_opt_out_list() -> None:
    sheet = read_sheet(b"Name,Mobile\nAnn,07911123456 / 07911123457\nBen,nope\nCy,020 7946 0000\n,\n")
    found = read_opt_outs(sheet, "GB")
    assert found.phones == ["+442079460000", "+447911123456", "+447911123457"]
    assert (found.unread, found.passed_over, found.columns) == ((3,), 0, ())
    with pytest.raises(ColumnError, match="phone"):
        read_opt_outs(read_sheet(b"Name,City\nAnn,Leeds\n"), "GB")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The same two people who opted out, in files of several kinds."""
    frame = pd.DataFrame({"Mobile": ["07400 123456", "+44 7400 123457"]})
    found = {ending: tmp_path / f"opt outs.{ending}" for ending in ("csv", "txt", "xlsx", "json", "parquet")}
    frame.to_csv(found["csv"], index=False)
    found["txt"].write_text("07400 123456\n+44 7400 123457\n")
    write_xlsx(frame, found["xlsx"])
    frame.to_json(found["json"], orient="records")
    frame.to_parquet(found["parquet"])
    return found


@pytest.mark.usefixtures("read_here")
@pytest.mark.parametrize("kind", [str, *only_deep(Path)])
def test_a_file_of_opt_outs_leaves_its_people_out_and_goes_onto_the_ledger(
    files: dict[str, Path], kind: Any, ledger: Ledger
) -> None:
    people = pd.DataFrame({"phone": ["07400 123456", "07400 123457", "07400 123458"]})
    for file in files.values():
        read = read_opt_outs(kind(file), "GB")
        contacts = clean_contacts(people, country="GB", opt_outs=read)
        assert contacts.rows["status"].tolist() == ["opted_out", "opted_out", "ok"], file.suffix
    assert ledger.add_opt_outs(read) == 2
    assert set(ledger.opt_outs()["phone"]) == set(read.phones)


def test_of_a_file_with_unread_rows_nobody_is_lost_without_a_word(tmp_path: Path) -> None:
    file = tmp_path / "stop.csv"
    file.write_text("Mobile\n07400 123456\nAnn\n")
    read = read_opt_outs(file, "GB")
    people = pd.DataFrame({"phone": ["07400 123456"]})
    with pytest.raises(OptOutError, match="entry 3"):
        clean_contacts(people, country="GB", opt_outs=read)
    assert clean_contacts(people, country="GB", opt_outs=read.phones).count("opted_out") == 1


def test_a_file_that_is_not_there_is_no_number() -> None:
    for missing in ("nobody.csv", Path("nobody.csv"), "lists/2026/nobody.XLSX"):
        with pytest.raises(SheetError, match="cannot be opened"):
            read_opt_outs(missing, "GB")


def test_what_was_read_is_read_again_as_it_is() -> None:
    read = read_opt_outs("07400 123456", "GB")
    assert isinstance(read, ReadOptOuts)
    assert read_opt_outs(read) is read
