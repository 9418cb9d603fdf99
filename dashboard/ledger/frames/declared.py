"""The columns of the frames that the ledger hands out, declared once; see docs/columns.md."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.campaigns.schema import MONEY
from dashboard.contacts.schema import Column
from dashboard.reports import schema

UTC_TIME = "datetime64[us, UTC]"


def _text(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, "str", unit, meaning)


def _word(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, "category", unit, meaning)


def _number(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, "Int64", unit, meaning)


def _time(name: str, meaning: str) -> Column:
    return Column(name, UTC_TIME, "UTC", meaning)


def _money(name: str, meaning: str) -> Column:
    return Column(name, MONEY, "currency", meaning)


_MESSAGES = (
    _text("uuid", "Fixed before the first request; the service knows the message by it.", "UUID"),
    _number("row", "Row of the contact sheet.", "row number"),
    _text("to", "The number; empty once forgotten.", "E.164"),
    _text("body", "The text as frozen."),
    _word("state", "ready, sending, accepted, rejected, unknown, abandoned, cancelled or dropped."),
    _word("status", "The service's own word; missing until it has reported one."),
    _word("failure_reason", "The service's own words; missing without a failure."),
    _number("credits_low", "Estimate with the shortest short links.", "credits"),
    _number("credits_high", "Estimate with the longest short links.", "credits"),
    _number("credits_billed", "What the service says it used; missing when it does not say.", "credits"),
    _money("price_per_credit", "What one of its credits costs; missing where it is not known."),
    _time("created_at", "When the service created it."),
    _time("scheduled_at", "When the service should send it; missing to send at once."),
    _time("sent_at", "When the service sent it on."),
    _time("delivered_at", "When it was delivered."),
    _number("batch", "The batch that holds it."),
    _number("attempt", "How many times that batch was claimed."),
    _word("country", "Country of the number.", "ISO 3166"),
    _word("line_type", "What kind of line the number is.", "contract 4.2"),
    _word("variant", "Which of the campaign's texts; missing when it has only one."),
    _text("contact_uuid", "The recipient's record at the service.", "UUID"),
    Column(
        "echoed",
        "boolean",
        "",
        "Whether the answer to our request contained it; missing when nothing is known.",
    ),
    _text("sent_body", "The text as the service sends it, if it differs, as with short links."),
    _text("extra", "What the service said beyond the contract; missing when nothing.", "JSON"),
    _word("campaign", "The campaign's id."),
    _time(
        "handed_over_at",
        "When its request began to leave this machine; missing without one, and where it proved unsent.",
    ),
    _time("failed_at", "When a failure was first heard; missing unless it failed."),
    _word("cause", "Why its bill is what it is, as `reconcile` says; decided when it came."),
    _word("stage", "How far it had got when it was read, in order; see `stages`."),
    _word("campaign_name", "The campaign's name."),
    _word("currency", "Currency of the price.", "ISO 4217"),
    _money("cost_billed", "credits_billed at their price; missing without a bill or without a price."),
)

_MESSAGE = {column.name: column for column in _MESSAGES}

_OPT_OUTS = (
    _text("phone", "The number that must not be texted.", "E.164"),
    _text("reason", "Why."),
    _text("source", "Where it came from."),
    _time("added_at", "Since when."),
)

SCHEMAS: Mapping[str, tuple[Column, ...]] = {
    "Ledger.campaigns()": (
        _text("campaign", "The campaign's id."),
        _text("name", "Its name, as the service gets it."),
        _word("state", "draft, scheduled, running, paused, done or cancelled."),
        _text("reason", "Why it is in that state, as a sentence; missing when there is nothing to say."),
        _number("recipients", "Frozen messages; always the sum of the eight states that follow.", "messages"),
        _number("ready", "Waiting to be sent.", "messages"),
        _number("sending", "On their way to the service right now.", "messages"),
        _number("accepted", "The service has them.", "messages"),
        _number("rejected", "The service refused them; they were not sent.", "messages"),
        _number("unknown", "Nobody can tell whether the service took them; a person decides.", "messages"),
        _number(
            "abandoned",
            "Were unknown, and are left: a person decided so, or opted out before being texted again.",
            "messages",
        ),
        _number("cancelled", "Not sent, because the campaign was cancelled before.", "messages"),
        _number("dropped", "Not sent, because the recipient had opted out.", "messages"),
        _number("sent", "Of the accepted: sent on by the service, delivered ones included.", "messages"),
        _number("delivered", "Of the accepted: delivered.", "messages"),
        _number("failed", "Of the accepted: with a failure reason and not delivered.", "messages"),
        _number("credits_low", "Estimate with the shortest short links, without those dropped.", "credits"),
        _number("credits_high", "Estimate with the longest short links, without those dropped.", "credits"),
        _number("credits_billed", "What the service says it used so far.", "credits"),
        _money(
            "price_per_credit",
            "What a credit cost when the campaign was made; missing without a price or with several.",
        ),
        _money("cost_low", "credits_low in money; missing where a price is not known."),
        _money("cost_high", "credits_high in money; missing where a price is not known."),
        _money(
            "cost_billed", "The part of credits_billed that has a price, in exact money; missing without any."
        ),
        _number("credits_without_price", "Billed without a price, so not in any amount of money.", "credits"),
        _word("currency", "Currency of the price.", "ISO 4217"),
        _text("source", "What it was made from, such as a sheet's name."),
        _time("created_at", "When it was made and frozen."),
        _time(
            "scheduled_at",
            "When it starts by itself, for a draft once it is approved; missing without a time.",
        ),
        _time("started_at", "When it began to run."),
        _time("finished_at", "When it was done or cancelled."),
        _text("sender", "The approved sender asked for; missing for the account's default."),
        Column("shorten_links", "boolean", "", "Whether the service replaces URLs with short links."),
        _text("service", "Which service it goes to; missing when that was not noted."),
        _time("forgotten_at", "When its numbers, texts and contact sheet were deleted."),
    ),
    "Ledger.messages(...)": _MESSAGES,
    "Ledger.person(...)": (
        *_MESSAGES,
        _time("opted_out_at", "Since when the person must not be texted; missing when they may be."),
    ),
    "Ledger.recipients(...)": (
        _number("place", "Place in the campaign, from 1; the next page comes after it.", "messages"),
        *(_MESSAGE[name] for name in ("row", "to", "state", "failure_reason", "credits_billed")),
        *(_MESSAGE[name] for name in ("scheduled_at", "sent_at", "delivered_at", "country", "body")),
    ),
    "Ledger.events(...)": (
        _word("campaign", "The campaign's id."),
        _text("uuid", "The message.", "UUID"),
        _word("stage", "How far it had got: accepted, sent, failed or delivered, in this order."),
        _time(
            "at",
            "When, according to the service. The contract has no time for a failure, so this is then the "
            "last time before it.",
        ),
        _text("status", "The service's own word; missing when it gave none."),
        _text("failure_reason", "The service's own words; missing without a failure."),
        _word("source", "Where it was first heard: answer, or report (which is provisional)."),
        _time("recorded_at", "When it was first heard."),
    ),
    "Ledger.counts(...)": schema.COUNTS,
    "Ledger.course(...)": schema.COURSE,
    "Ledger.coming(...)": (
        _text("campaign", "The campaign's id."),
        _time(
            "at", "When these go out: the campaign's time, or the end of the quarter of an hour of their own."
        ),
        _number("messages", "How many.", "messages"),
    ),
    "Ledger.contacts()": (
        _text("phone", "A number that was ever in a campaign.", "E.164"),
        _word("country", "Country of the number.", "ISO 3166"),
        _word("line_type", "What kind of line it is.", "contract 4.2"),
        _text("contact_uuid", "Its record at the service; missing until it has reported one.", "UUID"),
        _number("messages", "How many were frozen for it, in all campaigns.", "messages"),
        _number("sent", "Of these, sent on by the service.", "messages"),
        _number("delivered", "Of these, delivered.", "messages"),
        _number("failed", "Of these, with a failure reason and not delivered.", "messages"),
        _number("credits_billed", "What the service says it used; missing where it did not say.", "credits"),
        _time("last_sent_at", "When one was last sent on."),
        _time("last_delivered_at", "When one was last delivered."),
        _time("opted_out_at", "Since when it must not be texted; missing when it may be."),
    ),
    "Ledger.stray_reports()": (
        _text("uuid", "The uuid of a message that is not sent from here.", "UUID"),
        _time("received_at", "When it first came."),
        _text("report", "The whole report.", "JSON"),
    ),
    "Ledger.batches(...)": (
        _number("batch", "The batch's id, for decisions."),
        _number("seq", "Its place in the campaign; parts of a batch keep it."),
        _number("parent", "The batch it is a part of."),
        _word("state", "As for a message; split when parts took its place."),
        _text("reason", "Why it is in that state."),
        _number("http_status", "Status of the last answer."),
        _number("messages", "How many it holds.", "messages"),
        _number("accepted", "Of these, accepted individually, whatever the batch's state.", "messages"),
        _number("dropped", "Of these, dropped individually.", "messages"),
        _number("credits_low", "Estimate for all of them.", "credits"),
        _number("credits_high", "Estimate for all of them.", "credits"),
        _number(
            "credits_billed",
            "What the service says it used; 0 once split: its parts have the bill of what it had accepted.",
            "credits",
        ),
        _number("attempt", "How many times it was claimed."),
        _time("claimed_at", "When it was last claimed."),
        _time("settled_at", "When that claim ended."),
        _time("resend_from", "When a person may first send it again; missing unless unknown."),
        _word("campaign", "The campaign's id."),
    ),
    "Ledger.unknown(...)": (
        _number("batch", "The batch's id, for decisions."),
        _text("reason", "Why nobody can tell."),
        _number("messages", "How many of its messages are unknown.", "messages"),
        _number("credits_low", "Would be paid twice if it is sent again needlessly.", "credits"),
        _number("credits_high", "The same with the longest short links.", "credits"),
        _money("money_at_risk", "credits_high at their price; missing without one."),
        _word("currency", "Of the money.", "ISO 4217"),
        _number("attempt", "How many times it was claimed."),
        _time("claimed_at", "When the request began."),
        _time("settled_at", "When it was found to be unknown."),
        _time("resend_from", "When it may first be sent again."),
    ),
    "Ledger.attempts(...)": (
        _number("batch", "The batch's id."),
        _number("attempt", "Counted from 1."),
        _time("at", "When."),
        _word("event", "claimed, or how it ended; a late answer adds a line."),
        _number("http_status", "Status of the answer."),
        _text("detail", "What was seen, as a sentence."),
        _text("owner", "The process."),
    ),
    "Ledger.decisions(...)": (
        _number("batch", "The batch's id."),
        _number("attempt", "After which attempt."),
        _word("decision", "accepted, ready (sent again) or abandoned."),
        _text("who", "Who decided."),
        _text("why", "Why."),
        _time("at", "When."),
        _number("messages", "How many were unknown.", "messages"),
        _number("credits_low", "At risk.", "credits"),
        _number("credits_high", "At risk.", "credits"),
        _money("money_at_risk", "credits_high at their price; missing without one."),
        _word("currency", "Of the money.", "ISO 4217"),
    ),
    "Ledger.told_stop(...)": (
        _text("phone", "Whom the service did not text.", "E.164"),
        _text("reason", "The service's own words, the last ones."),
        _time("opted_out_at", "Since when they are opt-outs here; missing where they are not yet."),
    ),
    "Ledger.opt_outs()": _OPT_OUTS,
    "Ledger.opt_outs(texts=True)": (
        *_OPT_OUTS,
        _word("campaign", "The campaign of the last text before; missing where none is known."),
        _word("campaign_name", "Its name."),
        _word("variant", "Which of its texts; missing when it has only one."),
        _word("template", "That text, before its fields were filled in."),
        _time("texted_at", "When it was sent."),
    ),
    "Ledger.opt_out_history()": (
        *_OPT_OUTS,
        _time("removed_at", "When it was taken off the list; missing while it is on it."),
        _text("removed_by", "Who took it off."),
        _text("removed_why", "Why."),
    ),
    "Ledger.lists.all()": (
        _text("list", "The list's id."),
        _text("name", "What its owner calls it."),
        _text("source", "Name of the file."),
        _text("digest", "Of the file.", "SHA-256"),
        _number("size_bytes", "Size of the file.", "bytes"),
        _number("rows", "Rows when it was saved; the sum of the six that follow.", "rows"),
        _number("ok", "To be texted.", "rows"),
        _number("review", "Left for a person to look at.", "rows"),
        _number("invalid", "Without a number that can be texted.", "rows"),
        _number("duplicate", "With a number that another row has.", "rows"),
        _number("opted_out", "Of people who refused.", "rows"),
        _number("empty", "Without any number.", "rows"),
        _text("saved_by", "Who saved it last."),
        _time("saved_at", "When."),
    ),
    "Ledger.audit.entries(...)": (
        _number("number", "Its place in the trail; the first is 1."),
        _time("at", "When."),
        _text(
            "who",
            'The address of who was signed in, "local" where nobody signs in, or "system:" and the user of a '
            "command; empty for a stranger.",
        ),
        _text("what", "What was done, one of a closed list of words."),
        _text("about", "To what: a campaign's, list's or draft's id, a setting, an address."),
        _text("details", "A few facts more, as JSON; nothing that somebody typed."),
        _text("hash", "Over the row and the hash before it.", "SHA-256"),
    ),
    "Ledger.same_campaigns(...)": (
        _text("campaign", "The campaign's id."),
        _text("name", "Its name."),
        _word("state", "draft, scheduled, running, paused, done or cancelled."),
        _number(
            "messages",
            "How many of the new messages are the same text to the same person, and in no newer campaign.",
            "messages",
        ),
        _time("created_at", "When it was made."),
    ),
    "Ledger.texts()": (
        _text("campaign", "The newest campaign with this text."),
        _text("name", "Its name."),
        _text("variant", "Which of its variants; empty when it has none."),
        _text("template", "The text."),
        _text("template_version", "An id of the text: equal texts have equal ids."),
        _time("created_at", "When that campaign was made."),
    ),
    "Ledger.texts_since(...)": (
        _text("to", "The number.", "E.164"),
        _time("at", "When it was texted, or will be."),
    ),
    "Ledger.answers_about_links(...)": (
        _text("body", "The text as frozen."),
        _text("sent_body", "As the service says it sends it; missing where it does not say."),
        _number("credits_billed", "What the service says it used.", "credits"),
    ),
}
