"""The text of a message: typed, with fields of the sheet put in by a click."""

from __future__ import annotations

import streamlit as st

from dashboard.app import actions
from dashboard.app.drafts import Draft
from dashboard.app.wizard import steps

HOW_TO_WRITE = """
- `{{ First name }}` stands for each person's cell of that column, `{{ First name | there }}` for “there”
  where the cell is empty.
- `{{#Member}}Thank you for being a member.{{/Member}}` is only for those whose column “Member” says yes;
  `{{^Member}}…{{/Member}}` for all others.
- A row in which a field without a word behind the bar is empty is left out, unless you say otherwise below.
"""


def editor(draft: Draft, fields: list[str]) -> None:
    """Draw the text with its buttons; `fields` are the columns of the sheet."""
    key = f"text-{draft.id}"
    st.session_state.setdefault(key, draft.template)
    st.text_area(
        "Message",
        key=key,
        height=190,
        placeholder="Hi {{ First name | there }}, our spring sale starts today.",
        help=HOW_TO_WRITE,
        on_change=steps.keep,
        args=(draft.id, "template", key),
    )
    picked = st.pills(
        "Insert from the sheet",
        fields,
        key=f"insert-{draft.id}-{st.session_state.get('inserts', 0)}",
        help="The field is added at the end of the message.",
        wrap=True,
    )
    if picked:
        st.session_state["inserts"] = st.session_state.get("inserts", 0) + 1
        replace_text(draft, with_field(draft.template, picked))
        st.rerun()


def with_field(text: str, field: str) -> str:
    """The text with a field at its end."""
    gap = "" if not text or text.endswith((" ", "\n")) else " "
    return f"{text}{gap}{{{{ {field} }}}}"


def replace_text(draft: Draft, text: str) -> None:
    """Put another text in the place of what was typed."""
    actions.change_draft(draft.id, template=text)
    st.session_state.pop(f"text-{draft.id}", None)  # drawn anew from the draft
