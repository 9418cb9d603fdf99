"""Which column is which: by the header's spelling, then by its words, then by what the cells look like."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.columns.claims import BY_CELLS, Claim, Column, claims_of
from dashboard.contacts.columns.column_map import MANY, SINGLE, ColumnMap
from dashboard.contacts.columns.neighbours import lines_of_others
from dashboard.contacts.columns.phone_title import Phones, phones_by_title
from dashboard.contacts.columns.questions import MOST_VALUES, question_of
from dashboard.contacts.read.column_names import without_count
from dashboard.contacts.read.sheet import Sheet, sheet_of_frame
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.spelling import joined
from dashboard.contacts.words.title import Title, read_title

__all__ = ["ColumnMap", "guess_columns"]

_ANSWERS = ("consents", "opt_outs", "statuses", "preferences")
_AND_FAX = re.compile(r"\s*[/&+]\s*(?:tele)?fax\b|\b(?:tele)?fax\s*[/&+]\s*", re.IGNORECASE)
"""As in "Tel/Fax": one line for both. "Phone - Fax" is the fax among somebody's phones."""


@checks_arguments()
def guess_columns(sheet: Sheet | pd.DataFrame) -> ColumnMap:
    r"""Guess which columns hold phones, names, country, consents and opt-outs.

    Several phone columns come in the order mobile, unlabelled, home or work. Fax, ids, dates and the like,
    other people's lines and numbers that are old or wrong are never taken for phones. A column whose header
    has an unknown word next to "phone" may be anybody's: it is only offered, even if it is the only one. A
    column named as consent or refusal is always taken, whatever its cells look like. What may say who must
    not be texted, and nobody knows, is a question.

    Args:
        sheet: A sheet, or any frame with a header.

    Returns:
        The columns by what they hold, and how certain each guess is, 0 to 1.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> guess_columns(read_sheet(b"Vorname;Handynummer\nAnn;0151 23456789\n")).phones
        ('Handynummer',)
    """
    frame = sheet.frame if isinstance(sheet, Sheet) else sheet_of_frame(sheet).frame
    titles = _settle_ambiguous({str(column): without_count(str(column)) for column in frame.columns})
    claims = [
        claim
        for place, (column, title) in enumerate(titles.items())
        for claim in claims_of(Column(title, frame[column], column, place))
    ]
    claims = _without_consent_to_calls(claims, titles)
    others = lines_of_others(_without_asking_or_names(titles, claims))
    columns = _decide(_moved(claims, "phones", "offered", others))
    whole = sheet.with_left_out_rows()[0] if isinstance(sheet, Sheet) else frame
    return _with_questions(columns, [one for one in claims if one.field == "questions"], whole)


def _with_questions(columns: ColumnMap, claims: list[Claim], frame: pd.DataFrame) -> ColumnMap:
    """The columns that ask; by its cells alone, none with too many values to be answers."""
    most = {claim: len(frame) if claim.rank == BY_CELLS else MOST_VALUES for claim in claims}
    asked = [question_of(claim.column, frame[claim.column], {}, most=most[claim]) for claim in claims]
    questions = [one for one in asked if not one.lists_all or len(one.values) <= MOST_VALUES]
    return replace(columns, questions=tuple(questions))


def _without_consent_to_calls(claims: list[Claim], titles: Mapping[str, Title]) -> list[Claim]:
    """The claims, with consent to calls as that of another channel beside a column of consent to texts.

    Forms ask for each channel: "Contact by SMS", "Contact by phone". Whoever wants no calls may want texts. A
    refusal, "Do not call", counts all the same.
    """
    asked = {claim.column: titles[claim.column] for claim in claims if claim.field == "consents"}
    of_texts = {column for column, title in asked.items() if title.says("channel_texts")}
    of_calls = {column for column, title in asked.items() if title.says("title_calls", "header_phone")}
    return _moved(claims, "consents", "other_channels", of_calls - of_texts if of_texts else set())


