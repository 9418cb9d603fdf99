"""What the forms of settings share: fields that show what is in force, and the button that keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypedDict

import streamlit as st

from dashboard.app import actions, runtime
from dashboard.app.people import signed_in
from dashboard.app.widgets.pressed import doing, say_refusal
from dashboard.ledger import SettingChange
from dashboard.settings import Settings
from dashboard.settings.owned import LABELS, decided_outside, stored
from dashboard.words import _

LOCKED = ":material/lock:"


class Field(TypedDict):
    """The arguments of a widget that shows a setting."""

    label: str
    key: str
    disabled: bool


@dataclass(frozen=True)
class Form:
    """One form, for one person at one moment.

    Attributes:
        settings: The settings in force.
        outside: Those that the environment decides.
        may: Whether the person may change the others.
        seen: Who decided what by then.
    """

    settings: Settings
    outside: frozenset[str]
    may: bool
    seen: Mapping[str, SettingChange]

    def field(self, name: str, part: str = "", label: str = "") -> Field:
        """Arguments for the widget of a setting, or of a part of one.

        As soon as another value counts, whoever decided it, the widget is a new one and shows that.
        """
        is_open = self.may and name not in self.outside
        return {"label": label or _(LABELS[name]), "key": self.key(name, part), "disabled": not is_open}

    def key(self, name: str, part: str = "") -> str:
        """The key of that widget."""
        value = self.decided(name)
        shown = str(value) if name in self.outside else json.dumps(stored(name, value))
        return f"own-{name}-{part}-{sha256(shown.encode()).hexdigest()[:12]}"

    def decided(self, name: str) -> Any:
        """The value that somebody decided; without one, None or what a setting begins with that needs one."""
        if name == "time_zone" and name not in self.settings.model_fields_set:
            return None  # UTC counts, and anyone reads times by their own clock
        return getattr(self.settings, name)

    def typed(self, name: str, part: str = "") -> Any:
        """What is typed into that widget; for the callback of the form."""
        return st.session_state[self.key(name, part)]

    def is_other(self, name: str, value: object) -> bool:
        """Whether a value differs from the one that was shown."""
        seen = self.decided(name)
        return bool(stored(name, value) != (None if seen == () else stored(name, seen)))


def form_now() -> Form:
    """What the forms show to the person who is looking."""
    app = runtime.current()
    seen = app.ledger.settings.decided()  # before the settings, so that it is never newer than what is shown
    return Form(app.settings, decided_outside(app.given), signed_in().may("admin"), seen)


@contextmanager
def form(
    place: str, own: Form, names: tuple[str, ...], read: Callable[[], Mapping[str, Any]]
) -> Iterator[None]:
    """Draw a form around fields; its button keeps what `read` finds in them.

    Args:
        place: Names the form.
        own: For whom it is.
        names: The settings in it.
        read: Called when the button is pressed; says the new values by setting.
    """
    open_ones = [name for name in names if name not in own.outside]
    with st.form(f"own-{place}", border=True, enter_to_submit=False):
        yield
        locked = [_(LABELS[name]) for name in names if name in own.outside]
        if locked:
            st.caption(
                _("{lock} Set by whoever runs this dashboard: {settings}.").format(
                    lock=LOCKED, settings=", ".join(locked)
                )
            )
        if own.may and open_ones:

            def keep() -> None:
                values = read()
                changed = actions.change_settings(
                    {name: values[name] for name in open_ones if own.is_other(name, values[name])},
                    seen=own.seen,
                )
                st.session_state[f"kept-{place}"] = [_(LABELS[name]) for name in changed]

            st.form_submit_button(_("Save"), icon=":material/check:", **doing(place, keep))
    say_refusal(place)
    kept = st.session_state.pop(f"kept-{place}", None)
    if kept is not None:
        st.toast(
            _("Saved: {settings}. It applies from now on.").format(settings=", ".join(kept))
            if kept
            else _("Nothing was changed."),
            icon=":material/check:",
        )
