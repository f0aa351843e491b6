-- Who is signed in to the panel, and the one-time codes for it. Secrets are here by their hash alone.

CREATE TABLE sign_in_codes (
    hash BLOB NOT NULL PRIMARY KEY,
    who TEXT NOT NULL,              -- JSON of a responder
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sign_ins (
    secret BLOB NOT NULL PRIMARY KEY,
    who TEXT NOT NULL,              -- as above
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_ins_who ON sign_ins (who, expires);
