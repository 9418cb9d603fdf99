"""The columns of the frames that the ledger hands out, declared once; see docs/columns.md."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.campaigns.schema import MONEY
from dashboard.contacts.schema import Column
from dashboard.reports import schema

UTC_TIME = "datetime64[us, UTC]"

_COUNTS = (
    Column(
        "recipients", "Int64", "messages", "Frozen messages; always the sum of the eight states that follow."
    ),
    Column("ready", "Int64", "messages", "Waiting to be sent."),
    Column("sending", "Int64", "messages", "On their way to the service right now."),
    Column("accepted", "Int64", "messages", "The service has them."),
    Column("rejected", "Int64", "messages", "The service refused them; they were not sent."),
    Column(
        "unknown", "Int64", "messages", "Nobody can tell whether the service took them; a person decides."
    ),
    Column("abandoned", "Int64", "messages", "Were unknown, and a person decided to leave it at that."),
    Column("cancelled", "Int64", "messages", "Not sent, because the campaign was cancelled before."),
    Column("dropped", "Int64", "messages", "Not sent, because the recipient had opted out."),
    Column("sent", "Int64", "messages", "Of the accepted: sent on by the service, delivered ones included."),
    Column("delivered", "Int64", "messages", "Of the accepted: delivered."),
    Column("failed", "Int64", "messages", "Of the accepted: with a failure reason and not delivered."),
)

_CAMPAIGNS = (
    Column("campaign", "str", "", "The campaign's id."),
    Column("name", "str", "", "Its name, as the service gets it."),
    Column("state", "category", "", "draft, scheduled, running, paused, done or cancelled."),
    Column(
        "reason", "str", "", "Why it is in that state, as a sentence; missing when there is nothing to say."
    ),
    *_COUNTS,
    Column(
        "credits_low",
        "Int64",
        "credits",
        "Estimate with the shortest short links, without those dropped.",
    ),
    Column(
        "credits_high",
        "Int64",
        "credits",
        "Estimate with the longest short links, without those dropped.",
    ),
    Column("credits_billed", "Int64", "credits", "What the service says it used so far."),
    Column(
        "price_per_credit",
        MONEY,
        "currency",
        "What a credit cost when the campaign was made; missing without a price or with several.",
    ),
    Column("cost_low", MONEY, "currency", "credits_low in money; missing where a price is not known."),
    Column("cost_high", MONEY, "currency", "credits_high in money; missing where a price is not known."),
    Column(
        "cost_billed",
        MONEY,
        "currency",
        "The part of credits_billed that has a price, in exact money; missing without any.",
    ),
    Column(
        "credits_without_price", "Int64", "credits", "Billed without a price, so not in any amount of money."
    ),
    Column("currency", "category", "ISO 4217", "Currency of the price."),
    Column("source", "str", "", "What it was made from, such as a sheet's name."),
    Column("created_at", UTC_TIME, "UTC", "When it was made and frozen."),
    Column(
        "scheduled_at",
        UTC_TIME,
        "UTC",
        "When it starts by itself, for a draft once it is approved; missing without a time.",
    ),
    Column("started_at", UTC_TIME, "UTC", "When it began to run."),
    Column("finished_at", UTC_TIME, "UTC", "When it was done or cancelled."),
    Column("sender", "str", "", "The approved sender asked for; missing for the account's default."),
    Column("shorten_links", "boolean", "", "Whether the service replaces URLs with short links."),
    Column("service", "str", "", "Which service it goes to; missing when that was not noted."),
    Column("forgotten_at", UTC_TIME, "UTC", "When its numbers, texts and contact sheet were deleted."),
)

_MESSAGES = (
    Column("uuid", "str", "UUID", "Fixed before the first request; the service knows the message by it."),
    Column("row", "Int64", "row number", "Row of the contact sheet."),
    Column("to", "str", "E.164", "The number; empty once forgotten."),
    Column("body", "str", "", "The text as frozen."),
    Column(
        "state",
        "category",
        "",
        "ready, sending, accepted, rejected, unknown, abandoned, cancelled or dropped.",
    ),
    Column("status", "category", "", "The service's own word; missing until it has reported one."),
    Column("failure_reason", "category", "", "The service's own words; missing without a failure."),
    Column("credits_low", "Int64", "credits", "Estimate with the shortest short links."),
    Column("credits_high", "Int64", "credits", "Estimate with the longest short links."),
    Column(
        "credits_billed", "Int64", "credits", "What the service says it used; missing when it does not say."
    ),
    Column(
        "price_per_credit", MONEY, "currency", "What one of its credits costs; missing where it is not known."
    ),
    Column("created_at", UTC_TIME, "UTC", "When the service created it."),
    Column("scheduled_at", UTC_TIME, "UTC", "When the service should send it; missing to send at once."),
    Column("sent_at", UTC_TIME, "UTC", "When the service sent it on."),
    Column("delivered_at", UTC_TIME, "UTC", "When it was delivered."),
    Column("batch", "Int64", "", "The batch that holds it."),
    Column("attempt", "Int64", "", "How many times that batch was claimed."),
    Column("country", "category", "ISO 3166", "Country of the number."),
    Column("line_type", "category", "contract 4.2", "What kind of line the number is."),
    Column("variant", "category", "", "Which of the campaign's texts; missing when it has only one."),
    Column("contact_uuid", "str", "UUID", "The recipient's record at the service."),
    Column(
        "echoed",
        "boolean",
        "",
        "Whether the answer to our request contained it; missing when nothing is known.",
    ),
    Column("sent_body", "str", "", "The text as the service sends it, if it differs, as with short links."),
    Column("extra", "str", "JSON", "What the service said beyond the contract; missing when nothing."),
    Column("campaign", "category", "", "The campaign's id."),
    Column(
        "handed_over_at",
        UTC_TIME,
        "UTC",
        "When its request began to leave this machine; missing without one, and where it proved unsent.",
    ),
    Column("failed_at", UTC_TIME, "UTC", "When a failure was first heard; missing unless it failed."),
    Column("cause", "category", "", "Why its bill is what it is, as `reconcile` says; decided when it came."),
    Column("stage", "category", "", "How far it had got when it was read, in order; see `stages`."),
    Column("campaign_name", "category", "", "The campaign's name."),
    Column("currency", "category", "ISO 4217", "Currency of the price."),
    Column(
        "cost_billed",
        MONEY,
        "currency",
        "credits_billed at their price; missing without a bill or without a price.",
    ),
)

_OF_PERSON = (
    *_MESSAGES,
    Column(
        "opted_out_at", UTC_TIME, "UTC", "Since when the person must not be texted; missing when they may be."
    ),
)

_EVENTS = (
    Column("campaign", "category", "", "The campaign's id."),
    Column("uuid", "str", "UUID", "The message."),
    Column(
        "stage", "category", "", "How far it had got: accepted, sent, failed or delivered, in this order."
    ),
    Column(
        "at",
        UTC_TIME,
        "UTC",
        "When, according to the service. The contract has no time for a failure, so this is then the "
        "last time before it.",
    ),
    Column("status", "str", "", "The service's own word; missing when it gave none."),
    Column("failure_reason", "str", "", "The service's own words; missing without a failure."),
    Column("source", "category", "", "Where it was first heard: answer, or report (which is provisional)."),
    Column("recorded_at", UTC_TIME, "UTC", "When it was first heard."),
)

_CONTACTS = (
    Column("phone", "str", "E.164", "A number that was ever in a campaign."),
    Column("country", "category", "ISO 3166", "Country of the number."),
    Column("line_type", "category", "contract 4.2", "What kind of line it is."),
    Column("contact_uuid", "str", "UUID", "Its record at the service; missing until it has reported one."),
    Column("messages", "Int64", "messages", "How many were frozen for it, in all campaigns."),
    Column("sent", "Int64", "messages", "Of these, sent on by the service."),
    Column("delivered", "Int64", "messages", "Of these, delivered."),
    Column("failed", "Int64", "messages", "Of these, with a failure reason and not delivered."),
    Column(
        "credits_billed", "Int64", "credits", "What the service says it used; missing where it did not say."
    ),
    Column("last_sent_at", UTC_TIME, "UTC", "When one was last sent on."),
    Column("last_delivered_at", UTC_TIME, "UTC", "When one was last delivered."),
    Column("opted_out_at", UTC_TIME, "UTC", "Since when it must not be texted; missing when it may be."),
)

_STRAY_REPORTS = (
    Column("uuid", "str", "UUID", "The uuid of a message that is not in this ledger."),
    Column("received_at", UTC_TIME, "UTC", "When it first came."),
    Column("report", "str", "JSON", "The whole report."),
)

_BATCHES = (
    Column("batch", "Int64", "", "The batch's id, for decisions."),
    Column("seq", "Int64", "", "Its place in the campaign; halves of a batch keep it."),
    Column("parent", "Int64", "", "The batch it is half of."),
    Column("state", "category", "", "As for a message; split when two halves took its place."),
    Column("reason", "str", "", "Why it is in that state."),
    Column("http_status", "Int64", "", "Status of the last answer."),
    Column("messages", "Int64", "messages", "How many it holds."),
    Column("accepted", "Int64", "messages", "Of these, accepted individually, whatever the batch's state."),
    Column("dropped", "Int64", "messages", "Of these, dropped individually."),
    Column("credits_low", "Int64", "credits", "Estimate for all of them."),
    Column("credits_high", "Int64", "credits", "Estimate for all of them."),
    Column(
        *("credits_billed", "Int64", "credits"),
        "What the service says it used; 0 once split: its halves have the bill of what it had accepted.",
    ),
    Column("attempt", "Int64", "", "How many times it was claimed."),
    Column("claimed_at", UTC_TIME, "UTC", "When it was last claimed."),
    Column("settled_at", UTC_TIME, "UTC", "When that claim ended."),
    Column("resend_from", UTC_TIME, "UTC", "When a person may first send it again; missing unless unknown."),
    Column("campaign", "category", "", "The campaign's id."),
)

_UNKNOWN = (
    Column("batch", "Int64", "", "The batch's id, for decisions."),
    Column("reason", "str", "", "Why nobody can tell."),
    Column("messages", "Int64", "messages", "How many of its messages are unknown."),
    Column("credits_low", "Int64", "credits", "Would be paid twice if it is sent again needlessly."),
    Column("credits_high", "Int64", "credits", "The same with the longest short links."),
    Column("money_at_risk", MONEY, "currency", "credits_high at their price; missing without one."),
    Column("currency", "category", "ISO 4217", "Of the money."),
    Column("attempt", "Int64", "", "How many times it was claimed."),
    Column("claimed_at", UTC_TIME, "UTC", "When the request began."),
    Column("settled_at", UTC_TIME, "UTC", "When it was found to be unknown."),
    Column("resend_from", UTC_TIME, "UTC", "When it may first be sent again."),
)

_ATTEMPTS = (
    Column("batch", "Int64", "", "The batch's id."),
    Column("attempt", "Int64", "", "Counted from 1."),
    Column("at", UTC_TIME, "UTC", "When."),
    Column("event", "category", "", "claimed, or how it ended; a late answer adds a line."),
    Column("http_status", "Int64", "", "Status of the answer."),
    Column("detail", "str", "", "What was seen, as a sentence."),
    Column("owner", "str", "", "The process."),
)

_DECISIONS = (
    Column("batch", "Int64", "", "The batch's id."),
    Column("attempt", "Int64", "", "After which attempt."),
    Column("decision", "category", "", "accepted, ready (sent again) or abandoned."),
    Column("who", "str", "", "Who decided."),
    Column("why", "str", "", "Why."),
    Column("at", UTC_TIME, "UTC", "When."),
    Column("messages", "Int64", "messages", "How many were unknown."),
    Column("credits_low", "Int64", "credits", "At risk."),
    Column("credits_high", "Int64", "credits", "At risk."),
    Column("money_at_risk", MONEY, "currency", "credits_high at their price; missing without one."),
    Column("currency", "category", "ISO 4217", "Of the money."),
)

_OPT_OUTS = (
    Column("phone", "str", "E.164", "The number that must not be texted."),
    Column("reason", "str", "", "Why."),
    Column("source", "str", "", "Where it came from."),
    Column("added_at", UTC_TIME, "UTC", "Since when."),
)

_TOLD_STOP = (
    Column("phone", "str", "E.164", "Whom the service did not text."),
    Column("reason", "str", "", "The service's own words, the last ones."),
    Column(
        "opted_out_at", UTC_TIME, "UTC", "Since when they are opt-outs here; missing where they are not yet."
    ),
)

_OPT_OUTS_AFTER_TEXTS = (
    *_OPT_OUTS,
    Column("campaign", "category", "", "The campaign of the last text before; missing where none is known."),
    Column("campaign_name", "category", "", "Its name."),
    Column("variant", "category", "", "Which of its texts; missing when it has only one."),
    Column("template", "category", "", "That text, before its fields were filled in."),
    Column("texted_at", UTC_TIME, "UTC", "When it was sent."),
)

_OPT_OUT_HISTORY = (
    *_OPT_OUTS,
    Column("removed_at", UTC_TIME, "UTC", "When it was taken off the list; missing while it is on it."),
    Column("removed_by", "str", "", "Who took it off."),
    Column("removed_why", "str", "", "Why."),
)

_AUDIT = (
    Column("number", "Int64", "", "Its place in the trail; the first is 1."),
    Column("at", UTC_TIME, "", "When."),
    Column(
        "who",
        "str",
        "",
        'The address of who was signed in, "local" where nobody signs in, or "system:" and the user of a '
        "command; empty for a stranger.",
    ),
    Column("what", "str", "", "What was done, one of a closed list of words."),
    Column("about", "str", "", "To what: a campaign's, list's or draft's id, a setting, an address."),
    Column("details", "str", "", "A few facts more, as JSON; nothing that somebody typed."),
    Column("hash", "str", "SHA-256", "Over the row and the hash before it."),
)

_SAVED_LISTS = (
    Column("list", "str", "", "The list's id."),
    Column("name", "str", "", "What its owner calls it."),
    Column("source", "str", "", "Name of the file."),
    Column("digest", "str", "SHA-256", "Of the file."),
    Column("size_bytes", "Int64", "bytes", "Size of the file."),
    Column("rows", "Int64", "rows", "Rows when it was saved; the sum of the six that follow."),
    Column("ok", "Int64", "rows", "To be texted."),
    Column("review", "Int64", "rows", "Left for a person to look at."),
    Column("invalid", "Int64", "rows", "Without a number that can be texted."),
    Column("duplicate", "Int64", "rows", "With a number that another row has."),
    Column("opted_out", "Int64", "rows", "Of people who refused."),
    Column("empty", "Int64", "rows", "Without any number."),
    Column("saved_by", "str", "", "Who saved it last."),
    Column("saved_at", UTC_TIME, "UTC", "When."),
)

_SAME_CAMPAIGNS = (
    Column("campaign", "str", "", "The campaign's id."),
    Column("name", "str", "", "Its name."),
    Column("state", "category", "", "draft, scheduled, running, paused, done or cancelled."),
    Column(
        "messages",
        "Int64",
        "messages",
        "How many of the new messages are the same text to the same person, and in no newer campaign.",
    ),
    Column("created_at", UTC_TIME, "UTC", "When it was made."),
)

_TEXTS = (
    Column("campaign", "str", "", "The newest campaign with this text."),
    Column("name", "str", "", "Its name."),
    Column("variant", "str", "", "Which of its variants; empty when it has none."),
    Column("template", "str", "", "The text."),
    Column("template_version", "str", "", "An id of the text: equal texts have equal ids."),
    Column("created_at", UTC_TIME, "UTC", "When that campaign was made."),
)

_TEXTS_SINCE = (
    Column("to", "str", "E.164", "The number."),
    Column("at", UTC_TIME, "UTC", "When it was texted, or will be."),
)

_COMING = (
    Column("campaign", "str", "", "The campaign's id."),
    Column(
        "at",
        UTC_TIME,
        "UTC",
        "When these go out: the campaign's time, or the end of the quarter of an hour of their own.",
    ),
    Column("messages", "Int64", "messages", "How many."),
)

_ANSWERS_ABOUT_LINKS = (
    Column("body", "str", "", "The text as frozen."),
    Column("sent_body", "str", "", "As the service says it sends it; missing where it does not say."),
    Column("credits_billed", "Int64", "credits", "What the service says it used."),
)

_ON_A_PAGE = ("row", "to", "state", "failure_reason", "credits_billed", "scheduled_at", "sent_at")
_RECIPIENTS = (
    Column("place", "Int64", "messages", "Place in the campaign, from 1; the next page comes after it."),
    *(column for name in _ON_A_PAGE for column in _MESSAGES if column.name == name),
    *(column for name in ("delivered_at", "country", "body") for column in _MESSAGES if column.name == name),
)

COURSE, COMING = "Ledger.course(...)", "Ledger.coming(...)"

SCHEMAS: Mapping[str, tuple[Column, ...]] = {
    "Ledger.campaigns()": _CAMPAIGNS,
    "Ledger.messages(...)": _MESSAGES,
    "Ledger.person(...)": _OF_PERSON,
    "Ledger.recipients(...)": _RECIPIENTS,
    "Ledger.events(...)": _EVENTS,
    "Ledger.counts(...)": schema.COUNTS,
    COURSE: schema.COURSE,
    COMING: _COMING,
    "Ledger.contacts()": _CONTACTS,
    "Ledger.stray_reports()": _STRAY_REPORTS,
    "Ledger.batches(...)": _BATCHES,
    "Ledger.unknown(...)": _UNKNOWN,
    "Ledger.attempts(...)": _ATTEMPTS,
    "Ledger.decisions(...)": _DECISIONS,
    "Ledger.told_stop(...)": _TOLD_STOP,
    "Ledger.opt_outs()": _OPT_OUTS,
    "Ledger.opt_outs(texts=True)": _OPT_OUTS_AFTER_TEXTS,
    "Ledger.opt_out_history()": _OPT_OUT_HISTORY,
    "Ledger.lists.all()": _SAVED_LISTS,
    "Ledger.audit.entries(...)": _AUDIT,
    "Ledger.same_campaigns(...)": _SAME_CAMPAIGNS,
    "Ledger.texts()": _TEXTS,
    "Ledger.texts_since(...)": _TEXTS_SINCE,
    "Ledger.answers_about_links(...)": _ANSWERS_ABOUT_LINKS,
}
