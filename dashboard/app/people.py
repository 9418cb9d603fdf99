"""Who is looking, and what they may do.

Sign-in is on as soon as DASHBOARD_OIDC_ISSUER is set; DASHBOARD_PEOPLE and the ledger say who may enter,
and in which role.
`server/` lets nobody reach a page who is not signed in. Whom a page runs for is asked again here, on every
run and once more before every change.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard import words
from dashboard.app import runtime
from dashboard.app.door.claims import address_in, is_current, is_from, is_verified, subject_in
from dashboard.app.phrasing.roles import role_name
from dashboard.errors import DashboardError
from dashboard.ledger.audit.acting import acting
from dashboard.ledger.audit.chain import Detail
from dashboard.ledger.audit.verbs import Verb
from dashboard.ledger.team.sign_ins import Account
from dashboard.settings import ROLES, Settings
from dashboard.words import _

log = logging.getLogger(__name__)

Role = Literal["viewer", "sender", "approver", "admin"]
P = ParamSpec("P")
R = TypeVar("R")


class NotAllowedError(DashboardError):
    """The person is signed out, or their role does not allow the step."""


@dataclass(frozen=True)
class Person:
    """Someone who is looking at the dashboard.

    Attributes:
        name: Their e-mail address, or `local` when sign-in is off.
        role: What they may do; each role includes the ones before it (viewer, sender, approver,
            admin).
        exports: Whether they may download files although they are a viewer.
    """

    name: str
    role: Role
    exports: bool = False

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
        return self.exports or self.may("sender")


LOCAL = Person("local", "admin")
SEAT = "seat"
"""Where st.user has the key of the seat for which a page runs; server/ puts it there."""


@dataclass(frozen=True)
class Refusal:
    """Why somebody gets no page."""

    reason: str


def admit(
    settings: Settings, claims: Mapping[str, Any], *, people: Collection[str], now: float
) -> Account | Refusal:
    """Decide from the claims of an identity token whose account it is, and whether they may enter.

    Args:
        settings: The issuer.
        claims: Of a token that the issuer has just signed.
        people: The addresses of those who may enter.
        now: Unix time, compared with the token's `exp`.
    """
    issuer = settings.oidc_issuer or ""
    subject = subject_in(claims)
    if subject is None or not (is_current(claims, now=now) and is_from(claims, issuer)):
        return Refusal(_("Your sign-in has expired. Sign in again to continue."))
    if not is_verified(claims, trusted=settings.oidc_addresses_are_verified):
        return Refusal(
            _(
                "Your identity provider does not say that your e-mail address is verified. Ask whoever runs "
                "it to send email_verified."
            )
        )
    email = address_in(claims)
    if email is None or email not in people:
        return Refusal(
            _("Your account has no access to this dashboard. Ask whoever runs it to add your address.")
        )
    return Account(issuer.removesuffix("/"), subject, email)


def visitor() -> Person | Refusal:
    """Decide who is looking at this page now."""
    app = runtime.current()
    if not app.given.oidc_issuer:
        return LOCAL
    seat = app.desk.seat_of_page(st.user.to_dict().get(SEAT)) if app.desk else None
    listed = app.desk.people.get(seat.address) if app.desk and seat else None
    if listed is None or listed.role not in ROLES:
        return Refusal(_("Your sign-in has ended. Reload the page to sign in again."))
    return Person(listed.address, listed.role, listed.exports)  # type: ignore[arg-type]  # ROLES are the literals of Role


def sign_out() -> None:
    """Sign this browser out; its pages are sent to the sign-in page within a moment."""
    desk = runtime.current().desk
    seat = desk.seat_of_page(st.user.to_dict().get(SEAT)) if desk else None
    if desk and seat:
        desk.end(seat)


def signed_in() -> Person:
    """Return the person looking; raises NotAllowedError for anyone who should see the sign-in page."""
    person = visitor()
    if isinstance(person, Refusal):
        raise NotAllowedError(person.reason)
    return person


def still_may(person: Person) -> bool:
    """Whether somebody may do what they could when their page was drawn; for outside the session."""
    app = runtime.current()
    if app.desk is None:
        return person == LOCAL
    listed = app.desk.people.get(person.name)
    return listed is not None and (listed.role, listed.exports) == (person.role, person.exports)


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


def only(role: Role, *, tells: Collection[Verb] | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function run only for people with this role; decorates every function that changes something.

    Args:
        role: The least that it takes.
        tells: Which of the changes it makes stands in the audit trail, with the person; the first one if left
            out. It is one row, however much a function does.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            person = signed_in()
            if not person.may(role):
                log.warning(
                    "%s is for the role %s, and was asked for by a %s.", function.__name__, role, person.role
                )
                raise NotAllowedError(
                    _("This needs the role {role}; yours is {own}. Ask an administrator for it.").format(
                        role=role_name(role), own=role_name(person.role)
                    )
                )
            with acting(person.name, tells):
                return function(*args, **kwargs)

        return checked

    return decorate


def tell(verb: Verb, about: str, **details: Detail) -> None:
    """Keep in the audit trail what was done to a draft, a file or a report; the ledger tells the rest."""
    runtime.current().ledger.audit.tell(verb, about, details)
