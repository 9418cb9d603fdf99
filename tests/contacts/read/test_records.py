"""Files without rows and lines: JSON, JSON Lines, Parquet, business cards and frames."""

from __future__ import annotations

import io
import json
import re
from datetime import date
from string import ascii_uppercase

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from patience import PATIENCE_S
from tiers import draws, only_deep, together

from dashboard.contacts import Limits, clean_contacts, guess_columns, read_sheet
from dashboard.errors import SheetError

ANN, BOB = "+447400123456", "+447400123457"
PEOPLE = [{"phone": ANN, "name": "Ann"}, {"phone": BOB, "name": None, "age": 41}]
CELLS = [[ANN, "Ann", ""], [BOB, "", "41"]]


def cells(content: bytes, **options: object) -> list[list[str]]:
    return read_sheet(content, **options).frame.to_numpy().tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize("indent", [None, *only_deep(2)])
@pytest.mark.parametrize(
    "shape",
    [
        PEOPLE,
        {"contacts": PEOPLE},
        {"data": {"contacts": PEOPLE}, "page": 1, "tags": ["a", "b", "c"]},
        {"phone": {"0": ANN, "1": BOB}, "name": {"0": "Ann", "1": ""}, "age": {"0": "", "1": 41}},
        {"phone": [ANN, BOB], "name": ["Ann", ""], "age": ["", 41]},
        [["phone", "name", "age"], [ANN, "Ann", ""], [BOB, "", 41]],
    ],
    ids=["objects", "named list", "nested list", "pandas", "columns", "rows"],
)
def test_json_in_the_shapes_that_programs_write(shape: object, indent: int | None) -> None:
    sheet = read_sheet(json.dumps(shape, indent=indent).encode())
    assert list(sheet.frame) == ["phone", "name", "age"]
    assert sheet.frame.to_numpy().tolist() == CELLS


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_json_in_other_encodings(encoding: str) -> None:
    assert cells('[{"phone": "1", "name": "Łukasz"}]'.encode(encoding)) == [["1", "Łukasz"]]


def test_numbers_in_json_stay_as_they_were_typed() -> None:
    content = b'[{"phone": 447400123456, "b": 447400123456.0, "c": 4.474E+11, "d": true, "e": [1, 2]}]'
    assert cells(content) == [["447400123456", "447400123456.0", "4.474E+11", "true", "1; 2"]]


def test_nested_json_is_named_by_its_path() -> None:
    content = b'[{"name": {"first": "Ann"}, "phones": [{"type": "mobile", "number": "+447400123456"}]}]'
    sheet = read_sheet(content)
    assert list(sheet.frame) == ["name.first", "phones.1.type", "phones.1.number"]
    assert guess_columns(sheet).phones == ("phones.1.number",)


def test_no_object_where_others_have_one_is_no_column() -> None:
    """A blank "sms_marketing_consent" was a consent that nobody had answered."""
    told = {"phone": "1", "sms_consent": {"state": "subscribed"}, "a": {"b": {"c": "1"}}}
    content = json.dumps([told, {"phone": "2", "sms_consent": None, "a": {"b": None}}, {"a": "x"}]).encode()
    assert list(read_sheet(content).frame.columns) == ["phone", "sms_consent.state", "a.b.c", "a"]


def test_json_of_contacts_by_their_id() -> None:
    content = (
        b'{"users": {"u1": {"phone": "+447400123456", "name": "Ann"}, "u2": {"phone": "+447400123457"}}}'
    )
    sheet = read_sheet(content)
    assert list(sheet.frame) == ["key", "phone", "name"]
    assert sheet.frame.to_numpy().tolist() == [["u1", ANN, "Ann"], ["u2", BOB, ""]]


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b'{"name": {"first": "Ann", "last": "Lee"}, "address": {"city": "York"}}', [["Ann", "Lee", "York"]]),
        (b'["phone", "name"]\n["+447400123456", "Ann"]\n', [[ANN, "Ann"]]),
        (b'[{"phone": "\\u002b447400123456", "name": "\\ud83d"}]', [[ANN, "?"]]),
        (b'[{"phone": "1", "phone": "+447400123456"}]', [[ANN]]),
        (b'[{"phones": ["+447400123456", "+447400123457"]}]', [[f"{ANN}; {BOB}"]]),
    ],
    ids=["one nested contact", "lines of lists", "half a character", "a name twice", "a list in a cell"],
)
def test_odd_json(content: bytes, wanted: list[list[str]]) -> None:
    assert cells(content) == wanted


