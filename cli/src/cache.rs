//! The folder of converted parameters and keys: one for each user of a machine, whichever folder a player's secrets are in, for it holds none.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use deploy::Repository;
use eyre::Result;

use crate::failure::bad_input;
use crate::home::xdg;

/// The user's folder, with what the clone that this program was built in has made already.
pub fn of_user() -> Result<PathBuf> {
    let folder = xdg(env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"), ".cache");
    let folder = folder.ok_or_else(|| bad_input("there is no home folder to keep keys in: say --cache DIR"))?;
    let program = env::current_exe().ok();
    if let Some(clone) = program.and_then(|program| Repository::find(&program).ok()) {
        // Whatever is missing is made when it is needed.
        let _ = seed(&folder, &of_clone(&clone));
    }
    Ok(folder)
}

/// The folder of a clone, which its demos and tests use.
pub fn of_clone(clone: &Repository) -> PathBuf {
    clone.root().join(".cache/fogmate")
}

/// Gives a folder the files of another one that it doesn't have, by links where the file system can. No file of a cache is ever changed in its place, so
/// neither folder changes the other.
fn seed(folder: &Path, made: &Path) -> io::Result<()> {
    for entry in fs::read_dir(made)? {
        let name = entry?.file_name();
        let is_whole = name.to_str().is_some_and(|name| !name.starts_with('.') && !name.ends_with(".lock"));
        let (from, to) = (made.join(&name), folder.join(&name));
        if is_whole && !to.exists() {
            fs::create_dir_all(folder)?;
            link_or_copy(&from, &to)?;
        }
    }
    Ok(())
}

fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        // Another process was faster; copying onto its link would empty the file for both.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let whole = tempfile::NamedTempFile::with_prefix_in(".unfinished-", to.parent().unwrap_or(to))?;
            fs::copy(from, whole.path())?;
            whole.persist(to)?;
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_already_is_taken_and_nothing_replaced() {
        let place = tempfile::tempdir().expect("a folder");
        let (user, clone) = (place.path().join("user"), place.path().join("clone"));
        assert!(seed(&user, &clone).is_err() && !user.exists(), "there is nothing to take");
        fs::create_dir(&clone).expect("a folder");
        for name in ["one", "two", "one.lock", ".unfinished-1"] {
            fs::write(clone.join(name), name).expect("a file");
        }
        seed(&user, &clone).expect("files");
        fs::write(place.path().join("new"), "the user's").expect("a file");
        fs::rename(place.path().join("new"), user.join("two")).expect("a file is replaced as the cache does it");
        fs::remove_file(user.join("one")).expect("a file");
        seed(&user, &clone).expect("files");
        let text = |path: PathBuf| fs::read_to_string(path).expect("a file");
        assert_eq!((text(user.join("one")), text(user.join("two"))), ("one".to_owned(), "the user's".to_owned()));
        assert_eq!(text(clone.join("two")), "two");
        assert_eq!(fs::read_dir(&user).expect("a folder").count(), 2);
    }
}
