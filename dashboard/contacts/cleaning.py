"""`clean_contacts`: a verdict on every row of a sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from dashboard.arguments import check_options, checks_arguments
from dashboard.contacts.categories import among, concatenated, no_problems, noted, repairs_with
from dashboard.contacts.columns.guess import ColumnMap, guess_columns
from dashboard.contacts.columns.no_phones import check_columns
from dashboard.contacts.columns.questions import MUST_NOT
from dashboard.contacts.contact_list import Cleaning, ContactList, Keep, check_not_chosen, check_rows
from dashboard.contacts.joining import join_contacts
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.pipeline import Heard, conclude, hear
from dashboard.contacts.problems import Problem
from dashboard.contacts.read.entities import ENTITIES_DECODED, entity_notes
from dashboard.contacts.read.sheet import Sheet, sheet_of_frame
from dashboard.contacts.refusals.opt_out_list import OptOuts, numbers_of_opt_outs
from dashboard.contacts.refusals.sections import refused_below
from dashboard.contacts.refusals.whole_sheet import said_of_all
from dashboard.contacts.row_numbers import BLOCK
from dashboard.contacts.rows.asked import with_answers
from dashboard.contacts.rows.evidence import evidence_in, evidence_of
from dashboard.contacts.rows.judgement import judge_rows, likely_countries
from dashboard.contacts.words.countries import country_codes
from dashboard.errors import CountryError
from dashboard.phones.words import LINE_TYPES
from dashboard.values import whole_characters
from dashboard.words import N_, _

__all__ = ["TEXTABLE", "answer_questions", "clean_contacts", "correct_phones"]


@checks_arguments(sheet_or_frame=N_("Read a file with read_sheet first."), opt_outs=None, line_types=None)
def clean_contacts(
    sheet_or_frame: Sheet | pd.DataFrame,
    *,
    country: str | None,
    columns: ColumnMap | None = None,
    opt_outs: OptOuts = (),
    line_types: Collection[str] = TEXTABLE,
    keep: Keep = "first",
) -> ContactList:
    """Judge every row: its number, and whether it may be texted.

    There are always as many rows out as rows in. A row is ok only when its number is beyond doubt, of a
    wanted line type, not a duplicate and not opted out. Any opt-out beats consent, across all rows with the
    same number.

    Args:
        sheet_or_frame: A sheet, or a frame with a header; the frame's rows then count from 2, and its index
            is columns too, unless that only counts rows.
        country: ISO 3166 country of numbers without a country code; a country column wins over it. None if
            only international numbers count.
        columns: Which columns hold what; guessed if left out.
        opt_outs: Phones that must not be texted, read like phone cells, with anything such a cell may
            contain: a column, any collection, or one text with an entry per line; or what `read_opt_outs`
            returned. Blank and missing entries do not count.
        line_types: Line types to text.
        keep: Which of several rows with the same number to keep: the "first", the "last", or with "warn" all
            of them, with those after the first in review.

    Raises:
        CountryError: The country is not a two-letter ISO 3166 code in upper case.
        OptionError: `keep` or `line_types` is none of those that there are.
        ColumnError: There is no phone column, or a named column is not in the sheet.
        OptOutError: Entries of the opt-out list cannot be read as numbers.

    Example:
        >>> contacts = clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB")
        >>> contacts.sendable["phone"].tolist()
        ['+447400123456']
    """
    if country is not None and country not in country_codes():
        raise CountryError(
            _("The country is not a two-letter ISO 3166 code in upper case, such as GB or FR.")
        )
    check_options("line_types", line_types, LINE_TYPES)
    sheet = sheet_or_frame if isinstance(sheet_or_frame, Sheet) else sheet_of_frame(sheet_or_frame)
    columns = columns or guess_columns(sheet)
    check_columns(columns, map(str, sheet.frame.columns))
    frame, row_numbers = sheet.with_left_out_rows()
    columns = columns.asking(frame)
    how = Cleaning(country, columns, frozenset(line_types), keep, numbers_of_opt_outs(opt_outs, country))
    of_all = said_of_all(sheet)
    coded, shown = (row_numbers.isin(some).to_numpy() for some in (sheet.decoded_rows, sheet.rows))
    likely = likely_countries(frame, columns, country)
    heard, _end = hear(frame, row_numbers, coded, how, likely, of_all.below)
    notes = (*of_all.notes, *entity_notes(row_numbers[coded & shown].tolist()))
    here = heard.only(shown)
    left_out = heard.unreached() - here.unreached() if sheet.left_out else 0
    contacts = _conclude(here, sheet, notes, left_out, {})
    return contacts if isinstance(sheet_or_frame, Sheet) else contacts.with_index(sheet_or_frame.index)


@checks_arguments()
def correct_phones(contacts: ContactList, fixes: Mapping[int, str]) -> ContactList:
    """Clean the list again with different phone texts for some rows; only these rows are read again.

    Consent, opt-outs and duplicates are then looked at over the whole list, as for any other number.

    Args:
        contacts: As returned by `clean_contacts`; it is not changed. Rows that were approved have to be
            approved again.
        fixes: Text by row number, put into the phone column that is tried first.

    Raises:
        OptionError: The list has no row with one of these numbers, or `choose_people` chose among its rows.

    Example:
        >>> contacts = clean_contacts(pd.DataFrame({"mobile": ["07400 12345"]}), country="GB")
        >>> correct_phones(contacts, {2: "07400 123456"}).sendable["phone"].tolist()
        ['+447400123456']
    """
    how, judged = contacts.how, contacts.judged
    check_rows(fixes, judged["row"])
    if not fixes:
        return contacts
    check_not_chosen([contacts])
    if contacts.lists:
        return _correct_each(contacts, fixes)
    texts = judged["row"].map({row: whole_characters(text) for row, text in fixes.items()})
    changed = texts.notna()
    if not changed.any():
        return contacts
    column = how.columns.phones[0]
    frame = contacts.fields.reset_index(drop=True)
    frame[column] = frame[column].mask(changed, texts).astype("str")
    likely = likely_countries(frame, how.columns, how.country)
    again = judge_rows(
        frame[changed], judged["row"][changed], how.columns, how.country, how.line_types, likely
    )
    coded = repairs_with(judged["repairs"], ENTITIES_DECODED)[changed]
    again = again.assign(repairs=noted(again["repairs"], coded, ENTITIES_DECODED))
    after = Heard(_replaced(judged, again), contacts.said, frame, how)
    return _again(contacts, replace(after, evidence=_heard_again(contacts, after, changed)), contacts.answers)


def _heard_again(contacts: ContactList, heard: Heard, changed: pd.Series) -> pd.DataFrame:
    """The evidence once cells of a column were typed anew: what stood there before was said all the same.

    What was said of a number that is gone may have been said of the person. Only a line of which nobody knew
    what it says has said nothing, unless a person answered that it refuses.
    """
    how, column = heard.how, heard.how.columns.phones[0]
    refused = {key: meaning for key, meaning in contacts.answers.items() if meaning == MUST_NOT}
    answered = with_answers(contacts.said, heard.judged["row"], refused)
    said = contacts.said[~among(answered["problem"], (Problem.BELOW_LINE,))]
    here = np.flatnonzero(changed)
    gone = said[(said["number"] != 0) & said["place"].isin(here) & (said["column"] == column)]
    asked = no_problems(gone.index).fillna(Problem.REFUSAL_NOTED.value)
    anew = evidence_in(heard.frame[changed], heard.judged["row"][changed], how.columns, how.country)
    anew = anew.assign(place=here[anew["place"]])
    lines = _said_by_lines(heard.judged, replace(contacts.sheet, frame=heard.frame), how)
    together = concatenated([said, gone.assign(number=0, problem=asked), anew, lines])
    return together.drop_duplicates(
        ["place", "number", "problem", "source_row", "column", "words"], ignore_index=True
    )


def _said_by_lines(judged: pd.DataFrame, sheet: Sheet, how: Cleaning) -> pd.DataFrame:
    """The evidence of the lines in a sheet, and of those in the rows that were left out of it."""
    frame, row_numbers = sheet.with_left_out_rows()
    if sheet.left_out:
        judged = judge_rows(frame, row_numbers, how.columns, how.country, how.line_types, ())
    lines, _end = refused_below(frame, how.columns, said_of_all(sheet).below)
    said = evidence_of(lines, frame, row_numbers)
    return Heard(judged, said, frame, how).only(row_numbers.isin(sheet.rows).to_numpy()).evidence


@checks_arguments()
def answer_questions(contacts: ContactList, answers: Mapping[str, str]) -> ContactList:
    """The list once a person has said of some questions whether these people may be texted.

    Args:
        contacts: As returned by `clean_contacts`; it is not changed. Rows that were approved have to be
            approved again.
        answers: "may" or "must_not" for entries of `ContactList.questions`; others are not asked, and do no
            harm. Earlier answers stay.

    Raises:
        OptionError: An answer is neither, or `choose_people` chose among the rows.

    Example:
        >>> sheet = pd.DataFrame({"mobile": ["07400 123456"], "notes": ["may want to opt out"]})
        >>> contacts = clean_contacts(sheet, country="GB")
        >>> answer_questions(contacts, {contacts.questions["question"][0]: "must_not"})
        <ContactList: 1 opted_out>
    """
    check_not_chosen([contacts])
    if contacts.lists:
        return join_contacts(
            {
                name: answer_questions(one, _beginning_with(f"{name} | ", answers))
                for name, one in contacts.lists.items()
            },
            keep=contacts.how.keep,
        )
    heard = Heard(contacts.judged, contacts.said, contacts.fields.reset_index(drop=True), contacts.how)
    return _again(contacts, heard, {**contacts.answers, **answers})


def _beginning_with(start: str, answers: Mapping[str, str]) -> dict[str, str]:
    """The answers about one of several lists."""
    return {key.removeprefix(start): said for key, said in answers.items() if key.startswith(start)}


def _correct_each(contacts: ContactList, fixes: Mapping[int, str]) -> ContactList:
    """Correct the rows of each list in that list, and join them again."""
    corrected = {
        name: correct_phones(one, {row % BLOCK: text for row, text in fixes.items() if row // BLOCK == place})
        for place, (name, one) in enumerate(contacts.lists.items())
    }
    return join_contacts(corrected, keep=contacts.how.keep)


def _again(before: ContactList, heard: Heard, answers: Mapping[str, str]) -> ContactList:
    """A list with other cells or answers, and what is known of all of it."""
    anew = _conclude(heard, before.sheet, before.of_all, before.unreached_left_out, answers)
    return anew.with_index(before.rows.index)


def _conclude(
    heard: Heard, sheet: Sheet, of_all: tuple[str, ...], left_out: int, answers: Mapping[str, str]
) -> ContactList:
    """The verdicts once it is known what other rows say, and what a person answered."""
    open_ = replace(heard, evidence=with_answers(heard.evidence, heard.judged["row"], answers))
    rows, alone, told = conclude([open_], heard.how.opt_outs, heard.how.keep)
    return ContactList(
        rows=rows,
        fields=heard.frame,
        sheet=sheet,
        how=heard.how,
        judged=heard.judged,
        alone=alone,
        said=heard.evidence,
        told=told,
        answers=answers,
        of_all=of_all,
        unreached=open_.unreached() + left_out,
        unreached_left_out=left_out,
    )


def _replaced(judged: pd.DataFrame, again: pd.DataFrame) -> pd.DataFrame:
    """Verdicts with some of them judged again; a column of words may get new ones."""
    columns: dict[str, pd.Series] = {}
    for name in judged.columns:
        before, now = judged[name], again[name]
        if isinstance(before.dtype, pd.CategoricalDtype):
            known = before.cat.categories.union(now.cat.categories, sort=False)
            before, now = before.cat.set_categories(known), now.cat.set_categories(known)
        columns[name] = before.copy()
        columns[name].loc[now.index] = now
    return pd.DataFrame(columns)
