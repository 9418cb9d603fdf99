"""Groups among business cards: who is in one that refuses is not texted; the others are."""

from __future__ import annotations

from itertools import permutations

import pytest
from each import each

from dashboard.contacts import Sheet, clean_contacts, read_sheet

pytestmark = pytest.mark.usefixtures("read_here")
PHONES = {"Ann": "+447400183645", "Bob": "+447400291753", "Cat": "+447400364821"}
ANN = "0F3A-11"
CARDS = {
    "Ann": [f"UID:urn:uuid:{ANN}", "EMAIL:Ann.Lee@example.com"],
    "Bob": ["UID:bob@example.org;7", "EMAIL:bob@example.com"],
    "Cat": ["X-ABUID:0F3A-33:ABPerson"],
}


def card(*lines: str, version: str = "4.0") -> str:
    return "\n".join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])


def person(name: str, version: str = "4.0") -> str:
    return card(f"FN:{name}", f"TEL;TYPE=CELL:{PHONES[name]}", *CARDS[name], version=version)


PEOPLE = [person(name) for name in PHONES]


def refused(sheet: Sheet) -> list[str]:
    """Whom groups refuse for; what becomes of them is in `test_a_group_refuses_by_its_name`."""
    said = sheet.frame.get("opt-out", sheet.frame["full name"].str.slice(0, 0))
    assert {*said} <= {"yes", ""}
    return sheet.frame.loc[said == "yes", "full name"].tolist()


OF_ANN = [
    *(
        f"MEMBER:urn:uuid:{ANN}",
        f"MEMBER:{ANN}",
        f"MEMBER:URN:UUID:{ANN.lower()}",
        "MEMBER:mailto:ann.lee@example.com",
    ),
    *(
        "MEMBER:tel:+44-7400-183645",
        "MEMBER;VALUE=uri:tel:07400183645",
        "item1.MEMBER:TEL:+447400183645;ext=1",
    ),
    *(
        f"X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:{ANN}",
        f"member:urn:uuid:{ANN}",
        f"MEMBER;PREF=1:urn:uuid:{ANN}",
    ),
    *("MEMBER:mailto:Ann%2ELee@example.com?subject=x", "MEMBER:sms:+447400183645"),
    *(
        "MEMBER:tel:0044 (0)7400 183645",
        "MEMBER:tel:447400183645",
        "MEMBER:tel:07400-183645;phone-context=+44",
    ),
]


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
    version = ("3.0", "4.0")[place % 2]
    group = card("FN:Do not text", KINDS[place % len(KINDS)], "UID:urn:uuid:AA", member, version=version)
    for at in (0, 1, 3):
        cards = [*PEOPLE[:at], group, *PEOPLE[at:]]
        assert refused(read_sheet("".join(cards).encode())) == ["Ann"]


REFUSE = {
    **dict.fromkeys(
        ["Do not text", "DNC", "SMS opt-outs", "Opted out 2025", "Unsubscribed", "Bajas"], "opted_out"
    ),
    **dict.fromkeys(["Nicht anschreiben", "STOP", "Abgemeldet", "No SMS"], "opted_out"),
    **dict.fromkeys(["VIP", "Family", "Customers", "Book club", ""], "ok"),
    **dict.fromkeys(["Clients without consent", "All without opt-outs", "Blocked"], "review"),
}


def test_a_group_refuses_by_its_name() -> None:
    cards = []
    for place, name in enumerate(REFUSE):
        lines = [[f"FN:{name}"], ["FN:", f"N:{name};;;;"], ["FN:", f"ORG:{name}"]][place % 3]
        phone = f"TEL;TYPE=CELL:+44{7_400_183_645 + 7_919 * place}"
        cards += [card(*lines, "KIND:group", f"MEMBER:u{place}"), card("FN:Ann", phone, f"UID:u{place}")]
    contacts = clean_contacts(read_sheet("".join(cards).encode()), country="GB")
    assert dict(zip(REFUSE, contacts.rows["status"], strict=True)) == REFUSE


SAYS_NO = [
    "NOTE:Do not text",
    "TITLE:unsubscribed",
    "NICKNAME:DNC",
    "CATEGORIES:VIP,Do not contact",
    "ROLE:STOP",
]
SAYS_NO += [
    "X-SMS-OPTOUT:1",
    "X-STATUS:unsubscribed",
    "NOTE:VIP\\nplease do not text",
    "note;LANGUAGE=de:keine SMS",
]


def test_a_group_refuses_by_what_else_it_says() -> None:
    said = [*SAYS_NO, "NOTE:Likes tea", "NOTE:may want to opt out", "TITLE:Text club"]
    cards = []
    for place, line in enumerate(said):
        phone = f"TEL;TYPE=CELL:+44{7_400_183_645 + 7_919 * place}"
        cards += [
            card("FN:List", line, "KIND:group", f"MEMBER:u{place}"),
            card("FN:Ann", phone, f"UID:u{place}"),
        ]
    contacts = clean_contacts(read_sheet("".join(cards).encode()), country="GB")
    assert contacts.rows["status"].tolist() == ["opted_out"] * len(SAYS_NO) + ["ok", "review", "ok"]


