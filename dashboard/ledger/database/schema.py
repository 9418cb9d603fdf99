"""The ledger's tables.

Messages are numbered across all campaigns; a campaign and a batch each own a range of numbers, so a batch can
be split without touching a message. `message`, `attempt`, `decision`, `setting` and `audit` rows never
change: a trigger refuses it, except that a message's number and text can be deleted. What the service says
about a message is in `result`, one row as soon as something is known. What figures are added up from is in
the tallies (see tallies/tables.py), kept in the transaction that changes a message, so no count ever scans
messages. Every status that the service ever reported for a message is in `event`, whose rows never change
either.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
)

from dashboard.ledger.database.column_types import Instant, Money

tables = MetaData()

BigId = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite numbers rows by itself only if the type is exactly INTEGER."""

campaign = Table(
    "campaign",
    tables,
    Column("id", String(32), primary_key=True),
    Column("token", Text, unique=True, comment="one-time token of the page that made it"),
    Column("name", Text, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("reason", Text, comment="why it stands where it stands, a sentence"),
    Column("source", Text, comment="what it was made from, such as a sheet's name"),
    Column("sender", Text),
    Column("shorten_links", Boolean, nullable=False),
    Column("tracking", Text),
    Column("price_per_credit", Money, comment="for all its messages; missing where batches have their own"),
    Column("currency", String(3), nullable=False),
    Column("first_message", BigInteger, nullable=False),
    Column("last_message", BigInteger, nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    Column("scheduled_at", Instant),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Column("service", Text, comment="which service it goes to; each has its own bills"),
    Column("fingerprint", String(64), comment="digests of who gets which text, and of all that was asked"),
    Column("resumed_at", Instant, comment="when a person last let it go on after a pause"),
    Column("forgotten_at", Instant, comment="when its numbers, texts and sheet were deleted"),
    Column("audience", Text, comment="whom of which lists it was made for, JSON"),
)

campaign_text = Table(
    "campaign_text",
    tables,
    Column("campaign_id", ForeignKey("campaign.id"), primary_key=True),
    Column("variant", Text, primary_key=True, comment='as messages name it; "" without variants'),
    Column("name", Text, nullable=False, comment="of the campaign, as these messages have it"),
    Column("tracking", Text),
    Column("template", Text, nullable=False),
    Column("template_version", String(64), nullable=False),
)

campaign_sheet = Table(
    "campaign_sheet",
    tables,
    Column("campaign_id", ForeignKey("campaign.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False, comment="rows of its contact sheet, Parquet"),
)

message = Table(
    "message",
    tables,
    Column("id", BigId, primary_key=True, autoincrement=False),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("row", BigInteger, comment="row of the contact sheet"),
    Column("to", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("credits_low", Integer, nullable=False),
    Column("credits_high", Integer, nullable=False),
    Column("scheduled_at", Instant),
    Column("country", String(2)),
    Column("line_type", String(24)),
    Column("variant", Text),
)

batch = Table(
    "batch",
    tables,
    Column("id", BigId, primary_key=True),
    Column("campaign_id", ForeignKey("campaign.id"), nullable=False),
    Column("seq", Integer, nullable=False, comment="order in the campaign; parts keep their parent's"),
    Column("parent", BigInteger, comment="the batch this is a part of"),
    Column("first_message", BigInteger, nullable=False),
    Column("last_message", BigInteger, nullable=False),
    Column("messages", Integer, nullable=False),
    Column("credits_low", BigInteger, nullable=False),
    Column("credits_high", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", Text),
    Column("http_status", Integer),
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("owner", String(64), comment="who claimed it last"),
    Column("ticket", String(36), comment="names one claim, so that it can be found again"),
    Column("claimed_at", Instant),
    Column("settled_at", Instant),
    Column("accepted", Integer, nullable=False, server_default="0", comment="messages, by themselves"),
    Column("dropped", Integer, nullable=False, server_default="0", comment="messages, by themselves"),
    Column("due_at", Instant, comment="held here until then"),
    Column("price_per_credit", Money, comment="of its messages' country; missing where the campaign has one"),
    Column("texting_hours", Text, comment="its people are texted within these only, as messages have them"),
    Column("first_claimed_at", Instant, comment="or of what it is a part of; the freeze if a copy forgot it"),
    Index("batch_by_state", "campaign_id", "state", "due_at", "first_message"),
    Index("batch_of_message", "first_message"),
    Index("batch_of_owner", "owner", "state"),
    Index("batch_by_claim", "claimed_at"),
)

result = Table(
    "result",
    tables,
    Column("message_id", BigId, primary_key=True, autoincrement=False),
    Column("state", String(16), nullable=False, comment="accepted or dropped, whatever the batch's state"),
    Column("echoed", Boolean, nullable=False, comment="its uuid stood in the answer to our request"),
    Column("status", Text, comment="the service's word"),
    Column("failure_reason", Text),
    Column("credits_used", Integer),
    Column("created_at", Instant),
    Column("scheduled_at", Instant),
    Column("sent_at", Instant),
    Column("delivered_at", Instant),
    Column("contact_uuid", Text),
    Column("body", Text, comment="as the service says it sends it, where that differs"),
    Column("extra", Text, comment="fields that the contract does not name, JSON"),
    Column("stage", Integer, nullable=False, comment="of what gave the status: see evidence/reading.py"),
    Column("evidence_at", Instant, comment="newest time in that evidence"),
    Column("changed_at", Instant, nullable=False),
    Column("handed_over_at", Instant, comment="the claim that the first evidence was about"),
    Column("failed_at", Instant, comment="when it was first heard, of what counts as failed"),
    Column("cause", SmallInteger, comment="of its bill, see causes.py; missing without a bill"),
)

event = Table(
    "event",
    tables,
    Column("message_id", BigId, primary_key=True, autoincrement=False),
    Column("stage", SmallInteger, primary_key=True, autoincrement=False, comment="as in evidence/reading.py"),
    Column("at", Instant, primary_key=True, autoincrement=False, comment="1970 when the service named none"),
    Column("said", BigInteger, primary_key=True, autoincrement=False, comment="digest of the two texts"),
    Column("status", Text, nullable=False, comment="the service's word"),
    Column("failure_reason", Text, nullable=False),
    Column("source", String(8), nullable=False, comment="answer or report: where it was said first"),
    Column("recorded_at", Instant, nullable=False),
    sqlite_with_rowid=False,
)

attempt = Table(
    "attempt",
    tables,
    Column("id", BigId, primary_key=True),
    Column("batch_id", ForeignKey("batch.id"), nullable=False, index=True),
    Column("attempt", Integer, nullable=False),
    Column("owner", String(64), nullable=False),
    Column("at", Instant, nullable=False),
    Column("event", String(24), nullable=False, comment="claimed, or how it ended; lost with its process"),
    Column("http_status", Integer),
    Column("detail", Text),
)

decision = Table(
    "decision",
    tables,
    Column("id", BigId, primary_key=True),
    Column("batch_id", ForeignKey("batch.id"), nullable=False, index=True),
    Column("attempt", Integer, nullable=False),
    Column("decision", String(16), nullable=False),
    Column("who", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("messages", Integer, nullable=False, comment="how many were unknown"),
    Column("credits_low", BigInteger, nullable=False, comment="at risk"),
    Column("credits_high", BigInteger, nullable=False),
    Column("money_at_risk", Money),
    Column("currency", String(3), nullable=False),
)

opt_out = Table(
    "opt_out",
    tables,
    Column("id", BigId, primary_key=True),
    Column("phone", String(16), nullable=False),
    Column("reason", Text),
    Column("source", Text),
    Column("added_at", Instant, nullable=False),
    Column("removed_at", Instant),
    Column("removed_by", Text),
    Column("removed_why", Text),
)
_listed = opt_out.c.removed_at.is_(None)
Index("opt_out_current", opt_out.c.phone, unique=True, sqlite_where=_listed, postgresql_where=_listed)

stray_report = Table(
    "stray_report",
    tables,
    Column("digest", String(64), primary_key=True, comment="SHA-256 of the report: repeats count once"),
    Column("uuid", String(36), nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("report", Text, nullable=False),
)

taken_request = Table(
    "taken_request",
    tables,
    Column("signature", String(64), primary_key=True, comment="SHA-256 of it, refused when it comes again"),
    Column("expires_at", Instant, nullable=False, index=True),
)

owner = Table(
    "owner",
    tables,
    Column("id", String(64), primary_key=True),
    Column("slot", Integer, nullable=False),
    Column("retired_at", Instant, index=True),
)

gate = Table(
    "gate",
    tables,
    Column("id", Integer, primary_key=True),
    Column("messages_per_second", Float, nullable=False, comment="0: no pace of our own"),
    Column("next_at", Instant, nullable=False, comment="GCRA's theoretical arrival time"),
    Column("closed_until", Instant, nullable=False),
    Column("closed_at", Instant, nullable=False),
    Column("reason", Text),
    Column("strikes", Integer, nullable=False, comment="times closed in a row"),
    Column("touched_at", Instant, nullable=False, comment="tells when the clock stepped back"),
    Column("failure_share", Float, comment="of the newest messages; a campaign with more pauses"),
    Column("credits_per_campaign", BigInteger, comment="cap"),
    Column("credits_per_day", BigInteger, comment="cap"),
    Column("pauses_on_opt_outs", Boolean, comment="of people still to be texted"),
)

saved_list = Table(
    "saved_list",
    tables,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False, comment="name of the file"),
    Column("digest", String(64), nullable=False, comment="SHA-256 of the file"),
    Column("size_bytes", BigInteger, nullable=False),
    Column("choices", Text, nullable=False, comment="how it is read and checked; corrections; JSON"),
    Column("counts", Text, nullable=False, comment="rows by status when it was saved, JSON"),
    Column("saved_by", Text, nullable=False),
    Column("saved_at", Instant, nullable=False),
)

saved_list_part = Table(
    "saved_list_part",
    tables,
    Column("list_id", ForeignKey("saved_list.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False, comment="a piece of the file, zlib"),
)

remembered_columns = Table(
    "remembered_columns",
    tables,
    Column("signature", String(64), primary_key=True, comment="of a sheet's column names"),
    Column("columns", Text, nullable=False, comment="which column is what, JSON"),
    Column("used_at", Instant, nullable=False),
)

browser_session = Table(
    "browser_session",
    tables,
    Column("id", String(64), primary_key=True, comment="SHA-256 of its cookie"),
    Column("address", Text, nullable=False, comment="e-mail address of who signed in"),
    Column("issuer", Text, nullable=False),
    Column("ends_at", Instant, nullable=False, index=True),
)

account = Table(
    "account",
    tables,
    Column("issuer", Text, primary_key=True),
    Column("address", Text, primary_key=True),
    Column("subject", Text, nullable=False, comment="the issuer's name for the account that has the address"),
)

barred = Table(
    "barred",
    tables,
    Column("address", Text, primary_key=True, comment="of whom is not let in, whatever their role"),
    Column("barred_at", Instant, nullable=False),
)

secret = Table(
    "secret",
    tables,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

fact = Table(
    "fact",
    tables,
    Column("name", Text, primary_key=True, comment="what the ledger knows of itself"),
    Column("value", Text, nullable=False),
)

setting = Table(
    "setting",
    tables,
    Column("id", BigId, primary_key=True),
    Column("name", Text, nullable=False),
    Column("person", Text, nullable=False, comment="for whom alone it counts; empty for everybody"),
    Column("value", Text, nullable=False, comment="JSON; null where nobody decides it any longer"),
    Column("who", Text, nullable=False),
    Column("at", Instant, nullable=False),
)
"""What marketers decided; the newest row of a setting counts. Versions of saved texts as well: library.py."""

person = Table(
    "person",
    tables,
    Column("id", BigId, primary_key=True),
    Column("address", Text, nullable=False, index=True, comment="e-mail address"),
    Column("value", Text, nullable=False, comment="what they may do, JSON; null where they were removed"),
    Column("who", Text, nullable=False),
    Column("at", Instant, nullable=False),
)
"""Whom administrators let in; the newest row of an address counts."""

audit = Table(
    "audit",
    tables,
    Column("number", BigId, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False, index=True),
    Column("who", Text, nullable=False, comment="address, or system:user of a command; empty: a stranger"),
    Column("what", Text, nullable=False, comment="one of audit/verbs.py"),
    Column("about", Text, nullable=False, comment="id of what it was done to"),
    Column("details", Text, nullable=False, comment="canonical JSON, nothing that somebody typed"),
    Column("hash", String(64), nullable=False, comment="over the row and the hash before it"),
)
"""Who did what; see audit/."""

NEVER_CHANGE = (message, event, attempt, decision, setting, person, audit)

_SQLITE = (
    "CREATE TRIGGER {0}_no_{1} BEFORE {1} ON {0} WHEN NOT ({2}) "
    "BEGIN SELECT RAISE(ABORT, 'rows of {0} never change'); END"
)
_POSTGRESQL = (
    "CREATE FUNCTION {0}_never_changes() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN IF TG_OP = 'UPDATE' AND {1} THEN RETURN NEW; END IF; "
    "RAISE EXCEPTION 'rows of {0} never change'; END $$; "
    "CREATE TRIGGER {0}_never_changes BEFORE UPDATE OR DELETE ON {0} "
    "FOR EACH ROW EXECUTE FUNCTION {0}_never_changes()"
)


def forbid_changes(connection: Connection) -> None:
    """Make the database itself refuse to change what must never change."""
    on_sqlite = connection.dialect.name == "sqlite"
    for table in NEVER_CHANGE:
        allowed = _forgets("IS" if on_sqlite else "IS NOT DISTINCT FROM") if table is message else "false"
        if on_sqlite:
            for verb, but in (("UPDATE", allowed), ("DELETE", "false")):
                connection.exec_driver_sql(_SQLITE.format(table.name, verb, but))
        else:
            connection.exec_driver_sql(_POSTGRESQL.format(table.name, allowed))


def _forgets(same: str) -> str:
    """Whether an UPDATE of a message removes its number and text and changes nothing else, in SQL."""
    return " AND ".join(
        f"NEW.\"{name}\" = ''" if name in {"to", "body"} else f'NEW."{name}" {same} OLD."{name}"'
        for name in message.columns.keys()  # noqa: SIM118 - a collection of columns, not a mapping of names
    )
