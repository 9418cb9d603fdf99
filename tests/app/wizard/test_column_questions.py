"""The questions of step 2: asked in one block, answered, taken back, and remembered for the next sheet."""

from __future__ import annotations

import io

import pytest
from each import each
from one_sheet import phones
from page_reading import Open, button, on_page, words
from streamlit.testing.v1 import AppTest
from wizard_steps import begun, choice, draft_of, figures, labelled, onward, say, statuses, stored

from dashboard.app import drafting
from dashboard.app.audience import KeptList
from dashboard.app.draft_sheets import columns_of, sheet_of
from dashboard.app.drafts import Columns, Draft
from dashboard.app.phrasing.answers import value_in_words
from dashboard.app.runtime import Runtime
from dashboard.app.wizard.questions import with_meaning
from dashboard.contacts import DATE
from dashboard.contacts.columns.questions import OTHERS, REFUSALS

HEAD = "Mobile,MKT_SUPP_IND,Ridhaa"
ROWS = ("07400123450,Y,tak", "07400123451,N,tak", "07400123452,,nie", "07400123453,Y,")
SHEET = "\n".join((HEAD, *ROWS)).encode()
WAITS = "wait under **To look at**"


def answer(page: AppTest, **meanings: str) -> None:
    for label, meaning in meanings.items():
        choice(page, label.replace("_", " ")).set_value(meaning)
    page.run()


@pytest.fixture
def asked(open_page: Open) -> AppTest:
    """Step 2 of a sheet that asks."""
    return begun(open_page("new"), SHEET)


def test_all_columns_are_asked_in_one_block_and_rows_wait_until_they_are_answered(
    asked: AppTest, wired: Runtime
) -> None:
    assert "2 columns may say who must not be texted" in words(asked)
    labels = [one.label for one in asked.button_group]
    assert labels == ["Y · 2", "N · 1", "(empty) · 1", "tak · 2", "nie · 1", "(empty) · 1"]
    assert not button(asked, "Continue").disabled
    assert statuses(wired) == ["review"] * 4
    answer(asked, **{"Y · 2": "must_not", "N · 1": "may", "(empty) · 1": "nothing"})
    assert "1 column may say who must not be texted" in words(asked)
    assert statuses(wired) == ["opted_out", "review", "review", "opted_out"]
    button(asked, "None of the others says who may be texted").click().run()
    assert WAITS not in words(asked)
    assert statuses(wired) == ["opted_out", "ok", "ok", "opted_out"]
    assert choice(asked, "tak · 2").value == "nothing"
    assert figures(onward(asked))["Ready to send"] == "2"


def test_rows_that_wait_for_a_column_say_so_and_lead_back(
    asked: AppTest, open_page: Open, wired: Runtime
) -> None:
    above = "“MKT_SUPP_IND”, “Ridhaa” may say who must not be texted."
    page = onward(asked)
    assert above in words(page)
    assert "No row can be texted. Answer what is asked above, or correct the rows." in words(page)
    assert "Whether somebody may be texted is approved row by row." in words(page)
    page.button(key=f"open-columns-{draft_of(wired).id}").click().run()
    answer(page, **{"Y · 2": "must_not", "N · 1": "may", "(empty) · 1": "nothing"})
    answer(page, **{"tak · 2": "may"})
    page = onward(page)
    assert above not in words(page)
    assert "“Ridhaa” may say who must not be texted." in words(page)
    wired.drafts.change(draft_of(wired).id, "local", name="Spring", template="Hi", step=5)
    page = open_page("new", draft=draft_of(wired).id, step="review")
    assert "“Ridhaa” may say who must not be texted." in words(page)
    page.button(key=f"open-columns-{draft_of(wired).id}").click().run()
    button(page, "None of the others says who may be texted").click().run()
    assert "may say who must not be texted" not in words(onward(page))


def test_none_of_these_answers_all_and_each_answer_is_taken_back(asked: AppTest, wired: Runtime) -> None:
    button(asked, "None of these says who may be texted").click().run()
    assert statuses(wired) == ["ok"] * 4
    assert button(asked, "None of the others says who may be texted").disabled
    choice(asked, "Y · 2").set_value(None).run()
    assert statuses(wired) == ["review", "ok", "ok", "review"]
    button(asked, "Ask all again").click().run()
    assert statuses(wired) == ["review"] * 4
    assert [one.value for one in asked.button_group] == [None] * 6
    assert WAITS in words(asked.run()), "also after what was remembered could be looked up"


