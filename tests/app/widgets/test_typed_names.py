"""What people typed is shown as they typed it: on pages, in figures and in files nothing of it is markup."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from html import escape, unescape
from typing import Any

import pandas as pd
from app_seeds import sent_campaign, waiting_campaign
from editor_reading import type_text
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from page_reading import Open, button, elements, failed_page, texts_of
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest
from wizard_steps import started

from dashboard.app.drafts import STEPS, Draft
from dashboard.app.runtime import Runtime
from dashboard.app.widgets.plain import JOINER, plain
from dashboard.campaigns.length.links import replace_urls
from dashboard.errors import SheetError
from dashboard.ledger import Ledger
from dashboard.reports import figures
from dashboard.reports.figures.still import Still
from dashboard.reports.files.campaign_page import campaign_page

ZQX = (
    "# *zqx* _zqx_ `zqx` ~~zqx~~ [zqx](javascript:zqx) ![zqx](http://zqx.example/x.png) <b>zqx</b> "
    "<a href='//zqx'>zqx</a> </script><img src=zqx> &lt;zqx&gt; :red[zqx] :material/zqx: :zqx: $zqx$ [^zqx] "
    "www.zqx.example zqx@zqx.example https://zqx.example -> zqx | zqx"
)
"""A name with one of everything that some reader of text on a page takes for markup."""

REASONS = (ZQX[:200], ZQX.replace("zqx@zqx.example", "zqx")[-200:])
"""The service's words, as far as figures keep them; addresses are not kept."""

SHORTENED = f"{ZQX[:13]}…{ZQX[-12:]}"
"""The name beside a bar."""

ARRIVING = replace_urls(pd.Series([ZQX]), "[short link]").iloc[0]
"""The name in a message on a phone."""

READ = unescape(ZQX)
ESCAPED = tuple(text for name in (ZQX, READ) for text in (plain(name), plain(f"A {name}")[2:]))
"""At the start of a line, and within one; as typed, and as the title of a sheet's column is read."""


# How Markdown is read, by another reader of it, and what Streamlit looks for when it is read.

SEEN_LATER = re.compile(
    r":\+1:|:-1:|:[\w-]+:|:material[/_]\w+:|:streamlit:|(https?://|www(?=\.))([-.\w]+)|:[a-z][\w-]*\["
    r"|([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)|(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)",
    re.IGNORECASE | re.ASCII,
)
"""Emoji, icons, links and arrows in text that is read already, as Streamlit's script has them."""

READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
PIECES = st.sampled_from(
    [
        *"*_`~[]()<>!#+-=.:$&|\\/@1a ",
        *("http://", "www.", "\n", "\n\n", "    ", "---", "```", "~~~", "- ", "1. ", "> ", ":red["),
        *("](javascript:a)", ":material/home:", ":smile:", "<b>", "&amp;", "a@b.example", "->", "[^1]"),
        "$x$",
    ]
)
TYPED = st.lists(PIECES | st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=3), max_size=12)


@given(TYPED.map("".join))
@example("www")
def test_markdown_shows_it_letter_by_letter(text: str) -> None:
    for before, after in (("", ""), ("A ", " z"), ("**", "**"), (":material/info: ", ".")):
        read = READER.render(before + plain(text) + after)
        shown = " ".join(text.split())
        if before == "**" and not shown:
            continue
        tags = re.findall(r"<(?!/?p>|/?strong>|br ?/?>)[^>]*>", read)
        assert tags == [], read
        words = unescape(re.sub(r"<[^>]*>", "", read)).strip()
        told = words.replace(JOINER, "").strip("*")
        assert told == f"{before}{shown.replace(JOINER, '')}{after}".strip().strip("*"), read
        own = words.removeprefix(before.strip()).strip()
        assert SEEN_LATER.search(own) is None, own


def test_dollars_are_no_formula() -> None:
    """That reader knows none; Streamlit's does, unless a backslash stands before the sign."""
    assert re.search(r"(?<!\\)\$", plain(ZQX)) is None


def test_ordinary_names_are_still_found_by_their_letters() -> None:
    for name in ("Spring sale", "contacts.csv", "Müller & Söhne", "10:00", "50 % off!", "A/B"):
        assert plain(name).replace("\\", "") == name


# Every page


MARKDOWN = {"label", "help", "body", "title", "text", "caption", "content", "heading", "delta", "tooltip"}
"""Fields of Streamlit's elements that it reads as Markdown, or as HTML."""