def _moved(claims: list[Claim], field: str, to: str, columns: Collection[str]) -> list[Claim]:
    """The claims of which those of some columns to a field are to another one."""
    return [
        replace(claim, field=to) if claim.field == field and claim.column in columns else claim
        for claim in claims
    ]


def _without_asking_or_names(titles: dict[str, Title], claims: list[Claim]) -> dict[str, Title]:
    """The headers without those of phones that hold none: "May we text you?", "Contact" above names."""
    asking = {claim.column for claim in claims if claim.field in _ANSWERS}
    holding = {claim.column for claim in claims if claim.field in {"phones", "offered"}}
    return {
        column: title
        for column, title in titles.items()
        if column not in asking and (column in holding or not phones_by_title(title)[0].is_named)
    }


def _title(name: str) -> Title:
    phone = read_title(_AND_FAX.sub("", name))
    title = phone if phone.says("header_mobile", "header_phone") else read_title(name)
    asides = title.says("header_not_to_edit")  # "(Do Not Modify) Contact": said of the column, not of people
    return read_title(" ".join(title.without(asides))) if asides else title


def _settle_ambiguous(names: dict[str, str]) -> dict[str, Title]:
    """Read the headers; those that mean different things in different languages, by the columns around them.

    "nombre" is a first name next to "apellidos" and a full name alone; "name" is a last name next to
    "Vorname"; "ad" is a Turkish first name only next to "soyad"; "cep" is a mobile in Turkish and a postcode
    in Brazil.
    """
    titles = {column: _title(name) for column, name in names.items()}
    beside = {name for title in titles.values() for name, _ in title.fields}
    certain = {
        name
        for title in titles.values()
        if title.key not in {"nome", "nom", "nombre", "ad", "name"}
        for name, _ in title.fields
    }
    is_brazilian = {joined(word) for word in words("header_beside_cep")} & {t.key for t in titles.values()}
    settled = {
        "nome": "first name" if "last_name" in certain else "full name",
        "nombre": "first name" if "last_name" in certain else "full name",
        "nom": "last name" if "first_name" in certain else "full name",
        "name": "last name" if "first_name" in certain and "last_name" not in beside else "full name",
        "cep": "postcode" if is_brazilian else "cep telefonu",
        "ad": "first name" if "last_name" in certain else "advertisement",
    }
    return {
        column: read_title(settled[title.key]) if title.key in settled else title
        for column, title in titles.items()
    }


def _decide(claims: list[Claim]) -> ColumnMap:
    """Assign columns to fields: any number of columns to some fields, the best one to each of the others."""
    ranked = _with_dates_of_consent(_with_offers(sorted(claims, key=lambda claim: claim.rank)))
    many: dict[str, Any] = {
        field: tuple(claim.column for claim in ranked if claim.field == field) for field in MANY
    }
    single: dict[str, Any] = {}
    for claim in ranked:
        if claim.field in SINGLE:
            single.setdefault(claim.field, claim.column)
    used = {*single.values(), *(column for columns in many.values() for column in columns)}
    confidence = {claim.column: claim.confidence for claim in ranked if claim.column in used}
    return ColumnMap(**many, **single, confidence=MappingProxyType(confidence))


def _with_offers(claims: list[Claim]) -> list[Claim]:
    """Only offer columns recognised by their cells if another column is named as a phone."""
    kinds = {claim.column: Phones(claim.rank[0]) for claim in claims if claim.field == "phones"}
    is_any_named = any(kind.is_named for kind in kinds.values())
    unnamed = {column for column, kind in kinds.items() if is_any_named and not kind.is_named}
    return _moved(claims, "phones", "offered", unnamed)


def _with_dates_of_consent(claims: list[Claim]) -> list[Claim]:
    """Beside a column that says whether people agreed, the date only refuses: "no", "withdrawn"."""
    ranks = {claim.column: claim.rank[0] for claim in claims if claim.field == "consents"}
    dates = {column for column, rank in ranks.items() if rank != min(ranks.values())}
    return _moved(claims, "consents", "statuses", dates)
