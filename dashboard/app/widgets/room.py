"""How large a file may be, where open pages hold so many that less is left than usual.

A file that is refused gets a red mark from Streamlit and no word, and its page does not run again: so it is
said before.
"""

from __future__ import annotations

import streamlit as st

from dashboard.app import runtime
from dashboard.app.door.budgets import Budgets
from dashboard.app.door.uploads import held_in
from dashboard.app.people import signed_in
from dashboard.contacts import Limits
from dashboard.formatting import file_size
from dashboard.words import _


def say_room() -> None:
    """Draw a sentence if the largest file usually taken would be refused now; for below an uploader."""
    app = runtime.current()
    if app.desk is None:  # one person, who may fill their own memory
        return
    held = held_in(app.desk.tabs_of(signed_in().name))
    left, is_of_all = Budgets.of(app.given).uploads.left(held=held, all_held=held_in())
    if left >= Limits.of(app.given).upload_bytes:
        return
    said = (
        _("Open pages hold many files. Until some are closed, no file larger than {size} can be uploaded.")
        if is_of_all
        else _(
            "Your open pages hold many files. Until you close some, no file larger than {size} can be "
            "uploaded."
        )
    )
    st.caption(f":material/info: {said.format(size=file_size(left, is_limit=True))}")
