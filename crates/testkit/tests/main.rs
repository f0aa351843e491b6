//! The fakes behave like the platforms they stand for: each rule has a test that sees it enforced.

/// The fake Discord, met over HTTP and the gateway as a bot meets it, and as people meet it.
mod discord {
    mod answering;
    mod bot;
    mod changing;
    mod contents;
    mod faults;
    mod forms;
    mod gateway;
    mod libraries;
    mod people;
    mod sending;
}

/// The fake Slack, met over HTTP and its sockets as an app meets it, and as people meet it.
mod slack {
    mod access;
    mod answers;
    mod app;
    mod blocks;
    mod changing;
    mod faults;
    mod forms;
    mod looking;
    mod people;
    mod sending;
    mod sockets;
    mod wire;
}

/// What is written down of the suites.
mod suites {
    mod table;
}

/// The fake Telegram, met over HTTP as a bot meets it, and as people meet it.
mod telegram {
    mod answering;
    mod bot;
    mod changing;
    mod faults;
    mod groups;
    mod people;
    mod polling;
    mod sending;
    mod wire;
}
