-- Asks and deliveries are kept as JSON in `body`. Every other column is taken from it, and is there because a query
-- or an index names it. Instants are milliseconds since 1970. Addresses are written `channel:local`.

CREATE TABLE asks (
    id TEXT NOT NULL UNIQUE,        -- sorts by time of creation
    owner TEXT NOT NULL,
    session TEXT,
    run TEXT,
    status TEXT NOT NULL,
    action TEXT NOT NULL UNIQUE,
    deadline INTEGER NOT NULL,
    ended_at INTEGER,               -- NULL: pending
    key TEXT,
    key_body BLOB,                  -- SHA-256 of the request under this key
    body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX asks_key ON asks (owner, key) WHERE key IS NOT NULL;
CREATE INDEX asks_pending ON asks (owner) WHERE ended_at IS NULL;
CREATE INDEX asks_due ON asks (deadline) WHERE ended_at IS NULL;
CREATE INDEX asks_run ON asks (run) WHERE ended_at IS NULL AND run IS NOT NULL;
CREATE INDEX asks_ended ON asks (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX asks_owner ON asks (owner, id);
CREATE INDEX asks_status ON asks (status, id);
CREATE INDEX asks_session ON asks (session, id) WHERE session IS NOT NULL;
CREATE INDEX asks_session_use ON asks (session, owner, ended_at) WHERE session IS NOT NULL;

CREATE TABLE answerers (
    person TEXT NOT NULL,
    ask TEXT NOT NULL REFERENCES asks (id) ON DELETE CASCADE,
    PRIMARY KEY (person, ask)
) STRICT, WITHOUT ROWID;
CREATE INDEX answerers_ask ON answerers (ask);

CREATE TABLE deliveries (
    id TEXT NOT NULL UNIQUE,
    ask TEXT NOT NULL REFERENCES asks (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,      -- in the order of the route, from 0
    channel TEXT NOT NULL,
    conversation TEXT NOT NULL,     -- where it was shown, else where it is sent
    shown INTEGER NOT NULL,         -- 1: a prompt was shown there
    ended_at INTEGER,               -- of the ask
    due INTEGER,
    claimed_until INTEGER,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_ask ON deliveries (ask, position);
CREATE INDEX deliveries_due ON deliveries (conversation, due, ask, position) WHERE due IS NOT NULL;
CREATE INDEX deliveries_claimed ON deliveries (conversation, claimed_until) WHERE claimed_until IS NOT NULL;
CREATE INDEX deliveries_shown ON deliveries (conversation, ended_at, ask) WHERE shown = 1;

-- When each conversation with something to do comes next: when its last claim runs out, else when its first delivery
-- is due. So claiming is a range scan, however many deliveries wait in one conversation.
CREATE TABLE turns (
    conversation TEXT NOT NULL PRIMARY KEY,
    channel TEXT NOT NULL,
    due INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_due ON turns (channel, due);

CREATE TABLE messages (
    channel TEXT NOT NULL,
    message TEXT NOT NULL,
    ask TEXT NOT NULL REFERENCES asks (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    PRIMARY KEY (channel, message, ask)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_ask ON messages (ask);

CREATE TABLE heard (
    n INTEGER PRIMARY KEY,          -- in the order of arrival
    channel TEXT NOT NULL,
    event TEXT NOT NULL,
    message TEXT,
    ask TEXT,                       -- no reference: an event may tell of an ask that is gone
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (channel, event)
) STRICT;
CREATE INDEX heard_message ON heard (channel, message, n) WHERE message IS NOT NULL;
CREATE INDEX heard_ask ON heard (ask) WHERE ask IS NOT NULL;
CREATE INDEX heard_at ON heard (at);

CREATE TABLE ties (
    account TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE codes (
    hash BLOB NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tries (
    account TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX tries_account ON tries (account, at);
CREATE INDEX tries_at ON tries (at);

CREATE TABLE said (
    key TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX said_at ON said (at);

CREATE TABLE leases (
    channel TEXT NOT NULL PRIMARY KEY,
    node TEXT NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
