"""Settings: what is set, without secrets, and whether the service answers."""

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.phrasing.settings_table import settings_table
from dashboard.app.widgets.marks import table
from dashboard.app.widgets.page import head, section
from dashboard.app.widgets.plain import plain
from dashboard.contacts.vocabulary.countries.country_names import country_name
from dashboard.errors import DashboardError
from dashboard.formatting import unit_price
from dashboard.jobs.retention import days_kept
from dashboard.words import _, plural

person = signed_in()
settings = runtime.current().settings
head(
    _("Settings"),
    _("Set in the environment or in the .env file by whoever runs the dashboard, and read when it starts."),
)

section(_("Messaging service"))
with st.container(
    border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
):
    if settings.uses_sandbox:
        st.markdown(
            _(
                ":material/science: **Sandbox.** The whole service on this machine; no message leaves it. "
                "Set SMS_BASE_URL and SMS_API_KEY to send for real."
            )
        )
    else:
        st.markdown(f":material/cloud_done: **{plain(settings.sms_base_url)}**")
    test = st.button(_("Test the connection"), icon=":material/network_check:")
if test:
    try:
        actions.check_number("+447911123456", "GB")
    except DashboardError as error:
        st.error(plain(error), icon=":material/error:")
    else:
        st.success(_("The service answers and accepts the key."), icon=":material/task_alt:")

prices = runtime.current().prices
if prices is not None and prices.by_country:
    section(_("Prices"))
    listed = {country_name(code): price for code, price in prices.by_country.items()}
    if prices.elsewhere is not None:
        listed[_("All other countries")] = prices.elsewhere
    table(
        (_("Country"), _("Per credit")),
        [(name, unit_price(price, prices.currency or "")) for name, price in listed.items()],
        name=_("What a credit costs by country"),
        figures=(_("Per credit"),),
    )

section(_("Retention"))
days = days_kept(settings)
if days is None:
    st.caption(
        _(
            "Numbers and texts are kept for as long as the ledger is. Set DASHBOARD_KEEP_DAYS to "
            "delete them a number of days after a campaign ends; counts and costs stay."
        )
    )
else:
    forgotten = int(runtime.current().ledger.campaigns()["forgotten_at"].notna().sum())
    st.caption(
        _(
            "Numbers and texts are deleted {days} after a campaign ends; counts and costs stay. So far "
            "this has been done for {campaigns}."
        ).format(
            days=plural(days, "{count} day", "{count} days"),
            campaigns=plural(forgotten, "{count} campaign", "{count} campaigns"),
        )
    )

section(_("All settings"))
st.dataframe(
    settings_table(settings),
    hide_index=True,
    height="content",
    column_config={
        _("Setting"): st.column_config.TextColumn(width="medium"),
        _("Value"): st.column_config.TextColumn(),
    },
    alt=_("All settings with their values; secrets are not shown"),
)

if person.may("admin") and settings.people:
    section(_("People"))
    st.dataframe(
        {_("E-mail"): list(settings.people), _("Role"): list(settings.people.values())},
        hide_index=True,
        width="content",
        alt=_("People who may sign in, with their roles"),
    )
