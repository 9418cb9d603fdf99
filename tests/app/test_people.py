"""Who gets in and who may change something, by the claims of the identity token."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from page_reading import MAIN, go, words
from patience import PATIENCE_S
from sign_in_settings import AS_FIELDS
from streamlit.testing.v1 import AppTest

from dashboard.app import actions, drafting, people, runtime, starting
from dashboard.app.door.desk import Desk, Seat
from dashboard.app.people import NotAllowedError, Person, Refusal, admit
from dashboard.app.phrasing.roles import role_name
from dashboard.app.runtime import Runtime
from dashboard.app.widgets.plain import plain
from dashboard.ledger.team.sign_ins import Account
from dashboard.settings import ROLES, Settings, load_settings

NOW = 1_795_000_000.0
ISSUER = "https://id.example"
ANN = {"iss": ISSUER, "sub": "2482", "email": "Ann@Example.com", "email_verified": True, "exp": NOW + 60}
LOCKED: dict[str, Any] = AS_FIELDS | {"oidc_issuer": ISSUER}


def sign_in_settings(**others: object) -> Settings:
    people = {"ann@example.com": "sender", "vic@example.com": "viewer"}
    return load_settings(**LOCKED | {"people": people, "sms_base_url": None} | others)


def admitted(settings: Settings, claims: dict[str, object]) -> Account | Refusal:
    return admit(settings, claims, people=settings.people, now=NOW)


def test_a_listed_person_is_known_by_their_account_whatever_the_case_of_their_address() -> None:
    assert admitted(sign_in_settings(), ANN) == Account(ISSUER, "2482", "ann@example.com")


@each(
    "claim, values",
    [
        ("exp", [NOW - 1]),  # Streamlit's cookie lives 30 days; the token does not
        ("exp", [None, "soon", str(NOW + 60), True, float("nan"), float("inf")]),  # a number, by the standard
        ("iss", ["https://id.example.evil"]),  # a cookie of another provider, signed with the same secret
        ("iss", ["HTTPS://ID.EXAMPLE", None, ["https://id.example"]]),
        ("sub", ["", " ", None, 7, "ä", "a" * 256]),
        ("email_verified", [False, "false", "true", "True", 1, "no", None]),
        ("email", ["ann+x@example.com", "a.nn@example.com", " ann@example.com", "ann@example.com\n"]),
        ("email", ["ann@example.com.", ["ann@example.com"], "eve@example.com", None]),
        ("email", ["\N{CYRILLIC SMALL LETTER A}nn@example.com"]),
        ("email", ["\N{FULLWIDTH LATIN SMALL LETTER A}nn@example.com"]),
    ],
)
def test_everybody_else_is_refused_with_a_sentence(claim: str, values: list[object]) -> None:
    silent = {name: value for name, value in ANN.items() if name != claim}
    for claims in (silent, *(ANN | {claim: value} for value in values)):
        refused = admitted(sign_in_settings(), claims)
        assert isinstance(refused, Refusal), claims
        assert refused.reason.endswith(".")


def test_a_trusted_issuer_may_be_silent_on_addresses_but_not_doubt_them() -> None:
    trusting = sign_in_settings(oidc_addresses_are_verified=True)
    silent = {name: value for name, value in ANN.items() if name != "email_verified"}
    assert isinstance(admitted(trusting, silent), Account)
    assert isinstance(admitted(trusting, silent | {"iss": "https://other.example"}), Refusal)
    for says in (False, None, "true", "false", 1, "no"):
        assert isinstance(admitted(trusting, silent | {"email_verified": says}), Refusal)


def test_a_slash_behind_the_issuer_is_no_matter() -> None:
    for set_as, said in ((ISSUER + "/", ISSUER), (ISSUER, ISSUER + "/")):
        settings = sign_in_settings().model_copy(update={"oidc_issuer": set_as})
        assert isinstance(admitted(settings, ANN | {"iss": said}), Account)


def test_no_letter_of_another_alphabet_becomes_one_of_ours() -> None:
    """`str.lower` makes a k of the Kelvin sign, and would let in another address than the one listed."""
    settings = sign_in_settings(people="kim@example.com=admin")
    kelvin = "\N{KELVIN SIGN}im@example.com"
    assert kelvin.lower() == "kim@example.com"
    assert isinstance(admitted(settings, ANN | {"email": kelvin}), Refusal)
    listed = sign_in_settings(people=f"{kelvin}=admin")
    assert isinstance(admitted(listed, ANN | {"email": "kim@example.com"}), Refusal)


ODD = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1.0, {}, [], "", "true", "false", "no"),
        *(NOW - 1, NOW, NOW + 1, str(NOW + 1), float("nan"), float("inf"), 2**70, 10**400),
        *(ISSUER, ISSUER + "/x", "http://id.example"),
        *("ann@example.com", "ANN@EXAMPLE.COM", "Vic@example.com", "eve@example.com", "ann@EXAMPLE.com "),
    ]
)
ALMOST = st.fixed_dictionaries(
    {},
    optional={
        "sub": st.just("7") | ODD,
        "iss": st.just(ISSUER) | ODD,
        "exp": st.just(NOW + 1) | st.floats() | st.integers() | ODD,
        "email_verified": st.just(True) | ODD,
        "email": st.just("Ann@Example.com") | st.text(max_size=5) | ODD,
    },
)


@given(ALMOST)
def test_only_whoever_every_claim_speaks_for_gets_in(claims: dict[str, object]) -> None:
    """The claims as JSON, so that a judge of another kind decides: letters, not Python's equality."""
    said = {name: json.dumps(value) for name, value in claims.items()}
    right = (
        said.get("email_verified") == "true"
        and re.fullmatch('".*[^ ].*"', said.get("sub", "")) is not None
        and said.get("iss") in (f'"{ISSUER}"', f'"{ISSUER}/"')
        and re.fullmatch(r"[0-9.e+]+", said.get("exp", "")) is not None
        and json.loads(said["exp"]) > NOW
        and said.get("email", "").encode().lower() in (b'"ann@example.com"', b'"vic@example.com"')
    )
    assert isinstance(admitted(sign_in_settings(), claims), Account) is right


