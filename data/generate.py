"""Makes the sample sheets in this folder: fictional people, made-up numbers, the usual mess.

    python data/generate.py [FOLDER]

The seed is fixed, so running it again writes the same bytes. README.md beside it says what is in the files.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import xlsxwriter

SEED = 2026
SENDABLE = 1_900
NAMELESS_SHARE = 0.03
HEADER = (
    "Customer ID",
    "First name",
    "Last name",
    "Mobile",
    "Home phone",
    "Email",
    "Country",
    "City",
    "Voucher",
    "SMS opt out",
)
CREATED = datetime(2026, 3, 2)  # noqa: DTZ001  what the file says of itself, without a zone

# fmt: off
FIRST_NAMES = (
    "Ann", "Ben", "Chloé", "Dylan", "Elif", "Françoise", "Gareth", "Hannah", "Imran", "José", "Kasia",
    "Łukasz", "Mia", "Niamh", "Omar", "Priya", "Quentin", "Rhys", "Siân", "Tomasz", "Ümit", "Víctor",
    "Wei", "Xenia", "Yusuf", "Zoë", "Bjørn", "Iñaki", "Αθηνά", "Ольга", "O'Dell", "Mary-Jane",
)
LAST_NAMES = (
    "Ashdown", "Brightwater", "Czerny", "Dunmore", "Eastleigh", "Fairbourne", "Götze", "Hartwell",
    "Ivarsson", "Jónsdóttir", "Kowalczyk", "Lindqvist", "Marchetti", "Nightingale", "O'Farrell",
    "Peñaranda", "Quill", "Rosenkvist", "Strand", "Tremblay", "Underhill", "Villeneuve", "Winterbourne",
    "Yildiz", "Zawadzka",
)
CITIES = ("Bristol", "Cardiff", "Derby", "Exeter", "Glasgow", "Hull", "Leeds", "Newry", "York", "")
# fmt: on


class Contact(NamedTuple):
    """What makes one row differ from the next."""

    mobile: str
    home: str = ""
    country: str = ""
    opt_out: str = ""


def british(serial: int) -> str:
    """The digits after 0 of a made-up British mobile."""
    return f"7200{100_000 + serial}"


def spaced(digits: str) -> str:
    """7200100001 as 7200 100001."""
    return f"{digits[:4]} {digits[4:]}"


SPELLINGS: tuple[tuple[int, Callable[[str], str]], ...] = (
    (40, lambda digits: f"+44 {spaced(digits)}"),
    (25, lambda digits: f"0{spaced(digits)}"),
    (8, lambda digits: f"0{digits}"),
    (8, lambda digits: f"+44{digits}"),
    (6, lambda digits: digits),
    (4, lambda digits: f"44{digits}"),
    (2, lambda digits: f"0044 {spaced(digits)}"),
    (2, lambda digits: f"+44 (0){spaced(digits)}"),
    (1, lambda digits: f"0{digits[:4]}-{digits[4:7]}-{digits[7:]}"),
    (1, lambda digits: f"'+44{digits}"),
    (1, lambda digits: f"44{digits}.0"),
    (1, lambda digits: f'="+44{digits}"'),
    (1, lambda digits: f"tel:+44-{digits}"),
    (1, lambda digits: f"\u200b+44\u00a0{digits[:4]}\u00a0{digits[4:]}"),
)
"""How people and programs write a number, each with its weight."""


def good_contact(draw: random.Random, serial: int) -> Contact:
    """A row that can be texted, with a number that no other row has."""
    weights, spellings = zip(*SPELLINGS, strict=True)
    mobile = draw.choices(spellings, weights)[0](british(serial))
    country = draw.choice(("", "", "GB", "UK", "United Kingdom"))
    hundred, place = divmod(serial, 100)
    rare = {
        7: Contact(f"+33 6 12 34 {hundred:02} 01", country="France"),
        17: Contact(f"06 12 34 {hundred:02} 02", country="FR"),
        27: Contact(f"+49 1512 34567{hundred:02}", country="Deutschland"),
        37: Contact(f"+1 202-555-02{hundred:02}", country="USA"),
        47: Contact(f"0{british(serial)} / 0{british(5_000 + serial)}", country=country),
        57: Contact("", home=f"0{spaced(british(serial))}", country=country),
        67: Contact(mobile, home=f"020 7946 0{hundred:03}", country=country),
    }
    return rare.get(place) or Contact(mobile, country=country, opt_out=draw.choice(("", "", "no", "No")))


def bad_contacts() -> list[Contact]:
    """A hundred rows that cannot be texted as they stand."""
    typed = (
        *(f"00 44 {spaced(british(serial * 10))}" for serial in range(30)),
        *(f"020 7946 09{serial:02}" for serial in range(20)),
        *("", "", "", "-", "n/a", "N/A", "none", "unknown", "?", "tbc"),
        *(f"4.472{serial}E+11" for serial in range(8)),
        *("O72OO 1OO2OO", "07200 lOO300", "ask Ann", "call the office", "0800 FLOWERS"),
        *(f"06 12 34 99 {serial:02}" for serial in range(4)),
        *("00000000000", "11111111111", "123456789"),
        *("07200 1002", "999", "+44 7200 1003000000"),
        *(f"0{spaced(british(7_000 + serial))} ext {serial + 2}" for serial in range(2)),
    )
    answers = ("yes", "Y", "2026-01-14") * 5
    gone = (Contact(f"0{spaced(british(6_000 + n))}", opt_out=said) for n, said in enumerate(answers))
    return [*map(Contact, typed), *gone]


def rows() -> list[list[str]]:
    """The 2,000 contacts in their order, without header."""
    draw = random.Random(SEED)  # noqa: S311  a sample, not a secret
    contacts = [*(good_contact(draw, serial) for serial in range(SENDABLE)), *bad_contacts()]
    draw.shuffle(contacts)
    return [_row(draw, serial, contact) for serial, contact in enumerate(contacts, start=1)]


def clean_rows() -> list[list[str]]:
    """Fifty contacts without any mess."""
    draw = random.Random(SEED + 1)  # noqa: S311
    contacts = [
        Contact(f"+44{british(8_000 + 17 * serial)}", country="GB", opt_out="no") for serial in range(50)
    ]
    return [_row(draw, serial, contact) for serial, contact in enumerate(contacts, start=1)]


def _row(draw: random.Random, serial: int, contact: Contact) -> list[str]:
    first, last = draw.choice(FIRST_NAMES), draw.choice(LAST_NAMES)
    return [
        f"C-{serial:05}",
        first if draw.random() > NAMELESS_SHARE else "",
        last,
        contact.mobile,
        contact.home,
        f"contact{serial}@example.com",
        contact.country,
        draw.choice(CITIES),
        f"SPRING-{draw.randrange(16**6):06X}",
        contact.opt_out,
    ]


def write_csv(target: Path, contacts: list[list[str]], *, messy: bool) -> None:
    """Write contacts as UTF-8 CSV; the messy one with blank rows and a totals row."""
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(HEADER)
        for serial, contact in enumerate(contacts, start=1):
            writer.writerow(contact)
            if messy and serial % 700 == 0:
                writer.writerow([""] * len(HEADER))
        if messy:
            writer.writerow(["Total", str(len(contacts))])


def write_xlsx(target: Path, contacts: list[list[str]]) -> None:
    """Write the messy contacts as an office would keep them: a title, numbers as numbers, a hidden sheet."""
    with xlsxwriter.Workbook(str(target)) as workbook:
        workbook.set_properties({"title": "Customer list", "created": CREATED})
        bold = workbook.add_format({"bold": True})
        lists = workbook.add_worksheet("Lists")
        lists.write_column(0, 0, ["Country", "GB", "France", "Deutschland", "USA"])
        lists.hide()
        sheet = workbook.add_worksheet("Customers")
        sheet.activate()
        sheet.set_first_sheet()
        sheet.write(0, 0, "Customer list – spring 2026", bold)
        sheet.write(1, 0, "Exported on 2 March 2026 by Example Shop Ltd")
        sheet.write_row(3, 0, HEADER, bold)
        line = 4
        for serial, contact in enumerate(contacts, start=1):
            for place, cell in enumerate(contact):
                if cell.isdecimal() and not cell.startswith("0"):
                    sheet.write_number(line, place, int(cell))
                elif cell:
                    sheet.write_string(line, place, cell)
            line += 2 if serial % 700 == 0 else 1
        sheet.write_string(line, 0, "Total", bold)
        sheet.write_number(line, 1, len(contacts), bold)
        sheet.set_column(0, len(HEADER) - 1, 18)
        sheet.freeze_panes(4, 0)


def generate(folder: Path) -> None:
    """Write all sample sheets into a folder."""
    contacts = rows()
    write_csv(folder / "contacts.csv", contacts, messy=True)
    write_xlsx(folder / "contacts.xlsx", contacts)
    write_csv(folder / "contacts_clean.csv", clean_rows(), messy=False)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent)
