"""Settings: what marketers decide themselves, and what whoever runs the dashboard has set."""

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.own_settings.answers import answers
from dashboard.app.own_settings.changes import changes
from dashboard.app.own_settings.form import form_now
from dashboard.app.own_settings.limits import caps, hours
from dashboard.app.own_settings.prices import prices
from dashboard.app.own_settings.reporting import own_language, reporting
from dashboard.app.own_settings.texts import texts
from dashboard.app.people import signed_in
from dashboard.app.phrasing.settings_table import settings_table
from dashboard.app.widgets.page import head, section
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.pressed import doing, say_refusal
from dashboard.jobs.retention import days_kept
from dashboard.jobs.settings_told import told
from dashboard.words import _, languages, plural

person, own, app = signed_in(), form_now(), runtime.current()
settings = app.settings
head(
    _("Settings"),
    _("For new campaigns and all reports. A change takes effect at once, for everybody.")
    if own.may
    else _("For new campaigns and all reports. An administrator changes them."),
)
if len(languages()) > 1:
    own_language(person)
left, right = st.columns(2, gap="large")
with left:
    section(_("Prices"))
    prices(own)
    section(_("Quiet hours"))
    hours(own)
    section(_("Reports"))
    reporting(own)
with right:
    section(_("Messages"))
    texts(own)
    section(_("Caps"))
    caps(own)

section(_("Remembered answers"))
answers(person)

section(_("Who changed what"))
changes()

section(_("Messaging service"))
with st.container(
    border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
):
    if settings.uses_sandbox:
        st.markdown(
            _(
                ":material/science: **Sandbox.** The whole service on this machine; no message leaves it. "
                "Whoever runs this dashboard can connect a real service."
            )
        )
    else:
        st.markdown(f":material/cloud_done: **{plain(settings.sms_base_url)}**")

    def ask() -> None:
        """Ask about a number that nobody has, and remember that it was answered."""
        actions.check_number("+447911123456", "GB")
        st.session_state["service-answers"] = True

    st.button(_("Test the connection"), icon=":material/network_check:", **doing("service", ask))
say_refusal("service")
if st.session_state.pop("service-answers", False):
    st.success(_("The service answers and accepts the key."), icon=":material/task_alt:")

section(_("Retention"))
days = days_kept(settings)
if days is None:
    st.caption(
        _(
            "Numbers and texts are kept for as long as the ledger is. Whoever runs this dashboard can have "
            "them deleted a number of days after a campaign ends; counts and costs stay."
        )
    )
else:
    forgotten = int(app.ledger.campaigns()["forgotten_at"].notna().sum())
    st.caption(
        _(
            "Numbers and texts are deleted {days} after a campaign ends; counts and costs stay. So far "
            "this has been done for {campaigns}."
        ).format(
            days=plural(days, "{count} day", "{count} days"),
            campaigns=plural(forgotten, "{count} campaign", "{count} campaigns"),
        )
    )

with st.expander(_("For whoever runs this dashboard"), icon=":material/terminal:"):
    st.caption(
        _(
            "All settings by their names in the environment or the .env file, which are read when the "
            "dashboard starts. What is set there cannot be changed above."
        )
    )
    st.dataframe(
        settings_table(told(app.given, settings, app.ledger.settings.decided())),
        hide_index=True,
        height="content",
        column_config={
            _("Setting"): st.column_config.TextColumn(width="medium"),
            _("Value"): st.column_config.TextColumn(),
        },
        alt=_("All settings with their values and where these come from; secrets are not shown"),
    )
