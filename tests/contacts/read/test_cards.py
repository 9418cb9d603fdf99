"""Business cards: of all versions, odd and damaged ones, and what any line of a card refuses."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest
from each import each
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tiers import draws
from vector_files import VECTORS
from workbooks import card

from dashboard.contacts import Limits, Sheet, clean_contacts, guess_columns, read_sheet
from dashboard.errors import SheetError

pytestmark = pytest.mark.usefixtures("read_here")
ANN = "+447400123456"


def of_ann(*lines: str, version: str = "3.0") -> str:
    return card("FN:Ann", *lines, version=version)


def of_cards(*cards: str, **limits: Any) -> Sheet:
    return read_sheet("".join(cards).encode(), limits=Limits(**limits))


CARDS = json.loads((VECTORS / "cards.json").read_text("utf-8"))


def test_business_cards_of_all_versions() -> None:
    cards = (VECTORS / "cards.vcf").read_text("utf-8")
    sheet = read_sheet(cards.encode())
    people = sheet.frame[["full name", "first name", "last name", "mobile", "work phone", "fax", "country"]]
    assert people.to_numpy().tolist() == [
        ["Ann Smith", "Ann", "Smith", "+44 7400 123456", "020 7946 0991", "020 7946 0992", "United Kingdom"],
        ["Zoë", "", "", "+44-7400-123457; +44 7400 123458", "", "", ""],
        ["", "Jürg", "Müller", "0151 23456789", "", "", ""],
    ]
    assert sheet.rows.tolist() == [1, 2, 3]
    for line_end in ("\r", "\r\n"):
        assert read_sheet(cards.replace("\n", line_end).encode()).frame.equals(sheet.frame)
    contacts = clean_contacts(sheet, country="DE").rows
    assert contacts["phone"].tolist() == ["+447400123456", "+447400123457", "+4915123456789"]
    assert contacts["other_phones"].tolist()[1] == "+447400123458"


@each("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_odd_cards(encoding: str) -> None:
    """Folded, with a soft line break, in Latin 1, with a line that is none, with several numbers."""
    cards = "".join(f"begin:vcard\n{lines}\nend:vcard\n" for lines, *_read in CARDS["odd_cards"])
    people = read_sheet(cards.encode(encoding)).frame
    assert people[["mobile", "full name"]].to_numpy().tolist() == [read for _, *read in CARDS["odd_cards"]]


def test_how_many_cards_were_read_when_the_time_was_up_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second for each of them."""
    monkeypatch.setattr("time.time", count().__next__)
    with pytest.raises(SheetError, match=r"The first \d+ business cards took 60 s, the longest allowed"):
        of_cards(of_ann("TEL:1") * 100, child_time_s=60)


def test_what_a_damaged_card_says_is_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SheetError, match="No business card in the file can be read"):
        of_cards("BEGIN:VCARD\n+447400123456,Ann\n")
    sheet = of_cards(of_ann("TEL;=;;:+447400123456", "TEL:1"))
    assert not [note for note in sheet.notes if "447400123456" in note]
    assert capfd.readouterr() == ("", "")


def test_what_nobody_needs_keeps_no_card_from_being_read() -> None:
    odd_lines = CARDS["needless_lines"]
    sheet = of_cards(*(of_ann(odd, "TEL:1") + of_ann("TEL:2", version="2.1") for odd in odd_lines))
    read = sheet.frame[["full name", "phone"]].to_numpy().tolist()
    assert read == [["Ann", "1"], ["Ann", "2"]] * len(odd_lines)
    assert sheet.notes == ("Rows are business cards, counted from 1.",)
    assert sheet.frame["company"].iloc[0] == "Smith Jones"


def test_a_damaged_card_is_named_and_the_others_are_read() -> None:
    broken_off = "BEGIN:VCARD\nFN:Bob\nTEL:+44740\n"
    blank = "BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n"
    sheet = of_cards(of_ann("TEL:1"), broken_off, of_ann("TEL;=;;:3", "TEL:4"), blank, of_ann("TEL:5"))
    assert sheet.frame["phone"].tolist() == ["1", "4", "5"]
    assert sheet.rows.tolist() == [1, 3, 5]
    assert 'is cut off (card 2 "Bob")' in sheet.notes[0]
    assert '(card 3 "Ann")' in sheet.notes[1]
    assert not any("card 4" in note for note in sheet.notes), "a blank row"


