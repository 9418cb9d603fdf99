"""Opt-outs hold in every spelling that a renumbering made of a number, whichever of them was stored."""

from __future__ import annotations

import pandas as pd
import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, claim, counts, messages_frame, report, running, taken
from sqlalchemy import insert

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.outbox.settle import Settlement

OLD = ["+22997123456", "+5215512345678", "+551191234567", "+541123456789", "+24107123456"]
NEW = ["+2290197123456", "+525512345678", "+5511991234567", "+5491123456789", "+24177123456"]
ALIVE = (
    ["+5491123456789", "+24177123456", "+38344123456"],
    ["+541123456789", "+24107123456", "+37744123456"],
)
"""Numbers, and old spellings of them to which the library still lets us send."""
OTHER = "+447400123456"
BOTH_WAYS = pytest.mark.parametrize(("refused", "texted"), [(OLD, NEW), ALIVE], ids=["old", "new"])


def campaign_to(ledger: Ledger, phones: list[str], batch_size: int = 10) -> str:
    """A campaign that has been started, to these phones and one that nobody renumbered."""
    to = pd.Series([*phones, OTHER], dtype="str")
    return running(ledger, messages_frame(len(to), to=to), batch_size=batch_size)


def stored_before(ledger: Ledger, clock: Clock, phones: list[str]) -> None:
    """Opt-outs as any version wrote them: as they were spelled then."""
    rows = [{"phone": phone, "reason": "STOP", "added_at": clock()} for phone in phones]
    with ledger.database.write() as connection:
        connection.execute(insert(schema.opt_out), rows)


@ON_BOTH_DATABASES
@BOTH_WAYS
def test_an_opt_out_holds_for_what_is_ready_what_comes_back_and_what_is_frozen_later(
    ledger: Ledger, clock: Clock, refused: list[str], texted: list[str]
) -> None:
    ready = campaign_to(ledger, texted)
    back = [campaign_to(ledger, texted, batch_size=3) for _ in range(2)]
    claimed = [(claim(ledger, one), claim(ledger, one)) for one in back]
    for unknown, _ in claimed:
        ledger.outbox.settle(unknown, Settlement("unknown", "unknown"))
    assert ledger.add_opt_outs(refused) == len(refused), "each once, however many spellings it has"
    clock.advance(600)
    ledger.decide_all(back[0], "ready", "Ann", "the service has no trace of it")
    ledger.decide(claimed[1][0].batch_id, "ready", "Ann", "the service has no trace of it")
    for _, not_sent in claimed:
        ledger.outbox.settle(not_sent, Settlement("not sent", "ready"))
    for campaign in (ready, campaign_to(ledger, texted)):
        assert counts(ledger, campaign) == {"ready": 1, "dropped": len(texted)}
    of_back = {"ready": 1, "abandoned": 3, "dropped": len(texted) - 3}
    for campaign in back:
        assert counts(ledger, campaign) == {state: many for state, many in of_back.items() if many}


@ON_BOTH_DATABASES
@BOTH_WAYS
def test_an_opt_out_as_it_was_spelled_then_holds_for_what_was_and_what_is_frozen(
    ledger: Ledger, clock: Clock, refused: list[str], texted: list[str]
) -> None:
    campaign = campaign_to(ledger, texted)
    stored_before(ledger, clock, refused)  # as if the freeze had not known that they are one
    claimed = claim(ledger, campaign)
    assert [message.to for message in claimed.messages] == [OTHER]
    assert counts(ledger, campaign_to(ledger, texted)) == {"ready": 1, "dropped": len(texted)}


@BOTH_WAYS
def test_a_person_is_found_forgotten_and_taken_off_the_list_in_any_spelling(
    ledger: Ledger, clock: Clock, refused: list[str], texted: list[str]
) -> None:
    campaign = campaign_to(ledger, texted)
    taken(ledger, campaign)
    stored_before(ledger, clock, refused)
    for one in texted:
        found = ledger.person(one)
        assert len(found) == 1
        assert found["opted_out_at"].notna().all()
    ledger.remove_opt_out(texted[0], who="Ann", reason="asked to be texted again")
    assert refused[0] not in set(ledger.opt_outs()["phone"])
    assert [ledger.forget_person(one) for one in refused] == [1] * len(refused)
    assert ledger.opt_outs().empty
    assert counts(ledger, campaign_to(ledger, texted)) == {"ready": 1, "dropped": len(texted)}


@ON_BOTH_DATABASES
def test_who_told_stop_in_another_spelling_is_on_the_list_until_they_return(
    ledger: Ledger, clock: Clock
) -> None:
    campaign = campaign_to(ledger, ALIVE[1])
    sent = taken(ledger, campaign)
    ledger.record_reports([report(one.uuid or "", failure_reason="opted out") for one in sent.messages])
    told = ledger.told_stop(campaign)
    assert told["opted_out_at"].isna().all()
    first = clock.advance(86_400)
    stored_before(ledger, clock, [ALIVE[0][1]])
    clock.advance(60)
    ledger.add_opt_outs(told["phone"])
    found = ledger.told_stop(campaign).set_index("phone")["opted_out_at"]
    assert found.notna().all()
    assert found[ALIVE[1][1]] == first, "since the earliest"
    ledger.remove_opt_out(ALIVE[0][1], who="Ann", reason="asked to be texted again")
    assert ledger.told_stop(campaign)["opted_out_at"].notna().all()


@ON_BOTH_DATABASES
def test_an_opt_out_comes_after_the_last_text_in_any_spelling(ledger: Ledger, clock: Clock) -> None:
    campaigns = []
    for phones in (*ALIVE, ALIVE[0]):
        campaigns.append(campaign_to(ledger, phones))
        taken(ledger, campaigns[-1])
        clock.advance(60)
        stored_before(ledger, clock, [ALIVE[0][len(campaigns) - 1]])
        clock.advance(60)
    assert ledger.opt_outs(texts=True)["campaign"].tolist() == campaigns[::-1]
