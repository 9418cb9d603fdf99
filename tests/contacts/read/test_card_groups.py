"""Groups among business cards: who is in one that refuses is not texted; the others are."""

from __future__ import annotations

import json
from itertools import permutations

import pytest
from each import each
from one_sheet import phones
from vector_files import VECTORS
from workbooks import card

from dashboard.contacts import Sheet, clean_contacts, read_sheet

pytestmark = pytest.mark.usefixtures("read_here")
ANN = "0F3A-11"
PEOPLE = [
    card(f"UID:urn:uuid:{ANN}", "FN:Ann", "TEL;TYPE=CELL:+447400183645", "EMAIL:Ann.Lee@example.com"),
    card("UID:bob@example.org;7", "FN:Bob", "TEL;TYPE=CELL:+447400291753", "EMAIL:bob@example.com"),
    card("X-ABUID:0F3A-33:ABPerson", "FN:Cat", "TEL;TYPE=CELL:+447400364821"),
]


def read(*cards: str) -> Sheet:
    return read_sheet("".join(cards).encode())


def group(name: str, *lines: str) -> str:
    return card(f"FN:{name}", "KIND:group", *lines)


def refused(sheet: Sheet) -> list[str]:
    """Whom groups refuse for; what becomes of them is in `test_a_group_refuses_by_what_it_says`."""
    said = sheet.frame.get("opt-out", sheet.frame["full name"].str.slice(0, 0))
    assert {*said} <= {"yes", ""}
    return sheet.frame.loc[said == "yes", "full name"].tolist()


def is_told(sheet: Sheet) -> bool:
    return any("match no card" in note for note in sheet.notes)


CARDS = json.loads((VECTORS / "cards.json").read_text("utf-8"))
OF_ANN = CARDS["of_ann"]
KINDS = [
    "KIND:group",
    "X-ADDRESSBOOKSERVER-KIND:group",
    "kind:Group",
    "KIND:individual",
    "KIND:x-list",
    "X-Y:z",
]


@each("place, member", enumerate(OF_ANN))
def test_a_group_that_refuses_refuses_its_members_and_nobody_else(place: int, member: str) -> None:
    lines = ["FN:Do not text", KINDS[place % len(KINDS)], "UID:urn:uuid:AA", member]
    for at in (0, 1, 3):
        written = card(*lines, version=("3.0", "4.0")[place % 2])
        assert refused(read(*PEOPLE[:at], written, *PEOPLE[at:])) == ["Ann"]


REFUSING = ["Do not text", "DNC", "Opted out 2025", "STOP", "Bajas", "No SMS"]
HARMLESS = ["VIP", "Family", "Book club", ""]
DOUBTFUL = ["Clients without consent", "All without opt-outs", "Blocked"]
SAYS_NO = ["NOTE:VIP\\nplease do not text", "CATEGORIES:VIP,Do not contact", "ROLE:STOP", "X-SMS-OPTOUT:1"]
SAYS_NO += ["X-STATUS:unsubscribed", "note;LANGUAGE=de:keine SMS"]
SAID = {
    **{(f"FN:{name}",): "opted_out" for name in REFUSING},
    **{("FN:", f"N:{name};;;;"): "ok" for name in HARMLESS},
    **{("FN:", f"ORG:{name}"): "review" for name in DOUBTFUL},
    **{("FN:List", line): "opted_out" for line in SAYS_NO},
    ("FN:", "N:DNC;;;;"): "opted_out",
    ("FN:", "ORG:DNC"): "opted_out",
    ("FN:List", "NOTE:Likes tea"): "ok",
    ("FN:List", "NOTE:may want to opt out"): "review",
    ("FN:List", "TITLE:Text club"): "ok",
}


def test_a_group_refuses_by_what_it_says() -> None:
    cards = [
        card(*lines, "KIND:group", f"MEMBER:u{place}")
        + card("FN:Ann", f"TEL;TYPE=CELL:{phone}", f"UID:u{place}")
        for place, (lines, phone) in enumerate(zip(SAID, phones(len(SAID)), strict=True))
    ]
    contacts = clean_contacts(read(*cards), country="GB")
    assert dict(zip(SAID, contacts.rows["status"], strict=True)) == SAID


@each("line", CARDS["of_ann_and_bob"])
def test_several_members_in_one_line(line: str) -> None:
    member = line.format(f"urn:uuid:{ANN}", "urn:uuid:bob@example.org;7")
    sheet = read(group("DNC", f"MEMBER:{member}"), *PEOPLE)
    assert refused(sheet) == ["Ann", "Bob"]
    assert is_told(sheet) == ("unknown" in member)


@each("kind, is_same", [("same_phone", True), ("other_phone", False)])
def test_a_phone_is_nobody_elses_that_ends_alike(kind: str, *, is_same: bool) -> None:
    for member, phone in CARDS[kind]:
        sheet = read(group("DNC", f"MEMBER:tel:{member}"), card("FN:Ann", f"TEL:{phone}"))
        assert (member, phone, refused(sheet), is_told(sheet)) == (
            member,
            phone,
            ["Ann"] * is_same,
            not is_same,
        )


def test_a_group_is_no_contact_and_its_name_a_column_of_its_members() -> None:
    vip = group("VIP", "TEL:+447400111111", OF_ANN[0], "MEMBER:bob@example.org;7")
    apple = card("N:Staff", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:0f3a-33")
    sheet = read(vip, *PEOPLE, apple, card("FN:Firm", "KIND:org", "TEL:1"))
    assert sheet.frame["groups"].tolist() == ["VIP", "VIP", "Staff", ""]
    assert sheet.rows.tolist() == [2, 3, 4, 6]
    assert not {"kind", "uid", "member", "addressbookserver kind", "opt-out"} & {*sheet.frame}
    assert "Read in part: 1 business card (card 1)" in sheet.notes[0]
    assert sheet.notes[1:] == ("Rows are business cards, counted from 1.",)


def test_groups_within_groups_and_in_a_circle() -> None:
    outer = group("Do not text", "UID:1", "MEMBER:urn:uuid:2")
    inner = group("Old list", "UID:2", "MEMBER:3", "MEMBER:1")
    innermost = group("Older list", "UID:urn:uuid:3", OF_ANN[0], "MEMBER:2")
    for order in permutations([outer, inner, innermost, "".join(PEOPLE)]):
        assert refused(read(*order)) == ["Ann"]
    upwards = group("Friends", "MEMBER:2", "MEMBER:bob@example.org;7")
    assert refused(read(upwards, outer, inner, *PEOPLE)) == []


def test_whom_a_group_refuses_for_who_has_no_card_is_told() -> None:
    sheet = read(*PEOPLE, group("Do not text", "MEMBER:urn:uuid:9", "MEMBER:tel:+447400999999", OF_ANN[0]))
    assert refused(sheet) == ["Ann"]
    assert 'members that match no card (card 4 "Do not text")' in sheet.notes[0]
    assert not any("999999" in note for note in sheet.notes)


def test_a_card_without_text_is_in_no_group() -> None:
    nobody = group("Do not text", "MEMBER:", "MEMBER:tel:", "MEMBER:mailto:", "MEMBER:urn:uuid:")
    assert refused(read(nobody, card("FN:Bob", "TEL:+447400291753", "UID:", "EMAIL:", "TEL:x"))) == []
