"""DASHBOARD_PEOPLE: nobody gets a role by a slip of the pen, and every slip is named by its place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.errors import SettingsError
from dashboard.settings import ROLES, load_settings


def people_of(text: str) -> dict[str, str]:
    return load_settings(people=text).people


def test_people_are_read_as_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHBOARD_PEOPLE", "Ann@Example.com=admin, bob@example.com=viewer,\n")
    assert load_settings().people == {"ann@example.com": "admin", "bob@example.com": "viewer"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("=admin", 1),
        ("admin", 1),
        ("ann@example.com", 1),
        ("ann=admin", 1),
        ("ann@=admin", 1),
        ("Ann <ann@example.com>=admin", 1),
        ("ann@example.com=Admin", 1),
        ("ann@example.com=admin=viewer", 1),
        ("ann@example.com=admin bob@example.com=viewer", 1),
        ("ann@example.com:admin", 1),
        ("ann@example.com=admin,=viewer", 2),
        ("ann@example.com=admin,b\u200bob@example.com=viewer", 2),
        ("ann@example.com=admin,bob@example.com=viewer,ann@example.com=viewer", 3),
        ("ann@example.com=viewer,ANN@example.com=admin", 2),
    ],
)
def test_a_slip_is_named_by_its_place(text: str, place: int) -> None:
    with pytest.raises(SettingsError, match=rf"DASHBOARD_PEOPLE: entry {place} ") as caught:
        people_of(text)
    assert "write ann@example.com=admin" in str(caught.value)
    assert "bob" not in str(caught.value)


def test_every_slip_is_named() -> None:
    said = r"entry 1 has no e-mail address.*; entry 3 has no role.*viewer, sender, approver, admin"
    with pytest.raises(SettingsError, match=said):
        people_of("=admin,ann@example.com=admin,bob@example.com=boss")


def test_the_same_twice_is_once() -> None:
    assert people_of("ann@example.com=admin,Ann@example.com=admin") == {"ann@example.com": "admin"}


@given(st.lists(st.tuples(st.text(max_size=12), st.sampled_from([*ROLES, "boss", ""])), max_size=4))
def test_whoever_gets_a_role_was_written_with_it(entries: list[tuple[str, str]]) -> None:
    text = ",".join(f"{name}@x.example={role}" for name, role in entries)
    try:
        people = people_of(text)
    except SettingsError:
        return
    written = re.split(r"\s*,\s*", text.strip().encode().lower().decode())
    assert {f"{email}={role}" for email, role in people.items()} == {one for one in written if one}
