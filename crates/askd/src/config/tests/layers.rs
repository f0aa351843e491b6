//! File, variables and flags over each other, and where secrets are found.

use secrecy::ExposeSecret as _;

use super::*;

#[test]
fn a_flag_wins_over_a_variable_and_a_variable_over_the_file() {
    let desk = Desk::with("[server]\nlisten = \"127.0.0.1:1\"\n");
    let variable = [("ASKD_SERVER__LISTEN", "127.0.0.1:2")];
    let mut sources = desk.sources(&variable);
    sources.listen = Some("127.0.0.1:3".to_owned());
    let port = |config: Config| config.server.listen.port();

    assert_eq!(port(desk.read(&[]).unwrap()), 1);
    assert_eq!(port(desk.read(&variable).unwrap()), 2);
    assert_eq!(port(read(&sources).unwrap()), 3);
}

#[test]
fn variables_reach_every_kind_of_value() {
    let desk = Desk::with(WHOLE);
    let config = desk
        .read(&[
            ("ASKD_LIMITS__MAX_PENDING", "7"),
            ("ASKD_TOKENS__BUILD_BOT__TOKEN", "other-secret"),
            ("ASKD_PEOPLE__SARA__ACCOUNTS", "desk:5, desk:6"),
            ("ASKD_SERVER__PUBLIC_URL", ""),
        ])
        .unwrap();

    assert_eq!(config.limits.max_pending, 7);
    assert_eq!(
        config.tokens[0].secret.expose_secret(),
        "other-secret",
        "build_bot is build-bot"
    );
    assert_eq!(
        config.directory.people[&PersonName::new("sara")].accounts[1].to_string(),
        "desk:6"
    );
    assert!(config.server.public_url.is_some(), "an empty variable is none");
}

#[test]
fn a_fault_of_a_variable_names_the_variable() {
    let desk = Desk::with("");
    let variables = [
        ("ASKD_SERVR__LISTEN", "x"),
        ("ASKD_LIMITS__MAX_PENDING", "many"),
        ("ASKD_ROUTES__TO", "sara"),
    ];

    let found = desk.faults(&variables);

    assert_eq!(
        found[0],
        "ASKD_LIMITS__MAX_PENDING: limits.max_pending: must be a whole number from 1 to 10000"
    );
    assert_eq!(
        found[1],
        "ASKD_ROUTES__TO: routes: must be written as [[routes]], not as a section"
    );
    assert!(
        found[2].starts_with("ASKD_SERVR__LISTEN: servr: no such key; known here: "),
        "{found:?}"
    );
}

#[test]
fn a_secret_is_found_beside_the_file_and_in_systemds_credentials_first() {
    let desk = Desk::with("[tokens.a]\nrole = \"agent\"\ntoken_file = \"a.token\"\n");
    desk.put("a.token", "beside\n");
    let credentials = tempfile::tempdir().unwrap();
    let variable = [("CREDENTIALS_DIRECTORY", credentials.path().to_str().unwrap())];
    let secret = |config: Config| config.tokens[0].secret.expose_secret().to_owned();

    assert_eq!(secret(desk.read(&variable).unwrap()), "beside");
    fs::write(credentials.path().join("a.token"), "of-systemd").unwrap();
    assert_eq!(secret(desk.read(&variable).unwrap()), "of-systemd");
    let by_value = [("ASKD_TOKENS__A__TOKEN", "of-the-variable")];
    assert_eq!(secret(desk.read(&by_value).unwrap()), "of-the-variable");
}

#[test]
fn a_secret_given_twice_in_one_layer_or_in_an_empty_file_is_a_fault() {
    let desk = Desk::with(
        "[tokens.a]\nrole = \"agent\"\ntoken = \"x\"\ntoken_file = \"y\"\n[tokens.b]\nrole = \"agent\"\ntoken_file = \"empty\"\n",
    );
    desk.put("empty", "\n");

    assert_eq!(
        desk.faults(&[]),
        [
            "config.toml:4: tokens.a.token_file: give token or token_file, not both",
            "config.toml:7: tokens.b.token_file: the file is empty",
        ]
    );
}

#[test]
fn a_variable_of_parts_without_end_is_refused_like_any_other_that_is_no_key() {
    // As many as fit into one: Linux takes 128 KiB.
    let name = format!("ASKD_A{}", "__B".repeat(40_000));

    let found = Desk::with("").faults(&[(&name, "1")]);

    assert_eq!(found, [format!("{name}: a: holds no key of so many parts")]);
}
