"""The columns of the frames that this room makes, declared once."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.campaigns.schema import MONEY
from dashboard.contacts.schema import Column
from dashboard.reports.measures.words import STANDING

_STAGE = Column("stage", "category", "", "How far the messages got; the service's own word is never changed.")
_MESSAGES = Column("messages", "int64", "messages", "How many.")
_LOW = Column("credits_low", "int64", "credits", "Estimate with the shortest short links.")
_HIGH = Column("credits_high", "int64", "credits", "Estimate with the longest short links.")
_BILLED = Column("credits_billed", "int64", "credits", "What the service says it used.")

_DIFFERENCE = Column(
    "difference", "int64", "credits", "Billed above the highest estimate or below the lowest."
)
_DELIVERED = Column("delivered", "int64", "messages", "Of these, delivered.")
_OPEN = Column("open", "int64", "messages", "Of these, neither delivered nor failed so far.")
_SHARE = Column("share", "float64", "0 to 1", "Delivered ÷ accepted, so far.")
_ENDS = (
    Column("share_at_most", "float64", "0 to 1", "If all open ones are delivered; once final, the share."),
    Column(
        "independent",
        "float64",
        "messages",
        "As how many messages to different people they count: by person.",
    ),
    Column("low", "float64", "0 to 1", "Lower end of Wilson's interval if none of the open ones is."),
    Column("high", "float64", "0 to 1", "Upper end if all of them are; once final, of the share."),
    Column("final", "bool", "", "Whether nothing is open or not sent yet, or news is no longer awaited."),
)

COUNTS = (
    Column("campaign", "str", "", "The campaign's id."),
    Column("country", "str", "ISO 3166", "Country of the numbers; missing where it is not known."),
    Column("line_type", "str", "contract 4.2", "What kind of line; missing where it is not known."),
    Column("variant", "str", "", "Which of the campaign's texts; missing when it has only one."),
    Column("currency", "str", "ISO 4217", "Currency of the price; missing where it is not known."),
    Column("price_per_credit", MONEY, "currency", "Missing without a price."),
    Column(
        "handed_over_at",
        "datetime64[us, UTC]",
        "UTC",
        "Start of the quarter of an hour in which they were handed over; missing if they never were.",
    ),
    Column("state", "category", "", "As the ledger has it."),
    _STAGE,
    Column("cause", "category", "", "Why the bill is what it is."),
    Column(
        "reason",
        "str",
        "",
        "Why they failed, at most 200 characters of the service's words; missing without a failure.",
    ),
    _MESSAGES,
    _LOW,
    _HIGH,
    Column("credits_billed", "int64", "credits", "The sum of the bills that came."),
    _DIFFERENCE,
)
"""The keys that tell messages apart, then what is added up; no row has 0 messages."""

COURSE = (
    Column("campaign", "str", "", "The campaign's id."),
    Column("event", "str", "", "sent, failed or delivered."),
    Column(
        "at",
        "datetime64[us, UTC]",
        "UTC",
        "Start of the span: of 10 s in the first hour of a campaign, 1 min on its first day, 15 min later.",
    ),
    _MESSAGES,
)

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
    _DIFFERENCE,
    Column("messages_not_billed", "int64", "messages", "Taken, unknown or given up; without a bill so far."),
    Column("open_low", "int64", "credits", "Estimate of those, with the shortest short links."),
    Column("open_high", "int64", "credits", "Estimate of those, with the longest short links."),
    Column(
        "cost_billed",
        MONEY,
        "currency",
        "Of the part that has a price, exactly; missing without any.",
    ),
)

SCHEMAS: Mapping[str, tuple[Column, ...]] = {
    "counts(...)": COUNTS,
    "course(...)": COURSE,
    "standings(...)": tuple(
        Column(name, "int64", "messages", f"{figure.meaning[:1].upper()}{figure.meaning[1:]}.")
        for name, figure in STANDING.items()
    ),
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
        Column("fewer", "int64", "messages", "How many fewer than in the step before."),
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
        Column("messages", "int64", "messages", "Accepted, of those handed over then."),
        _DELIVERED,
        _OPEN,
        _SHARE,
        *_ENDS,
        Column("campaigns", "int64", "campaigns", "How many campaigns they are from."),
        Column(
            "stands_out", "bool", "", "Whether more got through than in all other hours, by more than chance."
        ),
    ),
    "delivery_rates(...)": (
        Column("…", "as given", "", "What was given in `by`, with its names; in trends the month first."),
        Column("value", "str", "", "The same as one text."),
        Column("messages", "int64", "messages", "Accepted."),
        _DELIVERED,
        _OPEN,
        _SHARE,
        *_ENDS,
    ),
    "compare_groups(...)": (
        Column("better", "str", "", "The group with the larger share."),
        Column("worse", "str", "", "The other one."),
        Column("low", "float64", "0 to 1", "Newcombe's interval of the difference, for all pairs together."),
        Column("high", "float64", "0 to 1", "Its upper end."),
        Column("chance", "float64", "0 to 1", "How often chance alone does this, after Holm's correction."),
        Column("differs", "bool", "", "Whether that is rare enough for a verdict."),
        Column(
            "more_people",
            "Int64",
            "people",
            "How many more would show such a difference; missing with a verdict, and without a difference.",
        ),
    ),
    "compare(...)": (
        Column("a", "str", "", "One group."),
        Column("b", "str", "", "The other."),
        Column("n_a", "float64", "messages", "As how many messages to different people those of a count."),
        Column("n_b", "float64", "messages", "The same of b."),
        Column("effect", "float64", "0 to 1", "Share of a - share of b."),
        Column("low", "float64", "0 to 1", "Lower end of Newcombe's interval; missing if not judged yet."),
        Column("high", "float64", "0 to 1", "Its upper end."),
        Column("p", "float64", "0 to 1", "How often chance alone does this; missing if not judged yet."),
        Column("corrected", "float64", "0 to 1", "The same for all pairs together (Holm)."),
        Column("power", "float64", "0 to 1", "How often such groups show a difference that matters."),
        Column("differs", "bool", "", "Whether `corrected` is rare enough for a verdict."),
    ),
    "time_to_delivery(...)": (
        Column("…", "as given", "", "What was given in `by`, with its names."),
        Column("within", "timedelta64[us]", "", "The time asked for, from `sent_at`."),
        Column("at_risk", "int64", "messages", "Had waited so long with neither a delivery nor a failure."),
        Column("delivered", "float64", "0 to 1", "The share delivered by then (Aalen and Johansen)."),
        Column("low", "float64", "0 to 1", "Lower end of its interval."),
        Column("high", "float64", "0 to 1", "Upper end."),
        Column("failed", "float64", "0 to 1", "The share failed by then."),
    ),
    "list_overlap(...)": (
        Column("a", "str", "", "One list."),
        Column("b", "str", "", "The other."),
        Column("both", "int64", "people", "On both; a person is a number, however many rows have it."),
        Column("only_a", "int64", "people", "On a only."),
        Column("only_b", "int64", "people", "On b only."),
        Column("jaccard", "float64", "0 to 1", "both ÷ everybody on either; missing if nobody is."),
    ),
    "list_decay(...)": (
        Column("list", "str", "", "A list."),
        Column("next", "str", "", "The one after it."),
        Column("people", "int64", "people", "On the list with a valid number, each once."),
        Column("kept", "int64", "people", "Of these, also on the next."),
        Column("left", "int64", "people", "Of these, not on the next."),
        Column("new", "int64", "people", "On the next only."),
        Column("kept_share", "float64", "0 to 1", "kept ÷ people; missing if there is nobody."),
        Column(
            "textable", "int64", "people", "Of the people, those who can be texted: with a row that is ok."
        ),
        Column("still_textable", "int64", "people", "Of these, by the next list as well."),
        Column("still_share", "float64", "0 to 1", "still_textable ÷ textable; missing if there is nobody."),
    ),
    "cost_by(...)": (
        Column("…", "as given", "", "What was given in `by`, with its names."),
        Column("currency", "str", "ISO 4217", "Of the money; missing where it is not known."),
        Column("accepted", "int64", "messages", "Accepted by the service."),
        _DELIVERED,
        _LOW,
        _HIGH,
        _BILLED,
        Column("credits_without_price", "int64", "credits", "Billed, in no amount of money."),
        Column("cost_billed", MONEY, "currency", "Of the credits with a price; missing without any."),
        Column("cost_per_delivered", MONEY, "currency", "cost_billed ÷ delivered, to six decimals."),
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
        _DIFFERENCE,
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
        Column("price_per_credit", MONEY, "currency", "Missing without a price."),
        Column("credits_low", "Int64", "credits", "Estimate with the shortest short links."),
        Column("credits_high", "Int64", "credits", "Estimate with the longest short links."),
        Column("credits_billed", "Int64", "credits", "What the service says it used so far."),
        Column("created_at", "datetime64[us, UTC]", "UTC", "When it was made."),
        Column("cost_low", MONEY, "currency", "Missing without a price."),
        Column("cost_high", MONEY, "currency", "Missing without a price."),
        Column(
            "cost_billed",
            MONEY,
            "currency",
            "Of the part that has a price, exactly; missing without any.",
        ),
        Column(
            "credits_without_price",
            "Int64",
            "credits",
            "Billed without a price, so not in any amount of money.",
        ),
    ),
}
