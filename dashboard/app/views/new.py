"""New campaign: five steps, each a module. `?draft=` names the draft, so a reload loses nothing."""

import streamlit as st

from dashboard.app import runtime, starting
from dashboard.app.draft_sheets import lists_of, names_of
from dashboard.app.people import signed_in
from dashboard.app.phrasing.steps import NAMES
from dashboard.app.widgets.kept import whole
from dashboard.app.widgets.page import empty, head, one_of
from dashboard.app.widgets.plain import plain
from dashboard.app.widgets.refusal import stop_without_role
from dashboard.app.wizard import columns, message, review, rows, upload
from dashboard.app.wizard.start.preparing import follow, preparing
from dashboard.app.wizard.steps import go, is_read_otherwise, keep_address, open_step, way
from dashboard.app.wizard.upload import say_unreadable
from dashboard.errors import CountryError, SheetError
from dashboard.words import _

person = signed_in()
keep_address()
wanted = st.query_params.get("draft")
draft = runtime.current().drafts.find(wanted, person.name)
if draft is not None and draft.part_of:  # a list of a draft is no campaign of its own
    draft = None

with head(
    _("New campaign"),
    plain(draft.name or ", ".join(names_of(lists_of(draft))))
    if draft and (draft.name or draft.file_name) and not draft.campaign
    else _("From a contact sheet to sent messages."),
):
    if wanted:  # the menu's link leads to the page already open, so it would stay on this draft
        st.button(_("Start another"), on_click=whole(st.query_params.clear), icon=":material/edit_square:")
stop_without_role(person, "sender")

if draft is not None:
    draft = starting.put_away(draft)
if draft is not None and draft.campaign is not None:
    follow(draft)
    empty(
        _("This draft has become a campaign. Nothing is sent twice."),
        page="views/campaign.py",
        action=_("Follow its progress"),
        icon=":material/insights:",
        query={"id": draft.campaign},
    )
    st.stop()
if draft is not None and preparing(draft):
    st.stop()
if draft is not None and is_read_otherwise(draft):
    st.warning(
        _(
            "The sheet of this draft, or how it is read, has changed. What was decided about its columns, "
            "its rows and who gets it was for the rows before, so it is asked again. The message is kept."
        ),
        icon=":material/restart_alt:",
    )
step = 1 if draft is None else open_step(draft)
drawn = 0 if draft is None else step
names, body = (one_of(range(len(NAMES) + 1), drawn) for _place in range(2))
with names:
    way(draft, step)
try:
    with body:
        unreadable = [] if draft is not None else runtime.current().drafts.unreadable(person.name)
        say_unreadable(len(unreadable))
        if wanted and draft is None and wanted not in unreadable:
            st.warning(
                _("This draft no longer exists, or it belongs to somebody else. Start a new one."),
                icon=":material/draft:",
            )
        {1: upload, 2: columns, 3: rows, 4: message, 5: review}[step].show(draft)
except (SheetError, CountryError) as error:  # a sheet that can no longer be read, or a column that is gone
    st.error(plain(error), icon=":material/error:")
    if draft is not None:
        st.button(_("Back to the columns"), on_click=whole(go), args=(draft, 2), icon=":material/arrow_back:")
