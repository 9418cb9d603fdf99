"""From a contact sheet to contacts with a verdict per row. Pure pandas.

sheet file ──read_sheet──▶ Sheet ──guess_columns──▶ ColumnMap ──clean_contacts──▶ ContactList
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.lazily import on_first_use

if TYPE_CHECKING:
    from dashboard.contacts.choosing.conditions import Condition
    from dashboard.contacts.choosing.people import choose_people
    from dashboard.contacts.cleaning import TEXTABLE, answer_questions, clean_contacts, correct_phones
    from dashboard.contacts.columns.guess import ColumnMap, guess_columns
    from dashboard.contacts.columns.questions import DATE, Question
    from dashboard.contacts.columns.signature import header_signature
    from dashboard.contacts.contact_list import ContactList, Keep
    from dashboard.contacts.export import checked, rejects, write_csv, write_xlsx
    from dashboard.contacts.joining import join_contacts
    from dashboard.contacts.opt_outs import read_opt_outs
    from dashboard.contacts.problems import Problem, Status, explain
    from dashboard.contacts.read.limits import Limits
    from dashboard.contacts.read.sheet import Sheet, read_sheet
    from dashboard.contacts.refusals.opt_out_list import OptOuts, ReadOptOuts
    from dashboard.contacts.stream.files import clean_csv_stream, clean_folder
    from dashboard.contacts.stream.layout import find_layout
    from dashboard.phones import clean_phones
    from dashboard.phones.readiness import is_ready, warm_up
    from dashboard.phones.words import LINE_TYPES

__all__ = [
    "DATE",
    "LINE_TYPES",
    "TEXTABLE",
    "ColumnMap",
    "Condition",
    "ContactList",
    "Keep",
    "Limits",
    "OptOuts",
    "Problem",
    "Question",
    "ReadOptOuts",
    "Sheet",
    "Status",
    "answer_questions",
    "checked",
    "choose_people",
    "clean_contacts",
    "clean_csv_stream",
    "clean_folder",
    "clean_phones",
    "correct_phones",
    "explain",
    "find_layout",
    "guess_columns",
    "header_signature",
    "is_ready",
    "join_contacts",
    "read_opt_outs",
    "read_sheet",
    "rejects",
    "warm_up",
    "write_csv",
    "write_xlsx",
]

_PLACES = {
    "ColumnMap": "columns.guess",
    "Condition": "choosing.conditions",
    "ContactList": "contact_list",
    "DATE": "columns.questions",
    "Keep": "contact_list",
    "LINE_TYPES": ".phones.words",
    "Limits": "read.limits",
    "OptOuts": "refusals.opt_out_list",
    "Problem": "problems",
    "Question": "columns.questions",
    "ReadOptOuts": "refusals.opt_out_list",
    "Sheet": "read.sheet",
    "Status": "problems",
    "TEXTABLE": "cleaning",
    "answer_questions": "cleaning",
    "checked": "export",
    "choose_people": "choosing.people",
    "clean_contacts": "cleaning",
    "clean_csv_stream": "stream.files",
    "clean_folder": "stream.files",
    "clean_phones": ".phones",
    "correct_phones": "cleaning",
    "explain": "problems",
    "find_layout": "stream.layout",
    "guess_columns": "columns.guess",
    "header_signature": "columns.signature",
    "join_contacts": "joining",
    "is_ready": ".phones.readiness",
    "read_opt_outs": "opt_outs",
    "read_sheet": "read.sheet",
    "rejects": "export",
    "warm_up": ".phones.readiness",
    "write_csv": "export",
    "write_xlsx": "export",
}

__getattr__ = on_first_use(__name__, _PLACES)
