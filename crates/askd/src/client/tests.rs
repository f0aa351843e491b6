use std::fs;

use super::*;

fn client() -> Client {
    Client::new("http://127.0.0.1:1", SecretString::from("t")).unwrap()
}

#[test]
fn a_token_comes_from_the_flag_then_the_variable_then_the_state_directory() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::at(folder.path());
    fs::write(state.token_file("agent"), "of-the-state\n").unwrap();
    let file = folder.path().join("mine");
    fs::write(&file, "of-the-flag\n").unwrap();
    let flag = Reach {
        token_file: Some(file),
        ..Reach::default()
    };
    let variable = Environment::of(&[("ASKD_TOKEN", "of-the-variable")]);
    let none = Environment::default();
    let found = |reach: &Reach, environment: &Environment| {
        token(reach, Caller::Agent, environment, Some(&state), false)
            .unwrap()
            .expose_secret()
            .to_owned()
    };

    assert_eq!(found(&flag, &variable), "of-the-flag");
    assert_eq!(found(&Reach::default(), &variable), "of-the-variable");
    assert_eq!(found(&Reach::default(), &none), "of-the-state");
}

#[test]
fn without_a_token_the_caller_is_not_allowed_and_told_where_one_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::at(folder.path());
    state.write_url("http://127.0.0.1:1").unwrap();

    let error = operators(&state, false).unwrap_err();

    assert_eq!(Exit::of(&error), Exit::NotAllowed);
    assert!(error.to_string().contains("operator.token"), "{error}");
}

#[test]
fn where_no_daemon_ever_ran_it_is_the_daemon_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::at(folder.path().join("never"));

    let here = operators(&state, false).unwrap_err();
    let elsewhere = operators(&state, true).unwrap_err();

    assert_eq!(Exit::of(&here), Exit::Unreachable);
    assert!(here.to_string().contains("askd serve"), "{here}");
    assert_eq!(
        Exit::of(&elsewhere),
        Exit::NotAllowed,
        "one on another machine may run: {elsewhere}"
    );
}

fn operators(state: &State, named: bool) -> anyhow::Result<SecretString> {
    token(
        &Reach::default(),
        Caller::Operator,
        &Environment::default(),
        Some(state),
        named,
    )
}

#[test]
fn one_broken_rule_is_told_once() {
    let body = br#"{"type":"urn:askd:problem:invalid","title":"The body breaks rules","status":422,
        "detail":"/a is required","errors":[{"pointer":"/a","rule":"missing","message":"is required"}]}"#;

    let error = client()
        .read(StatusCode::UNPROCESSABLE_ENTITY, true, body)
        .unwrap_err();

    assert_eq!(error.to_string(), "The body breaks rules: /a is required");
}

#[test]
fn a_problem_is_told_with_every_broken_rule() {
    let body = br#"{"type":"urn:askd:problem:invalid","title":"The body breaks rules","status":422,"detail":"2 rules",
        "errors":[{"pointer":"/questions/0/options","rule":"count","message":"2-4 options"},{"pointer":"","message":"x"}]}"#;

    let error = client()
        .read(StatusCode::UNPROCESSABLE_ENTITY, true, body)
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "The body breaks rules: 2 rules\n  /questions/0/options: 2-4 options\n  the whole: x"
    );
    assert_eq!(error.exit(), Exit::Usage);
    assert!(!error.passes());
}

#[test]
fn every_status_has_the_exit_code_a_script_expects() {
    let problem = br#"{"type":"urn:askd:problem:x","title":"No"}"#;
    let cases = [
        (401, Exit::NotAllowed, false),
        (403, Exit::NotAllowed, false),
        (404, Exit::Error, false),
        (422, Exit::Usage, false),
        (429, Exit::Error, false),
        (500, Exit::Error, false),
        (503, Exit::Error, true),
    ];
    for (status, exit, passes) in cases {
        let error = client()
            .read(StatusCode::from_u16(status).unwrap(), true, problem)
            .unwrap_err();

        assert_eq!((error.exit(), error.passes()), (exit, passes), "{status}");
    }
}

#[test]
fn a_full_store_is_told_and_not_waited_for() {
    let body = br#"{"type":"urn:askd:problem:store-full","title":"The store has no room left"}"#;

    let error = client()
        .read(StatusCode::SERVICE_UNAVAILABLE, true, body)
        .unwrap_err();

    assert!(!error.passes());
    assert_eq!(error.exit(), Exit::Error);
}

#[test]
fn a_limit_on_requests_passes_and_one_on_pending_asks_does_not() {
    let refused = |code: &str| {
        let body = format!(r#"{{"type":"urn:askd:problem:{code}","title":"Too many"}}"#);
        client()
            .read(StatusCode::TOO_MANY_REQUESTS, true, body.as_bytes())
            .unwrap_err()
    };

    assert!(refused("too-many-requests").passes());
    assert!(!refused("too-many-pending").passes());
}

#[test]
fn a_proxy_without_its_askd_passes_and_a_stranger_does_not() {
    let gateway = client()
        .read(StatusCode::BAD_GATEWAY, false, b"<html>")
        .unwrap_err();
    let stranger = client().read(StatusCode::OK, false, b"<html>").unwrap_err();

    assert!(gateway.passes());
    assert_eq!(gateway.exit(), Exit::Unreachable);
    assert!(!stranger.passes());
}

#[tokio::test]
async fn a_daemon_that_is_not_there_is_unreachable_and_the_message_says_how_to_start_it() {
    // Bound and let go, so that nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let client = Client::new(&format!("http://127.0.0.1:{port}"), SecretString::from("t")).unwrap();

    let error = client.get(&["v1", "asks"], &[]).await.unwrap_err();

    assert!(matches!(error, CallError::Unreachable { .. }), "{error:?}");
    assert!(error.to_string().contains("askd serve"));
}

#[test]
fn only_this_machine_is_called_without_a_proxy() {
    for (url, local) in [
        ("http://127.0.0.1:7373", true),
        ("http://[::1]:7373", true),
        ("http://localhost", true),
        ("https://askd.example.org", false),
        ("http://10.0.0.2", false),
    ] {
        assert_eq!(is_local(&Url::parse(url).unwrap()), local, "{url}");
    }
}

#[test]
fn a_client_does_not_print_its_token() {
    let client = Client::new("http://127.0.0.1:1", SecretString::from("hush-hush")).unwrap();

    assert!(!format!("{client:?}").contains("hush-hush"));
}
