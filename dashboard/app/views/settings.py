"""Settings: what is set, without secrets, and whether the service answers."""

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.pure.settings_table import settings_table
from dashboard.app.widgets.page import head, section
from dashboard.errors import DashboardError

person = signed_in()
settings = runtime.current().settings
head(
    "Settings",
    "Set in the environment or the file .env by whoever runs the dashboard, and read when it starts.",
)

section("Messaging service")
with st.container(
    border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
):
    if settings.uses_sandbox:
        st.markdown(
            ":material/science: **Sandbox.** The whole service on this machine; no message leaves it. "
            "Set SMS_BASE_URL and SMS_API_KEY to send for real."
        )
    else:
        st.markdown(f":material/cloud_done: **{settings.sms_base_url}**")
    test = st.button("Test the connection", icon=":material/network_check:")
if test:
    try:
        actions.check_number("+447911123456", "GB")
    except DashboardError as error:
        st.error(str(error), icon=":material/error:")
    else:
        st.success("The service answers and accepts the key.", icon=":material/task_alt:")

section("All settings")
st.dataframe(
    settings_table(settings),
    hide_index=True,
    height="content",
    column_config={
        "Setting": st.column_config.TextColumn(width="medium"),
        "Value": st.column_config.TextColumn(),
    },
    alt="All settings with their values; secrets are not shown",
)

if person.may("admin") and settings.people:
    section("People")
    st.dataframe(
        {"E-mail": list(settings.people), "Role": list(settings.people.values())},
        hide_index=True,
        width="content",
        alt="People who may sign in, with their roles",
    )