def test_none_of_these_answers_what_was_drawn(asked: AppTest, open_page: Open, wired: Runtime) -> None:
    say(asked, "MKT_SUPP_IND", "refusal")
    other = open_page("new", draft=draft_of(wired).id, step="columns")
    say(other, "MKT_SUPP_IND", "nothing")
    answer(other, **{"Y · 2": "must_not", "tak · 2": "must_not"})
    button(asked, "None of these says who may be texted").click().run()
    assert choice(asked, "Y · 2").value == "must_not"
    assert choice(asked, "nie · 1").value == "nothing"
    assert choice(asked, "tak · 2").value == "must_not"


def test_a_column_of_names_is_asked_as_well(asked: AppTest, wired: Runtime) -> None:
    labelled(asked.selectbox, "Last name").set_value("MKT_SUPP_IND").run()
    answer(asked, **{"Y · 2": "must_not"})
    assert choice(asked, "Y · 2").value == "must_not"
    assert statuses(wired)[0] == "opted_out"


def test_a_reload_and_a_second_tab_show_the_same_answers(
    asked: AppTest, open_page: Open, wired: Runtime
) -> None:
    other = open_page("new", draft=draft_of(wired).id, step="columns")
    answer(asked, **{"Y · 2": "must_not"})
    answer(other, **{"N · 1": "may"})
    for page in (asked.run(), other, open_page("new", draft=draft_of(wired).id, step="columns")):
        assert (choice(page, "Y · 2").value, choice(page, "N · 1").value) == ("must_not", "may")
    button(other, "None of the others says who may be texted").click().run()
    assert choice(asked.run(), "tak · 2").value == "nothing"
    answer(asked, **{"tak · 2": "must_not"})
    assert choice(other.run(), "tak · 2").value == "must_not"


def test_another_way_to_read_the_sheet_asks_again(asked: AppTest, wired: Runtime) -> None:
    answer(asked, **{"Y · 2": "must_not"})
    wired.drafts.change(draft_of(wired).id, "local", header_row=2)
    assert draft_of(wired).columns is None


def confirmed(asked: AppTest) -> None:
    answer(asked, **{"Y · 2": "must_not", "N · 1": "may", "(empty) · 1": "nothing", "tak · 2": "may"})
    onward(asked)


def test_what_is_confirmed_answers_the_next_sheet_and_a_new_value_is_asked(
    asked: AppTest, open_page: Open, wired: Runtime
) -> None:
    confirmed(asked)
    more = b"MKT_SUPP_IND,Ridhaa,Phone\nY,tak,07400123450\nn,tak,07400123451\nmaybe,nie,07400123452\n"
    page = begun(open_page("new"), more)
    assert {one.label: one.value for one in page.button_group} == {
        "Y · 1": "must_not",
        "n · 1": "may",
        "maybe · 1": None,
        "tak · 2": None,  # a title of one word, and another sheet
        "nie · 1": None,
    }
    assert words(page).count("Remembered from ") == 1
    assert "local" in words(page)
    choice(page, "Y · 1").set_value("nothing").run()
    onward(page)
    found = {(one.column, one.value): one.meaning for one in wired.ledger.column_answers.all()}
    assert found["MKT_SUPP_IND", "Y"] == "nothing"
    page = begun(open_page("new"), SHEET)
    assert choice(page, "Y · 2").value == "nothing"
    assert choice(page, "tak · 2").value == "may", "a sheet with the same columns"


def remembered(wired: Runtime) -> dict[str, str]:
    found = wired.ledger.column_answers.all()
    return {one.value: one.meaning for one in found if one.column == "MKT_SUPP_IND"}


FIRST, CORRECTED = {"Y · 2": "may", "N · 1": "may"}, {"Y · 2": "must_not", "N · 1": "may"}


def correct(open_page: Open, wired: Runtime) -> None:
    page = begun(open_page("new"), SHEET)
    answer(page, **{"Y · 2": "must_not"})
    onward(page)
    assert remembered(wired) == {"Y": "must_not", "N": "may"}


def test_an_open_draft_keeps_its_answers_and_changes_nothing_that_is_corrected_or_forgotten(
    asked: AppTest, open_page: Open, wired: Runtime
) -> None:
    answer(asked, **FIRST)
    onward(asked)
    recalled = begun(open_page("new"), SHEET)
    correct(open_page, wired)
    button(asked, "Back").click().run()
    for page in (recalled, asked):
        assert choice(page, "Y · 2").value == "may"
        onward(page)
        assert remembered(wired) == {"Y": "must_not", "N": "may"}
    for one in wired.ledger.column_answers.all():
        wired.ledger.column_answers.forget(one.key)
    for page in (recalled, asked):
        button(page, "Back").click().run()
        onward(page)
        assert remembered(wired) == {}


