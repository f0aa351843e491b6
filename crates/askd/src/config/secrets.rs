//! Where secrets come from: a value, a file, or a variable; never the command line.
//!
//! `token = "…"` and `token_file = "…"` are two ways to say one thing. A variable may set either and wins over the
//! file; within one layer only one may be given. Nothing here prints a secret, and a fault about one names its key.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use secrecy::SecretString;

use super::{
    environment::Environment,
    section::{Found, Section},
};

/// Where the files of secrets are looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct SecretFolders(Vec<PathBuf>);

impl SecretFolders {
    /// `$CREDENTIALS_DIRECTORY` (systemd's `LoadCredential=`) first, then the folder of the configuration file.
    pub(super) fn new(environment: &Environment, config_file: Option<&Path>) -> Self {
        let credentials = environment.path("CREDENTIALS_DIRECTORY");
        let beside = config_file.and_then(Path::parent).map(Path::to_path_buf);
        Self(credentials.into_iter().chain(beside).collect())
    }

    /// The secret of this section under `key` or `key_file`; `None` where it is absent or faulty.
    pub(crate) fn secret(&self, section: &Section<'_>, key: &str) -> Option<Found<SecretString>> {
        let file_key = format!("{key}_file");
        let (value, file) = (section.text(key), section.text(&file_key));
        match (value, file) {
            (Some(value), Some(file)) if value.origin.same_layer(&file.origin) => {
                section.refuse(&file, format!("give {key} or {file_key}, not both"));
                None
            }
            (Some(value), Some(file)) if value.origin > file.origin => usable(section, value),
            (_, Some(file)) => self.in_file(section, file),
            (Some(value), None) => usable(section, value),
            (None, None) => {
                // Where one of them is there it was blank, and that was noted.
                if !section.has(key) && !section.has(&file_key) {
                    section.lacks(key, format!("is needed, or {file_key}"));
                }
                None
            }
        }
    }

    fn in_file(&self, section: &Section<'_>, file: Found<String>) -> Option<Found<SecretString>> {
        match self.read(Path::new(&file.value)) {
            Ok(secret) if secret.is_empty() => {
                section.refuse(&file, "the file is empty");
                None
            }
            Ok(secret) => usable(section, file.with(secret)),
            Err(error) => {
                section.refuse(&file, format!("cannot read {}: {}", file.value, reason(&error)));
                None
            }
        }
    }

    /// The text of the first such file there is, without white space around it.
    fn read(&self, file: &Path) -> io::Result<String> {
        let found = self
            .0
            .iter()
            .map(|folder| folder.join(file))
            .find(|path| path.exists());
        let text = fs::read_to_string(found.as_deref().unwrap_or(file))?;
        Ok(text.trim().to_owned())
    }
}

fn usable(section: &Section<'_>, text: Found<String>) -> Option<Found<SecretString>> {
    if is_token(&text.value) {
        let secret = SecretString::from(text.value.clone());
        return Some(text.with(secret));
    }
    section.refuse(
        &text,
        "a secret is one word of letters, digits and ASCII signs, without blanks",
    );
    None
}

/// Whether this can travel in an HTTP header: one word of visible ASCII.
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// An I/O error in words, without the path or number that some carry.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file".to_owned(),
        io::ErrorKind::AlreadyExists => "there is a file of this name".to_owned(),
        io::ErrorKind::StorageFull => "there is no room left on the disk".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        _ => error.to_string(),
    }
}
