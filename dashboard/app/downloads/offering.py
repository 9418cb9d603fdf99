"""The two files in which a table is offered: one to read and e-mail, one for other programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.downloads.file_names import file_name
from dashboard.app.downloads.tables import CSV, XLSX
from dashboard.app.people import signed_in
from dashboard.words import _, spoken_here


def offer(
    title: str,
    content: str,
    xlsx: Callable[[], bytes] | None,
    csv: Callable[[], bytes],
    *,
    key: str,
) -> None:
    """Draw the two buttons for whoever may download files.

    The files are made outside the session, only when somebody asks for them.

    Args:
        title: What the files are about, as people named it; empty if about nothing else.
        content: What is in them, in words.
        xlsx: Makes the workbook; None if there are more rows than one holds.
        csv: Makes the CSV, with the column names of the documentation and times in UTC.
        key: Tells these buttons from others of the same content, and the audit trail what was fetched.
    """
    if not signed_in().may_export:
        return
    kinds = [] if xlsx is None else [(_("Excel, to read and e-mail"), "xlsx", XLSX, xlsx)]
    kinds.append((_("CSV, for programs"), "csv", CSV, csv))
    with st.container(horizontal=True, width="content"):
        for label, ending, mime, make in kinds:
            st.download_button(
                label,
                data=actions.handed_out(spoken_here(make), key, ending),
                file_name=file_name(title, content, today(), ending),
                mime=mime,
                icon=":material/download:",
                key=f"download-{content}-{ending}-{key}",
                on_click="ignore",
                width="content",
            )


def today() -> date:
    """The day on the clock by which the product reports."""
    return datetime.now(runtime.current().time_zone).date()
