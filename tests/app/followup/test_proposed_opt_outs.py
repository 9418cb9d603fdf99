"""Whom the service did not text because they told it STOP, on the campaign's page."""

from __future__ import annotations

from app_seeds import sent_campaign
from page_reading import Open, button, words

from dashboard.app.runtime import Runtime


def told(wired: Runtime, *reasons: str) -> str:
    """A campaign whose first messages failed for these reasons."""
    campaign = sent_campaign(wired.ledger, delivered=0, failed=0, on_the_way=6)
    uuids = wired.ledger.messages(campaign)["uuid"]
    said = zip(uuids, reasons, strict=False)
    wired.ledger.record_reports([{"uuid": uuid, "failure_reason": reason} for uuid, reason in said])
    return campaign


def test_who_told_the_service_stop_becomes_an_opt_out_in_one_click(open_page: Open, wired: Runtime) -> None:
    stop = ("opted out", "21610 unsubscribed recipient", "blacklisted: user replied STOP", "opted out")
    campaign = told(wired, *stop, "blocked by carrier")
    wired.ledger.add_opt_outs(["+447911000002"])
    page = open_page("campaign", id=campaign)
    assert "**4 people** told the service STOP. 1 of them is on your opt-outs already, or was" in words(page)
    button(page, "Add 3 to your opt-outs").click().run()
    listed = wired.ledger.opt_outs()
    assert sorted(listed["phone"]) == [f"+44791100000{number}" for number in range(4)]
    assert listed["reason"].tolist()[:3] == ["Told the service STOP"] * 3
    assert listed["source"].tolist()[:3] == ["Spring sale"] * 3
    assert [toast.value for toast in page.toast] == ["3 people are now on your opt-outs."]
    assert not [one for one in page.button if one.label.startswith("Add")]
    assert wired.ledger.audit.entries().iloc[0]["what"] == "opt-out import"
    wired.ledger.remove_opt_out(listed["phone"][0], who="Ann", reason="Sent START")
    all_listed = "All of them are on your opt-outs, or were taken off again."
    assert f"**4 people** told the service STOP. {all_listed}" in words(page.run())


def test_where_nobody_did_nothing_is_said(open_page: Open, wired: Runtime) -> None:
    assert "STOP" not in words(open_page("campaign", id=told(wired, "blocked by carrier", "expired")))
