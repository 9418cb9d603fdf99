"""The page on which administrators read who did what."""

from __future__ import annotations

from datetime import timedelta

from app_seeds import started_campaign
from each import each
from fixtures_ledger import Clock
from page_reading import Open, words
from test_people import locked, visit
from wizard_steps import labelled

from dashboard.app.phrasing.done import DONE, told_about
from dashboard.app.runtime import Runtime
from dashboard.ledger.audit.acting import acting
from dashboard.ledger.audit.verbs import VERBS
from dashboard.ledger.team.audit_trail import AuditTrail


def test_what_was_done_is_told_with_names_people_know(open_page: Open, wired: Runtime) -> None:
    with acting("ann@example.com"):
        campaign = started_campaign(wired.ledger, "Spring <b>sale</b>", 3)
    wired.ledger.settings.change({"credits_per_day": 5000}, who="x")
    wired.ledger.audit.tell("refused sign-in", "", {"because": "not admitted"}, who="")
    said = words(open_page("history"))
    assert "ann@example.com" in said
    assert "Prepared a campaign" in said
    assert "Spring &lt;b&gt;sale&lt;/b&gt; · 3 messages" in said
    assert "Credits per day: 5,000" in said
    assert "Somebody unknown" in said
    assert campaign not in said
    assert "3 entries, the newest first" in said


def test_entries_are_chosen_by_person_kind_and_day_and_paged(
    open_page: Open, wired: Runtime, clock: Clock
) -> None:
    """23:30 in London on the 20th is the 21st in Berlin, where the reader's browser is."""
    clock.advance(14.5 * 3600)
    trail = AuditTrail(wired.ledger.database, clock)
    trail.tell("edit", "late", who="ann@example.com")
    clock.advance(86_400)
    for place in range(30):
        trail.tell("export", f"file {place}", who="bob@example.com")
    page = open_page("history")
    assert "31 entries" in words(page)
    assert "file 29" in words(page)
    assert "file 4 " not in words(page)
    labelled(page.selectbox, "Person").set_value("ann@example.com").run()
    assert "1 entry" in words(page)
    assert "late" in words(page)
    labelled(page.selectbox, "What").set_value("export").run()
    assert "Nobody did anything of this kind" in words(page)
    labelled(page.selectbox, "Person").set_value(None).run()
    assert "30 entries" in words(page)
    labelled(page.selectbox, "What").set_value(None).run()
    page.date_input[0].set_value([(clock() - timedelta(days=1)).date() + timedelta(days=1)] * 2).run()
    assert "1 entry" in words(page)
    assert "21 Nov 2026, 00:30" in words(page)


@each("role, sees", [("admin", True), ("sender", False), ("viewer", False)])
def test_only_administrators_read_it(wired: Runtime, role: str, *, sees: bool) -> None:
    opened = locked(wired, people={"ann@example.com": role})
    wired.ledger.audit.tell("edit", "what bob wrote", who="bob@example.com")
    page = visit(opened, "history", who="ann@example.com")
    assert ("bob@example.com" in words(page)) is sees
    assert ("needs the role Administrator" in words(page)) is not sees


@each(
    "about, details, said",
    [
        ("abc", "{}", "Spring"),
        ("3f" * 16, '{"changed":["name","template"]}', "3f3f3f3f · changed name + template"),
        ("", '{"because":"barred"}', "because barred"),
        ("currency, language", '{"own":true}', "Currency, Language"),
        ("pause_on_opt_outs", '{"pause_on_opt_outs":false}', "no"),
        ("ledger", '{"version":12}', "ledger · version 12"),
        ("abc", '{"messages":1330,"at":"now"}', "Spring · 1,330 messages, at now"),
        ("opt-outs", '{"new":1200}', "opt-outs · 1,200 new"),
    ],
)
def test_facts_are_told_in_words(about: str, details: str, said: str) -> None:
    assert tuple(DONE) == VERBS
    assert said in told_about(about, details, {"abc": "Spring"})
