"""Names that are none: fillers count as blank, the doubtful ones are counted, and other columns stay."""

from __future__ import annotations

import pandas as pd
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.campaigns import Variant, name_hints, preview, write_messages
from dashboard.contacts import clean_contacts, join_contacts

FILLERS = """
N/A|n/a|NA|na|#N/A|n.a.|-|--|---|–|.|..|…|?|??|_|*|none|NONE|null|NULL|nan|NaN|x|xx|XX|xxx|unknown|Unknown
undefined|UNKNOWN|(blank)|(none)|<NA>|no name|No Name|TBC|tbc|test|anonymous|Unbekannt|keine Angabe|inconnu
desconocido|NULL NULL|- -|N/A N/A|n/a n/a|#REF!|#VALUE!| N/A |x x
(n/a)|[N/A]|n / a|N / A|not set|Not Set|(not set)|<unknown>|{NULL}|(X)|(empty)|0|none given
???????|???? ???????|------|________|. . .|()|[ ]|<>|\u00bf?|\u2212|\u2010|\u30fb|\uff0d|\uff1f\uff1f|\u274c
\uff2e\uff0f\uff21|\uff4e\uff0f\uff41|\uff10|N\u00a0/\u00a0A|N/A\u200b|\ufeffnull|un\u00adknown|-\u200b-|NULL\ufe0f
\u200b|\ufeff|\u00ad|\u2060|\u3164|\uffa0|\u2800|\u034f|\u115f\u1160|\u200b \u200b|\ufe0f|\u180e|\u200f
""".replace("\n", "|").strip("|").split("|")  # fmt: skip
MAY_BE_NAMES = ["Null", "None", "Na", "Nan", "X", "Nil", "Test", "Null Null", "N.A.", "K. A."]
NO_NAMES = """
Customer|customer|(Customer)|KUNDE|Valued Customer|Last name|last_name|LAST NAME|[Last Name]|First name
FirstName|lastName|LASTNAME|Null\u200b|\uff2e\uff55\uff4c\uff4c|\u0660\u0661\u0662|\uff14\uff14
+44 7400 123456|07400123456|(07400) 123-456|12|2026|info|Sales|ADMIN|Kontakt|Office|no-reply|ann@example.com
""".replace("\n", "|").strip("|").split("|")  # fmt: skip
NAMES = """
Ann|ann|ANN|No|Al|J|J.|X Æ|Li Na|Nana|Noneen|O'Neill|Xx Lee|Nancy|Anne-Marie|Blank|Guest|Friend|Zero|Infante
Nullmeyer|王|Ng|Ot|N A|Ann (Mum)|?uca|-Ann-|محمد|김민수|דוד|สมชาย
\u0634\u0627\u062f\u06cc\u200c\u062c\u0627\u0646|\u0936\u094d\u200d\u092f\u093e\u092e|Ann\u200b|Ann\u00a0Lee|Жанна|Ελένη|\uff21\uff4e\uff4e|A\ufe0f
""".replace("\n", "|").strip("|").split("|")  # fmt: skip


@each("cell", FILLERS)
def test_a_filler_is_blank_where_names_stand(cell: str) -> None:
    for column in ("First name", "Nachname", "Full name", "Prénom"):
        assert preview(f"Hi {{{{{column}|there}}}}!", {column: cell}) == "Hi there!"
    people = pd.DataFrame({"phone": ["+447400123456"], "first_name": [cell]})
    assert write_messages(people, "Hi {{first_name}}!", campaign="x")["problem"].tolist() == ["empty_field"]
    (said,) = name_hints(people, "Hi {{first_name|there}}!")
    assert said == "first_name: 1 filler such as N/A counts as blank (row 1)."
    (said,) = name_hints(people, "{{first_name|}} Hi {{first name}}!")
    assert said.endswith(" counts as blank (row 1). Write a fallback, as in {{ first name | there }}.")


@each("cell", FILLERS)
def test_the_same_cell_stays_in_any_other_column(cell: str) -> None:
    for column in ("Size", "Company", "Table", "Note"):
        assert preview(f"Size {{{{{column}|none}}}}", {column: cell}) == f"Size {cell.strip()}"
    assert name_hints(pd.DataFrame({"phone": ["+447400123456"], "Size": [cell]}), "Size {{Size}}") == ()


@each("name", NAMES)
def test_a_name_is_sent_without_a_word(name: str) -> None:
    people = pd.DataFrame(
        {"phone": ["+447400123456"], "first_name": [name], "email": [f"{name}@example.com"]}
    )
    assert preview("Hi {{first_name|there}}!", {"first_name": name}) == f"Hi {name}!"
    if "." not in name:
        assert name_hints(people, "Hi {{first_name|there}}!") == ()


