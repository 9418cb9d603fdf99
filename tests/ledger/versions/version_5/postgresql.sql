CREATE TABLE ledger_version (
    version INTEGER NOT NULL,
    applied_at BIGINT NOT NULL,
    PRIMARY KEY (version)
);

CREATE TABLE campaign (
    id VARCHAR(32) NOT NULL,
    token TEXT,
    name TEXT NOT NULL,
    state VARCHAR(16) NOT NULL,
    reason TEXT,
    source TEXT,
    sender TEXT,
    shorten_links BOOLEAN NOT NULL,
    tracking TEXT,
    batch_size INTEGER NOT NULL,
    price_per_credit VARCHAR,
    currency VARCHAR(3) NOT NULL,
    first_message BIGINT NOT NULL,
    last_message BIGINT NOT NULL,
    credits_low BIGINT NOT NULL,
    credits_high BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    scheduled_at BIGINT,
    started_at BIGINT,
    finished_at BIGINT,
    service TEXT,
    fingerprint VARCHAR(64),
    resumed_at BIGINT,
    PRIMARY KEY (id),
    UNIQUE (token),
    UNIQUE (last_message)
);

CREATE INDEX campaign_by_fingerprint ON campaign (fingerprint);

CREATE INDEX ix_campaign_state ON campaign (state);

COMMENT ON COLUMN campaign.token IS 'one-time token of the page that made it';

COMMENT ON COLUMN campaign.reason IS 'why it stands where it stands, a sentence';

COMMENT ON COLUMN campaign.source IS 'what it was made from, such as a sheet''s name';

COMMENT ON COLUMN campaign.credits_low IS 'estimate, without those dropped at the freeze';

COMMENT ON COLUMN campaign.service IS 'which service it goes to; each has its own bills';

COMMENT ON COLUMN campaign.fingerprint IS 'who gets which text, as content_fingerprint marks it';

COMMENT ON COLUMN campaign.resumed_at IS 'when a person last let it go on after a pause';

CREATE TABLE message (
    id BIGINT NOT NULL,
    uuid VARCHAR(36) NOT NULL,
    row BIGINT,
    "to" TEXT NOT NULL,
    body TEXT NOT NULL,
    credits_low INTEGER NOT NULL,
    credits_high INTEGER NOT NULL,
    scheduled_at BIGINT,
    country VARCHAR(2),
    line_type VARCHAR(24),
    variant TEXT,
    PRIMARY KEY (id),
    UNIQUE (uuid)
);

COMMENT ON COLUMN message.row IS 'row of the contact sheet';

CREATE TABLE result (
    message_id BIGINT NOT NULL,
    state VARCHAR(16) NOT NULL,
    echoed BOOLEAN NOT NULL,
    status TEXT,
    failure_reason TEXT,
    credits_used INTEGER,
    created_at BIGINT,
    scheduled_at BIGINT,
    sent_at BIGINT,
    delivered_at BIGINT,
    contact_uuid TEXT,
    body TEXT,
    extra TEXT,
    stage INTEGER NOT NULL,
    evidence_at BIGINT,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (message_id)
);

COMMENT ON COLUMN result.state IS 'accepted or dropped, whatever the batch''s state';

COMMENT ON COLUMN result.echoed IS 'its uuid stood in the answer to our request';

COMMENT ON COLUMN result.status IS 'the service''s word';

COMMENT ON COLUMN result.body IS 'as the service says it sends it, where that differs';

COMMENT ON COLUMN result.extra IS 'fields that the contract does not name, JSON';

COMMENT ON COLUMN result.stage IS 'of the evidence that gave the status: see evidence.py';

COMMENT ON COLUMN result.evidence_at IS 'newest time in that evidence';

CREATE TABLE opt_out (
    id BIGSERIAL NOT NULL,
    phone VARCHAR(16) NOT NULL,
    reason TEXT,
    source TEXT,
    added_at BIGINT NOT NULL,
    removed_at BIGINT,
    removed_by TEXT,
    removed_why TEXT,
    PRIMARY KEY (id)
);

