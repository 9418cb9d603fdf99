"""The desk: who sits there, for how long, and that a copy nobody renews admits nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from patience import wait_until
from test_people import ISSUER, LOCKED

from dashboard.app.door import desk as desk_module
from dashboard.app.door.desk import MOST_FILES, Desk, Seat, desk_of
from dashboard.ledger import Ledger
from dashboard.ledger.team.sign_ins import Account
from dashboard.settings import Settings, load_settings

ANN = Account(ISSUER, "sub-1", "ann@example.com")


def settings_of(people: str = "ann@example.com=viewer") -> Settings:
    return load_settings(**LOCKED | {"people": people}, session_hours=1)


@dataclass
class Now:
    at: float

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def now() -> Now:
    return Now(0)


@pytest.fixture
def open_desk(ledger: Ledger, clock: Callable[[], object], now: Now) -> Callable[..., Desk]:
    now.at = clock().timestamp()  # type: ignore[attr-defined]
    return lambda people="ann@example.com=viewer": Desk(ledger, settings_of(people), now=now)


def sit(desk: Desk) -> tuple[str, Seat]:
    cookie = desk.begin(ANN)
    seat = desk.seat(cookie)
    assert cookie is not None
    assert seat is not None
    return cookie, seat


def test_whoever_signs_in_sits_at_every_process_and_signs_out_at_all(open_desk: Callable[..., Desk]) -> None:
    one, other = open_desk(), open_desk()
    cookie, seat = sit(one)
    assert other.seat(cookie) is None
    other.read()
    there = other.seat(cookie)
    assert there is not None
    assert there.key != seat.key
    assert (one.seat_of_page(seat.key), one.seat_of_page(there.key)) == (seat, None)
    other.end(there)
    assert other.seat(cookie) is None
    one.read()
    assert one.seat(cookie) is None
    assert not one.holds(seat)
    assert one.seat_of_page(seat.key) is None


def test_no_other_cookie_opens_anything_and_a_seat_is_free_when_its_time_is_over(
    open_desk: Callable[..., Desk], now: Now
) -> None:
    desk = open_desk()
    cookie, seat = sit(desk)
    for other in (None, "", "0" * 43, "\ud800", "x" * 100_000):
        assert desk.seat(other) is None
        assert desk.seat_of_page(other) is None
    now.at += 3599
    assert desk.seat(cookie) is seat
    now.at += 1
    assert desk.seat(cookie) is None
    assert not desk.holds(seat)


def test_who_has_no_role_any_more_has_no_seat_after_the_restart(open_desk: Callable[..., Desk]) -> None:
    cookie, _ = sit(open_desk())
    assert open_desk().seat(cookie) is not None
    assert open_desk("bob@example.com=admin").seat(cookie) is None


def test_a_session_that_began_while_the_ledger_was_read_is_kept(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    read = desk._ledger.sign_ins.current
    held: list[str] = []

    def read_then_sign_in(issuer: str) -> list[object]:
        found = read(issuer)
        held.append(sit(desk)[0])
        return found  # type: ignore[return-value]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk._ledger.sign_ins, "current", read_then_sign_in)
        desk.read()
    assert desk.seat(held[0]) is not None
    desk.read()
    assert desk.seat(held[0]) is not None


def test_a_copy_that_is_not_renewed_admits_nobody(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk()
    cookie, _ = sit(desk)
    monkeypatch.setattr(desk_module, "STALE_S", 0.0)
    assert desk.seat(cookie) is None


def test_a_browser_keeps_the_newest_of_what_it_was_shown() -> None:
    seat = Seat("id", "ann@example.com", 0)
    seat.show(["first", "second"])
    seat.show(f"{number}" for number in range(MOST_FILES - 2))
    seat.show(["first"])
    assert seat.was_shown("first")
    seat.show(["last"])
    assert not seat.was_shown("second")
    assert seat.was_shown("first")


def test_a_persons_pages_are_those_of_all_their_browsers_and_nobody_elses(
    open_desk: Callable[..., Desk],
) -> None:
    desk = open_desk("ann@example.com=viewer,bob@example.com=viewer")
    for page, account in (("1", ANN), ("2", ANN), ("3", Account(ISSUER, "sub-2", "bob@example.com"))):
        seat = desk.seat(desk.begin(account))
        assert seat is not None
        seat.tabs.add(page)
    assert desk.tabs_of("ann@example.com") == {"1", "2"}


def test_it_is_kept_up_to_date_while_it_is_open_where_people_sign_in(ledger: Ledger) -> None:
    with desk_of(ledger, load_settings(oidc_issuer=None)) as none:
        assert none is None
    with desk_of(ledger, settings_of()) as desk:
        assert desk is not None
        _, seat = sit(desk)
        ledger.sign_ins.bar(ANN.address)
        wait_until(lambda: not desk.holds(seat))
