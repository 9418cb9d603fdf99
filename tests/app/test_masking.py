"""A viewer sees no number in full: not in any text, frame, page or file."""

from __future__ import annotations

import re
from io import BytesIO
from zipfile import ZipFile

import pandas as pd
import pytest
from app_seeds import british, sent_campaign
from each import each
from hypothesis import given
from hypothesis import strategies as st
from page_reading import go, words
from streamlit.testing.v1 import AppTest
from test_people import SignedIn, locked, seat_at, sign_in_settings, visit

from dashboard.app import actions, people, seen
from dashboard.app.followup import files
from dashboard.app.masking import DOT, masked, masked_frame
from dashboard.app.people import NotAllowedError, Person
from dashboard.app.runtime import Runtime
from dashboard.app.sheets.phone_lists import search
from dashboard.campaigns import write_messages
from dashboard.ledger import Ledger
from dashboard.settings import ROLES

VIC, UNA = "vic@example.com", "una@example.com"


@each(
    "text, said",
    [
        ("+447400123456", "+44••••••3456"),
        ("+12025550123", "+1••••••0123"),
        ("+353861234567", "+353•••••4567"),
        ("+290 12345", "+290••••5"),
        ("Call 07400-123 456 now", "Call •••••••3456 now"),
        ("(0)7400/123.456", "(•••••••3456"),
        ("0044 7400 123456", "••••••••••3456"),
        ("+44 (0) 7400 123456", "+44•••••••3456"),
        ("2026-11-20 10:00", "2026-11-20 10:00"),
        ("1,000,000 messages", "1,000,000 messages"),
        ("room 12 of 2026", "room 12 of 2026"),
        ("", ""),
    ],
)
def test_what_looks_like_a_number_is_masked(text: str, said: str) -> None:
    assert masked(text) == said


DIGITS = st.from_regex(r"[1-9][0-9]{6,14}", fullmatch=True)
BETWEEN = st.sampled_from(["", "", "", " ", "-", ".", "/", "\N{NO-BREAK SPACE}", " (", ") ", " - "])
AROUND = st.sampled_from(["", "Call ", "tel:", "Zsazsa, ", "(", "\n", "–"])


@given(DIGITS, st.sampled_from(["+", "", "00"]), st.lists(BETWEEN, min_size=15, max_size=15), AROUND, AROUND)
def test_of_a_number_in_any_spelling_four_digits_are_hidden(
    digits: str, begins: str, between: list[str], before: str, after: str
) -> None:
    """Counted on the digits that are left, whatever stands between them."""
    spelt = begins + "".join(digit + gap for digit, gap in zip(digits, between, strict=False))
    said = masked(f"{before}{spelt}{after}")
    assert said.count(DOT) >= 3
    assert digits not in re.sub(r"\D", "", said)


def test_frames_keep_everything_but_numbers() -> None:
    frame = pd.DataFrame(
        {
            "uuid": ["01234567-0000-4000-8000-000000000001"],
            "to": pd.Series(["+447400123456"], dtype="str"),
            "kind": pd.Categorical(["+447400123456"]),
            "credits": [1_234_567],
            "at": pd.to_datetime(["2026-11-20T10:00Z"]),
            "missing": pd.Series([None], dtype="str"),
        }
    )
    before = frame.copy(deep=True)
    found = masked_frame(frame)
    assert found[["to", "kind"]].astype("str").to_numpy().tolist() == [["+44••••••3456"] * 2]
    same = ["uuid", "credits", "at", "missing"]
    pd.testing.assert_frame_equal(found[same], before[same])
    pd.testing.assert_frame_equal(frame, before)
    assert found.dtypes["to"] == before.dtypes["to"]


def test_a_search_tells_no_digit_that_is_masked() -> None:
    listed = pd.DataFrame({"phone": ["+447400123456"], "reason": [""], "source": [""]})
    for digits in ("123", "74001", "4474001234", "400123456"):
        assert len(search(listed, digits)) == 1
        assert search(listed, digits, whole=True).empty
    for number in ("+44 7400 123456", "0044 7400 123456", "07400 123456"):
        assert len(search(listed, number, whole=True)) == 1
    for said in ("+447400123456", "07400 123456", "(0)7400/123.456", "Ann, 07400-123456, called"):
        for typed in (listed.assign(reason=said), listed.assign(source=said)):
            assert len(search(typed, "74")) == 1
            for hidden in ("74", "40", "00", "12", "0", "7", "+447"):
                assert search(typed, hidden, whole=True).empty
            assert len(search(typed, "56", whole=True)) == 1, "as it is shown"


def with_viewer(wired: Runtime, *, exports: bool = False) -> Runtime:
    """A process where people sign in, Vic as a viewer."""
    people = {UNA: "admin"}
    wired.ledger.people.add(VIC, "viewer", exports=exports, who=UNA, given=sign_in_settings(people=people))
    return locked(wired, people=people)


