"""Campaigns side by side: the figures that the ledger has, and addresses that lead nowhere."""

from __future__ import annotations

import re
from html import unescape

from app_seeds import sent_campaign, started_campaign
from page_reading import Open, words
from streamlit.testing.v1 import AppTest

from dashboard.app.runtime import Runtime
from dashboard.words import DASH


def test_each_campaign_has_its_own_figures(open_page: Open, wired: Runtime) -> None:
    one = sent_campaign(wired.ledger, "Spring", delivered=8, failed=1, on_the_way=1)
    two = sent_campaign(wired.ledger, "Autumn <b>", delivered=2, failed=2, on_the_way=0)
    page = open_page("compare", ids=f"{one},{two},{one}")
    rows = table(page)
    assert rows[""] == ["Spring", "Autumn <b>"]
    assert rows["Status"] == ["Sending", "Sending"]
    assert rows["Delivered"] == ["8", "2"]
    assert rows["Delivered, of the accepted"] == ["80%", "50%"]
    assert rows["Delivered at most, if all that are open arrive"] == ["90%", "50%"]
    assert rows["Failed, of the accepted"] == ["10%", "50%"]
    assert rows["Still open"] == ["1", "0"]
    assert rows["Billed so far"] == ["€0.45", "€0.18"]


def test_nothing_is_said_to_rise_where_all_is_known_nor_to_be_a_share_where_nothing_was_sent(
    open_page: Open, wired: Runtime
) -> None:
    ids = [sent_campaign(wired.ledger, "Spring", on_the_way=0), started_campaign(wired.ledger, "Autumn", 3)]
    rows = table(open_page("compare", ids=",".join(ids)))
    assert rows["Accepted"] == ["9", "0"]
    assert rows["Delivered, of the accepted"] == ["88.9%", DASH]
    assert "Delivered at most, if all that are open arrive" not in rows


def test_campaigns_of_one_name_are_told_apart_in_the_choice(open_page: Open, wired: Runtime) -> None:
    for name in ("Spring", "Spring", "Autumn"):
        sent_campaign(wired.ledger, name, delivered=1)
    options = open_page("campaigns").multiselect(key="campaigns-compared").options
    assert options[0] == "Autumn"
    assert all(re.fullmatch(r"Spring \(\d+ \w+ \d{4}, \d\d:\d\d\)", one) for one in options[1:])


def test_an_address_without_two_campaigns_says_what_to_do(open_page: Open, wired: Runtime) -> None:
    one = sent_campaign(wired.ledger)
    page = open_page("compare")
    for ids in ("", "nothing,at-all", ",,", one, f"{one},{one}", f"{one},a,b,c,d"):
        page.query_params["ids"] = ids
        page.run()
        assert "Choose two to four campaigns in the list." in words(page), ids


def table(page: AppTest) -> dict[str, list[str]]:
    """The figures by their names, a word per campaign; the campaigns' names by no name."""
    (drawn,) = (html.value for html in page.html if 'class="beside"' in html.value)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", drawn)]
    return {first: [unescape(one) for one in rest] for first, *rest in cells}
