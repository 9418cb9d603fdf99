"""The doors at which files come in, and what holds at each, whatever comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dashboard.campaigns.cost.prices import read_prices
from dashboard.contacts import Limits, clean_contacts, guess_columns, read_opt_outs, read_sheet
from dashboard.errors import DashboardError
from dashboard.reports import read_reports

LIMITS = Limits(child_memory_bytes=1024 * 2**20, child_time_s=30)


def contacts(content: bytes) -> None:
    """As the wizard reads a sheet: every row gets one verdict."""
    sheet = read_sheet(content, limits=LIMITS)
    columns = guess_columns(sheet)
    if columns.phones:
        cleaned = clean_contacts(sheet, columns=columns, country="GB")
        assert len(cleaned.rows) == len(sheet.frame)


def opt_outs(content: bytes) -> None:
    """As the page Opt-outs reads one: only whole numbers are taken."""
    found = read_opt_outs(read_sheet(content, limits=LIMITS), "GB")
    assert all(phone.startswith("+") and phone[1:].isdigit() for phone in found.phones)


def delivery_reports(content: bytes) -> None:
    read_reports(content)


def price_list(content: bytes) -> None:
    read_prices(content)


DOORS: Mapping[str, Callable[[bytes], None]] = {
    one.__name__: one for one in (contacts, opt_outs, delivery_reports, price_list)
}


def answer(door: str, content: bytes) -> str:
    """`taken`, or the first words of the sentence that refuses it; raises whatever is no sentence of ours."""
    try:
        DOORS[door](content)
    except DashboardError as refused:
        sentence = str(refused)
        assert sentence.strip()
        assert sentence.isprintable() or "\n" in sentence, "a sentence that cannot be shown"
        return " ".join(sentence.split()[:5])
    return "taken"
