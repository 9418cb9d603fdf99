"""Who gets in and who may change something, by the claims of the identity token."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from page_reading import MAIN, words
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest

from dashboard.app import actions, people, runtime
from dashboard.app.people import LOCAL, NotAllowedError, Person, Refusal, admit
from dashboard.app.runtime import Runtime
from dashboard.app.widgets.plain import plain
from dashboard.settings import Settings, load_settings

NOW = 1_795_000_000.0
ISSUER = "https://id.example"
ANN = {
    "is_logged_in": True,
    "iss": ISSUER,
    "email": "Ann@Example.com",
    "email_verified": True,
    "exp": NOW + 60,
}


LOCKED = {
    "oidc_issuer": ISSUER,
    "oidc_client_id": "dashboard",
    "oidc_client_secret": "fictional-client-secret",
    "oidc_cookie_secret": "Vq3ZkW8xTb1MnR6yHs2LpD5gJf9CuA7e",
}


def sign_in_settings(**others: object) -> Settings:
    return load_settings(
        **LOCKED,
        people={"ann@example.com": "sender", "vic@example.com": "viewer"},
        **others,
    )


def test_without_an_issuer_everybody_on_this_machine_is_an_admin() -> None:
    assert admit(load_settings(oidc_issuer=None), {}, now=NOW) == LOCAL


def test_a_listed_person_gets_their_role_whatever_the_case_of_their_address() -> None:
    assert admit(sign_in_settings(), ANN, now=NOW) == Person("ann@example.com", "sender")


@each(
    "change, can_sign_in",
    [
        ({"is_logged_in": False}, True),
        ({"exp": NOW - 1}, True),  # Streamlit's cookie lives 30 days; the token does not
        ({"exp": None}, True),
        ({"exp": "soon"}, True),
        ({"exp": str(NOW + 60)}, True),  # a number, by the standard
        ({"exp": True}, True),
        ({"exp": float("nan")}, True),  # neither over nor not
        ({"exp": float("inf")}, True),
        (
            {"iss": "https://id.example.evil"},
            True,
        ),  # a cookie of another provider, signed with the same secret
        ({"iss": "HTTPS://ID.EXAMPLE"}, True),
        ({"iss": None}, True),
        ({"iss": ["https://id.example"]}, True),
        ({"is_logged_in": "yes"}, True),
        ({"email_verified": False}, False),
        ({"email_verified": "false"}, False),
        ({"email_verified": "true"}, False),
        ({"email_verified": "True"}, False),
        ({"email_verified": 1}, False),
        ({"email_verified": "no"}, False),
        ({"email_verified": None}, False),
        ({"email": "ann+x@example.com"}, False),
        ({"email": "a.nn@example.com"}, False),
        ({"email": " ann@example.com"}, False),
        ({"email": "ann@example.com\n"}, False),
        ({"email": "ann@example.com."}, False),
        ({"email": ["ann@example.com"]}, False),
        ({"email": "\N{CYRILLIC SMALL LETTER A}nn@example.com"}, False),
        ({"email": "\N{FULLWIDTH LATIN SMALL LETTER A}nn@example.com"}, False),
        ({"email": "eve@example.com"}, False),
        ({"email": None}, False),
    ],
)
def test_everybody_else_is_refused_with_a_sentence(change: dict[str, object], can_sign_in: bool) -> None:
    refused = admit(sign_in_settings(), ANN | change, now=NOW)
    assert isinstance(refused, Refusal)
    assert refused.can_sign_in is can_sign_in
    assert refused.reason.endswith(".")


@pytest.mark.parametrize("claim", ["is_logged_in", "iss", "exp", "email_verified", "email"])
def test_a_token_that_is_silent_on_something_opens_nothing(claim: str) -> None:
    silent = {name: value for name, value in ANN.items() if name != claim}
    assert isinstance(admit(sign_in_settings(), silent, now=NOW), Refusal)


@pytest.mark.parametrize(("set_as", "said"), [(ISSUER + "/", ISSUER), (ISSUER, ISSUER + "/")])
def test_a_slash_behind_the_issuer_is_no_matter(set_as: str, said: str) -> None:
    settings = sign_in_settings().model_copy(update={"oidc_issuer": set_as})
    assert isinstance(admit(settings, ANN | {"iss": said}, now=NOW), Person)


def test_no_letter_of_another_alphabet_becomes_one_of_ours() -> None:
    """`str.lower` makes a k of the Kelvin sign, and would let in another address than the one listed."""
    settings = load_settings(**LOCKED, people="kim@example.com=admin")
    kelvin = "\N{KELVIN SIGN}im@example.com"
    assert kelvin.lower() == "kim@example.com"
    assert isinstance(admit(settings, ANN | {"email": kelvin}, now=NOW), Refusal)
    listed = load_settings(**LOCKED, people=f"{kelvin}=admin")
    assert isinstance(admit(listed, ANN | {"email": "kim@example.com"}, now=NOW), Refusal)


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
        "is_logged_in": st.just(True) | ODD,
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
        said.get("is_logged_in") == said.get("email_verified") == "true"
        and said.get("iss") in (f'"{ISSUER}"', f'"{ISSUER}/"')
        and re.fullmatch(r"[0-9.e+]+", said.get("exp", "")) is not None
        and json.loads(said["exp"]) > NOW
        and said.get("email", "").encode().lower() in (b'"ann@example.com"', b'"vic@example.com"')
    )
    assert isinstance(admit(sign_in_settings(), claims, now=NOW), Person) is right


def test_each_role_includes_the_ones_before_it() -> None:
    allowed = {
        role: [one for one in ("viewer", "sender", "admin") if Person("a", role).may(one)]
        for role in ("viewer", "sender", "admin")
    }
    assert allowed == {
        "viewer": ["viewer"],
        "sender": ["viewer", "sender"],
        "admin": ["viewer", "sender", "admin"],
    }


CHANGING = [
    function
    for name, function in inspect.getmembers(actions, inspect.isfunction)
    if function.__module__ == actions.__name__ and not name.startswith("_")
]


@pytest.mark.parametrize("change", CHANGING, ids=lambda function: function.__name__)
def test_every_change_asks_who_it_is_first(
    change: Callable[..., object], wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime.use(replace(wired, settings=sign_in_settings()))
    monkeypatch.setattr(people.st, "user", _Claims({"is_logged_in": False}))
    asked = inspect.signature(change).parameters
    with pytest.raises(NotAllowedError):
        change(**{name: None for name, one in asked.items() if one.kind is not inspect.Parameter.VAR_KEYWORD})


@pytest.mark.parametrize(
    ("role", "step"),
    [("viewer", "pause_campaign"), ("viewer", "start_campaign"), ("sender", "remove_opt_out")],
)
def test_a_role_that_is_too_low_changes_nothing(
    wired: Runtime, monkeypatch: pytest.MonkeyPatch, role: str, step: str
) -> None:
    settings = sign_in_settings().model_copy(update={"people": {"ann@example.com": role}})
    runtime.use(replace(wired, settings=settings))
    monkeypatch.setattr(people.st, "user", _Claims(ANN | {"exp": 4e9}))
    change = getattr(actions, step)
    arguments = dict.fromkeys(inspect.signature(change).parameters, "x")
    with pytest.raises(NotAllowedError, match=f"yours is {role}"):
        change(**arguments)


class _Claims(dict):  # type: ignore[type-arg]
    """What `st.user` is outside a page."""

    def to_dict(self) -> dict[str, object]:
        return dict(self)


def visit(wired: Runtime, view: str = "", **claims: object) -> AppTest:
    runtime.use(replace(wired, settings=sign_in_settings(sms_base_url=None)))
    page = AppTest.from_file(str(MAIN), default_timeout=PATIENCE_S)
    page.user = claims
    page.run()
    if view:
        page.switch_page(f"views/{view}.py").run()
    assert not page.exception, page.exception
    return page


def test_signed_out_there_is_one_button_and_no_page(wired: Runtime) -> None:
    page = visit(wired, is_logged_in=False)
    assert page.title[0].value == "Campaign dashboard"
    assert [one.label for one in page.button] == ["Sign in"]


def test_without_a_role_there_is_no_page(wired: Runtime) -> None:
    page = visit(wired, **ANN | {"email": "eve@example.com", "exp": 4e9})
    assert page.title[0].value == "No access"
    assert [one.label for one in page.button] == ["Sign out"]


def test_a_viewer_sees_pages_but_cannot_send(wired: Runtime) -> None:
    page = visit(wired, "new", **ANN | {"email": "vic@example.com", "exp": 4e9})
    assert "needs the role sender" in words(page)
    assert len(page.file_uploader) == 0


def test_a_person_who_is_signed_in_is_named(wired: Runtime) -> None:
    page = visit(wired, **ANN | {"exp": 4e9})
    assert page.title[0].value == "Overview"
    assert f"Signed in as {plain('ann@example.com')} (sender)" in words(page)
