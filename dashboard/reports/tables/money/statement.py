"""A month's statement: what was sent, what it was estimated at and what was billed, three ways that agree.

A message belongs to the month in which it was handed over to the service, on one time zone's calendar. A bill
the service has not reported is shown as missing, with its estimate; it is never taken for 0. Money is added
up exactly, separately for each currency, and credits billed without a price are counted separately. What was
sent again after an unknown outcome may be billed twice: that is no bill of any message, so it is said apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns import checks_frames
from dashboard.campaigns.cost.money import known_amounts
from dashboard.campaigns.when.moments import month_of
from dashboard.campaigns.zones import zone_named
from dashboard.display import Card
from dashboard.errors import DashboardError
from dashboard.formatting import bill_words, credit_count
from dashboard.reports.measures.causes import BILL_MISSING
from dashboard.reports.measures.counting import as_counts
from dashboard.reports.measures.money import costs
from dashboard.reports.measures.stages import times
from dashboard.reports.measures.standing import standings
from dashboard.reports.tables.money.reconcile import reconcile
from dashboard.words import _, plural

_KEYS = ("campaign", "country", "price_per_credit", "handed_over_at", "state", "stage", "cause")
_STANDING = ("accepted", "delivered", "failed", "unknown")
_CREDITS = ("credits_low", "credits_high", "credits_billed", "difference")
SUMS = (
    *("messages", *_STANDING, "credits_low", "credits_high", "credits_billed", "credits_without_price"),
    *("difference", "messages_not_billed", "open_low", "open_high"),
)
_SHOWN = (
    "name",
    "messages",
    "delivered",
    "failed",
    "credits_high",
    "credits_billed",
    "cost_billed",
    "currency",
)
_TOLD = ("name", "sender", "currency")
_UNKNOWN = "not known"
_DEFAULT_SENDER = "the account's default"
_DECEMBER = 12
_LAST_YEAR = 9998


@dataclass(frozen=True, repr=False)
class Statement:
    """A month, by campaign, by country and by sender, and the causes of differences.

    Attributes:
        month: Such as "2026-11".
        by_campaign: One row per campaign; columns in docs/columns.md, as of the next two.
        by_country: One row per country and currency.
        by_sender: One row per sender and currency.
        causes: From `reconcile`, for the whole month.
        totals: One row per currency: what the rows of each of the three add up to.
        time_zone: On whose calendar the month is.
        messages_again: How many messages with an unknown outcome a person decided in the month to send again,
            whether or not it came to that: people may have opted out, or the campaign been cancelled.
        credits_again: The most that the service may bill for the time before.

    Example:
        >>> monthly_statement(ledger.messages(), ledger.campaigns(), "2026-11")
    """

    month: str
    by_campaign: pd.DataFrame
    by_country: pd.DataFrame
    by_sender: pd.DataFrame
    causes: pd.DataFrame
    totals: pd.DataFrame
    time_zone: str = "UTC"
    messages_again: int = 0
    credits_again: int = 0

    def __repr__(self) -> str:
        return f"<Statement of {self.month} ({self.time_zone}): {', '.join(self._facts())}>"

    def _repr_html_(self) -> str:
        open_ = int(self.totals["messages_not_billed"].sum())
        missing = plural(open_, "{count} message has no bill yet.", "{count} messages have no bill yet.")
        return Card(
            f"Statement {self.month} ({self.time_zone})",
            self._facts(),
            self.by_campaign[[*_SHOWN]],
            [said for said in (missing if open_ else "", self.sent_again()) if said],
            f'd.write_statement(statement, "statement-{self.month}.xlsx")',
        ).html()

    def sent_again(self) -> str:
        """What the service may bill besides, as a sentence; empty if nothing was sent again.

        Example:
            >>> statement.sent_again()
        """
        if not self.messages_again:
            return ""
        return plural(
            self.messages_again,
            "{count} message with an unknown outcome was to be sent again, so the service may bill up to "
            "{credits} more.",
            "{count} messages with an unknown outcome were to be sent again, so the service may bill up to "
            "{credits} more.",
            credits=credit_count(self.credits_again),
        )

    def _facts(self) -> list[str]:
        totals = self.totals
        known = dict(zip(totals["currency"], known_amounts(totals["cost_billed"]), strict=True))
        billed = credit_count(int(totals["credits_billed"].sum()))
        in_money = bill_words(known, int(totals["credits_without_price"].sum()))
        return [
            plural(int(totals["messages"].sum()), "{count} message", "{count} messages"),
            _("{credits} billed").format(credits=billed),
            *([in_money] if any(amount is not None for amount in known.values()) else []),
        ]


@checks_arguments()
def month_bounds(month: str | date | pd.Period, *, tz: str = "UTC") -> tuple[datetime, datetime]:
    """The first moment of a month such as "2026-11", and that of the next, in UTC.

    Args:
        month: The month: "2026-11", a period of pandas, or a day in it.
        tz: The time zone on whose calendar it is.

    Raises:
        DashboardError: It is not a month, or there is no such time zone.

    Example:
        >>> since, until = month_bounds("2026-11", tz="Europe/Berlin")
        >>> since.isoformat()
        '2026-10-31T23:00:00+00:00'
    """
    month = month_of(month)
    found = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", month)
    if found is None or not 1 < int(found[1]) <= _LAST_YEAR:
        raise DashboardError(f"{month!r} is not a month. Write it like 2026-11.")
    year, number = int(found[1]), int(found[2])
    following = (year + 1, 1) if number == _DECEMBER else (year, number + 1)
    zone = zone_named(tz)
    first, end = (datetime(*each, 1, tzinfo=zone) for each in ((year, number), following))
    return first.astimezone(UTC), end.astimezone(UTC)


@checks_frames
def monthly_statement(
    messages: pd.DataFrame,
    campaigns: pd.DataFrame,
    month: str | date | pd.Period,
    *,
    tz: str = "UTC",
    decisions: pd.DataFrame | None = None,
) -> Statement:
    """The statement of a month.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS; those of other months are left out.
        campaigns: As `Ledger.campaigns` gives them.
        month: Such as "2026-11", a period of pandas, or a day in it.
        tz: The time zone on whose calendar it is.
        decisions: As `Ledger.decisions` gives them. Without them, nothing is said of what was sent again.

    Raises:
        DashboardError: It is not a month.

    Example:
        >>> since, until = month_bounds("2026-11")
        >>> own, decisions = ledger.messages(since=since, until=until), ledger.decisions()
        >>> monthly_statement(own, ledger.campaigns(), "2026-11", decisions=decisions)
    """
    since, until = month_bounds(month, tz=tz)
    counted = as_counts(messages, _KEYS)
    at, left = counted["handed_over_at"], counted["state"] != "sending"
    own = counted[left & (at >= since) & (at < until)].drop(columns="currency", errors="ignore")
    own = own.assign(country=own["country"].fillna(_UNKNOWN)).join(_about(campaigns), on="campaign")
    told = own[list(_TOLD)].astype("str").fillna(_UNKNOWN)
    own = own.assign(**{name: told[name] for name in _TOLD})
    return Statement(
        month_of(month),
        _totals(own, ["campaign", *_TOLD]),
        _totals(own, ["country", "currency"]),
        _totals(own, ["sender", "currency"]),
        reconcile(own),
        _totals(own, ["currency"]),
        tz,
        *((0, 0) if decisions is None else _again(decisions, since, until)),
    )


def _again(decisions: pd.DataFrame, since: datetime, until: datetime) -> tuple[int, int]:
    """Messages that a person sent again then, and the most credits that they cost the time before."""
    at = times(decisions, "at")
    own = decisions[(decisions["decision"] == "ready") & (at >= since) & (at < until)]
    return int(own["messages"].sum()), int(own["credits_high"].sum())


def _about(campaigns: pd.DataFrame) -> pd.DataFrame:
    about = campaigns.set_index(campaigns["campaign"].astype("str"))
    sender = about["sender"].astype("str").fillna(_DEFAULT_SENDER)
    currency = about["currency"].astype("str")
    return about[["name"]].assign(sender=sender, currency=currency)


def _totals(own: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Sums by some keys; the cost is that of the priced credits, and missing where nothing has a price."""
    missing = own["cause"].isin(BILL_MISSING)
    open_ = {
        "messages_not_billed": own["messages"].where(missing, 0),
        "open_low": own["credits_low"].where(missing, 0),
        "open_high": own["credits_high"].where(missing, 0),
    }
    sums = own.assign(**open_).groupby(keys, sort=True)[["messages", *_CREDITS, *open_]].sum().reset_index()
    stand, money = standings(own, keys), costs(own, keys)
    table = sums.assign(
        **{name: stand[name] for name in _STANDING},
        credits_without_price=money["without_price"],
        cost_billed=money["cost"],
    )
    return table[[*keys, *SUMS, "cost_billed"]]
