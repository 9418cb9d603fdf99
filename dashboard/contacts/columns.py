"""Which column is which: by the header's spelling, then by its words, then by what the cells look like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

import pandas as pd

from dashboard.contacts.answers import reads_as_answer
from dashboard.contacts.countries import country_of
from dashboard.contacts.likeness import looks_like_phones, phone_share
from dashboard.contacts.sheet import Sheet, sheet_of_frame
from dashboard.contacts.spelling import normalise
from dashboard.contacts.vocabulary import fields_of, mentions, spellings, words

__all__ = ["ColumnMap", "guess_columns"]

_SAMPLE_CELLS = 200
_ROWS_SAMPLED = 10_000
_MOST_CELLS = 0.5


@dataclass(frozen=True)
class ColumnMap:
    """Which columns of a sheet hold what.

    Attributes:
        phones: Columns with phones, in the order in which they are tried on each row.
        country: Column with the row's country, in ISO codes or names.
        consents: Columns whose "yes" means that the person agreed to messages; a "no" in any of them counts.
        opt_outs: Columns whose "yes" means the opposite; a "yes" in any of them counts.
        offered: Columns whose cells look like phones, beside others that are named so. They are never used;
            a person may choose them.
        first_name: Column with first names, and so on for the next five.
        confidence: How sure a guess is, 0 to 1, by column; 1 for what was set by hand.
    """

    phones: tuple[str, ...] = ()
    country: str | None = None
    consents: tuple[str, ...] = ()
    opt_outs: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    first_name: str | None = None
    last_name: str | None = None
    full_name: str | None = None
    email: str | None = None
    timezone: str | None = None
    language: str | None = None
    confidence: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def fields(self) -> Mapping[str, str]:
        """The column of every field that has just one: {"first_name": "Vorname"}."""
        named = {name: getattr(self, name) for name in _SINGLE}
        return {name: column for name, column in named.items() if column is not None}

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is used, each once."""
        return tuple(dict.fromkeys([*self.phones, *self.consents, *self.opt_outs, *self.fields.values()]))


_MANY = ("phones", "consents", "opt_outs")
_SINGLE = tuple(f.name for f in fields(ColumnMap) if f.name not in {*_MANY, "offered", "confidence"})


@dataclass(frozen=True, slots=True)
class _Claim:
    """A column that may be a field: lower rank first, then the more telling spelling, then the left one."""

    field: str
    column: str
    rank: tuple[int, int, int]
    confidence: float


def guess_columns(sheet: Sheet | pd.DataFrame) -> ColumnMap:
    r"""Guess which columns hold phones, names, country, consent and opt-outs.

    Several phone columns come in the order mobile, unlabelled, other, home or work. Fax, pager, ids,
    dates and the like are never taken for phones, whatever they are called or look like.

    Args:
        sheet: A sheet, or any frame with a header.

    Example:
        >>> guess_columns(read_sheet(b"Vorname;Handynummer\\nAnn;0151 23456789\\n")).phones
        ('Handynummer',)
    """
    frame = sheet.frame if isinstance(sheet, Sheet) else sheet_of_frame(sheet).frame
    samples = {str(column): _sample(frame[column]) for column in frame.columns}
    titles = _settle_ambiguous({column: normalise(column.partition("#")[0]) for column in samples})
    claims = [
        claim
        for place, column in enumerate(samples)
        for claim in _claims(column, titles[column], place, samples[column])
    ]
    return _decide(claims)


def _sample(cells: pd.Series) -> pd.Series:
    """The first distinct texts; the whole column is asked only when its beginning is blank."""
    for some in (cells.head(_ROWS_SAMPLED), cells):
        texts = some.dropna().astype("str").str.strip()
        texts = texts[texts != ""].drop_duplicates().head(_SAMPLE_CELLS)
        if len(texts):
            break
    return texts


def _settle_ambiguous(titles: dict[str, str]) -> dict[str, str]:
    """Spell out headers that mean different things in different languages, by the columns beside them.

    "nombre" is a first name beside "apellidos" and a full name alone; "name" is a last name beside
    "Vorname"; "ad" is a Turkish first name only beside "soyad"; "cep" is a mobile in Turkish and a
    postcode in Brazil.
    """
    beside = {name for title in titles.values() for name, _ in fields_of(title)}
    certain = {
        name
        for title in titles.values()
        if title not in {"nome", "nom", "nombre", "ad", "name"}
        for name, _ in fields_of(title)
    }
    settled = {
        "nome": "first name" if "last_name" in certain else "full name",
        "nombre": "first name" if "last_name" in certain else "full name",
        "nom": "last name" if "first_name" in certain else "full name",
        "name": "last name" if "first_name" in certain and "last_name" not in beside else "full name",
        "cep": "postcode" if words("header_beside_cep") & frozenset(titles.values()) else "cep telefonu",
        "ad": "first name" if "last_name" in certain else "advertisement",
    }
    return {column: settled.get(title, title) for column, title in titles.items()}