def test_a_json_list_of_numbers_alone() -> None:
    assert read_sheet(b'["+447400123456", "+447400123457"]').frame["phone"].tolist() == [ANN, BOB]


def test_json_lines_are_numbered_by_line() -> None:
    sheet = read_sheet(b'{"phone": "1"}\r\n\r\n{"phone": "2", "name": "Bob"}\n')
    assert sheet.frame.to_numpy().tolist() == [["1", ""], ["2", "Bob"]]
    assert sheet.rows.tolist() == [1, 3]


@pytest.mark.parametrize(
    "content", [b'{"phone": 1}\n{"phone": ', b"[" * 100_000 + b"]" * 100_000, b'[{"a": 1,}]']
)
def test_damaged_json_is_refused(content: bytes) -> None:
    with pytest.raises(SheetError, match="JSON file is damaged"):
        read_sheet(content)


def test_parquet_and_its_numbers() -> None:
    table = {
        "phone": [447400123456.0, None],
        "id": [447400123456, 2],
        "born": [date(1990, 5, 1), None],
        "tags": [["a", "b"], []],
        "name": pd.Categorical(["Zoë", "Bob"]),
    }
    content = io.BytesIO()
    pd.DataFrame(table, index=[7, 9]).to_parquet(content)
    sheet = read_sheet(content.getvalue())
    assert list(sheet.frame) == [*table]
    assert sheet.frame.to_numpy().tolist() == [
        ["447400123456", "447400123456", "1990-05-01", "a; b", "Zoë"],
        ["", "2", "", "", "Bob"],
    ]


def test_nested_and_repeated_names_in_parquet() -> None:
    nested = pa.table({"name": ["Ann"], "phones": [[{"type": "mobile", "number": ANN}]]})
    repeated = pa.Table.from_arrays([pa.array([ANN]), pa.array(["x"])], names=["phone", "phone"])
    for table, names, rows in (
        (nested, ["name", "phones.1.type", "phones.1.number"], [["Ann", "mobile", ANN]]),
        (repeated, ["phone", "phone#2"], [[ANN, "x"]]),
    ):
        content = io.BytesIO()
        pq.write_table(table, content)
        sheet = read_sheet(content.getvalue())
        assert (list(sheet.frame), sheet.frame.to_numpy().tolist()) == (names, rows)


def test_a_parquet_file_without_rows_is_refused() -> None:
    content = io.BytesIO()
    pq.write_table(pa.table({"phone": pa.array([], pa.string())}), content)
    with pytest.raises(SheetError, match="column names and no rows"):
        read_sheet(content.getvalue())


def test_a_small_parquet_file_of_very_many_rows_is_refused() -> None:
    content = io.BytesIO()
    pq.write_table(
        pa.table(
            {
                "phone": pa.DictionaryArray.from_arrays(
                    pa.nulls(6_000_000, pa.int8()).fill_null(0), ["x" * 1000]
                )
            }
        ),
        content,
    )
    assert len(content.getvalue()) < 2**20
    with pytest.raises(SheetError, match="6,000,000 rows and 1 columns; at most 5,000,000 rows"):
        read_sheet(content.getvalue())


def test_too_many_columns_are_refused_in_every_format() -> None:
    wide = pd.DataFrame([range(600)], columns=[f"c{n}" for n in range(600)])
    content = io.BytesIO()
    wide.to_parquet(content)
    for data in (content.getvalue(), json.dumps(wide.to_dict("records")).encode()):
        with pytest.raises(SheetError, match="600 columns"):
            read_sheet(data)


def test_a_cell_that_is_too_long_is_refused_in_every_format() -> None:
    with pytest.raises(SheetError, match=r"row 1 has 11 characters, more than the 10 allowed"):
        read_sheet(b'[{"phone": "12345678901"}]', limits=Limits(cell_characters=10))


CARDS = """BEGIN:VCARD
VERSION:3.0
FN:Ann Smith
N:Smith;Ann;;;
TEL;TYPE=CELL,VOICE:+44 7400 123456
TEL;TYPE=WORK;TYPE=VOICE:020 7946 0991
TEL;TYPE=HOME,FAX:020 7946 0992
item1.TEL:+44 7400 123459
item1.X-ABLabel:other
EMAIL:ann@example.com
ADR;TYPE=HOME:;;1 High St;York;;YO1;United Kingdom
NOTE:a long
  line
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Zoë
TEL;VALUE=uri;TYPE="voice,cell":tel:+44-7400-123457;ext=5
TEL;TYPE=cell:+44 7400 123458
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrg;;;
TEL;CELL;PREF:0151 23456789
END:VCARD
"""


