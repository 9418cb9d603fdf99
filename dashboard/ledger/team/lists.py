"""Saved contact lists: the file as it was uploaded, with every choice made about it.

The file is kept rather than its verdicts, so a list that is used again is checked again: against today's
opt-outs, by today's rules, with the row numbers its owner knows.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, BinaryIO
from uuid import uuid4

import pandas as pd
from sqlalchemy import Connection, delete, insert, select, update

from dashboard.arguments import as_json, checks_methods
from dashboard.campaigns.zones import check_zone
from dashboard.contacts import (
    ContactList,
    Sheet,
    answer_questions,
    clean_contacts,
    correct_phones,
    guess_columns,
    header_signature,
    read_sheet,
)
from dashboard.contacts.columns.chosen import with_chosen
from dashboard.errors import LedgerError
from dashboard.ledger.audit.chain import append
from dashboard.ledger.database import schema
from dashboard.ledger.database.clock import Part
from dashboard.ledger.database.locks import list_row_to_delete
from dashboard.ledger.database.writing import upsert
from dashboard.ledger.frames import of_rows
from dashboard.words import _

PART_BYTES = 1 << 20
_FAST = 1


@dataclass(frozen=True)
class SavedList:
    """A list as it was last saved.

    Attributes:
        id: Names it.
        name: What its owner calls it.
        source: Name of the file.
        digest: SHA-256 of the file.
        choices: How the file is read and checked, and what was corrected; whatever was passed to `save`.
    """

    id: str
    name: str
    source: str
    digest: str
    choices: Mapping[str, Any]


@checks_methods()
class SavedLists(Part):
    """The saved lists of a ledger, and what each column was in sheets seen before.

    Example:
        >>> with open("contacts.csv", "rb") as file:
        ...     saved = ledger.lists.save("Customers", file, source="contacts.csv", who="ann@example.com")
        >>> ledger.lists.all()[["name", "source", "saved_at"]]
    """

    def save(
        self,
        name: str,
        content: BinaryIO,
        *,
        source: str,
        who: str,
        choices: Mapping[str, Any] | None = None,
        counts: Mapping[str, int] | None = None,
        replacing: str | None = None,
    ) -> str:
        """Save a sheet.

        Args:
            name: What to call the list.
            content: The file.
            source: Name of the file.
            who: Who saves it.
            choices: Anything to be kept with it, as JSON can represent it.
            counts: Rows by status (ok, review, invalid, duplicate, opted_out, empty).
            replacing: Id of the list to save again; a new one if left out.

        Returns:
            The list's id.

        Raises:
            LedgerError: The name is blank, or the list to replace was deleted.
            OptionError: JSON cannot hold the choices or counts.
        """
        if not name.strip():
            raise LedgerError(_("Give the list a name, so that it can be found again."))
        list_id = replacing or uuid4().hex
        values: dict[str, Any] = {
            "name": name.strip(),
            "source": source,
            "choices": as_json("choices", dict(choices or {})),
            "counts": as_json("counts", dict(counts or {})),
            "saved_by": who,
            "saved_at": self._now(),
        }
        values["digest"], values["size_bytes"], pieces = _compressed(content)
        table, part = schema.saved_list, schema.saved_list_part
        with self._database.write() as connection:
            if replacing is None:
                connection.execute(insert(table).values(id=list_id, **values))
            else:
                changed = connection.execute(update(table).where(table.c.id == list_id).values(**values))
                if not changed.rowcount:
                    raise LedgerError(_("This list has been deleted in the meantime. Save it as a new one."))
                connection.execute(delete(part).where(part.c.list_id == list_id))
            for seq, piece in enumerate(pieces):
                connection.execute(insert(part), {"list_id": list_id, "seq": seq, "content": piece})
            append(connection, "save list", list_id, self._now(), details={"bytes": values["size_bytes"]})
        return list_id

    def all(self) -> pd.DataFrame:
        """One row per list, the one saved last first."""
        with self._database.read() as connection:
            return of_rows.saved_lists(connection)

    def find(self, list_id: str) -> SavedList:
        """One list.

        Raises:
            LedgerError: There is none with this id.
        """
        with self._database.read() as connection:
            return _found(connection, list_id)

    def find_with_content(self, list_id: str) -> tuple[SavedList, bytes]:
        """One list and its file, as they were saved together, whoever saves it again meanwhile.

        Raises:
            LedgerError: There is none with this id.
        """
        with self._database.one_moment():
            return self.find(list_id), b"".join(self.content(list_id))

    def contacts(self, list_id: str, *, country: str | None = None) -> ContactList:
        """A list as its owner last saw it: its columns, corrections, answers and approvals, today's opt-outs.

        Args:
            list_id: Which, as in `all()`.
            country: ISO 3166 country of numbers without a country code, if none was chosen for the list.

        Raises:
            LedgerError: There is none with this id.
            SheetError: Its file cannot be read any longer.

        Example:
            >>> newest = ledger.lists.all().iloc[0]
            >>> messages = write_messages(ledger.lists.contacts(newest["list"]), "Hi!", campaign="Spring")
        """
        saved, content = self.find_with_content(list_id)
        how = saved.choices
        reading = {name: how.get(name) for name in ("worksheet", "encoding", "delimiter", "header_row")}
        sheet = replace(read_sheet(content, **reading), name=saved.source)
        sheet = sheet if how.get("hidden_rows", True) else sheet.without_hidden_rows()
        columns = guess_columns(sheet)
        columns = with_chosen(columns, how["columns"]) if how.get("columns") else columns
        with self._database.read() as connection:
            opt_outs = of_rows.opt_outs(connection)["phone"]
        contacts = clean_contacts(
            sheet,
            country=how.get("country") or country,
            columns=columns,
            opt_outs=opt_outs,
            keep=how.get("keep", "first"),
        )
        contacts = answer_questions(contacts, how.get("answers", {}))
        there = set(contacts.rows["row"])  # a row that is hidden by now may have been corrected before
        fixes = {int(row): text for row, text in how.get("fixes", {}).items() if int(row) in there}
        approved = {int(row): asked for row, asked in how.get("approved", {}).items() if int(row) in there}
        return correct_phones(contacts, fixes).approve(approved)

    def content(self, list_id: str) -> Iterator[bytes]:
        """The file of a list, piece by piece.

        Raises:
            LedgerError: There is none with this id.
        """
        table = schema.saved_list_part
        query = select(table.c.content).where(table.c.list_id == list_id).order_by(table.c.seq)
        with self._database.read() as connection:
            _found(connection, list_id)
            for part in connection.execute(query, execution_options={"yield_per": 1}).scalars():
                yield zlib.decompress(part)

    def delete(self, list_id: str, *, saved_before: datetime | None = None) -> bool:
        """Delete a list with its file. Campaigns made from it stay.

        Args:
            list_id: Which.
            saved_before: Only if nobody has saved it since then.

        Returns:
            Whether it was deleted; it may be gone already.

        Raises:
            CampaignError: `saved_before` has no zone.
        """
        if saved_before is not None:
            check_zone(saved_before)
        table = schema.saved_list
        with self._database.write() as connection:
            row = list_row_to_delete(connection, list_id)
            if row is None or (saved_before is not None and row.saved_at >= saved_before):
                return False
            connection.execute(delete(table).where(table.c.id == list_id))  # its parts go with it
            append(connection, "delete", list_id, self._now(), details={"kind": "list"})
        return True

    def remember_columns(self, sheet: Sheet, columns: str) -> None:
        """Remember what each column was (JSON) for the next sheet with the same column names, if any."""
        if signature := header_signature(sheet):
            with self._database.write() as connection:
                row = {"signature": signature, "columns": columns, "used_at": self._now()}
                upsert(connection, schema.remembered_columns, row)

    def columns_for(self, sheet: Sheet) -> tuple[str, datetime] | None:
        """What each column was in a sheet with the same column names (JSON), and when that was."""
        table = schema.remembered_columns
        query = select(table).where(table.c.signature == header_signature(sheet))
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (row.columns, row.used_at)


def _found(connection: Connection, list_id: str) -> SavedList:
    table = schema.saved_list
    row = connection.execute(select(table).where(table.c.id == list_id)).one_or_none()
    if row is None:
        raise LedgerError(_("This list is no longer saved. Choose another one, or upload its sheet."))
    return SavedList(row.id, row.name, row.source, row.digest, json.loads(row.choices))


def _compressed(content: BinaryIO) -> tuple[str, int, list[bytes]]:
    """Read a file before the ledger is locked for writing; its digest, its size in bytes, and its pieces."""
    digest, size_bytes, parts = sha256(), 0, []
    while piece := content.read(PART_BYTES):
        digest.update(piece)
        size_bytes += len(piece)
        parts.append(zlib.compress(piece, _FAST))
    return digest.hexdigest(), size_bytes, parts