@each(
    "line",
    [
        *("{0},{1}", "{0}, {1}", "{0};{1}", "{0} {1}", "{0},tel:+447400291753", "tel:+447400291753,{0}"),
        *("tel:+447400183645;tel:+447400291753", "tel:+447400183645;ext=1,{1}"),
        *("mailto:ann.lee@example.com,mailto:bob@example.com", "{0},{1},urn:uuid:unknown"),
    ],
)
def test_several_members_in_one_line(line: str) -> None:
    member = line.format(f"urn:uuid:{ANN}", "urn:uuid:bob@example.org;7")
    sheet = read_sheet("".join([card("FN:DNC", "KIND:group", f"MEMBER:{member}"), *PEOPLE]).encode())
    assert refused(sheet) == ["Ann", "Bob"]
    assert any("match no card" in note for note in sheet.notes) == ("unknown" in member)


BOB_TOO = "+44 7400 291753"


@each(
    "member, phone, is_same",
    [
        *(("+447400183645", "07400 183645", True), ("+447400183645", "+44 (0)7400 183645", True)),
        *(("07400183645", "07400 183645", True), ("07400 183645", "+447400183645", True)),
        *(("+447400183645", "447400183645", True), ("+12125550123", "(212) 555-0123", True)),
        *(("+447400183645", "+497400183645", False), ("+447400183645", "+335400183645", False)),
        *(("+4915400183645", "+447400183645", False), ("+447400183645", "400183645", False)),
        *(
            ("+447400183645", f"{BOB_TOO}{between}07400 183645", True)
            for between in (" / ", ", ", ";", "/tel:")
        ),
        *(
            ("+447400183645", f"07400 183645{between}{BOB_TOO}", True)
            for between in (" / ", ", ", ";", ",tel:")
        ),
        *(("+79161234567", "8 916 123-45-67", False), ("+36201234567", "06 20 123 4567", False)),
        *(("400183645", "+447400183645", False), ("+447400183645", "+17400183645", False)),
    ],
)
def test_a_phone_is_nobody_elses_that_ends_alike(member: str, phone: str, is_same: bool) -> None:
    cards = card("FN:DNC", "KIND:group", f"MEMBER:tel:{member}") + card("FN:Ann", f"TEL:{phone}")
    sheet = read_sheet(cards.encode())
    assert refused(sheet) == ["Ann"] * is_same
    assert any("match no card" in note for note in sheet.notes) != is_same


def test_a_group_is_no_contact_and_its_name_a_column_of_its_members() -> None:
    group = card("FN:VIP", "KIND:group", "TEL:+447400111111", OF_ANN[0], "MEMBER:bob@example.org;7")
    apple = card("N:Staff", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:0f3a-33")
    sheet = read_sheet("".join([group, *PEOPLE, apple, card("FN:Firm", "KIND:org", "TEL:1")]).encode())
    assert sheet.frame["groups"].tolist() == ["VIP", "VIP", "Staff", ""]
    assert sheet.rows.tolist() == [2, 3, 4, 6]
    assert not {"kind", "uid", "member", "addressbookserver kind", "opt-out"} & {*sheet.frame}
    assert "Read in part: 1 business card (card 1)" in sheet.notes[0]
    assert sheet.notes[1:] == ("Rows are business cards, counted from 1.",)


def test_groups_within_groups_and_in_a_circle() -> None:
    outer = card("FN:Do not text", "KIND:group", "UID:1", "MEMBER:urn:uuid:2")
    inner = card("FN:Old list", "KIND:group", "UID:2", "MEMBER:3", "MEMBER:1")
    innermost = card("FN:Older list", "KIND:group", "UID:urn:uuid:3", OF_ANN[0], "MEMBER:2")
    for order in permutations([outer, inner, innermost, "".join(PEOPLE)]):
        assert refused(read_sheet("".join(order).encode())) == ["Ann"]
    upwards = card("FN:Friends", "KIND:group", "MEMBER:2", "MEMBER:bob@example.org;7")
    assert refused(read_sheet("".join([upwards, outer, inner, *PEOPLE]).encode())) == []


def test_whom_a_group_refuses_for_who_has_no_card_is_told() -> None:
    group = card("FN:Do not text", "KIND:group", "MEMBER:urn:uuid:9", "MEMBER:tel:+447400999999", OF_ANN[0])
    sheet = read_sheet("".join([*PEOPLE, group]).encode())
    assert refused(sheet) == ["Ann"]
    assert 'members that match no card (card 4 "Do not text")' in sheet.notes[0]
    assert not any("999999" in note for note in sheet.notes)


def test_a_card_without_text_is_in_no_group() -> None:
    group = card(
        "FN:Do not text", "KIND:group", "MEMBER:", "MEMBER:tel:", "MEMBER:mailto:", "MEMBER:urn:uuid:"
    )
    odd = card("FN:Bob", f"TEL:{PHONES['Bob']}", "UID:", "EMAIL:", "TEL:x")
    assert refused(read_sheet((group + odd).encode())) == []
