"""What a phone cell gives, case by case (tests/vectors/phone_cells.csv), through `clean_contacts`.

Ids below 200 are the acceptance cases that the room was built for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import pandas as pd
import pyarrow as pa
from each import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from phonenumbers import parse, region_code_for_number
from tiers import draws
from vector_files import vectors

from dashboard.contacts import ColumnMap, clean_contacts
from dashboard.contacts.numbers.repair import Candidate, repair
from dashboard.contacts.numbers.written_plainly import needs_no_repair, plain_digits, plain_spaces
from dashboard.contacts.words import lexicon
from dashboard.contacts.words.spelling import normalise

JUDGED = ["status", "phone", "problem", "repairs", "other_phones"]
COLUMNS = ColumnMap(phones=("phone",), country="country")


def unescape(text: str) -> str:
    """Invisible characters are written out in the vectors, so that people can see them."""
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match.group(1), 16)), text)


def judged(cases: list[dict[str, str]]) -> list[dict[str, str]]:
    """What cells give in one sheet, where several rows may have a number."""
    texts, homes = [unescape(case["input"]) for case in cases], [case["row_country"] for case in cases]
    frame = pd.DataFrame({"Name": "Ann", "phone": texts, "country": homes})  # else words would be lines
    contacts = clean_contacts(frame, country=cases[0]["country"] or None, columns=COLUMNS, keep="warn")
    rows = contacts.rows[JUDGED].astype("object").fillna("")
    rows.loc[rows["problem"] == "duplicate", ["status", "problem"]] = "ok", ""  # only rows that are ok else
    return rows.to_dict("records")


def sheets() -> Iterator[list[dict[str, str]]]:
    """Cells that share a sheet: of one country, and those whose rows may as well name their country."""
    found: dict[tuple[str, bool], list[dict[str, str]]] = {}
    for case in vectors("phone_cells.csv"):
        # A refusal counts for all rows with the number; the hint is a country that the list has.
        minds_others = case["status"] == "opted_out" or "valid_in_" in case["repairs"]
        country = case["country"]
        is_foreign = case["phone"] and region_code_for_number(parse(case["phone"])) != country
        is_alone = country in {"", "GB"} or minds_others or is_foreign or case["row_country"]
        named = case if is_alone else {**case, "row_country": country, "country": "GB"}
        found.setdefault((named["country"], minds_others), []).append(named)
    yield from found.values()


@each("cases", sheets())
def test_phone_cells(cases: list[dict[str, str]]) -> None:
    found = [{**case, **said} for case, said in zip(cases, judged(cases), strict=True)]
    assert found == cases


def statuses(cells: list[str]) -> list[str]:
    """The verdict on each cell; the number of one says nothing about the next."""
    numbers = [f"07400 {(123_456 + 7_919 * place) % 10**6:06d}" for place in range(len(cells))]
    apart = [cell.replace(NUMBER, number) for cell, number in zip(cells, numbers, strict=True)]
    columns = ColumnMap(phones=("phone",))
    contacts = clean_contacts(pd.DataFrame({"phone": apart}), country="GB", columns=columns, keep="warn")
    return contacts.rows["status"].astype("str").tolist()


NUMBER = "07400 123456"
KNOWN = {
    part
    for listed in [
        *lexicon._raw("words.json").values(),
        *(lexicon.spellings()[name] for name in ("mobile", "phone", "phone_home_or_work")),
    ]
    for phrase in listed
    for part in [*normalise(phrase).split(), normalise(phrase)]
}
WORDS = st.text(st.characters(categories=["Ll", "Lu", "Lo"]), min_size=2, max_size=12)
PEOPLE = ["Ann", "my mother", "der Chef", "nounou", "fax", "pager", "бабушка", "妈妈", "fax (work)"]
PLACES = ["{n} {w}", "{w} {n}", "{n} ({w})", "({w}) {n}", "{n} [{w}]", "{n} - {w}", "{w}: {n}", "{n}, {w}"]
PLACES += ["{n}/{w}", "{n}; {w}", "{n}\n{w}", "{n} {w}.", "{w} - {n}", '{n} "{w}"', "{n} / {w}: "]
SIGNS_OF_PHONES = set(" _+().-/,;:|\\[]{}&•·、−№☎☏✆📞📱'\"`‘’“”´")  # noqa: RUF001
SIGNS = st.characters(categories=["Sc", "Sm", "So", "Sk", "Po", "No", "Nl"])


def _spelled(sign: str) -> set[str]:
    """What a sign is made of; an accent over nothing is a slip of the keyboard."""
    return {part for part in unicodedata.normalize("NFKC", sign) if not unicodedata.combining(part)}


@settings(max_examples=draws(60, 4))
@given(
    st.lists(WORDS | st.sampled_from(PEOPLE), max_size=8),
    st.lists(SIGNS | st.sampled_from("£€$¥%‰#=*!?<>^@~§¢₹"), max_size=12),
)
def test_a_number_with_an_unknown_word_or_sign_beside_it_is_never_ok(
    words: list[str], signs: list[str]
) -> None:
    words = [word for word in words if not set(normalise(word).split()) <= KNOWN or word in PEOPLE]
    signs = [sign for sign in signs if sign not in SIGNS_OF_PHONES and not _spelled(sign) <= SIGNS_OF_PHONES]
    assume(words or signs)
    cells = [place.format(n=NUMBER, w=word) for word in words for place in PLACES]
    cells += [form.format(n=NUMBER, s=sign) for sign in signs for form in ("{s}{n}", "{n}{s}", "{s} {n} {s}")]
    assert "ok" not in statuses(cells)


PLAIN = st.text("0159 +()-.\u00a0\u2011x", max_size=18) | st.from_regex(r"\+?[0-9 ]{6,16}", fullmatch=True)


@given(st.lists(PLAIN))
def test_plainly_written_cells_need_no_repair(texts: list[str]) -> None:
    texts = [*texts, "07400 123456", "+44 7400 123456"]
    cells = pa.chunked_array([texts[:-2], texts[-2:]], pa.large_string())
    digits, spaced = plain_digits(cells).to_pylist(), plain_spaces(cells)
    assert digits[-2:] == ["07400123456", "447400123456"]
    judged_so = zip(texts, digits, spaced.to_pylist(), needs_no_repair(spaced), strict=True)
    for text, found, plain, is_sure in judged_so:
        if found is not None:
            assert (is_sure, plain, found) == (True, text, re.sub(r"\D", "", text))
        if is_sure:
            assert repair(text) == (Candidate(plain),)
