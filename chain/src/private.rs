//! Files and folders that only their owner may read: wallets, journals, and what else a machine remembers of its games.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
#[cfg(unix)]
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Makes a folder, with those that it is in; one that is there stays as it is.
///
/// # Errors
///
/// The system's.
pub fn folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(path)
}

/// Opens a file for writing; one that isn't there is made.
///
/// # Errors
///
/// The system's.
pub fn file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    options.mode(0o600);
    options.open(path)
}

/// Writes a file whole or not at all, also if the machine loses power, and makes its folder.
///
/// # Errors
///
/// The system's.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        folder(parent)?;
    }
    let partial = path.with_extension("partial");
    let mut file = file(&partial)?;
    file.set_len(0)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&partial, path)?;
    // The new name is on disk with its folder.
    match path.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

/// Renames a file that can't be used; gives the new name, which ends in a word and a number.
///
/// # Errors
///
/// The system's.
pub fn put_aside(path: &Path, word: &str) -> io::Result<PathBuf> {
    let names = (1..).map(|number: u32| path.with_extension(format!("{word}-{number}")));
    let free = names.take(10_000).find(|name| !name.exists());
    let free = free.ok_or_else(|| io::Error::other("too many files were put aside"))?;
    fs::rename(path, &free)?;
    Ok(free)
}

/// Whether an error says that there is no room, which may pass.
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn only_the_owner_may_read() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a/b/c.json");
        for bytes in [&b"long at first"[..], b"short"] {
            write(&path, bytes).expect("written");
            assert_eq!(fs::read(&path).expect("read"), bytes);
        }
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&dir.path().join("a/b")), mode(&dir.path().join("a"))), (0o600, 0o700, 0o700));
        assert!(!path.with_extension("partial").exists());
    }
}