CREATE UNIQUE INDEX opt_out_current ON opt_out (phone) WHERE removed_at IS NULL;

CREATE TABLE stray_report (
    digest VARCHAR(64) NOT NULL,
    uuid VARCHAR(36) NOT NULL,
    received_at BIGINT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (digest)
);

COMMENT ON COLUMN stray_report.digest IS 'SHA-256 of the report, so that repeats count once';

CREATE TABLE owner (
    id VARCHAR(64) NOT NULL,
    slot INTEGER NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started_at BIGINT NOT NULL,
    retired_at BIGINT,
    PRIMARY KEY (id)
);

CREATE INDEX ix_owner_retired_at ON owner (retired_at);

CREATE TABLE gate (
    id SERIAL NOT NULL,
    messages_per_second FLOAT NOT NULL,
    next_at BIGINT NOT NULL,
    closed_until BIGINT NOT NULL,
    closed_at BIGINT NOT NULL,
    reason TEXT,
    strikes INTEGER NOT NULL,
    touched_at BIGINT NOT NULL,
    failure_share FLOAT,
    credits_per_campaign BIGINT,
    credits_per_day BIGINT,
    pauses_on_opt_outs BOOLEAN,
    PRIMARY KEY (id)
);

COMMENT ON COLUMN gate.messages_per_second IS '0: no pace of our own';

COMMENT ON COLUMN gate.next_at IS 'GCRA''s theoretical arrival time';

COMMENT ON COLUMN gate.strikes IS 'times closed in a row';

COMMENT ON COLUMN gate.touched_at IS 'tells when the clock stepped back';

COMMENT ON COLUMN gate.failure_share IS 'of the newest messages; a campaign with more pauses';

COMMENT ON COLUMN gate.credits_per_campaign IS 'cap';

COMMENT ON COLUMN gate.credits_per_day IS 'cap';

COMMENT ON COLUMN gate.pauses_on_opt_outs IS 'of people still to be texted';

CREATE TABLE saved_list (
    id VARCHAR(32) NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    digest VARCHAR(64) NOT NULL,
    size_bytes BIGINT NOT NULL,
    choices TEXT NOT NULL,
    counts TEXT NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at BIGINT NOT NULL,
    PRIMARY KEY (id)
);

COMMENT ON COLUMN saved_list.source IS 'name of the file';

COMMENT ON COLUMN saved_list.digest IS 'SHA-256 of the file';

COMMENT ON COLUMN saved_list.choices IS 'how it is read and checked, and what was corrected, JSON';

COMMENT ON COLUMN saved_list.counts IS 'rows by status when it was saved, JSON';

CREATE TABLE remembered_columns (
    signature VARCHAR(64) NOT NULL,
    columns TEXT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (signature)
);

COMMENT ON COLUMN remembered_columns.signature IS 'of a sheet''s column names';

COMMENT ON COLUMN remembered_columns.columns IS 'which column is what, JSON';