def marked_up(page: AppTest) -> list[str]:
    """Texts of a page in which the name, or a piece of it, stands otherwise than escaped."""
    found = list(_texts(page))
    assert found
    return [f"{kind}: {text}" for kind, text, escaped in found if "zqx" in _without(text, escaped)]


def _without(text: str, pieces: Sequence[str]) -> str:
    for piece in pieces:
        text = text.replace(piece, "")
    return text.lower()


def _texts(page: AppTest) -> Iterator[tuple[str, str, Sequence[str]]]:
    for node in elements(page._tree):
        if node.type == "plotly_chart":
            for text in _labels(json.loads(node.proto.spec)):
                yield node.type, text, [escape(name, quote=False) for name in (ZQX, SHORTENED)]
        else:
            escaped = [*map(escape, (ZQX, ARRIVING, *REASONS))] if node.type == "html" else ESCAPED
            for text in texts_of(node.proto, MARKDOWN):
                yield node.type, text, escaped


def _labels(part: Any) -> Iterator[str]:
    """Every text of a figure but its alternative text, which is never drawn."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for one in part:
            yield from _labels(one)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key not in {"template", "meta"}:
                yield from _labels(value)


def csv_of(*rows: Sequence[str]) -> bytes:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue().encode()


def sheet() -> bytes:
    return csv_of(
        [ZQX, "Mobile", "Opted out"],
        [ZQX, "07911 123451", ""],
        ["Ben", ZQX, ""],
        ["Dev", "07911 123453", "yes"],
        ["Eva", "07911123451", ""],
    )


HOSTILE = {"name": ZQX, "file_name": f"{ZQX}.csv", "sender": ZQX, "tracking": ZQX}
TEXT = "Hi {{ Mobile }}, " + ZQX
VARIANTS = [{"template": TEXT, "suffix": ZQX}, {"template": "Hi", "suffix": "B"}]


def failed_for(ledger: Ledger, campaign: str, why: str) -> None:
    """Report that a message of a campaign failed."""
    uuid = ledger.messages(campaign)["uuid"].iloc[-1]
    sent = {"created_at": "2026-01-01T00:00:00Z", "sent_at": "2026-01-01T00:00:01Z", "credits_used": 1}
    ledger.record_reports([{"uuid": uuid, "status": "failed", "failure_reason": why, **sent}])


def test_names_and_the_services_words_are_no_markup(wired: Runtime, open_page: Open) -> None:
    sent = sent_campaign(wired.ledger, ZQX, delivered=10, failed=20)
    waiting = waiting_campaign(wired.ledger, ZQX)
    for campaign, why in zip((sent, waiting), REASONS, strict=True):
        failed_for(wired.ledger, campaign, why)
        page = open_page("campaign", id=campaign)
        assert any(escape(why) in one.value for one in page.html)
        assert marked_up(page) == []
        if campaign == sent:
            assert page.title[0].value == plain(ZQX)
        else:
            assert any(ESCAPED[1] in one.value for one in page.warning)
    for view in ("overview", "campaigns"):
        page = open_page(view)
        assert any(plain(ZQX) in link.label for link in page.get("page_link"))
        assert marked_up(page) == []


def test_a_new_campaign_shows_no_markup(open_draft: Open, open_page: Open) -> None:
    page = open_draft(sheet(), step=5, template=TEXT, variants=VARIANTS, **HOSTILE)
    for step in STEPS:
        page.query_params["step"] = step
        page.run()
        assert plain(ZQX) in [one.value for one in page.caption]
        assert marked_up(page) == []
        if step == STEPS[2]:
            button(page, "Save the list…").click().run()
            assert marked_up(page) == []
    begun = open_page("new")
    assert plain(ZQX) in [one.label for one in begun.button]
    button(begun, "Delete…").click().run()
    assert any(f"**{plain(ZQX)}**" in one.value for one in begun.markdown)
    assert marked_up(begun) == []


def test_a_mistake_in_a_text_shows_no_markup(open_draft: Open) -> None:
    page = open_draft(sheet(), step=4, template="", **HOSTILE)
    for template in ("Hi {{ *zqx* }}", "Hi {{ [zqx](//zqx) ", "<b>zqx</b> {{#zqx*}}"):
        type_text(page, template)
        (said,) = [one.value for one in page.error]
        assert re.search(r"(?<!\\)[*\[<]", said) is None


def test_the_last_question_about_the_same_campaign_again_shows_no_markup(
    save_draft: Callable[..., Draft], open_draft: Open
) -> None:
    started(save_draft(sheet(), template=TEXT, **HOSTILE))
    page = open_draft(sheet(), step=5, template=TEXT, **HOSTILE)
    assert any(plain(ZQX) in one.value for one in page.warning)
    page.button(key="send").click().run()
    assert any(f"**{plain(ZQX)}**" in one.value for one in page.markdown)
    assert marked_up(page) == []


def test_saved_lists_show_no_markup(wired: Runtime, open_page: Open) -> None:
    def ask(name: str) -> None:
        from dashboard.app.views import contacts  # noqa: PLC0415 - a page is its source, run by itself

        contacts.delete("list", name)

    counts = {"ok": 1, "review": 0, "invalid": 1, "duplicate": 1, "opted_out": 1, "empty": 0}
    wired.ledger.lists.save(ZQX, io.BytesIO(sheet()), source=f"{ZQX}.csv", who=ZQX, choices={}, counts=counts)
    for view in ("contacts", "check"):
        assert marked_up(open_page(view)) == []
    page = AppTest.from_function(ask, args=(ZQX,), default_timeout=PATIENCE_S).run()
    assert any(f"**{plain(ZQX)}**" in one.value for one in page.markdown)
    assert marked_up(page) == []


def test_opt_outs_show_no_markup(wired: Runtime, open_page: Open) -> None:
    wired.ledger.add_opt_outs(["+447911123451", "+447911123452"], reason=ZQX, source=ZQX)
    wired.ledger.remove_opt_out("+447911123452", who=ZQX, reason=ZQX)
    page = open_page("optouts")
    assert marked_up(page) == []
    page.session_state["optouts-said"] = f"4 rows passed over, as the column “{ZQX}” says so."
    page.run()
    assert ESCAPED[1] in page.success[0].value
    assert marked_up(page) == []
    for column in (ZQX, f"Opted out {ZQX}"):
        page = open_page("optouts")
        button(page, "Add numbers").click().run()
        button(page, "Add numbers").click()
        rows = (["Mobile", column], ["07911 123451", "no"], ["07911 123452", "no"])
        page.file_uploader[0].upload("contacts.csv", csv_of(*rows))
        page.selectbox[-1].set_value("GB").run()
        button(page, "Add numbers").click()
        button(page, "Add").click().run()
        assert page.error or page.success
        assert marked_up(page) == []


def test_what_cannot_be_read_shows_no_markup(open_draft: Open, open_page: Open) -> None:
    page = open_draft(b"%PDF-1.7", step=1, **HOSTILE)
    assert plain(ZQX) in page.error[0].value
    assert marked_up(page) == []
    for view in ("reports", "new"):
        page = open_page(view)
        page.file_uploader[0].upload(f"{ZQX}.csv".replace("/", "-"), b"%PDF-1.7").run()
        assert [re.search(r"(?<!\\)[*`<\[]", one.value) for one in page.error] == [None]
    assert failed_page(SheetError(ZQX)).error[0].value == plain(ZQX)


# Figures and files


def tags(markup: str) -> set[str]:
    """The elements of a page or an image, none of which leads to what was typed."""
    read = re.sub(r"<script.*?</script>", "", markup, flags=re.DOTALL)
    assert not re.search(r"<[^>]*(href|src)=[^>]*zqx", read)
    return set(re.findall(r"<([a-z]\w*)", read))


def test_figures_show_no_markup() -> None:
    rates = {"value": [ZQX, "B"], "messages": 1000, "delivered": [950, 800], "share": [0.95, 0.8]}
    intervals = {"low": [0.93, 0.77], "high": [0.96, 0.82]}
    counts = dict.fromkeys(("ok", "review", "invalid", "duplicate", "opted_out", "empty"), 1)
    of_lists = figures.list_health(pd.DataFrame([{"name": ZQX, **counts}]))
    for figure in (figures.delivery_rates(pd.DataFrame(rates | intervals)), of_lists):
        texts = [text for text in _labels(json.loads(figure.to_json())) if "zqx" in text]
        assert texts
        assert all(escape(ZQX, quote=False) in text for text in texts)
    drawing = Still(of_lists).svg
    assert tags(drawing) <= {"svg", "title", "text", "rect", "path"}
    assert ZQX in unescape(drawing)


def test_a_report_shows_no_markup(wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, ZQX)
    page = campaign_page(wired.ledger.campaigns(), wired.ledger.messages(campaign)).decode()
    assert {"a", "img", "b"}.isdisjoint(tags(page))
    assert ZQX in map(unescape, re.findall(r">([^<]*)<", page))
