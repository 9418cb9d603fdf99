"""What a page shows while a campaign is being fixed: how far it is. It may be left meanwhile."""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.starts import Start
from dashboard.app.widgets.page import section
from dashboard.app.widgets.plain import plain
from dashboard.errors import CampaignError, LedgerError
from dashboard.words import _, plural, share

LOOK_AGAIN_S = 0.5


def fixing(draft: Draft) -> None:
    """Draw the progress of a draft that is becoming a campaign until it is one, and open it then.

    What kept it from becoming one is said once, and the draft is as it was.
    """
    app = runtime.current()
    start = app.starts.find(draft.id)
    if start is None:
        return
    place = st.empty()
    if not start.is_over:
        with place.container():
            _follow(draft, start)
    app.starts.forget(draft.id)
    try:
        campaign = start.result()
    except (CampaignError, LedgerError) as error:
        place.error(plain(error), icon=":material/error:")
        return
    st.switch_page("views/campaign.py", query_params={"id": str(campaign)})


def _follow(draft: Draft, start: Start) -> None:
    """Show how far it is, until there is a result: no fragment, which could draw into the next page."""
    section(plain(draft.name))
    bar = st.empty()
    st.caption(_("You can leave this page. Nothing is sent before all messages are fixed."))
    while not start.is_over_within(LOOK_AGAIN_S):
        bar.progress(
            start.share,
            _("{messages}: {share} done").format(
                messages=plural(start.messages, "Fixing {count} message", "Fixing {count} messages"),
                share=share(round(start.share, 2)),
            ),
        )
