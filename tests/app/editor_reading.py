"""The message editor in an AppTest, which runs no components: what it was given, and typing into it."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest


def editor(page: AppTest) -> dict[str, Any]:
    """What Python gave the editor."""
    return dict(json.loads(page.get("bidi_component")[0].proto.json))


def type_text(page: AppTest, text: str, known: list[str] | None = None) -> AppTest:
    """Run the page with what the browser says when this was typed, and with what was clicked just before.

    `known` are the texts its writer has seen: the one that is shown, unless others are given.
    """
    seen = [editor(page)["text"], text] if known is None else known
    typed = {"text": text, "known": seen, "turn": uuid4().hex}
    return said_by_editor(page, page.get("bidi_component")[0].proto.id, typed)


def said_by_editor(page: AppTest, component: str, typed: object) -> AppTest:
    """Run the page with what a browser's editor said."""
    states = page._tree.get_widget_states()
    states.widgets.append(WidgetState(id=component, json_value=json.dumps({"typed": typed})))
    return page._run(states)
