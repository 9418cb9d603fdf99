"""A contact sheet to contacts with a verdict per row. Pure pandas.

sheet file ──read_sheet──▶ Sheet ──guess_columns──▶ ColumnMap ──clean_contacts──▶ ContactList
"""

from __future__ import annotations

from dashboard.contacts.cleaning import TEXTABLE, clean_contacts, correct_phones
from dashboard.contacts.columns.guess import ColumnMap, guess_columns
from dashboard.contacts.columns.signature import header_signature
from dashboard.contacts.contact_list import ContactList, Keep
from dashboard.contacts.export import checked, rejects, write_csv, write_xlsx
from dashboard.contacts.phones import clean_phones
from dashboard.contacts.phones.readiness import is_ready, warm_up
from dashboard.contacts.phones.words import LINE_TYPES
from dashboard.contacts.problems import Problem, Status, explain
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.sheet import Sheet, read_sheet
from dashboard.contacts.stream.clean import clean_csv_stream
from dashboard.contacts.stream.source import find_layout
from dashboard.contacts.verdicts.opt_out_list import OptOuts, read_opt_outs

__all__ = [
    "LINE_TYPES",
    "TEXTABLE",
    "ColumnMap",
    "ContactList",
    "Keep",
    "Limits",
    "OptOuts",
    "Problem",
    "Sheet",
    "Status",
    "checked",
    "clean_contacts",
    "clean_csv_stream",
    "clean_phones",
    "correct_phones",
    "explain",
    "find_layout",
    "guess_columns",
    "header_signature",
    "is_ready",
    "read_opt_outs",
    "read_sheet",
    "rejects",
    "warm_up",
    "write_csv",
    "write_xlsx",
]
