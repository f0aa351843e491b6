//! `askd completions` and `askd man`: what can be typed, for shells and for readers of manuals. Both are made from what clap
//! knows, so they cannot say otherwise than `--help`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use crate::out::{self, Exit};

/// What `askd completions` takes.
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// For which shell
    shell: Shell,
}

/// What `askd man` takes.
#[derive(Args, Debug)]
pub(super) struct Man {
    /// Write a page for askd and one for each command into this folder, instead of the first to stdout
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Prints the script.
pub(super) fn completions(arguments: &Completions) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "askd", &mut script);
    print(&script)
}

/// Prints the page, or writes all of them.
pub(super) fn man(arguments: &Man) -> anyhow::Result<Exit> {
    // Built, so that each command knows its full name and the flags that all take.
    let mut askd = Cli::command();
    askd.build();
    let Some(folder) = &arguments.folder else {
        return print(&page(&askd)?);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    write(folder, "askd", &askd)?;
    for command in askd.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("askd-{}", command.get_name());
        // A page is called as it is asked for: `man askd-serve`.
        write(folder, &name, &command.clone().name(leaked(&name)))?;
    }
    Ok(Exit::Done)
}

fn print(bytes: &[u8]) -> anyhow::Result<Exit> {
    out::line(String::from_utf8_lossy(bytes).trim_end())?;
    Ok(Exit::Done)
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}

fn write(folder: &Path, name: &str, command: &Command) -> anyhow::Result<()> {
    let file = folder.join(format!("{name}.1"));
    fs::write(&file, page(command)?).with_context(|| format!("cannot write {}", file.display()))
}

/// clap keeps names for as long as the program runs, which ends after the last page.
fn leaked(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_that_says_what_its_help_says() {
        let folder = tempfile::tempdir().unwrap();

        man(&Man {
            folder: Some(folder.path().to_path_buf()),
        })
        .unwrap();

        let askd = Cli::command();
        for command in askd.get_subcommands() {
            let page = folder.path().join(format!("askd-{}.1", command.get_name()));
            let page = fs::read_to_string(&page).unwrap_or_else(|_| panic!("no {}", page.display()));
            assert!(page.contains(".TH askd"), "{page}");
            let about = command.get_about().unwrap().to_string();
            let first = about.split(['\'', '-', '.']).next().unwrap();
            assert!(page.contains(first), "{about:?} is not in {page}");
        }
        assert!(folder.path().join("askd.1").exists());
    }
}
