"""The saved lists, to choose one of them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.app import runtime
from dashboard.app.widgets.kept import kept
from dashboard.errors import LedgerUnavailableError
from dashboard.words import _


def choose_saved_list(key: str, use: Callable[[str | None], object]) -> None:
    """Offer the saved lists instead of a sheet; `use` is called with the id of the one chosen."""
    try:
        lists = runtime.current().ledger.lists.all()
    except LedgerUnavailableError:  # a sheet can be read without it
        return
    if lists.empty:
        return
    names = dict(zip(lists["list"], lists["name"], strict=True))
    st.selectbox(
        _("Or a saved list"),
        list(names),
        index=None,
        format_func=lambda one: str(names[one]),
        placeholder=_("Choose a list"),
        **kept(key, use),
    )
