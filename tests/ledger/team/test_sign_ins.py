"""Sessions that every process sees and can end; addresses that stay with the account that came first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from each import each
from fixtures_ledger import Clock
from interleaved import at_every_point
from sqlalchemy import select

from dashboard.errors import OptionError, SettingsError
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.team.sign_ins import Account

ISSUER = "https://id.example"
ANN = Account(ISSUER, "sub-1", "ann@example.com")
BOB = Account(ISSUER, "sub-2", "bob@example.com")
HOUR = timedelta(hours=1)


def who(ledger: Ledger, issuer: str = ISSUER) -> list[str]:
    return sorted(session.address for session in ledger.sign_ins.current(issuer))


def begin(ledger: Ledger, account: Account) -> str:
    cookie = ledger.sign_ins.begin(account, lasting=HOUR)
    assert cookie is not None
    return cookie


def test_a_session_ends_on_time_and_is_deleted_by_the_next(ledger: Ledger, clock: Clock) -> None:
    begin(ledger, ANN)
    clock.advance(3600)
    assert who(ledger) == []
    cookie = begin(ledger, BOB)
    with ledger.database.read() as connection:
        (row,) = connection.exec_driver_sql("SELECT * FROM browser_session").all()
    assert cookie not in repr(row), "the cookie itself is nowhere in the ledger"
    assert len(cookie) == 43


@each("lasting", [timedelta.max, -HOUR])
def test_a_session_lasts_no_longer_than_anybody(ledger: Ledger, lasting: timedelta) -> None:
    with pytest.raises(OptionError, match="lasting must be between 0 and 36500 days"):
        ledger.sign_ins.begin(ANN, lasting=lasting)
    assert ledger.audit.entries().empty


def test_another_account_with_somebodys_address_is_not_that_person(ledger: Ledger) -> None:
    begin(ledger, ANN)
    begin(ledger, ANN)
    assert ledger.sign_ins.begin(replace(ANN, subject="sub-9"), lasting=HOUR) is None
    (told,) = ledger.audit.entries(what="refused sign-in").to_dict("records")
    assert (told["who"], told["about"]) == ("", ANN.address), "nobody knows who that was"
    ledger.sign_ins.admit(ANN.address)
    assert who(ledger) == []
    begin(ledger, replace(ANN, subject="sub-9"))
    assert ledger.sign_ins.begin(ANN, lasting=HOUR) is None


def test_accounts_of_another_issuer_are_others(ledger: Ledger) -> None:
    begin(ledger, ANN)
    assert who(ledger, "https://other.example") == []
    begin(ledger, Account("https://other.example", "7", ANN.address))
    assert who(ledger) == [ANN.address]


@each("typed", ["+44 7400 900777", "ann", "", "ann@example.com\n\n(+44 7400 900777)"])
def test_what_is_no_address_is_neither_barred_nor_written_down(ledger: Ledger, typed: str) -> None:
    for act in (ledger.sign_ins.bar, ledger.sign_ins.admit):
        with pytest.raises(SettingsError, match="not an e-mail address"):
            act(typed)
    assert ledger.audit.entries().empty
    with ledger.database.read() as connection:
        assert connection.execute(select(schema.barred)).all() == []


def test_an_address_is_the_same_however_it_is_typed(ledger: Ledger) -> None:
    begin(ledger, ANN)
    assert ledger.sign_ins.bar(" Ann@Example.COM ") == 1
    assert ledger.sign_ins.begin(ANN, lasting=HOUR) is None
    ledger.sign_ins.admit("ANN@example.com")
    begin(ledger, ANN)


@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("act", ["admit", "remove"])
def test_who_signs_in_while_their_account_is_forgotten_is_let_in(ledger: Ledger, act: str) -> None:
    """Whatever comes first, signing in ends with a cookie; `admit` and the page forget the account."""
    let_in = list[str | None]()

    def prepared(point: int) -> tuple[Callable[[], object], Callable[[], object]]:
        account = replace(ANN, address=f"ann{point}@example.com")
        ledger.people.add(account.address, "viewer", who="eve@example.com")
        begin(ledger, account)
        forget = {
            "admit": partial(ledger.sign_ins.admit, account.address),
            "remove": partial(ledger.people.remove, account.address, who="eve@example.com"),
        }
        return lambda: let_in.append(ledger.sign_ins.begin(account, lasting=HOUR)), forget[act]

    points = list(at_every_point(ledger, prepared))
    assert len(let_in) > len(points) > 3
    assert all(let_in)
