"""Texts of earlier campaigns, to start from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.viewer import zone
from dashboard.app.widgets.kept import kept
from dashboard.formatting import moment
from dashboard.words import _

OFFERED = 50
SHOWN_CHARACTERS = 60


def earlier_text(draft: Draft, use: Callable[[str], None]) -> None:
    """Draw a choice of texts from earlier campaigns, unless there are none; `use` gets the chosen one."""
    texts = runtime.current().ledger.texts().head(OFFERED)
    if texts.empty:
        return
    key = f"earlier-{draft.id}"
    names = [
        f"{name}, {moment(at, zone())}: {' '.join(template.split())[:SHOWN_CHARACTERS]}"
        for name, at, template in zip(texts["name"], texts["created_at"], texts["template"], strict=True)
    ]
    st.selectbox(
        _("Start from an earlier text"),
        range(len(names)),
        index=None,
        format_func=lambda place: names[place],
        placeholder=_("Choose a text"),
        **kept(key, partial(_use, key, texts["template"].tolist(), use)),
    )


def _use(key: str, templates: list[str], use: Callable[[str], None], place: int | None) -> None:
    if place is not None:
        use(templates[place])
        st.session_state[key] = None