def test_a_saved_list_keeps_its_answers_and_changes_nothing_that_is_remembered(
    asked: AppTest, open_page: Open, wired: Runtime
) -> None:
    answer(asked, **FIRST)
    onward(asked)
    on_page(lambda: drafting.save_list(draft_of(wired), "Customers"))
    saved = saved_now(wired)
    correct(open_page, wired)
    draft = draft_of(wired)
    for leaves_out in (False, True):
        on_page(lambda out=leaves_out: drafting.add_saved_list(draft.id, saved, leaves_out=out))
    for one in (draft.id, on_page(lambda: drafting.use_list(saved)).id):
        onward(open_page("new", draft=one, step="columns"))
        assert remembered(wired) == {"Y": "must_not", "N": "may"}


def test_an_answer_taken_back_is_forgotten(asked: AppTest, open_page: Open, wired: Runtime) -> None:
    answer(asked, **FIRST)
    onward(asked)
    page = begun(open_page("new"), SHEET)
    button(page, "Ask all again").click().run()
    answer(page, **{"N · 1": "nothing"})
    onward(page)
    assert remembered(wired) == {"N": "nothing"}


def test_what_was_answered_here_is_not_said_to_be_remembered(asked: AppTest, open_page: Open) -> None:
    answer(asked, **FIRST)
    button(onward(asked), "Back").click().run()
    assert choice(asked, "Y · 2").value == "may"
    assert "Remembered from" not in words(asked)
    page = begun(open_page("new"), SHEET)
    assert "Remembered from" in words(page)
    answer(page, **CORRECTED)
    answer(page, **{"N · 1": "nothing"})
    assert "Remembered from" not in words(page)


def test_what_is_remembered_of_the_columns_holds_no_values(asked: AppTest, wired: Runtime) -> None:
    confirmed(asked)
    sheet = on_page(lambda: sheet_of(draft_of(wired)))
    (columns, _when) = wired.ledger.lists.columns_for(sheet) or ("", None)
    assert '"phones":["Mobile"]' in columns
    assert "answers" not in columns


def test_personal_values_are_answered_and_not_remembered(open_page: Open, wired: Runtime) -> None:
    page = begun(open_page("new"), SHEET.replace(b"3,Y,", b"3,ask ann@example.com,"))
    button(page, "None of these says who may be texted").click().run()
    onward(page)
    assert statuses(wired) == ["ok"] * 4
    assert {one.column for one in wired.ledger.column_answers.all()} == {"Ridhaa"}


def test_each_list_has_questions_of_its_own_and_one_to_leave_out_has_none(
    asked: AppTest, wired: Runtime
) -> None:
    confirmed(asked)
    draft = draft_of(wired)
    other = b"MKT_SUPP_IND,Phone\nY,07400123460\nmaybe,07400123461\n"
    for leaves_out in (False, True):
        wired.drafts.add_list(draft, f"{leaves_out}.csv", io.BytesIO(other), leaves_out=leaves_out)
    draft = stored(wired, draft)
    wired.drafts.change(draft.id, "local", step=2)
    page = asked.run()
    button(page, "Back").click().run()
    lists = page.button_group[0]
    assert lists.label == "List"
    assert lists.options == ["contacts.csv · 1 question", "False.csv · 1 question", "True.csv"]
    lists.set_value(draft.lists[0]).run()
    assert {one.label: one.value for one in page.button_group[1:]} == {"Y · 1": "must_not", "maybe · 1": None}
    page.button_group[0].set_value(draft.lists[1]).run()
    assert len(page.button_group) == 1
    said = "“Ridhaa”, “MKT_SUPP_IND” may say who must not be texted."
    assert said in words(onward(page))


def saved_now(wired: Runtime) -> str:
    return str(wired.ledger.lists.all()["list"].iloc[0])


def test_a_saved_list_comes_with_its_answers_and_one_from_before_with_what_is_remembered(
    asked: AppTest, open_page: Open, wired: Runtime
) -> None:
    confirmed(asked)
    on_page(lambda: drafting.save_list(draft_of(wired), "Customers"))
    (saved,) = wired.ledger.lists.all()["list"]
    rows = wired.ledger.lists.contacts(saved, country="GB").rows
    assert rows["status"].tolist() == ["opted_out", "ok", "review", "opted_out"]
    used: Draft = on_page(lambda: drafting.use_list(saved))
    assert used.step == 2, "something is still asked"
    draft = draft_of(wired)
    assert draft.columns
    before = draft.columns.model_copy(update={"answers": None})
    wired.drafts.change(draft.id, "local", columns=before)
    on_page(lambda: drafting.save_list(stored(wired, draft), "Before"))
    again = on_page(lambda: drafting.use_list(saved_now(wired)))
    assert again.step == 2, "nobody has seen the answers"
    page = open_page("new", draft=again.id, step="columns")
    assert choice(page, "Y · 2").value == "must_not"


