"""The table of unknown batches, a page at a time, and what a decision would cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.app import runtime
from dashboard.app.seen import rows_seen
from dashboard.app.viewer import time_column
from dashboard.app.widgets.page import table_key
from dashboard.app.widgets.paging import page_of
from dashboard.campaigns.cost.money import total
from dashboard.formatting import bill_words, credit_count, money
from dashboard.ledger.outbox.risks import UnknownTotal
from dashboard.words import _, plural

PAGE_ROWS = 100
MOST_HEIGHT_PX, ROW_PX = 420, 35


@dataclass(frozen=True)
class Stake(UnknownTotal):
    """The batches one decision covers.

    Attributes:
        only: Its batches; None means all of the campaign's.
    """

    only: tuple[int, ...] | None

    @property
    def name(self) -> str:
        """Distinguishes the two places on a page that show one."""
        return "all" if self.only is None else "chosen"

    def lead(self) -> str:
        """How many batches, in bold."""
        if self.only is not None:
            return plural(self.batches, "**{count} chosen batch**", "**{count} chosen batches**")
        return plural(self.batches, "**{count} batch**", "**All {count} batches**")

    def risk(self) -> str:
        """How many messages, and what may be lost."""
        worth = bill_words({self.currency: self.money}, self.credits_without_price)
        return plural(
            self.messages,
            "{count} message, {worth} at risk",
            "{count} messages, {worth} at risk",
            worth=worth,
        )

    def words(self) -> str:
        """Both in one line."""
        batches = plural(self.batches, "{count} batch", "{count} batches")
        return f"{batches} · {self.risk()}"


def of_total(found: UnknownTotal) -> Stake:
    """Everything awaiting a decision."""
    return Stake(**asdict(found), only=None)


def of_rows(rows: pd.DataFrame) -> Stake:
    """The chosen rows of `Ledger.unknown()`, at least one."""
    unpriced = rows["money_at_risk"].isna()
    return Stake(
        only=tuple(int(batch) for batch in rows["batch"]),
        batches=len(rows),
        messages=int(rows["messages"].sum()),
        credits=int(rows["credits_high"].sum()),
        money=total(rows.loc[~unpriced, "money_at_risk"]),
        credits_without_price=int(rows.loc[unpriced, "credits_high"].sum()),
        currency=str(rows["currency"].iloc[0]),
        resend_from=rows["resend_from"].max().to_pydatetime(),
        newest_at=rows["settled_at"].max().to_pydatetime(),
    )


def unknown_table(campaign: str, every: Stake, *, choosing: bool) -> Stake | None:
    """Draw a page of the table, newest first; returns what was chosen in it, if anything."""
    page = page_of(every.batches, PAGE_ROWS, f"unknown-page-{campaign}")
    rows = runtime.current().shown.unknown(campaign, limit=page.size, skip=page.first)
    chosen = _draw(campaign, rows, choosing=choosing)
    page.choose()
    return of_rows(rows.iloc[list(chosen)]) if chosen else None


def _draw(campaign: str, rows: pd.DataFrame, *, choosing: bool) -> Sequence[int]:
    about: dict[str, Any] = {
        "data": rows_seen()(_in_words(rows)),
        "hide_index": True,
        "height": min(ROW_PX * (len(rows) + 1) + 2, MOST_HEIGHT_PX),
        "column_config": _columns(),
        "placeholder": "",
        "alt": _("Batches with an unknown outcome, and what is at risk"),
    }
    if not choosing:
        st.dataframe(**about)
        return ()
    key = table_key(f"unknown-{campaign}", rows["batch"])
    picked = st.dataframe(**about, key=key, on_select="rerun", selection_mode="multi-row")
    return list(picked.selection.rows)


def _in_words(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows in words."""
    amounts = zip(rows["money_at_risk"], rows["currency"], rows["credits_high"], strict=True)
    return pd.DataFrame(
        {
            _("Batch"): rows["batch"],
            _("Messages"): rows["messages"],
            _("At risk"): [
                credit_count(int(high)) if pd.isna(amount) else money(amount, str(currency))
                for amount, currency, high in amounts
            ],
            _("Handed over"): rows["claimed_at"],
            _("Can be sent again from"): rows["resend_from"],
            _("Reason"): rows["reason"],
        }
    )


def _columns() -> dict[str, Any]:
    times = (_("Handed over"), _("Can be sent again from"))
    clock = {name: time_column(name, _("D MMM, HH:mm:ss")) for name in times}
    return {_("Reason"): st.column_config.TextColumn(width="large"), **clock}
