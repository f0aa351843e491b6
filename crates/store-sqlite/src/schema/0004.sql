-- Browsers that are woken by web push. What is here is enough to wake one, but not to learn or to answer anything.

CREATE TABLE subscriptions (
    sign_in BLOB NOT NULL PRIMARY KEY REFERENCES sign_ins (secret) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,        -- made from the endpoint
    who TEXT NOT NULL,              -- JSON of a responder
    since INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_who ON subscriptions (who, since, id);
