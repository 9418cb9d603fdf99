"""The columns of the frames that this room makes, declared once."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.contacts.schema import Column

GSM_7, UCS_2 = "GSM-7", "UCS-2"
CARRIER_ENCODINGS = (GSM_7, UCS_2)

MONEY = "decimal128(18, 6)[pyarrow]"
"""Every column of money has this dtype, see `cost/money.py`."""

_MESSAGES = (
    Column("row", "int64", "row number", "The row that the spreadsheet program shows."),
    Column("to", "str", "E.164", "The number to text."),
    Column("body", "str", "", "The text with its fields filled in, in Unicode NFC, as it will be sent."),
    Column("characters", "int64", "code points", "Length of the text; the contract allows 1024."),
    Column("credits_low", "int64", "credits", "Cost with the shortest short links; 0 with a problem."),
    Column("credits_high", "int64", "credits", "Cost with the longest short links; 0 with a problem."),
    Column("carrier_encoding", "category", "", "GSM-7 or UCS-2: how carriers would send the text."),
    Column(
        "carrier_parts",
        "int64",
        "parts",
        "Parts carriers would split it into, with links as written; not billed.",
    ),
    Column("scheduled_at", "datetime64[us, UTC]", "UTC", "When to send; missing to send at once."),
    Column("problem", "category", "", "Why the message will not be sent, as a code; missing when it will."),
    Column("country", "category", "ISO 3166", "Country of the number."),
    Column("line_type", "category", "contract 4.2", "What kind of line the number is."),
    Column("characters_low", "int64", "code points", "Length with the shortest short links."),
    Column("characters_high", "int64", "code points", "Length with the longest short links."),
    Column("variant", "category", "", "Name of the variant; missing when the campaign has one text."),
    Column(
        "credits_utf16",
        "int64",
        "credits",
        "The most it costs if the service counts UTF-16 units; most emoji take two.",
    ),
    Column("sender", "category", "", 'The approved sender; "" for the account\'s default, never missing.'),
    Column("shorten_links", "bool", "", "Whether the service replaces URLs with short links."),
    Column(
        "tracking",
        "category",
        "",
        'Added to short links\' targets as `svc_campaign`; "" for none, never missing.',
    ),
    Column("campaign", "category", "", "The campaign's name as it is sent, with the variant's suffix."),
    Column("template", "category", "", "The template that the text was written from."),
    Column("handover", "category", "", "hold or service: who waits for `scheduled_at`."),
    Column(
        "texting_hours",
        "category",
        "",
        'Hours, ISO weekdays and zones outside which it is never sent, as in "09:00:00-20:00:00 12345 '
        'Europe/Paris"; "" without quiet hours, never missing.',
    ),
)

_TOTALS = (
    Column("messages", "int64", "messages", "How many will be sent."),
    Column("credits_low", "int64", "credits", "What they cost with the shortest short links."),
    Column("credits_high", "int64", "credits", "What they cost with the longest short links."),
)

_BY_COUNTRY = (
    Column("country", "str", "ISO 3166", "Country of the numbers; missing where it is not known."),
    *_TOTALS,
    Column("price_per_credit", MONEY, "currency", "Price of a credit there; missing where it is not known."),
    Column("cost_low", MONEY, "currency", "`credits_low` in money; missing without a price."),
    Column("cost_high", MONEY, "currency", "`credits_high` in money; missing without a price."),
)

_BY_LINE_TYPE = (
    Column("line_type", "str", "contract 4.2", "Line type; missing where it is not known."),
    *_TOTALS,
)

_BY_VARIANT = (Column("variant", "str", "", "Name of the variant; no row without variants."), *_TOTALS)

_CHARACTERS = (
    Column("character", "str", "", "A character outside the GSM alphabet."),
    Column("name", "str", "", "Its Unicode name."),
    Column("texts", "int64", "texts", "How many texts contain it; most frequent first."),
    Column("replacement", "str", "", "Its look-alike in the GSM alphabet; missing where there is none."),
)

_CLOCKS = (
    Column("scheduled_at", "datetime64[us, UTC]", "UTC", "When they are sent."),
    Column("messages", "int64", "messages", "How many are sent then to numbers in these zones."),
    Column("yours", "str", "", 'The sender\'s clock, as in "Mon 01 Mar 2027, 09:00".'),
    Column("theirs", "str", "", "The recipients' clock; missing where the zone is not known."),
    Column("zones", "str", "IANA", "The zones that the numbers may be in, joined by spaces."),
)

SCHEMAS: Mapping[str, tuple[Column, ...]] = {
    "write_messages(...)": _MESSAGES,
    "Estimate.by_country": _BY_COUNTRY,
    "Estimate.by_line_type": _BY_LINE_TYPE,
    "Estimate.by_variant": _BY_VARIANT,
    "outside_gsm(...)": _CHARACTERS,
    "clock_table(...)": _CLOCKS,
}
