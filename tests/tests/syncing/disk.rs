//! A disk that forgets what was not synced.

use std::collections::BTreeMap;

use super::trace::{Event, File};

/// The two files of a store.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub(super) database: Vec<u8>,
    pub(super) log: Vec<u8>,
}

/// What is sure to be on it, and what is not yet.
#[derive(Debug, Default)]
pub(super) struct Disk {
    sure: Files,
    before: Files,
    unsure: Vec<Change>,
    /// How many of the changes each sync covers that has begun, by thread and file.
    begun: BTreeMap<(u32, File), usize>,
    pub(super) syncs: usize,
    pub(super) folder_synced: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Writes { file: File, at: usize, data: Vec<u8> },
    Cuts { file: File, to: usize },
}

impl Files {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Writes { file, at, data } => {
                let bytes = self.of(*file);
                let end = at + data.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[*at..end].copy_from_slice(data);
            }
            Change::Cuts { file, to } => self.of(*file).resize(*to, 0),
        }
    }

    fn of(&mut self, file: File) -> &mut Vec<u8> {
        match file {
            File::Database => &mut self.database,
            File::Log => &mut self.log,
        }
    }
}

impl Change {
    fn file(&self) -> File {
        match self {
            Self::Writes { file, .. } | Self::Cuts { file, .. } => *file,
        }
    }

    /// The same with its second half missing.
    fn torn(&self) -> Self {
        match self {
            Self::Writes { file, at, data } => Self::Writes {
                file: *file,
                at: *at,
                data: data[..data.len() / 2].to_vec(),
            },
            Self::Cuts { .. } => self.clone(),
        }
    }
}

impl Disk {
    /// With a database of which all is synced, and no log.
    pub(super) fn new(database: Vec<u8>) -> Self {
        let sure = Files {
            database,
            log: Vec::new(),
        };
        Self {
            before: sure.clone(),
            sure,
            ..Self::default()
        }
    }

    pub(super) fn take(&mut self, event: &Event) {
        let place = |number: u64| usize::try_from(number).unwrap();
        match event {
            Event::Writes { file, at, data } => self.unsure.push(Change::Writes {
                file: *file,
                at: place(*at),
                data: data.clone(),
            }),
            Event::Cuts { file, to } => self.unsure.push(Change::Cuts {
                file: *file,
                to: place(*to),
            }),
            Event::BeginsSync { file, thread } => {
                self.begun.insert((*thread, *file), self.unsure.len());
            }
            Event::Synced { file, thread } => {
                let covers = self.begun.remove(&(*thread, *file)).unwrap_or(0);
                self.sync(*file, covers);
            }
            Event::FolderSynced => self.folder_synced = true,
            Event::Sends(_) => {}
        }
    }

    fn sync(&mut self, file: File, covers: usize) {
        self.syncs += 1;
        self.before = self.sure.clone();
        let mut unsure = Vec::new();
        for (at, change) in self.unsure.drain(..).enumerate() {
            if at < covers && change.file() == file {
                self.sure.apply(&change);
            } else {
                unsure.push(change);
            }
        }
        self.unsure = unsure;
        // Another sync that is under way covers fewer now; with one writer there is none.
        self.begun.clear();
    }

    /// The files as a power cut leaves them at worst.
    pub(super) fn synced(&self) -> Files {
        self.sure.clone()
    }

    /// The same with all that was not synced, the last of it torn; `None` where all was synced.
    pub(super) fn torn(&self) -> Option<Files> {
        let (last, others) = self.unsure.split_last()?;
        let mut files = self.sure.clone();
        for change in others {
            files.apply(change);
        }
        files.apply(&last.torn());
        Some(files)
    }

    /// As if the last sync had not been.
    pub(super) fn before_the_last_sync(&self) -> Files {
        self.before.clone()
    }
}
