//! The guide works as it is written: its configuration is one, its commands are there.

use std::fs;

use super::bench::Bench;

pub(crate) const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/channels/telegram.md");

/// The blocks of the guide in this language.
fn blocks(language: &str) -> Vec<String> {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let fence = format!("```{language}\n");
    let blocks = guide.split(&fence).skip(1);
    blocks
        .map(|rest| rest.split_once("```").expect("the fence is closed").0.to_owned())
        .collect()
}

#[test]
fn every_configuration_of_the_guide_is_a_good_one() {
    let blocks = blocks("toml");
    assert!(blocks.len() >= 2);
    for block in &blocks {
        // What is no whole configuration adds to the first, which is.
        let whole = block.contains("[channels.");
        let text = if whole {
            block.clone()
        } else {
            format!("{}{block}", blocks[0])
        };
        let bench = Bench::new();
        bench
            .home
            .write(".config/askd/telegram.token", &bench.telegram.token());
        bench.home.configure(&text);

        let left = bench.home.run(&["check"]);

        assert_eq!(left.code, 0, "{left:?}\n{text}");
    }
}

#[test]
fn every_command_of_the_guide_is_there() {
    let blocks = blocks("sh").concat();
    let commands: Vec<&str> = blocks
        .lines()
        .filter_map(|line| line.strip_prefix("askd "))
        .collect();
    assert!(commands.len() >= 4, "{commands:?}");
    let bench = Bench::new();
    for command in commands {
        let name = command.split(' ').next().unwrap();

        let left = bench.home.run(&[name, "--help"]);

        assert_eq!(left.code, 0, "{command}: {left:?}");
    }
}

#[test]
fn what_the_guide_calls_an_error_is_what_is_said() {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let bench = Bench::new();
    bench.configure("");
    bench
        .telegram
        .revoke_token("7300000042:AAAnotherAnotherAnotherAnother0000");

    let mut askd = bench.home.serve();
    askd.process.until_it_notes("channel stopped");

    let ready = askd.operator.get("/readyz").body;
    let reason = ready["checks"]["channels"][0]["reason"].as_str().unwrap();
    assert!(guide.contains(&format!("`{reason}`")), "{reason}");
}
