"""HTML codes and formulas around texts are read as the texts they stand for, by every door."""

from __future__ import annotations

import io
from html import escape
from pathlib import Path

import pandas as pd
import pytest
from doors import both_doors
from each import each
from hypothesis import given
from hypothesis import strategies as st
from vector_files import vectors
from workbooks import in_every_kind

from dashboard.campaigns import Hint, marketing_hints, parse_template
from dashboard.contacts import (
    OptOuts,
    checked,
    clean_contacts,
    correct_phones,
    join_contacts,
    read_sheet,
    write_csv,
)

pytestmark = pytest.mark.usefixtures("read_here")


def read(*cells: str) -> list[str]:
    return read_sheet(pd.DataFrame({"name": cells})).frame["name"].tolist()


def test_codes_and_formulas_are_read_as_their_text_and_anything_else_stays() -> None:
    cells = vectors("cell_texts.csv")
    texts = read(*(line["cell"] for line in cells))
    assert [{**line, "text": text} for line, text in zip(cells, texts, strict=True)] == cells


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Cn")), max_size=30),
    st.integers(0, 4),
)
def test_what_was_escaped_comes_back_however_often(text: str, times: int) -> None:
    escaped = text
    for _time in range(times):
        escaped = escape(escaped)
    once = read(text)
    assert read(escaped) == read(*once) == once


HEADER = ["mobile", "First name", "Texts OK?", "Notes"]
PLAIN = [
    ["+44 7400 123456", "D'Angelo", "yes", ""],
    ["07400 183645", "R&D;", "yes", "1+1=2"],
    ["07400 183646", "Lee, Dan", "Não", ""],
    ["07400 183647", 'Cat "C" Lee', "sí", "Do not text"],
]
STATUSES = ["ok", "ok", "opted_out", "opted_out"]
CODED = [
    ["&#43;44 7400 123456", "D&#039;Angelo", "yes", "&nbsp;"],
    PLAIN[1],
    ["07400 183646", "Lee&#44; Dan", "N&atilde;o", ""],
    ["07400 183647", "Cat &quot;C&quot; Lee", "s&#237;", "Do not text"],
]
WRAPPED = [[f'="{cell.replace(chr(34), 2 * chr(34))}"' for cell in row] for row in [HEADER, *PLAIN]]
WRITTEN = {"codes": [HEADER, *CODED], "formulas": WRAPPED}
OF_CODES = [True, False, True, True]


@each("kind", in_every_kind([HEADER, ["1"] * 4]))
def test_every_kind_of_sheet_is_read_as_if_nothing_were_around_its_cells(kind: str) -> None:
    for around, cells in WRITTEN.items():
        sheet = read_sheet(in_every_kind(cells)[kind])
        assert [[*sheet.frame], *sheet.frame.to_numpy().tolist()] == [HEADER, *PLAIN]
        assert sheet.decoded_rows == {*sheet.rows[OF_CODES if around == "codes" else []]}
        assert any("formulas such as" in note for note in sheet.notes) == (around == "formulas")


def test_a_formula_without_quotation_marks_around_it_is_one_too() -> None:
    for sign in ",;\t|":
        content = "\r\n".join(map(sign.join, [WRAPPED[0], WRAPPED[1], WRAPPED[1]])).encode()
        assert read_sheet(content).frame.to_numpy().tolist() == PLAIN[:1] * 2


def test_a_big_file_is_read_alike(tmp_path: Path) -> None:
    for around, lines in WRITTEN.items():
        (path := tmp_path / f"{around}.csv").write_text(
            pd.DataFrame([*lines, lines[0]]).to_csv(index=False, header=False)
        )
        contacts, streamed = both_doors(path, country="GB")
        assert contacts.rows["status"].tolist() == STATUSES, "the header that is repeated is no contact"
        coded = streamed["repairs"].str.contains("entities_decoded")
        assert coded.tolist() == contacts.rows["repairs"].str.contains("entities_decoded").tolist()
        assert coded.tolist() == [around == "codes" and is_coded for is_coded in OF_CODES]
        assert any("in 3 rows (row 2, 4, 5)" in note for note in contacts.notes) == (around == "codes")


def test_headers_and_cards_are_read_too() -> None:
    sheet = read_sheet(b"T&eacute;l&eacute;phone,Pr&eacute;nom\n07400 123456,Ann\n07400 183645,Bea\n")
    assert list(sheet.frame.columns) == ["Téléphone", "Prénom"]
    assert clean_contacts(sheet, country="GB").rows["repairs"].str.contains("entities").sum() == 0
    card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ann D&#039;Angelo\nTEL:07400 123456\nEND:VCARD\n"
    assert (read_sheet(card.encode()).frame == "Ann D'Angelo").any(axis=None)


def test_the_repair_stays_with_a_row_that_is_corrected_or_joined() -> None:
    contacts = clean_contacts(pd.DataFrame(CODED, columns=HEADER), country="GB")
    for later in (contacts, correct_phones(contacts, {2: "07400 183649"}), join_contacts({"Fair": contacts})):
        assert later.rows["repairs"].str.contains("entities_decoded").tolist() == OF_CODES
        assert any("in 3 rows (row 2, 4, 5)" in note for note in later.notes)


def test_what_we_wrote_comes_back_as_it_was() -> None:
    people = pd.DataFrame({"mobile": ["07400123456"] * 3, "name": ["=1+1", '\'="Ann"', '="="'], "": "x"})
    sheet = read_sheet(people)
    write_csv(checked(clean_contacts(sheet, country="GB"), sheet), file := io.BytesIO())
    again = read_sheet(file.getvalue())
    assert again.frame["name"].tolist() == sheet.frame["name"].tolist() == ["=1+1", '\'="Ann"', "="]
    assert not any("formula" in note for note in again.notes)


OPT_OUTS = ['="07400183645"', '=T("07400183646")', '= "+447400183647"', "&plus;44 7400 123456"]


@each("opt_outs, is_of_all", [(OPT_OUTS, True), (OPT_OUTS[-1], False), (pd.Series(OPT_OUTS), True)])
def test_an_opt_out_written_so_keeps_the_person_out(opt_outs: OptOuts, *, is_of_all: bool) -> None:
    contacts = clean_contacts(pd.DataFrame(PLAIN, columns=HEADER), country="GB", opt_outs=opt_outs)
    refused = ["opted_out", *(["opted_out"] * 3 if is_of_all else STATUSES[1:])]
    assert contacts.rows["status"].tolist() == refused


HINTED = ["Sale&nbsp;today", "M&amp;amp;S", "It&#39;s on", "5 &lt; 6", "{{name | D&#039;Angelo}}"]
NOT_HINTED = ["Q&A; R&D; AT&T", "M&S & co.", "https://example.com/?a=1&b=2", "this &that;"]


def test_a_text_of_a_message_with_a_code_is_warned_of() -> None:
    warned = [text for text in HINTED + NOT_HINTED if Hint.HTML_CODE in marketing_hints(parse_template(text))]
    assert warned == HINTED
