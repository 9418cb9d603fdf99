"""Delivery reports: what the service says became of messages, taken from a file."""

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.pure.formatting import count, plural
from dashboard.app.signature import WEBHOOK_PATH
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import head, section
from dashboard.app.widgets.refusal import stop_without_role
from dashboard.errors import DashboardError
from dashboard.reports import read_reports

SHOWN_STRAY = 500

person = signed_in()
head(
    "Delivery reports",
    "What the service says became of each message. Upload an export here; older news never overwrites newer.",
)
stop_without_role(person, "sender")

file = st.file_uploader(
    "Delivery reports",
    type=["json", "jsonl", "ndjson", "csv", "txt"],
    key=f"reports-{st.session_state.get('reports-taken', 0)}",
)
st.caption(
    "JSON, JSON lines or CSV with the service's own fields: uuid, status, failure_reason, credits_used, "
    "sent_at, delivered_at. Fields it does not name are kept."
)

if file is not None:
    try:
        with st.spinner("Taking the reports into the ledger…"):
            result = actions.record_reports(read_reports(file.getvalue()))
    except DashboardError as error:
        st.error(f"{file.name}: {error}", icon=":material/error:")
    else:
        st.session_state["reports-taken"] = st.session_state.get("reports-taken", 0) + 1
        st.session_state["reports-said"] = [
            result.taken,
            result.stale,
            len(result.unknown_uuids),
            result.unreadable,
        ]
        st.rerun()

if said := st.session_state.get("reports-said"):
    taken, stale, strange, unreadable = said
    st.success(f"{plural(taken, 'report')} told something new.", icon=":material/task_alt:")
    if stale:
        st.caption(f"{plural(stale, 'report')} told nothing new: repeated, or older than what is known.")
    if strange:
        st.caption(
            f"{plural(strange, 'report')} about messages that were not sent from here; they are set aside."
        )
    if unreadable:
        st.caption(f"{plural(unreadable, 'report')} had no uuid that can be read.")

stray = runtime.current().ledger.stray_reports()
if not stray.empty:
    section("Set aside", help="Reports about messages that this dashboard has not sent. Nothing is lost.")
    st.dataframe(
        stray.head(SHOWN_STRAY),
        hide_index=True,
        column_config={
            "uuid": "Message",
            "received_at": st.column_config.DatetimeColumn("Received", timezone=zone().key),
            "report": st.column_config.TextColumn("Report", width="large"),
        },
        alt="Delivery reports about messages that were not sent from here",
    )
    if len(stray) > SHOWN_STRAY:
        st.caption(f"The newest {count(SHOWN_STRAY)} of {count(len(stray))} are shown.")

section("By webhook")
if runtime.current().webhook_key is None:
    st.caption(
        f"Set DASHBOARD_WEBHOOK_SECRET and have the service post to {WEBHOOK_PATH}; reports then arrive by "
        "themselves."
    )
else:
    st.caption(
        f"Signed reports posted to {WEBHOOK_PATH} are taken by themselves. The service announces a webhook "
        "without describing it, so this door is provisional: it takes Message objects signed as Standard "
        "Webhooks does."
    )
