"""One person over all campaigns, and people's own names beside their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from app_seeds import sent_campaign
from each import each
from page_reading import Open, words

from dashboard.app.runtime import Runtime
from dashboard.app.standing.names import names_of
from dashboard.app.standing.person import NUMBER
from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet

SHEET = b"Mobile,First name,Surname\n07400 111222,Zo\xc3\xab,Park\n07400 333444,,\n"


def test_names_stand_beside_the_numbers_of_the_rows_that_are_shown(open_page: Open, wired: Runtime) -> None:
    sheet = read_sheet(SHEET)
    messages = write_messages(clean_contacts(sheet, country="GB"), "Hi!", campaign="Spring sale")
    named = wired.ledger.create_campaign("Spring sale", messages, batch_size=10, sheet=sheet)
    table = open_page("campaign", id=named).dataframe[-1].value
    assert table[["Number", "Name"]].to_numpy().tolist() == [
        ["+447400111222", "Zoë Park"],
        ["+447400333444", ""],
    ]
    every = wired.ledger.sheet_rows(named)
    for rows in ([], [2], [3, 2], [99]):
        some = wired.ledger.sheet_rows(named, rows=rows)
        assert some["row"].tolist() == sorted(set(rows) & {2, 3})
        assert list(some) == list(every)


@each(
    "columns, names",
    [
        ({"Full name": ["Ann Lee", " "], "First name": ["A", "B"]}, {2: "Ann Lee"}),
        ({"Nachname": ["Groß", "Weiß"], "Vorname": ["Eva", ""]}, {2: "Eva Groß", 3: "Weiß"}),
        ({"Shop": ["Leeds", "York"]}, {}),
        ({}, {}),
    ],
)
def test_a_name_is_what_the_sheet_says(columns: dict[str, Sequence[str]], names: dict[int, str]) -> None:
    assert names_of(pd.DataFrame({"row": [2, 3], **columns})).to_dict() == names


def test_a_person_is_found_over_all_campaigns_or_it_is_said_why_not(open_page: Open, wired: Runtime) -> None:
    for name in ("Spring sale", "Autumn *sale*"):
        sent_campaign(wired.ledger, name)
    wired.ledger.add_opt_outs(["+447911000003"], reason="Asked by phone")
    page = open_page("person")
    for typed in ("+447911000003", "07911 000003", "0044 7911 000003"):
        page.text_input(key=NUMBER).set_value(typed).run()
        assert "2 messages, the newest first" in words(page)
        assert "This person opted out" in words(page)
        links = [link.label for link in page.get("page_link")]
        assert [one for one in links if "sale" in one] == [r"Autumn \*sale\*", "Spring sale"]
        assert not [value for value in page.query_params.values() if "7911" in str(value)]
    for typed, said in (
        ("nobody", "This is not one phone number."),
        ("+447911000003; +447911000004", "This is not one phone number."),
        ("+447400999888", "Nobody was texted at this number"),
    ):
        page.text_input(key=NUMBER).set_value(typed).run()
        assert said in words(page)