def numbers_of(ledger: Ledger, campaign: str) -> list[str]:
    return [str(number) for number in ledger.messages(campaign)["to"]]


def everything(page: AppTest) -> str:
    """All that went to the browser: every element as it was sent, and every table."""
    tables = [one.value.to_csv() for one in page.dataframe]
    return "\n".join([words(page), *tables, *(repr(one) for one in page.main)])


def test_no_page_of_a_viewer_has_a_number_in_full(wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, "Spring", delivered=3)
    numbers = numbers_of(wired.ledger, campaign)
    wired.ledger.add_opt_outs(numbers[:3], reason=f"called from {numbers[3]}", source="phone")
    opened = with_viewer(wired)
    full = ("campaign", "optouts")
    others = ("overview", "campaigns", "contacts", "person", "check")
    for who, views, sees in ((UNA, full, True), (VIC, (*full, *others), False)):
        page = visit(opened, who=who)
        for view in views:
            go(page, view, id=campaign)
            digits = re.sub(r"[^\d\n]", "", everything(page))
            assert any(one[1:] in digits for one in numbers) is sees, view
            assert sees or not list(page.get("download_button"))


def test_a_viewer_reads_choices_and_texts_without_the_numbers_in_them(wired: Runtime) -> None:
    number = "+447400900123"
    choice = {"conditions": [{"column": "Mobile", "test": "is_not", "values": [number]}]}
    contacts = british(["+447911000001"]).assign(Home=["020 7946 0958"])
    messages = write_messages(contacts, "We called {{Home}}.", campaign="Spring")
    audience = {"lists": [], "audience": choice}
    campaign = wired.ledger.create_campaign("Spring", messages, batch_size=1, audience=audience)
    page = visit(with_viewer(wired), "campaign", who=VIC, query={"id": campaign})
    assert f"Mobile is not {masked(number)}" in everything(page)
    for typed, said in (("+44", True), ("900001", True), ("+447911000009", True), ("07911 000001", False)):
        page.text_input(key=f"recipients-find-{campaign}").set_value(typed).run()
        assert ("only a whole number is found" in words(page)) is said, typed
    go(page, "person").text_input[0].set_value("+44 7911 000001").run()
    assert "We called •••••••0958." in words(page)


@pytest.mark.deep
def test_a_file_of_a_viewer_has_no_number_in_full(wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, "Spring")
    numbers = numbers_of(wired.ledger, campaign)
    one = wired.ledger.campaign(campaign)
    made = files.campaign_files(wired.ledger, one, "UTC", masked_frame)
    in_full = files.campaign_files(wired.ledger, one, "UTC", seen.in_full)
    for file, plain in zip([*made[0], *made[1]], [*in_full[0], *in_full[1]], strict=True):
        assert not any(number[1:] in text_of(file.make()) for number in numbers), file.kind
        has_people = "recipients" in file.kind or file.kind == "report xlsx"
        assert any(number[1:] in text_of(plain.make()) for number in numbers) is has_people, file.kind


def text_of(content: bytes) -> str:
    """What a file says, a workbook's parts unpacked."""
    if not content.startswith(b"PK"):
        return content.decode("utf-8-sig")
    with ZipFile(BytesIO(content)) as book:
        return "\n".join(book.read(name).decode("utf-8", "replace") for name in book.namelist())


def test_exporting_is_a_right_of_its_own_that_ends_for_what_was_drawn_before(
    wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    wired.ledger.add_opt_outs(["+447400123456"], reason="STOP", source="phone")
    opened = with_viewer(wired, exports=True)
    page = visit(opened, "optouts", who=VIC)
    assert list(page.get("download_button"))
    monkeypatch.setattr(people.st, "user", SignedIn(seat=seat_at(opened, VIC).key))
    make = actions.handed_out(lambda: b"file", "opt-outs", "csv")
    assert make() == b"file"
    told = opened.ledger.audit.count()
    opened.ledger.people.change(VIC, "viewer", exports=False, who=UNA, given=opened.given)
    assert opened.desk is not None
    opened.desk.read()
    with pytest.raises(NotAllowedError, match="has changed"):
        make()
    with pytest.raises(NotAllowedError, match="not download"):
        actions.handed_out(lambda: b"file", "opt-outs", "csv")
    assert opened.ledger.audit.count() == told + 1  # the change itself
    monkeypatch.undo()
    assert not list(page.run().get("download_button"))


def test_whoever_sends_sees_numbers_and_takes_files_along() -> None:
    for role in ROLES:
        for exports in (False, True):
            one = Person("x", role, exports)
            assert one.sees_numbers is (role != "viewer")
            assert one.may_export is (role != "viewer" or exports)
