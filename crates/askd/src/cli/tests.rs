use super::*;

fn parses(typed: &[&str]) -> bool {
    Cli::try_parse_from(["askd"].iter().chain(typed)).is_ok()
}

#[test]
fn the_command_line_is_consistent_in_itself() {
    use clap::CommandFactory as _;
    Cli::command().debug_assert();
}

#[test]
fn what_can_be_typed_and_what_cannot() {
    let yes: [&[&str]; 20] = [
        &["serve"],
        &[
            "serve",
            "--config",
            "c.toml",
            "--listen",
            "127.0.0.1:0",
            "--log-format",
            "json",
        ],
        &["demo"],
        &["ask", "Q?", "-o", "A", "-o", "B"],
        &["ask", "--file", "ask.json", "--no-wait"],
        &["ask", "-"],
        &["answer"],
        &["answer", "2"],
        &["answer", "5f3a91c2", "my own words"],
        &["answer", "5f3a91c2", "--set", "a=b", "--set", "a=c"],
        &["answer", "--skip"],
        &["list", "--status", "answered", "--json"],
        &["--json", "show", "5f3a91c2"],
        &["cancel", "--run", "r1"],
        &["pair", "sara"],
        &["pair", "--web"],
        &["pair", "sara", "--web"],
        &["unpair", "sara", "telegram:1"],
        &["check", "--config", "c.toml"],
        &["doctor", "--config", "c.toml", "--json"],
    ];
    let no: [&[&str]; 13] = [
        &[],
        &["ask"],
        &["ask", "Q?", "--file", "ask.json"],
        &["ask", "Q?", "-o", "A", "-o", "B", "--title", "t"],
        &["ask", "Q?", "-o", "A", "-o", "B", "--key", "schlüssel"],
        &["answer", "id", "text", "more"],
        &["answer", "id", "--set", "no sign"],
        &["answer", "id", "--skip", "--set", "a=b"],
        &["list", "--status", "open"],
        &["list", "--limit", "201"],
        &["cancel"],
        &["pair"],
        &["serve", "--token", "secret"],
    ];

    for typed in yes {
        assert!(parses(typed), "{typed:?}");
    }
    for typed in no {
        assert!(!parses(typed), "{typed:?}");
    }
}

#[test]
fn the_state_directory_is_the_flags_then_the_variables() {
    let environment = || Environment::of(&[("ASKD_STATE_DIR", "/v"), ("STATE_DIRECTORY", "/s")]);
    let of = |flag: Option<&str>, environment| {
        let common = Common {
            json: false,
            state_dir: flag.map(PathBuf::from),
        };
        Context::new(&common, environment)
            .state()
            .map(|state| state.path().to_path_buf())
            .ok()
    };

    assert_eq!(of(Some("/f"), environment()), Some("/f".into()));
    assert_eq!(of(None, environment()), Some("/v".into()));
    assert_eq!(
        of(None, Environment::of(&[("STATE_DIRECTORY", "/s")])),
        Some("/s".into())
    );
    assert_eq!(of(None, Environment::default()), None);
}
