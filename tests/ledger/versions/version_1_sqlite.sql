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
    epoch INTEGER DEFAULT '0' NOT NULL,
    created_at BIGINT NOT NULL,
    scheduled_at BIGINT,
    started_at BIGINT,
    finished_at BIGINT,
    PRIMARY KEY (id),
    UNIQUE (token),
    UNIQUE (last_message)
);

CREATE INDEX ix_campaign_state ON campaign (state);

CREATE TABLE gate (
    id INTEGER NOT NULL,
    messages_per_second FLOAT NOT NULL,
    next_at BIGINT NOT NULL,
    closed_until BIGINT NOT NULL,
    closed_at BIGINT NOT NULL,
    reason TEXT,
    strikes INTEGER NOT NULL,
    touched_at BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE message (
    id INTEGER NOT NULL,
    uuid VARCHAR(36) NOT NULL,
    "row" BIGINT,
    "to" TEXT NOT NULL,
    body TEXT NOT NULL,
    credits_low INTEGER NOT NULL,
    credits_high INTEGER NOT NULL,
    scheduled_at BIGINT,
    country VARCHAR(2),
    line_type VARCHAR(24),
    PRIMARY KEY (id),
    UNIQUE (uuid)
);

CREATE TABLE opt_out (
    id INTEGER NOT NULL,
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

CREATE TABLE result (
    message_id INTEGER NOT NULL,
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

CREATE TABLE stray_report (
    digest VARCHAR(64) NOT NULL,
    uuid VARCHAR(36) NOT NULL,
    received_at BIGINT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE TABLE batch (
    id INTEGER NOT NULL,
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
    PRIMARY KEY (id),
    FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE INDEX batch_by_state ON batch (campaign_id, state, first_message);

CREATE INDEX batch_of_message ON batch (first_message);

CREATE INDEX batch_of_owner ON batch (owner, state);

CREATE TABLE attempt (
    id INTEGER NOT NULL,
    batch_id INTEGER NOT NULL,
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

CREATE TABLE decision (
    id INTEGER NOT NULL,
    batch_id INTEGER NOT NULL,
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

CREATE TRIGGER message_no_UPDATE BEFORE UPDATE ON message BEGIN SELECT RAISE(ABORT, 'rows of message never change'); END;

CREATE TRIGGER message_no_DELETE BEFORE DELETE ON message BEGIN SELECT RAISE(ABORT, 'rows of message never change'); END;

CREATE TRIGGER attempt_no_UPDATE BEFORE UPDATE ON attempt BEGIN SELECT RAISE(ABORT, 'rows of attempt never change'); END;

CREATE TRIGGER attempt_no_DELETE BEFORE DELETE ON attempt BEGIN SELECT RAISE(ABORT, 'rows of attempt never change'); END;

CREATE TRIGGER decision_no_UPDATE BEFORE UPDATE ON decision BEGIN SELECT RAISE(ABORT, 'rows of decision never change'); END;

CREATE TRIGGER decision_no_DELETE BEFORE DELETE ON decision BEGIN SELECT RAISE(ABORT, 'rows of decision never change'); END;