def test_answers_from_memory_are_seen_before_a_saved_list_is_checked(
    asked: AppTest, open_page: Open, wired: Runtime
) -> None:
    button(asked, "None of these says who may be texted").click().run()
    onward(asked)
    draft = draft_of(wired)
    assert draft.columns
    on_page(lambda: drafting.save_list(draft, "Answered"))
    answered = saved_now(wired)
    assert on_page(lambda: drafting.use_list(answered)).step == 3
    before = wired.drafts.change(draft.id, "local", saved_list=None, columns=Columns(phones=("Mobile",)))
    on_page(lambda: drafting.save_list(before, "Before"))
    (unseen,) = set(wired.ledger.lists.all()["list"]) - {answered}
    seen = on_page(lambda: drafting.use_list(unseen))
    assert (seen.step, on_page(lambda: columns_of(seen).questions)) == (2, ())
    lists = (KeptList(name="A", saved_list=answered), KeptList(name="B", saved_list=unseen))
    texts = wired.drafts.save(
        seen.model_copy(update={"file_name": "", "columns": None, "earlier_lists": lists})
    )
    assert on_page(lambda: drafting.use_earlier_lists(texts.id)).step == 2


@each(
    "value, shown",
    [
        ("", "(empty)"),
        (DATE, "(a date)"),
        (OTHERS, "(any other value)"),
        (REFUSALS, "(any other that may refuse)"),
        ("tak", "tak"),
        ("x" * 41, "x" * 40 + "…"),
    ],
)
def test_values_are_shown_in_words(value: str, shown: str) -> None:
    assert value_in_words(value) == shown


def test_an_answer_is_added_changed_and_taken_back() -> None:
    answers = {"A": {"y": "may"}}
    assert with_meaning(answers, "A", "n", "nothing") == {"A": {"y": "may", "n": "nothing"}}
    assert with_meaning(answers, "A", "y", "must_not") == {"A": {"y": "must_not"}}
    assert with_meaning(answers, "A", "y", None) == {"A": {}}
    assert with_meaning(answers, "B", "y", "may") == {**answers, "B": {"y": "may"}}


def test_values_beyond_a_line_are_one_click_away(open_page: Open) -> None:
    values = ("yes", "no", "tak", "nie", "oui", "non", "si", "ja", "nein")
    rows = [f"0740012345{place},{value}" for place, value in enumerate(values)]
    page = begun(open_page("new"), "\n".join(("Mobile,Zork Flag", *rows)).encode())
    assert len(page.button_group) == 9
    assert page.expander[0].label == "3 more values, 3 unanswered"


REASONS = ["moved", "moved", "", "declined", *(f"reason {place}" for place in range(55))]
PHONES = phones(len(REASONS))


def test_of_a_column_with_too_many_values_what_refused_before_is_drawn_and_stays(
    open_page: Open, wired: Runtime
) -> None:
    head = "Mobile,SMS opt out reason\n"
    few, many = (
        (head + "".join(f"{phone},{cell}\n" for phone, cell in zip(PHONES, cells, strict=False))).encode()
        for cells in (["reason 9", "yes"] * 2, REASONS)
    )
    page = begun(open_page("new"), few)
    answer(page, **{"reason 9 · 2": "must_not"})
    onward(page)
    page = begun(open_page("new"), many)
    button(page, "Ask all again").click().run()
    assert (choice(page, "reason 9 · 1").value, choice(page, "declined · 1").value) == ("must_not", None)
    assert "(any other value), for example: reason 2, reason 3, " in words(page)
    answer(page, **{"(any other value) · 52": "may"})
    button(page, "None of the others says who may be texted").click().run()
    assert button(page, "None of the others says who may be texted").disabled
    assert statuses(wired)[3] == "review"
    assert statuses(wired)[13] == "opted_out"
    assert statuses(wired).count("ok") == 57
    onward(page)
    assert [(one.value, one.meaning) for one in wired.ledger.column_answers.all()] == [
        ("reason 9", "must_not")
    ]