@pytest.mark.parametrize("line_end", ["\r", *only_deep("\n", "\r\n")])
def test_business_cards_of_all_versions(line_end: str) -> None:
    sheet = read_sheet(CARDS.replace("\n", line_end).encode())
    people = sheet.frame[["full name", "first name", "last name", "mobile", "work phone", "fax", "country"]]
    assert people.to_numpy().tolist() == [
        ["Ann Smith", "Ann", "Smith", "+44 7400 123456", "020 7946 0991", "020 7946 0992", "United Kingdom"],
        ["Zoë", "", "", "+44-7400-123457; +44 7400 123458", "", "", ""],
        ["", "Jürg", "Müller", "0151 23456789", "", "", ""],
    ]
    assert sheet.rows.tolist() == [1, 2, 3]
    contacts = clean_contacts(sheet, country="DE").rows
    assert contacts["phone"].tolist() == ["+447400123456", "+447400123457", "+4915123456789"]
    assert contacts["other_phones"].tolist()[1] == "+447400123458"


ODD_CARDS = {
    "VERSION:3.0\nFN:Ann\nTEL;TYPE=CELL:+44740\n 0123456": (ANN, "Ann"),
    "VERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=4D=C3=BC=\nller\nTEL;CELL:1": ("1", "Müller"),
    "VERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCller\nTEL;CELL:1": ("1", "Müller"),
    "VERSION:3.0\nFN:Lee\\, Ann\nNO LINE\nitem1.TEL;TYPE=pref,iPhone:1\nTEL;TYPE=WORK:2": ("1", "Lee, Ann"),
    "VERSION:3.0\nFN:Ann\nPHOTO;ENCODING=b:!\nTEL;TYPE=cell:1\nTEL;TYPE=CELL:2\nTEL;TYPE=cell:1": (
        "1; 2",
        "Ann",
    ),
}


@pytest.mark.parametrize("encoding", ["utf-16", *only_deep("utf-8", "utf-8-sig")])
def test_odd_cards(encoding: str) -> None:
    """Folded, with a soft line break, in Latin 1, with a line that is none, with several numbers."""
    cards = "".join(f"begin:vcard\n{lines}\nend:vcard\n" for lines in ODD_CARDS)
    people = read_sheet(cards.encode(encoding)).frame
    assert [*people[["mobile", "full name"]].itertuples(index=False, name=None)] == [*ODD_CARDS.values()]


def test_reading_cards_stops_when_the_time_is_up() -> None:
    with pytest.raises(SheetError, match=r"file of business cards needs more memory or time .* 1e-09 s"):
        read_sheet(CARDS.encode(), limits=Limits(child_time_s=1e-9))


@pytest.mark.deep
def test_how_many_cards_were_read_when_the_time_was_up_is_said() -> None:
    many = (_card("N:Smith;Ann;;;", *["NOTE:tea"] * 20, "TEL:1") * 100_000).encode()
    seconds = 3  # on a slow machine not enough to begin with
    while "business cards took" not in (said := _refusal(many, Limits(child_time_s=seconds))):
        assert seconds < PATIENCE_S, said
        seconds *= 2
    assert re.search(rf"The first [\d,]+ business cards took {seconds} s, the longest allowed", said)


def test_what_a_damaged_card_says_is_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SheetError, match="No business card in the file can be read"):
        read_sheet(b"BEGIN:VCARD\n+447400123456,Ann\n")
    sheet = read_sheet(_card("TEL;=;;:+447400123456", "TEL:1").encode())
    assert not [note for note in sheet.notes if "447400123456" in note]
    assert capfd.readouterr() == ("", "")


def _refusal(file: bytes, limits: Limits) -> str:
    with pytest.raises(SheetError) as refused:
        read_sheet(file, limits=limits)
    return str(refused.value)


def _card(*lines: str, version: str = "3.0") -> str:
    return "\n".join(["BEGIN:VCARD", f"VERSION:{version}", "FN:Ann", *lines, "END:VCARD", ""])


ODD_LINES = [
    "ORG:Smith, Jones",
    "ORG:Smith\\, Jones;Sales, Europe",
    "PHOTO;ENCODING=b:!!!",
    "PHOTO;ENCODING=BASE64;JPEG:\n /9j/4AAQ\nnot folded",
    "PHOTO;ENCODING=QUOTED-PRINTABLE;CHARSET=nonsense:=FF",
    "PHOTO:data:image/jpeg;base64,AAA",
    "BDAY:not a day",
    "REV:yesterday",
    "KEY;ENCODING=B:@",
    "X-ODD;;;=:1",
    "no line at all",
    "NOTE;CHARSET=nonsense;ENCODING=QUOTED-PRINTABLE:=C3",
    "AGENT:\nBEGIN:VCARD\nFN:Zed\nTEL:9\nEND:VCARD",
]


