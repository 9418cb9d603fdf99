"""Step 4: the text with its cost, and what is said beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pandas as pd
import pytest
from editor_reading import editor, said_by_editor, type_text
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest
from wizard_steps import draft_of, labelled, started

from dashboard.app import drafting, runtime
from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime
from dashboard.campaigns import Prices, write_messages

SHEET = b"First name,Mobile,Member\nAnn,07911 123451,gold\nBen,07911 123452,silver\nCleo,07911 123453,\n"
Write = Callable[[str], AppTest]


@pytest.fixture
def write(open_draft: Open) -> Write:
    return lambda text: open_draft(SHEET, step=4, name="Spring sale", template=text)


def bubble(page: AppTest) -> str:
    return next(str(one.value) for one in page.html if 'class="phone"' in str(one.value))


def test_what_it_costs_and_what_could_be_better_stands_beside_the_text(write: Write) -> None:
    page = write("Hi")
    for text, *said in (
        ("x" * 157 + "{{ First name | }}", "Number of messages by cost", "Cutting 1 character would save 1"),
        ("x" * 130 + " https://example.com/spring", "3–6 credits", "length of the service's short links is"),
        ("x" * 159 + "😀", "Up to 3 credits more if the service counts"),
        ("Sale!{{#Member}} Reply STOP to opt out{{/Member}}", "Only optional text says"),
        ("Our sale starts.", "does not say how to stop"),
    ):
        type_text(page, text)
        assert [sentence for sentence in said if sentence not in words(page)] == [], text
    assert "more if the service counts" not in words(page)
    assert "{{#Member}}" in next(one.help for one in page.caption if one.help)
    assert not button(page, "Continue").disabled


def test_names_that_may_be_none_are_counted_beside_the_text_and_in_the_last_step(open_draft: Open) -> None:
    names = ("N/A", "info", "Null", "D&#39;Angelo")
    rows = (f"{name},07911 12345{place}" for place, name in enumerate(names))
    sheet = "\n".join(["First name,Mobile", *rows]).encode()
    page = open_draft(sheet, step=4, name="Spring", template="Hi {{First name|there}}, M&amp;S")
    said = (
        "First name: 1 filler such as N/A counts as blank (row 2).",
        "First name: 2 cells may not be names but words such as Null or Customer",
        "(row 3, 4). Correct them in the sheet, or they are sent as they stand.",
    )
    assert [sentence for sentence in (*said, "HTML code such as") if sentence not in words(page)] == []
    assert editor(page)["cells"]["First name"] == ""
    type_text(page, "Hi %FIRSTNAME%")
    assert "{{ First name | there }}" in words(page)
    page = open_draft(sheet, step=5, name="Spring", template="Hi {{First name|there}}")
    assert [sentence for sentence in said if sentence not in words(page)] == []
    assert "were read as their characters in 1 row (row 5)" in words(page)


LINE = "Reply STOP to opt out"


def decide(wired: Runtime, **values: object) -> None:
    """What marketers decide in the settings."""
    wired.ledger.settings.change(values, who="ann@example.com", given=wired.given)


def test_the_line_is_added_counted_and_switched_off_and_a_text_that_says_it_gets_none(
    wired: Runtime, write: Write
) -> None:
    page = write("x" * 150)
    assert "€0.14" in words(page)
    decide(wired, opt_out_line=LINE)
    assert "€0.27" in words(page.run())
    assert editor(page)["tail"] == f"\n{LINE}"
    assert f"{150 + 1 + len(LINE)} characters of 1,024 · 2 credits" in words(page)
    assert "does not say how to stop" not in words(page)
    next(one for one in page.toggle if LINE in one.label).set_value(False).run()
    assert editor(page)["tail"] == ""
    assert "150 characters of 1,024 · 1 credit" in words(page)
    assert "does not say how to stop" in words(page)
    assert draft_of(wired).says_opt_out is False
    wired.drafts.change(draft_of(wired).id, "local", says_opt_out=True)
    type_text(page, "Sale! STOP ends this.")
    assert editor(page)["tail"] == ""
    assert not [one for one in page.toggle if LINE in one.label]


def test_saved_senders_are_offered_and_others_may_be_typed(wired: Runtime, open_draft: Open) -> None:
    decide(wired, senders=["ACME", "Shop"])
    page = open_draft(SHEET, step=4, name="Spring", template="Sale!", sender="Typed before")
    sender = labelled(page.selectbox, "Sender")
    assert sender.value == "Typed before"
    assert sender.options == ["The account's default", "ACME", "Shop", "Typed before"]
    for chosen in ("Shop", ""):
        sender.set_value(chosen).run()
        assert draft_of(wired).sender == chosen


def test_a_short_link_stands_where_one_is_sent(write: Write, wired: Runtime) -> None:
    page = write("Now on: https://example.com/a-page-of-the-spring-sale!")
    assert "Now on: [short link]!" in bubble(page)
    wired.drafts.change(draft_of(wired).id, "local", shorten_links=False)
    assert "Now on: https://example.com/a-page-of-the-spring-sale!" in bubble(page.run())


def test_characters_that_carriers_split_at_are_named_and_replaced(write: Write, wired: Runtime) -> None:
    page = write("Our “spring sale”…")
    assert "left double quotation mark" in words(page)
    button(page, "Replace 3 characters with plain ones").click().run()
    assert editor(page)["text"] == draft_of(wired).template == 'Our "spring sale"...'


def test_characters_are_looked_for_where_they_are_sent(open_draft: Open) -> None:
    sheet = "Fête,Mobile\nAnn,07911 123451\nZoë,07911 123452\n😀,07911 123453\n".encode()
    page = open_draft(sheet, step=4, name="Spring", template="Our spring sale.{{^Fête}} Hi!{{/Fête}}")
    assert "carriers" not in words(page)
    type_text(page, "Hi {{ Fête }}!")
    assert "carriers send 2 messages" in words(page)
    assert "Because of `` ë ``, `` 😀 ``, carriers" in words(page)


def test_a_price_list_prices_each_country_and_those_it_lacks_are_named(
    wired: Runtime, open_draft: Open
) -> None:
    british = {"GB": Decimal("0.04")}
    runtime.use(replace(wired, listed=Prices(british, Decimal("0.11"), "CHF")))
    page = open_draft(b"Mobile\n+447400183645\n+4915112398471\n", step=5, name="Spring", template="Hi!")
    table = next(str(one.value) for one in page.html if "by country" in str(one.value))
    assert "CHF 0.04" in table
    assert "CHF 0.11" in table
    assert "CHF 0.15" in words(page)
    runtime.use(replace(wired, listed=Prices(british, None, "CHF")))
    assert "the price list has no price for Germany" in words(page.run())


def test_a_test_goes_to_ones_own_phones_once(write: Write, wired: Runtime) -> None:
    page = write("Hi {{ First name }}!")
    draft = draft_of(wired).id
    assert "It costs 1 credit for each." in words(page)
    page.text_input(key=f"trial-phones-{draft}").input("123").run()
    page.button(key=f"send-trial-{draft}").click().run()
    assert "Give your own numbers" in words(page)
    assert wired.ledger.campaigns().empty
    page.text_input(key=f"trial-phones-{draft}").input("07400 183645, +4915112398471").run()
    page.button(key=f"send-trial-{draft}").click().run()
    assert "The test is on its way" in words(page)
    page.button(key=f"send-trial-{draft}").click().run()
    campaigns = wired.ledger.campaigns()
    assert campaigns[["name", "state"]].to_numpy().tolist() == [["Test: Spring sale", "running"]]
    messages = wired.ledger.messages(campaigns["campaign"][0])
    assert messages["to"].tolist() == ["+447400183645", "+4915112398471"]
    assert set(messages["body"]) == {"Hi Ann!"}


def test_a_test_can_be_sent_again_once_anything_that_is_sent_was_changed(
    write: Write, wired: Runtime
) -> None:
    page = write("Hi {{ First name }}! https://example.com/spring")
    draft = draft_of(wired).id
    page.text_input(key=f"trial-phones-{draft}").input("07400 183645").run()
    changes: list[dict[str, object]] = [
        {},
        {"sender": "ACME"},
        {"tracking": "spring"},
        {"shorten_links": False},
        {"name": "Summer sale"},
        {"template": "Hello {{ First name }}! https://example.com/spring"},
    ]
    for tests, change in enumerate(changes, 1):
        drafting.change_draft(draft, **change)
        test = page.run().button(key=f"send-trial-{draft}")
        assert not test.disabled, change
        test.click().run()
        assert page.run().button(key=f"send-trial-{draft}").disabled
        assert len(wired.ledger.campaigns()) == tests, change


def test_a_text_of_an_earlier_campaign_can_be_used_again(wired: Runtime, open_draft: Open) -> None:
    text = "Hi {{ First name | there }}, the sale starts."
    people = pd.DataFrame({"phone": ["+447400183645"], "first_name": ["Ann"]})
    wired.ledger.create_campaign("Winter", write_messages(people, text, campaign="Winter"), batch_size=1)
    page = open_draft(SHEET, step=4, name="Spring sale")
    choice = page.selectbox(key=f"earlier-{draft_of(wired).id}")
    assert "Winter" in choice.options[0]
    choice.select_index(0).run()
    assert editor(page)["text"] == text
    assert "Hi Ann, the sale starts." in bubble(page)


def test_texts_per_person_are_counted_around_the_time_at_which_all_are_sent(
    wired: Runtime, open_draft: Open, save_draft: Callable[..., Draft]
) -> None:
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"texts_per_person": 1})))
    at = datetime.now(UTC).replace(microsecond=0) + timedelta(days=14)
    numbers = {"now": "+447911123451", "then": "+447911123452"}
    for name, time in (("now", None), ("then", at)):
        messages = write_messages(pd.DataFrame({"phone": [numbers[name]]}), "Hi", campaign=name)
        campaign = wired.ledger.create_campaign(name, messages, batch_size=1, scheduled_at=time)
        if time is None:
            wired.ledger.start(campaign)
    written = {"name": "Spring sale", "template": "Hi!", "step": 5, "approved": {2, 3, 4}}
    page = open_draft(SHEET, **written, when="later", send_at=at)
    assert button(page, "Schedule 2 messages")
    assert "as many texts as the cap allows" in words(page)
    for draft, left_out in ((draft_of(wired), "then"), (save_draft(SHEET, **written), "now")):
        sent = wired.ledger.messages(started(draft))["to"]
        assert set(sent) == {*numbers.values(), "+447911123453"} - {numbers[left_out]}
        assert len(sent) == 2


def test_what_is_typed_takes_the_place_only_of_a_text_that_its_writer_has_seen(
    write: Write, wired: Runtime
) -> None:
    page = write("Hi!")
    wired.drafts.change(draft_of(wired).id, "local", template="From another tab")
    type_text(page, "Hi there!")
    assert draft_of(wired).template == editor(page)["text"] == "From another tab"
    assert "changed elsewhere" in page.toast[0].value
    type_text(page, "From this tab")
    assert draft_of(wired).template == "From this tab"
    assert not page.toast


def test_the_first_words_of_a_browser_after_a_restart_are_stored_and_what_cannot_be_read_is_not(
    write: Write, open_page: Open, wired: Runtime
) -> None:
    component = write("Hi!").get("bidi_component")[0].proto.id
    page = open_page("new")  # a session that has not drawn the editor yet
    page.query_params["draft"] = draft_of(wired).id
    typed = {"text": "Hi there!", "known": ["Hi!"], "turn": "1"}
    assert "Hi there!" in bubble(said_by_editor(page, component, typed))
    for unreadable in (None, [], {"text": 1}, {"text": "x", "known": "Hi there!", "turn": "2"}):
        said_by_editor(page, component, unreadable)
    assert draft_of(wired).template == "Hi there!"