def _claims(column: str, title: str, place: int, sample: pd.Series) -> Iterable[_Claim]:
    exact = fields_of(title)
    phone = None if _are_answers(sample) else _phone_group(title, [name for name, _ in exact], sample)
    if phone is not None:
        group, confidence = phone
        spelled = next((rank for name, rank in exact if name in _PHONE_GROUPS), len(title) + 1000)
        yield _Claim("phones", column, (group, spelled, place), confidence)
        return
    for name, rank in exact:
        wanted = _FIELD_OF.get(name, name)
        if name not in _PHONE_GROUPS and _cells_fit(wanted, sample):
            yield _Claim(wanted, column, (0, rank, place), 1.0)
    if not exact or _are_answers(sample):
        worded = _consent_by_words(title, are_answers=_are_answers(sample))
        if worded and _cells_fit(worded, sample):
            yield _Claim(worded, column, (1, 0, place), 0.8)


_PHONE_GROUPS = {"mobile": 0, "phone": 1, "phone_home_or_work": 3, "phone_never": None}
_BY_CELLS = 2
_FIELD_OF = {"consent_in": "consents", "consent_out": "opt_outs"}


def _phone_group(title: str, exact: list[str], sample: pd.Series) -> tuple[int, float] | None:
    """Where a column stands in the order mobile, unlabelled, other, home or work, and how sure that is."""
    named = [_PHONE_GROUPS[name] for name in exact if name in _PHONE_GROUPS]
    shaped = phone_share(sample)
    if None in named or (exact and not named):
        return None
    if named:
        if title in words("header_ambiguous_phone") and shaped < _MOST_CELLS:
            return None
        return min(group for group in named if group is not None), 1.0 if shaped >= _MOST_CELLS else 0.6
    if mentions(title, "header_never_phone"):
        return None
    group = _group_by_words(title)
    if group is not None:
        return group, 0.8 if shaped >= _MOST_CELLS else 0.5
    return (_BY_CELLS, round(0.7 * shaped, 2)) if looks_like_phones(sample) else None


def _group_by_words(title: str) -> int | None:
    if mentions(title, "header_mobile"):
        return _PHONE_GROUPS["mobile"]
    if mentions(title, "header_phone"):
        return _PHONE_GROUPS["phone_home_or_work" if mentions(title, "header_home_or_work") else "phone"]
    return None


def _consent_by_words(title: str, *, are_answers: bool) -> str | None:
    """Consent or its opposite in a longer header such as "SMS opt-out (Y/N)"; e-mail has its own.

    "SMS" alone is consent too: it is asked only of columns that are no phones, where it holds yes and no.
    "Newsletter abbestellt" and "Bus stop" hold a word for opting out; only the one with yes and no means it.
    """
    padded = f" {title.rstrip('?')} "
    if " email " in padded or " mail " in padded:
        return None
    refusals = words("header_opt_out") | (
        frozenset(spellings()["consent_out"]) if are_answers else frozenset()
    )
    if any(f" {word} " in padded for word in refusals):
        return "opt_outs"
    said = words("header_opt_in") | frozenset(spellings()["consent_in"])
    return "consents" if any(f" {word} " in padded for word in said) else None


def _are_answers(sample: pd.Series) -> bool:
    """Whether the cells are yes and no: such a column is never one of phones, whatever it is called."""
    return not sample.empty and float(sample.map(reads_as_answer).mean()) >= _MOST_CELLS


def _cells_fit(name: str, sample: pd.Series) -> bool:
    """Whether the cells may be what the header says; an empty column may be anything."""
    if sample.empty:
        return True
    if name == "country":
        return float(sample.map(country_of).notna().mean()) >= _MOST_CELLS
    if name == "consents":
        return _are_answers(sample)
    return True


def _decide(claims: list[_Claim]) -> ColumnMap:
    """Give every column to its first claim, of the fields that may have many before those that have one."""
    ranked = sorted(claims, key=lambda claim: (claim.field not in _MANY, claim.rank))
    many: dict[str, list[str]] = {field: [] for field in _MANY}
    single: dict[str, str] = {}
    confidence: dict[str, float] = {}
    for claim in ranked:
        if claim.column in confidence or claim.field in single:
            continue
        if claim.field in many:
            many[claim.field].append(claim.column)
        elif claim.field in _SINGLE:
            single[claim.field] = claim.column
        else:
            continue
        confidence[claim.column] = claim.confidence
    return ColumnMap(
        phones=tuple(many["phones"]),
        consents=tuple(many["consents"]),
        opt_outs=tuple(many["opt_outs"]),
        offered=(),
        **single,
        confidence=MappingProxyType(confidence),
    )
