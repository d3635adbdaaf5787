//! Where the program of the local chain is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use deploy::{Repository, RepositoryError};
use eyre::{Result, eyre};

use crate::failure::bad_input;

/// The program of the local chain: the one that is said, the shell's, or the clone's.
pub fn anvil(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = given {
        return match path.is_file() {
            true => Ok(path.to_owned()),
            false => {
                Err(bad_input(format!("there is no program {}, which --anvil or FOGMATE_ANVIL names", path.display())))
            }
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if let Some(found) = in_folders(&folders) {
        return Ok(found);
    }
    let of_clone = Repository::find_here().and_then(|clone| clone.anvil());
    of_clone.map_err(|_| {
        eyre!("a game against the bot needs a local chain, and there is no `anvil` here: `npm install -g @foundry-rs/anvil` installs it, and --anvil FILE names one")
    })
}

/// The local chain of a clone, or the shell's where nothing was installed there.
pub fn anvil_of(clone: &Repository) -> Result<PathBuf, RepositoryError> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    clone.anvil().or_else(|error| in_folders(&folders).ok_or(error))
}

fn in_folders(folders: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(folders).map(|folder| folder.join("anvil")).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_anvil_of_the_path_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let [empty, full] = ["empty", "full"].map(|name| folder.path().join(name));
        for path in [&empty, &full] {
            std::fs::create_dir(path).expect("a folder");
        }
        let path = std::env::join_paths([&empty, &full]).expect("a path");
        assert_eq!(in_folders(&path), None);
        std::fs::write(full.join("anvil"), "").expect("a file");
        assert_eq!(in_folders(&path), Some(full.join("anvil")));
        assert_eq!(anvil(Some(&full.join("anvil"))).expect("a program"), full.join("anvil"));
        assert!(anvil(Some(&empty.join("anvil"))).is_err());
    }
}
