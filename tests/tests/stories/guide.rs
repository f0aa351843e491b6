//! The platform's guide works as it is written: its configuration is one, its commands are there.

use std::fs;

use crate::stage::{Stage, Telling, stories};

stories! {
    every_configuration_of_the_guide_is_a_good_one,
    every_command_of_the_guide_is_there,
    what_the_guide_calls_an_error_is_what_is_said,
}

/// The guide for a platform.
pub(super) fn text(platform: &str) -> String {
    let path = format!("{}/../docs/channels/{platform}.md", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks of a guide in this language.
fn blocks(guide: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = guide.split(&fence).skip(1);
    blocks
        .map(|rest| rest.split_once("```").expect("the fence is closed").0.to_owned())
        .collect()
}

fn every_configuration_of_the_guide_is_a_good_one(telling: &Telling) {
    let blocks = blocks(&text(telling.platform()), "toml");
    assert!(blocks.len() >= 2);
    for block in &blocks {
        // What is no whole configuration adds to the first, which is.
        let whole = block.contains("[channels.");
        let text = if whole {
            block.clone()
        } else {
            format!("{}{block}", blocks[0])
        };
        let stage = Stage::from(*telling);
        for (key, secret) in stage.scene.platform.secrets() {
            let file_key = format!("{key}_file = \"");
            let (_, rest) = text
                .split_once(&file_key)
                .unwrap_or_else(|| panic!("no {file_key} in {text}"));
            let (file, _) = rest.split_once('"').expect("the quotation mark is closed");
            stage.home.write(&format!(".config/askd/{file}"), &secret);
        }
        stage.home.configure(&text);

        let left = stage.home.run(&["check"]);

        assert_eq!(left.code, 0, "{left:?}\n{text}");
    }
}

fn every_command_of_the_guide_is_there(telling: &Telling) {
    let blocks = blocks(&text(telling.platform()), "sh").concat();
    let commands: Vec<&str> = blocks
        .lines()
        .filter_map(|line| line.strip_prefix("askd "))
        .collect();
    assert!(commands.len() >= 4, "{commands:?}");
    let stage = Stage::from(*telling);
    for command in commands {
        let name = command.split(' ').next().unwrap();

        let left = stage.home.run(&[name, "--help"]);

        assert_eq!(left.code, 0, "{command}: {left:?}");
    }
}

fn what_the_guide_calls_an_error_is_what_is_said(stage: &Stage) {
    let platform = &stage.scene.platform;
    stage.configure("");
    platform.refuse_secrets();

    let mut askd = stage.home.serve();
    askd.process.until_it_notes("channel stopped");

    let ready = askd.operator.get("/readyz").body;
    let reason = ready["checks"]["channels"][0]["reason"].as_str().unwrap();
    assert!(text(platform.kind()).contains(&format!("`{reason}`")), "{reason}");
}
