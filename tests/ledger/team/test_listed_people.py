"""People in the ledger: what counts of an address, who decided it, and that somebody can always decide."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from fixtures_ledger import Clock
from sign_in_settings import AS_FIELDS

from dashboard.errors import LedgerError, SettingsError
from dashboard.ledger import Ledger, Listed
from dashboard.ledger.team.sign_ins import Account
from dashboard.settings import ROLES, Settings, load_settings

ISSUER = "https://id.example"
ANN, BOB, CEM = (f"{name}@example.com" for name in ("ann", "bob", "cem"))


def outside(text: str = f"{ANN}=admin") -> Settings:
    """What the environment says of people."""
    return load_settings(**AS_FIELDS | {"oidc_issuer": ISSUER, "people": text})


def roles(ledger: Ledger, given: Settings) -> dict[str, str]:
    return {address: one.role for address, one in ledger.people.now(given).items()}


def test_every_process_knows_who_was_added_changed_and_removed(ledger_url: str, clock: Clock) -> None:
    env = outside()
    with Ledger.open(ledger_url, now=clock) as one, Ledger.open(ledger_url, now=clock) as other:
        one.people.add(" Bob@Example.com", "viewer", who=ANN, given=env)
        assert other.people.now(env)[BOB] == Listed(BOB, "viewer", who=ANN, at=clock())
        other.people.change(BOB, "sender", who=ANN, given=env)
        assert roles(one, env) == {ANN: "admin", BOB: "sender"}
        one.people.remove(BOB, who=ANN, given=env)
        assert roles(other, env) == {ANN: "admin"}
        told = one.audit.entries()
        assert told[["what", "about", "details"]].values.tolist() == [
            ["remove person", BOB, "{}"],
            ["change person", BOB, '{"role":"sender"}'],
            ["add person", BOB, '{"role":"viewer"}'],
        ]


def test_exporting_is_a_right_that_only_viewers_need(ledger: Ledger) -> None:
    env = outside()
    for role in ROLES:
        ledger.people.add(f"{role}@example.com", role, exports=True, who=ANN, given=env)
    found = ledger.people.now(env)
    assert {role for role in ROLES if found[f"{role}@example.com"].exports} == {"viewer"}
    ledger.people.change("viewer@example.com", "viewer", who=ANN, given=env)
    assert not ledger.people.now(env)["viewer@example.com"].exports
    assert ledger.audit.entries()["details"].tolist()[:1] == ['{"role":"viewer"}']


def test_what_is_removed_is_signed_out_and_may_come_back_with_another_account(ledger: Ledger) -> None:
    env = outside()
    hour = timedelta(hours=1)
    ledger.people.add(BOB, "viewer", who=ANN, given=env)
    assert ledger.sign_ins.begin(Account(ISSUER, "old", BOB), lasting=hour)
    ledger.people.remove(BOB, who=ANN, given=env)
    assert ledger.sign_ins.current(ISSUER) == []
    ledger.people.add(BOB, "viewer", who=ANN, given=env)
    assert ledger.sign_ins.begin(Account(ISSUER, "new", BOB), lasting=hour)
    assert ledger.sign_ins.begin(Account(ISSUER, "old", BOB), lasting=hour) is None


def test_the_environment_counts_first_and_is_not_changed_here(ledger: Ledger) -> None:
    ledger.people.add(BOB, "admin", who=ANN, given=outside())
    env = outside(f"{ANN}=admin,{BOB}=viewer")
    assert ledger.people.now(env)[BOB] == Listed(BOB, "viewer")
    for change in (
        lambda: ledger.people.change(BOB, "admin", who=ANN, given=env),
        lambda: ledger.people.remove(BOB, who=ANN, given=env),
    ):
        with pytest.raises(SettingsError, match="named by whoever runs this dashboard"):
            change()
    assert ledger.people.now(outside())[BOB].role == "admin"


def test_what_is_no_address_or_role_is_not_taken_and_nobody_decides_namelessly(ledger: Ledger) -> None:
    env = outside()
    for typed in ("", "bob", "bob@", "Bob <bob@example.com>", "b ob@example.com", "a@b,c@d"):
        with pytest.raises(SettingsError, match=r"not an e-mail address. Write one such as"):
            ledger.people.add(typed, "viewer", who=ANN, given=env)
    with pytest.raises(SettingsError, match="Choose one of viewer, "):
        ledger.people.add(BOB, "boss", who=ANN, given=env)
    with pytest.raises(LedgerError, match="Say who"):
        ledger.people.add(BOB, "viewer", who=" ", given=env)
    assert roles(ledger, env) == {ANN: "admin"}


def test_of_two_who_change_a_person_the_second_looks_again(ledger: Ledger) -> None:
    env = outside()
    ledger.people.add(BOB, "viewer", who=ANN, given=env)
    seen = ledger.people.now(env)[BOB]
    ledger.people.change(BOB, "sender", who=ANN, given=env, seen=seen)
    with pytest.raises(SettingsError, match="Somebody else has just"):
        ledger.people.change(BOB, "admin", who=CEM, given=env, seen=seen)
    with pytest.raises(SettingsError, match="on the list already"):
        ledger.people.add("BOB@example.com", "viewer", who=CEM, given=env)
    ledger.people.remove(BOB, who=ANN, given=env)
    with pytest.raises(SettingsError, match="Somebody else has just"):
        ledger.people.change(BOB, "admin", who=CEM, given=env)


def test_of_two_administrators_who_remove_each_other_one_remains(ledger_url: str) -> None:
    env = outside(f"{ANN}=viewer")
    with Ledger.open(ledger_url) as ledger:
        for address in (BOB, CEM):
            ledger.people.add(address, "admin", who="system", given=env)

        def remove(address: str) -> bool:
            try:
                ledger.people.remove(address, who="the other", given=env)
            except SettingsError:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(remove, (BOB, CEM)))
        assert sorted(done) == [False, True]
        assert list(roles(ledger, env).values()).count("admin") == 1


def test_an_administrator_who_is_barred_is_none(ledger: Ledger) -> None:
    env = outside()
    ledger.people.add(BOB, "admin", who=ANN, given=env)
    ledger.sign_ins.bar(ANN)
    with pytest.raises(SettingsError, match="Nobody else is an administrator"):
        ledger.people.remove(BOB, who=BOB, given=env)
    with pytest.raises(SettingsError, match="Nobody else is an administrator"):
        ledger.people.change(BOB, "sender", who=BOB, given=env)
    ledger.people.add(CEM, "admin", who=BOB, given=env)
    ledger.people.change(BOB, "sender", who=CEM, given=env)
    assert roles(ledger, env) == {ANN: "admin", BOB: "sender", CEM: "admin"}
