"""Check a number: what this program reads, and what the service answers, side by side."""

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.sheets.list_check import whole_list
from dashboard.app.sheets.number_reading import NumberReading, agrees, read_number
from dashboard.app.widgets.countries import country_field, country_with_code
from dashboard.app.widgets.marks import facts
from dashboard.app.widgets.page import head, section
from dashboard.app.widgets.plain import plain
from dashboard.contacts.line_types import line_type_words
from dashboard.errors import DashboardError
from dashboard.service import NumberCheck
from dashboard.words import _

person = signed_in()
head(
    _("Check a number"),
    _("Check whether a number has a valid format for a country, and what kind of line it is."),
)

with st.form("check", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
    number = st.text_input(_("Phone number"), placeholder="07911 123456", width=280)
    country = country_field(
        _("Country"),
        runtime.current().settings.country,
        placeholder=_("Choose a country"),
        width=280,
    )
    asked = st.form_submit_button(_("Check"), type="primary", icon=":material/search:")


def _ours(reading: NumberReading) -> None:
    section(_("This program"))
    rows = {_("Valid format"): _("Yes") if reading.valid else _("No"), _("Number"): reading.phone or "–"}
    if reading.valid:
        rows |= {
            _("Country"): country_with_code(reading.country),
            _("Line type"): line_type_words(reading.line_type),
            _("Takes text messages"): _("Yes") if reading.textable else _("Usually not"),
        }
    facts(rows)
    if reading.explanation:
        st.caption(plain(reading.explanation))


def _theirs(check: NumberCheck) -> None:
    section(_("The service"))
    facts(
        {
            _("Valid format"): _("Yes") if check.valid_format else _("No"),
            _("Country"): country_with_code(check.country) if check.country else "–",
            _("Line type"): line_type_words(check.line_type),
        }
    )


if asked and not (number or "").strip():
    st.warning(_("Enter a phone number."), icon=":material/dialpad:")
elif asked and country is None:
    st.warning(_("Choose the country in which the number should be valid."), icon=":material/public:")
elif asked:
    reading = read_number(str(number), str(country))
    left, right = st.columns(2)
    with left.container(border=True, height="stretch"):
        _ours(reading)
    with right.container(border=True, height="stretch"):
        try:
            check = actions.check_number(str(number), str(country))
        except DashboardError as error:
            section(_("The service"))
            st.error(plain(error), icon=":material/error:")
        else:
            _theirs(check)
            if not agrees(reading, check):
                st.warning(
                    _("The two do not agree. The service decides which numbers it sends to."),
                    icon=":material/rule:",
                )

st.caption(
    _(
        ":material/info: This checks the format only. Whether a number is in use right now (live-number "
        "validation) is a separate endpoint of the service that its interface description does not cover, so "
        "it is not built in."
    )
)

whole_list(person)
