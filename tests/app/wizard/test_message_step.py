"""Step 4: the text with its cost, and what is said beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pandas as pd
import pytest
from editor_reading import editor, type_text
from page_reading import button, words
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.campaigns import Prices, write_messages

SHEET = b"First name,Mobile,Member\nAnn,07911 123451,yes\nBen,07911 123452,no\nCleo,07911 123453,\n"
Write = Callable[[str], AppTest]


@pytest.fixture
def write(open_draft: Callable[..., AppTest]) -> Write:
    return lambda text: open_draft(SHEET, step=4, name="Spring sale", template=text)


def bubble(page: AppTest) -> str:
    return next(str(one.value) for one in page.html if 'class="phone"' in str(one.value))


def test_optional_text_is_for_those_who_say_yes(write: Write) -> None:
    page = write("Hi.{{#Member}} Thank you for being a member.{{/Member}}")
    assert "Thank you for being a member." in bubble(page)
    page.number_input[0].set_value(2).run()
    assert "Thank you for being a member." not in bubble(page)
    assert "{{#Member}}" in next(one.help for one in page.caption if one.help)


def test_the_spread_of_credits_and_the_cheapest_edit(write: Write) -> None:
    page = write("x" * 157 + "{{ First name | }}")
    assert "Number of messages by cost." in words(page)
    assert "Cutting 1 character would save 1 credit" in words(page)


def test_links_make_a_range_with_its_reason(write: Write) -> None:
    page = write("x" * 130 + " https://example.com/spring")
    assert "3–6 credits" in words(page)
    assert "length of the service's short links is not known" in words(page)


def test_a_short_link_stands_where_one_is_sent(write: Write, wired: Runtime) -> None:
    page = write("Now on: https://example.com/a-page-of-the-spring-sale!")
    assert "Now on: [short link]!" in bubble(page)
    draft = wired.drafts.open_ones("local")[0]
    wired.drafts.change(draft.id, "local", shorten_links=False)
    assert "Now on: https://example.com/a-page-of-the-spring-sale!" in bubble(page.run())


def test_emoji_might_cost_more(write: Write) -> None:
    assert "Up to 3 credits more" in words(write("x" * 159 + "😀"))
    assert "more if the service counts" not in words(write("x" * 159))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Our sale starts.", "does not say how to stop"),
        ("Sale!{{#Member}} Reply STOP to opt out{{/Member}}", "Only optional text says"),
    ],
)
def test_a_missing_way_out_is_a_hint_and_blocks_nothing(write: Write, text: str, hint: str) -> None:
    page = write(text)
    assert hint in words(page)
    assert not button(page, "Continue").disabled


def test_characters_that_carriers_split_at_are_named_and_replaced(write: Write, wired: Runtime) -> None:
    page = write("Our “spring sale”…")
    assert "left double quotation mark" in words(page)
    button(page, "Replace 3 characters with plain ones").click().run()
    assert not page.exception, page.exception
    assert editor(page)["text"] == 'Our "spring sale"...'
    assert wired.drafts.open_ones("local")[0].template == 'Our "spring sale"...'


def test_characters_are_looked_for_where_they_are_sent(open_draft: Callable[..., AppTest]) -> None:
    sheet = "Fête,Mobile\nAnn,07911 123451\nZoë,07911 123452\n😀,07911 123453\n".encode()
    plain = open_draft(sheet, step=4, name="Spring", template="Our spring sale.{{^Fête}} Hi!{{/Fête}}")
    assert "carriers" not in words(plain)
    named = open_draft(sheet, step=4, name="Spring", template="Hi {{ Fête }}!")
    assert "carriers send 2 messages" in words(named)
    assert "Because of `` ë ``, `` 😀 ``, carriers" in words(named)


GB_AND_DE = b"Mobile\n+447400183645\n+4915112398471\n"


def test_a_price_list_prices_each_country(wired: Runtime, open_draft: Callable[..., AppTest]) -> None:
    runtime.use(replace(wired, listed=Prices({"GB": Decimal("0.04")}, Decimal("0.11"), "CHF")))
    page = open_draft(GB_AND_DE, step=5, name="Spring", template="Hi!")
    table = next(str(one.value) for one in page.html if "by country" in str(one.value))
    assert "CHF 0.04" in table
    assert "CHF 0.11" in table
    assert "CHF 0.15" in words(page)


def test_countries_that_a_price_list_lacks_are_named(
    wired: Runtime, open_draft: Callable[..., AppTest]
) -> None:
    runtime.use(replace(wired, listed=Prices({"GB": Decimal("0.04")}, None, "CHF")))
    page = open_draft(GB_AND_DE, step=4, name="Summer", template="Hi!")
    assert "the price list has no price for Germany" in words(page)


def test_a_test_goes_to_ones_own_phones_once(write: Write, wired: Runtime) -> None:
    page = write("Hi {{ First name }}!")
    draft = wired.drafts.open_ones("local")[0].id
    assert "It costs 1 credit for each." in words(page)
    page.text_input(key=f"trial-phones-{draft}").input("07400 183645, +4915112398471").run()
    page.button(key=f"send-trial-{draft}").click().run()
    assert "The test is on its way" in words(page)
    page.button(key=f"send-trial-{draft}").click().run()
    campaigns = wired.ledger.campaigns()
    assert campaigns[["name", "state"]].to_numpy().tolist() == [["Test: Spring sale", "running"]]
    messages = wired.ledger.messages(campaigns["campaign"][0])
    assert messages["to"].tolist() == ["+447400183645", "+4915112398471"]
    assert set(messages["body"]) == {"Hi Ann!"}


def test_a_test_to_something_that_is_no_number_is_explained(write: Write, wired: Runtime) -> None:
    page = write("Hi!")
    draft = wired.drafts.open_ones("local")[0].id
    page.text_input(key=f"trial-phones-{draft}").input("123").run()
    page.button(key=f"send-trial-{draft}").click().run()
    assert "Give your own numbers" in words(page)
    assert wired.ledger.campaigns().empty


def test_a_text_of_an_earlier_campaign_can_be_used_again(
    wired: Runtime, open_draft: Callable[..., AppTest]
) -> None:
    text = "Hi {{ First name | there }}, the sale starts."
    people = pd.DataFrame({"phone": ["+447400183645"], "first_name": ["Ann"]})
    wired.ledger.create_campaign("Winter", write_messages(people, text, campaign="Winter"), batch_size=1)
    page = open_draft(SHEET, step=4, name="Spring sale")
    choice = page.selectbox(key=f"earlier-{wired.drafts.open_ones('local')[0].id}")
    assert "Winter" in choice.options[0]
    choice.select_index(0).run()
    assert editor(page)["text"] == text
    assert "Hi Ann, the sale starts." in bubble(page)


def test_who_would_get_too_many_texts_is_left_out(wired: Runtime, open_draft: Callable[..., AppTest]) -> None:
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"texts_per_person": 1})))
    people = pd.DataFrame({"phone": ["+447911123451"]})
    winter = wired.ledger.create_campaign(
        "Winter", write_messages(people, "Hi", campaign="Winter"), batch_size=1
    )
    page = open_draft(SHEET, step=5, name="Spring sale", template="Hi!", approved={2, 3, 4})
    assert button(page, "Send 2 messages")
    assert "as many texts as the cap allows" in words(page)
    button(page, "Send 2 messages").click().run()
    button(page, "Send 2 messages").click()
    page.button(key="confirm-send").click().run()
    campaigns = wired.ledger.campaigns()
    sent = wired.ledger.messages(campaigns.loc[campaigns["campaign"] != winter, "campaign"].iloc[0])
    assert "+447911123451" not in set(sent["to"])
    assert len(sent) == 2


def test_texts_per_person_are_counted_around_the_time_at_which_all_are_sent(
    wired: Runtime, open_draft: Callable[..., AppTest]
) -> None:
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"texts_per_person": 1})))
    at = datetime.now(UTC).replace(microsecond=0) + timedelta(days=14)
    numbers = {"now": "+447911123451", "then": "+447911123452"}
    for name, phone in numbers.items():
        messages = write_messages(pd.DataFrame({"phone": [phone]}), "Hi", campaign=name)
        wired.ledger.create_campaign(
            name, messages, batch_size=1, scheduled_at=at if name == "then" else None
        )
        if name == "now":
            wired.ledger.start(wired.ledger.campaigns()["campaign"].iloc[0])
    page = open_draft(
        SHEET, step=5, name="Spring sale", template="Hi!", approved={2, 3, 4}, when="later", send_at=at
    )
    button(page, "Schedule 2 messages").click().run()
    button(page, "Schedule 2 messages").click()
    page.button(key="confirm-send").click().run()
    campaigns = wired.ledger.campaigns().set_index("name")
    sent = wired.ledger.messages(campaigns.loc["Spring sale", "campaign"])
    assert numbers["now"] in set(sent["to"])
    assert numbers["then"] not in set(sent["to"])


def test_what_is_typed_takes_the_place_only_of_a_text_that_its_writer_has_seen(
    write: Write, wired: Runtime
) -> None:
    page = write("Hi!")
    draft = wired.drafts.open_ones("local")[0]
    wired.drafts.save(draft.model_copy(update={"template": "From another tab"}))
    type_text(page, "Hi there!")
    assert wired.drafts.open_ones("local")[0].template == "From another tab"
    assert editor(page)["text"] == "From another tab"
    assert "changed elsewhere" in page.toast[0].value
    type_text(page, "From this tab")
    assert wired.drafts.open_ones("local")[0].template == "From this tab"
    assert not page.toast


def test_the_first_words_of_a_browser_after_a_restart_are_stored(
    write: Write, open_page: Callable[..., AppTest], wired: Runtime
) -> None:
    write("Hi!")
    draft = wired.drafts.open_ones("local")[0]
    page = open_page("new")  # a session that has not drawn the editor yet
    page.query_params["draft"] = draft.id
    other = open_page("new", draft=draft.id)
    state = json.dumps({"typed": {"text": "Hi there!", "known": ["Hi!"], "turn": "1"}})
    states = page._tree.get_widget_states()
    states.widgets.append(WidgetState(id=other.get("bidi_component")[0].proto.id, json_value=state))
    page._run(states)
    assert wired.drafts.open_ones("local")[0].template == "Hi there!"
    assert "Hi there!" in bubble(page)


@pytest.mark.parametrize("said", [None, [], {"text": 1}, {"text": "x", "known": "Hi!", "turn": "1"}])
def test_what_cannot_be_read_changes_nothing(write: Write, wired: Runtime, said: object) -> None:
    page = write("Hi!")
    states = page._tree.get_widget_states()
    component = page.get("bidi_component")[0].proto.id
    states.widgets.append(WidgetState(id=component, json_value=json.dumps({"typed": said})))
    page._run(states)
    assert not page.exception, page.exception
    assert wired.drafts.open_ones("local")[0].template == "Hi!"
