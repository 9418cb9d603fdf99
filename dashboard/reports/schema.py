"""The columns of the frames that this room makes, declared once."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.contacts.schema import Column

_STAGE = Column("stage", "category", "", "How far the messages got; the service's own word is never changed.")
_MESSAGES = Column("messages", "int64", "messages", "How many.")
_LOW = Column("credits_low", "int64", "credits", "Estimate with the shortest short links.")
_HIGH = Column("credits_high", "int64", "credits", "Estimate with the longest short links.")
_BILLED = Column("credits_billed", "int64", "credits", "What the service says it used.")

_SENDER = Column("sender", "str", "", "The sender asked for, or a note that it is the account's default.")
_CURRENCY = Column(
    "currency",
    "str",
    "ISO 4217",
    "Currency of the price, or a note that it is not known. Different currencies are never added up.",
)
_STATEMENT = (
    _CURRENCY,
    Column("messages", "int64", "messages", "Handed over to the service in the month."),
    Column("accepted", "int64", "messages", "Of these, accepted by the service."),
    Column("delivered", "int64", "messages", "Of these, delivered."),
    Column("failed", "int64", "messages", "Of these, failed; they are billed anyway."),
    Column(
        "unknown", "int64", "messages", "Of these, unknown: nobody can tell whether the service took them."
    ),
    _LOW,
    _HIGH,
    _BILLED,
    Column(
        "credits_without_price",
        "int64",
        "credits",
        "Of these, billed without a price, so not in any amount of money.",
    ),
    Column("difference", "int64", "credits", "Billed above the highest estimate or below the lowest."),
    Column("messages_not_billed", "int64", "messages", "Taken, unknown or given up; without a bill so far."),
    Column("open_low", "int64", "credits", "Estimate of those, with the shortest short links."),
    Column("open_high", "int64", "credits", "Estimate of those, with the longest short links."),
    Column(
        "cost_billed",
        "object",
        "currency",
        "Exact Decimal of the part that has a price; missing without any.",
    ),
)

SCHEMAS: Mapping[str, tuple[Column, ...]] = {
    "campaign_summary(...)": (
        _STAGE,
        _MESSAGES,
        Column("share", "float64", "0 to 1", "Of all messages."),
        _LOW,
        _HIGH,
        _BILLED,
    ),
    "failure_reasons(...)": (
        _STAGE,
        Column("reason", "str", "", "The service's words, or a note that it gave none."),
        _MESSAGES,
        Column("share", "float64", "0 to 1", "Of the messages that failed or were rejected."),
        _BILLED,
    ),
    "breakdown(...)": (
        Column("value", "str", "", "A value of the column, or a note that it is not known."),
        _STAGE,
        _MESSAGES,
    ),
    "funnel_steps(...)": (
        Column("step", "str", "", "Handed to the service, accepted, sent or delivered."),
        _MESSAGES,
        Column("share", "float64", "0 to 1", "Of the messages handed to the service."),
    ),
    "status_over_time(...)": (
        Column("time", "datetime64[us, UTC]", "UTC", "A moment."),
        Column("sent", "int64", "messages", "On their way by then: sent, neither delivered nor failed."),
        Column("delivered", "int64", "messages", "Delivered by then."),
        Column("failed", "int64", "messages", "Failed, and sent by then."),
    ),
    "delivered_by_hour(...)": (
        Column("weekday", "category", "", "Mon to Sun, in the time zone asked for."),
        Column("hour", "int64", "hour", "0 to 23, in that time zone."),
        Column("messages", "int64", "messages", "How many were sent then."),
        Column("share", "float64", "0 to 1", "How many of those were delivered."),
    ),
    "delivery_rates(...)": (
        Column("value", "str", "", "A value of the column, or of the values given."),
        Column("messages", "int64", "messages", "Delivered or failed."),
        Column("delivered", "int64", "messages", "Of these, delivered."),
        Column("share", "float64", "0 to 1", "The share delivered."),
        Column("low", "float64", "0 to 1", "Lower end of Wilson's interval."),
        Column("high", "float64", "0 to 1", "Upper end of Wilson's interval."),
    ),
    "campaign_facts(...)": (
        Column("fact", "str", "", "What it is, such as Recipients."),
        Column("value", "object", "", "A text, a number, a Decimal or an aware time."),
        Column(
            "unit", "str", "", "Unit of the value: messages, credits, a currency, a time zone, or nothing."
        ),
    ),
    "recipients(...)": (
        Column("row", "Int64", "row number", "Row of the contact sheet."),
        Column("phone", "str", "E.164", "The number."),
        _STAGE,
        Column("reason", "category", "", "Why it failed, in the service's words; missing without a failure."),
        Column("country", "category", "ISO 3166", "Country of the number."),
        Column("line_type", "category", "contract 4.2", "What kind of line it is."),
        Column("variant", "category", "", "Which of the campaign's texts; missing when it has only one."),
        Column("credits_low", "Int64", "credits", "Estimate with the shortest short links."),
        Column("credits_high", "Int64", "credits", "Estimate with the longest short links."),
        Column("credits_billed", "Int64", "credits", "What the service says it used; missing, never 0."),
        Column("sent_at", "datetime64", "the zone asked for", "When the service sent it on, to the second."),
        Column("delivered_at", "datetime64", "the zone asked for", "When it was delivered, to the second."),
        Column("message", "str", "", "The text as frozen."),
        Column("uuid", "str", "UUID", "The service knows the message by it."),
    ),
    "reconcile(...)": (
        Column("cause", "category", "", "Why the bill is what it is."),
        _MESSAGES,
        _LOW,
        _HIGH,
        _BILLED,
        Column("difference", "int64", "credits", "Billed above the highest estimate or below the lowest."),
        Column("meaning", "str", "", "The cause in a sentence."),
    ),
    "bills(...)": (
        Column("uuid", "str", "UUID", "The message."),
        Column("cause", "category", "", "Why its bill is what it is."),
        Column("credits_low", "Int64", "credits", "Estimate with the shortest short links."),
        Column("credits_high", "Int64", "credits", "Estimate with the longest short links."),
        Column("credits_billed", "Int64", "credits", "What the service says it used; missing, never 0."),
        Column("difference", "Int64", "credits", "Billed outside the estimate; missing without a bill."),
    ),
    "Replay.differences": (
        Column(
            "uuid", "object", "UUID", "The message; missing for a contact that the campaign did not have."
        ),
        Column("row", "Int64", "row number", "Row of the contact sheet."),
        Column("difference", "category", "", "What differs; `Replay.summary()` says what each means."),
        Column("then", "str", "", "As it was at the freeze."),
        Column("today", "str", "", "As it would be today."),
    ),
    "Statement.by_campaign": (
        Column("campaign", "str", "", "The campaign's id."),
        Column("name", "str", "", "Its name."),
        _SENDER,
        *_STATEMENT,
    ),
    "Statement.by_country": (
        Column("country", "str", "ISO 3166", "Country of the numbers, or a note that it is not known."),
        *_STATEMENT,
    ),
    "Statement.by_sender": (_SENDER, *_STATEMENT),
    "Statement.totals": _STATEMENT,
    "cost_by_campaign(...)": (
        Column("campaign", "str", "", "The campaign's id."),
        Column("name", "str", "", "Its name."),
        Column("state", "category", "", "What it is doing."),
        Column("currency", "category", "ISO 4217", "Currency of the price."),
        Column("price_per_credit", "object", "currency", "Decimal; missing without a price."),
        Column("credits_low", "Int64", "credits", "Estimate with the shortest short links."),
        Column("credits_high", "Int64", "credits", "Estimate with the longest short links."),
        Column("credits_billed", "Int64", "credits", "What the service says it used so far."),
        Column("created_at", "datetime64[us, UTC]", "UTC", "When it was made."),
        Column("cost_low", "object", "currency", "Decimal; missing without a price."),
        Column("cost_high", "object", "currency", "Decimal; missing without a price."),
        Column(
            "cost_billed",
            "object",
            "currency",
            "Exact Decimal of the part that has a price; missing without any.",
        ),
        Column(
            "credits_without_price",
            "Int64",
            "credits",
            "Billed without a price, so not in any amount of money.",
        ),
    ),
}
