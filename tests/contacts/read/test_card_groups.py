"""Groups among business cards: who is in one that refuses is not texted; the others are."""

from __future__ import annotations

from itertools import permutations

import pytest
from each import each
from one_sheet import phones
from workbooks import card

from dashboard.contacts import Sheet, clean_contacts, read_sheet

pytestmark = pytest.mark.usefixtures("read_here")
ANN = "0F3A-11"
BOB_TOO = "+44 7400 291753"
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


OF_ANN = [
    f"MEMBER:urn:uuid:{ANN}",
    f"MEMBER:{ANN}",
    f"MEMBER:URN:UUID:{ANN.lower()}",
    f"member:urn:uuid:{ANN}",
]
OF_ANN += [
    f"X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:{ANN}",
    f"MEMBER;PREF=1:urn:uuid:{ANN}",
    "MEMBER:tel:447400183645",
]
OF_ANN += ["MEMBER:mailto:ann.lee@example.com", "MEMBER:mailto:Ann%2ELee@example.com?subject=x"]
OF_ANN += ["MEMBER:tel:+44-7400-183645", "MEMBER;VALUE=uri:tel:07400183645", "MEMBER:sms:+447400183645"]
OF_ANN += ["item1.MEMBER:TEL:+447400183645;ext=1", "MEMBER:tel:0044 (0)7400 183645"]
OF_ANN += ["MEMBER:tel:07400-183645;phone-context=+44"]
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


LINES = ["{0},{1}", "{0}, {1}", "{0};{1}", "{0} {1}", "{0},tel:+447400291753", "tel:+447400291753,{0}"]
LINES += ["tel:+447400183645;tel:+447400291753", "tel:+447400183645;ext=1,{1}", "{0},{1},urn:uuid:unknown"]
LINES += ["mailto:ann.lee@example.com,mailto:bob@example.com"]


@each("line", LINES)
def test_several_members_in_one_line(line: str) -> None:
    member = line.format(f"urn:uuid:{ANN}", "urn:uuid:bob@example.org;7")
    sheet = read(group("DNC", f"MEMBER:{member}"), *PEOPLE)
    assert refused(sheet) == ["Ann", "Bob"]
    assert is_told(sheet) == ("unknown" in member)


SAME = [
    *("+447400183645 = 07400 183645", "+447400183645 = +44 (0)7400 183645", "07400183645 = 07400 183645"),
    *("07400 183645 = +447400183645", "+447400183645 = 447400183645", "+12125550123 = (212) 555-0123"),
    *(f"+447400183645 = {BOB_TOO}{between}07400 183645" for between in (" / ", ", ", ";", "/tel:")),
    *(f"+447400183645 = 07400 183645{between}{BOB_TOO}" for between in (" / ", ", ", ";", ",tel:")),
]
OTHERS = [
    *("+447400183645 = +497400183645", "+447400183645 = +335400183645", "+4915400183645 = +447400183645"),
    *("+447400183645 = 400183645", "400183645 = +447400183645", "+447400183645 = +17400183645"),
    *("+79161234567 = 8 916 123-45-67", "+36201234567 = 06 20 123 4567"),
]


@each("pair", SAME + OTHERS)
def test_a_phone_is_nobody_elses_that_ends_alike(pair: str) -> None:
    member, phone = pair.split(" = ")
    sheet = read(group("DNC", f"MEMBER:tel:{member}"), card("FN:Ann", f"TEL:{phone}"))
    assert refused(sheet) == ["Ann"] * (pair in SAME)
    assert is_told(sheet) != (pair in SAME)


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