def test_what_nobody_needs_keeps_no_card_from_being_read() -> None:
    cards = [_card(odd, "TEL:1") + _card("TEL:2", version="2.1") for odd in ODD_LINES]
    sheet = read_sheet("".join(cards).encode())
    read = sheet.frame[["full name", "phone"]].to_numpy().tolist()
    assert read == [["Ann", "1"], ["Ann", "2"]] * len(ODD_LINES)
    assert sheet.notes == ("Rows are business cards, counted from 1.",)


def test_a_company_with_a_comma_has_a_name() -> None:
    sheet = read_sheet(_card("ORG:Smith, Jones;Sales", "TEL:1").encode())
    assert sheet.frame["company"].tolist() == ["Smith Jones Sales"]


def test_a_damaged_card_is_named_and_the_others_are_read() -> None:
    broken_off = "BEGIN:VCARD\nFN:Bob\nTEL:+44740"
    lost_line = _card("TEL;=;;:3", "TEL:4")
    sheet = read_sheet("\n".join([_card("TEL:1"), broken_off, lost_line, _card("TEL:5")]).encode())
    assert sheet.frame["phone"].tolist() == ["1", "4", "5"]
    assert sheet.rows.tolist() == [1, 3, 4]
    assert 'is cut off (card 2 "Bob")' in sheet.notes[0]
    assert '(card 3 "Ann")' in sheet.notes[1]


@pytest.mark.parametrize(
    ("card", "named"),
    [
        ("BEGIN:VCARD\nN:Jones;Bob;;;\nTEL:+44740", 'card 1 "Bob Jones"'),
        ("BEGIN:VCARD\nFN;=;;:Bob Jones\nTEL;=;;:1\nEND:VCARD\n", 'card 1 "Bob Jones"'),
        ("BEGIN:VCARD\nORG:Acme\\, Ltd\nTEL;=;;:1\nEND:VCARD\n", 'card 1 "Acme, Ltd"'),
        ("BEGIN:VCARD\nFN:07400 123456\nTEL;=;;:1\nEND:VCARD\n", "(card 1)"),
        ("BEGIN:VCARD\nTEL;=;;:1\nEND:VCARD\n", "(card 1)"),
    ],
)
def test_an_unreadable_card_is_told_by_its_name(card: str, named: str) -> None:
    sheet = read_sheet(f"{card}\n{_card('TEL:2')}".encode())
    assert named in sheet.notes[0]
    assert sheet.frame["phone"].iloc[-1] == "2"


def test_a_card_without_any_text_is_a_blank_row() -> None:
    sheet = read_sheet(f"BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n{_card('TEL:2')}".encode())
    assert sheet.rows.tolist() == [2]
    assert not [note for note in sheet.notes if "cannot be read" in note]


@pytest.mark.parametrize("version", ["2.1", *only_deep("3.0", "4.0")])
def test_large_pictures_take_no_time(version: str) -> None:
    """Phones put pictures of a megabyte in cards; they are not needed, whole or broken."""
    picture = "PHOTO;ENCODING=BASE64;JPEG:" + ("A" * 75 + "\n ") * 30_000 + "\n"
    cards = "".join(_card(picture, f"TEL:{place}", version=version) for place in range(8))
    sheet = read_sheet(cards.encode(), limits=Limits(child_time_s=20, child_memory_bytes=2**30))
    assert sheet.frame["phone"].tolist() == list("01234567")


def test_the_rest_of_a_note_whose_line_break_was_not_escaped_is_heard() -> None:
    cards = _card("NOTE:VIP\nplease do not text", "TEL;TYPE=CELL:07400 123456")
    contacts = clean_contacts(read_sheet(cards.encode()), country="GB")
    assert contacts.rows["status"].tolist() == ["opted_out"]


CARD_PIECES = st.lists(
    st.sampled_from(["TEL", "FN", "N", "ORG", "NOTE", "PHOTO", "BEGIN:VCARD", "END:VCARD", "AGENT", "item1."])
    | st.sampled_from([":", ";", "=", ",", "\\", "\n", " ", "ENCODING=b", "CHARSET=x", '"'])
    | st.text(max_size=4),
    max_size=40,
)


