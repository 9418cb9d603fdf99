"""Settings kept in the ledger: what counts, for whom, who changed it, and that everybody has the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from each import each
from fixtures_ledger import Clock, gate_of
from patience import PATIENCE_S

from dashboard.errors import LedgerError, SettingsError
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.team import kept_settings
from dashboard.settings import load_settings
from dashboard.settings.owned import OWNED, TOGETHER, stored

BARE = load_settings(data="somewhere")
SET: dict[str, tuple[Any, Any]] = {  # as marketers decide it, and as the environment may set it
    "language": ("en", "en"),
    "country": ("DE", "FR"),
    "time_zone": ("Europe/Berlin", "Asia/Tokyo"),
    "currency": ("GBP", "USD"),
    "price_per_credit": ("0.0375", "0.2"),
    "price_list": ({"GB": "0.04", "FR": "0.06"}, "data/prices.csv"),
    "senders": (["ACME", "+447700900123"], "Shop"),
    "opt_out_line": ("Reply STOP to opt out", "STOP: reply STOP"),
    "texting_hours": ({"start": "08:00", "end": "18:30", "days": [0, 1, 2, 3, 4]}, "10:00-12:00 Mon"),
    "credits_per_campaign": (5000, "7"),
    "credits_per_day": (0, "8"),
    "approve_above": (1_000, "50"),
    "texts_per_person": (2, "9"),
    "texts_within_days": (3.5, "10"),
}
VALUES, OTHER = ({name: one[place] for name, one in SET.items()} for place in (0, 1))


def test_every_setting_of_marketers_is_kept_exactly(ledger: Ledger) -> None:
    assert set(VALUES) == set(OWNED)
    ledger.settings.change(VALUES, who="ann@example.com", given=BARE)
    settings = ledger.settings.now(BARE)
    assert {name: stored(name, getattr(settings, name)) for name in OWNED} == {
        name: stored(name, value) for name, value in VALUES.items()
    }
    assert settings.price_per_credit == Decimal("0.0375")


def test_others_have_a_change_soon(ledger: Ledger, ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept_settings.FRESH_S <= 2
    with Ledger.open(ledger_url) as other:
        assert other.settings.now(BARE).currency == "EUR"
        ledger.settings.change({"currency": "SEK"}, who="ann@example.com", given=BARE)
        assert ledger.settings.now(BARE).currency == "SEK"
        monkeypatch.setattr(kept_settings, "FRESH_S", 0)
        assert other.settings.now(BARE).currency == "SEK"


def test_each_change_is_kept_with_who_and_when_if_it_is_one(ledger: Ledger, clock: Clock) -> None:
    first = clock()
    assert ledger.settings.change({"country": "GB"}, who="ann@example.com", given=BARE) == ["country"]
    clock.advance(60)
    both = {"country": "GB", "credits_per_day": 0}
    assert ledger.settings.change(both, who="bob@example.com", given=BARE) == ["credits_per_day"]
    assert ledger.settings.change(both, who="bob@example.com", given=BARE) == []
    assert ledger.settings.change({"country": None}, who="bob@example.com", given=BARE) == ["country"]
    told = [(change.name, change.value, change.who) for change in ledger.settings.changes()]
    assert told == [
        ("country", None, "bob@example.com"),
        ("credits_per_day", 0, "bob@example.com"),
        ("country", "GB", "ann@example.com"),
    ]
    assert ledger.settings.changes()[-1].at == first
    assert set(ledger.settings.decided()) == {"credits_per_day"}
    assert ledger.settings.now(BARE).country is None
    begun = {"currency": "EUR", "texts_within_days": 7}  # what a setting begins with can be decided as well
    assert ledger.settings.change(begun, who="ann@example.com", given=BARE) == list(begun)
    assert ledger.settings.now(BARE).model_fields_set == {"data", "credits_per_day", *begun}


def test_all_or_none_is_changed_by_a_person_of_what_is_for_marketers(ledger: Ledger) -> None:
    with pytest.raises(SettingsError, match="Currency: write the three letters"):
        ledger.settings.change({"country": "GB", "currency": "euro"}, who="ann@example.com", given=BARE)
    for who in ("", " "):
        with pytest.raises(LedgerError, match="who"):
            ledger.settings.change({"country": "GB"}, who=who, given=BARE)
        with pytest.raises(LedgerError, match="who"):
            ledger.settings.choose_language(who, "en")
    with pytest.raises(SettingsError, match="Language"):
        ledger.settings.choose_language("ann@example.com", "tlh")
    for name in ("batch_size", "sms_api_key", "colour"):
        with pytest.raises(SettingsError, match="no such setting"):
            ledger.settings.change({name: 1}, who="ann@example.com", given=BARE)
    assert ledger.settings.changes() == []


@each("name", OWNED)
def test_what_the_environment_sets_counts_and_cannot_be_changed(ledger: Ledger, name: str) -> None:
    ledger.settings.change(VALUES, who="ann@example.com", given=BARE)
    mine = load_settings(data="somewhere", **{name: OTHER[name]})
    decided = {name, *TOGETHER.get(name, ())}
    settings, kept = ledger.settings.now(mine), ledger.settings.now(BARE)
    for one in OWNED:
        assert getattr(settings, one) == getattr(mine if one in decided else kept, one)
    for one in decided:
        with pytest.raises(SettingsError, match="set by whoever runs this dashboard"):
            ledger.settings.change({one: VALUES[one]}, who="ann@example.com", given=mine)


@each("name", ["credits_per_campaign", "credits_per_day"])
def test_a_cap_holds_for_every_process_that_sends_in_the_same_transaction(ledger: Ledger, name: str) -> None:
    for cap in (100, None, 0):
        ledger.settings.change({name: cap}, who="ann@example.com", given=BARE)
        assert getattr(gate_of(ledger), name) == cap


def test_of_two_changes_at_the_same_moment_one_hears_of_the_other(ledger: Ledger, ledger_url: str) -> None:
    together = Barrier(2)

    def is_kept(cap: int) -> bool:
        with Ledger.open(ledger_url) as own:
            own.settings.now(BARE)
            together.wait(PATIENCE_S)
            try:
                return bool(own.settings.change({"credits_per_day": cap}, who="ann", given=BARE, seen={}))
            except SettingsError:
                return False

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(is_kept, (1, 2))) == [False, True]
    assert len(ledger.settings.changes()) == 1


@each("name", ["credits_per_campaign", "credits_per_day", "texts_per_person"])
def test_a_cap_that_no_ledger_can_keep_is_a_typing_error(ledger: Ledger, name: str) -> None:
    for typed in (10**12 + 1, 2**63, "9" * 30):
        with pytest.raises(SettingsError, match="or less"):
            ledger.settings.change({name: typed}, who="ann@example.com", given=BARE)
        with pytest.raises(SettingsError, match="or less"):
            load_settings(**{name: typed})


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        ({"currency": "SEK"}, {"currency": "GBP"}),
        ({"currency": "SEK"}, {"price_per_credit": "0.5"}),
        ({"price_per_credit": "0.5"}, {"currency": "SEK"}),
        ({"currency": "SEK"}, {"price_list": {"GB": "0.5"}}),
        ({"texts_within_days": 30}, {"texts_per_person": 2}),
        ({"country": None}, {"country": "DE"}),
    ],
)
def test_of_two_people_who_change_the_same_the_second_hears_of_the_first(
    ledger: Ledger, theirs: dict[str, Any], mine: dict[str, Any]
) -> None:
    settings = ledger.settings
    settings.change({"country": "GB", "price_per_credit": "0.1"}, who="ann@example.com", given=BARE)
    seen = settings.decided()
    settings.change(theirs, who="ann@example.com", given=BARE)
    with pytest.raises(SettingsError, match="Somebody else has just changed this"):
        settings.change(mine, who="bob@example.com", given=BARE, seen=seen)
    assert settings.decided().keys() == (seen | theirs).keys() - {name for name in theirs if not theirs[name]}
    assert settings.change(theirs, who="bob@example.com", given=BARE, seen=seen) == []
    changed = settings.change(mine, who="bob@example.com", given=BARE, seen=settings.decided())
    assert changed == list(mine)


def test_a_value_unknown_here_is_said_and_can_be_set_from_outside(ledger: Ledger, clock: Clock) -> None:
    row = {"name": "time_zone", "person": "", "value": '"Mars/Olympus"', "who": "ann", "at": clock()}
    with ledger.database.write() as connection:
        connection.execute(schema.setting.insert().values(row))
    with pytest.raises(SettingsError, match="Reporting time zone"):
        ledger.settings.now(BARE)
    assert ledger.settings.now(load_settings(time_zone="Asia/Tokyo")).time_zone == "Asia/Tokyo"
