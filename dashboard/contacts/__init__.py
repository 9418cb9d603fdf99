"""From a contact sheet to contacts with a verdict per row. Pure pandas. `__init__.pyi` lists the names.

sheet file ──read_sheet──▶ Sheet ──guess_columns──▶ ColumnMap ──clean_contacts──▶ ContactList
"""

from dashboard.lazily import on_first_use

__all__, __getattr__ = on_first_use(__name__, __file__)