@settings(deadline=None, max_examples=draws(30, 3))
@given(CARD_PIECES)
def test_whatever_one_card_says_the_next_is_read(pieces: list[str]) -> None:
    """Unless it opens a card inside it: then nobody can tell where that one ends."""
    odd = f"BEGIN:VCARD\n{''.join(pieces)}\n\nEND:VCARD\n"
    assume(odd.upper().count("BEGIN") == 1)
    sheet = read_sheet(f"{odd}{_card('TEL:123')}".encode())
    assert "123" in sheet.frame["phone"].iloc[-1]


def test_a_frame_is_a_sheet() -> None:
    frame = pd.DataFrame({"phone": [447400123456.0, None], 7: ["NA", 1]})
    sheet = read_sheet(frame)
    assert list(sheet.frame) == ["phone", "7"]
    assert sheet.rows.tolist() == [2, 3]


LABELLED = [
    ("item1.TEL:{n}\nitem1.X-ABLabel:Assistant", "labelled phone"),
    ("item1.TEL;TYPE=CELL:{n}\nitem1.X-ABLabel:Mum", "labelled phone"),
    ("item1.X-ABLabel:Zorkmid\nitem1.TEL;TYPE=HOME:{n}", "labelled phone"),
    ("TEL;TYPE=car:{n}", "labelled phone"),
    ("item1.TEL;TYPE=pref:{n}\nitem1.X-ABLabel:_$!<Mobile>!$_", "phone"),
    ("TEL;TYPE=CELL;TYPE=VOICE;TYPE=pref:{n}", "mobile"),
    ("TEL;TYPE=WORK,FAX:{n}", "fax"),
    ("TEL;TYPE=pager:{n}", "pager"),
]


@pytest.mark.parametrize("cases", together(*LABELLED))
def test_a_cards_number_under_an_unknown_label_is_kept_apart(cases: list[tuple[str, str]]) -> None:
    sheet = read_sheet("".join(_card(line.format(n="07400 123456")) for line, _ in cases).encode())
    found = [[*sheet.frame.columns[sheet.frame.iloc[place] == "07400 123456"]] for place in range(len(cases))]
    assert found == [[column] for _, column in cases]
    own = {column for _, column in cases} & {"phone", "mobile"}
    assert {column for _, column in cases} & {*guess_columns(sheet).phones} == own


SAYS_NO = [
    "NOTE:DO NOT TEXT",
    "NOTE:VIP\\nDo not text\\, please",
    "CATEGORIES:VIP,Do Not Contact",
    "TITLE:unsubscribed",
]
SAYS_NO += [
    "NICKNAME:DNC",
    "ROLE:opted out",
    "X-SMS-OPTOUT:1",
    "X-STATUS:unsubscribed",
    "item2.X-ABLabel:no SMS\nitem2.TEL:1",
]
SAYS_NO += ["NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:d=C3=A9sabonn=C3=A9e", "note;LANGUAGE=de:keine SMS"]
SAYS_NO += ["NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=nonsense:opted out"]


def test_a_refusal_anywhere_in_a_card_is_heard() -> None:
    versions = ["2.1", "3.0", "4.0"]
    said = [(line, version) for version in versions for no in SAYS_NO for line in (no, "NOTE:VIP")]
    cards = [
        _card(f"TEL;TYPE=CELL:07400 {123_456 + 7_919 * place}", line, version=version)
        for place, (line, version) in enumerate(said)
    ]
    contacts = clean_contacts(read_sheet("".join(cards).encode()), country="GB")
    assert contacts.rows["status"].tolist() == ["opted_out", "ok"] * len(SAYS_NO) * len(versions)


def test_texts_of_a_card_are_columns_and_pictures_are_not() -> None:
    lines = ["NOTE:Likes tea", "CATEGORIES:VIP,Hull", "X-SHOE-SIZE:7", "NOTE:Comes on Mondays", "X-PHONE:2"]
    binary = [
        "PHOTO;ENCODING=b:AAAA",
        "X-FACE;ENCODING=BASE64:AAAA",
        "LOGO:data:image/png;base64,AAAA",
        "REV:2",
    ]
    sheet = read_sheet(_card("TEL;TYPE=CELL:1", *lines, *binary).encode())
    assert sheet.frame.iloc[0, -4:].to_dict() == {
        "note": "Likes tea; Comes on Mondays",
        "categories": "VIP; Hull",
        "shoe size": "7",
        "x-phone": "2",
    }


def test_cards_of_too_many_kinds_of_lines_are_refused() -> None:
    kinds = [f"X-{one}{two}:1" for one in ascii_uppercase for two in ascii_uppercase]
    cards = [_card(*kinds[start : start + 26]) for start in range(0, len(kinds), 26)]
    with pytest.raises(SheetError, match="columns; at most"):
        read_sheet("".join(cards).encode())