@each(
    "lines, named",
    [
        ("N:Jones;Bob;;;\nTEL:+44740\n", 'card 1 "Bob Jones"'),  # it does not end
        ("FN;=;;:Bob Jones\nTEL;=;;:1\nEND:VCARD\n", 'card 1 "Bob Jones"'),
        ("ORG:Acme\\, Ltd\nTEL;=;;:1\nEND:VCARD\n", 'card 1 "Acme, Ltd"'),
        ("FN:07400 123456\nTEL;=;;:1\nEND:VCARD\n", "(card 1)"),
        ("TEL;=;;:1\nEND:VCARD\n", "(card 1)"),
    ],
)
def test_an_unreadable_card_is_told_by_its_name(lines: str, named: str) -> None:
    sheet = of_cards(f"BEGIN:VCARD\n{lines}", of_ann("TEL:2"))
    assert named in sheet.notes[0]
    assert sheet.frame["phone"].iloc[-1] == "2"


def test_large_pictures_take_no_time() -> None:
    """Phones put pictures of a megabyte in cards; they are not needed, whole or broken."""
    picture = "PHOTO;ENCODING=BASE64;JPEG:" + ("A" * 75 + "\n ") * 30_000 + "\n"
    cards = (of_ann(picture, f"TEL:{place}", version=version) for place, version in enumerate(["2.1", "3.0"]))
    assert of_cards(*cards, child_time_s=20).frame["phone"].tolist() == ["0", "1"]


CARD_PIECES = st.lists(
    st.sampled_from(["TEL", "FN", "N", "ORG", "NOTE", "PHOTO", "BEGIN:VCARD", "END:VCARD", "AGENT", "item1."])
    | st.sampled_from([":", ";", "=", ",", "\\", "\n", " ", "ENCODING=b", "CHARSET=x", '"'])
    | st.text(max_size=4),
    max_size=40,
)


@settings(max_examples=draws(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CARD_PIECES)
def test_whatever_one_card_says_the_next_is_read(pieces: list[str]) -> None:
    """Unless it opens a card inside it: then nobody can tell where that one ends."""
    odd = f"BEGIN:VCARD\n{''.join(pieces)}\n\nEND:VCARD\n"
    assume(odd.upper().count("BEGIN") == 1)
    assert "123" in of_cards(odd, of_ann("TEL:123")).frame["phone"].iloc[-1]


def test_a_cards_number_under_an_unknown_label_is_kept_apart() -> None:
    columns = [column for _, column in CARDS["labels"]]
    sheet = of_cards(*(of_ann(line.format(n="07400 123456")) for line, _ in CARDS["labels"]))
    found = [[*sheet.frame.columns[row == "07400 123456"]] for _, row in sheet.frame.iterrows()]
    assert found == [[column] for column in columns]
    assert {*columns} & {*guess_columns(sheet).phones} == {"phone", "mobile"}


def test_a_refusal_anywhere_in_a_card_is_heard() -> None:
    refusing = CARDS["refusing_lines"]
    versions = ["2.1", "3.0", "4.0"]
    said = [(line, version) for version in versions for no in refusing for line in (no, "NOTE:VIP")]
    phones = (f"TEL;TYPE=CELL:07400 {123_456 + 7_919 * place}" for place in range(len(said)))
    cards = (
        of_ann(line, phone, version=version) for phone, (line, version) in zip(phones, said, strict=True)
    )
    contacts = clean_contacts(of_cards(*cards), country="GB")
    assert contacts.rows["status"].tolist() == ["opted_out", "ok"] * len(refusing) * len(versions)


def test_texts_of_a_card_are_columns_and_pictures_are_not() -> None:
    lines = ["NOTE:Likes tea", "CATEGORIES:VIP,Hull", "X-SHOE-SIZE:7", "NOTE:Comes on Mondays", "X-PHONE:2"]
    lines += ["PHOTO;ENCODING=b:AAAA", "X-FACE;ENCODING=BASE64:AAAA", "LOGO:data:image/png;base64,AAAA"]
    sheet = of_cards(of_ann("TEL;TYPE=CELL:1", *lines, "REV:2"))
    assert sheet.frame.iloc[0, -4:].to_dict() == {
        "note": "Likes tea; Comes on Mondays",
        "categories": "VIP; Hull",
        "shoe size": "7",
        "x-phone": "2",
    }
