"""What the pages say, read as a person reads them, against the recount."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from zoneinfo import ZoneInfo

import numpy as np
import orjson
import pytest
import recount
import words
from days import CAMPAIGNS, EACH_CAMPAIGN
from rows import Recount, Row
from streamlit.testing.v1 import AppTest
from tiers import only_deep
from world import World

from dashboard.contacts.words.country_names import country_names

Open = Callable[..., AppTest]
ZONE = ZoneInfo("Asia/Tokyo")
NAMES = country_names()
SHOWN = 6
RECIPIENTS_SHOWN = 500


@pytest.mark.parametrize("name", EACH_CAMPAIGN)
def test_a_campaigns_page(open_page: Open, world: World, true: Recount, name: str) -> None:
    rows = true.of(name)
    page = open_page("campaign", id=world.ids[name])
    html = "\n".join(one.value for one in page.html)
    said = "\n".join(one.value for kind in (page.caption, page.markdown, page.header) for one in kind)
    _check_heaps(html, rows)
    _check_funnel(html, said, rows)
    _check_bars(html, said, rows)
    _check_cost(html, said, rows)
    _check_over_time(page, rows)
    _check_recipients(page, rows, forgotten=name == "Forgotten")
    _check_unknown(said, [row for row in rows if row.state == "unknown"])
    if name == "Paused":
        stand = recount.standing(rows)
        assert f"**{stand['handed_over']}** of {len(rows)} messages handed over" in said


def _check_unknown(said: str, rows: list[Row]) -> None:
    if rows:
        assert f"{words.many(len(rows), 'message')} with an unknown outcome" in said
        money = recount.estimate_in_money(rows)
        worth = (
            words.amount(money[1], rows[0].asked.currency)
            if money
            else words.credits_(recount.estimate(rows)[1])
        )
        assert f"{words.many(len(rows), 'message')}, {worth} at risk" in said


def _check_heaps(html: str, rows: list[Row]) -> None:
    legend = re.findall(r'<li style="--mark:[^"]*">(.*?) <b>([\d,]+)</b></li>', html)
    assert {label: _number(shown) for label, shown in legend} == _heaps(rows)


def _heaps(rows: list[Row]) -> dict[str, int]:
    stand = recount.standing(rows)
    heaps = {
        "Delivered": stand["delivered"],
        "On their way": stand["open"],
        "Not sent yet": stand["not_sent_yet"],
        "Failed": stand["failed"],
        "Rejected": stand["rejected"],
        "Unknown": stand["unknown"],
        "Abandoned": stand["abandoned"],
        "Stopped before sending": stand["cancelled"] + stand["dropped"],
    }
    return {label: number for label, number in heaps.items() if number}


def _check_funnel(html: str, said: str, rows: list[Row]) -> None:
    stand = recount.standing(rows)
    funnel = re.search(r'<div class="funnel">.*', html)
    shown = re.findall(r"<b>([\d,]+)</b>", funnel[0]) if funnel else []
    assert [_number(one) for one in shown] == (recount.funnel(rows) if stand["handed_over"] else [])
    if not stand["accepted"]:
        return
    share = words.percent(stand["delivered"], stand["accepted"])
    assert f"**{share}** of the accepted messages were delivered." in said
    most = words.percent(stand["delivered"] + stand["open"], stand["accepted"])
    are = "is" if stand["open"] == 1 else "are"
    open_ = f"{stand['open']:,} {are} open, so this can rise to {most} at most."
    assert (open_ in said) == (stand["open"] > 0)


def _check_over_time(page: AppTest, rows: list[Row]) -> None:
    stand = recount.standing(rows)
    on_the_way = stand["sent"] - stand["delivered"] - stand["failed"]
    charts = [one.proto for one in page.get("plotly_chart")]
    drawn = next((one for one in charts if one.alt.startswith("Messages over time.")), None)
    if not stand["sent"] or drawn is None:
        assert (stand["sent"], drawn) == (0, None)
        return
    ends = {trace["name"]: _last(trace["y"]) for trace in orjson.loads(drawn.spec)["data"]}
    delivered, failed = stand["delivered"], stand["failed"]
    assert ends == {"Delivered": delivered, "On their way": on_the_way, "Failed": failed}
    end = f"{delivered:,} were delivered, {on_the_way:,} on their way and {failed:,} failed."
    assert drawn.alt == f"Messages over time. At the end {end}"


def _check_recipients(page: AppTest, rows: list[Row], *, forgotten: bool) -> None:
    """The table of the page: everyone by number, with what became of their message."""
    (table,) = (one.value for one in page.dataframe if "Number" in one.value)
    names = ["Number", "Status", "Reason", "Credits", "Country", "Message"]
    shown = table[names].astype("object").where(table[names].notna(), None)
    assert len(rows) <= RECIPIENTS_SHOWN
    assert Counter(map(tuple, shown.to_numpy().tolist())) == Counter(
        (
            "" if forgotten else row.person.phone,
            row.stage.capitalize(),
            row.reason or "",
            row.billed,
            NAMES[row.country],
            "" if forgotten else row.body,
        )
        for row in rows
    )


def _last(values: list[int] | dict[str, str]) -> int:
    """Of a list, or of an array as plotly writes it."""
    if isinstance(values, dict):
        return int(np.frombuffer(b64decode(values["bdata"]), values["dtype"])[-1])
    return values[-1]


def _check_bars(html: str, said: str, rows: list[Row]) -> None:
    drawn = [
        {unescape(label): _number(end) for label, end in re.findall(_BAR, block)}
        for block in re.findall(r'<div class="bars">.*', html)
    ]
    reasons, countries = recount.reasons(rows), Counter(NAMES[row.country] for row in rows)
    *_, by_country, by_line = drawn
    assert len(drawn) == (3 if reasons else 2)
    if reasons:
        assert drawn[0] == reasons
    named = {label: number for label, number in by_country.items() if label in countries}
    assert named == {label: countries[label] for label in named}
    assert sum(by_country.values()) == len(rows)
    assert len(named) >= min(SHOWN, len(countries))
    assert by_line == {"Mobile": len(rows)}
    if charged := recount.charged_anyway(rows):
        lost = [row for row in rows if row.failed]
        price = recount.money(lost)
        worth = [
            words.credits_(charged),
            *([words.bill(price, recount.without_price(lost))] if price else []),
        ]
        assert f"You are still charged for these: {', '.join(worth)}." in said


def _check_cost(html: str, said: str, rows: list[Row]) -> None:
    facts = {unescape(term): unescape(value) for term, value in re.findall(_FACT, html)}
    low, high = recount.estimate(rows)
    without, at_most = recount.missing(rows)
    assert facts["Estimate"] == words.credits_(low, high)
    assert facts["Billed so far"] == words.credits_(recount.billed(rows))
    missing = f"{words.many(without, 'message')}, at most {words.credits_(at_most)}" if without else None
    assert facts.get("Bill missing") == missing
    money = recount.money(rows)
    billed = words.bill(money, recount.without_price(rows)) if money else None
    assert facts.get("Billed in money") == billed
    causes = re.findall(r"\*\*([\d,]+) messages? \((.*?)\)\*\*", said)
    expected = {cause: messages for cause, (messages, *_) in recount.causes(rows).items()}
    assert {cause: _number(number) for number, cause in causes} == expected
    assert f"estimated {_estimate(rows)} · billed {_billed(rows)}" in said


def _estimate(rows: list[Row]) -> str:
    money = recount.estimate_in_money(rows)
    return words.amounts(*money, rows[0].asked.currency) if money else words.credits_(*recount.estimate(rows))


def _billed(rows: list[Row]) -> str:
    return words.bill(recount.money(rows), recount.without_price(rows))


def test_the_list_of_campaigns(open_page: Open, true: Recount) -> None:
    page = open_page("campaigns")
    bars = [
        unescape(one) for one in re.findall(r'aria-label="(.*?)"', "\n".join(one.value for one in page.html))
    ]
    lines = [one.value for one in page.caption if " message" in one.value]
    costs = [one.value for one in page.caption if one.value.startswith("of ")]
    billed = [one.value for one in page.markdown if re.fullmatch(r"\*\*[€$¥\d].*\*\*", one.value)]
    newest_first = [true.of(one) for one in reversed(CAMPAIGNS)]
    ordered = sorted(newest_first, key=lambda rows: rows[0].campaign)
    for shown, expected in (
        (
            bars,
            [", ".join(f"{label} {number:,}" for label, number in _heaps(rows).items()) for rows in ordered],
        ),
        (lines, [_line(rows) for rows in ordered]),
        (costs, [f"of {_estimate(rows)} estimated" for rows in ordered]),
        (billed, [f"**{_billed(rows)}**" for rows in ordered]),
    ):
        assert sorted(shown) == sorted(expected)


def _line(rows: list[Row]) -> str:
    stand = recount.standing(rows)
    said = words.many(len(rows), "message")
    if stand["accepted"]:
        said += f" · {words.percent(stand['delivered'], stand['accepted'])} delivered"
        said += f", {stand['open']:,} open" if stand["open"] else ""
    return said + (f" · {stand['unknown']:,} unknown" if stand["unknown"] else "")


@pytest.mark.parametrize("days", [30, *only_deep(7, 90)])
def test_the_overview(open_page: Open, true: Recount, days: int) -> None:
    page = open_page("overview")
    page.segmented_control(key="overview-period").set_value(f"{days} days").run()
    midnight = datetime.now(UTC).astimezone(ZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    first, earlier = (midnight - timedelta(days=many - 1) for many in (days, 2 * days))
    rows = recount.between(true.of(), first, midnight + timedelta(days=1))
    before = recount.between(true.of(), earlier, first)
    stand, money = recount.standing(rows), recount.money(rows)
    shown = {one.label: one for one in page.metric}
    assert _number(shown["Accepted"].value) == stand["accepted"]
    assert _number(shown["Failed"].value) == stand["failed"]
    assert shown["Delivered"].value == words.percent(stand["delivered"], stand["accepted"])
    assert shown["Billed"].value == words.credits_(recount.billed(rows)), "several currencies"
    days_shown = [recount.between(rows, day, day + timedelta(days=1)) for day in _days(first, days)]
    for label, of_day in (
        ("Accepted", lambda some: recount.standing(some)["accepted"]),
        ("Failed", lambda some: recount.standing(some)["failed"]),
        ("Billed", recount.billed),
    ):
        assert list(shown[label].proto.chart_data) == [of_day(some) for some in days_shown], label
    was = recount.standing(before)["failed"]
    if was and was != stand["failed"]:
        change = f"{100 * (stand['failed'] - was) / was:.1f}".removesuffix(".0")
        assert shown["Failed"].delta == f"{change}%"
    said = "\n".join(one.value for one in page.caption)
    amounts = re.search(r"Billed in money: (.*?)\. \d", said)
    assert amounts
    assert set(re.split(r", and |, | and ", amounts[1])) == {
        *(words.amount(value, currency) for currency, value in money.items()),
        words.many(recount.without_price(rows), "credit without a price", "credits without a price"),
    }
    without, at_most = recount.missing(rows)
    assert f"{without:,} messages have no bill so far (at most {words.credits_(at_most)})." in said


def _days(first: datetime, many: int) -> list[datetime]:
    return [first + timedelta(days=day) for day in range(many)]


_BAR = r'<span class="name">(.*?)</span>.*?<span class="end">(.*?)</span>'
_FACT = r"<dt>(.*?)</dt><dd>(.*?)</dd>"


def _number(shown: str) -> int:
    return int(str(shown).replace(",", ""))
