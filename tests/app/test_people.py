"""Who gets in and who may change something, by the claims of the identity token."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

import pytest
from page_reading import MAIN, words
from streamlit.testing.v1 import AppTest

from dashboard.app import actions, people, runtime
from dashboard.app.people import LOCAL, NotAllowedError, Person, Refusal, admit
from dashboard.app.runtime import Runtime
from dashboard.settings import Settings, load_settings

NOW = 1_795_000_000.0
ANN = {
    "is_logged_in": True,
    "email": "Ann@Example.com",
    "email_verified": True,
    "exp": NOW + 60,
}


def sign_in_settings(**others: object) -> Settings:
    return load_settings(
        oidc_issuer="https://id.example",
        oidc_client_id="dashboard",
        oidc_client_secret="s" * 20,
        oidc_cookie_secret="c" * 40,
        people={"ann@example.com": "sender", "vic@example.com": "viewer"},
        **others,
    )


def test_without_an_issuer_everybody_on_this_machine_is_an_admin() -> None:
    assert admit(load_settings(oidc_issuer=None), {}, now=NOW) == LOCAL


def test_a_listed_person_gets_their_role_whatever_the_case_of_their_address() -> None:
    assert admit(sign_in_settings(), ANN, now=NOW) == Person("ann@example.com", "sender")


@pytest.mark.parametrize(
    ("change", "can_sign_in"),
    [
        ({"is_logged_in": False}, True),
        ({"exp": NOW - 1}, True),  # Streamlit's cookie lives 30 days; the token does not
        ({"exp": None}, True),
        ({"exp": "soon"}, True),
        ({"email_verified": False}, False),
        ({"email_verified": "false"}, False),
        ({"email": "eve@example.com"}, False),
        ({"email": None}, False),
    ],
)
def test_everybody_else_is_refused_with_a_sentence(change: dict[str, object], can_sign_in: bool) -> None:
    refused = admit(sign_in_settings(), ANN | change, now=NOW)
    assert isinstance(refused, Refusal)
    assert refused.can_sign_in is can_sign_in
    assert refused.reason.endswith(".")


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
    page = AppTest.from_file(str(MAIN), default_timeout=30)
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
    assert "Signed in as ann@example.com (sender)" in words(page)