CREATE TABLE secret (
    name TEXT NOT NULL,
    value BYTEA NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE fact (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);

COMMENT ON COLUMN fact.name IS 'what the ledger knows of itself, see copies.py';

CREATE TABLE campaign_text (
    campaign_id VARCHAR(32) NOT NULL,
    variant TEXT NOT NULL,
    name TEXT NOT NULL,
    tracking TEXT,
    template TEXT NOT NULL,
    template_version VARCHAR(64) NOT NULL,
    PRIMARY KEY (campaign_id, variant),
    FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

COMMENT ON COLUMN campaign_text.variant IS 'as messages name it; "" without variants';

COMMENT ON COLUMN campaign_text.name IS 'of the campaign, as these messages have it';

CREATE TABLE batch (
    id BIGSERIAL NOT NULL,
    campaign_id VARCHAR(32) NOT NULL,
    seq INTEGER NOT NULL,
    parent BIGINT,
    first_message BIGINT NOT NULL,
    last_message BIGINT NOT NULL,
    messages INTEGER NOT NULL,
    credits_low BIGINT NOT NULL,
    credits_high BIGINT NOT NULL,
    state VARCHAR(16) NOT NULL,
    reason TEXT,
    http_status INTEGER,
    attempt INTEGER DEFAULT '0' NOT NULL,
    owner VARCHAR(64),
    ticket VARCHAR(36),
    claimed_at BIGINT,
    settled_at BIGINT,
    accepted INTEGER DEFAULT '0' NOT NULL,
    dropped INTEGER DEFAULT '0' NOT NULL,
    sent INTEGER DEFAULT '0' NOT NULL,
    delivered INTEGER DEFAULT '0' NOT NULL,
    failed INTEGER DEFAULT '0' NOT NULL,
    credits_billed BIGINT DEFAULT '0' NOT NULL,
    due_at BIGINT,
    PRIMARY KEY (id),
    FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE INDEX batch_of_owner ON batch (owner, state);

CREATE INDEX batch_by_claim ON batch (claimed_at);

CREATE INDEX batch_by_state ON batch (campaign_id, state, first_message);

CREATE INDEX batch_of_message ON batch (first_message);

COMMENT ON COLUMN batch.seq IS 'lane = seq %% lanes; halves keep their parent''s';

COMMENT ON COLUMN batch.parent IS 'the batch this is a half of';

COMMENT ON COLUMN batch.owner IS 'who claimed it last';

COMMENT ON COLUMN batch.ticket IS 'names one claim, so that it can be found again';

COMMENT ON COLUMN batch.accepted IS 'messages accepted by themselves';

COMMENT ON COLUMN batch.dropped IS 'messages dropped by themselves';

COMMENT ON COLUMN batch.due_at IS 'held here until then; then the messages'' own time is not handed over';

CREATE TABLE saved_list_part (
    list_id VARCHAR(32) NOT NULL,
    seq INTEGER NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (list_id, seq),
    FOREIGN KEY(list_id) REFERENCES saved_list (id) ON DELETE CASCADE
);

COMMENT ON COLUMN saved_list_part.content IS 'a piece of the file, zlib';

CREATE TABLE attempt (
    id BIGSERIAL NOT NULL,
    batch_id BIGINT NOT NULL,
    attempt INTEGER NOT NULL,
    owner VARCHAR(64) NOT NULL,
    at BIGINT NOT NULL,
    event VARCHAR(24) NOT NULL,
    http_status INTEGER,
    detail TEXT,
    PRIMARY KEY (id),
    FOREIGN KEY(batch_id) REFERENCES batch (id)
);

CREATE INDEX ix_attempt_batch_id ON attempt (batch_id);

COMMENT ON COLUMN attempt.event IS 'claimed, or how it ended; lost with its process';

CREATE TABLE decision (
    id BIGSERIAL NOT NULL,
    batch_id BIGINT NOT NULL,
    attempt INTEGER NOT NULL,
    decision VARCHAR(16) NOT NULL,
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    at BIGINT NOT NULL,
    messages INTEGER NOT NULL,
    credits_low BIGINT NOT NULL,
    credits_high BIGINT NOT NULL,
    money_at_risk VARCHAR,
    currency VARCHAR(3) NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(batch_id) REFERENCES batch (id)
);

CREATE INDEX ix_decision_batch_id ON decision (batch_id);

COMMENT ON COLUMN decision.messages IS 'how many were unknown';

COMMENT ON COLUMN decision.credits_low IS 'at risk';

CREATE FUNCTION message_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'rows of message never change'; END $$; CREATE TRIGGER message_never_changes BEFORE UPDATE OR DELETE ON message FOR EACH ROW EXECUTE FUNCTION message_never_changes();

CREATE FUNCTION attempt_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'rows of attempt never change'; END $$; CREATE TRIGGER attempt_never_changes BEFORE UPDATE OR DELETE ON attempt FOR EACH ROW EXECUTE FUNCTION attempt_never_changes();

CREATE FUNCTION decision_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'rows of decision never change'; END $$; CREATE TRIGGER decision_never_changes BEFORE UPDATE OR DELETE ON decision FOR EACH ROW EXECUTE FUNCTION decision_never_changes()
