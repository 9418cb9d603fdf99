"""The people of a campaign and what became of each one's message."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from dashboard.app.pure.downloads import XLSX, as_xlsx
from dashboard.app.pure.formatting import count, plural
from dashboard.app.pure.recipient_table import present_statuses, recipient_table, search_recipients
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import section
from dashboard.ledger import Campaign

SHOWN_ROWS = 5_000


def show(campaign: Campaign, messages: pd.DataFrame) -> None:
    """Draw the table with its filter and download."""
    section("Recipients")
    table = recipient_table(messages, now=datetime.now(UTC))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            wanted = st.text_input(
                "Find a number",
                placeholder="Find a number",
                key="recipients-find",
                icon=":material/search:",
                label_visibility="collapsed",
                width=220,
            )
            chosen = st.pills(
                "Status",
                present_statuses(table),
                selection_mode="multi",
                key="recipients-stage",
                label_visibility="collapsed",
            )
        found = search_recipients(table, wanted or "", chosen)
        st.download_button(
            f"Download {plural(len(found), 'row')}",
            data=lambda: as_xlsx(found),
            file_name=f"recipients-{campaign.campaign[:8]}.xlsx",
            mime=XLSX,
            icon=":material/download:",
            on_click="ignore",
        )
    st.dataframe(
        found.head(SHOWN_ROWS),
        hide_index=True,
        height=min(36 * (len(found) + 1) + 3, 420),
        column_config={
            "Row": st.column_config.NumberColumn(width="small", help="Row of the contact sheet"),
            "Number": st.column_config.TextColumn(pinned=True),
            "Message": st.column_config.TextColumn(width="large"),
            "Sent": st.column_config.DatetimeColumn(
                f"Sent ({zone().key})", format="D MMM, HH:mm:ss", timezone=zone().key
            ),
            "Delivered": st.column_config.DatetimeColumn(
                f"Delivered ({zone().key})", format="D MMM, HH:mm:ss", timezone=zone().key
            ),
        },
        placeholder="",
        alt="Recipients with the status of each message",
    )
    if len(found) > SHOWN_ROWS:
        st.caption(f"The first {count(SHOWN_ROWS)} are shown; the download has all {count(len(found))}.")
