"""Delivery reports: what the service says became of messages, imported from a file."""

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.door.signature import WEBHOOK_PATH
from dashboard.app.people import signed_in
from dashboard.app.viewer import zone
from dashboard.app.widgets.page import head, section
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.refusal import stop_without_role
from dashboard.app.widgets.room import say_room
from dashboard.errors import DashboardError
from dashboard.ledger import ReportResult
from dashboard.reports import read_reports
from dashboard.words import _, count, plural

SHOWN_STRAY = 500

person = signed_in()
head(
    _("Delivery reports"),
    _(
        "What became of each message, according to the service. Upload an export here; older news "
        "never overwrites newer."
    ),
)
stop_without_role(person, "sender")

file = st.file_uploader(
    _("Delivery reports"),
    type=["json", "jsonl", "ndjson", "csv", "txt"],
    key=f"reports-{st.session_state.get('reports-taken', 0)}",
)
st.caption(
    _(
        "JSON, JSON Lines or CSV with the service's own fields: uuid, status, failure_reason, "
        "credits_used, sent_at, delivered_at. Other fields are kept."
    )
)
say_room()

if file is not None:
    try:
        with st.spinner(_("Importing the reports into the ledger…")):
            result = actions.record_reports(read_reports(file.getvalue()))
    except DashboardError as error:
        st.error(plain(f"{file.name}: {error}"), icon=":material/error:")
    else:
        st.session_state["reports-taken"] = st.session_state.get("reports-taken", 0) + 1
        st.session_state["reports-said"] = [
            result.taken,
            result.stale,
            len(result.unknown_uuids),
            result.unreadable,
            result.unread_times,
            result.example,
        ]
        st.rerun()

if said := st.session_state.pop("reports-said", None):
    taken, stale, strange, unreadable, unread_times, example = said
    st.success(
        plural(taken, "{count} report added something new.", "{count} reports added something new."),
        icon=":material/task_alt:",
    )
    if sentence := ReportResult(unread_times=unread_times, example=example).unread_words:
        st.warning(plain(sentence), icon=":material/warning:")
    if stale:
        st.caption(
            plural(
                stale,
                "{count} report added nothing new: repeated, or older than what is known.",
                "{count} reports added nothing new: repeated, or older than what is known.",
            )
        )
    if strange:
        st.caption(
            plural(
                strange,
                "{count} report about a message that was not sent from here; it was set aside.",
                "{count} reports about messages that were not sent from here; they were set aside.",
            )
        )
    if unreadable:
        st.caption(
            plural(
                unreadable,
                "{count} report had no readable uuid.",
                "{count} reports had no readable uuid.",
            )
        )

stray = runtime.current().ledger.stray_reports()
if not stray.empty:
    section(
        _("Set aside"), help=_("Reports about messages that this dashboard did not send. Nothing is lost.")
    )
    st.dataframe(
        stray.head(SHOWN_STRAY),
        hide_index=True,
        column_config={
            "uuid": _("Message"),
            "received_at": st.column_config.DatetimeColumn(_("Received"), timezone=zone().key),
            "report": st.column_config.TextColumn(_("Report"), width="large"),
        },
        alt=_("Delivery reports about messages that were not sent from here"),
    )
    if len(stray) > SHOWN_STRAY:
        st.caption(
            _("The newest {shown} of {all} are shown.").format(
                shown=count(SHOWN_STRAY), all=count(len(stray))
            )
        )

section(_("By webhook"))
if not runtime.current().webhook_keys():
    st.caption(
        _(
            "Reports can also arrive automatically: whoever runs this dashboard sets a secret for them, and "
            "the service posts to {address}."
        ).format(address=WEBHOOK_PATH)
    )
else:
    st.caption(
        _(
            "Signed reports posted to {address} are accepted automatically. The service announces a "
            "webhook without describing it, so this endpoint is provisional: it accepts Message "
            "objects signed according to Standard Webhooks."
        ).format(address=WEBHOOK_PATH)
    )