@each("name", MAY_BE_NAMES + NO_NAMES)
def test_what_may_be_no_name_is_sent_and_counted(name: str) -> None:
    people = pd.DataFrame({"phone": ["+447400123456"], "Last name": [name]})
    assert preview("Dear {{last name|you}}!", {"Last name": name}) == f"Dear {name}!"
    (said,) = name_hints(people, "Dear {{last name|you}}!")
    assert said.startswith("Last name: 1 cell may not be a name but")


@each(
    "name, email, counted",
    [
        ("john.smith84", "john.smith84@example.com", True),
        ("John.Smith84", "john.smith84@example.com", True),
        ("john_s", "JOHN_S@example.com", True),
        ("js84", "js84@example.com", True),
        ("ann", "ann@example.com", False),
        ("Ann", "ann@example.com", False),
        ("Anne-Marie", "anne-marie@example.com", False),
        ("john.smith84", "somebody@example.com", False),
        ("St. John", "stjohn@example.com", False),
    ],
)
def test_what_the_address_of_the_row_begins_with_is_counted(name: str, email: str, counted: bool) -> None:
    people = pd.DataFrame({"phone": ["+447400123456"], "Vorname": [name], "E-Mail": [email]})
    assert len(name_hints(people, "Hi {{first_name|there}}!")) == counted


def test_only_names_in_the_text_are_looked_at_and_in_every_variant() -> None:
    people = pd.DataFrame({"phone": ["+447400123456"], "first_name": ["N/A"], "last_name": ["-"]})
    assert name_hints(people, "Sale!") == ()
    texts = [Variant("A", "Hi {{first_name|there}}"), Variant("B", "Dear {{last_name|you}}")]
    assert [said.split(":")[0] for said in name_hints(people, texts)] == ["first_name", "last_name"]


def test_rows_are_those_of_the_sheet_and_of_each_list() -> None:
    names = ["Ann", "N/A", *["x"] * 9]
    frame = pd.DataFrame({"mobile": [f"07400 1836{n:02}" for n in range(11)], "Name": names})
    contacts = clean_contacts(frame, country="GB")
    contacts = contacts.approve()
    assert name_hints(contacts, "Hi {{name|you}}") == (
        "Name: 10 fillers such as N/A count as blank (row 3, 4, 5, 6, 7, …).",
    )
    lists = {
        "Fair": clean_contacts(frame[:2], country="GB"),
        "Shop": clean_contacts(frame[2:4], country="GB"),
    }
    (said,) = name_hints(join_contacts(lists).approve(), "Hi {{name|you}}")
    assert said.endswith("(row Fair 3, Shop 2, Shop 3).")


@each("title", ["Name / First Name", "First name (required)", "First Name *", "Vorname (optional)"])
def test_a_column_that_is_found_by_its_short_name_holds_names_too(title: str) -> None:
    people = pd.DataFrame({"phone": ["+447400123456", "+447400123457"], title: ["N/A", "Null"]})
    texts = write_messages(people, "Hi {{first_name|there}}", campaign="Spring")["body"].tolist()
    assert texts == ["Hi there", "Hi Null"]
    assert len(name_hints(people, "Hi {{first_name|there}}")) == 2


def test_a_column_that_somebody_said_holds_names_is_one() -> None:
    frame = pd.DataFrame({"mobile": ["07400 183645"], "Wie": ["N/A"]})
    guessed = clean_contacts(frame, country="GB").how.columns
    assert guessed.first_name is None
    contacts = clean_contacts(frame, country="GB", columns=type(guessed)(("mobile",), first_name="Wie"))
    messages = write_messages(contacts, "Hi {{wie|there}}", campaign="x")
    assert messages["body"].tolist() == ["Hi there"]


@settings(max_examples=draws(200, 20))
@given(st.lists(st.sampled_from([*FILLERS, *NAMES, *MAY_BE_NAMES, ""]), min_size=1, max_size=12))
def test_many_rows_say_what_each_says_alone(names: list[str]) -> None:
    people = pd.DataFrame({"phone": "+447400123456", "first_name": names})
    bodies = write_messages(people, "Hi {{first_name|you}}", campaign="x")["body"].tolist()
    assert bodies == [preview("Hi {{first_name|you}}", {"first_name": name}) for name in names]
    said = name_hints(people, "Hi {{first_name|you}}")
    fillers = sum(name in FILLERS for name in names)
    assert any(f": {fillers} filler" in sentence for sentence in said) == bool(fillers)
