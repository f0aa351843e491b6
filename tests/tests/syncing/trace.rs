//! What `strace` wrote, as events in their order.
//!
//! Of calls that another thread interrupts in the record there are two lines. A send counts from its first on and a sync
//! from its last, so whatever is unclear about the order speaks against the program.

use std::collections::BTreeMap;

/// What the program did to its files and sockets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Wrote this at this place of a file.
    Writes { file: File, at: u64, data: Vec<u8> },
    /// A file got this length.
    Cuts { file: File, to: u64 },
    /// A sync began; it covers what was written until now.
    BeginsSync { file: File, thread: u32 },
    /// It has ended well.
    Synced { file: File, thread: u32 },
    /// The folder was synced.
    FolderSynced,
    /// Sends something to somebody.
    Sends(Sent),
}

/// What was sent in one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) data: Vec<u8>,
}

/// A file of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum File {
    Database,
    Log,
}

/// What a line of the record is about.
enum Target {
    Stored(File),
    Folder,
    Socket,
    Other,
}

/// Reads a whole record.
pub(super) fn events(text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    // What a thread has begun and not ended, as far as its end matters.
    let mut begun: BTreeMap<u32, String> = BTreeMap::new();
    for line in text.lines() {
        let Some((thread, rest)) = line.split_once(' ') else {
            continue;
        };
        let Ok(thread) = thread.parse() else { continue };
        let rest = rest.trim_start();
        if let Some(call) = rest.strip_suffix(" <unfinished ...>") {
            begins(thread, call, &mut events);
            begun.insert(thread, call.to_owned());
        } else if rest.starts_with("<... ") {
            if let Some(call) = begun.remove(&thread) {
                ends(thread, &call, rest, &mut events);
            }
        } else if rest.contains('(') {
            begins(thread, rest, &mut events);
            ends(thread, rest, rest, &mut events);
        }
    }
    events
}

fn begins(thread: u32, call: &str, events: &mut Vec<Event>) {
    match (name(call), target(call)) {
        ("fdatasync" | "fsync", Target::Stored(file)) => events.push(Event::BeginsSync { file, thread }),
        ("write" | "writev" | "sendto" | "sendmsg", Target::Socket) => {
            events.push(Event::Sends(Sent { data: data(call) }));
        }
        _ => {}
    }
}

/// `result` is the line with what the call returned.
fn ends(thread: u32, call: &str, result: &str, events: &mut Vec<Event>) {
    let returned: Option<i64> = result
        .rsplit_once("= ")
        .and_then(|(_, value)| value.split(' ').next()?.parse().ok());
    let Some(returned) = returned.and_then(|value| u64::try_from(value).ok()) else {
        return;
    };
    // The last argument, which stands in the line that ends the call where another thread interrupted it before that.
    let last = |text: &str| -> Option<u64> {
        let arguments = text.rsplit_once(')').map_or(text, |(arguments, _)| arguments);
        arguments.rsplit(", ").next()?.trim().parse().ok()
    };
    match (name(call), target(call)) {
        ("pwrite64", Target::Stored(file)) => {
            let mut data = data(call);
            data.truncate(usize::try_from(returned).unwrap());
            let at = last(call).or_else(|| last(result));
            let at = at.unwrap_or_else(|| panic!("where is this written? {result}"));
            events.push(Event::Writes { file, at, data });
        }
        ("ftruncate", Target::Stored(file)) => {
            let to = last(call).or_else(|| last(result)).unwrap();
            events.push(Event::Cuts { file, to });
        }
        ("fdatasync" | "fsync", Target::Stored(file)) => events.push(Event::Synced { file, thread }),
        ("fdatasync" | "fsync", Target::Folder) => events.push(Event::FolderSynced),
        ("pwritev", Target::Stored(_)) => panic!("nobody is known to write so: {call}"),
        _ => {}
    }
}

fn name(call: &str) -> &str {
    call.split('(').next().unwrap_or_default()
}

/// By what stands behind the number of its file: `7</path/askd.db-wal>`.
fn target(call: &str) -> Target {
    let argument = call.split_once('<').map_or("", |(_, rest)| rest);
    let path = argument.split('>').next().unwrap_or_default();
    // With -xx a path is in hex, too.
    let path = String::from_utf8_lossy(&unescaped(path)).into_owned();
    if path.ends_with("/askd.db-wal") {
        Target::Stored(File::Log)
    } else if path.ends_with("/askd.db") {
        Target::Stored(File::Database)
    } else if path.ends_with("/state/askd") {
        Target::Folder
    } else if path.starts_with("socket:") || path.starts_with("TCP") {
        Target::Socket
    } else {
        Target::Other
    }
}

/// Everything between quotation marks.
fn data(call: &str) -> Vec<u8> {
    let quoted = call.split('"').skip(1).step_by(2);
    quoted.flat_map(unescaped).collect()
}

/// `\x41b` is `Ab`.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4);
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'\\' && after.first() == Some(&b'x'))
            .then(|| after.get(1..3))
            .flatten()
            .and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        if let Some(byte) = code {
            bytes.push(byte);
            rest = &after[3..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    bytes
}

#[test]
fn a_record_is_read_in_the_order_that_speaks_against_the_program() {
    let record = "\
10 pwrite64(7</s/askd.db-wal>, \"\\x41\\x42\", 2, 4096 <unfinished ...>
10 <... pwrite64 resumed>)               = 2
10 fdatasync(7</s/askd.db-wal> <unfinished ...>
11 sendto(9<socket:[5]>, \"\\x48i\", 2, MSG_NOSIGNAL, NULL, 0 <unfinished ...>
10 <... fdatasync resumed>)              = 0
11 <... sendto resumed>)                 = 2
11 write(1<pipe:[6]>, \"\\x0a\", 1) = 1
10 fsync(8</home/.local/state/askd>) = 0
10 ftruncate(7</s/askd.db-wal>, 0) = 0
";
    let (file, thread) = (File::Log, 10);

    assert_eq!(
        events(record),
        [
            Event::Writes {
                file,
                at: 4096,
                data: b"AB".to_vec()
            },
            Event::BeginsSync { file, thread },
            Event::Sends(Sent { data: b"Hi".to_vec() }),
            Event::Synced { file, thread },
            Event::FolderSynced,
            Event::Cuts { file, to: 0 },
        ]
    );
}
