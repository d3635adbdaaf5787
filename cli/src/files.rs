//! Files that a user names, to be read or written.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;

use eyre::{Result, WrapErr as _};
use serde::Serialize;

use crate::failure::bad_input;

/// Nothing is overwritten, and no folder made of a slip.
pub fn free(output: &Path) -> Result<()> {
    if output.symlink_metadata().is_ok() {
        return Err(bad_input(format!("{} exists already: give another name", output.display())));
    }
    let folder = output.parent().filter(|folder| *folder != Path::new(""));
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(bad_input(format!("there is no folder {}", folder.display()))),
        None => Ok(()),
    }
}

/// Reads and parses a file. At most `most` bytes are read, since a device never ends: a longer file is refused as too long for a `what`.
pub fn read<T, E: Display>(path: &Path, most: u64, what: &str, parse: impl Fn(&[u8]) -> Result<T, E>) -> Result<T> {
    let named = |fault: &dyn Display| bad_input(format!("{}: {fault}", path.display()));
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut text));
    if read.map_err(|error| named(&error))? as u64 > most {
        return Err(named(&format!("the file is too long for a {what}")));
    }
    parse(&text).map_err(|fault| named(&fault))
}

/// Makes the file of a report, if one is wanted. That it can't be written is found out before the work that is reported.
pub fn begin_report(path: Option<&Path>) -> Result<Option<File>> {
    let unusable = |path: &Path, error| bad_input(format!("{} can't be written: {error}", path.display()));
    path.map(|path| File::create(path).map_err(|error| unusable(path, error))).transpose()
}

/// Writes a report into its file, if one is wanted.
pub fn write_report(file: Option<File>, report: &impl Serialize) -> Result<()> {
    let Some(mut file) = file else { return Ok(()) };
    let text = serde_json::to_string_pretty(report)? + "\n";
    file.write_all(text.as_bytes()).wrap_err("the report can't be written")
}
