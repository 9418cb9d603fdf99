"""Draw the editor, and take from it what was typed.

Its script is served as files: the policy in `dashboard.app.server.headers` refuses inline ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from dashboard.app.widgets.kept import kept

FOLDER = Path(__file__).parent / "frontend"
_DISTRIBUTION = "campaign-dashboard"


@dataclass(frozen=True)
class Typed:
    """What somebody typed.

    Attributes:
        text: The text.
        known: The texts its writer has seen there; it may take the place of these only.
        turn: Names this piece of news, which comes again until it is answered.
    """

    text: str
    known: tuple[str, ...]
    turn: str

    @classmethod
    def of(cls, state: Mapping[str, Any] | None) -> Self | None:
        """Read what the browser said; None if it said nothing, or nothing that can be read."""
        match (state or {}).get("typed"):
            case {"text": str(text), "known": [*known], "turn": str(turn)}:
                return cls(text, tuple(map(str, known)), turn)
        return None


def message_editor(key: str, text: str, store: Callable[[Typed], bool], shown: Mapping[str, Any]) -> bool:
    """Draw the editor.

    Args:
        key: Names the editor; those of different keys do not meet.
        text: The text as it is stored. If the editor does not know it, it shows it.
        store: Stores what was typed, before the script runs; returns whether that changed anything.
        shown: What else the editor shows and needs for counting: `fields` (the columns offered), `cells` (of
            the person in the preview, by column), `yes` (the columns where that person says yes), `aliases`
            (other names of columns), `rule` (`single`, `part` and `limit`, in characters), `link` (`pattern`,
            `low` and `high` of short links and how one is `shown`, or None), `language` (BCP 47), `words`.

    Returns:
        Whether something was stored only now, so that the page is out of date: the first words from a browser
        whose server was started again meanwhile come without a callback.
    """
    hear = partial(_hear, key, store)
    keep = kept(key, hear)
    said = _component()(
        key=key,
        data={"id": key, "text": text, "heard": st.session_state.get(_heard(key)), **shown},
        on_typed_change=partial(keep["on_change"], *keep["args"]),
    )
    return hear(said)


def _hear(key: str, store: Callable[[Typed], bool], state: Mapping[str, Any] | None) -> bool:
    typed = Typed.of(state)
    if typed is None or typed.turn == st.session_state.get(_heard(key)):
        return False
    is_new = store(typed)
    st.session_state[_heard(key)] = typed.turn
    return is_new


def _heard(key: str) -> str:
    return f"heard-{key}"


def _component() -> Callable[..., Any]:
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(component_name()) is None:  # each AppTest has its own
        _declare(manager)
    return st.components.v2.component(component_name(), js="editor.js", css="editor.css")


def _declare(manager: BidiComponentManager) -> None:
    """Tell Streamlit where the files are.

    Streamlit looks for components itself, but only in wheels, and in packages named as their distribution.
    """
    about = ComponentConfig(component_name().removeprefix(f"{_DISTRIBUTION}."), FOLDER.name)
    manager.register_from_manifest(ComponentManifest(_DISTRIBUTION, "", [about]), FOLDER.parent)


@cache
def component_name() -> str:
    """The component's name, which is a folder in the files' addresses.

    It changes with the files: browsers keep these, and must not mix those of two versions.
    """
    content = sha256(b"".join(path.read_bytes() for path in sorted(FOLDER.iterdir()))).hexdigest()
    return f"{_DISTRIBUTION}.message_editor_{content[:12]}"
