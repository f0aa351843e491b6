//! How many files may be open: each connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What is asked for at most: more than anybody connects, and few enough that nothing which counts up to the limit takes
/// long.
const ENOUGH: u64 = 65_536;

/// Raises the number of files that this process may have open as far as the system lets it, and returns it. Commonly it
/// begins at 1024, which is the most that programs with an old interface can use (`select`), and may be raised freely by
/// those that do without.
pub(crate) fn raise_limit() -> usize {
    let found = getrlimit(Resource::Nofile);
    let (soft, hard) = (
        found.current.unwrap_or(u64::MAX),
        found.maximum.unwrap_or(u64::MAX),
    );
    let wanted = hard.min(ENOUGH);
    let in_force = if soft < wanted
        && setrlimit(
            Resource::Nofile,
            Rlimit {
                current: Some(wanted),
                ..found
            },
        )
        .is_ok()
    {
        wanted
    } else {
        soft
    };
    usize::try_from(in_force).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_and_never_lowered() {
        let before = getrlimit(Resource::Nofile);
        let (soft, hard) = (
            before.current.unwrap_or(u64::MAX),
            before.maximum.unwrap_or(u64::MAX),
        );

        let raised = u64::try_from(raise_limit()).unwrap();

        assert!(raised >= soft, "{raised} of {soft}");
        assert!(raised >= hard.min(ENOUGH), "{raised} of {hard}");
        assert_eq!(
            u64::try_from(raise_limit()).unwrap(),
            raised,
            "a second time changes nothing"
        );
    }
}
