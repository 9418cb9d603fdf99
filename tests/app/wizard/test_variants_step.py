"""Step 4 with several texts: a switch, a text for each share of the people, and what each costs."""

from __future__ import annotations

import pytest
from editor_reading import editor, type_text
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest
from wizard_steps import draft_of, onward, started

from dashboard.app.drafts import DraftVariant
from dashboard.app.runtime import Runtime

SHEET = ("First name,Mobile\n" + "".join(f"Ann{n},07911 1{n:02}4{n:02}\n" for n in range(20))).encode()
SHORT, LONG = "Hi {{ First name }}!", "x" * 170
TYPED = "Typed – just now"


@pytest.fixture
def one_text(open_draft: Open) -> AppTest:
    return open_draft(SHEET, step=4, name="Spring", template=SHORT)


@pytest.fixture
def two_texts(open_draft: Open) -> AppTest:
    texts = [{"template": SHORT, "suffix": "A"}, {"template": LONG, "weight": 3, "suffix": "B"}]
    return open_draft(SHEET, step=4, name="Spring", variants=texts)


def show(page: AppTest, name: str) -> None:
    page.segmented_control[0].set_value(name).run()


def test_comparing_begins_with_the_same_text_twice_and_off_and_on_again_no_text_is_lost(
    one_text: AppTest, wired: Runtime
) -> None:
    one_text.toggle[0].set_value(True).run()
    assert draft_of(wired).variants == tuple(DraftVariant(template=SHORT, suffix=name) for name in "AB")
    show(one_text, "B")
    type_text(one_text, LONG)
    assert draft_of(wired).texts == (SHORT, LONG)
    assert "Spring B" in words(one_text)
    one_text.toggle[0].set_value(False).run()
    assert editor(one_text)["text"] == SHORT
    assert draft_of(wired).texts == (SHORT,)
    one_text.toggle[0].set_value(True).run()
    assert draft_of(wired).texts == (SHORT, LONG)


def test_shares_are_people_and_each_text_has_its_cost_and_what_is_its_own(
    two_texts: AppTest, wired: Runtime
) -> None:
    page, draft = words(two_texts), draft_of(wired)
    assert '<td>A</td><td>Spring A</td><td class="number">5</td><td class="number">5</td>' in page
    assert '<td>B</td><td>Spring B</td><td class="number">15</td><td class="number">30</td>' in page
    assert "of 5" in page
    two_texts.number_input(key=f"weight-{draft.id}-A").set_value(7).run()
    two_texts.text_input(key=f"variant-tracking-{draft.id}-A").set_value(" spring-a ").run()
    two_texts.text_input(key=f"suffix-{draft.id}-A").set_value("short").run()
    assert draft_of(wired).variants[0] == DraftVariant(
        template=SHORT, weight=7, tracking="spring-a", suffix="short"
    )
    assert '<td>Spring short</td><td class="number">14</td>' in words(two_texts)
    show(two_texts, "B")
    assert "of 6" in words(two_texts)
    assert LONG in words(two_texts)


def test_texts_are_added_and_taken_out_with_what_was_typed_into_them(
    two_texts: AppTest, wired: Runtime
) -> None:
    button(two_texts, "Add text C").click().run()
    assert two_texts.segmented_control[0].value == "C"
    assert draft_of(wired).texts == (SHORT, LONG, SHORT)
    show(two_texts, "A")
    button(two_texts, "Remove A").click()
    type_text(two_texts, TYPED)
    assert draft_of(wired).texts == (LONG, SHORT)
    assert editor(two_texts)["text"] == LONG


def test_a_mistake_is_named_with_its_text(two_texts: AppTest, wired: Runtime) -> None:
    for text, sentence in (("", "Text B is empty"), ("Hi {{ Frist name }}!", "Text B: ")):
        show(two_texts, "B")
        type_text(two_texts, text)
        show(two_texts, "A")
        assert two_texts.error[0].value.startswith(sentence)
    onward(two_texts)
    assert draft_of(wired).step == 4


def test_the_review_shows_every_text_and_each_is_sent(open_draft: Open, wired: Runtime) -> None:
    texts = [{"template": SHORT, "tracking": "a"}, {"template": LONG}]
    page = open_draft(SHEET, step=5, name="Spring", variants=texts)
    headings = [one.value for one in page.header if one.value.startswith("The first message")]
    assert headings == [f"The first message with text {name}" for name in "AB"]
    first, second = (str(one.value) for one in page.html if 'class="bubble' in str(one.value))
    assert "Hi Ann" in first
    assert LONG in second
    bodies = wired.ledger.messages(started(draft_of(wired)))["body"]
    assert (bodies == LONG).sum() == 10
    assert bodies.str.startswith("Hi Ann").sum() == 10


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        ("switch", (TYPED,)),
        ("switch on", (TYPED, LONG)),
        ("Add text C", (TYPED, LONG, TYPED)),
        ("Replace", ("Typed - just now", LONG)),
    ],
)
def test_a_change_of_texts_takes_what_was_typed_just_before(
    two_texts: AppTest, wired: Runtime, change: str, texts: tuple[str, ...]
) -> None:
    draft = draft_of(wired)
    if change == "Replace":
        type_text(two_texts, "–" * 3)
        change = "Replace 3 characters with plain ones"
    two_texts.text_input(key=f"suffix-{draft.id}-A").set_value("first")
    if change == "switch on":
        two_texts.toggle[0].set_value(False).run()
    if change.startswith("switch"):
        two_texts.toggle[0].set_value(change == "switch on")
    else:
        button(two_texts, change).click()
    type_text(two_texts, TYPED)
    draft = draft_of(wired)
    assert draft.texts == texts
    assert (draft.variants or draft.set_aside)[0].suffix == "first"


def test_a_second_click_before_the_page_is_drawn_again_changes_nothing(
    two_texts: AppTest, wired: Runtime
) -> None:
    drawn = draft_of(wired)
    third = (*drawn.variants, DraftVariant(template="C"))
    wired.drafts.save(drawn.model_copy(update={"variants": third}))
    button(two_texts, "Add text C").click().run()
    assert draft_of(wired).texts == (SHORT, LONG, "C")
    wired.drafts.save(drawn)
    button(two_texts, "Remove A").click().run()
    assert draft_of(wired).texts == (SHORT, LONG)