def test_each_role_includes_the_ones_before_it() -> None:
    for place, role in enumerate(("viewer", "sender", "approver", "admin")):
        assert [Person("a", role).may(one) for one in ROLES] == [at <= place for at in range(len(ROLES))]


CHANGING = [
    function
    for module in (actions, drafting, starting)
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and not name.startswith("_")
]


@each("change", CHANGING)
def test_every_change_asks_who_it_is_first(
    change: Callable[..., object], wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime.use(locked(wired))
    monkeypatch.setattr(people.st, "user", SignedIn())
    asked = inspect.signature(change).parameters
    with pytest.raises(NotAllowedError):
        change(**{name: None for name, one in asked.items() if one.kind is not inspect.Parameter.VAR_KEYWORD})


NEEDED = {
    **dict.fromkeys(("choose_language", "check_number", "handed_out"), "viewer"),
    "approve_campaign": "approver",
    **dict.fromkeys(("remove_opt_out", "change_settings", "add_person"), "admin"),
    **dict.fromkeys(("change_person", "remove_person"), "admin"),
}
"""Every other change is for senders."""


@each("change", CHANGING)
def test_a_role_that_is_too_low_changes_nothing(
    wired: Runtime,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    change: Callable[..., object],
) -> None:
    step = change.__name__
    for role in ROLES[: ROLES.index(NEEDED.get(step, "sender"))]:
        opened = locked(wired, people={"ann@example.com": role})
        runtime.use(opened)
        monkeypatch.setattr(people.st, "user", SignedIn(seat=seat_at(opened, "ann@example.com").key))
        asked = inspect.signature(change).parameters.values()
        arguments = {one.name: "x" for one in asked if one.kind is not inspect.Parameter.VAR_KEYWORD}
        with pytest.raises(NotAllowedError, match=f"yours is {role_name(role)}"):
            change(**arguments)
        assert [line for line in caplog.messages if step in line and f"by a {role}" in line]
    assert "ann@example.com" not in caplog.text


class SignedIn(dict[str, Any]):
    """What `st.user` is outside a page."""

    def to_dict(self) -> dict[str, object]:
        return dict(self)


def locked(wired: Runtime, **others: object) -> Runtime:
    """The same process where people have to sign in."""
    settings = sign_in_settings(**others)
    return replace(wired, given=settings, desk=Desk(wired.ledger, settings))


def seat_at(wired: Runtime, address: str) -> Seat:
    assert wired.desk is not None
    seat = wired.desk.seat(wired.desk.begin(Account(ISSUER, f"sub of {address}", address)))
    assert seat is not None
    return seat


def visit(
    opened: Runtime,
    view: str = "overview",
    *,
    who: str = "",
    query: dict[str, str] | None = None,
    **user: object,
) -> AppTest:
    """A page as somebody opens it: who is signed in with this address, or of whom Streamlit says that."""
    runtime.use(opened)
    page = AppTest.from_file(str(MAIN), default_timeout=PATIENCE_S)
    page.user = {"seat": seat_at(opened, who).key} if who else user
    return go(page, view, **query or {})


@each("user", [{}, {"seat": None}, {"seat": ""}, {"seat": "0" * 32}, {"email": "ann@example.com"}])
def test_without_a_seat_there_is_no_page(wired: Runtime, user: dict[str, object]) -> None:
    """Nor where no server of ours stands before the pages, as with `streamlit run`."""
    page = visit(locked(wired), **user)
    assert "Your sign-in has ended" in words(page)
    assert not page.button
    assert not page.metric


def test_who_is_signed_in_is_named_and_has_no_page_any_more_once_that_ends(wired: Runtime) -> None:
    opened = locked(wired)
    assert opened.desk is not None
    page = visit(opened, who="ann@example.com")
    assert page.title[0].value == "Overview"
    assert f"Signed in as {plain('ann@example.com')} (Campaign sender)" in words(page)
    next(one for one in page.button if one.label == "Sign out").click().run()
    assert "Your sign-in has ended" in words(page)
    page = visit(opened, "new", who="vic@example.com")
    assert "needs the role Campaign sender" in words(page)
    assert len(page.file_uploader) == 0
    opened.ledger.sign_ins.bar("vic@example.com")
    opened.desk.read()
    assert "Your sign-in has ended" in words(page.run())
