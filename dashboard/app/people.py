"""Who is looking, and what they may do.

Sign-in is OpenID Connect through Streamlit and is on as soon as DASHBOARD_OIDC_ISSUER is set;
DASHBOARD_PEOPLE says who may enter, and in which role. Streamlit verifies the identity token once and then
trusts its own signed cookie for 30 days: it never looks at `exp` or `iss` again, so they are checked here, on
every run and once more before every change.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard import words
from dashboard.app import runtime
from dashboard.app.door.claims import address_in, is_current, is_from, is_signed_in, is_verified
from dashboard.errors import DashboardError
from dashboard.settings import ROLES, Settings
from dashboard.words import _

Role = Literal["viewer", "sender", "admin"]
P = ParamSpec("P")
R = TypeVar("R")


class NotAllowedError(DashboardError):
    """The person is signed out, or their role does not allow the step."""


@dataclass(frozen=True)
class Person:
    """Someone who is looking at the dashboard.

    Attributes:
        name: Their e-mail address, or `local` when sign-in is off.
        role: What they may do; each role includes the ones before it (viewer, sender, admin).
    """

    name: str
    role: Role

    def may(self, role: Role) -> bool:
        """Whether their role includes this one."""
        return ROLES.index(self.role) >= ROLES.index(role)

    @property
    def sees_numbers(self) -> bool:
        """Whether they see people's phone numbers in full; seen.py masks them for everybody else."""
        return self.may("sender")

    @property
    def may_export(self) -> bool:
        """Whether they may download files."""
        return self.may("sender")


LOCAL = Person("local", "admin")


@dataclass(frozen=True)
class Refusal:
    """Why somebody gets no page: either they must sign in, or their account has no access."""

    reason: str
    can_sign_in: bool


def admit(settings: Settings, claims: Mapping[str, Any], *, now: float) -> Person | Refusal:
    """Decide who this is from the claims of the identity token.

    Args:
        settings: Whether sign-in is on, and the people with their roles.
        claims: What Streamlit took from the token, with `is_logged_in`.
        now: Unix time, compared with the token's `exp`.
    """
    if not settings.oidc_issuer:
        return LOCAL
    if not is_signed_in(claims):
        return Refusal(_("Sign in with your company account to continue."), can_sign_in=True)
    if not (is_current(claims, now=now) and is_from(claims, settings.oidc_issuer)):
        return Refusal(_("Your sign-in has expired. Sign in again to continue."), can_sign_in=True)
    if not is_verified(claims):
        return Refusal(
            _(
                "Your identity provider does not say that your e-mail address is verified. Ask whoever runs "
                "it to send email_verified."
            ),
            can_sign_in=False,
        )
    email = address_in(claims)
    role = settings.people.get(email) if email else None
    if email is None or role not in ROLES:
        return Refusal(
            _(
                "Your account has no access to this dashboard. Ask an administrator to add your address "
                "to DASHBOARD_PEOPLE."
            ),
            can_sign_in=False,
        )
    return Person(email, role)  # type: ignore[arg-type]  # ROLES are the literals of Role


def visitor() -> Person | Refusal:
    """Decide who is looking at this page now."""
    claims = {str(key): value for key, value in st.user.to_dict().items()}
    return admit(runtime.current().settings, claims, now=time.time())


def signed_in() -> Person:
    """Return the person looking; raises NotAllowedError for anyone who should see the sign-in page."""
    person = visitor()
    if isinstance(person, Refusal):
        raise NotAllowedError(person.reason)
    return person


def speak_to_visitor() -> bool:
    """Speak the language of whoever is looking: theirs, else everybody's; False while nobody is looking."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return False
    language = None
    with suppress(DashboardError):
        app, person = runtime.current(), visitor()
        own = app.ledger.settings.language_of(person.name) if isinstance(person, Person) else None
        everybodys = app.settings.language
        language = own or (None if everybodys == app.given.language else everybodys)
    words.speak(language if language in words.languages() else None)
    return True


def only(role: Role) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function run only for people with this role; decorates every function that changes something."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            person = signed_in()
            if not person.may(role):
                raise NotAllowedError(
                    _("This needs the role {role}; yours is {own}. Ask an administrator for it.").format(
                        role=role, own=person.role
                    )
                )
            return function(*args, **kwargs)

        return checked

    return decorate
