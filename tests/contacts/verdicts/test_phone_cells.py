"""What a phone cell gives, case by case (tests/vectors/phone_cells.csv), through `clean_contacts`.

Ids below 200 are the acceptance cases that the room was built for.
"""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from each import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.contacts import ColumnMap, clean_contacts
from dashboard.contacts.verdicts.cell.repair import Candidate, repair
from dashboard.contacts.verdicts.cell.written_plainly import needs_no_repair, plain_digits, plain_spaces
from dashboard.contacts.vocabulary.known_words import spelling
from dashboard.contacts.vocabulary.known_words.spelling import normalise

VECTORS = Path(__file__).parents[2] / "vectors" / "phone_cells.csv"
JUDGED = ["status", "phone", "problem", "repairs", "other_phones"]
COLUMNS = ColumnMap(phones=("phone",), country="country")


def unescape(text: str) -> str:
    """Invisible characters are written out in the vectors, so that people can see them."""
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match.group(1), 16)), text)


with VECTORS.open(encoding="utf-8", newline="") as file:
    CASES = list(csv.DictReader(file))


def judged(cases: list[dict[str, str]]) -> list[dict[str, str]]:
    """What cells of one country give in one sheet, where several rows may have a number."""
    frame = pd.DataFrame(
        {
            "phone": [unescape(case["input"]) for case in cases],
            "country": [case["row_country"] for case in cases],
        }
    )
    contacts = clean_contacts(frame, country=cases[0]["country"] or None, columns=COLUMNS, keep="warn")
    rows = contacts.rows[JUDGED].astype("object").fillna("")
    rows.loc[rows["problem"] == "duplicate", ["status", "problem"]] = "ok", ""  # only rows that are ok else
    return rows.to_dict("records")


def minds_others(case: dict[str, str]) -> bool:
    """A refusal counts for all rows with the number; the hint is a country that the list has."""
    return case["status"] == "opted_out" or "valid_in_" in case["repairs"]


SHEETS: dict[tuple[str, bool], list[dict[str, str]]] = {}
for one in CASES:
    SHEETS.setdefault((one["country"], minds_others(one)), []).append(one)


@each("cases", SHEETS.values())
def test_phone_cells(cases: list[dict[str, str]]) -> None:
    expected = [{name: case[name] for name in JUDGED} for case in cases]
    wrong = [
        (case, found)
        for case, found, said in zip(cases, judged(cases), expected, strict=True)
        if found != said
    ]
    assert wrong == []


@pytest.mark.deep
@each("case", CASES)
def test_phone_cell_alone(case: dict[str, str]) -> None:
    assert judged([case]) == [{name: case[name] for name in JUDGED}]


def statuses(cells: list[str]) -> list[str]:
    """The verdict on each cell; the number of one says nothing about the next."""
    apart = [cell.replace(NUMBER, f"07400 {123_456 + 7_919 * place:06d}") for place, cell in enumerate(cells)]
    rows = clean_contacts(
        pd.DataFrame({"phone": apart}), country="GB", columns=ColumnMap(phones=("phone",)), keep="warn"
    ).rows
    return rows["status"].astype("str").tolist()


NUMBER = "07400 123456"
LISTS = json.loads((Path(spelling.__file__).parent / "words.json").read_text("utf-8"))
del LISTS["_note"]
HEADERS = json.loads((Path(spelling.__file__).parent / "header_vocabulary.json").read_text("utf-8"))
KNOWN = {
    part
    for listed in (*LISTS.values(), *(HEADERS[name] for name in ("mobile", "phone", "phone_home_or_work")))
    for phrase in listed
    for part in [*normalise(phrase).split(), normalise(phrase)]
}
WORDS = st.text(st.characters(categories=["Ll", "Lu", "Lo"]), min_size=2, max_size=12)
PEOPLE = [
    "Ann",
    "my mother",
    "der Chef",
    "nounou",
    "fax",
    "pager",
    "Telefax",
    "бабушка",
    "妈妈",
    "माँ",
    "fax (work)",
]
PLACES = ["{n} {w}", "{w} {n}", "{n} ({w})", "({w}) {n}", "{n} [{w}]", "{n} - {w}", "{w}: {n}", "{n}, {w}"]
PLACES += ["{n}/{w}", "{n}; {w}", "{n}\n{w}", "{n} {w}.", "{w} - {n}", '{n} "{w}"', "{n} / {w}: "]


@settings(deadline=None, max_examples=draws(60, 6))
@given(st.lists(WORDS | st.sampled_from(PEOPLE), min_size=1, max_size=8))
def test_a_number_with_an_unknown_word_beside_it_is_never_ok(words: list[str]) -> None:
    unknown = [word for word in words if not set(normalise(word).split()) <= KNOWN or word in PEOPLE]
    assume(unknown)
    cells = [place.format(n=NUMBER, w=word) for word in unknown for place in PLACES]
    assert "ok" not in statuses(cells)


SIGNS_OF_PHONES = set(" _+().-/,;:|\\[]{}&•·、−№☎☏✆📞📱'\"`‘’“”´")  # noqa: RUF001
SIGNS = st.characters(categories=["Sc", "Sm", "So", "Sk", "Po", "No", "Nl"])


def _spelled(sign: str) -> set[str]:
    """What a sign is made of; an accent over nothing is a slip of the keyboard."""
    return {part for part in unicodedata.normalize("NFKC", sign) if not unicodedata.combining(part)}


@settings(deadline=None, max_examples=draws(60, 6))
@given(st.lists(SIGNS | st.sampled_from("£€$¥%‰#=*!?<>^@~§¢₹"), min_size=1, max_size=12))
def test_a_number_with_an_unknown_sign_is_never_ok(signs: list[str]) -> None:
    unknown = [
        sign for sign in signs if sign not in SIGNS_OF_PHONES and not _spelled(sign) <= SIGNS_OF_PHONES
    ]
    assume(unknown)
    cells = [
        f"{a}{NUMBER}{b}" for sign in unknown for a, b in [(sign, ""), ("", sign), (f"{sign} ", f" {sign}")]
    ]
    assert "ok" not in statuses(cells)


@given(
    st.lists(
        st.text("0159 +()-.\u00a0\u2011x", max_size=18) | st.from_regex(r"\+?[0-9 ]{6,16}", fullmatch=True)
    )
)
def test_plainly_written_cells_need_no_repair(texts: list[str]) -> None:
    texts = [*texts, "07400 123456", "+44 7400 123456"]
    cells = pa.chunked_array([texts[:-2], texts[-2:]], pa.large_string())
    digits, spaced = plain_digits(cells).to_pylist(), plain_spaces(cells)
    assert digits[-2:] == ["07400123456", "447400123456"]
    for text, found, plain, is_sure in zip(
        texts, digits, spaced.to_pylist(), needs_no_repair(spaced), strict=True
    ):
        if found is not None:
            assert (is_sure, plain, found) == (True, text, re.sub(r"\D", "", text))
        if is_sure:
            assert repair(text) == (Candidate(plain),)
