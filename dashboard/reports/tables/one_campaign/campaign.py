"""What a campaign's report contains, as frames: its facts, and its people with what became of each."""

from __future__ import annotations

from datetime import datetime

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.contacts.read.column_names import side_by_side
from dashboard.reports.measures.counting import are_added_up, counts
from dashboard.reports.measures.money import bill_missing
from dashboard.reports.measures.stages import Stage, stages, times
from dashboard.reports.measures.standing import (
    delivered_share,
    delivered_share_at_most,
    failed_share,
    handed_over,
    open_,
)
from dashboard.reports.measures.told_stop import told_stop
from dashboard.words import N_, _

_AS_STORED = ("country", "line_type", "variant", "credits_low", "credits_high", "credits_billed")
_TIMES = ("sent_at", "delivered_at")
_WORDED = ("stage", "cause", "meaning")
_STATES = (N_("draft"), N_("scheduled"), N_("running"), N_("paused"), N_("done"), N_("cancelled"))
"""What a campaign is doing, for the catalogue."""


@checks_frames
def recipients(
    messages: pd.DataFrame,
    *,
    sheet_rows: pd.DataFrame | None = None,
    tz: str = "UTC",
    now: datetime | None = None,
) -> pd.DataFrame:
    """The people of a campaign, with what became of each one's message.

    Args:
        messages: As `Ledger.messages` gives them.
        sheet_rows: As `Ledger.sheet_rows` gives them; then the sheet's columns follow after the row.
        tz: Time zone of the times, such as "Europe/Berlin".
        now: The current time, which decides what is still scheduled; the clock's if absent.

    Returns:
        One row per message: row (of the contact sheet), phone, stage, reason (in the service's words),
        country, line_type, variant, credits_low, credits_high, credits_billed, sent_at and delivered_at (to
        the second), message and uuid. A name already used by the sheet gets a number, as in "phone#2".

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> write_csv(recipients(ledger.messages(campaign)), "recipients.csv")
    """
    first = {
        "row": messages["row"],
        "phone": messages["to"],
        "stage": stages(messages, now=now),
        "reason": messages["failure_reason"],
    }
    clock = {name: times(messages, name).dt.floor("s").dt.tz_convert(tz) for name in _TIMES}
    last = {"message": messages["body"], "uuid": messages["uuid"]}
    table = pd.DataFrame({**first, **{name: messages[name] for name in _AS_STORED}, **clock, **last})
    return table if sheet_rows is None else _beside_sheet(table, sheet_rows)


def _beside_sheet(table: pd.DataFrame, sheet_rows: pd.DataFrame) -> pd.DataFrame:
    """The table with the cells of each message's row."""
    return side_by_side(table[["row"]], sheet_cells(table, sheet_rows), table.drop(columns="row"))


def sheet_cells(table: pd.DataFrame, sheet_rows: pd.DataFrame) -> pd.DataFrame:
    """The cells of the sheet's row that each row of a table is about; the index is the table's."""
    return sheet_rows.set_index("row").reindex(table["row"]).set_axis(table.index)


@checks_frames
def campaign_facts(
    campaign: pd.DataFrame, *, messages: pd.DataFrame | None = None, tz: str = "UTC"
) -> pd.DataFrame:
    """What is known about a campaign as a whole.

    Args:
        campaign: One row of `Ledger.campaigns()`.
        messages: As `Ledger.messages` gives them; for the bills that are missing, and for people who told
            the service STOP. COUNTS, whose reasons are not whole, tell of the bills only.
        tz: Time zone of the times.

    Returns:
        fact ("Campaign", "Recipients", "Estimate, at most" …), value (str, int, Decimal or an aware time) and
        unit. Facts that nobody knows are left out.
    """
    one = campaign.iloc[0]
    known = [
        (_("Campaign"), one["name"], ""),
        (_("State"), _(str(one["state"])), ""),
        (_("Started"), one["started_at"], tz),
        (_("Ended"), one["finished_at"], tz),
        (_("Recipients"), one["recipients"], _("messages")),
        (_("Handed to the service"), handed_over(one), _("messages")),
        (_("Accepted"), one["accepted"], _("messages")),
        (_("Delivered"), one["delivered"], _("messages")),
        (_("Failed"), one["failed"], _("messages")),
        (_("Neither delivered nor failed so far"), open_(one), _("messages")),
        *_shares(one),
        (_("Rejected"), one["rejected"], _("messages")),
        (_("Unknown whether sent"), one["unknown"], _("messages")),
        (_("Estimate, at least"), one["credits_low"], _("credits")),
        (_("Estimate, at most"), one["credits_high"], _("credits")),
        (_("Billed so far"), one["credits_billed"], _("credits")),
        (_("Estimate, at least, in money"), one["cost_low"], one["currency"]),
        (_("Estimate, at most, in money"), one["cost_high"], one["currency"]),
        (_("Billed so far, in money"), one["cost_billed"], one["currency"]),
        (_("Billed without a price, so not counted as money"), _beside_money(one), _("credits")),
        *([] if messages is None else [*_missing(messages), *_told_stop(messages)]),
    ]
    facts = [(fact, _plain(value, tz), unit) for fact, value, unit in known if not pd.isna(value)]
    return pd.DataFrame(facts, columns=["fact", "value", "unit"]).astype(
        {"fact": "str", "value": "object", "unit": "str"}
    )


def _shares(campaign: pd.Series) -> list[tuple[str, object, str]]:
    """The shares of the accepted; while some are open, how far the share delivered can still rise."""
    if pd.isna(campaign["accepted"]) or not campaign["accepted"]:
        return []
    delivered = (_("Delivered, of the accepted"), float(delivered_share(campaign)), "")
    failed = (_("Failed, of the accepted"), float(failed_share(campaign)), "")
    at_most = float(delivered_share_at_most(campaign))
    highest = [(_("Delivered at most, if all that are open arrive"), at_most, "")]
    return [delivered, *(highest if open_(campaign) else []), failed]


def _missing(messages: pd.DataFrame) -> list[tuple[str, object, str]]:
    """How many bills have not come, and the most that they may be."""
    missing = bill_missing(messages)
    if not missing.messages:
        return []
    return [
        (_("Bill missing"), missing.messages, _("messages")),
        (_("Bill missing, at most"), missing.credits_high, _("credits")),
    ]


def _told_stop(messages: pd.DataFrame) -> list[tuple[str, object, str]]:
    """How many messages failed because the person had told the service STOP; nothing where none is known."""
    if are_added_up(messages, "messages"):
        return []
    said = counts(messages, ["stage", "failure_reason"])
    said = said[said["stage"] == Stage.FAILED]
    told = int(said.loc[said["failure_reason"].map(told_stop), "messages"].sum())
    return [(_("Failed because the person had told the service STOP"), told, _("messages"))] if told else []


def _beside_money(campaign: pd.Series) -> object:
    """Credits without a price, if there are credits with one; without any money, all of them are."""
    without = campaign["credits_without_price"]
    partly = not pd.isna(campaign["cost_billed"]) and not pd.isna(without) and without > 0
    return without if partly else None


@checks_frames
def in_words(table: pd.DataFrame) -> pd.DataFrame:
    """A table with its stages, causes and their meanings in the current language."""
    return table.assign(**{name: table[name].astype("str").map(_) for name in _WORDED if name in table})


def _plain(value: object, tz: str) -> object:
    if isinstance(value, pd.Timestamp):
        return value.floor("s").tz_convert(tz).to_pydatetime()
    return value.item() if hasattr(value, "item") else value  # a NumPy number as Python's
