-- What platforms tell of the language of who reads at an account, for people without one of their own.

CREATE TABLE languages (
    account TEXT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL
) STRICT, WITHOUT ROWID;
