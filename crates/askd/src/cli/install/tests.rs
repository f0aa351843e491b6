use super::*;

#[test]
fn a_path_is_one_word_to_a_shell() {
    for (path, word) in [
        ("/usr/local/bin/askd", "/usr/local/bin/askd"),
        ("/home/sara/my tools/askd", "'/home/sara/my tools/askd'"),
        ("/it's/askd", r"'/it'\''s/askd'"),
        ("$(rm -r x)", "'$(rm -r x)'"),
        ("", "''"),
    ] {
        assert_eq!(shell_word(path), word);
    }
}

#[test]
fn claude_code_gives_the_hook_up_a_minute_after_the_ask_is_over() {
    let typed = |timeout: &str| {
        let cli = <super::super::Cli as clap::Parser>::try_parse_from([
            "askd",
            "install",
            "claude-code",
            "--command",
            "askd",
            "--timeout",
            timeout,
        ]);
        let super::super::Command::Install(arguments) = cli.unwrap().command else {
            panic!("another command");
        };
        arguments
    };
    let context = Context {
        environment: crate::config::Environment::default(),
        json: false,
        state: None,
    };

    assert_eq!(
        hook(&typed("900"), &context),
        ("askd hook claude-code".to_owned(), 960)
    );
    assert_eq!(
        hook(&typed("3600"), &context),
        ("askd hook claude-code --timeout 3600".to_owned(), 3660)
    );
}
