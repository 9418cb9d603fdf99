"""What every page says while opt-outs may be missing from the ledger."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.widgets.kept import whole
from dashboard.errors import LedgerError
from dashboard.words import _


def warn_of_missing_opt_outs() -> None:
    """Draw the warning, with a button for whoever has entered them again; draw nothing if none are missing.

    While the ledger is unavailable, the pages that need it say so, and the others keep working.
    """
    sentence = None
    with suppress(LedgerError):
        sentence = runtime.current().ledger.missing_opt_outs()
    if sentence is None:
        return
    with st.container(border=True, key="missing-opt-outs"):
        st.error(sentence, icon=":material/person_off:")
        if signed_in().may("sender"):
            st.button(
                _("They have been entered, or there were none"),
                key="opt-outs-entered",
                on_click=whole(actions.acknowledge_missing_opt_outs),
            )
