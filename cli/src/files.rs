//! Files that a user names for a result.

use std::path::Path;

use eyre::Result;

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
